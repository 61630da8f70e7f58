#!/usr/bin/python3
"""Every figure and table of the beam paper of 2024, drawn from coarse maps."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import unittest

from gallery_items import Items


class Beam2024(Items):
    SOURCE = "beam2024"
    SAYS = {"figure-4.png": ["impulse (N s)", r"impulse / $(\mu\,L^2\,S)$", "duration × $S$",
                             "$L$: length", "61.7649 s⁻¹"],
            "figure-6.png": ["force (N)", r"force / $(E\,I/L^2)$", r"velocity / $(L\,S)$", "contact energy",
                             "energy / initial energy"]}


del Items  # has no source of its own
if __name__ == "__main__":
    unittest.main()
