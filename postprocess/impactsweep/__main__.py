"""The command impactsweep of a wheel, and `python3 -m impactsweep` everywhere: the program, and the scripts plot and fit.

    impactsweep plot map.h5                 the script plot.py
    impactsweep fit impacts.csv rigid ...   the script fit.py
    impactsweep WORDS                       the program, which takes the place of this process
"""
from __future__ import annotations

import os
import runpy
import subprocess
import sys

from .errors import ProgramError
from .library.paths import ALONE, HERE, find_program

SCRIPTS = {"plot": "draw a map, or the history of a cell: impactsweep plot --help",
           "fit": "fit theories to measured impacts: impactsweep fit --help"}


def script(name: str) -> str:
    """The path of a script: in a wheel beside the program, in a checkout beside the package."""
    for folder in (ALONE, os.path.dirname(HERE)):
        path = os.path.join(folder, f"{name}.py")
        if os.path.isfile(path):
            return path
    raise ProgramError(f"{name}.py is neither in {ALONE} nor in {os.path.dirname(HERE)}")


def main() -> int:
    words = sys.argv[1:]
    try:
        if words and words[0] in SCRIPTS:
            path = script(words[0])
            sys.argv[:] = [path, *words[1:]]
            runpy.run_path(path, run_name="__main__")
            return 0
        program = find_program()
    except ProgramError as reason:
        print(f"impactsweep: error: {reason}", file=sys.stderr)
        return 1
    if words in ([], ["--help"], ["help"]):
        code = subprocess.run([program, *words], check=False).returncode
        print("\nOf the Python package:\n" + "\n".join(f"  impactsweep {name:<9} {text}" for name, text in SCRIPTS.items()),
              file=sys.stdout if words else sys.stderr)
        return code
    sys.stdout.flush()
    os.execv(program, ["impactsweep", *words])


if __name__ == "__main__":
    sys.exit(main())
