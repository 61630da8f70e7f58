#!/usr/bin/python3
"""Draws the spread of an output over a sample, along one axis: median and bands of 50 % and 90 %.

    plot_band.py FILE [-o PICTURE] [--field NAME] [--sample AXIS] [--x AXIS] [--slice AXIS=VALUE ...]

The file may still be growing: points of the sample that are not solved are left out.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.figures import command
from impactsweep.figures.kinds import band

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_band.py", band))
