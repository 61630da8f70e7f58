"""What the beam paper of 2024 says about speed and duration, and the error of its energy."""

from claims import Claims, share
from support import needs_beam
import numpy as np

import impactsweep

POSITIONS = {"param": "position", "from": 0.2, "to": 1, "points": 400}


@needs_beam
class Beam2024(Claims):
    SOURCE = "beam2024"

    def test_the_duration_does_not_depend_on_the_speed_on_average_only(self):
        cells = impactsweep.run({"model": "beam", "outputs": ["duration", "impulse", "sub_impacts"],
                                 "axes": [{"param": "angular_velocity", "values": [-4, -8]}, POSITIONS]})
        slow, fast = cells.duration.values
        assert abs(np.mean(fast / slow - 1)) < 0.01
        changed = abs(fast / slow - 1) > 0.1
        other = np.diff(cells.sub_impacts.values, axis=0)[0] != 0
        assert np.mean(other[changed]) > 0.8
        assert np.all(cells.impulse.values[1] > 1.5 * cells.impulse.values[0])
        self.says("figure 4", "less than 1 %", share(changed), "more than 10 %")

    def test_numbers_of_the_damped_and_of_the_undamped_scheme(self):
        free, damped = (impactsweep.run({"model": "beam", "choose": {"solver": "newmark"},
                                         "fixed": {"position": 0.68, "internal_damping": damping}})
                        for damping in (0, 1e6))
        left = 100 * (damped.rigid_energy + damped.vibration_energy).item()
        self.says("figure 6", f"({free.relative_velocity_out.item():.5f};", f"{100 - left:.2f} %",
                  f"({100 * damped.energy_loss.item():.2f} %", f"({100 * free.residual.item():.2f} %")

    def test_the_energy_of_the_converged_motion(self):
        cells = impactsweep.run({"model": "beam", "outputs": ["residual"], "axes": [POSITIONS]})
        assert cells.residual.values.max() < 1.3e-7
        self.says("figure 3", "1.2 %", "1.18 %", "1.3e-7")


del Claims  # has no source of its own
