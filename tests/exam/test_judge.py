"""The judge of the exam finds our own laws, and every fault that an engine may have; the adapters keep to their limits."""
import glob
import os

import numpy as np
import pytest

os.environ.setdefault("IMPACTSWEEP_LIBRARY", os.path.join(os.environ["IMPACT_BUILD"], "libimpact.so"))
import algebraic
import exact
import judge
import scenes

OF = scenes.columns(scenes.read())
LAWS = exact.every(OF)


def changed(law, **outputs):
    return {**LAWS[law], **outputs}


class Scenes:
    def test_the_file_is_what_the_script_makes(self):
        assert scenes.read() == scenes.make()

    def test_contacts_are_the_lowest_points_and_inverse_masses_those_of_the_plane(self):
        x, y = scenes.contacts(OF)
        assert (y < 0).all() and np.isfinite(x).all()
        matrices, planar = scenes.inverse_masses(OF), OF["body"] != "capsule"
        third = np.array([scenes.SHAPES[body]["inertia"][2] for body in OF["body"]])
        assert np.allclose(matrices[:, 0, 0], 1 + y**2 / third) and np.allclose(matrices[:, 1, 1], 1 + x**2 / third)
        assert np.allclose(matrices[:, 0, 1], -x * y / third) and planar.sum() == 180


class Laws:
    @pytest.mark.parametrize("law", LAWS)
    def test_each_law_is_found_in_all_of_its_scenes(self, law):
        found = judge.judge(OF, LAWS[law], LAWS)
        assert (found.law, found.close, found.near, found.decisive, found.answered) == (law, 1, 1, 1, len(OF["body"]))
        assert found.beyond_cone < 1e-12 and found.reversed_spins == found.missing_spins == 0
        assert all(found.shares[other] < 0.9 for other in LAWS if other != law)

    def test_newtons_law_creates_energy_and_the_others_none(self):
        gained = {law: judge.judge(OF, LAWS[law], LAWS).energy_gained for law in exact.LAWS}
        assert gained["newton"] > 0.05 and gained["poisson"] < 1e-12 and gained["energetic"] < 1e-12

    def test_energy_and_spin_follow_from_impulses(self):
        law = LAWS["newton"]
        spin, energy = exact.motions(OF, judge.velocity_of(law))
        assert (spin == law["spin_out"]).all() and (energy == law["energy_kept"]).all()
        smooth = OF["friction"] == 0
        impulse = exact.impulses(OF, judge.velocity_of(law))
        assert smooth.any() and np.abs(impulse[::2, smooth]).max() < 1e-12 and (impulse[1] > 0).all()


class FinalSlip:
    """The laws whose friction knows the final slip alone."""

    @pytest.mark.parametrize("law", exact.FINAL)
    def test_the_disc_and_bodies_without_friction_are_those_of_the_theories(self, law):
        same = (OF["body"] == "disc") | (OF["friction"] == 0)
        for name in ("normal_velocity", "velocity_t", "velocity_s", "spin_out", "energy_kept"):
            assert np.allclose(LAWS[law][name][same], LAWS[law.partition(",")[0]][name][same], atol=1e-9), name

    def test_newton_has_his_restitution_and_friction_opposes_the_final_slip(self):
        found = LAWS["newton, final slip"]
        impulse = exact.impulses(OF, judge.velocity_of(found))
        assert np.allclose(found["normal_velocity"], OF["restitution"], atol=1e-12)
        slip, friction, limit = np.array([found["velocity_t"], found["velocity_s"]]), impulse[[0, 2]], OF["friction"] * impulse[1]
        slides = np.hypot(*slip) > 1e-9
        assert np.allclose(friction[:, slides], -limit[slides] * slip[:, slides] / np.hypot(*slip[:, slides]), atol=1e-8)
        assert (np.hypot(*friction) <= limit + 1e-9).all() and 20 < slides.sum() < 230

    def test_poissons_second_phase_has_its_share_of_the_normal_impulse(self):
        for e in (0, 0.4, 1):
            b, u = np.diag([3.5, 1, 3.5]) + 0.2, np.array([2.0, -1, 0.5])
            first, both = algebraic.poisson(b, u, 0.3, 0), algebraic.poisson(b, u, 0.3, e)
            assert both[1] == pytest.approx((1 + e) * first[1], rel=1e-12) and abs((u + b @ first)[1]) < 1e-12


class Faults:
    """Mutations of the answers of a law, each of which the judge must find."""

    def test_a_wrong_restitution(self):
        found = judge.judge(OF, changed("newton", normal_velocity=LAWS["newton"]["normal_velocity"] + 0.1), LAWS)
        assert found.near < 0.5 and found.distance > 0.02

    def test_answers_within_the_wider_limit_only(self):
        found = judge.judge(OF, changed("newton", velocity_t=LAWS["newton"]["velocity_t"] + 0.005), LAWS)
        assert found.law == "newton" and found.close == 0 and found.near == 1

    def test_energy_from_nothing(self):
        energy = LAWS["poisson"]["energy_kept"].copy()
        energy[17] = 1.25
        assert abs(judge.judge(OF, changed("poisson", energy_kept=energy), LAWS).energy_gained - 0.25) < 1e-12

    def test_more_friction_than_coulomb_allows(self):
        along = LAWS["energetic"]["velocity_t"].copy()
        along[OF["friction"] == 0] += 0.3
        assert judge.judge(OF, changed("energetic", velocity_t=along), LAWS).beyond_cone > 0.1

    def test_reversed_and_missing_spins(self):
        other_way = judge.judge(OF, changed("newton", spin_out=2 * OF["spin"] - LAWS["newton"]["spin_out"]), LAWS)
        none = judge.judge(OF, changed("newton", spin_out=OF["spin"]), LAWS)
        assert (other_way.reversed_spins, other_way.missing_spins) == (1, 0)
        assert (none.reversed_spins, none.missing_spins) == (0, 1)

    def test_scenes_without_an_answer(self):
        normal = LAWS["newton"]["normal_velocity"].copy()
        normal[:30] = np.nan
        found = judge.judge(OF, changed("newton", normal_velocity=normal), LAWS)
        assert (found.answered, found.scenes, found.near) == (210, 240, 1)

    def test_no_answer_at_all(self):
        found = judge.judge(OF, changed("newton", normal_velocity=np.full(240, np.nan)), LAWS)
        assert (found.answered, found.law, found.near, found.energy_gained) == (0, "none", 0, 0)

    def test_another_law_where_laws_differ(self):
        """Half of the scenes by each of two laws: the share where laws differ says so."""
        half = np.arange(240) % 2 == 0
        mixed = {name: np.where(half, LAWS["newton"][name], LAWS["poisson"][name]) for name in LAWS["newton"]}
        found = judge.judge(OF, mixed, LAWS)
        assert 0.2 < found.decisive < 0.9 and found.near > found.decisive

    def test_the_influence_of_the_time_step(self):
        coarse = changed("newton", velocity_t=LAWS["newton"]["velocity_t"] + 0.2)
        found = judge.step_influence(OF, {1e-4: LAWS["newton"], 1e-2: coarse})
        assert found[1e-4] == 0 and 0.05 < found[1e-2] <= 0.2


class Adapters:
    def test_they_are_short(self):
        files = [path for end in ("cpp", "mjs") for path in glob.glob(os.path.join(scenes.HERE, "adapters", f"*.{end}"))]
        assert len(files) >= 10
        for path in files:
            with open(path, encoding="utf-8") as file:
                assert sum(1 for _ in file) <= 150, path
