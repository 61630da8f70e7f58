#!/usr/bin/python3
"""Draws small multiples from a map: one field over two axes, a panel for each value of a third axis,
all with one colour scale; several fields are rows of panels.

    plot_multiples.py FILE [-o PICTURE] [--field NAME ...] [--panels AXIS] [--one-scale]
                      [--center VALUE] [--slice AXIS=VALUE ...]

The file may still be growing: cells to come are shown as pending.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.figures import command
from impactsweep.figures.kinds import multiples

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_multiples.py", multiples))
