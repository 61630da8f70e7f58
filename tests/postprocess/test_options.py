"""The options of every figure, on small maps: their effects on axes, colours and what is drawn on top, the options that
a config names, and refusals. That figures can be read: test_readable.py."""
import os
import re
import shutil

import matplotlib
import netCDF4
import numpy as np
import small_maps as maps
from option_figures import ANGLE, FRICTION, KINDS, SAMPLE, STIFFNESS, Options, grid
from impactsweep.figures import labels, measured_points
from drawn import legends_of


class Refused(Options):
    def test_what_a_kind_has_no_use_for_names_those_that_have(self):
        self.write_history()
        for option in ("--log", "--linear"):
            said = self.refuse("history.csv", option, "time")
            assert re.search(f"{option} does not go with the figure 'trace'; it goes with: .*lines, map, ", said)
        assert "did you mean 'normal_force'" in self.refuse("history.csv", "--limits", "normal_forc=0:1")
        figure = self.figure("history.csv", "--limits", "normal_force=0:9", "--label", "time=t")
        assert (figure.axes[0].get_ylim(), figure.axes[-1].get_xlabel()) == ((0, 9), "t")
        said = self.refuse("plane.h5", "--as", "flow", "--limits", "angle=0:1")
        assert re.search("--limits does not go with the figure 'flow'; it goes with: .*map, ", said)

    def write_history(self):
        with open(self.path("history.csv"), "w", encoding="utf-8") as file:
            file.write("# phases = stick\ntime,normal_force,phase,event\n0,1,stick,\n1,2,stick,\n")


class Axes(Options):
    def test_words_symbols_and_labels(self):
        axes = self.figure("plane.h5", kind="map").axes[0]
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("angle (deg)", "friction")
        axes = self.figure("plane.h5", "--names", "symbols", "--label", "friction=f", kind="map").axes[0]
        assert (axes.get_xlabel(), axes.get_ylabel()) == (r"$\theta$ (deg)", "f")

    def test_x_and_y_are_exchanged(self):
        axes = self.figure("plane.h5", "--x", "friction", kind="map").axes[0]
        assert (axes.get_xlabel(), axes.get_ylabel()) == ("friction", "angle (deg)")
        assert "did you mean 'angle'?" in self.refuse("plane.h5", "--as", "map", "--x", "angel")

    def test_limits_in_their_units_and_logarithms(self):
        axes = self.figure("plane.h5", "--limits", "angle=10deg:60deg", "--log", "friction",
                           kind="map").axes[0]
        np.testing.assert_allclose(axes.get_xlim(), (10, 60))
        assert axes.get_yscale() == "log"
        axes = self.figure("map.h5", "--slice", "angle=45deg", "--limits", "loss=-1:2", "--field", "loss",
                           kind="lines").axes[0]
        assert axes.get_ylim() == (-1, 2)

    def test_one_output_over_another(self):
        figure = self.figure("map.h5", "--x", "kinematic_restitution", "--field", "loss", "--slice",
                             "stiffness=1", "--slice", "friction=1.5")
        assert self.kind == "lines"
        line = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 30][0]
        there = {name: values[1, :, -1] for name, (values, _) in grid().items()}
        np.testing.assert_allclose(line.get_xdata(), there["kinematic_restitution"])
        np.testing.assert_allclose(line.get_ydata(), there["loss"])
        self.check_readable(figure)

    def test_title(self):
        assert self.figure("plane.h5", "--title", "mine", kind="map")._suptitle.get_text() == "mine"
        assert self.figure("plane.h5", "--title", "", kind="map")._suptitle is None


class Colours(Options):
    def mesh(self, *words):
        figure = self.figure("plane.h5", *words, kind="map")
        return [part for part in figure.axes[0].collections if part.get_array() is not None][0]

    def test_the_default_centre_is_zero_for_both_signs_and_one_for_ratios(self):
        for field, middle in (("loss", 0), ("kinematic_restitution", 1)):
            mesh = self.mesh("--field", field)
            assert min(mesh.cmap(mesh.norm(middle))[:3]) > 0.93, field
            assert min(mesh.cmap(0.0)[:3]) < 0.8

    def test_scale_centre_levels_and_limits_can_be_chosen(self):
        mesh = self.mesh("--field", "loss", "--cmap", "gray", "--limits", "loss=0:0.5")
        assert (mesh.cmap.name, mesh.get_clim()) == ("gray", (0, 0.5))
        mesh = self.mesh("--field", "loss", "--center", "0.5")
        assert min(mesh.cmap(mesh.norm(0.5))[:3]) > 0.93
        mesh = self.mesh("--field", "loss", "--levels", "0,0.5,1")
        assert len({tuple(mesh.cmap(mesh.norm(value))) for value in (0.1, 0.2, 0.6, 0.7)}) == 2

    def test_regions_have_names_and_lines_between_them(self):
        figure = self.figure("plane.h5", kind="map")
        texts = [text.get_text().replace("\n", " ") for text in figure.axes[0].texts]
        assert "gross stick" in texts
        lines = [part for part in figure.axes[0].collections if hasattr(part, "get_segments")]
        ends = np.concatenate([np.array(segment) for segment in lines[0].get_segments()])
        mode = grid()["mode"][0][0]
        assert len(ends) // 2 == (mode[1:] != mode[:-1]).sum() + (mode[:, 1:] != mode[:, :-1]).sum()

    def test_curves_differ_in_grey(self):
        figure = self.figure("map.h5", "--slice", "angle=45deg", kind="lines")
        looks_of = {(str(line._unscaled_dash_pattern), tuple(matplotlib.colors.to_rgb(line.get_color())))
                    for line in figure.axes[0].lines if line.get_linewidth() > 1}
        assert len({dash for dash, _ in looks_of}) == 2
        light = sorted(np.dot(colour, (0.299, 0.587, 0.114)) for _, colour in looks_of)
        assert light[1] - light[0] > 0.3


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
        assert len(bars.lines[2]) == 2
        assert "measured here" in [text.get_text() for legend in legends_of(figure) for text in legend.get_texts()]
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
        assert marks == ["o", "s"]
        texts = [text.get_text() for legend in legends_of(figure) for text in legend.get_texts()]
        assert {"one", "two"} < set(texts)
        self.check_readable(figure)
        beside = self.figure(*words, "--points", one, kind="lines")
        assert figure.axes[0].get_ylim() == beside.axes[0].get_ylim(), "a point beside the map stretches the picture"

    def test_a_second_map_on_top(self):
        figure = self.figure("map.h5", "--slice", "angle=45deg", "--field", "loss", "--over",
                             self.path("map.h5"), kind="lines")
        assert len(figure.axes[0].lines) > 4
        self.check_readable(figure)
        self.check_readable(self.figure("plane.h5", "--over", self.path("plane.h5"), kind="map"))

    def test_the_second_map_is_named_after_what_the_first_lacks(self):
        for titles, names in (
                (("compliant, law Hertz, friction 1", "compliant, law linear, friction 1"), ["law Hertz", "law linear"]),
                (("compliant, law linear", "rigid, law Newton"), ["compliant, law linear", "rigid, law Newton"]),
                (("rigid, friction 1", "rigid, friction 1"), ["a", "b"]),
                (("rigid, friction 1", "rigid, friction 1, law Newton"), ["a", "law Newton (b)"])):
            assert labels.names_of_files(titles, ["x/a.h5", "b.nc"]) == names
        map = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--title", "T", "--over",
               self.path("map.h5"))
        texts = [text.get_text() for legend in legends_of(self.figure(*map, kind="lines"))
                 for text in legend.get_texts()]
        assert "T" not in texts

    def entries(self, figure):
        return [(text.get_text(), line) for legend in legends_of(figure)
                for text, line in zip(legend.get_texts(), legend.get_lines())]

    def test_every_file_is_named_and_single_curves_differ_in_colour_and_dash(self):
        """One curve each, in the first file too, which had neither a name nor a look of its own."""
        shutil.copy(self.path("other.h5"), self.path("same.h5"))
        words = ("map.h5", "--slice", "angle=45deg", "--slice", "stiffness=1", "--field", "loss", "--over",
                 self.path("other.h5"), "--over", self.path("same.h5"))
        figure = self.figure(*words, kind="lines")
        entries = self.entries(figure)
        assert len({name for name, _ in entries}) == 3
        assert len({line.get_color() for _, line in entries}) == 3
        assert len({(line.get_linestyle(), line.get_marker()) for _, line in entries}) == 3
        drawn = {(line.get_color(), line.get_marker()) for line in figure.axes[0].lines}
        assert {(line.get_color(), line.get_marker()) for _, line in entries} <= drawn
        called = self.figure(*words, "--called", "springs", "--called", "Maw", kind="lines")
        assert [name for name, _ in self.entries(called)][:2] == ["springs", "Maw"]

    def test_curves_of_one_name_have_one_dash_and_the_files_differ_by_marks(self):
        """So that they can be told apart without colours."""
        figure = self.figure("map.h5", "--slice", "angle=45deg", "--field", "loss", "--over", self.path("map.h5"),
                             kind="lines")
        thick = [line for line in figure.axes[0].lines if line.get_linewidth() > 1]
        thin = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
        assert len(thin) == len(STIFFNESS)
        for one, other in zip(thick, thin):
            assert (one.get_color(), one._unscaled_dash_pattern) == (other.get_color(), other._unscaled_dash_pattern)

    def test_files_over_a_map_are_named_and_differ_in_colour(self):
        figure = self.figure("plane.h5", *["--over", self.path("plane.h5")] * 2, "--called", "soft", "--called", "hard",
                             kind="map")
        texts = [text.get_text() for legend in legends_of(figure) for text in legend.get_texts()]
        assert {"areas: soft", "hard"} < set(texts)
        lines = [line for name, line in self.entries(figure) if line.get_linestyle() in ("--", "-.")]
        assert len({line.get_color() for line in lines}) == 2
        self.check_readable(figure)

    def test_straight_lines_with_texts(self):
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--line", "friction=0.5=AB", "--line", "loss=0.1")
        figure = self.figure(*words, kind="lines")
        dotted = [line.get_xydata() for line in figure.axes[0].lines if line.get_color() == measured_points.LINE["color"]]
        assert [(set(xy[:, 0]), set(xy[:, 1])) for xy in dotted] == [({0.5}, {0, 1}), ({0, 1}, {0.1})]
        assert "AB" in [text.get_text() for text in figure.axes[0].texts]
        self.check_readable(figure)
        for bad, says in (("friction", "write NAME=VALUE"), ("fricton=1", "did you mean 'friction'?")):
            assert says in self.refuse(*words[:5], "--line", bad, "--as", "lines")

    def test_every_curve_in_a_panel_of_its_own(self):
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--field", "kinematic_restitution", "--each")
        figure = self.figure(*words, kind="lines")
        assert len(figure.axes) == 2 * len(STIFFNESS), "and no empty place"
        assert [len([line for line in ax.lines if len(line.get_xdata()) == len(FRICTION)
                     and np.isfinite(line.get_ydata()).any()]) for ax in figure.axes] == [1] * len(figure.axes)
        self.check_readable(figure)
        assert "takes no --limit" in self.refuse(*words, "--over", self.path("map.h5"), "--as", "lines")

    def test_the_energy_that_is_left(self):
        maps.write_map(self.path("energy.h5"), {"angle": (ANGLE, "rad"), "friction": (FRICTION, "1")},
                       {"energy_loss": (grid()["loss"][0][0], {"units": "1"}),
                        "outcome": (np.ones((len(ANGLE), len(FRICTION)), "i1"), {})})
        figure = self.figure("energy.h5", "--field", "energy_left", "--limits", "energy_left=0:1", kind="map")
        (mesh,) = [one for one in figure.axes[0].collections if one.get_array() is not None and one.get_array().size > 99]
        np.testing.assert_allclose(mesh.get_array().reshape(-1), 1 - grid()["loss"][0][0].T.reshape(-1))
        assert mesh.get_clim() == (0, 1)

    def test_a_second_map_over_an_output(self):
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--x", "kinematic_restitution", "--over")
        figure = self.figure(*words, self.path("map.h5"), kind="lines")
        longest = [max((len(line.get_xdata()) for line in figure.axes[0].lines if (line.get_marker() == "x") == thin))
                   for thin in (False, True)]
        assert longest == [len(FRICTION)] * 2, "both along friction"
        self.check_readable(figure)
        assert "has no output 'kinematic_restitution'" in self.refuse(*words, self.path("other.h5"), "--as", "lines")

    def test_several_maps_on_top(self):
        own = self.path("map.h5")
        words = ("map.h5", "--slice", "angle=45deg", "--field", "loss", "--over", own, "--over", own)
        figure = self.figure(*words, kind="lines")
        marks = [line.get_marker() for line in figure.axes[0].lines]
        assert marks.count("x") == marks.count("o")
        assert marks.count("o") > 0
        self.check_readable(figure)
        figure = self.figure("plane.h5", *["--over", self.path("plane.h5")] * 2, kind="map")
        dashes = [line.get_linestyle() for legend in legends_of(figure) for line in legend.get_lines()]
        assert [dash for dash in dashes if dash in ("--", "-.")] == ["--", "-."]
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
            assert says in self.refuse(*words, *more), more


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
        assert (self.kind, figure._suptitle.get_text()) == ("lines", "its own")
        assert figure._supxlabel.get_text() == "angle (deg)"
        figure = self.figure("meant.h5", "--field=kinematic_restitution", "--title=other")
        assert figure._suptitle.get_text() == "other"
        assert [ax.get_ylabel() for ax in figure.axes] == ["kinematic restitution"]
        code, printed, _ = self.run_plot("meant.h5", "--as", "map", "-o", "m.png")
        assert (code, printed) == (0, "m.png: map\n")

    def test_a_slice_of_an_axis_that_the_config_names_changes_the_kind(self):
        self.write_figure("as=multiples\nx=angle\npanels=stiffness\nfield=loss\none-scale=true\nslice=friction=0.5\n")
        figure = self.figure("meant.h5", "--slice=stiffness=1", "--slice", "friction=1.5")
        assert self.kind == "lines"
        assert [ax.get_ylabel() for ax in figure.axes] == ["loss (J)"]
        assert "friction 1.5" in figure._suptitle.get_text().lower()
        with netCDF4.Dataset(self.path("sample.h5"), "a") as file:
            file.figure = "as=band\nx=position\nfield=kinematic_restitution\n"
        self.ending.callback(self.make_sample)
        assert self.figure("sample.h5").axes[0].get_xlabel() == "position"
        self.figure("sample.h5", "--slice", "position=1")
        assert self.kind == "scatter"

    def test_a_scatter_of_three_parameters_fits_one_column(self):
        with netCDF4.Dataset(self.path("sample.h5"), "a") as file:
            radius = file.createVariable("radius", "f8", ("sample",))
            radius[:] = np.linspace(6.315e-3, 6.385e-3, SAMPLE)
            radius.setncatts({"units": "m", "long_name": "radius", "distribution": "uniform"})
            file["kinematic_restitution"].coordinates = "mass length radius"
        self.ending.callback(self.make_sample)
        for size in ("one", "two"):
            drawn = self.check_readable(self.figure("sample.h5", "--slice", "position=1", "--size", size))
            assert drawn.labels().count("rank correlation") == 3

    def test_another_figure_can_be_read_from_a_file(self):
        self.write_figure("as=lines\nslice=angle=45deg\n")
        with open(self.path("f.txt"), "w", encoding="utf-8") as file:
            file.write("as=multiples\nfield=loss\n")
        code, printed, _ = self.run_plot("meant.h5", "--figure", "f.txt", "-o", "m.png")
        assert (code, printed) == (0, "m.png: small multiples, because its config asks for it\n")

    def test_several_files_at_once(self):
        os.makedirs(self.path("pictures"), exist_ok=True)
        code, printed, _ = self.run_plot("plane.h5", "sample.h5", "-o", "pictures")
        assert (code, printed.count("\n")) == (0, 2)
        assert sorted(os.listdir(self.path("pictures"))) == ["plane.png", "sample.png"]
        code, printed, said = self.run_plot("plane.h5", "none.h5")
        assert (code, printed.count("\n"), said.count("no such file")) == (2, 1, 1)

    def test_every_kind_refuses_a_slice_outside_and_names_the_range(self):
        for name, kind, _ in KINDS:
            axis, low = ("position", "0.2 to 1") if name == "sample.h5" else ("friction", "0.05 to 1.5")
            assert f"runs from {low}" in self.refuse(name, "--as", kind, "--slice", f"{axis}=9")

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
            assert says in self.refuse("plane.h5", "--as", "map", *words), words
