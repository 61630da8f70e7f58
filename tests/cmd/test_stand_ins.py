"""A parameter that stands for another, poisson_ratio for stiffness_ratio: fixed, swept, set or in a cell."""
import json
import os

import h5py
import numpy
import pytest

from support import BAD_INPUT, Case

WORDS = ("compliant", "body=rod", "angle=20deg", "friction=0.4", "velocity_ratio=0.7")
CONFIG = """model: compliant
choose: {body: rod}
axes:
  - {param: %s, values: %s}
  - {param: friction, from: 0, to: 1, points: 5}
fixed: {angle: 20 deg, velocity_ratio: 0.7}
"""
FIXED = """model: compliant
choose: {body: rod}
axes:
  - {param: friction, from: 0, to: 1, points: 5}
fixed: {angle: 20 deg, velocity_ratio: 0.7%s}
"""
POISSON = [0, 0.1, 0.25, 0.3, 0.5]


def stiffness_ratio(poisson_ratio):
    return (2 - poisson_ratio) / (2 * (1 - poisson_ratio))


def outputs(path):
    """Every dataset over the grid, by name."""
    with h5py.File(path) as file:
        shape = file["outcome"].shape
        return {name: numpy.asarray(file[name]) for name in file
                if isinstance(file[name], h5py.Dataset) and file[name].shape == shape and shape}


class StandIns(Case):
    def assert_same_maps(self, one, other):
        a, b = outputs(one), outputs(other)
        assert sorted(a) == sorted(b)
        assert "kinematic_restitution" in a
        for name in a:
            assert a[name].tobytes() == b[name].tobytes(), name

    @pytest.mark.parametrize("value", POISSON)
    def test_a_cell_is_the_same_with_either(self, value):
        assert (self.cell(*WORDS, f"poisson_ratio={value}") ==
                self.cell(*WORDS, f"stiffness_ratio={stiffness_ratio(value)!r}"))

    def test_a_map_has_the_parameter_that_the_user_gave(self):
        self.write("nu.yaml", CONFIG % ("poisson_ratio", POISSON))
        self.write("eta.yaml", CONFIG % ("stiffness_ratio",
                                         [stiffness_ratio(value) for value in POISSON]))
        for name in ("nu", "eta"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5")
        self.assert_same_maps(self.path("nu.h5"), self.path("eta.h5"))
        with h5py.File(self.path("nu.h5")) as file:
            assert list(file["poisson_ratio"]) == POISSON
            assert file["poisson_ratio"].attrs["CLASS"] == b"DIMENSION_SCALE"
            assert "stiffness_ratio" not in file
            assert "poisson_ratio\taxis" in file.attrs["fingerprint"]
        header = self.good("export", "nu.h5").splitlines()[0]
        assert header.startswith("poisson_ratio"), header

    def test_fixed_and_set(self):
        self.write("fixed.yaml", FIXED % ", poisson_ratio: 0.3")
        self.write("eta.yaml", FIXED % f", stiffness_ratio: {stiffness_ratio(0.3)!r}")
        self.write("neither.yaml", FIXED % "")
        self.good("run", "fixed.yaml", "-o", "fixed.h5")
        self.good("run", "neither.yaml", "--set", "poisson_ratio=0.3", "-o", "set.h5")
        self.good("run", "eta.yaml", "-o", "eta.h5")
        for name in ("fixed.h5", "set.h5"):
            self.assert_same_maps(self.path(name), self.path("eta.h5"))
            with h5py.File(self.path(name)) as file:
                assert file["poisson_ratio"][()] == 0.3
                assert "stiffness_ratio" not in file
        self.bad("run", "neither.yaml", "-o", "n.h5", code=BAD_INPUT,
                 says="missing parameter 'stiffness_ratio'")
        self.bad("run", "fixed.yaml", "--set", "stiffness_ratio=1", "-o", "n.h5", code=BAD_INPUT,
                 says="'poisson_ratio' and 'stiffness_ratio' set the same value")

    def test_a_resume_with_the_other_one_is_refused(self):
        self.write("fixed.yaml", FIXED % ", poisson_ratio: 0.3")
        self.write("eta.yaml", FIXED % f", stiffness_ratio: {stiffness_ratio(0.3)!r}")
        self.good("run", "fixed.yaml", "-o", "map.h5")
        self.bad("run", "eta.yaml", "-o", "map.h5", "--resume", code=BAD_INPUT,
                 says="poisson_ratio")

    def test_bodies_on_an_axis(self):
        self.write("axis.yaml", CONFIG.replace("choose: {body: rod}\n", "") %
                   ("body", "[rod, sphere]") + "\n")
        text = open(self.path("axis.yaml")).read().replace("velocity_ratio: 0.7",
                                                           "velocity_ratio: 0.7, poisson_ratio: .2")
        self.write("axis.yaml", text)
        self.good("run", "axis.yaml", "-o", "axis.h5")
        values = outputs(self.path("axis.h5"))["kinematic_restitution"]
        cell = self.cell("compliant", "body=sphere", "friction=0.5", "velocity_ratio=0.7",
                         f"stiffness_ratio={stiffness_ratio(0.2)!r}")
        assert values[1, 2] == cell["kinematic_restitution"]

    def test_models_names_the_parameter_that_it_stands_for(self):
        theory = json.loads(self.good("models", "compliant", "--json"))
        stands = {p["name"]: p["stands_for"] for p in theory["parameters"] if p["stands_for"]}
        assert stands == {"poisson_ratio": "stiffness_ratio", "yield_speed": "restitution"}
        for form in ((), ("--markdown",)):
            assert "given instead of stiffness_ratio" in self.good("models", "compliant", *form)


class Yielding(Case):
    """yield_speed: instead of a restitution, or beside it."""
    THORNTON = ((1, 1), (1.2, .993135), (2, .930626), (5, .773337), (10, .658558), (20, .557109), (100, .374299),
                (1000, .210701))
    WORDS = {"rigid": ("rigid", "body=sphere", "friction=0.3", "velocity_ratio=0.4"),
             "swerve": ("swerve", "body=sphere3d", "friction=0.3", "velocity_ratio=0.4", "heading=0"),
             "compliant": ("compliant", "body=sphere", "law=linear", "friction=0.3", "velocity_ratio=0.4", "stiffness_ratio=1.2")}

    @pytest.mark.parametrize("theory", WORDS)
    def test_restitution_falls_with_speed(self, theory):
        for speed, e in self.THORNTON:
            words = (*self.WORDS[theory], f"normal_speed={speed * .25}", "yield_speed=0.25")
            assert self.cell(*words)["kinematic_restitution"] == pytest.approx(e, abs=5.1e-7)
            beside = self.cell(*words, "restitution=0.5")["kinematic_restitution"]
            assert beside == pytest.approx(e / 2, abs=5.1e-7)

    @pytest.mark.parametrize("theory", WORDS)
    def test_without_it_nothing_changes(self, theory):
        words = (*self.WORDS[theory], "normal_speed=1")
        one = self.cell(*words, "restitution=0.7")
        assert one == self.cell(*words, "restitution=0.7", "yield_speed=1")
        assert one["energetic_restitution"] == pytest.approx(.7, abs=1e-12)
        if theory != "compliant":
            self.bad("cell", *words, code=BAD_INPUT, says="missing parameter 'restitution'")
        self.bad("cell", *words, "yield_speed=0", code=BAD_INPUT, says="outside its range")

    def test_a_map_and_a_history(self):
        self.write("e.yaml", """model: rigid
choose: {body: sphere}
axes:
  - {param: normal_speed, values: [0.1, 1, 10]}
fixed: {yield_speed: 0.1, mass: 2, friction: 0.1, velocity_ratio: 1}
""")
        self.good("run", "e.yaml", "-o", "e.h5")
        with h5py.File(self.path("e.h5")) as file:
            assert file["kinematic_restitution"][:] == pytest.approx([1, .658558, .374299], abs=5.1e-7)
            assert file["kinematic_restitution"].attrs["units"] in ("1", b"1")
            assert (file["yield_speed"][()], "restitution" in file) == (.1, False)
        words = (*self.WORDS["compliant"], "normal_speed=10", "yield_speed=0.1")
        self.good("trace", *words, "-o", "one.csv", "--points", "3")
        rows = [line for line in open(self.path("one.csv")).read().splitlines() if not line.startswith("#")]
        last = dict(zip(rows[0].split(","), rows[-1].split(",")))
        name = next(key for key in last if key.startswith("normal_velocity"))
        assert float(last[name]) == pytest.approx(3.74299, abs=5.1e-6)

    def test_a_search_over_it(self):
        self.write("s.yaml", """model: rigid
choose: {body: sphere}
axes:
  - {param: normal_speed, values: [1, 10]}
fixed: {friction: 0.1, velocity_ratio: 0}
search:
  over: {param: yield_speed, from: 0.01, to: 1, samples: 32}
  find: target
  of: kinematic_restitution
  value: 0.658558
""")
        self.good("run", "s.yaml", "-o", "s.h5")
        with h5py.File(self.path("s.h5")) as file:
            assert file["root"][:, 0] == pytest.approx([.1, 1], rel=1e-4)

    def found(self, config, name):
        self.write("b.yaml", "model: rigid\nchoose: {body: sphere}\naxes:\n  - {param: normal_speed, values: [1, 10]}\n" + config)
        self.good("run", "b.yaml", "-o", "b.h5")
        with h5py.File(self.path("b.h5")) as file:
            values = file[name][:]
        os.remove(self.path("b.h5"))
        return values

    def test_a_search_over_one_of_both(self):
        """Thornton's law is a factor of the given restitution."""
        form = ("fixed: {{friction: 0.1, velocity_ratio: 0, {}}}\nsearch: {{over: {{param: {}, from: 0.01, to: 1}}, "
                "find: target, of: kinematic_restitution, value: {}}}\n")
        roots = self.found(form.format("restitution: 0.9", "yield_speed", .9 * .658558), "root")
        assert roots[:, 0] == pytest.approx([.1, 1], rel=1e-4)
        roots = self.found(form.format("yield_speed: 0.1", "restitution", .3), "root")
        assert roots[:, 0] == pytest.approx([.3 / .658558, .3 / .374299], abs=1e-6)

    def test_one_of_both_or_both_are_uncertain(self):
        form = "fixed: {{friction: 0.1, velocity_ratio: 0{}}}\nuncertain: {{points: 256, params: [{}], of: [kinematic_restitution]}}\n"
        speed = "{param: yield_speed, distribution: uniform, from: 0.1, to: 0.4}"
        of = "{param: restitution, distribution: uniform, from: 0.9, to: 0.9000001}"
        mean = "kinematic_restitution_mean"
        alone = self.found(form.format("", speed), mean)
        for fixed, drawn in ((", restitution: 0.9", speed), ("", f"{of}, {speed}")):
            assert self.found(form.format(fixed, drawn), mean) == pytest.approx(.9 * alone, rel=1e-4), drawn
        assert self.found(form.format(", yield_speed: 0.1", of), mean) == pytest.approx(
            [.9 * .658558, .9 * .374299], abs=1e-6)
        about = "{param: yield_speed, distribution: uniform, from: -0.001, to: 0.001, about: cell}"
        assert self.found(form.format(", restitution: 0.9, yield_speed: 0.1", about), mean) == pytest.approx(
            [.9 * .658558, .9 * .374299], abs=1e-4)
        self.write("x.yaml", "model: rigid\nchoose: {body: sphere}\naxes: [{param: normal_speed, values: [1]}]\n" +
                   form.format(", restitution: 0.9", about))
        self.bad("check", "x.yaml", code=BAD_INPUT,
                 says="'yield_speed' scatters about the value of the cell, which has none: fix or sweep 'yield_speed'")
