"""Variables of a config, which only formulas read: a rod as a lamina whose contact point follows from its angle has the
cells of the body `rod`, whose matrix is written in the angle itself, wherever an angle may stand."""
import re

import numpy as np
import pytest
from support import Case

ROD = "model: compliant\nchoose: {body: rod}\nfixed: {stiffness_ratio: 1.21, velocity_ratio: 0.3}\n"
LAMINA = """model: compliant
variables: {tilt: rad}
choose: {body: lamina}
fixed:
  stiffness_ratio: 1.21
  velocity_ratio: 0.3
  gyration_radius: {equals: sqrt(1 / 12)}
  offset_t: {equals: 0.5 * sin(tilt)}
  offset_n: {equals: -0.5 * cos(tilt)}
"""
AXES = """axes:
  - {param: %s, from: -80 deg, to: 80 deg%s}
  - {param: friction, from: 0.05, to: 1.5%s}
"""
GRID = AXES.replace("1.5%s}", "1.5, points: 30}")
OUTPUTS = "outputs: [mode, energy_loss]\n"
SEARCH = """axes: [{param: friction, values: [0.1, 0.2, 0.6]}]
search: {over: {param: %s, from: -80 deg, to: 80 deg, samples: 48}, find: %s, of: %s}
"""
SAMPLE = """axes:
  - {sample: sobol, points: 64, seed: 2, params: [
      {param: %s, distribution: uniform, from: -60 deg, to: 60 deg},
      {param: friction, distribution: uniform, from: 0.1, to: 1}]}
"""
# The half length is a variable that follows two others: one on an axis, one with a value.
NESTED = """model: compliant
variables: {tilt: rad, scale: 1, half: m}
choose: {body: lamina}
axes:
  - {param: tilt, from: 5 deg, to: 85 deg, points: 9}
  - {param: scale, values: [1, 2, 4]}
fixed:
  friction: 0.4
  stiffness_ratio: 1.21
  velocity_ratio: 0.3
  half: {equals: 0.5 * scale}
  gyration_radius: {equals: half / sqrt(3)}
  offset_t: {equals: half * sin(tilt)}
  offset_n: {equals: -half * cos(tilt)}
outputs: [mode, energy_loss]
"""


class Variables(Case):
    def both(self, form, *words):
        """The map of the rod over `angle` and of the lamina over `tilt`; form: with a %s for the name."""
        return (self.made(ROD + form("angle"), *words, name="rod"),
                self.made(LAMINA + form("tilt"), *words, name="lamina"))

    def assert_same(self, rod, lamina, **tolerance):
        np.testing.assert_array_equal(rod.mode.values, lamina.mode.values)
        np.testing.assert_allclose(rod.energy_loss.values, lamina.energy_loss.values, **tolerance or {"atol": 1e-12})

    def test_a_lamina_over_its_angle_is_a_rod(self):
        rod, lamina = self.both(lambda name: GRID % (name, ", points: 41") + OUTPUTS)
        self.assert_same(rod, lamina)
        assert len(np.unique(rod.mode)) > 2
        assert lamina.mode.dims == ("tilt", "friction")
        assert (lamina.tilt.attrs["units"], lamina.tilt.attrs["spacing"]) == ("rad", "linear")
        assert (lamina.offset_t.dims, lamina.offset_t.attrs["formula"]) == (("tilt",), "0.5 * sin(tilt)")
        np.testing.assert_array_equal(rod.angle.values, lamina.tilt.values)
        assert re.search(r"(?m)^axis +tilt +41 values, -80 deg to 80 deg, linear$", self.good("info", "lamina.h5"))
        said = self.good("check", "lamina.yaml")
        assert re.search(r"(?m)^axis tilt +41 values: -1\.396263 rad \(-80 deg\) to .*, linear$", said)
        cells = int((abs(lamina.tilt) > np.pi / 4).sum()) * 30
        assert f"{cells} of 1230" in self.good("query", "lamina.h5", "abs(tilt) > 45 deg").replace(",", "")

    def test_refinements(self):
        rod, lamina = self.both(lambda name: AXES % (name, "", "") + "outputs: [mode]\nrefine: {base: 16, depth: 6}\n")
        np.testing.assert_array_equal(rod.mode.values, lamina.mode.values)
        assert lamina.mode.dims == ("tilt", "friction")

    def test_searches(self):
        rod, lamina = self.both(lambda name: SEARCH % (name, "maximum", "energy_loss"))
        np.testing.assert_allclose(rod.extreme.values, lamina.extreme.values, atol=1e-12)
        np.testing.assert_allclose(rod.at_angle.values, lamina.at_tilt.values, atol=1e-6)  # flat at the top
        rod, lamina = self.both(lambda name: SEARCH % (name, "boundary", "mode, in: [gross_slip]"))
        np.testing.assert_allclose(rod.root.values, lamina.root.values, atol=1e-9)
        assert (lamina.root_count > 0).any()
        assert lamina.root.attrs["units"] == "rad"

    def test_samples_and_tables(self):
        rod, lamina = self.both(lambda name: SAMPLE % name + OUTPUTS)
        self.assert_same(rod, lamina)
        assert (lamina.tilt.dims, lamina.offset_n.dims) == (("sample",), ("sample",))
        assert lamina.tilt.attrs["distribution"].startswith("uniform")
        for name in ("angle", "tilt"):
            self.write(f"{name}.csv", f"{name} [deg], friction\n10, 0.2\n-50, 0.7\n")
        rod, lamina = self.both(lambda name: f"axes: [{{table: {name}.csv, name: case}}]\n" + OUTPUTS)
        self.assert_same(rod, lamina)

    def test_values_and_set(self):
        form = "axes: [{param: friction, from: 0.05, to: 1.5, points: 5}]\n" + OUTPUTS
        rod = self.made(ROD + form, "--set", "angle=30 deg", name="rod")
        lamina = self.made(LAMINA + form, "--set", "tilt=30 deg", name="lamina")
        self.assert_same(rod, lamina)
        assert (float(lamina.tilt), lamina.tilt.attrs["units"]) == (np.deg2rad(30), "rad")
        lamina = self.made(LAMINA + GRID % ("tilt", ", points: 3") + OUTPUTS, "--set", "tilt=10 deg:20 deg:2", name="lamina")
        np.testing.assert_array_equal(lamina.tilt.values, np.deg2rad([10, 20]))

    def test_variables_that_follow(self):
        data = self.made(NESTED)
        rod = self.made(ROD + "axes: [{param: angle, from: 5 deg, to: 85 deg, points: 9}]\n" + OUTPUTS,
                        "--set", "friction=0.4", name="rod")
        for k in range(3):  # the size is without effect on these outputs
            self.assert_same(rod, data.isel(scale=k))
        np.testing.assert_array_equal(data.half.values, [0.5, 1, 2])
        assert (data.half.dims, data.half.attrs["units"]) == (("scale",), "m")
        assert re.search(f"^{int((2 * np.sin(data.tilt.values) > 1).sum())} of 27",
                         self.good("query", "x.h5", "offset_t > 1 and half > 1.5"))

    def test_ranks_resumes_and_parts(self):
        self.check_digests(NESTED, [(0,), (2,)], parts=2)
        assert self.good("run", "x.yaml", "-o", "map.h5", "--resume") == "map.h5 is complete\n"
        self.write("x.yaml", NESTED.replace("half: m}", "half: 1}"))
        self.bad("run", "x.yaml", "-o", "map.h5", "--resume", says="unit of half: the file has m, the config 1")

    def test_words(self):
        given = ("friction=0.3", "stiffness_ratio=1.21", "velocity_ratio=0.3")
        rod = self.good("cell", "compliant", "body=rod", "angle=20deg", *given)
        words = ("body=lamina", "gyration_radius==sqrt(1 / 12)", "offset_t==0.5*sin(tilt)", "offset_n==-0.5*cos(tilt)", *given)
        lamina = self.good("cell", "compliant", "variables=tilt:rad", "tilt=20deg", *words)

        def loss(said):
            return float(next(line.split()[1] for line in said.splitlines() if line.startswith("energy_loss ")))
        assert loss(rod) == pytest.approx(loss(lamina), abs=1e-12)
        self.bad("cell", "compliant", "variables=tilt:rad", *words, says="argument 1: error: the variable 'tilt' has no value")
        self.bad("cell", "compliant", "variables=tilt:rad,tilt", "variables=x", "tilt=1", *words,
                 says="argument 1: error: duplicate key 'tilt'")
