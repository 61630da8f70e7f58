#!/usr/bin/python3
"""Draws the flow of the slip velocity of a body in space under friction.

    plot_flow.py FILE [-o PICTURE] [--slice AXIS=VALUE ...]
    plot_flow.py body=BODY friction=VALUE KEY=VALUE ... [-o PICTURE]

FILE is a map of the theory swerve; keys and values are those of `impactsweep cell swerve`.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check()

from impactsweep.figures import command
from impactsweep.figures.kinds import flow

if __name__ == "__main__":
    sys.exit(command.run_kind("plot_flow.py", flow))
