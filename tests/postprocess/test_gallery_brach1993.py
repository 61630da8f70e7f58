#!/usr/bin/python3
"""Every figure and table of Brach 1993, drawn from coarse maps."""
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import unittest

from gallery_items import Items


class Brach1993(Items):
    SOURCE = "brach1993"


del Items  # has no source of its own
if __name__ == "__main__":
    unittest.main()
