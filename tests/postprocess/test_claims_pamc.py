"""What PAMC says about its extremes and its linear springs, and the time step that its numbers show."""
import os

from claims import Claims, share

import numpy as np
import pytest

import impactsweep
import schemes

FRICTIONS = (0.25, 0.5, 0.75, 1)
STIFFNESS_RATIO = 1.7 / 1.4
PSI = np.linspace(0.02, 7, 700)


class Pamc(Claims):
    SOURCE = "pamc"

    def test_the_kinetic_restitution_is_below_one_at_the_largest_restitutions_only(self):
        angles = np.radians(np.linspace(0.5, 67.5, 135))[:, None]
        ratios = np.tan(np.linspace(0.005, 1.4, 280))[None, :]
        largest, smallest = [], []
        for friction in FRICTIONS:
            above, below = (impactsweep.solve("compliant", body="capsule", slenderness=5, angle=sign * angles,
                                              velocity_ratio=ratios, friction=friction, poisson_ratio=0.28)
                            for sign in (1, -1))
            self.check_extremes(above, np.argmax, 1)
            self.check_extremes(below, np.argmin, -1)
            largest.append(above.kinetic_restitution.values)
            smallest.append(below.kinetic_restitution.values)
        self.says("figure 26", f"up to {np.max(largest):.3f}", share(largest[-1] > 1),
                  f"down to {np.min(smallest):.3f}")

    def check_extremes(self, data, choose, sign):
        """At each angle whose extreme restitution is not 1."""
        restitution, kinetic = data.kinematic_restitution.values, data.kinetic_restitution.values
        at = (np.arange(len(restitution)), choose(restitution, axis=1))
        reached = abs(restitution[at] - 1) > 1e-6
        assert np.count_nonzero(reached) > 20
        assert np.all(sign * (1 - kinetic[at][reached]) > 0)

    def restitution(self, angle, friction, ratio=1e6):
        return impactsweep.solve("compliant", body="general", inertia_coupling=0.8, angle=angle, friction=friction,
                                 poisson_ratio=0.28, velocity_ratio=ratio).kinematic_restitution.values

    def test_restitution_is_unbounded_at_one_angle_only_with_friction_three_quarters(self):
        angle = np.arctan(0.75) / 2
        near, at, far = self.restitution([0.30, angle, 0.34], 0.75)
        np.testing.assert_allclose([near, far], 1, atol=1e-9)
        assert self.restitution(angle, 0.75, 1e8) / at == pytest.approx(10, abs=0.1)
        assert at == pytest.approx(1.1e3, abs=50)
        self.says("figure 45", f"{angle:.4f}", "1.1e3", "1 at 0.30 and 0.34")

    def test_restitution_is_unbounded_on_a_range_with_friction_1(self):
        """Where normal and tangential forces of slip press the body down: 1 - L cos - L sin of twice the angle < 0."""
        middle, half = np.pi / 8, np.arccos(1 / (0.8 * np.sqrt(2))) / 2
        outside, inside = (self.restitution([middle - half + shift, middle + half - shift], 1)
                           for shift in (-0.002, 0.002))
        np.testing.assert_allclose(outside, 1, atol=1e-9)
        assert min(inside) > 1e3
        greatest = self.restitution(np.linspace(0.15, 0.63, 481), 1).max()
        assert greatest / 3.2e5 == pytest.approx(1, abs=0.01)
        self.says("figure 45", f"{middle - half:.3f} to {middle + half:.3f}", "3.2e5")

    def psi_2(self, theory, **choices):
        """The rebound of the sphere over PSI, in Maw's angle."""
        cells = impactsweep.solve(theory, body="sphere", friction=0.5, poisson_ratio=0.3,
                                  velocity_ratio=PSI * 0.5 * STIFFNESS_RATIO, **choices)
        return cells.velocity_ratio_out.values / (0.5 * STIFFNESS_RATIO)

    def test_linear_springs_differ_from_maw_beyond_the_range_of_the_thesis(self):
        difference = abs(self.psi_2("compliant") - self.psi_2("continuum"))
        visible = PSI[difference > 0.05]
        assert difference[PSI > 2.5].max() < 0.024
        assert difference[PSI > 4.765].max() < 1e-12
        self.says("figure 14", f"from psi1 = {visible.min():.2f} to {visible.max():.1f}",
                  f"{PSI[difference.argmax()]:.1f}", f"{difference.max():.3f}")

    def test_the_other_laws_differ_from_maw_more_than_linear_springs(self):
        """The thesis sees no significant difference."""
        maw, words = self.psi_2("continuum"), []
        for law in ("coupled", "hertz"):
            difference = abs(self.psi_2("compliant", law=law) - maw)
            words += [f"{difference.max():.2f}", f"{PSI[difference.argmax()]:.2f}"]
        self.says("figure 23", *words, f"by {abs(self.psi_2('compliant') - maw).max():.2f}")

    def test_the_time_step_that_the_printed_works_show(self):
        """The scheme converges to the program's cells in first order, and has the printed digits at its step."""
        configs = os.path.join(os.path.dirname(impactsweep.__file__), "..", "..", "configs", "validation")
        cases = schemes.pamc_time_steps(configs)
        inputs = {name: cases[name].values for name in ("friction", "inertia_coupling", "angle", "velocity_ratio")}
        exact = impactsweep.solve("compliant", body="general", poisson_ratio=0.28, **inputs)
        np.testing.assert_allclose(exact.energetic_restitution, 1, atol=1e-12)
        errors = []
        for step in (4e-3, 2e-3):
            rows = [schemes.pamc_contact(**dict(zip(inputs, row)), step=step) for row in zip(*inputs.values())]
            assert max(abs(row["kinematic_restitution"] - e) for row,
                       e in zip(rows, exact.kinematic_restitution.values)) < 1e-3
            errors.append([1 - row["energetic_restitution_squared"] for row in rows])
        np.testing.assert_allclose(np.divide(*errors), 2, atol=0.05)
        self.check_words(cases)

    def check_words(self, cases):
        at = {case: row for row, case in enumerate(("A", "C", "A'", "C'", "B", "D", "B'", "D'"))}
        for item, names in (("table 2", "ABCD"), ("table 3", ("A'", "B'", "C'", "D'"))):
            rows = [at[name] for name in names]
            self.says(item, *(f"{cases.energetic_restitution_squared.values[row]:.4f}" for row in rows))
            self.says(item, "by these steps", *(f"{cases.kinetic_restitution.values[row]:.3f}" for row in rows))


del Claims  # has no source of its own
