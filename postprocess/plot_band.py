#!/usr/bin/python3
"""Draws how an output spreads over a sample: median, half and ninety per cent of it, over one axis.

    plot_band.py FILE [-o PICTURE] [--field NAME] [--over AXIS] [--x AXIS] [--slice AXIS=VALUE ...]

The file may still be growing: points of the sample that are not solved are left out.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import sys

from impactsweep import command
from impactsweep.kinds import band

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_band.py", band))
