"""The commands of `gorrion`, one module each.

A command module has two functions. `add_parser(subparsers)` adds its parser; its help is written
with `from gettext import gettext as _`, which `companion.cli` has pointed at the right language by
then. `run(args)` does the work and returns the exit code; `args.lang` is the language to speak.
Modules here are all imported to print the help, so whatever is slow to import (cv2, onnxruntime,
flask) is imported inside `run`.
"""
