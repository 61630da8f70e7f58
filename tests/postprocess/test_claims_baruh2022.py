"""What Baruh 2022 says about maps of a rod, beside these maps."""

from claims import Claims, share

import numpy as np
import pytest

import impactsweep

DIFFERENT = 1e-9
ANGLES = np.radians(np.linspace(-90, 90, 361))[:, None]
RATIOS = np.linspace(0, 3, 301)[None, :]


def rod(law, friction, restitution=0.6, angles=ANGLES, ratios=RATIOS):
    """The maps of figures 2 to 6, each output as an array."""
    return impactsweep.solve("rigid", body="rod", law=law, angle=angles, velocity_ratio=ratios,
                             friction=friction, restitution=restitution)


class Baruh2022(Claims):
    SOURCE = "baruh2022"

    def test_a_grid_has_the_printed_extremes_cut_off(self):
        angles, ratios = np.radians(np.linspace(-90, 90, 181))[:, None], np.linspace(0, 3, 51)[None, :]
        energetic = rod("energetic", 0.7, angles=angles, ratios=ratios).lambda_poisson.values
        poisson = rod("poisson", 0.7, angles=angles, ratios=ratios).lambda_energetic.values
        found = [energetic.max(), energetic.min(), poisson.max(), poisson.min()]
        assert [int(100 * value) for value in found] == [149, 78, 127, 67]
        self.says("extremes in the text", *(f"{value:.4f}" for value in found))

    def test_single_impacts_change_with_the_coefficient_and_extremes_do_not(self):
        changes = []
        for friction in (0.4, 0.7):
            first, second = (rod("energetic", friction, e).lambda_poisson.values for e in (0.4, 0.8))
            assert first.max() == pytest.approx(second.max(), abs=1e-3)
            assert first.min() == pytest.approx(second.min(), abs=1e-3)
            changes.append(abs(first - second))
        self.says("tables 2 and 4", share(changes[0] > DIFFERENT), *(f"{change.max():.3f}" for change in changes))

    def test_velocity_ratios_rise_with_friction_on_part_of_the_map(self):
        low, high = (rod("compromise", friction) for friction in (0.4, 0.7))
        before, after = low.lambda_newton.values, high.lambda_newton.values
        less = high.body_energy_loss.values > low.body_energy_loss.values + DIFFERENT
        self.says("figure 6", share(after > before + DIFFERENT), share(after < before - DIFFERENT),
                  f"{before.mean():.3f}", f"{after.mean():.3f}", f"{before.max():.2f}", f"{after.max():.2f}",
                  f"{before.min():.2f}", f"{after.min():.2f}", share(less))
        wide, narrow = (abs(data.lambda_poisson.values - 1) > DIFFERENT for data in (high, low))
        assert np.count_nonzero(wide) > np.count_nonzero(narrow), "the band is wider"

    def distances(self, friction):
        """How far lambda_newton of the compromise is from that of each law where the laws differ."""
        compromise, poisson, energetic = (rod(law, friction).lambda_newton.values
                                          for law in ("compromise", "poisson", "energetic"))
        differ = abs(poisson - energetic) > DIFFERENT
        return abs(compromise - poisson), abs(compromise - energetic), differ

    def test_the_compromise_is_nearer_to_poisson_at_the_lower_friction(self):
        poisson, energetic, differ = self.distances(0.4)
        self.says("figure 5", share(poisson[differ] < energetic[differ]), f"{poisson.mean():.4f}",
                  f"{energetic.mean():.4f}")
        poisson, energetic, differ = self.distances(0.7)
        assert np.sqrt((poisson ** 2).mean()) > np.sqrt((energetic ** 2).mean())
        self.says("figure 6", f"{poisson.max():.3f}", f"{energetic.max():.3f}")

    def largest(self, **changes):
        """The largest lambda_poisson under the energetic law, by a search over the angle and another parameter."""
        over = changes.pop("over")
        config = {"model": "swerve", "choose": {"body": "rod3d", "law": "energetic"},
                  "axes": [{"param": "friction", "values": [0.4, 0.8]}, *changes.pop("axes", [])],
                  "fixed": changes,
                  "search": {"over": [{"param": "angle", "from": "-85 deg", "to": "85 deg", "samples": 35}, over],
                             "find": "maximum", "of": "lambda_poisson", "tolerance": 1e-6}}
        return impactsweep.run(config).extreme.values

    def test_a_rod_in_space_has_the_extremes_of_the_plane(self):
        ratios = {"param": "velocity_ratio", "from": 0.1, "to": 3, "samples": 30}
        axes = [{"param": "heading", "values": ["0 deg", "45 deg", "90 deg"]},
                {"param": "restitution", "values": [0.4, 0.8]}]
        found = self.largest(over=ratios, axes=axes)
        plane = [rod("energetic", friction).lambda_poisson.values.max() for friction in (0.4, 0.8)]
        np.testing.assert_allclose(found[:, 0, 0], plane, atol=4e-3)
        np.testing.assert_allclose(found[:, 0, 0], found[:, 0, 1], atol=1e-6)
        self.says("table 3", *(f"{value:.3f}" for value in [*found[:, 0, 0], *found[0, 1], *sorted(found[1, 1]),
                                                            *found[0, 2], *sorted(found[1, 2])]))

    def test_a_velocity_ratio_held_at_one_half_has_other_extremes(self):
        heading = {"param": "heading", "from": "0 deg", "to": "180 deg", "samples": 25}
        found = self.largest(over=heading, restitution=0.6, velocity_ratio=0.5)
        self.says("table 3", *(f"{value:.3f}" for value in found))

    def test_newtons_ratio_differs_most_in_five_of_six_single_impacts(self):
        most = []
        for ratio in (0.5, 1):
            for law in ("poisson", "energetic", "compromise"):
                cell = rod(law, 0.7, angles=np.radians(-40), ratios=ratio)
                newton, poisson, energetic = (cell[f"lambda_{name}"].item()
                                              for name in ("newton", "poisson", "energetic"))
                assert abs(newton - 1) > 0.2
                most.append(abs(newton - 1) > max(abs(poisson - 1), abs(energetic - 1)))
                if not most[-1]:
                    assert (ratio, law) == (1, "energetic")
                    self.says("tables 5 and 6", f"{newton:.3f}", f"{poisson:.3f}")
        assert sum(most) == 5


del Claims  # has no source of its own
