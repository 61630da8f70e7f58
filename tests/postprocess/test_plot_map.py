"""plot_map.py on small maps made here: colours of cells, slices, legends, axes, refusals."""
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "postprocess", "plot_map.py")

import netCDF4
import numpy as np
from folder import FolderTest
from impactsweep.display.colours import NO_MODE
from impactsweep.figures import command, looks, slicing
from impactsweep.maps import contents
from impactsweep.figures.kinds import map as plot_map
from matplotlib import colormaps
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.image import imread
from small_maps import REVERSED, STICK, WEDGE, write_map

DEGREES = np.array([10.0, 20.0, 40.0, 60.0])
FRICTION = np.array([0.1, 0.2, 0.3])
STIFFNESS = np.array([0.01, 0.1, 1.0, 10.0])


def plane():
    """[angle][friction], one cell of each look."""
    mode = np.full((4, 3), REVERSED, "i1")
    mode[0], mode[3] = WEDGE, STICK
    outcome = np.ones((4, 3), "i1")
    outcome[1, 0], outcome[1, 1], outcome[1, 2] = 0, 2, 3
    mode[outcome != 1] = 0
    restitution = np.where((mode == 0) | (mode == WEDGE), np.nan,
                           np.linspace(0.1, 0.9, 12).reshape(4, 3))
    sequence = np.choose(mode, [0, 1, 0, 1 * 2 + 1 * 4 + 3 * 16, 2 + 4 + 48 + 64]).astype("u8")
    return {"mode": (mode, {}), "sequence": (sequence, {}),
            "restitution": (restitution.astype("f4"), {"units": "N s", "long_name": "the ratio"}),
            "outcome": (outcome, {})}


def broadcast(outputs, *sizes):
    """The same plane at every point of further axes."""
    return {name: (np.broadcast_to(values.reshape(values.shape + (1,) * len(sizes)),
                                   values.shape + sizes).copy(), attributes)
            for name, (values, attributes) in outputs.items()}


class Maps(FolderTest):
    refuses = "plot_map.py", plot_map

    def setup_method(self):
        super().setup_method()
        self.angle = (np.radians(DEGREES), "rad")
        self.friction = (FRICTION, "1")

    def make_plane(self):
        write_map(self.path("plane.h5"), {"angle": self.angle, "friction": self.friction}, plane())
        return self.path("plane.h5")

    def make_deep(self):
        outputs = broadcast(plane(), 4, 2)
        outputs["mode"][0][:, :, 3, 1] = 2
        write_map(self.path("deep.h5"),
                  {"angle": self.angle, "friction": self.friction, "stiffness": (STIFFNESS, "N/m"),
                   "law": (np.arange(2, dtype="i1"), "linear hertz")}, outputs)
        return self.path("deep.h5")

    def picture(self, path, field=None, slices=()):
        self.notes = []
        with contents.open_map(path) as data:
            name = contents.choose_field(data, field)
            chosen = slicing.parse_slices(data, list(data[name].dims), slices, self.notes)
            return plot_map.load_picture(data, name, chosen, self.notes)


def legend_of(figure):
    legend = figure.axes[0].get_legend()
    return [text.get_text() for text in legend.get_texts()] if legend else []


def pixel(figure, x, y):
    """Colour drawn at a point given in the units of the axes."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    column, row = figure.axes[0].transData.transform((x, y))
    image = np.asarray(canvas.buffer_rgba())
    return tuple(image[image.shape[0] - 1 - int(row), int(column), :3])


def rgb(colour):
    return tuple(round(255 * part) for part in to_rgb(colour))


def colour(mode):
    return looks.MODE_COLOURS[mode]


class Categories(Maps):
    def test_every_cell_has_the_colour_of_its_class(self):
        figure = plot_map.draw(self.picture(self.make_plane()))
        expected = {(11, 0.11): colour("wedge"), (11, 0.29): colour("wedge"),
                    (17, 0.17): looks.OUTCOME_STYLE[2][0],
                    (40, 0.11): colour("slip_stick_slip_reversed"),
                    (59, 0.29): colour("gross_stick")}
        for (x, y), look in expected.items():
            assert pixel(figure, x, y) == rgb(look), (x, y)

    def test_boundaries_are_where_the_cells_meet(self):
        figure = plot_map.draw(self.picture(self.make_plane()))
        assert pixel(figure, 49.8, 0.2) == rgb(colour("slip_stick_slip_reversed"))
        assert pixel(figure, 50.2, 0.2) == rgb(colour("gross_stick"))

    def test_the_legend_names_each_class_that_occurs_and_no_other(self):
        figure = plot_map.draw(self.picture(self.make_plane()))
        assert legend_of(figure) == ["gross stick", "slip stick slip reversed", "wedge", "pending", "outside",
                                     "no convergence"]

    def test_names_without_a_colour_of_their_own_get_distinct_ones(self):
        names = {0: "none", 1: "wedge", **{code: f"new_{code}" for code in range(2, 22)}}
        colours = looks.category_colours(names)
        assert len({tuple(to_rgb(colour)) for colour in colours.values()}) == 22
        assert (colours[0], colours[1]) == (NO_MODE, colour("wedge"))
        greys = {style[0] for style in looks.OUTCOME_STYLE.values()} - {"#56B4E9"}
        assert all(len(set(to_rgb(grey))) == 1 for grey in greys)

    def test_outcome_is_a_field_too(self):
        figure = plot_map.draw(self.picture(self.make_plane(), "outcome"))
        assert legend_of(figure) == ["pending", "solved", "outside", "no convergence"]

    def test_one_axis_is_a_strip(self):
        figure = plot_map.draw(self.picture(self.make_plane(), slices=["friction=0.2"]))
        assert pixel(figure, 11, 0.5) == rgb(colour("wedge"))
        assert legend_of(figure)[-1] == "outside"


class Reals(Maps):
    def test_undefined_cells_are_grey_and_explained(self):
        figure = plot_map.draw(self.picture(self.make_plane(), "restitution"))
        assert legend_of(figure) == ["undefined: wedge", "pending", "outside", "no convergence"]
        assert pixel(figure, 11, 0.2) == rgb(looks.UNDEFINED)
        assert figure.axes[1].get_xlabel() == "restitution: the ratio (N s)"

    def test_colours_span_the_values(self):
        figure = plot_map.draw(self.picture(self.make_plane(), "restitution"))
        assert pixel(figure, 59, 0.29) == rgb(colormaps["viridis"](1.0))
        assert pixel(figure, 40, 0.11) == rgb(colormaps["viridis"](0.0))

    def test_counts_that_are_stored_as_reals_have_whole_ticks(self):
        outputs = plane()
        name, values = next((name, one) for name, one in outputs.items() if name == "restitution")
        counts = np.floor(np.linspace(1, 4.9, values[0].size)).reshape(values[0].shape)
        outputs[name] = (counts, *values[1:])
        write_map(self.path("counts.h5"), {"angle": self.angle, "friction": self.friction}, outputs)
        figure = plot_map.draw(self.picture(self.path("counts.h5"), name))
        assert figure.axes[1].get_xticks().tolist() == [1, 2, 3, 4]

    def test_rare_extremes_do_not_flatten_the_scale(self):
        values = np.linspace(0, 1, 1000)
        scale = looks.scale_of(values)
        assert (scale.low, scale.high, scale.extend) == (0, 1, "neither")
        values[-1] = 1e6
        scale = looks.scale_of(values)
        assert (scale.low, scale.extend) == (0, "max")
        assert scale.high < 1

    def test_the_scale_of_values_of_both_signs_is_white_at_zero(self):
        """Blue below 0, orange above, darker below at the same distance; the scale ends where the values end."""
        scale = looks.scale_of(np.linspace(-1, 3, 400))
        below, middle, above, top = (np.array(scale.colours((value - scale.low) / 4)[:3])
                                     for value in (-1, 0, 1, 3))
        assert (scale.low, scale.high) == (-1, 3)
        assert middle.min() > 0.95
        assert below[2] > below[0] + 0.1
        assert above[0] > above[2] + 0.1
        assert np.linalg.norm(top - middle) > 2 * np.linalg.norm(above - middle)
        assert below.sum() < above.sum() - 0.1
        assert looks.scale_of(np.linspace(-1e-17, 1, 9)).colours.name == "viridis"

    def test_sequence_is_drawn_as_number_of_phases(self):
        picture = self.picture(self.make_plane(), "sequence")
        assert plot_map.count_phases(picture.values).tolist() == [[4, 0, 3, 1]] * 3
        figure = plot_map.draw(picture)
        assert figure.axes[1].get_xlabel() == "number of contact phases"

    def test_line_has_gaps(self):
        figure = plot_map.draw(self.picture(self.make_plane(), "restitution", ["friction=0.1"]))
        drawn = figure.axes[0].lines[0]
        np.testing.assert_allclose(drawn.get_xdata(), DEGREES)
        assert np.isnan(drawn.get_ydata()).tolist() == [True, True, False, False]
        assert legend_of(figure) == ["undefined: wedge", "pending"]

    def test_points_without_an_order_are_not_joined(self):
        picture = self.picture(self.make_deep(), "restitution",
                               ["angle=40deg", "friction=0.1", "stiffness=1"])
        assert [axis.name for axis in picture.axes] == ["law"]
        line, marks = plot_map.draw(picture).axes[0].lines[:2]
        assert (line.get_linewidth(), marks.get_marker()) == (0, "o")
        assert np.isfinite(marks.get_ydata()).sum() == 2


class Slices(Maps):
    def test_nearest_point_is_taken_and_named(self):
        picture = self.picture(self.make_deep(), slices=["angle=34deg", "law=hertz"])
        assert picture.own_title == "angle 40°, law Hertz"
        assert [axis.name for axis in picture.axes] == ["friction", "stiffness"]
        assert picture.values.tolist() == [[REVERSED] * 3] * 3 + [[2] * 3]
        assert self.notes == ["angle=34deg lies between two points; the nearest one is drawn: 40°"]
        self.picture(self.make_deep(), slices=["angle=40deg", "law=hertz"])
        assert self.notes == []

    def test_radians_and_units(self):
        picture = self.picture(self.make_deep(), slices=["angle=0.2", "stiffness=9", "law=linear"])
        assert picture.own_title == "angle 10°, stiffness 10 N/m, law linear"
        assert len(picture.axes) == 1

    def test_axes_left_over_are_taken_at_their_middle_with_a_note(self):
        picture = self.picture(self.make_deep())
        assert [axis.name for axis in picture.axes] == ["angle", "friction"]
        assert picture.own_title == "stiffness 1 N/m, law Hertz"
        assert ["is taken at its middle" in note for note in self.notes] == [True] * 2

    def test_a_slice_outside_the_axis_is_an_error_that_names_the_range(self):
        path = self.make_plane()
        for text, says in (("angle=61deg", "angle=61deg is outside the axis, which runs from 10° to "
                            "60°"), ("angle=30", "radians (write 30deg for degrees)"),
                           ("friction=-1", "runs from 0.1 to 0.3")):
            assert says in self.refuse(path, "--slice", text)
        assert self.picture(path, slices=["angle=60deg"]).own_title == "angle 60°"


class Axes(Maps):
    def test_linear_edges(self):
        np.testing.assert_allclose(slicing.cell_edges(np.array([1.0, 2, 4])), [0.5, 1.5, 3, 5])

    def test_log_axis_is_found_and_its_edges_are_geometric(self):
        axis = self.picture(self.make_deep(), slices=["angle=10deg", "law=hertz"]).axes[1]
        assert axis.log
        np.testing.assert_allclose(axis.edges, 10.0 ** np.array([-2, -1.5, -0.5, 0.5, 1]))
        figure = plot_map.draw(self.picture(self.make_deep(), slices=["angle=10deg", "law=hertz"]))
        assert figure.axes[0].get_yscale() == "log"
        assert pixel(figure, 0.21, 10 ** 0.45) == rgb(colour("wedge"))
        assert pixel(figure, 0.21, 10 ** 0.55) == rgb(colour("stick_slip"))

    def test_a_note_names_each_logarithmic_axis(self):
        options = command.parser_of("plot_map.py", plot_map).parse_args(
            [self.make_deep(), "--slice", "angle=10deg", "--slice", "law=hertz"])
        notes = []
        plot_map.load(options, notes)
        assert notes == ["axis 'stiffness' has equal ratios and is drawn logarithmically"]

    def test_linear_is_not_taken_for_log(self):
        for values in (np.linspace(1, 1.001, 5), np.linspace(0, 1, 5), np.array([1.0, 2.0]),
                       np.array([1.0, 2.0, 5.0, 10.0]), -np.geomspace(1, 8, 4)):
            assert not slicing.is_log_spaced(values), values

    def test_angles_are_in_degrees_from_the_first_to_the_last(self):
        picture = self.picture(self.make_plane())
        np.testing.assert_allclose(picture.axes[0].edges, [10, 15, 30, 50, 60])
        figure = plot_map.draw(picture)
        assert figure.axes[0].get_xlabel() == "angle (deg)"
        assert figure.axes[0].get_ylabel() == "friction"

    def test_options_label_a_choice_axis(self):
        picture = self.picture(self.make_deep(), slices=["angle=10deg", "friction=0.1"])
        figure = plot_map.draw(picture)
        labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
        assert labels == ["linear", "Hertz"]
        assert pixel(figure, 9, 1) == rgb(colour("stick_slip"))

    def test_rows_of_a_table_are_labelled_by_their_values(self):
        path = self.make_table("rad")
        figure = plot_map.draw(self.picture(path))
        labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
        assert labels == ["10, 3", "20, 2", "10, 1"]
        assert figure.axes[0].get_xlabel() == "case: angle (deg), mass (kg)"
        picture = self.picture(path, slices=["case=1"])
        assert picture.own_title == "angle 20°, mass 2 kg"

    def make_table(self, unit):
        """Three rows of angle, mass and a column that does not vary, over friction."""
        path = self.path("table.h5")
        outcome = np.ones((3, 3), "i1")
        write_map(path, {"case": (np.arange(3), "1"), "friction": self.friction},
                  {"mode": (outcome, {}), "outcome": (outcome, {})})
        with netCDF4.Dataset(path, "a") as file:
            for name, values, units in (("angle", np.radians([10, 20, 10]), unit),
                                        ("mass", np.array([3.0, 2, 1]), "kg"),
                                        ("length", np.ones(3), "m")):
                file.createVariable(name, "f8", ("case",))[:] = values
                file[name].units = units
            file["mode"].coordinates = "angle mass length"
        return path

    def test_an_axis_with_a_nan_is_refused(self):
        self.friction = (np.array([0.1, np.nan, 0.3]), "1")
        assert "axis 'friction' holds values that are not numbers" in self.refuse(self.make_plane())

    def test_points_in_any_order_are_sorted(self):
        self.angle = (np.radians(DEGREES[::-1]), "rad")
        figure = plot_map.draw(self.picture(self.make_plane()))
        assert pixel(figure, 59, 0.2) == rgb(colour("wedge"))


class Command(Maps):
    def test_picture_is_written_beside_the_map_while_it_is_open_for_writing(self):
        path = self.make_plane()
        with netCDF4.Dataset(path, "a") as writer:
            writer.sync()
            run = subprocess.run([SCRIPT, path], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
        assert sorted(os.listdir(self.folder)) == ["plane-mode.png", "plane.h5"]
        image = imread(self.path("plane-mode.png"))
        assert image.shape[:2] == (894, 1400)
        wedge = np.isclose(image[:, :, :3], to_rgb(colour("wedge")), atol=3e-3)
        assert wedge.all(axis=2).mean() > 0.05

    def test_exit_code_and_notes_of_the_script_itself(self):
        path = self.make_deep()
        run = subprocess.run([SCRIPT, path, "--field", "none"], capture_output=True, text=True,
                             check=False)
        assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1)
        run = subprocess.run([SCRIPT, path, "-o", self.path("a.pdf")], capture_output=True,
                             text=True, check=False)
        assert (run.returncode, run.stdout) == (0, "")
        assert run.stderr.count("is taken at its middle") == 2
        assert sorted(os.listdir(self.folder)) == ["a.pdf", "deep.h5"]

    def test_files_that_are_no_maps(self):
        for name, content in (("empty.h5", b""), ("text.yaml", b"model: compliant\n"),
                              ("torn.h5", None)):
            with open(self.path(name), "wb") as file:
                if content is None:
                    with open(self.make_plane(), "rb") as whole:
                        content = whole.read()[:5000]
                file.write(content)
            assert "not a map" in self.refuse(name)
        assert "no such file" in self.refuse("missing.h5")
        assert "is a folder" in self.refuse(".")

    def test_unknown_names_come_with_a_suggestion(self):
        self.make_deep()
        assert "unknown field 'restitutoin' (did you mean 'restitution'?); there are: mode," in self.refuse(
            "deep.h5", "--field", "restitutoin")
        assert "unknown field" in self.refuse("deep.h5", "--field", "run_ranks")
        assert "unknown axis 'frict' (did you mean 'friction'?)" in self.refuse("deep.h5", "--slice", "frict=1")
        assert "(did you mean 'hertz'?)" in self.refuse("deep.h5", "--slice", "law=herz")

    def test_bad_slices(self):
        path = self.make_plane()
        for text in ("angle", "angle=", "angle=12abc", "angle=nan", "angle=1e999",
                     "friction=3deg"):
            assert "bad slice" in self.refuse(path, "--slice", text)
        assert "twice" in self.refuse(path, "--slice", "angle=1", "--slice", "angle=1")
        assert "nothing left" in self.refuse(path, "--slice", "angle=20deg", "--slice", "friction=0.2")

    def test_bad_outputs_and_options(self):
        path = self.make_plane()
        assert "no such folder" in self.refuse(path, "-o", "nowhere/a.png")
        assert "a picture ends in" in self.refuse(path, "-o", "plane.h5")
        assert "unrecognized" in self.refuse(path, "--colour")
