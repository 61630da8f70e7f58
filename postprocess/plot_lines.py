#!/usr/bin/python3
"""Draws families of curves from a map: real outputs over one axis, a curve for each value of a second
one, a column of panels for each value of a third, a row for each output.

    plot_lines.py FILE [-o PICTURE] [--field NAME ...] [--x AXIS] [--curves AXIS] [--panels AXIS]
                  [--slice AXIS=VALUE ...] [--psi] [--limit FILE]

The file may still be growing: cells that are not solved are gaps.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.figures import command
from impactsweep.figures.kinds import lines

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_lines.py", lines))
