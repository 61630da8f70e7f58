#!/usr/bin/python3
"""The options of every figure, on small maps made here: their effects, that figures can be read in one column
and in two, and refusals."""
import contextlib
import io
import os
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(HERE)), "postprocess"))
sys.path.insert(0, HERE)

import matplotlib
import netCDF4
import numpy as np
import plot
import test_plot_map as maps
from impactsweep import choose, command, frame, labels, looks, settings, wrapping
from test_plot import Drawn, legends_of

ANGLE, FRICTION = np.radians(np.linspace(1, 89, 30)), np.linspace(0.05, 1.5, 24)
STIFFNESS = np.array([0.01, 1.0])
SAMPLE = 40


def grid():
    """[stiffness][angle][friction]: regions, an output of both signs and a ratio on both sides of 1."""
    stiffness, angle, friction = np.meshgrid(STIFFNESS, ANGLE, FRICTION, indexing="ij")
    mode = np.where(np.tan(angle) < friction / 3, maps.WEDGE,
                    np.where(np.tan(angle) > 1.5 / friction, maps.STICK, maps.REVERSED)).astype("i1")
    loss = np.sin(3 * angle) * friction - 0.1 * stiffness
    return {"mode": (mode, {}), "loss": (loss, {"units": "J"}),
            "kinematic_restitution": (0.6 + 0.8 * np.cos(angle) * friction / 1.5, {"units": "1"}),
            "outcome": (np.ones(mode.shape, "i1"), {})}


class Options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        axes = {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"), "friction": (FRICTION, "1")}
        maps.write_map(cls.path("map.h5"), axes, grid())
        maps.write_map(cls.path("plane.h5"), {name: axes[name] for name in ("angle", "friction")},
                       {name: (values[0], more) for name, (values, more) in grid().items()})
        maps.write_map(cls.path("other.h5"), {"friction": axes["friction"]},
                       {"loss": (grid()["loss"][0][0, 0], {"units": "J"}),
                        "outcome": (np.ones(len(FRICTION), "i1"), {})})
        cls.make_sample()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def make_sample(cls):
        """Restitution over a sample of mass and length, and the position."""
        position, rng = np.linspace(0.2, 1, 12), np.random.default_rng(1)
        mass, length = rng.normal(2, 0.1, SAMPLE), rng.uniform(1, 3, SAMPLE)
        values = (0.2 * mass[:, None] + 0.1 * length[:, None]) * position
        maps.write_map(cls.path("sample.h5"), {"sample": (np.arange(SAMPLE), "1"),
                                               "position": (position, "1")},
                       {"kinematic_restitution": (values, {"units": "1"}),
                        "outcome": (np.ones(values.shape, "i1"), {})})
        with netCDF4.Dataset(cls.path("sample.h5"), "a") as file:
            file["sample"].long_name = "point of the sample"
            for name, column, unit, words in (
                    ("mass", mass, "kg", "normal, mean 2 kg, standard deviation 0.1 kg"),
                    ("length", length, "m", "uniform, 1 m to 3 m")):
                file.createVariable(name, "f8", ("sample",))[:] = column
                file[name].setncatts({"units": unit, "long_name": name, "distribution": words})
            file["kinematic_restitution"].coordinates = "mass length"

    def figure(self, name, *words, kind=None):
        """The figure that plot.py draws, by its own choice or as a kind."""
        path = self.path(name)
        choice = choose.Choice(kind, "") if kind else choose.choose(path, words)
        self.kind = choice.kind
        options = command.parser_of("plot.py", choose.KINDS[choice.kind]).parse_args(
            [path, *choice.words, *words])
        with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
            return command.make(choose.KINDS[choice.kind], options, [])

    def check_readable(self, figure):
        drawn = Drawn(figure)
        self.assertEqual(drawn.overlaps(), [])
        self.assertEqual(drawn.cut(), [])
        self.assertEqual(drawn.lone_ticks(), [])
        self.assertEqual(drawn.raw_numbers(), [])
        return drawn

    def run_plot(self, *words):
        said, printed = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stderr(said), \
                contextlib.redirect_stdout(printed):
            code = command.run("plot.py", plot.work, list(words))
        return code, printed.getvalue(), said.getvalue()

    def refuse(self, *words):
        code, printed, said = self.run_plot(*words)
        self.assertEqual((code, printed), (2, ""), words)
        self.assertRegex(said, r"\Aplot\.py: error: [^\n]+\n\Z")
        return said


class Sizes(Options):
    KINDS = (("plane.h5", "map", ()), ("plane.h5", "map", ("--field", "loss")),
             ("plane.h5", "map", ("--contours", "kinematic_restitution")),
             ("map.h5", "multiples", ("--field", "loss", "--field", "kinematic_restitution")),
             ("map.h5", "lines", ("--slice", "angle=30deg")),
             ("sample.h5", "band", ()), ("sample.h5", "quantiles", ()),
             ("sample.h5", "histogram", ("--slice", "position=1")),
             ("sample.h5", "scatter", ("--slice", "position=1")))

    def test_every_kind_can_be_read_in_one_column_and_in_two(self):
        for size, width in (("one", 3.35), ("two", 7.0)):
            for name, kind, words in self.KINDS:
                with self.subTest(kind=kind, size=size, words=words):
                    figure = self.figure(name, *words, "--size", size, "--names", "symbols", kind=kind)
                    self.assertAlmostEqual(figure.get_figwidth(), width)
                    self.check_readable(figure)

    def frame_of(self, figure):
        box = figure.axes[0].get_position()
        return box.width * figure.get_figwidth(), box.height * figure.get_figheight()

    def test_frames_have_one_size_whatever_text_surrounds_them(self):
        frames = [self.frame_of(self.figure("plane.h5", *words, kind="map")) for words in (
            (), ("--field", "loss"), ("--title", ""), ("--contours", "loss"),
            ("--title", "a title of many words " * 9))]
        np.testing.assert_allclose(frames, [frames[0]] * len(frames), atol=1e-9)

    def test_letters_grow_and_can_still_be_read(self):
        figure = self.figure("plane.h5", "--font-size", "13", kind="map")
        drawn = self.check_readable(figure)
        self.assertGreater(max(box.height for _, box in drawn.texts),
                           1.3 * max(box.height for _, box in self.check_readable(
                               self.figure("plane.h5", kind="map")).texts))

    def test_files_of_one_figure_are_equal(self):
        for ending in ("png", "pdf", "svg"):
            pictures = []
            for name in ("a", "b"):
                self.assertEqual(self.run_plot("plane.h5", "-o", f"{name}.{ending}")[0], 0)
                with open(self.path(f"{name}.{ending}"), "rb") as file:
                    pictures.append(file.read())
            self.assertEqual(*pictures)


class Refused(Options):
    def test_what_a_kind_has_no_use_for_names_those_that_have(self):
        self.write_history()
        for option in ("--log", "--linear"):
            said = self.refuse("history.csv", option, "time")
            self.assertIn(f"{option} does not go with the figure 'trace'; it goes with: map, lines", said)
        self.assertIn("did you mean 'normal_force'", self.refuse("history.csv", "--limits", "normal_forc=0:1"))
        figure = self.figure("history.csv", "--limits", "normal_force=0:9", "--label", "time=t")
        self.assertEqual((figure.axes[0].get_ylim(), figure.axes[-1].get_xlabel()), ((0, 9), "t"))
        said = self.refuse("plane.h5", "--as", "flow", "--limits", "angle=0:1")
        self.assertIn("--limits does not go with the figure 'flow'; it goes with: map,", said)

    def write_history(self):
        with open(self.path("history.csv"), "w", encoding="utf-8") as file:
            file.write("# phases = stick\ntime,normal_force,phase,event\n0,1,stick,\n1,2,stick,\n")


class Faults(Options):
    """What readers objected to in earlier figures, each by itself."""

    def write_plane(self, x, y, outputs):
        shape = (len(x[1][0]), len(y[1][0]))
        maps.write_map(self.path("fault.h5"), dict((x, y)), {
            **{name: (np.broadcast_to(values, shape).copy(), more) for name, (values, more) in
               outputs.items()}, "outcome": (np.ones(shape, "i1"), {})})
        return "fault.h5"

    def test_names_of_regions_stay_in_the_frame_where_points_are_unequal(self):
        name = self.write_plane(("angle", (ANGLE, "rad")), ("weight", (np.array([0, 0.5, 1, 2, 10, 100.]), "1")),
                                {"mode": (np.array([[maps.WEDGE] * 4 + [maps.STICK] * 2], "i1"), {})})
        for words in (("--x", "weight"), ("--limits", "angle=20deg:40deg")):
            figure = self.figure(name, *words, kind="map")
            self.check_readable(figure)
            frame = figure.axes[0].get_window_extent()
            names = [text.get_text() for text in figure.axes[0].texts]
            self.assertIn("gross stick", names)
            for text in figure.axes[0].texts:
                box = text.get_window_extent()
                self.assertTrue(frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0
                                and box.y1 < frame.y1, text.get_text())

    def test_rounding_is_no_structure(self):
        loss = 20 + 1e-14 * np.sin(np.arange(FRICTION.size))
        figure = self.figure(self.write_plane(("angle", (ANGLE, "rad")), ("friction", (FRICTION, "1")),
                                              {"loss": (loss, {"units": "J"})}), kind="map")
        self.check_readable(figure)
        mesh = [part for part in figure.axes[0].collections if part.get_array() is not None][0]
        self.assertLess(np.ptp(mesh.to_rgba(mesh.get_array()).reshape(-1, 4), axis=0).max(), 0.02)

    def test_level_lines_have_labels_that_do_not_touch(self):
        dense = np.cos(9 * np.linspace(0, 1, 30))[:, None] * np.cos(9 * np.linspace(0, 1, 24))
        for size in ("one", "two"):
            figure = self.figure(self.write_plane(
                ("angle", (ANGLE, "rad")), ("friction", (FRICTION, "1")), {"loss": (dense, {"units": "J"})}),
                "--contours", "loss", "--size", size, kind="map")
            self.check_readable(figure)
            self.assertGreater(len(figure.axes[0].texts), 3)

    def test_a_map_shows_the_range_that_was_swept(self):
        axes = self.figure("plane.h5", kind="map").axes[0]
        np.testing.assert_allclose((*axes.get_xlim(), *axes.get_ylim()), (1, 89, 0.05, 1.5))

    def test_a_legend_is_read_row_by_row(self):
        legend = self.figure("map.h5", "--x", "angle", "--curves", "stiffness", "--slice", "friction=0.5",
                             "--label", "stiffness=" + "long " * 12, kind="lines").axes[0].get_legend()
        self.assertEqual(frame.row_by_row(list("abcdefg"), 3), list("adgbecf"))
        self.assertEqual(len(legend.get_texts()), 2)

    def test_lines_of_text_are_full_and_keep_numbers_with_their_units(self):
        with settings.used(settings.Settings(size="one")):
            self.assertEqual(wrapping.wrapped("internal damping 0 Pa s", 1.2), "internal\ndamping 0 Pa s")
            self.assertEqual(wrapping.wrapped("swerve, law energetic, friction 0.3, heading 0°", 2.0),
                             "swerve, law energetic,\nfriction 0.3, heading 0°")
            self.assertEqual(wrapping.wrapped("wedge wedge", 0.1), "wedge\nwedge")

    def test_numbers_are_printed_as_in_books(self):
        for text, printed in (("1e+06", "10⁶"), ("-6.83e+10 Pa", "−6.83×10¹⁰ Pa"), ("2e-05", "2×10⁻⁵"),
                              ("pendulum3d, 1.21", "pendulum3d, 1.21"), ("3e", "3e")):
            self.assertEqual(labels.typeset(text), printed)

    def test_powers_of_ten_have_room_in_narrow_panels(self):
        damping = np.geomspace(0.01, 20, 24)
        maps.write_map(self.path("log.h5"), {"stiffness": (np.array([0.1, 1, 10]), "N/m"),
                                             "damping": (damping, "s/m"), "friction": (FRICTION, "1")},
                       {"loss": (np.ones((3, 24, 24)) * damping[:, None], {"units": "J"}),
                        "outcome": (np.ones((3, 24, 24), "i1"), {})})
        for size in ("one", "two"):
            self.check_readable(self.figure("log.h5", "--size", size, "--panels", "stiffness",
                                            kind="multiples"))

    def test_panels_leave_few_places_empty(self):
        with settings.used(settings.Settings(size="one")):
            self.assertEqual([frame.block(n) for n in (1, 3, 4, 6, 8)],
                             [(1, 1), (1, 3), (2, 2), (2, 3), (4, 2)])
        with settings.used(settings.Settings(size="two")):
            self.assertEqual([frame.block(n) for n in (5, 6, 8, 12)], [(2, 3), (2, 3), (2, 4), (3, 4)])


class Axes(Options):
    def test_words_symbols_and_labels(self):
        axes = self.figure("plane.h5", kind="map").axes[0]
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("angle (deg)", "friction"))
        axes = self.figure("plane.h5", "--names", "symbols", "--label", "friction=f", kind="map").axes[0]
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), (r"$\theta$ (deg)", "f"))

    def test_x_and_y_are_exchanged(self):
        axes = self.figure("plane.h5", "--x", "friction", kind="map").axes[0]
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("friction", "angle (deg)"))
        self.assertIn("did you mean 'angle'?", self.refuse("plane.h5", "--as", "map", "--x", "angel"))

    def test_limits_in_their_units_and_logarithms(self):
        axes = self.figure("plane.h5", "--limits", "angle=10deg:60deg", "--log", "friction",
                           kind="map").axes[0]
        np.testing.assert_allclose(axes.get_xlim(), (10, 60))
        self.assertEqual(axes.get_yscale(), "log")
        axes = self.figure("map.h5", "--slice", "angle=45deg", "--limits", "loss=-1:2", "--field", "loss",
                           kind="lines").axes[0]
        self.assertEqual(axes.get_ylim(), (-1, 2))

    def test_one_output_over_another(self):
        figure = self.figure("map.h5", "--x", "kinematic_restitution", "--field", "loss", "--slice",
                             "stiffness=1", "--slice", "friction=1.5")
        self.assertEqual(self.kind, "lines")
        line = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 30][0]
        there = {name: values[1, :, -1] for name, (values, _) in grid().items()}
        np.testing.assert_allclose(line.get_xdata(), there["kinematic_restitution"])
        np.testing.assert_allclose(line.get_ydata(), there["loss"])
        self.check_readable(figure)

    def test_title(self):
        self.assertEqual(self.figure("plane.h5", "--title", "mine", kind="map")._suptitle.get_text(),
                         "mine")
        self.assertIsNone(self.figure("plane.h5", "--title", "", kind="map")._suptitle)


class Colours(Options):
    def mesh(self, *words):
        figure = self.figure("plane.h5", *words, kind="map")
        return [part for part in figure.axes[0].collections if part.get_array() is not None][0]

    def test_the_default_centre_is_zero_for_both_signs_and_one_for_ratios(self):
        for field, middle in (("loss", 0), ("kinematic_restitution", 1)):
            mesh = self.mesh("--field", field)
            self.assertGreater(min(mesh.cmap(mesh.norm(middle))[:3]), 0.93, field)
            self.assertLess(min(mesh.cmap(0.0)[:3]), 0.8)

    def test_scale_centre_levels_and_limits_can_be_chosen(self):
        mesh = self.mesh("--field", "loss", "--cmap", "gray", "--limits", "loss=0:0.5")
        self.assertEqual((mesh.cmap.name, mesh.get_clim()), ("gray", (0, 0.5)))
        mesh = self.mesh("--field", "loss", "--center", "0.5")
        self.assertGreater(min(mesh.cmap(mesh.norm(0.5))[:3]), 0.93)
        mesh = self.mesh("--field", "loss", "--levels", "0,0.5,1")
        self.assertEqual(len({tuple(mesh.cmap(mesh.norm(value))) for value in (0.1, 0.2, 0.6, 0.7)}), 2)

    def test_regions_have_names_and_lines_between_them(self):
        figure = self.figure("plane.h5", kind="map")
        texts = [text.get_text().replace("\n", " ") for text in figure.axes[0].texts]
        self.assertIn("gross stick", texts)
        lines = [part for part in figure.axes[0].collections if hasattr(part, "get_segments")]
        ends = np.concatenate([np.array(segment) for segment in lines[0].get_segments()])
        mode = grid()["mode"][0][0]
        self.assertEqual(len(ends) // 2, (mode[1:] != mode[:-1]).sum() + (mode[:, 1:] != mode[:, :-1]).sum())

    def test_curves_differ_in_grey(self):
        figure = self.figure("map.h5", "--slice", "angle=45deg", kind="lines")
        looks_of = {(str(line._unscaled_dash_pattern), tuple(matplotlib.colors.to_rgb(line.get_color())))
                    for line in figure.axes[0].lines if line.get_linewidth() > 1}
        self.assertEqual(len({dash for dash, _ in looks_of}), 2)
        light = sorted(np.dot(colour, (0.299, 0.587, 0.114)) for _, colour in looks_of)
        self.assertGreater(light[1] - light[0], 0.3)


class OnTop(Options):
    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def test_measured_points_have_error_bars_and_an_entry(self):
        points = self.write("measured_here.csv", "friction,loss,loss_error,friction_error\n"
                            "0.5,0.1,0.05,0.1\n1,0.4,0.02,0.05\n")
        figure = self.figure("map.h5", "--slice", "angle=45deg", "--field", "loss", "--points", points,
                             kind="lines")
        (bars,) = figure.axes[0].containers
        np.testing.assert_allclose(bars.lines[0].get_xydata(), [[0.5, 0.1], [1, 0.4]])
        self.assertEqual(len(bars.lines[2]), 2)
        self.assertIn("measured here", [text.get_text() for legend in legends_of(figure)
                                        for text in legend.get_texts()])
        self.check_readable(figure)

    def test_points_in_degrees_over_a_map(self):
        points = self.write("p.csv", "# remark\nangle [deg],friction\n30,0.5\n")
        axes = self.figure("plane.h5", "--points", points, kind="map").axes[0]
        np.testing.assert_allclose(axes.containers[0].lines[0].get_xydata(), [[30, 0.5]])

    def test_tables_of_points_differ_by_their_marks(self):
        one = self.write("one.csv", "friction,loss\n0.5,0.1\n1,0.4\n")
        two = self.write("two.csv", "friction,loss\n0.6,0.2\n900,30\n")
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss")
        figure = self.figure(*words, "--points", one, "--points", two, kind="lines")
        marks = [bars.lines[0].get_marker() for bars in figure.axes[0].containers]
        self.assertEqual(marks, ["o", "s"])
        texts = [text.get_text() for legend in legends_of(figure) for text in legend.get_texts()]
        self.assertLess({"one", "two"}, set(texts))
        self.check_readable(figure)
        self.assertEqual(figure.axes[0].get_ylim(), self.figure(*words, "--points", one, kind="lines")
                         .axes[0].get_ylim(), "a point beside the map stretches the picture")

    def test_a_second_map_on_top(self):
        figure = self.figure("map.h5", "--slice", "angle=45deg", "--field", "loss", "--over",
                             self.path("map.h5"), kind="lines")
        self.assertGreater(len(figure.axes[0].lines), 4)
        self.check_readable(figure)
        self.check_readable(self.figure("plane.h5", "--over", self.path("plane.h5"), kind="map"))

    def test_the_second_map_is_named_after_what_the_first_lacks(self):
        from impactsweep.labels import difference
        self.assertEqual(difference("compliant, law Hertz, friction 1", "compliant, law linear, friction 1"),
                         "law Hertz")
        self.assertEqual(difference("rigid, friction 1", "rigid, friction 1"), "rigid, friction 1")
        map = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--title", "T", "--over",
               self.path("map.h5"))
        texts = [text.get_text() for legend in legends_of(self.figure(*map, kind="lines"))
                 for text in legend.get_texts()]
        self.assertNotIn("T", texts)

    def test_a_second_map_over_an_output(self):
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--x", "kinematic_restitution", "--over")
        figure = self.figure(*words, self.path("map.h5"), kind="lines")
        longest = [max((len(line.get_xdata()) for line in figure.axes[0].lines if (line.get_marker() == "x") == thin))
                   for thin in (False, True)]
        self.assertEqual(longest, [len(FRICTION)] * 2, "both along friction")
        self.check_readable(figure)
        self.assertIn("has no output 'kinematic_restitution'", self.refuse(
            *words, self.path("other.h5"), "--as", "lines"))

    def test_several_maps_on_top(self):
        own = self.path("map.h5")
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--over", own, "--over", own)
        figure = self.figure(*words, kind="lines")
        marks = [line.get_marker() for line in figure.axes[0].lines]
        self.assertEqual(marks.count("x"), marks.count("o"))
        self.assertGreater(marks.count("o"), 0)
        self.check_readable(figure)
        figure = self.figure("plane.h5", *["--over", self.path("plane.h5")] * 2, kind="map")
        dashes = [line.get_linestyle() for legend in legends_of(figure) for line in legend.get_lines()]
        self.assertEqual([dash for dash in dashes if dash in ("--", "-.")], ["--", "-."])
        self.check_readable(figure)

    def test_refusals(self):
        bad = self.write("bad.csv", "friction,loss\n1,x\n")
        other = self.write("other.csv", "fricton,loss\n1,2\n")
        words = ("map.h5", "--as", "lines", "--slice", "angle=45deg", "--field", "loss")
        for more, says in ((("--points", bad), "bad.csv:2: 'x' is not a number"),
                           (("--points", other), "did you mean 'fricton'?"),
                           (("--points", "none.csv"), "no such file"),
                           (("--over", "none.h5"), "no such file"),
                           (("--contours", "loss"), "--contours does not go with the figure 'lines'")):
            self.assertIn(says, self.refuse(*words, *more), more)


class Samples(Options):
    def test_a_slice_that_leaves_a_sample_names_its_parameters(self):
        code, printed, _ = self.run_plot("sample.h5", "--slice", "position=1", "-o", "s.png")
        self.assertEqual((code, printed), (0, "s.png: scatter, because its only free axis is a sample of mass "
                                              "and length\n"))
        figure = self.figure("sample.h5", "--slice", "position=1")
        self.assertEqual([ax.get_xlabel() for ax in figure.axes], ["mass (kg)", "length (m)"])

    def test_every_figure_names_the_uncertain_parameters(self):
        for kind in ("band", "quantiles", "histogram", "scatter"):
            figure = self.figure("sample.h5", *(("--slice", "position=1") if kind in (
                "histogram", "scatter") else ()), kind=kind)
            title = " ".join(figure.axes[0].get_legend().get_title().get_text().split())
            self.assertIn("mass (normal, mean 2 kg, standard deviation 0.1 kg); length (uniform, 1 m to 3 m)",
                          title)

    def test_quantiles_are_those_of_the_sample(self):
        with netCDF4.Dataset(self.path("sample.h5")) as file:
            values = np.asarray(file["kinematic_restitution"][:])
        figure = self.figure("sample.h5", "--levels", "0.1,0.5", kind="quantiles")
        for line, chance in zip(figure.axes[0].lines, (0.1, 0.5)):
            np.testing.assert_allclose(line.get_ydata(), np.quantile(values, chance, axis=0))
        self.assertIn("is no probability", self.refuse("sample.h5", "--as", "quantiles", "--levels", "5"))

    def test_a_histogram_counts_every_point(self):
        for words, scale in (((), "linear"), (("--log", "kinematic_restitution"), "log")):
            figure = self.figure("sample.h5", "--slice", "position=1", *words, kind="histogram")
            self.assertEqual(sum(bar.get_height() for bar in figure.axes[0].patches), SAMPLE)
            self.assertEqual(figure.axes[0].get_xscale(), scale)
            self.check_readable(figure)

    def test_a_scatter_shows_the_values_of_the_file(self):
        figure = self.figure("sample.h5", "--slice", "position=1", "--x", "length", kind="scatter")
        with netCDF4.Dataset(self.path("sample.h5")) as file:
            np.testing.assert_allclose(figure.axes[0].lines[0].get_xydata(),
                                       np.stack([file["length"][:],
                                                 file["kinematic_restitution"][:, -1]], axis=1))


class FigureOfTheConfig(Options):
    def write_figure(self, text):
        """A map whose config had this key `figure`."""
        path = self.path("meant.h5")
        maps.write_map(path, {"stiffness": (STIFFNESS, "N/m"), "angle": (ANGLE, "rad"),
                              "friction": (FRICTION, "1")}, grid())
        with netCDF4.Dataset(path, "a") as file:
            file.figure = text
        return path

    def test_the_config_decides_and_the_command_line_overrides_it(self):
        self.write_figure("as=lines\nx=angle\ncurves=stiffness\nfield=loss\nslice=friction=0.5\ntitle=its own\n")
        figure = self.figure("meant.h5")
        self.assertEqual((self.kind, figure._suptitle.get_text()), ("lines", "its own"))
        self.assertEqual(figure._supxlabel.get_text(), "angle (deg)")
        figure = self.figure("meant.h5", "--field=kinematic_restitution", "--title=other")
        self.assertEqual(figure._suptitle.get_text(), "other")
        self.assertEqual([ax.get_ylabel() for ax in figure.axes], ["kinematic restitution"])
        code, printed, _ = self.run_plot("meant.h5", "--as", "map", "-o", "m.png")
        self.assertEqual((code, printed), (0, "m.png: map\n"))

    def test_a_slice_of_an_axis_that_the_config_names_changes_the_kind(self):
        self.write_figure("as=multiples\nx=angle\npanels=stiffness\nfield=loss\none-scale=true\nslice=friction=0.5\n")
        figure = self.figure("meant.h5", "--slice=stiffness=1", "--slice", "friction=1.5")
        self.assertEqual(self.kind, "lines")
        self.assertEqual([ax.get_ylabel() for ax in figure.axes], ["loss (J)"])
        self.assertIn("friction 1.5", figure._suptitle.get_text())
        with netCDF4.Dataset(self.path("sample.h5"), "a") as file:
            file.figure = "as=band\nx=position\nfield=kinematic_restitution\n"
        self.addCleanup(self.make_sample)
        self.assertEqual(self.figure("sample.h5").axes[0].get_xlabel(), "position")
        self.figure("sample.h5", "--slice", "position=1")
        self.assertEqual(self.kind, "scatter")

    def test_a_scatter_of_three_parameters_fits_one_column(self):
        with netCDF4.Dataset(self.path("sample.h5"), "a") as file:
            radius = file.createVariable("radius", "f8", ("sample",))
            radius[:] = np.linspace(6.315e-3, 6.385e-3, SAMPLE)
            radius.setncatts({"units": "m", "long_name": "radius", "distribution": "uniform"})
            file["kinematic_restitution"].coordinates = "mass length radius"
        self.addCleanup(self.make_sample)
        for size in ("one", "two"):
            drawn = self.check_readable(self.figure("sample.h5", "--slice", "position=1", "--size", size))
            self.assertEqual(drawn.labels().count("rank correlation"), 3)

    def test_another_figure_can_be_read_from_a_file(self):
        self.write_figure("as=lines\nslice=angle=45deg\n")
        with open(self.path("f.txt"), "w", encoding="utf-8") as file:
            file.write("as=multiples\nfield=loss\n")
        code, printed, _ = self.run_plot("meant.h5", "--figure", "f.txt", "-o", "m.png")
        self.assertEqual((code, printed), (0, "m.png: small multiples, because its config asks for it\n"))

    def test_several_files_at_once(self):
        os.makedirs(self.path("pictures"), exist_ok=True)
        code, printed, _ = self.run_plot("plane.h5", "sample.h5", "-o", "pictures")
        self.assertEqual((code, printed.count("\n")), (0, 2))
        self.assertEqual(sorted(os.listdir(self.path("pictures"))), ["plane.png", "sample.png"])
        code, printed, said = self.run_plot("plane.h5", "none.h5")
        self.assertEqual((code, printed.count("\n"), said.count("no such file")), (2, 1, 1))

    def test_every_kind_refuses_a_slice_outside_and_names_the_range(self):
        for name, kind, _ in Sizes.KINDS:
            axis, low = ("position", "0.2 to 1") if name == "sample.h5" else ("friction", "0.05 to 1.5")
            self.assertIn(f"runs from {low}", self.refuse(name, "--as", kind, "--slice", f"{axis}=9"))

    def test_bad_options(self):
        for words, says in ((("--limits", "angle=2:1"), "lower one is not below"),
                            (("--limits", "angel=1:2"), "did you mean 'angle'?"),
                            (("--label", "angle"), "write NAME=VALUE"),
                            (("--levels", "1,1"), "bad levels '1,1': levels must be finite and differ"),
                            (("--levels", "a"), "write numbers"),
                            (("--cmap", "virids"), "did you mean 'viridis'?"),
                            (("--size", "three"), "invalid choice"),
                            (("--font-size", "0"), "must be above 0"), (("--dpi", "9999"), "at most"),
                            (("--log", "angle", "--linear", "angle"), "both --log and --linear"),
                            (("--contours", "mode"), "no real output")):
            self.assertIn(says, self.refuse("plane.h5", "--as", "map", *words), words)


if __name__ == "__main__":
    unittest.main()
