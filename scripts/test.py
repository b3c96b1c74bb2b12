#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Check everything: style, types, arrows, translations, then the tests, a real browser among them.

    python3 scripts/test.py [pytest options]

This file is written so that any Python can read it: an old one gets a sentence, no syntax error.
"""

import sys

from run import refusal, supported

HELP = """usage: python3 scripts/test.py [--no-lint] [pytest options]

Makes a private environment in .venv/ the first time, brings Chromium where it can (apt-get, as root
on Debian), then runs ruff, mypy, import-linter, the check of the translations, and pytest.
What comes after test.py is handed on to pytest:

  python3 scripts/test.py                        everything
  python3 scripts/test.py tests/rules -k kong    the checks, then some of the tests
  python3 scripts/test.py --no-lint -x           the tests alone, up to the first failure

  --no-lint    skip the checks before pytest
  -h, --help   show this help and exit

The shared data are looked for in ../shared, or where GORRION_DATA points; tests that need them are
skipped where they are absent, and fail under CI=true. The browser is GORRION_CHROMIUM, if set.
"""


def main(argv):
    if not supported(sys.version_info):
        sys.stderr.write(refusal(sys.version_info) + "\n")
        return 2
    if "-h" in argv or "--help" in argv:
        sys.stdout.write(HELP)
        return 0
    from checks import run_all
    from environment import SetUpFailed, environment, say

    lint = "--no-lint" not in argv
    options = [option for option in argv if option != "--no-lint"]
    try:
        return run_all(environment("test"), options, lint)
    except SetUpFailed as error:
        sys.stderr.write(str(error) + "\n")
        return 1
    except KeyboardInterrupt:
        say("Stopped.", "Parado.")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
