#!/usr/bin/python3
"""Every figure and table of Birlik 2012, drawn from coarse maps."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import unittest

from gallery_items import Items


class Birlik2012(Items):
    SOURCE = "birlik2012"
    SAYS = {"figure-3.4.png": ["slip+", "friction limit"],
            "figure-4.7.png": ["friction 0.1", "friction 0.8"],
            "figure-4.10.png": ["loss to friction"],
            "figure-4.13.png": ["angle 10°", "final speed / initial speed", "rigid, law Poisson, restitution 1"],
            "figure-4.14.png": ["critical angle (deg)", "0.001"],
            "table-4.2.png": ["−1.183", "−0.683"],
            "table-4.3.png": ["11.59", "36.07"],
            "table-4.4.png": ["26.54", "36.81"]}


del Items  # has no source of its own
if __name__ == "__main__":
    unittest.main()
