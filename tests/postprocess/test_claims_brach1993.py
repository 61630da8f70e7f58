"""What Brach 1993 says about friction beyond its limit, and where its misprints come from."""

from claims import Claims

import numpy as np

import impactsweep

# Least frictions as printed, by velocity ratio and damping: slip that ends in stick, and slip that turns back.
STICKS = {(0, 0): 0.5975, (0, 1.61): 0.5905, (0, 20): 0.5968,
          (0.2, 0): 0.5987, (0.2, 1.58): 0.5993, (0.2, 20): 0.6019,
          (0.6, 0): 0.5908, (0.6, 1.31): 0.5899, (0.6, 20): 0.5950,
          (-1, 0): 0.8555, (-1, 1.49): 0.9120, (-1, 20): 0.9882}
TURNS = {(0, 1.61): 0.5888, (0.6, 1.21): 0.5481}


def simulated(ratio, damping, friction):
    """Ratios of the impulses of the simulation, one for each friction."""
    return impactsweep.solve("viscoelastic", velocity_ratio=ratio, friction=friction,
                             damping=damping).impulse_ratio_out.values


def theory(ratio, restitution, impulse_ratio):
    """A row of tables 5 and 7: impulse, final velocity, angular velocity in degrees, loss in percent."""
    cell = impactsweep.solve("rigid", body="rod", law="impulse_ratio", angle="-45 deg", velocity_ratio=ratio,
                             restitution=restitution, impulse_ratio=impulse_ratio)
    return {"impulse": cell.normal_impulse.item(), "velocity": cell.velocity_ratio_out.item(),
            "spin": -np.degrees(cell.angular_velocity.item()), "loss": 100 * cell.body_energy_loss.item()}


class Brach1993(Claims):
    SOURCE = "brach1993"

    def test_friction_beyond_the_limit_changes_the_ratio_of_the_impulses(self):
        backward, forward = simulated(-1, 0, [0.8555, 1, 10]), simulated(0.6, 0, [0.5908, 1, 10])
        self.says("table 6", f"{backward[0]:.3f}", "0.8555", *(f"{value:.3f}" for value in backward[1:]),
                  *(f"{value:.3f}" for value in forward))

    def test_at_the_velocities_of_table_4_it_hardly_does(self):
        printed = {case: least for case, least in STICKS.items() if case[0] in (0, 0.2)}
        changes = [np.ptp(simulated(*case, [least, 1, 10])) for case, least in printed.items()]
        self.says("table 4", f"at most {max(changes):.4f}")

    def test_the_printed_least_frictions_have_the_printed_outcome(self):
        for (ratio, damping), friction in STICKS.items():
            cell = impactsweep.solve("viscoelastic", velocity_ratio=ratio, damping=damping, friction=friction)
            assert cell["mode"].item() == "slip_stick"
        for (ratio, damping), friction in TURNS.items():
            cell = impactsweep.solve("viscoelastic", velocity_ratio=ratio, damping=damping, friction=friction)
            assert cell.sequence.item().endswith("slip- slip+")

    def test_impulses_of_table_7_by_the_next_multiple_of_a_twentieth(self):
        for printed, ratio, restitution, wrong in (("0.732", 0.6, 0.5, 0.30), ("0.433", 0.6, 0.05, 0.05),
                                                   ("1.633", -1, 1, 0.85), ("1.395", -1, 0.5, 0.95)):
            assert f"{theory(ratio, restitution, wrong)['impulse']:.3f}" == printed
            self.says("table 7", printed, f"({wrong:.2f} for")
        twentieths = [f"{theory(0.6, 0.05, step / 20)['impulse']:.3f}" for step in range(21)]
        assert "0.569" not in twentieths

    def test_numbers_of_table_5_follow_from_wrong_ratios(self):
        """Printed: 1.101, -0.2, 145.6, 0.0; 103.7 and 33.3; 0.580 and 76.0."""
        row = theory(0.2, 1, 0.456)
        assert (f"{row['impulse']:.3f}", f"{row['velocity']:.1f}", f"{row['spin']:.1f}") == ("1.101", "-0.2", "145.6")
        assert f"{abs(row['loss']):.1f}" != "0.0"
        row = theory(0.2, 0.5, 0.504)
        assert (f"{row['spin']:.1f}", f"{row['loss']:.1f}") == ("103.7", "33.3")
        row = theory(0.2, 0.05, 0.460)
        assert f"{row['impulse']:.3f}" == "0.580"
        assert f"{row['spin']:.1f}" != "76.0"
        self.says("table 5", "0.456 for 0.4545", "0.504", "0.460")


del Claims  # has no source of its own
