#!/usr/bin/python3
"""Draws histories of cells, as `impactsweep trace` writes them: forces with the limits of friction,
velocities, phases, and other panels.

    plot_trace.py FILE... [--panels NAMES] [-o PICTURE]

FILE is CSV or HDF5; several files are compared in one picture.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.figures import command
from impactsweep.figures.kinds import trace

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_trace.py", trace))
