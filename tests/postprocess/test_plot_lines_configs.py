"""plot_lines.py on the committed configs that it is meant for, against closed forms and published values."""
import os
import subprocess

import netCDF4
import numpy as np
from line_maps import ROOT, SCRIPT, Lines
from impactsweep.figures import command
from impactsweep.figures.kinds import lines as plot_lines
from matplotlib.image import imread
import pytest


class Configs(Lines):
    """Runs committed configs."""

    def run_config(self, name):
        subprocess.run([os.path.abspath(os.environ["IMPACTSWEEP"]), "run",
                        os.path.join(ROOT, "configs", f"{name}.yaml"), "-o",
                        self.path(f"{name}.h5"), "--progress", "none"], check=True,
                       capture_output=True)
        return self.path(f"{name}.h5")


class Searches(Configs):
    """Outputs of several values per cell, and limiting curves, on the committed configs."""

    def test_every_root_is_drawn(self):
        """Against the closed form of both limits of the friction that wedges."""
        path = self.run_config("wedge-window")
        found = self.family(path, "--field", "root")
        low, high = found.values["root"]
        drawn = 0
        for curve, text in enumerate(found.curves):
            eta, tangent = float(text), np.tan(np.radians(found.x[0, curve]))
            gap = 1 - eta * tangent ** 2
            inside = (gap ** 2 > 12 * eta * tangent ** 2) & (gap > 0)
            root = np.sqrt(np.where(inside, gap ** 2 - 12 * eta * tangent ** 2, np.nan))
            for found_limit, limit in ((low, gap - root), (high, gap + root)):
                limit = limit / (6 * eta * tangent)
                limit[limit > 1000] = np.nan  # beyond the range of the search
                np.testing.assert_allclose(found_limit[0, curve], limit, rtol=1e-6)
                drawn += np.isfinite(limit).sum()
        assert drawn > 1000
        ax = plot_lines.draw(found).axes[0]
        assert ax.get_yscale() == "log"
        assert ax.get_ylabel() == "friction of the boundary"
        assert [t.get_text() for t in ax.get_legend().get_texts()] == found.curves

    def test_one_root_can_be_sliced_and_bookkeeping_is_left_out(self):
        path = self.run_config("wedge-window")
        both = self.family(path)
        assert list(both.values) == ["root"]
        for number in (1, 2):
            one = self.family(path, "--slice", f"root_number={number}")
            assert f"root number {number}" in one.title
            np.testing.assert_array_equal(one.values["root"][0], both.values["root"][number - 1])
        apart = self.family(path, "--curves", "root_number", "--slice", "stiffness_ratio=1")
        np.testing.assert_array_equal(apart.values["root"][0, 0], both.values["root"][:, 0, 1])
        assert apart.curves == ["1", "2"]

    def test_the_rigid_pendulum_is_the_limit(self):
        path, rigid = self.run_config("critical-angle"), self.run_config("critical-angle-rigid")
        words = (path, "--field", "root", "--limit", rigid)
        assert command.run_kind("plot_lines.py", plot_lines, [*words, "-o", self.path("a.png")]) == 0
        limit = plot_lines.load_limit(self.options(*words), ["root"], {"x": "friction"})
        np.testing.assert_allclose(np.radians(limit.values["root"][0, 0, 0]),
                                   np.arctan(limit.x[0, 0]), atol=1e-12)
        figure = plot_lines.draw(self.family(path, "--field", "root"), limit)
        assert "rigid" in [text.get_text() for text in figure.axes[0].get_legend().get_texts()]

    def test_a_limit_has_the_same_axis_only(self):
        path = self.make()
        assert "its only axis must be 'friction'" in self.refuse(path, "--field", "loss", "--limit", path)


class Contacts(Configs):
    """Restitution and rebound of a pendulum, a general body and a sphere."""

    def draw_config(self, name, *words):
        """Runs a committed config and plot_lines.py; returns the family that it draws."""
        map_file = self.run_config(name)
        run = subprocess.run([SCRIPT, map_file, *words], capture_output=True, text=True,
                             check=False)
        assert (run.returncode, run.stdout) == (0, "")
        assert all("drawn logarithmically" in line for line in run.stderr.splitlines()), run.stderr
        image = imread(self.path(f"{name}-lines.png"))
        assert image[:, :, :3].min() < 0.3
        return self.family(map_file, *words)

    def test_pendulum_over_friction(self):
        """Against the closed form of the pendulum: the part of its energy that remains after slip, stick
        and slip back; 1 where it sticks throughout."""
        found = self.draw_config("pendulum-friction")
        ratios = [float(text.split()[-1]) for text in found.panels]
        angles = [float(text.rstrip("°")) for text in found.curves]
        checked = 0
        for panel, ratio in enumerate(ratios):
            for curve, angle in enumerate(angles):
                friction = found.x[panel, curve]
                tangent, e = np.tan(np.radians(angle)), found.values["kinematic_restitution"][0]
                lever = friction * ratio * tangent
                with np.errstate(invalid="ignore"):
                    squared = np.where(lever >= 1, 1, 1 - 2 * friction * (1 - lever) / (
                        (tangent + friction) * (1 + lever)))
                there = np.isfinite(e[panel, curve])
                np.testing.assert_allclose(e[panel, curve][there] ** 2, squared[there],
                                           atol=1e-9)
                assert (squared[~there] <= 1e-9).all(), (ratio, angle)
                checked += there.sum()
        assert checked > 10000
        assert found.thin_label == "wedge"

    def test_restitution_over_damping_and_over_what_was_asked_for(self):
        """The closed forms of both ends of contact; a normal impact that ends by elongation gets what it asks for."""
        found = self.draw_config("dashpot-restitution")
        assert found.curves == ["force", "elongation"]
        z = found.x[0, 0]
        below, root = np.minimum(z, 1), np.sqrt(np.abs(1 - z ** 2) + (z == 1))
        half = np.where(z < 1, np.arccos(below), np.arccosh(np.maximum(z, 1))) / root
        forms = np.exp(-2 * z * half), np.where(z < 1, np.exp(-np.pi * below / root), np.nan)
        for curve, form in enumerate(forms):
            e = found.values["kinematic_restitution"][0][0, curve]
            there = np.isfinite(form) & (z != 1)
            np.testing.assert_allclose(e[there], form[there], atol=1e-12)
            assert np.isnan(e[~np.isfinite(form)]).all()
        asked = self.draw_config("dashpot-asked", "--curves=case", "--panels=angle")
        cut, pulled = asked.values["kinematic_restitution"][0][0]
        np.testing.assert_allclose(pulled, asked.x[0, 1], atol=1e-12)
        for wanted, got in ((.9, .902026), (.8, .808099), (.7, .718201), (.5, .550283), (.3, .397140), (.1, .252729)):
            assert cut[np.abs(asked.x[0, 0] - wanted).argmin()] == pytest.approx(got, abs=5.1e-7)

    def test_restitution_over_speed(self):
        """Thornton's values, and the limit of fast impacts."""
        found = self.draw_config("yield-speed")
        for curve, text in enumerate(found.curves):
            y = float(text.split()[0]) / found.x[0, curve]
            e = found.values["kinematic_restitution"][0][0, curve]
            np.testing.assert_array_equal(e[y >= 1], 1)
            np.testing.assert_allclose(e[y < 1e-3], 1.184993 * y[y < 1e-3] ** .25, rtol=1e-3)

    def test_general_body_over_its_angle(self):
        """At angle 0 the directions are uncoupled and nothing is lost along the normal."""
        found = self.draw_config("general-restitution")
        assert (len(found.curves), len(found.panels)) == (4, 3)
        straight = np.flatnonzero(found.x[0, 0] == 0)
        for name in ("kinematic_restitution", "kinetic_restitution"):
            np.testing.assert_allclose(found.values[name][0][:, :, straight], 1, atol=1e-12)
        assert np.nanmax(found.values["kinematic_restitution"]) > 1.1

    def test_sphere_for_three_laws(self):
        """The angles psi from which the sphere slips at first touch, and from which it slips throughout:
        PAMC (thesis, Oregon State University), table 1 and chapter 4.2. The second is 7 / eta less the
        first; beyond it psi falls by 7 / eta."""
        found = self.draw_config("sphere-rebound", "--psi")
        assert (found.curves, found.curves_ordered) == (["linear", "coupled", "Hertz"], False)
        eta = 1.7 / 1.4
        limits = {"linear": (1, 4.76471), "coupled": (0.6667, 5.09804), "hertz": (1.18096, 4.58374)}
        with netCDF4.Dataset(self.path("sphere-rebound.h5")) as file:
            modes = dict(zip(file["mode"].flag_meanings.split(), file["mode"].flag_values))
            mode = file["mode"][:]
        for curve, law in enumerate(found.curves):
            psi = found.x[0, curve]
            out = found.values["velocity_ratio_out"][0, 0, curve]
            step = psi[1] - psi[0]
            sticks = np.isin(mode[curve], [modes["gross_stick"], modes["stick_slip"]])
            slips = mode[curve] == modes["gross_slip"]
            assert psi[sticks].max() == pytest.approx(limits[law.lower()][0], abs=step)
            assert psi[slips].min() == pytest.approx(limits[law.lower()][1], abs=step)
            assert slips[psi > limits[law.lower()][1] + step].all()
            np.testing.assert_allclose(out[slips], psi[slips] - 7 / eta, atol=1e-9)
