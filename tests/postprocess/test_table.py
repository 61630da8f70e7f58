#!/usr/bin/python3
"""Tables of numbers: columns, digits, undefined values, blocks that fit, and tables that are too long."""
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "postprocess"))
sys.path.insert(0, HERE)

import matplotlib
import numpy as np
import small_maps as maps
from impactsweep import choose, command, files, looks, settings, wrapping
from impactsweep.kinds import table
from test_plot import Drawn

FRICTION = np.array([0.1, 0.5975, 1])
LOSS = np.array([[0, 0.12345, np.nan], [12.3456, -1.5, 0.00004]])
FIELDS = ("energy_loss", "impulse", "mode", "duration")


class Tables(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "map.h5")
        mode = np.array([[maps.WEDGE, maps.STICK, maps.REVERSED]] * 2, "i1")
        outcome = np.ones(LOSS.shape, "i1")
        outcome[0, 1] = 2
        maps.write_map(self.path, {"angle": (np.radians([10, 30]), "rad"), "friction": (FRICTION, "1")},
                       {"mode": (mode, {}), "energy_loss": (LOSS, {"units": "1"}),
                        "impulse": (1e9 * LOSS, {"units": "N s"}),
                        "duration": (np.full(LOSS.shape, 2.0), {"units": "s"}), "outcome": (outcome, {})})

    def make(self, *words):
        options = command.parser_of("plot.py", table).parse_args([self.path, *words])
        with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
            return Drawn(command.make(table, options, []))

    def fields(self, *names):
        return [f"--field={name}" for name in names or FIELDS]

    def texts(self, *words):
        return [text.replace("\n", " ") for text, _ in self.make(*words).texts]

    def test_a_row_for_each_cell_and_a_column_for_each_field(self):
        texts = self.texts(*self.fields())
        for text in ("angle (deg)", "friction", "energy loss", "impulse (N s)", "duration (s)", "10", "30", "0.5975",
                     "12.35", "−1.50", "1.235×10¹⁰", "wedge"):
            self.assertIn(text, texts)
        self.assertEqual(texts.count("10"), 3, "one for each friction")
        self.assertEqual(texts.count("2"), 5, "whole numbers have no decimals")

    def test_velocity_ratios_as_angles_of_maw(self):
        """Over friction 0.5 times a stiffness ratio of 2 the numbers are those of the map; without friction they cannot
        be drawn."""
        found = np.array([[0.7, 0.2]])
        maps.write_map(self.path, {"stiffness_ratio": ([2.0], "1"), "friction": ([0.5, 1.0], "1")},
                       {"root": (found, {"units": "1", "long_name": "velocity ratio of the boundary"}),
                        "velocity_ratio_out": (3 * found, {"units": "1"}), "outcome": (np.ones((1, 2), "i1"), {})})
        self.assertEqual(self.texts("--psi", *self.fields("root", "velocity_ratio_out"))[-9:],
                         ["friction", "0.5", "1", "ψ₁", "0.7000", "0.1000", "ψ₂", "2.100", "0.300"])
        maps.write_map(self.path, {"angle": ([1.0], "rad")}, {"root": (np.ones(1), {"units": "1"}),
                                                             "outcome": (np.ones(1, "i1"), {})})
        with self.assertRaisesRegex(files.BadInput, "--psi needs the friction"):
            self.make("--psi", "--field=root")

    def test_a_slice_takes_a_parameter_away(self):
        texts = self.texts(*self.fields(), "--slice", "angle=30deg")
        self.assertNotIn("angle (deg)", texts)
        self.assertTrue(any("angle 30°" in text for text in texts))

    def test_what_is_undefined_or_not_solved_is_a_dash(self):
        self.assertEqual(self.texts(*self.fields("energy_loss", "duration")).count(table.NOTHING), 3)

    def test_columns_that_do_not_fit_are_continued_below(self):
        for size, heads in (("two", 1), ("one", 2)):
            drawn = self.make(*self.fields(), "--size", size)
            self.assertEqual((drawn.overlaps(), drawn.cut()), ([], []))
            self.assertEqual([text for text, _ in drawn.texts].count("friction"), heads)

    def test_lines_break_beside_formulas_and_not_inside_them(self):
        formula = settings.SYMBOLS["velocity_ratio"]
        self.assertIn(" ", formula)
        self.assertEqual(wrapping.wrapped(f"final {formula} out", 0.1), f"final\n{formula}\nout")

    def test_a_table_that_is_too_long_is_refused(self):
        maps.write_map(self.path, {"friction": (np.linspace(0, 1, 61), "1")},
                       {"energy_loss": (np.zeros(61), {"units": "1"}), "outcome": (np.ones(61, "i1"), {})})
        with self.assertRaisesRegex(files.BadInput, "a table of 61 rows is too long, at most 60 are drawn"):
            self.make()

    def test_it_is_drawn_only_if_it_is_asked_for(self):
        self.assertNotEqual(choose.choose(self.path).kind, "table")


if __name__ == "__main__":
    unittest.main()
