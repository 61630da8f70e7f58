"""`impactsweep.convert`: the numbers of the program, as inputs of `solve`."""
import json

import pytest
import package
from support import Case

import impactsweep

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

    def test_wrong_calls(self):
        for code, values, says in (("yad", {}, "did you mean 'yade'"), ("yade", {}, "'en' is missing"), ("yade", {"en": 2}, r"\(0, 1\]"),
                                   ("yade", {"en": [.5]}, "must be a number"), ("yade", {"x": 1}, "unknown parameter"),
                                   (3, {}, "must be a text"), ("yade", {"back": 1}, "True or False")):
            with pytest.raises(impactsweep.InputError, match=says):
                impactsweep.convert(code, **values)
