"""--minus: figures of differences, on a small map made here whose values are known."""
import contextlib
import io
import os

import numpy as np
import pytest
from folder import FolderTest
import small_maps as maps
from impactsweep import errors
from impactsweep.figures import choose, command, minus, settings
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


class TestMinus(FolderTest):
    def made(self):
        maps.write_map(self.path("map.h5"), {
            "case": (np.arange(3, dtype="i1"), CASES), "angle": (np.linspace(0.1, 1, 6), "rad"),
            "friction": (np.linspace(0.1, 1.0, 5), "1")}, values())
        return self.path("map.h5")

    def taken(self, text, wanted=()):
        return minus.taken(contents.open_map(self.made()), text, wanted)

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

    def test_rare_pairs_share_a_name(self):
        assert len(contents.flags_of(self.taken("stronge")["mode"])) <= minus.MOST_PAIRS + 2

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

    def test_all_kinds_that_take_it_draw(self):
        self.made()
        for kind, more in ((multiples, ["--field", "loss"]), (plane, ["--slice", "case=hertz", "--field", "mode"]),
                           (lines, ["--slice", "angle=0.1", "--field", "heading"])):
            options = command.parser_of("plot.py", kind).parse_args(
                [self.path("map.h5"), "--minus", "stronge", "-o", self.path("x.png"), *more])
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
