#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Start Gorrion: set up what is missing, then serve the page.

    python3 scripts/run.py [serve options]

This file is written so that any Python can read it: an old one gets a sentence, no syntax error.
"""

import sys

HELP = """usage: python3 scripts/run.py [serve options]

Starts Gorrión: makes a private environment in .venv/ the first time (a few minutes, needs the
internet), then serves the page and opens it in the browser. Later starts take seconds and need no
internet. What comes after run.py is handed on to `gorrion serve`:

  --host ADDRESS   address to listen on (default 127.0.0.1: this machine alone)
  --port PORT      port to listen on
  --source SOURCE  the camera, video, folder or URL to watch
  --lan            let the local network watch too; prints a URL, a PIN and a QR code
  --no-browser     don't open the browser
  -h, --help       show this help and exit
"""


def supported(version):
    return (3, 11) <= tuple(version[:2]) < (3, 15)


def refusal(version):
    return (
        "Gorrion needs Python 3.11 to 3.14, and this is {0}.{1}. Start it with a newer one, "
        "for example: python3.12 scripts/run.py"
    ).format(*version[:2])


def main(argv):
    if not supported(sys.version_info):
        sys.stderr.write(refusal(sys.version_info) + "\n")
        return 2
    if "-h" in argv or "--help" in argv:
        sys.stdout.write(HELP)
        return 0
    from environment import SetUpFailed, environment, hand_over, say

    try:
        python = environment("run")
    except SetUpFailed as error:
        sys.stderr.write(str(error) + "\n")
        return 1
    except KeyboardInterrupt:
        say("Stopped. The next start goes on from here.", "Parado. La próxima vez sigue desde aquí.")
        return 130
    return hand_over([str(python), "-m", "companion.cli", "serve"] + argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
