"""Parameters that follow others, from Python: solved, fitted, and left out of what a sample varies."""
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TESTS = os.path.dirname(HERE)
import impactsweep
import numpy as np
import pytest
from impactsweep import InputError
from support import OK, Case

STRAIGHT = dict(body="double_pendulum", friction=0.5, stiffness_ratio=1.21, w1=-1, w2=-1)
SAMPLE = """model: compliant
choose: {body: double_pendulum}
axes:
  - {sample: saltelli, points: 16, seed: 1, params: [
      {param: q1, distribution: uniform, from: 0.2, to: 0.9},
      {param: friction, distribution: uniform, from: 0.2, to: 0.9}]}
fixed: {stiffness_ratio: 1.21, q2: {equals: q1}, w1: -1, w2: -1}
outputs: [energy_loss]
"""
MAP = """model: compliant
choose: {body: double_pendulum}
axes:
  - {param: q1, from: 5 deg, to: 85 deg, points: 30}
  - {param: friction, from: 0.1, to: 1.5, points: 30}
fixed: {stiffness_ratio: 1.21, q2: {equals: q1}, w1: -1, w2: -1}
outputs: [mode]
"""


class Follow(Case):
    def test_solve(self):
        q1 = np.linspace(0.1, 1.4, 50)
        found = impactsweep.solve("compliant", **STRAIGHT, q1=q1, q2="= q1")
        wanted = impactsweep.solve("compliant", **STRAIGHT, q1=q1, q2=q1)
        np.testing.assert_array_equal(found["mode"].values, wanted["mode"].values)
        np.testing.assert_array_equal(found.energy_loss.values, wanted.energy_loss.values)
        assert len(set(found["mode"].values.tolist())) > 1
        two = impactsweep.solve("compliant", **{**STRAIGHT, "w2": "= w1 * q2"}, q1=q1[:, None], m1=[1.0, 2.0],
                                q2="= q1", m2="= m1 * q1")
        for k, m1 in enumerate((1.0, 2.0)):
            one = impactsweep.solve("compliant", **{**STRAIGHT, "w2": -q1}, q1=q1, q2=q1, m1=m1, m2=m1 * q1)
            np.testing.assert_array_equal(two.energy_loss.values[:, k], one.energy_loss.values)
        with pytest.raises(InputError, match="unknown parameter 'q3' in the formula of 'q2'"):
            impactsweep.solve("compliant", **STRAIGHT, q1=q1, q2="= q3")

    def test_fit(self):
        given = dict(body="lamina", law="newton", offset_n=-1.0, gyration_radius=0.7, velocity_ratio=0.9)
        truth = impactsweep.solve("rigid", **given, offset_t=[0.1, 0.2, -0.1], restitution=0.6, friction=0.15)
        data = {"contact_velocity_t_before": [0.9] * 3, "contact_velocity_n_before": [-1.0] * 3,
                "contact_velocity_t_after": truth.velocity_ratio_out.values,
                "contact_velocity_n_after": truth.kinematic_restitution.values, "offset_t": [0.1, 0.2, -0.1]}
        for ranks in (0, 1):
            found = impactsweep.fit(data, "rigid", choose={"body": "lamina", "law": "newton"},
                                    columns={"offset_t": "offset_t"}, over={"friction": (0.01, 0.24)}, folds=3,
                                    fixed={"offset_n": -1.0, "gyration_radius": 0.7, "restitution": "= 4 * friction"},
                                    resamples=10, ranks=ranks)
            assert found.best["friction"] == pytest.approx(0.15, abs=1e-3)

    def map_of(self, text):
        self.run_config(text, "x.h5", "--progress", "none")
        return impactsweep.open(self.path("x.h5"))

    def test_a_sample_varies_what_is_drawn(self):
        data = self.map_of(SAMPLE)
        np.testing.assert_array_equal(data.q2.values, data.q1.values)
        indices = impactsweep.sensitivity(data, outputs=["energy_loss"])
        assert indices.parameter.values.tolist() == ["q1", "friction"]

    def test_a_figure_keeps_its_axis(self):
        data = self.map_of(MAP)
        assert data.q2.attrs["formula"] == "q1"
        done = subprocess.run([os.path.join(os.path.dirname(TESTS), "postprocess", "plot.py"), "x.h5", "-o", "x.png"],
                              cwd=self.work, capture_output=True, text=True)
        assert done.returncode == OK, done.stderr
        assert "mode map" in done.stdout
