#!/usr/bin/python3
"""plot.py for the kind map alone, which draws by the command line only: the figure of the config is left out."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import plot

if __name__ == "__main__":
    sys.exit(plot.run_kind("map"))
