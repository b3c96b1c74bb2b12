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

  --host ADDRESS         address to listen on (default 127.0.0.1: this machine alone)
  --port PORT            port to listen on (default 8136; 0 takes any that is free)
  --source SOURCE        what to look at: a picture file to start a score sheet from, or demo:
                         a game that is played
  --rules ID             rules that the demo is played by (default hk-old-style)
  --speed TIMES          how many times as fast as people play the demo is played (default 1)
  --lan                  let phones and tablets in; prints the address, a PIN and a QR code
  --no-browser           don't open the browser
  --data-dir FOLDER      folder for score sheets and their pictures
  --max-upload-mb MB     largest picture file taken (default 32)
  --keep-pictures COUNT  how many pictures are kept (default 200)
  --keep-mb MB           room for kept pictures (default 256)
  -h, --help             show this help and exit
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
        say(
            "Stopped. The next start goes on from here.", "Parado. La próxima vez sigue desde aquí."
        )
        return 130
    return hand_over([str(python), "-m", "companion.cli", "serve"] + argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
