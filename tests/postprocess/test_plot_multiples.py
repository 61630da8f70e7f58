"""plot_multiples.py on small maps made here, and on the committed configs that it is meant for."""
import contextlib
import io
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SCRIPT = os.path.join(ROOT, "postprocess", "plot_multiples.py")

import numpy as np
from folder import FolderTest
import small_maps as maps
from impactsweep.figures import command, settings
from impactsweep.figures.kinds import multiples as plot_multiples
from matplotlib.image import imread

LAWS = "newton poisson energetic"
ANGLE, FRICTION = np.radians([10.0, 20.0, 40.0, 50.0]), np.linspace(0.1, 1.0, 5)


def cube():
    """[law][angle][friction]: the third law is larger by far; one cell is outside."""
    shape = (3, 4, 5)
    outcome = np.ones(shape, "i1")
    outcome[1, 2, 3] = 2
    mode = np.where(outcome == 1, 3, 0).astype("i1")
    loss = np.arange(60.0).reshape(shape) / 10
    return {"mode": (mode, {}), "loss": (loss, {"units": "J"}),
            "ratio": (loss / 2 - 1, {"units": "1"}), "outcome": (outcome, {})}


class Multiples(FolderTest):
    refuses = "plot_multiples.py", plot_multiples

    def make(self, name="map.h5"):
        maps.write_map(self.path(name), {"law": (np.arange(3, dtype="i1"), LAWS),
                                         "angle": (ANGLE, "rad"), "friction": (FRICTION, "1")},
                       cube())
        return self.path(name)

    def rows(self, *words):
        parser = command.parser_of("plot_multiples.py", plot_multiples)
        return plot_multiples.load(parser.parse_args([self.make(), *words]), [])

    def main(self, *arguments):
        return command.run_kind("plot_multiples.py", plot_multiples, arguments)

    # -------------------------------------------------------------------------- what is drawn

    def test_a_choice_makes_the_panels(self):
        rows, _ = self.rows("--field", "loss")
        assert [p.title for p in rows[0].pictures] == ["Newton", "Poisson", "energetic"]
        assert [axis.name for axis in rows[0].first.axes] == ["angle", "friction"]
        for law, picture in enumerate(rows[0].pictures):
            np.testing.assert_array_equal(picture.values, cube()["loss"][0][law].T)

    def test_another_axis_can_make_the_panels(self):
        rows, title = self.rows("--field", "loss", "--panels", "angle")
        assert [p.title for p in rows[0].pictures] == [f"angle {d}°" for d in (10, 20, 40, 50)]
        assert title == ""

    def test_one_colour_scale_for_all_panels(self):
        rows, _ = self.rows("--field", "loss", "--field", "ratio")
        assert (rows[0].scale.low, rows[0].scale.high) == (0, 5.9)
        np.testing.assert_allclose((rows[1].scale.low, rows[1].scale.high), (-1, 1.95))
        figure = plot_multiples.draw(rows, "")
        meshes = [mesh for ax in figure.axes for mesh in ax.collections
                  if mesh.get_cmap().name in ("viridis", "navy_orange part") and len(np.shape(mesh.get_array())) > 0]
        limits = {tuple(np.round(mesh.get_clim(), 9)) for mesh in meshes}
        assert {(0, 5.9), (-1, 1.95)} <= limits

    def make_level(self):
        """The ratio of a law is 1 everywhere under this law."""
        outputs = {name: (cube()[name][0].copy(), cube()[name][1]) for name in ("loss", "ratio")}
        outputs["loss"][0][0], outputs["ratio"][0][1] = 1, 1 + 1e-12
        outputs["outcome"] = (np.ones(outputs["loss"][0].shape, "i1"), {})
        maps.write_map(self.path("level.h5"), {"law": (np.arange(3, dtype="i1"), LAWS), "angle": (ANGLE, "rad"),
                                               "friction": (np.linspace(0.1, 0.5, 5), "1")}, outputs)
        return self.path("level.h5")

    def load(self, *words):
        parser, notes = command.parser_of("plot_multiples.py", plot_multiples), []
        options = parser.parse_args([self.make_level(), *words])
        return plot_multiples.draw(*plot_multiples.load(options, notes), options.one_scale), notes

    def test_panels_of_one_value_are_left_out_and_leave_no_empty_place(self):
        figure, notes = self.load("--field", "loss", "--field", "ratio", "--one-scale")
        panels = [ax for ax in figure.axes if ax.get_title(loc="left")]
        assert [ax.get_title(loc="left") for ax in panels] == ["Poisson: loss", "energetic: loss", "Newton: ratio",
                                                               "energetic: ratio"]
        assert len([ax for ax in figure.axes if not ax.axison]) == 0
        (caption,) = [text.get_text() for text in figure.texts if "everywhere" in text.get_text()]
        assert caption == "Newton: loss is 1 everywhere; Poisson: ratio is 1 everywhere"
        assert notes == ["left out: Newton: loss is 1 everywhere", "left out: Poisson: ratio is 1 everywhere"]

    def test_with_a_bar_for_each_field_their_places_say_the_value(self):
        figure, _ = self.load("--field", "loss", "--field", "ratio")
        said = {place: [text.get_text() for text in ax.texts] for place, ax in enumerate(figure.axes[:6]) if ax.texts}
        assert said == {0: ["1\neverywhere"], 4: ["1\neverywhere"]}

    def test_one_colour_scale_for_all_fields(self):
        rows, _ = self.rows("--field", "loss", "--field", "ratio", "--one-scale")
        assert {(row.scale.low, row.scale.high) for row in rows} == {(-1, 5.9)}

    def test_one_scale_has_limits_that_all_fields_share(self):
        with settings.used(settings.Settings(limits={"loss": (0, 2), "ratio": (0, 2)})):
            rows, _ = self.rows("--field", "loss", "--field", "ratio", "--one-scale")
        assert {(row.scale.low, row.scale.high) for row in rows} == {(0, 2)}

    def test_one_scale_refuses_what_only_some_fields_have(self):
        fields = self.make(), "--field", "loss", "--field", "ratio", "--one-scale"
        for words in (["--limits", "loss=0:2"], ["--limits", "loss=0:2", "--limits", "ratio=0:3"], ["--log", "ratio"]):
            assert f"--one-scale: loss and ratio need the same {words[0]}" in self.refuse(*fields, *words)

    def test_the_scale_around_a_centre(self):
        rows, _ = self.rows("--field", "loss", "--center", "1")
        scale = rows[0].scale
        assert (scale.low, scale.high) == (0, 5.9), "the scale ends where the values end"
        middle = scale.colours((1 - scale.low) / (scale.high - scale.low))
        assert min(middle) > 0.95
        assert min(scale.colours(1.0)) < 0.2

    def test_a_note_names_each_logarithmic_axis(self):
        maps.write_map(self.path("log.h5"), {
            "law": (np.arange(3, dtype="i1"), LAWS), "angle": (ANGLE, "rad"),
            "friction": (np.geomspace(0.1, 10, 5), "1")}, cube())
        parser, notes = command.parser_of("plot_multiples.py", plot_multiples), []
        plot_multiples.load(parser.parse_args([self.path("log.h5"), "--field", "loss"]), notes)
        assert notes == ["axis 'friction' has equal ratios and is drawn logarithmically"]

    def test_a_cell_that_is_not_solved_has_no_colour(self):
        rows, _ = self.rows("--field", "loss")
        values = plot_multiples.values_of(rows[0].pictures[1])
        assert np.isnan(values[3, 2])
        assert np.isnan(values).sum() == 1
        labels = [entry.get_label() for entry in plot_multiples.legend_entries(rows)]
        assert labels == ["outside"]

    def test_categories_share_a_legend(self):
        rows, _ = self.rows()
        labels = [entry.get_label() for entry in plot_multiples.legend_entries(rows)]
        assert len(labels) == 2
        assert "outside" in labels

    # --------------------------------------------------------------------------- bad input

    def test_bad_input_is_one_line(self):
        self.make("a.h5")
        assert "did you mean 'loss'" in self.refuse("a.h5", "--field", "los")
        assert "free axis 'mass'" in self.refuse("a.h5", "--panels", "mass")
        assert "too few axes" in self.refuse("a.h5", "--slice", "law=newton")
        assert "no such file" in self.refuse("b.h5")
        assert "a picture ends in" in self.refuse("a.h5", "-o", "a.txt")

    def test_too_many_panels(self):
        shape = (13, 4, 14)
        maps.write_map(self.path("a.h5"), {"mass": (np.arange(13.0), "kg"), "angle": (ANGLE, "rad"),
                                           "friction": (np.arange(14.0), "1")},
                       {"loss": (np.zeros(shape), {}), "outcome": (np.ones(shape, "i1"), {})})
        assert "at most 12" in self.refuse("a.h5", "--panels", "mass")

    # ---------------------------------------------------------------------------- pictures

    def test_a_picture_is_written(self):
        target = self.path("out.png")
        assert self.main(self.make(), "-o", target, "--field", "loss", "--field", "mode") == 0
        image = imread(target)
        assert image.shape[1] > 1000
        assert len(np.unique(image.reshape(-1, image.shape[2]), axis=0)) > 50

    def test_the_configs_of_the_laws(self):
        program = os.environ["IMPACTSWEEP"]
        for config, field in (("restitution-laws", "energy_loss"),
                              ("baruh-weights", "lambda_poisson")):
            there = self.path(config + ".h5")
            subprocess.run([program, "run", os.path.join(ROOT, "configs", config + ".yaml"),
                            "-o", there, "--progress", "none"], check=True,
                           stdout=subprocess.DEVNULL)
            with contextlib.redirect_stderr(io.StringIO()):  # a note on a panel that is left out
                assert self.main(there, "--field", field) == 0
            assert os.path.exists(self.path(config + "-multiples.png"))
