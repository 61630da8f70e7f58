"""Scales beside those of a file: without unit beside SI, of a beam's histories and maps; Maw's angle in place of the
velocity ratio, of histories."""
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import numpy as np
import pytest
from folder import FolderTest
from impactsweep.errors import InputError
from impactsweep.figures import twin_scales
from impactsweep.figures.history import comparing, panels
from impactsweep.figures.kinds import lines, trace
from impactsweep.maps import histories
from drawn import drawn_figure, BEAM

PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
LENGTH, MASS, BENDING = 0.508, 0.3433, 68.3e9 * 1.277e-9  # MASS: per length
RATE = (BENDING / (MASS * LENGTH ** 4)) ** 0.5
UNITS = {"m": 1 / LENGTH, "m/s": 1 / (LENGTH * RATE), "N": LENGTH ** 2 / BENDING, "s": RATE,
         "N s": 1 / (MASS * LENGTH ** 2 * RATE)}
MAP = """model: beam
axes:
  - {param: modulus, values: [68.3e9%s]}
  - {param: position, from: 0.3, to: 0.9, points: 12}
fixed: {elements: 20, mode_count: 8}
outputs: [duration_si, impulse_si, peak_force_si, duration, impulse, peak_force, kinematic_restitution]
"""


class Ratios:
    def test_one_ratio_or_none(self):
        si = np.array([0.0, 2.0, np.nan, -4.0])
        assert twin_scales.ratio_of([(si, 3 * si), (5 * si, 15 * si)]) == pytest.approx(3, abs=5e-8)
        assert twin_scales.ratio_of([(si, 3 * si), (si, 4 * si)]) is None
        assert twin_scales.ratio_of([(0 * si, 0 * si)]) is None
        assert twin_scales.ratio_of([]) is None

    def test_labels_name_the_scale(self):
        for unit, power, text in (("s", 0, "x × $S$"), ("m", 0, "x / $L$"), ("m", -6, r"x / $(10^{-6}\,L)$"),
                                  ("m/s", 0, r"x / $(L\,S)$"), ("N", 3, r"x / $(10^{3}\,E\,I/L^2)$"),
                                  ("s", -3, "x × $S/10^{-3}$")):
            assert twin_scales.label_of("x", unit, power) == text
        assert [twin_scales.power_of(x) for x in (2.6e-5, 0.5, 3e4, 0)] == [-6, 0, 3, 0]


class Names:
    def history(self, **inputs):
        return histories.History({"time": np.zeros(2)}, {"time": "s"}, ["", ""], ["", ""], [], inputs)

    def test_two_theories_are_named_by_what_both_have(self):
        linear = self.history(mass=(1.0, "kg"), normal_stiffness=(2.0, "N/m"), restitution=(1.0, "1"), law="linear",
                              theory="compliant")
        maw = self.history(mass=(1.0, "kg"), normal_stiffness=(3.0, "N/m^1.5"), tolerance=(1e-8, "1"), theory="continuum")
        assert comparing.differences([linear, maw]) == ["compliant, law linear, normal stiffness 2 N/m",
                                                        "continuum, normal stiffness 3 N/m$^{1.5}$"]

    def test_an_input_of_one_history_names_it_where_nothing_else_does(self):
        one, other = self.history(restitution=(1.0, "1")), self.history(tolerance=(0.5, "1"))
        assert comparing.differences([one, other]) == ["restitution 1", "tolerance 0.5"]


class Drawing(FolderTest):
    def program(self, *words):
        subprocess.run([PROGRAM, *words], check=True, capture_output=True)

    def figure(self, kind, *words, size="two"):
        """The figure, and its words as a reader sees them."""
        return drawn_figure(kind, *words, "--size", size)

    def check_far(self, ax, unit, factor, across=False):
        """The far scale of an axis shows its numbers times the unit of the paper; factor: of the drawn numbers."""
        far = [one for one in ax.child_axes if bool(one.get_xlabel()) == across]
        assert len(far) == 1
        near = ax.get_xlim() if across else ax.get_ylim()
        shown = far[0].get_xlim() if across else far[0].get_ylim()
        np.testing.assert_allclose(np.ptp(shown) / np.ptp(near), factor * UNITS[unit], rtol=1e-6)


@pytest.mark.skipif(not BEAM, reason="a build without PETSc")
class Beam(Drawing):
    def trace(self, name, *words):
        self.program("trace", "beam", "position=0.68", "angular_velocity=-6", *words, "-o", self.path(name))
        return self.path(name)

    def test_every_panel_of_a_history_has_the_scale_of_the_paper(self):
        path = self.trace("a.h5")
        for size in ("one", "two"):
            figure, text = self.figure(trace, path, size=size)
            above, velocity, force, energies = figure.axes[:4]
            self.check_far(above, "m", 1e6 * 1e-6)  # µm; 1e-6 L
            self.check_far(above, "s", 1e-3, across=True)
            self.check_far(velocity, "m/s", 1)
            self.check_far(force, "N", 1)
            assert [one for one in energies.child_axes if one.get_ylabel()] == []
            for words in (r"indentation / $(10^{-6}\,L)$", r"velocity / $(L\,S)$", r"force / $(E\,I/L^2)$",
                          "61.7649 s⁻¹", "$I$: second moment", "contact energy"):
                assert words in text

    def test_the_four_energies_of_the_history_add_up_to_one(self):
        (history,) = histories.read(self.trace("a.h5"))
        energies = panels.panels_of([history], "energies")[0].columns
        assert energies == ["rigid_energy", "vibration_energy", "dissipated_energy", "contact_energy"]
        np.testing.assert_allclose(sum(history.columns[name] for name in energies), 1, atol=1e-6)
        assert history.columns["contact_energy"].max() > 0.05

    def test_a_plane_has_scales_above_and_at_the_right(self):
        figure, text = self.figure(trace, self.trace("a.csv"), "--panels=phase-plane")
        self.check_far(figure.axes[0], "m", 1e6 * 1e-6, across=True)
        self.check_far(figure.axes[0], "m/s", 1)
        assert "contact velocity (m/s)" in text

    def test_beams_with_other_scales_have_none_in_common(self):
        one, other = self.trace("a.h5"), self.trace("b.h5", "modulus=200e9")
        figure, text = self.figure(trace, one, other, "--panels=velocities,forces")
        assert [one for ax in figure.axes for one in ax.child_axes] == []
        assert "$S" not in text
        figure, text = self.figure(trace, one, self.trace("c.h5", "internal_damping=1e6"), "--panels=forces")
        self.check_far(figure.axes[0], "N", 1)

    def map(self, *moduli):
        with open(self.path("map.yaml"), "w", encoding="utf-8") as file:
            file.write(MAP % "".join(f", {value}" for value in moduli))
        self.program("run", self.path("map.yaml"), "-o", self.path("map.h5"), "--progress", "none", "--force")
        return self.path("map.h5")

    def test_lines_of_a_map_have_the_scale_of_the_paper(self):
        fields = [f"--field={name}_si" for name in ("duration", "impulse", "peak_force")]
        figure, text = self.figure(lines, self.map(), *fields)
        for ax, unit in zip(figure.axes, ("s", "N s", "N")):
            self.check_far(ax, unit, 1)
        for words in ("duration × $S$", r"impulse / $(\mu\,L^2\,S)$", r"peak force / $(E\,I/L^2)$", "61.7649 s⁻¹",
                      "impulse (N s)", "peak force (N)", "duration (s)"):
            assert words in text
        figure, _ = self.figure(lines, self.map("200e9"), *fields)
        assert [one for ax in figure.axes for one in ax.child_axes] == []


class Maw(Drawing):
    def trace(self, name, *words):
        self.program("trace", "compliant", "body=sphere", "friction=0.5", *words, "-o", self.path(name))
        return self.path(name)

    def test_the_legend_is_in_psi(self):
        """Stiffness ratio 17/14 for Poisson's ratio 0.3: psi1 is the velocity ratio times 28/17."""
        path = self.trace("a.h5", "poisson_ratio=0.3", "velocity_ratio=0.3035714", "--with", "velocity_ratio=3.0357143")
        _, text = self.figure(trace, path, "--psi")
        for words in ("ψ₁ 0.5", "ψ₁ 5 ", "ψ₁: velocity ratio / (friction · stiffness ratio)"):
            assert words in text + " "
        assert "velocity ratio 3.03571" not in text
        assert "velocity ratio 3.03571" in self.figure(trace, path)[1]

    def test_the_title_is_in_psi(self):
        path = self.trace("a.csv", "stiffness_ratio=1.21", "velocity_ratio=0.605")
        figure, _ = self.figure(trace, path, "--psi")
        assert re.search(r", ψ₁ 1\Z", figure._suptitle.get_text().replace("\n", " "))
        assert "velocity ratio" not in figure._suptitle.get_text()

    def test_a_cell_without_a_velocity_ratio_is_refused(self):
        self.program("trace", "compliant", "body=pendulum", "angle=30deg", "friction=0.5", "stiffness_ratio=1.21", "-o",
                     self.path("a.h5"))
        with pytest.raises(InputError, match="--psi needs the velocity_ratio, the friction and"):
            self.figure(trace, self.path("a.h5"), "--psi")
