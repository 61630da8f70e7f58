"""The beam in the program: ranks, interruption by budget, bad input, PETSc's memory."""
import csv
import math
import os
import re
import subprocess

import pytest
from scipy import integrate, optimize
from support import BAD_INPUT, Case, PROGRAM, ROOT, environment

CONFIG = """model: beam
axes:
  - {param: pin_position, values: [0, 0.01905]}
  - {param: position, from: 0.03, to: 1, points: 30}
fixed: {mode_count: 8, elements: 24, tolerance: 1.0e-6}
cell_budget: 5000
"""

CONFIG_AXIS = """model: beam
axes:
  - {param: modes, values: [4, 8]}
"""

CONFIG_AT_REST = """model: beam
choose: {boundary: clamped}
axes:
  - {param: position, from: 0.1, to: 1, points: 30}
"""

CONFIG_OVER_THE_PIN = """model: beam
axes:
  - {param: boundary, values: [pinned, clamped]}
  - {param: position, values: [0.01, 0.0375, 0.5]}
"""

CONFIG_SEARCH = """model: beam
search: {find: maximum, of: kinematic_restitution,
         over: {param: position, from: 0.6, to: 0.7, samples: 8}}
axes:
  - {param: angular_velocity, values: [-6]}
fixed: {elements: 20, mode_count: 8}
"""


class Units(Case):
    """Outputs and histories in SI against the formulas of a beam that turns about its pin."""
    LENGTH, PIN, MASS, BENDING = 0.508, 0.01905, 0.3433, 68.3e9 * 1.277e-9  # MASS: per length
    WORDS = ("beam", "position=0.68", "angular_velocity=-6")

    def test_outputs(self):
        cell = self.cell(*self.WORDS)
        rate = math.sqrt(self.BENDING / (self.MASS * self.LENGTH ** 4))
        assert cell["rate_scale"] / rate == pytest.approx(1, abs=1e-12)
        lever = 0.68 * self.LENGTH - self.PIN
        assert cell["relative_velocity_in_si"] / (6 * lever) == pytest.approx(1, abs=1e-12)
        # Angular momentum about the pin.
        inertia = self.MASS * ((self.LENGTH - self.PIN) ** 3 + self.PIN ** 3) / 3
        change = (cell["relative_velocity_in_si"] - cell["relative_velocity_out_si"]) / lever
        impulse = cell["impulse_compression_si"] + cell["impulse_restitution_si"]
        assert impulse * lever / (inertia * change) == pytest.approx(1, abs=1e-9)
        assert cell["impulse_si"] / impulse == pytest.approx(1, abs=1e-12)
        for name, scale in (("duration", 1 / rate), ("compression_time", 1 / rate),
                            ("peak_force", self.BENDING / self.LENGTH ** 2)):
            assert cell[f"{name}_si"] / (cell[name] * scale) == pytest.approx(1, abs=1e-12), name
        for plain, si in zip(cell["sub_impact_end"], cell["sub_impact_end_si"]):
            assert (plain is None) == (si is None)
            assert (si or 0) == pytest.approx((plain or 0) / rate, abs=1e-15)

    def test_history(self):
        """The force of Hertz in newtons, and its impulse by the trapezium rule."""
        cell = self.cell(*self.WORDS)
        lines = [line for line in self.good("trace", *self.WORDS, "--points", "4001").splitlines()
                 if not line.startswith("# ")]
        rows = list(csv.DictReader(lines))
        time, depth, force = ([float(row[name]) for row in rows] for name in
                              ("time_si", "contact_displacement_si", "force_si"))
        softness, radius = 2 * (1 - 0.34 ** 2) / 68.3e9, 6.35e-3
        for pressed, found in zip(depth, force):
            hertz = 4 / 3 / softness * math.sqrt(radius) * max(pressed, 0) ** 1.5
            assert found == pytest.approx(hertz, abs=1e-9 * cell["peak_force_si"])
        assert max(force) <= cell["peak_force_si"] * (1 + 1e-9)
        assert max(force) / cell["peak_force_si"] == pytest.approx(1, abs=1e-3)
        # The energy stored in the contact is the work of the force on the indentation.
        inertia = self.MASS * ((self.LENGTH - self.PIN) ** 3 + self.PIN ** 3) / 3
        work, stored = 0.0, [float(row["contact_energy"]) * inertia * 6 ** 2 / 2 for row in rows]
        for place in range(1, len(rows)):
            work += (depth[place] - depth[place - 1]) * (force[place] + force[place - 1]) / 2
            assert stored[place] == pytest.approx(work, abs=1e-4 * max(stored))
        impulse = sum((b - a) * (f + g) / 2 for a, b, f, g in zip(time, time[1:], force, force[1:]))
        assert impulse == pytest.approx(cell["impulse_compression_si"] + cell["impulse_restitution_si"], abs=1e-5)
        assert time[-1] == pytest.approx(cell["duration_si"], abs=1e-12)


def hertz(lesser, greater):
    """Stiffness over 4/3 E* of surfaces with a gap of `lesser` x^2 + `greater` y^2, by the potential of Hertz's pressure over an
    ellipse with the half axes 1 and k."""
    def potential(k, weight):
        return integrate.quad(lambda t: 2 * weight(t * t) / math.sqrt((1 + t * t) * (k * k + t * t)), 0, math.inf, epsrel=1e-11)[0]

    def along(k):
        return potential(k, lambda s: 1 / (1 + s))
    k = 1 if lesser == greater else optimize.brentq(
        lambda k: potential(k, lambda s: 1 / (k * k + s)) / along(k) - greater / lesser, 1e-3, 1 - 1e-9, xtol=1e-14)
    return math.pi * math.sqrt(along(k) / lesser / potential(k, lambda s: 1) ** 3)


class Stiffness(Case):
    """The page of configs says how far the contact is from that of Hertz."""

    def stiffness(self, radius, striker):
        lines = self.good("trace", "beam", "solver=collocation", "angular_velocity=-6", f"radius={radius}mm",
                          f"striker_radius={striker}mm", "--points", "101").splitlines()
        rows = csv.DictReader(line for line in lines if not line.startswith("# "))
        force, depth = max((float(row["force_si"]), float(row["contact_displacement_si"])) for row in rows)
        return force / depth ** 1.5 / (4 / 3 * 68.3e9 / (2 * (1 - 0.34 ** 2)))

    def test_the_page_tells_how_far_it_is_from_hertz(self):
        with open(os.path.join(ROOT, "configs", "README.md"), encoding="utf-8") as file:
            page = file.read()
        for radius, striker, axis, told in ((6.35, 6.35, 0, None), (6.35, 1.27, 0, "0.949"), (50, 1, 0, "0.762"), (6.35, 6.35, 1, "1.177")):
            bar, other = 1 / (2e-3 * radius), 1 / (2e-3 * striker)  # axis: the striker is round along the bar, too: a ball
            found = self.stiffness(radius, striker)
            assert found == pytest.approx((radius * striker * 1e-6) ** 0.25, rel=1e-9)
            part = found / hertz(*sorted((bar + axis * other, other)))
            assert part == pytest.approx(float(told or 1), abs=5e-4 if told else 1e-9) and (not told or f"times {told}" in page)
        changed = 6.35 / part ** 4  # as the page says
        assert self.stiffness(6.35, changed) == pytest.approx(found / part, rel=1e-9)


class Beam(Case):
    def digest_of(self, *words, ranks=0):
        self.good("run", "beam.yaml", "-o", "map.h5", "--force", "--progress", "none", *words,
                  ranks=ranks)
        return self.digest("map.h5")

    def test_the_same_bytes_for_any_number_of_ranks(self):
        self.write("beam.yaml", CONFIG)
        alone = self.digest_of()
        for ranks in (1, 2, 5):
            assert self.digest_of("--chunk", "1", ranks=ranks) == alone
        # Cells on the pin and of many steps are among them.
        census = self.good("info", "map.h5")
        for outcome in ("solved", "outside", "budget"):
            assert outcome in census

    @pytest.mark.parametrize("word", ["mode_count=2.5", "elements=40.5", "position=1.2", "position=-0.1",
                                      "internal_damping=-1", "external_damping=-1", "mode_count=0", "elements=1000",
                                      "striker_mass=1", "boundary=glued"])
    def test_bad_input(self, word):
        self.bad("cell", "beam", word, code=BAD_INPUT)

    def test_a_combination_that_is_no_collision(self):
        for words, message in (
                (["position=0.0375"], "'position': the beam does not turn towards the striker"),
                (["angular_velocity=3"], "'position': the beam does not turn towards the striker"),
                (["boundary=free", "position=0.2"], "'position': the beam does not turn towards"),
                (["boundary=clamped"], "'boundary': a beam with this boundary is at rest"),
                (["boundary=pinned_pinned"], "'boundary': a beam with this boundary is at rest"),
                (["mode_count=30", "elements=20"], "'mode_count': more modes than nodes"),
                (["pin_position=0.6"], "'pin_position': the pin is not on the beam")):
            assert message in self.bad("cell", "beam", *words, code=BAD_INPUT)
        for words in (["boundary=pinned", "position=0.02", "angular_velocity=3"],
                      ["boundary=clamped", "striker=free", "striker_mass=0.1", "speed=1"],
                      ["mode_count=21", "elements=20"]):
            assert "solved" in self.good("cell", "beam", *words)

    def test_the_message_about_a_combination_names_its_place(self):
        self.write("beam.yaml", CONFIG_AT_REST)
        message = self.bad("run", "beam.yaml", "-o", "map.h5", code=BAD_INPUT)
        assert "beam.yaml:2:10: error: 'boundary': a beam with this boundary is at rest" in message
        assert os.listdir(self.work) == ["beam.yaml"]

    def test_a_search_without_a_collision_is_refused(self):
        self.write("beam.yaml", CONFIG_SEARCH)
        self.good("run", "beam.yaml", "-o", "map.h5", "--progress", "none")
        assert self.info("map.h5")["outcomes"] == {"solved": 1}
        self.write("beam.yaml", CONFIG_SEARCH.replace("mode_count: 8", "mode_count: 30"))
        self.bad("check", "beam.yaml", says="beam.yaml:6:23: error: 'mode_count': more modes than nodes")

    def test_cells_that_are_no_collision_do_not_stop_a_sweep(self):
        """The pin is one place of many; a beam at rest is one of two."""
        self.write("beam.yaml", CONFIG_OVER_THE_PIN)
        self.good("run", "beam.yaml", "-o", "map.h5", "--progress", "none")
        counts = self.info("map.h5")["outcomes"]
        assert counts == {"solved": 1, "outside": 5}

    def test_old_names_are_told_the_new_ones(self):
        told = "'modes' is now called 'mode_count'"
        for word, message in (("modes=8", told),
                              ("poisson=0.3", "'poisson' is now called 'poisson_ratio'"),
                              ("striker_poisson=0.3",
                               "'striker_poisson' is now called 'striker_poisson_ratio'")):
            for command in ("cell", "trace"):
                assert message in self.bad(command, "beam", word, code=BAD_INPUT)
        assert "'stiffness' is now called 'normal_stiffness'" in self.bad("cell", "viscoelastic", "stiffness=1000",
                                                                          code=BAD_INPUT)
        # A name that the beam never had is unknown.
        assert "unknown parameter or choice 'modes'" in self.bad("cell", "rigid", "modes=8", code=BAD_INPUT)
        self.write("beam.yaml", CONFIG.replace("mode_count: 8", "modes: 8"))
        self.bad("check", "beam.yaml", says=f"beam.yaml:5:9: error: {told}")
        self.write("beam.yaml", CONFIG_AXIS)
        self.bad("check", "beam.yaml", says=f"beam.yaml:3:13: error: {told}")
        self.write("beam.yaml", CONFIG_SEARCH.replace("param: position", "param: poisson"))
        self.bad("check", "beam.yaml", says="'poisson' is now called 'poisson_ratio'")
        self.write("beam.yaml", CONFIG)
        assert told in self.bad("run", "beam.yaml", "-o", "map.h5", "--set", "modes=8", code=BAD_INPUT)

    def test_scaled_outputs_name_their_scale(self):
        page = self.good("models", "beam")
        for name in ("duration", "compression_time", "relative_velocity_in", "time"):
            line = next(line for line in page.splitlines() if line.split()[:1] == [name])
            assert "S = sqrt(modulus second_moment / mass_per_length) / length^2" in line

    def test_petsc_frees_what_it_took(self):
        """-malloc_dump lists what is still allocated when PETSc ends."""
        self.write("beam.yaml", CONFIG)
        result = subprocess.run(
            [PROGRAM, "run", "beam.yaml", "-o", "map.h5", "--progress", "none"], cwd=self.work,
            env=dict(environment(self.folder), PETSC_OPTIONS="-malloc_dump -malloc_debug"),
            capture_output=True, text=True)
        assert (result.returncode, result.stderr) == (0, "")
        assert "bytes" not in result.stdout.split("cells computed")[1]
        assert not re.search(r"\[ ?0\]\s*\d+ bytes", result.stdout)
