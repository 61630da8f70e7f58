"""Shared by the tests of options: small maps and a sample, and a test case that draws figures of them, checks that
these can be read, and expects refusals."""
import contextlib
import io
import os
import re
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

import matplotlib
import netCDF4
import numpy as np
import plot
import small_maps as maps
from impactsweep.figures import choose, command, looks, settings
from drawn import Drawn

ANGLE, FRICTION = np.radians(np.linspace(1, 89, 30)), np.linspace(0.05, 1.5, 24)
STIFFNESS = np.array([0.01, 1.0])
SAMPLE = 40
# [(map, kind, options)]: every kind of figure
KINDS = (("plane.h5", "map", ()), ("plane.h5", "map", ("--field", "loss")),
         ("plane.h5", "map", ("--contours", "kinematic_restitution")),
         ("map.h5", "multiples", ("--field", "loss", "--field", "kinematic_restitution")),
         ("map.h5", "lines", ("--slice", "angle=30deg")),
         ("sample.h5", "band", ()), ("sample.h5", "quantiles", ()),
         ("sample.h5", "histogram", ("--slice", "position=1")),
         ("sample.h5", "scatter", ("--slice", "position=1")))


def grid():
    """[stiffness][angle][friction]: regions, an output of both signs and a ratio on both sides of 1."""
    stiffness, angle, friction = np.meshgrid(STIFFNESS, ANGLE, FRICTION, indexing="ij")
    mode = np.where(np.tan(angle) < friction / 3, maps.WEDGE,
                    np.where(np.tan(angle) > 1.5 / friction, maps.STICK, maps.REVERSED)).astype("i1")
    loss = np.sin(3 * angle) * friction - 0.1 * stiffness
    return {"mode": (mode, {}), "loss": (loss, {"units": "J"}),
            "kinematic_restitution": (0.6 + 0.8 * np.cos(angle) * friction / 1.5, {"units": "1"}),
            "outcome": (np.ones(mode.shape, "i1"), {})}


class Options:
    @classmethod
    def setup_class(cls):
        cls.folder = cls.ending.enter_context(tempfile.TemporaryDirectory())
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
        drawn.check()
        return drawn

    def run_plot(self, *words):
        said, printed = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stderr(said), \
                contextlib.redirect_stdout(printed):
            code = command.run("plot.py", plot.work, list(words))
        return code, printed.getvalue(), said.getvalue()

    def refuse(self, *words):
        code, printed, said = self.run_plot(*words)
        assert (code, printed) == (2, ""), words
        assert re.search(r"\Aplot\.py: error: [^\n]+\n\Z", said)
        return said
