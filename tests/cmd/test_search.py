"""Searches as sweeps: the same map for any ranks, chunks, parts and interruptions; outputs at a place that was found
are those of `cell` there; a changed search is another configuration."""
from fractions import Fraction

import numpy as np
import pytest
from support import BAD_INPUT, Case

CRITICAL = """model: compliant
choose: {body: pendulum}
axes:
  - {param: stiffness_ratio, from: 0.001, to: 10, points: 60, spacing: log}
  - {param: friction, from: 0.02, to: 2, points: 50}
search:
  over: {param: angle, from: 0.01 deg, to: 89.99 deg, samples: 64}
  find: boundary
  of: mode
  in: [wedge]
precision: float32
"""
SEVERAL = """model: compliant
axes:
  - {param: body, values: [rod, general]}
  - {param: friction, values: [0.2, 0.5, 0.9]}
  - {param: velocity_ratio, values: [-0.6, 0.3, 1.5]}
fixed: {poisson_ratio: 0.3, inertia_coupling: 0.7}
search:
  over: {param: angle, from: -89 deg, to: 89 deg, samples: 60}
  find: target
  of: kinematic_restitution
  value: 1.05
"""
LARGEST = """model: compliant
choose: {body: rod}
axes: [{param: friction, values: [0.2, 0.5, 0.9]}]
fixed: {poisson_ratio: 0.3}
search:
  over:
    - {param: angle, from: -89 deg, to: 89 deg, samples: 40}
    - {param: velocity_ratio, from: -2, to: 2, samples: 40}
  find: maximum
  of: energy_loss
"""

# Modes of spheres that begin in stick.
STICK_FIRST = "[gross_stick, stick_slip, stick_slip_stick_slip]"


class Sets(Case):
    """Boundaries of sequences and counts, and targets of categories, against closed forms."""

    def test_the_limit_of_stick_at_the_start(self):
        """A contact sticks first below the velocity ratio friction times stiffness_ratio, whether it has springs or
        is elastic; together with the sequence above the limit there is no boundary."""
        frictions, eta = np.array([0.2, 0.4, 0.5]), 1.7 / 1.4
        for theory, sequence in (("compliant", "stick slip-"), ("continuum", "stick partial- slip-")):
            for listed, count in ((f"[{sequence}]", 1), (f"[{sequence}, slip+ {sequence}]", 0)):
                data = self.made(f"""model: {theory}
choose: {{body: sphere}}
axes: [{{param: friction, values: {frictions.tolist()}}}]
fixed: {{poisson_ratio: 0.3}}
search:
  over: {{param: velocity_ratio, from: 0.15, to: 1, samples: 40}}
  find: boundary
  of: sequence
  in: {listed}
""")
                if count == 0 and theory == "continuum":
                    continue  # slip at the edge has more sequences
                assert data.root_count.values.tolist() == [count] * 3, listed
                if count:
                    np.testing.assert_allclose(data.root.values[:, 0], frictions * eta, rtol=1e-9)
        assert f"boundary of sequence in {sequence}, slip+ {sequence} over" in self.good("info", "x.h5")

    def test_the_limit_of_stick_to_the_last_place(self):
        """With `tolerance: limit` the bracket is one unit in the last place, and the exact limit is inside it. In space the
        speed at the start is rounded itself: the limit is in the bracket or beside it."""
        rows = (("compliant", "sphere, law: linear", lambda v, held: v - held, 0),
                ("compliant", "sphere, law: coupled", lambda v, held: 3 * v - 2 * held, 0),
                ("compliant", "sphere, law: hertz", lambda v, held: v ** 3 - held ** 2, 0),
                ("continuum", "sphere", lambda v, held: v - held, 0),
                ("compliant3d", "sphere3d", lambda v, held: v - held, 2))
        source = np.random.default_rng(73)
        for theory, chosen, beyond, beside in rows:
            frictions, eta = source.uniform(0.2, 0.4, 12), source.uniform(1.1, 1.3)
            data = self.made(f"""model: {theory}
choose: {{body: {chosen}}}
axes: [{{param: friction, values: {frictions.tolist()}}}]
fixed: {{stiffness_ratio: {eta!r}{", heading: 0" if beside else ""}}}
search:
  over: {{param: velocity_ratio, from: 0.1, to: 0.75, samples: 40}}
  find: boundary
  of: mode
  in: {STICK_FIRST}
  tolerance: limit
""")
            assert data.root_count.values.tolist() == [1] * 12, chosen
            for friction, root, bracket in zip(frictions, data.root.values[:, 0], data.root_bracket.values[:, 0]):
                above = np.nextafter(root, 1)
                assert bracket == above - root, chosen
                held = Fraction(friction) * Fraction(eta)
                assert beyond(Fraction(root - beside * bracket), held) < 0, (chosen, friction, root)
                assert beyond(Fraction(above + beside * bracket), held) > 0, (chosen, friction, root)

    def test_the_critical_angle_by_the_sequence_of_the_wedge(self):
        mu, eta = np.array([0.3, 0.6, 1.0]), 1.21
        b = 1 + 3 * eta * mu ** 2
        critical = np.arctan(2 * mu / (b + np.sqrt(b * b + 4 * eta * mu ** 2)))
        for aim in ("find: target\n  of: sequence\n  value: slip- stick slip+ stick", "find: target\n  of: mode\n  value: wedge",
                    "find: boundary\n  of: sequence\n  in: slip- stick slip+ stick"):
            data = self.made(f"""model: compliant
choose: {{body: pendulum}}
axes: [{{param: friction, values: {mu.tolist()}}}]
fixed: {{stiffness_ratio: {eta}}}
search:
  over: {{param: angle, from: 1 deg, to: 50 deg, samples: 40}}
  {aim}
""")
            np.testing.assert_allclose(data.root.values[:, 0], critical, rtol=1e-9, err_msg=aim)
            assert data.root_count.values.tolist() == [1, 1, 1]


class Values(Case):
    """Every place where an output takes a value, at the ends of the range, along a plateau and where it only touches it."""

    def roots(self, choose, fixed, over, of, value):
        data = self.made(f"""model: rigid
choose: {{body: sphere, law: newton}}
axes: [{choose}]
fixed: {{{fixed}}}
search: {{over: {{{over}}}, find: target, of: {of}, value: {value}}}
""")
        assert data.root_flag.attrs["flag_meanings"].split()[int(data.root_flag[0])] == "complete"
        n = int(data.root_count[0])
        sides = data.root_side.attrs["flag_meanings"].split()
        return [(float(root), sides[int(side)]) for root, side in zip(data.root.values[0, :n], data.root_side.values[0, :n])]

    @pytest.mark.parametrize("of, value, start, end, wanted", [
        ("kinematic_restitution", 0, 0, 1, (0, "rises")), ("kinematic_restitution", 1, 0, 1, (1, "rises")),
        ("kinematic_restitution", .5, 0, .5, (.5, "rises")), ("kinematic_restitution", .5, .5, 1, (.5, "rises")),
        ("energy_loss", 0, .5, 1, (1, "falls")), ("energy_loss", 1, 0, 1, (0, "falls")),
        ("energy_loss", .75, 0, .5, (.5, "falls")), ("energy_loss", .75, .5, 1, (.5, "falls"))])
    def test_at_an_end_of_the_range(self, of, value, start, end, wanted):
        found = self.roots("{param: mass, values: [1]}", "friction: 0, velocity_ratio: 0", f"param: restitution, from: {start}, to: {end}",
                           of, value)
        assert [side for _, side in found] == [wanted[1]]
        assert abs(found[0][0] - wanted[0]) < 2e-8, "a parabola has its value up to there in floating point"

    @pytest.mark.parametrize("of, value, start, end, wanted", [
        ("velocity_ratio_out", 0, -14, 14, [(-7, "rises"), (7, "rises")]), ("velocity_ratio_out", 0, 0, 14, [(0, "stays"), (7, "rises")]),
        ("velocity_ratio_out", 0, -14, 0, [(-7, "rises"), (0, "stays")]), ("energy_loss", 0, -7.5, 5, [(0, "falls"), (0, "rises")]),
        ("kinematic_restitution", 1, 0, 8, [(0, "stays"), (8, "stays")]), ("kinematic_restitution", .5, 0, 8, [])])
    def test_of_a_plateau_and_a_touch(self, of, value, start, end, wanted):
        over = f"param: velocity_ratio, from: {start}, to: {end}, samples: 101"
        found = self.roots("{param: restitution, values: [1]}", "friction: 1", over, of, value)
        assert [side for _, side in found] == [side for _, side in wanted]
        np.testing.assert_allclose([root for root, _ in found], [root for root, _ in wanted], atol=1e-10)

    def test_of_a_plateau_that_rounding_makes_rough(self):
        """Springs without losses give the restitution 1, but for the last digits."""
        data = self.made("""model: compliant
choose: {body: sphere, law: linear}
axes: [{param: stiffness_ratio, values: [1.2]}]
fixed: {restitution: 1, velocity_ratio: 0.5}
search: {over: {param: friction, from: 0, to: 1, samples: 101}, find: target, of: kinematic_restitution, value: 1}
""")
        assert int(data.root_count[0]) == 2
        assert data.root.values[0, :2].tolist() == [0, 1]


class Flow(Case):
    def test_ranks_chunks_and_parts_leave_no_trace(self):
        self.check_digests(CRITICAL, [(0,), (1, "--chunk", "7"), (2,), (5, "--chunk", "50"),
                                      (2, "--set", "write=parallel")], parts=3)

    def test_killed_and_resumed(self):
        self.check_resume(CRITICAL, "--chunk", "10")

    def test_another_search_is_another_configuration(self):
        self.run_config(CRITICAL, "map.h5")
        for old, new in (("[wedge]", "[wedge, gross_stick]"), ("samples: 64", "samples: 65"),
                         ("89.99 deg", "89.98 deg"), ("[wedge]\n", "[wedge]\n  max_roots: 3\n"),
                         ("[wedge]\n", "[wedge]\n  tolerance: limit\n")):
            assert old in CRITICAL
            self.write("y.yaml", CRITICAL.replace(old, new, 1))
            said = self.bad("run", "y.yaml", "-o", "map.h5", "--resume", code=BAD_INPUT)
            assert "search: the file has boundary of mode in wedge, over angle" in said

    def test_a_bad_search_writes_nothing(self):
        self.write("x.yaml", CRITICAL.replace("wedge", "wegde"))
        before = self.files()
        assert "x.yaml:10:8: error: unknown mode 'wegde' (did you mean 'wedge'?)" in self.bad("run", "x.yaml", "-o",
                                                                                              "map.h5")
        assert self.files() == before

    def test_float32_leaves_roots_whole(self):
        data = self.made(CRITICAL)
        assert (data.root.dtype, data.energy_loss.dtype) == (np.float64, np.float32)
        assert data.root.attrs["units"] == "rad"
        assert data.root.dims == ("stiffness_ratio", "friction", "root_number")
        assert data.root_side.attrs["flag_meanings"] == "none enters leaves rises falls stays"
        mu, eta = data.friction, data.stiffness_ratio
        b = 1 + 3 * eta * mu ** 2
        exact = np.arctan(2 * mu / (b + np.sqrt(b ** 2 + 4 * eta * mu ** 2)))
        np.testing.assert_allclose(data.root.isel(root_number=0), exact.transpose(
            "stiffness_ratio", "friction"), atol=1e-11, rtol=0)
        assert (data.root_count == 1).all()


class Places(Case):
    """The outputs at a place that was found are those of `cell` there."""

    def words(self, point, **more):
        body = point.body.attrs["flag_meanings"].split()[int(point.body)]
        words = [f"body={body}", "poisson_ratio=0.3"]
        words += ["inertia_coupling=0.7"] if body == "general" else []
        names = {"friction": float(point.friction)}
        if "velocity_ratio" in point.coords:
            names["velocity_ratio"] = float(point.velocity_ratio)
        return words + [f"{name}={value!r}" for name, value in (names | more).items()]

    def check(self, point, cell):
        for name in ("kinematic_restitution", "energy_loss", "duration", "tangential_impulse"):
            stored = float(point[name])
            assert cell[name] == (None if np.isnan(stored) else stored), name

    def test_roots_of_two_bodies(self):
        data, found = self.made(SEVERAL, ranks=2), 0
        for index in np.ndindex(data.outcome.shape):
            point = data.isel(dict(zip(data.outcome.dims, index)))
            for k in range(int(min(point.root_count, 4))):
                at = point.isel(root_number=k)
                cell = self.cell("compliant", *self.words(at, angle=float(at.root)))
                self.check(at, cell)
                assert cell["kinematic_restitution"] == pytest.approx(1.05, abs=1e-9)
                found += 1
        assert found > 10

    def test_an_extreme_over_two_parameters(self):
        data = self.made(LARGEST)
        for k in range(3):
            at = data.isel(friction=k)
            angle, ratio = float(at.at_angle), float(at.at_velocity_ratio)
            cell = self.cell("compliant", *self.words(at, angle=angle, velocity_ratio=ratio))
            self.check(at, cell)
            assert float(at.extreme) == cell["energy_loss"]
        # No cell is better in a map with as many points as the search has samples.
        cells = self.made(LARGEST[:LARGEST.index("search")].replace(
            "axes: [", "axes: [{param: angle, from: -89 deg, to: 89 deg, points: 121},"
            "{param: velocity_ratio, from: -2, to: 2, points: 121},"))
        best = cells.energy_loss.max(["angle", "velocity_ratio"])
        assert (data.extreme.values >= best.values).all()
        np.testing.assert_allclose(data.extreme, best, atol=2e-3)
