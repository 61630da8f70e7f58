#!/usr/bin/python3
"""plot.py for the kind band alone, which draws by the command line only: the figure of the config is left out."""
import os
import runpy

runpy.run_path(os.path.join(os.path.dirname(os.path.realpath(__file__)), "plot.py"), {"KIND": "band"}, "__main__")
