#!/usr/bin/python3
"""Draws the history of one cell, as `impactsweep trace` writes it: forces with the limits of friction,
velocities, phases.

    plot_trace.py FILE [-o PICTURE]

FILE is CSV or HDF5.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import sys

from impactsweep import command
from impactsweep.kinds import trace

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_trace.py", trace))
