"""What Birlik 2012 says about pendulums that stick or wedge, and about the classical result."""

from claims import Claims

import numpy as np

import impactsweep

STIFFNESS_RATIO = 1.21


def pendulum(theory="compliant", **inputs):
    return impactsweep.solve(theory, body="pendulum", **inputs)


class Birlik2012(Claims):
    SOURCE = "birlik2012"

    def test_a_pendulum_that_starts_stuck_stays_stuck(self):
        """It starts stuck where the tangential spring holds it: cot(angle) < friction times a power of the ratio."""
        angles, frictions = np.radians(np.linspace(0.1, 89.9, 400))[:, None], np.linspace(0.005, 1.5, 300)[None, :]
        started = stayed = 0
        for law, limit in (("linear", frictions * STIFFNESS_RATIO), ("coupled", 2 / 3 * frictions * STIFFNESS_RATIO),
                           ("hertz", (frictions * STIFFNESS_RATIO) ** (2 / 3))):
            cells = pendulum(law=law, angle=angles, friction=frictions, stiffness_ratio=STIFFNESS_RATIO)
            stuck = np.tan(angles) * limit > 1
            started += np.count_nonzero(stuck)
            stayed += np.count_nonzero(stuck & (cells.sequence.values == "stick"))
        self.says("figure 4.5", f"{stayed:,} of {started:,} cells")

    def test_equation_4_69_is_the_law_of_poisson_and_its_limit_the_energetic_one(self):
        """-(T - friction) / (T + friction) with T = tan(angle), and the square root of it."""
        angles, frictions = np.radians([10, 30, 60]), np.array([0.1, 0.3, 0.5])
        equation = (np.tan(angles) - frictions) / (np.tan(angles) + frictions)
        poisson, energetic = (pendulum("rigid", law=law, angle=angles, friction=frictions,
                                       restitution=1).kinematic_restitution.values
                              for law in ("poisson", "energetic"))
        np.testing.assert_allclose(poisson, equation, rtol=1e-12)
        np.testing.assert_allclose(energetic, np.sqrt(equation), rtol=1e-12)
        limit = pendulum(angle=angles, friction=frictions, stiffness_ratio=1e-10).kinematic_restitution.values
        np.testing.assert_allclose(limit, energetic, atol=1e-8)
        self.says("figure 4.13", f"{limit[1]:.5f}", f"{equation[1]:.5f}")

    def test_speeds_of_figure_4_13(self):
        at = dict(angle="30 deg", friction=0.5)
        compliant = pendulum(stiffness_ratio=[1.21, 0.1, 0.01, 0.001], **at).kinematic_restitution.values
        energetic, poisson = (pendulum("rigid", law=law, restitution=1, **at).kinematic_restitution.item()
                              for law in ("energetic", "poisson"))
        self.says("figure 4.13", *(f"{value:.3f}" for value in [*compliant, energetic, poisson]))

    def test_windows_of_friction_in_which_the_pendulum_wedges(self):
        for item, angle, ratio, ends in (("figure 4.16", 13, 1.21, ("0.3683", "0.7480")),
                                         ("figure 4.17", 26, 0.01, ("0.4925", "67.7"))):
            half = [0.5 * 10.0 ** -len(text.split(".")[1]) for text in ends]
            low, high = map(float, ends)
            cells = pendulum(angle=f"{angle} deg", stiffness_ratio=ratio,
                             friction=[low - half[0], low + half[0], high - half[1], high + half[1]])
            assert list(cells["mode"].values == "wedge") == [False, True, True, False]
            self.says(item, *ends)

    def test_speeds_and_durations_of_figures_4_7_and_4_8(self):
        body = dict(length=0.1, radius=0.005, stiffness_ratio=STIFFNESS_RATIO)
        rough = pendulum(angle="30 deg", friction=[0.1, 0.3, 0.5, 0.8, 1], **body)
        self.says("figure 4.7", *(f"{value:.2f}" for value in rough.duration.values),
                  *(f"{value:.4f}" for value in rough.kinematic_restitution.values))
        leaning = pendulum(angle=np.radians([20, 30, 50]), friction=0.5, **body)
        self.says("figure 4.8", *(f"{value:.4f}" for value in leaning.kinematic_restitution.values),
                  *(f"{value:.2f}" for value in leaning.duration.values))

    def test_the_least_speeds_of_figure_4_11_are_at_the_greatest_losses(self):
        frictions = np.linspace(0, 1.5, 3001)
        for angle in (30, 45, 60):
            cells = pendulum(angle=f"{angle} deg", friction=frictions, stiffness_ratio=STIFFNESS_RATIO)
            speeds, losses = cells.kinematic_restitution.values, cells.energy_loss.values
            assert speeds.argmin() == losses.argmax()
            self.says("figure 4.11", f"{speeds.min():.3f} (", f"{100 * losses.max():.1f} %")


del Claims  # has no source of its own
