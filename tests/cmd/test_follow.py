"""Parameters that follow others by a formula: the same cells as with numbers, recorded in the map. A straight double
pendulum whose rods turn alike is a pendulum, which has a closed form."""
import re

import numpy as np
import pytest
from support import Case

STRAIGHT = """model: compliant
choose: {body: double_pendulum}
fixed: {stiffness_ratio: 1.21, q2: {equals: q1}, w1: -1, w2: {equals: w1}}
"""
AXES = """axes:
  - {param: %s, from: 2 deg, to: 88 deg, points: 44}
  - {param: friction, from: 0.05, to: 1.5, points: 30}
outputs: [mode, energy_loss]
"""
# q2 is a column of the axis q1, m2 of m1; l2 is a number; w2 depends on two axes.
MANY = """model: compliant
choose: {body: double_pendulum}
axes:
  - {param: q1, from: 10 deg, to: 60 deg, points: 4}
  - {param: m1, values: [1, 2, 5]}
fixed:
  friction: 0.5
  stiffness_ratio: 1.21
  q2: {equals: 0.75 * q1 - 5 deg}
  m2: {equals: m1 / (1 + l2)}
  l2: = l1 / 4
  w1: -1
  w2: {equals: 'w1 * m1 + q2 / 10'}
outputs: [mode, energy_loss]
"""
# The friction leaves its range where q1 m1 exceeds 4 times the limit.
LEAVING = """model: compliant
choose: {body: double_pendulum}
axes:
  - {param: q1, from: 10 deg, to: 60 deg, points: %d}
  - {param: m1, from: 1, to: 5, points: %d}
  - {param: stiffness_ratio, values: [1, 1.21]}
fixed: {q2: 0.3, w1: -1, w2: -1, friction: {equals: '%g - q1 * m1 / 4'}}
outputs: [mode]
"""
SEARCH = """axes: [{param: friction, values: [0.2, 0.6, 1]}]
search: {over: {param: q1, from: 1 deg, to: 89 deg, samples: 48}, find: boundary, of: mode, in: [wedge]}
outputs: [root, root_count]
"""
REFINED = """axes:
  - {param: q1, from: 2 deg, to: 88 deg%s}
  - {param: friction, from: 0.05, to: 1.5%s}
outputs: [mode]
"""


class Follow(Case):
    def test_a_straight_double_pendulum_is_a_pendulum(self):
        straight = self.made(STRAIGHT + AXES % "q1", name="straight")
        pendulum = self.made("model: compliant\nchoose: {body: pendulum}\n"
                             "fixed: {stiffness_ratio: 1.21}\n" + AXES % "angle", name="pendulum")
        np.testing.assert_array_equal(straight.mode.values, pendulum.mode.values)
        np.testing.assert_allclose(straight.energy_loss.values, pendulum.energy_loss.values, atol=1e-11)
        np.testing.assert_array_equal(straight.q2.values, straight.q1.values)
        assert straight.q2.attrs["formula"] == "q1"

    def cell(self, **values):
        words = [f"{name}={float(value)!r}" for name, value in values.items()]
        said = self.good("cell", "compliant", "body=double_pendulum", *words)
        return dict(line.split(None, 1) for line in said.splitlines() if len(line.split(None, 1)) == 2)

    def test_every_kind_of_formula_is_recorded_and_solved(self):
        data = self.made(MANY)
        q1, m1 = data.q1.values, data.m1.values
        q2, l2, m2 = 0.75 * q1 - 5 * np.pi / 180, 0.25, m1 / 1.25
        np.testing.assert_array_equal(data.q2.values, q2)
        np.testing.assert_array_equal(data.m2.values, m2)
        assert (data.q2.dims, data.m2.dims, float(data.l2)) == (("q1",), ("m1",), l2)
        for i in range(len(q1)):
            for k in range(len(m1)):
                said = self.cell(q1=q1[i], q2=q2[i], m1=m1[k], m2=m2[k], l2=l2, w1=-1, w2=-m1[k] + q2[i] / 10,
                                 friction=0.5, stiffness_ratio=1.21)
                assert float(said["energy_loss"]) == pytest.approx(float(data.energy_loss[i, k]), abs=1e-11)
        formulas = {"q2": "0.75 * q1 - 5 deg", "m2": "m1 / (1 + l2)", "l2": "l1 / 4", "w2": "w1 * m1 + q2 / 10"}
        assert self.info("x.h5")["formulas"] == formulas
        said = self.good("info", "x.h5")
        assert re.search(r"(?m)^column +q2 +4 values, 2\.5 deg to 40 deg, = 0\.75 \* q1 - 5 deg$", said)
        assert re.search(r"(?m)^fixed +l2 +0\.25 m, = l1 / 4$", said)
        assert re.search(r"(?m)^fixed +w2 +in every cell, = w1 \* m1 \+ q2 / 10$", said)
        assert re.search(r"(?m)^  column q2 +0?= 0\.75 \* q1 - 5 deg$", self.good("check", "x.yaml"))

    def test_conditions_know_what_follows(self):
        data = self.made(MANY)
        w2 = -data.m1.values + data.q2.values[:, None] / 10
        said = self.good("query", "x.h5", "w2 < -1.95 and q2 > 10 deg")
        assert re.search(f"^{int(((w2 < -1.95) & (data.q2.values > 10 * np.pi / 180)[:, None]).sum())} of 12", said)

    def test_ranks_resumes_and_parts(self):
        self.check_digests(MANY, [(0,), (1,), (2,)], parts=2)
        assert self.good("run", "x.yaml", "-o", "map.h5", "--resume") == "map.h5 is complete\n"
        self.bad("run", "x.yaml", "-o", "map.h5", "--resume", "--set", "w2==w1 * m1",
                 says="is of another configuration")

    def test_words_take_formulas(self):
        given = ("q1=20 deg", "q2==q1 + 10 deg", "w1=-1", "w2==2 * w1", "friction=0.5", "stiffness_ratio=1.21")
        said = self.good("cell", "compliant", "body=double_pendulum", *given)
        assert "= q1 + 10 deg: 0.5235988 rad (30 deg)" in said
        by_number = self.cell(q1=np.deg2rad(20), q2=np.deg2rad(20) + np.deg2rad(10), w1=-1, w2=-2, friction=0.5,
                              stiffness_ratio=1.21)
        assert f"energy_loss            {by_number['energy_loss']}" in said
        with_formula = self.made(MANY, "--set", "q2==q1")
        np.testing.assert_array_equal(with_formula.q2.values, with_formula.q1.values)
        with_number = self.made(MANY, "--set", "q2=0.3")
        assert (float(with_number.q2), "formula" in with_number.q2.attrs) == (0.3, False)

    def test_a_search_over_what_others_follow(self):
        """The angle up to which the pendulum wedges (Birlik 2012)."""
        data = self.made(STRAIGHT + SEARCH)
        mu, eta = data.friction.values, 1.21
        b = 1 + 3 * eta * mu ** 2
        np.testing.assert_allclose(data.root.values[:, 0], np.arctan(2 * mu / (b + np.sqrt(b * b + 4 * eta * mu ** 2))),
                                   rtol=1e-11)
        assert data.root_count.values.tolist() == [1, 1, 1]
        assert (str(data.q2.values), data.q2.attrs["formula"]) == ("nan", "q1")

    def test_a_refinement_of_what_others_follow(self):
        refined = self.made(STRAIGHT + REFINED % ("", "") + "refine: {depth: 7}\n", name="refined")
        uniform = self.made(STRAIGHT + REFINED % (", points: 129", ", points: 129"), name="uniform")
        np.testing.assert_array_equal(refined.mode.values, uniform.mode.values)

    def test_samples(self):
        data = self.made(STRAIGHT + """axes:
  - {sample: sobol, points: 16, seed: 2, params: [
      {param: q1, distribution: uniform, from: 0.2, to: 0.9},
      {param: m1, distribution: uniform, from: 1, to: 2}]}
""" + "outputs: [mode]\n", "--set", "m2==sqrt(m1) * cos(q1)", "--set", "friction=0.4")
        np.testing.assert_allclose(data.m2.values, np.sqrt(data.m1.values) * np.cos(data.q1.values), rtol=4e-16)
        np.testing.assert_array_equal(data.q2.values, data.q1.values)
        assert (data.q2.dims, "distribution" in data.q2.attrs) == (("sample",), False)

    def frictions(self, limit, sizes):
        return limit - np.outer(np.linspace(10, 60, sizes[0]) * np.pi / 180, np.linspace(1, 5, sizes[1])) / 4

    def test_values_that_leave_their_range_in_some_cells(self):
        self.write("x.yaml", LEAVING % (6, 5, 0.5))
        friction = self.frictions(0.5, (6, 5))
        first = friction[friction < 0][0]
        for words in (("check", "x.yaml"), ("run", "x.yaml", "-o", "x.h5", "--progress", "none")):
            done = self.sweep(*words)
            assert done.returncode == 0, done.stderr
            assert re.search(
                rf"^x\.yaml:7:\d+: warning: the formula of 'friction' leaves its range \[0, inf\) in "
                rf"{2 * (friction < 0).sum()} of 60 cells, which will be 'outside'; the first is {first:.7g} "
                r"at q1 = [^,]* rad \([^,]* deg\), m1 = [\d.]+ kg\n$", done.stderr)
        data = self.opened("x.h5")
        outside = data.outcome.attrs["flag_meanings"].split().index("outside")
        values = data.outcome.attrs["flag_values"]
        np.testing.assert_array_equal(data.outcome.values == values[outside], np.repeat((friction < 0)[:, :, None], 2, 2))

    def test_values_that_leave_their_range_in_no_cell_or_in_every_one(self):
        self.write("none.yaml", LEAVING % (6, 5, 2))
        self.write("every.yaml", LEAVING % (6, 5, 0.01))
        assert self.sweep("check", "none.yaml").stderr == ""
        for words in (("check", "every.yaml"), ("run", "every.yaml", "-o", "every.h5")):
            self.bad(*words, says=["every.yaml:7:", "error: the formula of 'friction' leaves its range [0, inf) in every cell; "
                                   "the first is -0.033633"])
        assert "every.h5" not in self.files()

    def test_a_share_is_told_of_many_cells(self):
        self.write("x.yaml", LEAVING % (2000, 3000, 0.5))
        said = self.sweep("check", "x.yaml").stderr
        told = float(re.search(r"in about ([\d.]+) % of the cells, which", said)[1])
        assert told == pytest.approx(100 * (self.frictions(0.5, (2000, 3000)) < 0).mean(), abs=0.5)
