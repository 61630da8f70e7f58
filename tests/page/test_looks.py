#!/usr/bin/python3
"""Pages have the colours of printed figures: looks.json against the package and matplotlib."""
import json
import os
import sys
import unittest

import matplotlib

sys.dont_write_bytecode = True
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.insert(0, os.path.join(TOP, "postprocess"))
from impactsweep import looks


class Looks(unittest.TestCase):
    def setUp(self):
        with open(os.path.join(TOP, "postprocess", "impactsweep", "looks.json")) as file:
            self.written = json.load(file)

    def test_colours(self):
        written = self.written
        self.assertEqual(written["modes"], looks.MODE_COLOURS)
        self.assertEqual(written["palette"], list(looks.PALETTE))
        self.assertEqual({int(code): tuple(look) for code, look in written["outcomes"].items()}, looks.OUTCOME_STYLE)
        self.assertEqual([written[name] for name in ("none", "undefined", "sequential", "diverging")],
                         [looks.NO_MODE, looks.UNDEFINED, looks.SEQUENTIAL, looks.DIVERGING])

    def test_scales(self):
        for name, text in self.written["scales"].items():
            colours = [matplotlib.colors.to_hex(matplotlib.colormaps[name](i))[1:] for i in range(256)]
            self.assertEqual([text[6 * i:6 * i + 6] for i in range(256)], colours)


if __name__ == "__main__":
    unittest.main()
