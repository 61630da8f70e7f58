"""A parameter that stands for another, poisson_ratio for stiffness_ratio: fixed, swept, set or in a cell."""
import json

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
        assert stands == {"poisson_ratio": "stiffness_ratio"}
        for form in ((), ("--markdown",)):
            assert "given instead of stiffness_ratio" in self.good("models", "compliant", *form)
