#!/usr/bin/python3
"""plot_lines.py on small maps made here, and on the committed configs that it is meant for."""
import contextlib
import io
import os
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(ROOT, "postprocess", "plot_lines.py")
sys.path.insert(0, os.path.dirname(SCRIPT))
sys.path.insert(0, HERE)

import netCDF4
import numpy as np
import test_plot_map as maps
from impactsweep import command, files
from impactsweep.kinds import lines as plot_lines
from matplotlib.image import imread

WEDGE = maps.WEDGE
ANGLE = np.radians([10.0, 20.0, 40.0])
FRICTION = np.linspace(0.1, 1.0, 19)
STIFFNESS = np.array([0.1, 1.0])


def family():
    """[stiffness][angle][friction]: a function of all three, NaN where the mode is wedge."""
    stiffness, angle, friction = np.meshgrid(STIFFNESS, ANGLE, FRICTION, indexing="ij")
    mode = np.where(friction > 0.8, WEDGE, 3).astype("i1")
    outcome = np.ones(mode.shape, "i1")
    outcome[:, 1, 4] = 2
    mode[outcome != 1] = 0
    restitution = np.where((mode == 3), stiffness + angle + friction, np.nan)
    loss = np.where(outcome == 1, stiffness - friction, np.nan)
    return {"mode": (mode, {}), "restitution": (restitution, {"units": "1"}),
            "loss": (loss, {"units": "J", "long_name": "lost energy"}),
            "residual": (0 * loss, {"units": "1"}), "outcome": (outcome, {})}


class Lines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def make(self, name="map.h5"):
        maps.write_map(self.path(name), {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                                         "friction": (FRICTION, "1")}, family())
        return self.path(name)

    def family(self, *words):
        self.notes = []
        return plot_lines.load(self.options(*words), self.notes)[0]

    def options(self, *words):
        return command.parser_of("plot_lines.py", plot_lines).parse_args(words)

    def refuse(self, *arguments):
        before = sorted(os.listdir(self.folder))
        said = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stderr(said):
            self.assertEqual(command.run_kind("plot_lines.py", plot_lines, arguments), 2)
        self.assertRegex(said.getvalue(), r"\Aplot_lines\.py: error: [^\n]+\n\Z")
        self.assertEqual(sorted(os.listdir(self.folder)), before)
        return said.getvalue()


class Roles(Lines):
    def test_longest_axis_is_horizontal_and_the_outermost_makes_panels(self):
        found = self.family(self.make())
        self.assertEqual((found.x_label, found.curves, found.panels),
                         ("friction", ["10°", "20°", "40°"],
                          ["stiffness 0.1 N/m", "stiffness 1 N/m"]))
        self.assertEqual(list(found.values), ["restitution", "loss"])
        self.assertEqual(found.labels["loss"], "lost energy (J)")
        self.assertEqual(self.notes, [])

    def test_values_are_those_of_the_cells_and_unsolved_cells_are_gaps(self):
        found, expected = self.family(self.make()), family()
        for name in ("restitution", "loss"):
            np.testing.assert_array_equal(found.values[name][0], expected[name][0])
        self.assertTrue(np.isnan(found.values["loss"][0, :, 1, 4]).all())

    def test_axes_can_be_chosen(self):
        found = self.family(self.make(), "--x", "angle", "--curves", "stiffness", "--slice",
                            "friction=0.3", "--field", "loss")
        np.testing.assert_allclose(found.x[0, 0], [10, 20, 40])
        self.assertEqual((found.x_label, found.panels), ("angle (deg)", [""]))
        np.testing.assert_allclose(found.values["loss"][0, 0],
                                   [[s - 0.3, np.nan, s - 0.3] for s in STIFFNESS])
        self.assertEqual(found.title, "friction 0.3")

    def test_a_slice_leaves_fewer(self):
        found = self.family(self.make(), "--slice", "stiffness=1", "--slice", "angle=20deg")
        self.assertEqual((found.panels, found.curves, found.values["loss"].shape),
                         ([""], [""], (1, 1, 1, len(FRICTION))))

    def test_an_axis_too_many_is_taken_at_its_middle(self):
        shape = (12, 3, 19)
        outputs = {"loss": (np.zeros(shape), {}), "outcome": (np.ones(shape, "i1"), {})}
        maps.write_map(self.path("a.h5"), {"stiffness": (np.arange(12.0), "1"),
                                           "angle": (ANGLE, "rad"), "friction": (FRICTION, "1")},
                       outputs)
        found = self.family(self.path("a.h5"))
        self.assertEqual((len(found.curves), len(found.panels)), (3, 1))
        self.assertIn("'stiffness' is taken at its middle, 6", self.notes[0])
        self.assertIn("at most 9 are drawn as curves",
                      self.refuse("a.h5", "--curves", "stiffness"))

    def test_options_are_curves_by_name(self):
        outputs = {"loss": (np.arange(8.0).reshape(2, 4), {}), "outcome": (np.ones((2, 4), "i1"), {})}
        maps.write_map(self.path("a.h5"), {"law": (np.arange(2, dtype="i1"), "linear hertz"),
                                           "friction": (np.arange(4.0), "1")}, outputs)
        found = self.family(self.path("a.h5"))
        self.assertEqual((found.curves, found.curves_ordered), (["linear", "Hertz"], False))
        self.assertEqual(len({plot_lines.look_of(found, k)[0] for k in range(2)}), 2)


class Drawing(Lines):
    def test_a_row_for_each_field_and_a_column_for_each_panel(self):
        figure = plot_lines.draw(self.family(self.make()))
        self.assertEqual(len(figure.axes), 4)
        self.assertEqual([ax.get_title() for ax in figure.axes[:2]],
                         ["stiffness 0.1 N/m", "stiffness 1 N/m"])
        legend = figure.axes[1].get_legend()
        self.assertEqual([text.get_text() for text in legend.get_texts()],
                         ["10°", "20°", "40°", "wedge"])
        self.assertEqual(legend.get_title().get_text(), "angle (deg)")

    def test_where_another_field_is_undefined_lines_are_thin(self):
        figure = plot_lines.draw(self.family(self.make()))
        lines = [line for line in figure.axes[2].lines if line.get_linewidth() > 1]
        thin = [line for line in figure.axes[2].lines if line.get_linewidth() == 0.5]
        for line in lines:
            self.assertTrue(np.isnan(line.get_ydata()[FRICTION > 0.8]).all())
        for line in thin:
            self.assertTrue(np.isfinite(line.get_ydata()[FRICTION > 0.8]).all())
            self.assertTrue(np.isnan(line.get_ydata()[FRICTION < 0.7]).all())

    def test_curves_can_be_told_apart_without_colours(self):
        found = self.family(self.make())
        looks = [plot_lines.look_of(found, curve) for curve in range(3)]
        self.assertEqual(len({str(dash) for _, dash in looks}), 3)
        light = [0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2] for c, _ in looks]
        self.assertEqual(light, sorted(light))


class ExtraDimensions(Lines):
    """Values of one cell: the first of three flexible modes is 100 in every cell, the second 200."""

    def make_modes(self):
        path = self.path("modes.h5")
        speed, position = np.array([1.0, 2.0]), np.linspace(0, 1, 12)
        plane = np.add.outer(speed, position)
        maps.write_map(path, {"speed": (speed, "m/s"), "position": (position, "1")},
                       {"rigid": (plane, {"units": "1"}), "outcome": (np.ones((2, 12), "i1"), {})})
        with netCDF4.Dataset(path, "a") as file:
            file.createDimension("flexible_mode", 3)
            file.createVariable("flexible_mode", "i8", ("flexible_mode",))[:] = [1, 2, 3]
            file["flexible_mode"].impactsweep_role = "dimension"
            energy = file.createVariable("energy", "f8", ("speed", "position", "flexible_mode"),
                                         fill_value=False)
            energy[:] = plane[..., None] + 100 * np.arange(1, 4)
        return path

    def test_a_slice_takes_one_mode(self):
        found = self.family(self.make_modes(), "--field", "energy", "--slice", "flexible_mode=2")
        self.assertEqual((found.values["energy"].shape, found.title),
                         ((1, 1, 2, 12), "flexible mode 2"))
        np.testing.assert_allclose(found.values["energy"][0, 0, 0], 201 + found.x[0, 0])
        self.assertEqual(found.curves, ["1 m/s", "2 m/s"])

    def test_a_slice_beyond_the_last_mode_is_an_error(self):
        self.assertIn("flexible_mode=4 is outside the axis, which runs from 1 to 3", self.refuse(
            self.make_modes(), "--field", "energy", "--slice", "flexible_mode=4"))

    def test_each_mode_is_a_curve_with_its_name(self):
        for words in ((), ("--curves", "flexible_mode")):
            found = self.family(self.make_modes(), "--field", "energy", *words)
            self.assertEqual((found.curves, found.panels), (["1", "2", "3"],
                                                            ["speed 1 m/s", "speed 2 m/s"]))
            for curve in range(3):
                np.testing.assert_allclose(found.values["energy"][0, 0, curve],
                                           100 * curve + 101 + found.x[0, 0])
            legend = plot_lines.draw(found).axes[1].get_legend()
            self.assertEqual([text.get_text() for text in legend.get_texts()], ["1", "2", "3"])
            self.assertEqual(legend.get_title().get_text(), "flexible mode")

    def test_each_mode_is_a_panel(self):
        found = self.family(self.make_modes(), "--field", "energy", "--panels", "flexible_mode")
        self.assertEqual(found.panels, ["flexible mode 1", "flexible mode 2", "flexible mode 3"])
        np.testing.assert_allclose(found.values["energy"][0, 2, 1], 302 + found.x[0, 0])

    def test_an_output_without_modes_is_one_black_line(self):
        found = self.family(self.make_modes(), "--field", "energy", "--field", "rigid")
        lines = [line for line in plot_lines.draw(found).axes[2].lines
                 if line.get_linewidth() > 1 and np.isfinite(line.get_ydata()).any()]
        self.assertEqual([line.get_color() for line in lines], ["#000000"])

    def test_an_output_of_modes_is_left_out_by_default_with_a_note(self):
        found = self.family(self.make_modes())
        self.assertEqual(list(found.values), ["rigid"])
        self.assertEqual(self.notes, ["not drawn: energy; choose with --field NAME"])


class WhatIsDrawn(Lines):
    def test_a_curve_without_a_point_is_not_in_the_legend(self):
        outputs = family()
        outputs["outcome"][0][:, 1] = 2
        maps.write_map(self.path("a.h5"), {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                                           "friction": (FRICTION, "1")}, outputs)
        legend = plot_lines.draw(self.family(self.path("a.h5"))).axes[1].get_legend()
        self.assertEqual([text.get_text() for text in legend.get_texts()], ["10°", "40°", "wedge"])

    def test_level_lines_are_left_out_with_a_note(self):
        outputs = family()
        outputs["level"] = (np.full(outputs["loss"][0].shape, 0.5), {})
        maps.write_map(self.path("a.h5"), {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                                           "friction": (FRICTION, "1")}, outputs)
        found = self.family(self.path("a.h5"))
        self.assertEqual(list(found.values), ["restitution", "loss"])
        self.assertIn("not drawn: level", self.notes[0])

    def test_the_bookkeeping_of_a_search_is_left_out_by_default(self):
        x = np.linspace(0, 1, 20)
        outputs = {name: (values, {"units": "1"}) for name, values in (
            ("root_bracket", 1 + x), ("root_count", np.where(x < 0.5, 0.0, 1.0)), ("root", x))}
        maps.write_map(self.path("a.h5"), {"friction": (x, "1")},
                       {**outputs, "outcome": (np.ones(20, "i1"), {})})
        self.assertEqual(list(self.family(self.path("a.h5")).values), ["root"])

    def test_a_sample_is_drawn_as_points(self):
        number = np.arange(40)
        maps.write_map(self.path("a.h5"), {"sample": (number, "1")},
                       {"loss": (np.sin(number), {}), "outcome": (np.ones(40, "i1"), {})})
        lines = plot_lines.draw(self.family(self.path("a.h5"))).axes[0].lines
        self.assertEqual({line.get_linestyle() for line in lines}, {"None"})

    def test_a_note_names_each_logarithmic_axis(self):
        stiffness = np.geomspace(0.1, 10, 21)
        maps.write_map(self.path("a.h5"), {"stiffness": (stiffness, "N/m")},
                       {"loss": (stiffness ** 3, {}), "outcome": (np.ones(21, "i1"), {})})
        self.family(self.path("a.h5"))
        self.assertEqual(self.notes, [
            "axis 'stiffness' has equal ratios and is drawn logarithmically",
            "'loss' spans more than three decades and is drawn logarithmically"])

    def test_an_axis_of_nan_is_refused(self):
        maps.write_map(self.path("a.h5"), {"stiffness": (np.full(5, np.nan), "N/m")},
                       {"loss": (np.arange(5.0), {}), "outcome": (np.ones(5, "i1"), {})})
        self.assertIn("axis 'stiffness' holds values that are not numbers", self.refuse("a.h5"))

    def test_commas_separate_the_parts_of_the_title(self):
        path = self.make()
        with netCDF4.Dataset(path, "a") as file:
            file.title = "rigid, law impulse_ratio, angle -0.785398 rad, friction 0.6"
        found = self.family(path, "--slice", "stiffness=1", "--slice", "angle=20deg")
        self.assertEqual(found.title, "rigid, law impulse ratio, angle −45°, friction 0.6, stiffness "
                                      "1 N/m, angle 20°")


class Searches(Lines):
    """Outputs of several values per cell, and limiting curves, on the committed configs."""

    def run_config(self, name):
        subprocess.run([os.path.abspath(os.environ["IMPACTSWEEP"]), "run",
                        os.path.join(ROOT, "configs", f"{name}.yaml"), "-o",
                        self.path(f"{name}.h5"), "--progress", "none"], check=True,
                       capture_output=True)
        return self.path(f"{name}.h5")

    def test_every_root_is_drawn(self):
        """Against the closed form of both limits of the friction that wedges."""
        path = self.run_config("wedge-window")
        found = self.family(path, "--field", "root")
        low, high = found.values["root"]
        drawn = 0
        for curve, text in enumerate(found.curves):
            eta, tangent = float(text), np.tan(np.radians(found.x[0, curve]))
            gap = 1 - eta * tangent ** 2
            inside = (gap ** 2 > 12 * eta * tangent ** 2) & (gap > 0)
            root = np.sqrt(np.where(inside, gap ** 2 - 12 * eta * tangent ** 2, np.nan))
            for found_limit, limit in ((low, gap - root), (high, gap + root)):
                limit = limit / (6 * eta * tangent)
                limit[limit > 1000] = np.nan  # beyond the range of the search
                np.testing.assert_allclose(found_limit[0, curve], limit, rtol=1e-6)
                drawn += np.isfinite(limit).sum()
        self.assertGreater(drawn, 1000)
        ax = plot_lines.draw(found).axes[0]
        self.assertEqual(ax.get_yscale(), "log")
        self.assertEqual(ax.get_ylabel(), "friction of the boundary")
        self.assertEqual([t.get_text() for t in ax.get_legend().get_texts()], found.curves)

    def test_one_root_can_be_sliced_and_bookkeeping_is_left_out(self):
        path = self.run_config("wedge-window")
        both = self.family(path)
        self.assertEqual(list(both.values), ["root"])
        for number in (1, 2):
            one = self.family(path, "--slice", f"root_number={number}")
            self.assertIn(f"root number {number}", one.title)
            np.testing.assert_array_equal(one.values["root"][0], both.values["root"][number - 1])
        apart = self.family(path, "--curves", "root_number", "--slice", "stiffness_ratio=1")
        np.testing.assert_array_equal(apart.values["root"][0, 0], both.values["root"][:, 0, 1])
        self.assertEqual(apart.curves, ["1", "2"])

    def test_the_rigid_pendulum_is_the_limit(self):
        path, rigid = self.run_config("critical-angle"), self.run_config("critical-angle-rigid")
        words = (path, "--field", "root", "--limit", rigid)
        self.assertEqual(command.run_kind("plot_lines.py", plot_lines,
                                          [*words, "-o", self.path("a.png")]), 0)
        limit = plot_lines.load_limit(self.options(*words), ["root"], {"x": "friction"})
        np.testing.assert_allclose(np.radians(limit.values["root"][0, 0, 0]),
                                   np.arctan(limit.x[0, 0]), atol=1e-12)
        figure = plot_lines.draw(self.family(path, "--field", "root"), limit)
        self.assertIn("rigid", [text.get_text() for text in figure.axes[0].get_legend().get_texts()])

    def test_a_limit_has_the_same_axis_only(self):
        path = self.make()
        self.assertIn("its only axis must be 'friction'",
                      self.refuse(path, "--field", "loss", "--limit", path))


class Psi(Lines):
    def write(self, name, scalars):
        ratio = np.linspace(0, 5, 11)
        outputs = {"velocity_ratio_out": (np.tile(ratio - 1, (2, 1)), {}),
                   "outcome": (np.ones((2, 11), "i1"), {})}
        maps.write_map(self.path(name), {"friction": (np.array([0.1, 0.5]), "1"),
                                         "velocity_ratio": (ratio, "1")}, outputs)
        with netCDF4.Dataset(self.path(name), "a") as file:
            for scalar, value in scalars.items():
                file.createVariable(scalar, "f8")[...] = value
            file["outcome"].coordinates = " ".join(scalars)
        return self.path(name)

    def test_velocity_ratios_are_over_friction_and_stiffness_ratio(self):
        for name, scalars, eta in (("a.h5", {"stiffness_ratio": 1.25}, 1.25),
                                   ("b.h5", {"poisson_ratio": 0.3}, 1.7 / 1.4)):
            found = self.family(self.write(name, scalars), "--psi")
            for curve, friction in enumerate((0.1, 0.5)):
                ratio = np.linspace(0, 5, 11)
                np.testing.assert_allclose(found.x[0, curve], ratio / (friction * eta))
                np.testing.assert_allclose(found.values["velocity_ratio_out"][0, 0, curve],
                                           (ratio - 1) / (friction * eta))
            self.assertIn("ψ₁", found.x_label)

    def test_psi_needs_the_stiffness_ratio_or_poisson_ratio(self):
        self.write("a.h5", {})
        self.assertIn("stiffness_ratio or poisson_ratio", self.refuse("a.h5", "--psi"))


class Command(Lines):
    def test_bad_input(self):
        path = self.make()
        for words, phrase in ((("--field", "los"), "did you mean 'loss'?"),
                              (("--field", "mode"), "no real output"),
                              (("--x", "angl"), "did you mean 'angle'?"),
                              (("--x", "angle", "--curves", "angle"), "only be one of"),
                              (("--slice", "angle=10deg", "--x", "angle"), "axis for --x"),
                              (("-o", "a.txt"), "a picture ends in"),
                              (("--colour",), "unrecognized")):
            self.assertIn(phrase, self.refuse(path, *words), words)
        self.assertIn("no such file", self.refuse("missing.h5"))

    def draw_config(self, name, *words):
        """Runs a committed config and plot_lines.py; returns the family that it draws."""
        program = os.path.abspath(os.environ["IMPACTSWEEP"])
        map_file = self.path(f"{name}.h5")
        subprocess.run([program, "run", os.path.join(ROOT, "configs", f"{name}.yaml"), "-o",
                        map_file, "--progress", "none"], check=True, capture_output=True)
        run = subprocess.run([SCRIPT, map_file, *words], capture_output=True, text=True,
                             check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))
        image = imread(self.path(f"{name}-lines.png"))
        self.assertLess(image[:, :, :3].min(), 0.3)
        return self.family(map_file, *words)

    def test_pendulum_over_friction(self):
        """Against the closed form of the pendulum: the part of its energy that remains after slip, stick
        and slip back; 1 where it sticks throughout."""
        found = self.draw_config("pendulum-friction")
        ratios = [float(text.split()[-1]) for text in found.panels]
        angles = [float(text.rstrip("°")) for text in found.curves]
        checked = 0
        for panel, ratio in enumerate(ratios):
            for curve, angle in enumerate(angles):
                friction = found.x[panel, curve]
                tangent, e = np.tan(np.radians(angle)), found.values["kinematic_restitution"][0]
                lever = friction * ratio * tangent
                with np.errstate(invalid="ignore"):
                    squared = np.where(lever >= 1, 1, 1 - 2 * friction * (1 - lever) / (
                        (tangent + friction) * (1 + lever)))
                there = np.isfinite(e[panel, curve])
                np.testing.assert_allclose(e[panel, curve][there] ** 2, squared[there],
                                           atol=1e-9)
                self.assertTrue((squared[~there] <= 1e-9).all(), (ratio, angle))
                checked += there.sum()
        self.assertGreater(checked, 10000)
        self.assertEqual(found.thin_label, "wedge")

    def test_general_body_over_its_angle(self):
        """At angle 0 the directions are uncoupled and nothing is lost along the normal."""
        found = self.draw_config("general-restitution")
        self.assertEqual((len(found.curves), len(found.panels)), (4, 3))
        straight = np.flatnonzero(found.x[0, 0] == 0)
        for name in ("kinematic_restitution", "kinetic_restitution"):
            np.testing.assert_allclose(found.values[name][0][:, :, straight], 1, atol=1e-12)
        self.assertGreater(np.nanmax(found.values["kinematic_restitution"]), 1.1)

    def test_sphere_for_three_laws(self):
        """The angles psi from which the sphere slips at first touch, and from which it slips throughout:
        PAMC (thesis, Oregon State University), table 1 and chapter 4.2. The second is 7 / eta less the
        first; beyond it psi falls by 7 / eta."""
        found = self.draw_config("sphere-rebound", "--psi")
        self.assertEqual((found.curves, found.curves_ordered), (["linear", "coupled", "Hertz"],
                                                                False))
        eta = 1.7 / 1.4
        limits = {"linear": (1, 4.76471), "coupled": (0.6667, 5.09804), "hertz": (1.18096, 4.58374)}
        with netCDF4.Dataset(self.path("sphere-rebound.h5")) as file:
            modes = dict(zip(file["mode"].flag_meanings.split(), file["mode"].flag_values))
            mode = file["mode"][:]
        for curve, law in enumerate(found.curves):
            psi = found.x[0, curve]
            out = found.values["velocity_ratio_out"][0, 0, curve]
            step = psi[1] - psi[0]
            sticks = np.isin(mode[curve], [modes["gross_stick"], modes["stick_slip"]])
            slips = mode[curve] == modes["gross_slip"]
            self.assertAlmostEqual(psi[sticks].max(), limits[law.lower()][0], delta=step)
            self.assertAlmostEqual(psi[slips].min(), limits[law.lower()][1], delta=step)
            self.assertTrue(slips[psi > limits[law.lower()][1] + step].all())
            np.testing.assert_allclose(out[slips], psi[slips] - 7 / eta, atol=1e-9)


if __name__ == "__main__":
    unittest.main()
