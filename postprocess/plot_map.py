#!/usr/bin/python3
"""Draws one field of a map file over one or two of its axes.

    plot_map.py FILE [-o PICTURE] [--field NAME] [--slice AXIS=VALUE ...]

The file may still be growing: it is read without a lock, and cells to come are shown as pending.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.figures import command
from impactsweep.figures.kinds import map

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_map.py", map))
