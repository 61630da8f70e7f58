"""--minus and --ratio-to: figures of differences and ratios, on small maps made here whose values are known."""
import contextlib
import io
import os

import numpy as np
import pytest
from folder import FolderTest
import small_maps as maps
from impactsweep import errors
from impactsweep.figures import against, choose, command, looks, settings
from impactsweep.figures.baseline import Against as Compared
from impactsweep.figures.kinds import histogram, lines, map as plane, multiples
from impactsweep.maps import contents
from matplotlib.image import imread

CASES = "springs hertz stronge"
SHAPE = (3, 6, 5)


def values():
    random = np.random.default_rng(4)
    outcome = np.ones(SHAPE, "i1")
    outcome[1, 2, 3] = outcome[2, 4, 4] = 2
    mode = random.integers(1, 4, SHAPE).astype("i1")
    loss = random.normal(size=SHAPE)
    loss[0, 0, 0] = np.nan
    heading = random.uniform(-3.1, 3.1, SHAPE)
    return {"mode": (mode, {}), "loss": (loss, {"units": "J", "long_name": "energy lost"}),
            "heading": (heading, {"units": "rad"}), "sequence": (mode.astype("u8"), {"units": "1"}),
            "outcome": (outcome, {})}


class TestAgainst(FolderTest):
    def made(self, values=values):
        values = values() if callable(values) else values
        maps.write_map(self.path("map.h5"), {
            "case": (np.arange(3, dtype="i1"), CASES), "angle": (np.linspace(0.1, 1, 6), "rad"),
            "friction": (np.linspace(0.1, 1.0, 5), "1")}, values)
        return self.path("map.h5")

    def taken(self, text, wanted=(), ratio=False):
        return against.taken(contents.open_map(self.made()), Compared(text, ratio), wanted)

    @pytest.mark.parametrize("text, place", [("stronge", 2), ("case=springs", 0), ("hertz", 1)])
    def test_values_are_differences(self, text, place):
        data, raw = self.taken(text), values()
        left = [index for index in range(3) if index != place]
        solved = (raw["outcome"][0][left] == 1) & (raw["outcome"][0][place] == 1)
        loss = raw["loss"][0]
        np.testing.assert_array_equal(data.loss.values, loss[left] - loss[place])
        name = ("springs", "Hertz", "stronge")[place]
        assert data.loss.attrs["long_name"] == f"energy lost, minus that of {name}"
        turned = data.heading.values
        np.testing.assert_allclose(np.cos(turned), np.cos(raw["heading"][0][left] - raw["heading"][0][place]), atol=1e-12)
        assert np.abs(turned).max() <= np.pi
        assert np.array_equal(data.outcome.values == 1, solved)
        names, mode = contents.flags_of(data["mode"]), raw["mode"][0]
        old = maps.MODES.split()
        for index in np.ndindex(data["mode"].shape):
            mine, other = mode[place][index[1:]], mode[left][index]
            if solved[index]:
                name = names[int(data["mode"].values[index])]
                assert name == ("the_same" if mine == other else f"{old[other]},_not_{old[mine]}")
                assert contents.flags_of(data["sequence"])[int(data["sequence"].values[index])] == (
                    "the_same" if mine == other else "another_one")

    def test_an_axis_of_numbers(self):
        data, loss = self.taken("friction=0.1"), values()["loss"][0]
        np.testing.assert_array_equal(data.loss.values, loss[:, :, 1:] - loss[:, :, :1])
        assert data.sizes["friction"] == 4

    def test_ratios(self):
        data, raw = self.taken("stronge", ratio=True), values()
        loss = raw["loss"][0]
        np.testing.assert_array_equal(data.loss.values, loss[:2] / loss[2])
        assert data.loss.attrs["long_name"] == "energy lost, over that of stronge" and data.loss.attrs["units"] == "1"
        assert "the_same" in contents.flags_of(data["mode"]).values()

    def test_a_ratio_to_zero_is_undefined(self):
        raw = values()
        raw["loss"][0][2] = 0
        data = against.taken(contents.open_map(self.made(values=raw)), Compared("stronge", True))
        assert np.isnan(data.loss.values).all()

    def other(self):
        """A map of two of the cases in another order, with more points of friction, and other codes of modes."""
        raw, places = values(), [2, 0]
        given = {}
        for name, (whole, attrs) in raw.items():
            part = np.repeat(whole[places], 2, axis=2)
            given[name] = (part + 3 if name == "mode" else part + 0.5 if name == "loss" else part, dict(attrs))
        given["mode"][1].update(flag_values=np.arange(8, dtype="i1"), flag_meanings=f"a b c {maps.MODES}")
        points = np.repeat(np.linspace(0.1, 1.0, 5), 2)
        points[1::2] += 0.01
        maps.write_map(self.path("other.h5"), {
            "case": (np.array([2, 0], dtype="i1"), CASES), "angle": (np.linspace(0.1, 1, 6), "rad"),
            "friction": (points, "1")}, given)
        return self.path("other.h5")

    def test_another_map_on_the_common_cells(self):
        data, raw = self.taken(self.other()), values()
        assert data["mode"].shape == (2, 6, 5)
        assert data["case"].values.tolist() == [0, 2]
        solved = raw["outcome"][0][[0, 2]] == 1
        np.testing.assert_allclose(data.loss.values[solved], np.where(np.isnan(raw["loss"][0][[0, 2]]), np.nan, -0.5)[solved],
                                   rtol=1e-12)
        assert data.loss.attrs["long_name"] == "energy lost, minus that of other.h5"
        assert (data["mode"].values[solved] == 1).all(), "names agree although their codes differ"

    def test_maps_without_common_cells(self):
        maps.write_map(self.path("far.h5"), {
            "case": (np.arange(3, dtype="i1"), CASES), "angle": (np.linspace(2, 3, 6), "rad"),
            "friction": (np.linspace(0.1, 1.0, 5), "1")}, values())
        with pytest.raises(errors.InputError, match="no value of 'angle' is in both maps"):
            self.taken(self.path("far.h5"))

    def test_a_missing_map(self):
        with pytest.raises(errors.InputError, match="none.h5"):
            self.taken(self.path("none.h5"))

    def test_a_wide_ratio_is_as_dark_at_a_tenth_as_at_ten(self):
        asked = settings.Settings(against=Compared("stronge", True), center=1.0)
        with settings.used(asked):
            scale = looks.scale_of(np.geomspace(0.1, 10, 101), None, "loss")
            narrow = looks.scale_of(np.linspace(0.9, 1.3, 101), None, "loss")
        assert scale.log and not narrow.log
        assert min(scale.colours(0.5)[:3]) > 0.9 and scale.colours(0.0) != scale.colours(1.0)
        assert min(narrow.colours((1 - narrow.low) / (narrow.high - narrow.low))[:3]) > 0.9

    def test_rare_pairs_share_a_name(self):
        assert len(contents.flags_of(self.taken("stronge")["mode"])) <= against.MOST_PAIRS + 2

    def test_mistakes_are_named(self):
        for text, says in (("newton", "unknown option on an axis 'newton'; there are: case=springs"),
                           ("case=newton", "unknown option of 'case' 'newton'"),
                           ("frction=0.1", "unknown axis 'frction'"), ("friction=7", "outside the axis")):
            with pytest.raises(errors.InputError, match=says):
                self.taken(text)

    def test_two_points_are_refused(self):
        options = command.parser_of("plot.py", plane).parse_args([self.made(), "--minus", "stronge", "--minus", "hertz"])
        with pytest.raises(errors.InputError, match="--minus: stronge and hertz are given"):
            settings.settings_of(options)
        options = command.parser_of("plot.py", plane).parse_args(
            [self.made(), "--minus", "stronge", "--ratio-to", "hertz"])
        with pytest.raises(errors.InputError, match="--minus and --ratio-to do not go together"):
            settings.settings_of(options)

    def test_all_kinds_that_take_it_draw(self):
        self.made()
        for kind, more in ((multiples, ["--field", "loss"]), (plane, ["--slice", "case=springs", "--field", "mode"]),
                           (lines, ["--slice", "angle=0.1", "--field", "heading"])):
            for how in (["--minus", "stronge"], ["--ratio-to", "stronge"], ["--minus", self.other()]):
                options = command.parser_of("plot.py", kind).parse_args(
                    [self.path("map.h5"), *how, "-o", self.path("x.png"), *more])
                command.draw(kind, options, [])
                assert imread(self.path("x.png")).std() > 0.05

    def test_the_scale_is_white_at_zero_and_its_halves_differ_in_grey(self):
        options = command.parser_of("plot.py", multiples).parse_args(
            [self.made(), "--minus", "stronge", "--field", "loss"])
        with settings.used(settings.settings_of(options)):
            rows, _ = multiples.load(options, [])
        scale = rows[0].scale

        def at(value):
            return np.dot(scale.colours((value - scale.low) / (scale.high - scale.low))[:3], (0.299, 0.587, 0.114))

        assert scale.low < 0 < scale.high and at(0.0) > 0.9
        size = 0.8 * min(-scale.low, scale.high)
        assert at(-size) < at(size) - 0.1

    def test_the_choice_of_a_figure_knows_what_is_left(self):
        choice = choose.choose(self.made(), ["--minus", "stronge"])
        assert choice.kind in choose.KINDS

    def test_other_kinds_refuse_it(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            code = command.run_kind("plot_histogram.py", histogram, [self.made(), "--minus", "stronge"])
        assert code == 2 and "--minus does not go with the figure 'histogram'" in said.getvalue()
        assert not os.path.exists(self.path("map-histogram.png"))
