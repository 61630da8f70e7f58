"""Figures of small maps can be read in one column and in two: their sizes, what readers objected to in earlier figures,
and samples."""
import matplotlib.figure
import netCDF4
import numpy as np
import pytest
import small_maps as maps
from option_figures import ANGLE, FRICTION, KINDS, SAMPLE, Options
from impactsweep.figures import labels, layout, looks, settings, wrapping


class Sizes(Options):
    def test_every_kind_can_be_read_in_one_column_and_in_two(self):
        for size, width in (("one", 3.35), ("two", 7.0)):
            for name, kind, words in KINDS:
                figure = self.figure(name, *words, "--size", size, "--names", "symbols", kind=kind)
                assert figure.get_figwidth() == pytest.approx(width, abs=5e-8)
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
        usual = self.check_readable(self.figure("plane.h5", kind="map"))
        assert max(box.height for _, box in drawn.texts) > 1.3 * max(box.height for _, box in usual.texts)

    def test_files_of_one_figure_are_equal(self):
        for ending in ("png", "pdf", "svg"):
            pictures = []
            for name in ("a", "b"):
                assert self.run_plot("plane.h5", "-o", f"{name}.{ending}")[0] == 0
                with open(self.path(f"{name}.{ending}"), "rb") as file:
                    pictures.append(file.read())
            assert pictures[0] == pictures[1]


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
            assert "gross stick" in names
            for text in figure.axes[0].texts:
                box = text.get_window_extent()
                assert (frame.x0 < box.x0 and box.x1 < frame.x1 and frame.y0 < box.y0
                        and box.y1 < frame.y1), text.get_text()

    def test_rounding_is_no_structure(self):
        loss = 20 + 1e-14 * np.sin(np.arange(FRICTION.size))
        figure = self.figure(self.write_plane(("angle", (ANGLE, "rad")), ("friction", (FRICTION, "1")),
                                              {"loss": (loss, {"units": "J"})}), kind="map")
        self.check_readable(figure)
        mesh = [part for part in figure.axes[0].collections if part.get_array() is not None][0]
        assert np.ptp(mesh.to_rgba(mesh.get_array()).reshape(-1, 4), axis=0).max() < 0.02

    def test_level_lines_have_labels_that_do_not_touch(self):
        dense = np.cos(9 * np.linspace(0, 1, 30))[:, None] * np.cos(9 * np.linspace(0, 1, 24))
        for size in ("one", "two"):
            figure = self.figure(self.write_plane(
                ("angle", (ANGLE, "rad")), ("friction", (FRICTION, "1")), {"loss": (dense, {"units": "J"})}),
                "--contours", "loss", "--size", size, kind="map")
            self.check_readable(figure)
            assert len(figure.axes[0].texts) > 3

    def test_a_map_shows_the_range_that_was_swept(self):
        axes = self.figure("plane.h5", kind="map").axes[0]
        np.testing.assert_allclose((*axes.get_xlim(), *axes.get_ylim()), (1, 89, 0.05, 1.5))

    def test_a_legend_is_read_row_by_row(self):
        legend = self.figure("map.h5", "--x", "angle", "--curves", "stiffness", "--slice", "friction=0.5",
                             "--label", "stiffness=" + "long " * 12, kind="lines").axes[0].get_legend()
        assert layout.row_by_row(list("abcdefg"), 3) == list("adgbecf")
        assert len(legend.get_texts()) == 2

    def test_lines_of_text_are_full_and_keep_numbers_with_their_units(self):
        with settings.used(settings.Settings(size="one")):
            assert wrapping.wrapped("internal damping 0 Pa s", 1.2) == "internal\ndamping 0 Pa s"
            assert wrapping.wrapped("swerve, law energetic, friction 0.3, heading 0°",
                                    2.0) == "swerve, law energetic,\nfriction 0.3, heading 0°"
            assert wrapping.wrapped("wedge wedge", 0.1) == "wedge\nwedge"

    def test_numbers_are_printed_as_in_books(self):
        for text, printed in (("1e+06", "10⁶"), ("-6.83e+10 Pa", "−6.83×10¹⁰ Pa"), ("2e-05", "2×10⁻⁵"),
                              ("pendulum3d, 1.21", "pendulum3d, 1.21"), ("3e", "3e")):
            assert labels.typeset(text) == printed

    def test_only_a_common_factor_is_mathematics(self):
        """matplotlib takes up to a third of the time of a figure to set the numbers at all ticks as mathematics."""
        with matplotlib.rc_context(looks.style()):
            figure = matplotlib.figure.Figure()
            ax = figure.subplots()
            ax.plot([-1, 0, 1], [-2e-7, 1e-7, 3e-7])
            looks.set_plain_numbers(figure)
        x, y = ([label.get_text() for label in axis.get_ticklabels()] for axis in (ax.xaxis, ax.yaxis))
        assert "\N{MINUS SIGN}0.50" in x and "\N{MINUS SIGN}1" in y and "2" in y and "$" not in "".join(x + y)
        assert "10^{" in ax.yaxis.get_major_formatter().get_offset()

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
            assert [layout.block(n) for n in (1, 3, 4, 6, 8)] == [(1, 1), (1, 3), (2, 2), (2, 3), (4, 2)]
        with settings.used(settings.Settings(size="two")):
            assert [layout.block(n) for n in (5, 6, 8, 12)] == [(2, 3), (2, 3), (2, 4), (3, 4)]


class Samples(Options):
    def test_a_slice_that_leaves_a_sample_names_its_parameters(self):
        code, printed, _ = self.run_plot("sample.h5", "--slice", "position=1", "-o", "s.png")
        assert (code, printed) == (0, "s.png: scatter, because its only free axis is a sample of mass and length\n")
        figure = self.figure("sample.h5", "--slice", "position=1")
        assert [ax.get_xlabel() for ax in figure.axes] == ["mass (kg)", "length (m)"]

    def test_every_figure_names_the_uncertain_parameters(self):
        for kind in ("band", "quantiles", "histogram", "scatter"):
            figure = self.figure("sample.h5", *(("--slice", "position=1") if kind in (
                "histogram", "scatter") else ()), kind=kind)
            title = " ".join(figure.axes[0].get_legend().get_title().get_text().split())
            assert "mass (normal, mean 2 kg, standard deviation 0.1 kg); length (uniform, 1 m to 3 m)" in title

    def test_quantiles_are_those_of_the_sample(self):
        with netCDF4.Dataset(self.path("sample.h5")) as file:
            values = np.asarray(file["kinematic_restitution"][:])
        figure = self.figure("sample.h5", "--levels", "0.1,0.5", kind="quantiles")
        for line, chance in zip(figure.axes[0].lines, (0.1, 0.5)):
            np.testing.assert_allclose(line.get_ydata(), np.quantile(values, chance, axis=0))
        assert "is no probability" in self.refuse("sample.h5", "--as", "quantiles", "--levels", "5")

    def test_a_histogram_counts_every_point(self):
        for words, scale in (((), "linear"), (("--log", "kinematic_restitution"), "log")):
            figure = self.figure("sample.h5", "--slice", "position=1", *words, kind="histogram")
            assert sum(bar.get_height() for bar in figure.axes[0].patches) == SAMPLE
            assert figure.axes[0].get_xscale() == scale
            self.check_readable(figure)

    def test_a_scatter_shows_the_values_of_the_file(self):
        figure = self.figure("sample.h5", "--slice", "position=1", "--x", "length", kind="scatter")
        with netCDF4.Dataset(self.path("sample.h5")) as file:
            np.testing.assert_allclose(figure.axes[0].lines[0].get_xydata(),
                                       np.stack([file["length"][:],
                                                 file["kinematic_restitution"][:, -1]], axis=1))
