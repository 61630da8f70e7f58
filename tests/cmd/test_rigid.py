"""Theories rigid and viscoelastic on the command line: bad input, laws on an axis, flags in the
census, Brach's and Baruh's numbers by validate.py."""
import json
import os
import re
import subprocess

import h5py
import numpy

from support import PROGRAM, ROOT, Case

ROD = ("rigid", "body=rod", "angle=-45deg", "velocity_ratio=0.6")
LAWS = ("newton", "poisson", "energetic", "compromise", "impulse_ratio")
CONFIG = """model: rigid
choose: {body: rod%s}
axes:
%s  - {param: angle, from: -80 deg, to: 80 deg, points: 9}
  - {param: velocity_ratio, from: -1, to: 1, points: 7}
fixed: {friction: 0.5, restitution: 0.7%s}
"""


class BadInput(Case):
    def refuse(self, *words, says):
        self.bad("cell", *words, says=says)

    def test_a_coefficient_outside_its_range(self):
        for value in ("-0.1", "1.1", "nan"):
            self.refuse(*ROD, "friction=0.3", f"restitution={value}", says="restitution")
        self.refuse(*ROD, "friction=0.3", says="restitution")

    def test_weights(self):
        common = (*ROD, "law=compromise", "friction=0.3", "restitution=0.5")
        self.refuse(*common, "weight_poisson=-1", says="weight_poisson")
        self.refuse(*common, "weight_energetic=-0.5", says="weight_energetic")
        assert self.cell(*common, "weight_poisson=0", "weight_energetic=0")["outcome"] == "outside"
        self.refuse(*ROD, "law=newton", "friction=0.3", "restitution=0.5", "weight_poisson=1",
                    says="weight_poisson")

    def test_massless_rods(self):
        words = ("rigid", "body=double_pendulum", "friction=0.3", "restitution=0.5", "q1=0.3",
                 "q2=0.6", "w1=-1", "w2=-1")
        for name in ("m1", "m2", "l1", "l2"):
            self.refuse(*words, f"{name}=0", says=name)
            self.refuse(*words, f"{name}=-1", says=name)
        assert self.cell(*words)["outcome"] == "solved"

    def test_a_start_without_approach_is_told(self):
        for speeds in (("w1=1", "w2=1"), ("w1=0", "w2=0")):
            words = ("body=double_pendulum", "friction=0.3", "q1=0.3", "q2=0.6", *speeds)
            for theory in (("rigid", "restitution=1"), ("compliant", "stiffness_ratio=1")):
                self.refuse(*theory, *words, says="'w2': the free end does not move toward the plane: l1 w1 sin q1 + "
                            "l2 w2 sin q2 must be below 0; an impact begins with an approach, v_n < 0; an "
                            "established contact, v_n = 0, is not an impact")
        for theory in ((*ROD, "restitution=0.5"), ("viscoelastic", "velocity_ratio=0.6")):
            self.refuse(*theory, "friction=0.3", "normal_speed=0", says="'normal_speed' is 0 m/s, outside its range (0, "
                        "inf) m/s: an impact begins with an approach, v_n < 0; an established contact, v_n = 0, is "
                        "not an impact")

    def test_a_matrix_guided_along_the_normal(self):
        words = ("rigid", "body=matrix", "friction=0.3", "restitution=0.5", "b11=0", "b22=1")
        assert self.cell(*words, "b12=0", "velocity_ratio=0")["outcome"] == "solved"
        for wrong in (("b12=0.5", "velocity_ratio=0"), ("b12=0", "velocity_ratio=0.5")):
            self.refuse(*words, *wrong, says="'b11': a contact point that gains no tangential velocity is guided along "
                        "the plane's normal; allowed: b12 and velocity_ratio 0, or b11 > 0")

    def test_the_law_of_the_ratio_needs_the_ratio(self):
        self.refuse(*ROD, "law=impulse_ratio", "restitution=0.5", says="impulse_ratio")
        self.refuse(*ROD, "law=newton", "restitution=0.5", "friction=0.1", "impulse_ratio=0.2",
                    says="impulse_ratio")

    def test_a_ratio_that_never_lets_go_is_outside(self):
        cell = self.cell(*ROD, "law=impulse_ratio", "restitution=0.5", "impulse_ratio=2")
        assert cell["outcome"] == "outside"

    def test_parameters_of_the_viscoelastic_theory(self):
        words = ("viscoelastic", "velocity_ratio=0.6", "friction=0.01")
        for word in ("damping=-1", "normal_stiffness=0", "exponent=0.5", "length=0", "mass=0"):
            self.refuse(*words, word, says=word.split("=")[0])
        self.refuse(*words, "stick_rule=never", says="never")


class Laws(Case):
    def values(self, name):
        with h5py.File(self.path(name)) as file:
            shape = file["outcome"].shape
            return {n: numpy.asarray(file[n]) for n in file
                    if isinstance(file[n], h5py.Dataset) and file[n].shape == shape}

    def test_an_axis_of_laws_is_each_law_by_itself(self):
        axis = f"  - {{param: law, values: [{', '.join(LAWS)}]}}\n"
        self.write("all.yaml", CONFIG % ("", axis, ", impulse_ratio: -0.2"))
        self.good("run", "all.yaml", "-o", "all.h5")
        every = self.values("all.h5")
        for place, law in enumerate(LAWS):
            more = ", impulse_ratio: -0.2" if law == "impulse_ratio" else ""
            self.write("one.yaml", CONFIG % (f", law: {law}", "", more))
            self.good("run", "one.yaml", "-o", "one.h5", "--force")
            alone = self.values("one.h5")
            assert len(alone) > 15
            for name, values in alone.items():
                assert every[name][place].tobytes() == values.tobytes(), (law, name)
        assert (every["cone"][:4] == 0).all()
        assert numpy.isfinite(every["kinematic_restitution"]).all()

    def test_a_law_is_in_the_map_by_name(self):
        axis = "  - {param: law, values: [poisson, newton]}\n"
        self.write("two.yaml", CONFIG % ("", axis, ""))
        self.good("run", "two.yaml", "-o", "two.h5")
        shown = json.loads(self.good("info", "two.h5", "--json"))
        assert shown["axes"][0]["name"] == "law"
        assert (shown["axes"][0]["from"], shown["axes"][0]["to"]) == ("poisson", "newton")


class Flags(Case):
    """A ratio of impulses beyond friction is no error; the census counts such cells."""
    RATIOS = """model: rigid
choose: {body: rod, law: impulse_ratio}
axes:
  - {param: impulse_ratio, from: -1, to: 1, points: 21}
  - {param: restitution, values: [0.5, 1]}
fixed: {angle: -45 deg, velocity_ratio: 0.6, friction: 0.35}
"""

    def test_the_census_of_a_run_and_of_a_map(self):
        self.write("ratios.yaml", self.RATIOS)
        said = self.good("run", "ratios.yaml", "-o", "ratios.h5")
        assert re.search(r"(?m)^cone +outside +28 ", said)
        assert re.search(r"(?m)^energy_gain +gains +\d+ ", said)
        assert re.search(r"(?m)^outcome +solved +42 ", said)
        shown = self.good("info", "ratios.h5")
        assert re.search(r"(?m)^cone +outside +28 ", shown)
        census = json.loads(self.good("info", "ratios.h5", "--json"))["categories"]
        assert census["cone"] == {"inside": 14, "outside": 28}

    def test_the_flags_of_a_cell(self):
        words = (*ROD, "law=impulse_ratio", "restitution=1", "impulse_ratio=0.5")
        assert self.cell(*words)["cone"] == "inside"  # no friction is given
        assert self.cell(*words, "friction=0.3")["cone"] == "outside"
        assert self.cell(*words, "friction=0.3")["outcome"] == "solved"
        assert self.cell(*words)["energy_gain"] == "gains"


class Published:
    def test_brach_and_baruh(self):
        for source, rows in (("Brach 1993", 591), ("Baruh 2022", 7)):
            done = subprocess.run(["/usr/bin/python3", os.path.join(ROOT, "postprocess", "validate.py"),
                                   "--program", PROGRAM, "--only", source],
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stdout + done.stderr
            assert re.search(rf"(?m)^{rows} published numbers: .* 0 MISSED$", done.stdout)
