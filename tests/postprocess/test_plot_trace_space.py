"""Histories of impacts in space: the size of the tangential force within the limit of friction; shades and units that are
those of every other history."""
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np
import pytest
from impactsweep.errors import InputError
from impactsweep.figures.history import panels
from impactsweep.figures.kinds import trace
from impactsweep.maps import histories
from drawn import drawn_figure

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
MOTION = ("body=rod3d", "angle=30deg", "friction=0.5", "velocity_ratio=0.5", "heading=60deg")
CELLS = {"rigid": ("swerve", *MOTION, "restitution=0.7"),
         "springs": ("compliant3d", *MOTION, "stiffness_ratio=1.2"),
         "plane": ("compliant", "body=sphere", "friction=0.5", "velocity_ratio=1", "stiffness_ratio=1.2"),
         "maw": ("continuum", "body=sphere", "friction=0.5", "velocity_ratio=1", "stiffness_ratio=1.2",
                 "normal_stiffness=10", "mass=1", "normal_speed=1")}


class Space:
    @classmethod
    def setup_class(cls):
        folder = cls.ending.enter_context(tempfile.TemporaryDirectory())
        cls.paths = {name: os.path.join(folder, f"{name}.h5") for name in CELLS}
        for name, words in CELLS.items():
            subprocess.run([PROGRAM, "trace", *words, "-o", cls.paths[name]], check=True)

    def history(self, name):
        return histories.read(self.paths[name])[0]

    def figure(self, name, *words):
        return drawn_figure(trace, self.paths[name], *words)

    def test_the_tangential_force_reaches_the_limit_of_friction_where_it_slips(self):
        history = self.history("springs")
        ratio = history.columns["tangential_force"] - 0.5 * history.columns["normal_force"]
        slips = np.array([phase == "slip" for phase in history.phases])
        assert slips.any() and not slips.all()
        np.testing.assert_allclose(ratio[slips], 0, atol=1e-6)
        assert ratio.max() < 1e-6

    def test_forces_and_impulses_are_drawn_with_that_limit(self):
        for name, panel in (("springs", "forces"), ("springs", "impulses"), ("rigid", "impulses")):
            for size in ("one", "two"):
                figure, text = self.figure(name, f"--panels={panel}", f"--size={size}")
                labels = [entry.get_label() for entry in (*figure.axes[0].lines, *figure.axes[0].collections)]
                for label in ("friction limit", "tangential", "axis 1", "axis 2"):
                    assert label in labels

    def test_stick_and_slip_have_one_shade_in_every_theory(self):
        assert {trace.shade_of(self.history(name), "stick") for name in ("rigid", "springs", "plane",
                                                                         "maw")} == {trace.SHADES[0]}
        assert len({trace.shade_of(self.history(name), "slip") for name in ("rigid", "springs")}) == 1

    def test_every_panel_can_be_read(self):
        for name in ("rigid", "springs", "maw"):
            _, text = self.figure(name, "--panels=all")
            assert "^1.5" not in text.replace("$^{1.5}$", "")
        assert "stuck radius / contact radius" in text
        assert "normal stiffness 10 N/m$^{1.5}$" in text

    def test_space_has_no_plane_of_the_impulses(self):
        assert "impulse-plane" not in panels.there(self.history("springs"))
        with pytest.raises(InputError, match="has no columns for: impulse-plane"):
            self.figure("rigid", "--panels=impulse-plane")
