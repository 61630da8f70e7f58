"""`impactsweep.convert`: the numbers of the program, as inputs of `solve`."""
import json

import numpy as np
import pytest
import package
from support import Case

import impactsweep
from impactsweep.library import units

CALLS = (("yade", {"tc": 1e-3, "en": .9, "et": .7, "mass": .02, "mu": .4}),
         ("lammps", {"Kn": 1e5, "Kt": None, "gn": 50.0, "gt": None, "mu": .5, "mass": .01}),
         ("chrono", {"restitution": .3}), ("kratos", {"gamma": .2}), ("mujoco", {}), ("ode", {"bounce": .4, "mu": .3}),
         ("bullet", {"restitution": .9, "other_restitution": .8, "mu": .5}), ("bullet_soft", {"stiffness": 1e4, "damping": 3.0}))


class Convert(Case):
    @pytest.mark.parametrize("code, values", CALLS)
    def test_the_same_as_the_program(self, code, values):
        words = [f"{name}={'NULL' if value is None else value}" for name, value in values.items()]
        told = json.loads(self.good("convert", code, *words, "--json"))
        found = impactsweep.convert(code, **values)
        assert dict(found) == told["values"]
        assert (found.asked, found.restitution, found.remarks, found.line, found.not_given) == tuple(
            told[name] for name in ("restitution_asked", "restitution", "remarks", "line", "not_given"))
        cell = impactsweep.solve(found.theory, **found, outputs="kinematic_restitution")
        assert cell.kinematic_restitution.item() == pytest.approx(found.restitution, rel=1e-13)

    def test_back(self):
        found = impactsweep.convert("lammps", Kn=1e5, gn=50, mu=.5, mass="10 g", Kt="0.05 N/um")
        back = impactsweep.convert("lammps", back=True, **found)
        assert {name: back[name] for name in ("Kn", "Kt", "gn", "gt")} == pytest.approx(
            {"Kn": 1e5, "Kt": 5e4, "gn": 50, "gt": 25})
        assert back.units["gn"] == "1/s" and back.theory is None
        assert impactsweep.convert("yade", en=.5, wall=True) == impactsweep.convert("yade", en=.5, wall="yes")

    def test_switches_and_pairs(self):
        for switch in ("dampflag", "limit_damping"):
            for value in (False, np.False_, True):
                found = impactsweep.convert("lammps", Kn=1, gn=.1, **{switch: value})
                assert found == impactsweep.convert("lammps", Kn=1, gn=.1, **{switch: int(value)})
        plain = impactsweep.convert("mujoco", timeconst=.03, dampratio=.5)
        for solref in ([.03, .5], (.03, .5), np.array([.03, .5]), "0.03 0.5"):
            assert impactsweep.convert("mujoco", solref=solref) == plain
        direct = impactsweep.convert("mujoco", solref=[-100, 0])
        assert direct == impactsweep.convert("mujoco", stiffness=100, damping=0)
        assert "normal_stiffness" in impactsweep.convert("mujoco").not_given and direct.not_given[-1] == "friction"

    def test_units_are_those_that_scripts_read(self):
        for text in ("50/s", "50 /s", "0.05/ms", "50 1/s", "50"):
            assert units.read(text, "1/s") == 50 == 2 * impactsweep.convert("lammps", Kn=1, gn=text)["normal_damping_ratio"]
        for text in ("50/", "50/2", "50//s", "50/x"):
            assert units.read(text, "1/s") is None

    def test_wrong_calls(self):
        for code, values, says in (("yad", {}, "did you mean 'yade'"), ("yade", {}, "'en' is missing"), ("yade", {"en": 2}, r"\(0, 1\]"),
                                   ("yade", {"en": [.5]}, "must be a number"), ("yade", {"en": [.5, .6]}, "is not a number"),
                                   ("mujoco", {"solref": [.02]}, "must be a number"), ("mujoco", {"solref": [1, 2, 3]}, "must be a number"),
                                   ("mujoco", {"solref": [.02, "x"]}, "a number of solref is 'x'"),
                                   ("mujoco", {"solref": [-1, 2]}, "it must be in"), ("yade", {"x": 1}, "unknown parameter"),
                                   (3, {}, "must be a text"), ("yade", {"back": 1}, "True or False")):
            with pytest.raises(impactsweep.InputError, match=says):
                impactsweep.convert(code, **values)
