"""`convert`: parameters of other codes as ours, and back, with the traps of each code."""
import json
import math
import os
import re
import shlex

import pytest
from support import BAD_INPUT, Case

ASKED_AND_GOT = ((.9, .902026), (.8, .808099), (.7, .718201), (.5, .550283), (.3, .397140), (.1, .252729))
DASHPOTS = ("lammps", "yade", "kratos", "chrono", "mujoco", "ode_soft", "bullet_soft")
# Codes with a restitution: the law, and the coefficients that two bodies with e = .5, mu = .4 and .8, .9 have together.
RIGID = {"ode": ("newton", .5, .4), "siconos": ("newton", .5, .4), "simbody": ("poisson", .5, .4), "bullet": ("newton", .4, .36),
         "chipmunk": ("newton", .4, .36), "dart": ("newton", .4, .4), "box2d": ("newton", .8, .6), "jolt": ("newton", .8, .6)}
CODES = (*DASHPOTS, *RIGID)
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs", "conversions.md")
# Inputs of a code with which every formula of its page holds, and ours for the way back.
GIVEN = {"lammps": {"Kn": 2e4, "Kt": 7e3, "gn": 40.0, "gt": 30.0}, "yade": {"tc": 2e-3, "en": .7, "et": .5},
         "kratos": {"gamma": .3, "kn": 2e4, "kt": 7e3}, "chrono": {"kn": 2e4, "kt": 7e3, "gn": 40.0, "gt": 30.0},
         "mujoco": {"timeconst": .03, "dampratio": .4}, "ode_soft": {"step": 1e-4, "soft_erp": .3, "soft_cfm": 2e-3},
         "bullet_soft": {"stiffness": 3e4, "damping": 5.0}, "ode": {"bounce": .5}, "siconos": {"en": .5}, "simbody": {"minCOR": .5},
         "chipmunk": {"elasticity": .5, "other_restitution": .8, "other_mu": .9}}
GIVEN |= {code: {"restitution": .5, "other_restitution": .8, "other_mu": .9} for code in ("bullet", "dart", "box2d", "jolt")}
CONTACT = {"mass": 0.02, "normal_stiffness": 3e4, "stiffness_ratio": 2.5, "normal_damping_ratio": 0.21,
           "tangential_damping_ratio": 0.34, "friction": 0.45}


def words(values):
    return [f"{name}={value!r}" if isinstance(value, float) else f"{name}={value}" for name, value in values.items()]


def elongation(e):
    """The damping ratio of a contact that ends by elongation."""
    return -math.log(e) / math.sqrt(math.pi ** 2 + math.log(e) ** 2)


class Convert(Case):
    def converted(self, *words):
        return json.loads(self.good("convert", *words, "--json"))

    def cell_of(self, found):
        """The outputs of the command that a conversion prints."""
        command = shlex.split(found["line"])
        assert command[:2] == ["impactsweep", "cell"]
        return self.cell(*command[2:])

    @pytest.mark.parametrize("asked, got", ASKED_AND_GOT)
    @pytest.mark.parametrize("call", ("yade tc=1ms en={} et=0.8", "chrono restitution={}", "chrono e={} kn=1e5"))
    def test_what_is_asked_for_is_not_what_comes_out(self, call, asked, got):
        found = self.converted(*call.format(asked).split())
        assert found["restitution_asked"] == asked
        assert found["restitution"] == pytest.approx(got, abs=5e-7)
        assert found["values"]["normal_damping_ratio"] == pytest.approx(elongation(asked), rel=1e-14)
        assert found["values"]["contact_end"] == "force"
        assert self.cell_of(found)["kinematic_restitution"] == pytest.approx(found["restitution"], rel=1e-13)
        text = self.good("convert", *call.format(asked).split())
        assert f"asked {asked:g}, got {got:.6f}" in " ".join(text.split())

    def test_what_to_ask_for_instead(self):
        for wanted in (.95, .9, .5, .3, .25):
            for wall in ("no", "yes"):
                told = " ".join(self.converted("yade", f"en={wanted}", f"wall={wall}")["remarks"])
                instead = re.search(r"ask for ([\d.]+)", told)[1]
                assert self.converted("yade", f"en={instead}", f"wall={wall}")["restitution"] == pytest.approx(wanted, abs=2e-6)
        assert "less than 0.135335 cannot be had" in " ".join(self.converted("chrono", "e=0.1")["remarks"])

    def test_lammps(self):
        found = self.converted("lammps", "Kn=1e5N/m", "Kt=NULL", "gn=50", "gt=NULL", "mu=0.5", "mass=10g")
        ratio = 50 * math.sqrt(.01 / 1e5) / 2
        numbers = {"velocity_ratio": 0, "normal_speed": 1, "mass": .01, "normal_stiffness": 1e5, "stiffness_ratio": 3.5,
                   "normal_damping_ratio": ratio, "tangential_damping_ratio": 1.75 * ratio, "friction": .5}
        assert {name: found["values"][name] for name in numbers} == pytest.approx(numbers, rel=1e-14)
        assert (found["values"]["law"], found["values"]["contact_end"]) == ("dashpot", "elongation")
        assert found["not_given"] == ["velocity_ratio", "normal_speed"]
        assert self.cell_of(found)["kinematic_restitution"] == pytest.approx(
            math.exp(-math.pi * ratio / math.sqrt(1 - ratio ** 2)), rel=1e-13)
        free = self.converted("lammps", "Kn=100", "gn=3", "dampflag=0", "xmu=.2", "gamma_t=7", "limit_damping=yes")["values"]
        assert (free["tangential_damping_ratio"], free["contact_end"]) == (0, "force")

    def test_tangential_ratio_of_each_rule(self):
        zt = self.converted("lammps", "Kn=100", "gn=3", "Kt=80", "gt=2", "m=.5")["values"]["tangential_damping_ratio"]
        assert zt == pytest.approx(2 * math.sqrt(3.5 * .5 / 80) / 2, rel=1e-14)
        for call, factor in (("lammps Kn=100 gn=3", 1.75), ("kratos gamma=.3", math.sqrt(3.5)), ("chrono e=.4", math.sqrt(3.5)),
                             ("chrono kn=10 gn=2", math.sqrt(3.5)), ("yade en=.4", 1), ("mujoco dampratio=.4", 0)):
            values = self.converted(*call.split())["values"]
            assert values["tangential_damping_ratio"] == pytest.approx(factor * values["normal_damping_ratio"], rel=1e-14)
        values = self.converted("chrono", "kn=10", "gn=2", "mass=4")["values"]
        assert (values["normal_damping_ratio"], values["stiffness_ratio"]) == pytest.approx((math.sqrt(.4), 1), rel=1e-14)

    def test_yade(self):
        plain = self.converted("yade", "tc=.01", "en=.6", "et=.3", "m=2")["values"]
        rate = [math.pi ** 2 + math.log(e) ** 2 for e in (.6, .3)]
        assert plain["normal_stiffness"] == pytest.approx(2 * rate[0] / 1e-4, rel=1e-13)
        assert plain["stiffness_ratio"] == pytest.approx(3.5 * rate[0] / rate[1], rel=1e-14)
        assert plain["tangential_damping_ratio"] == pytest.approx(elongation(.3), rel=1e-14)
        wall = self.converted("yade", "tc=.01", "en=.6", "et=.3", "m=2", "wall=yes")["values"]
        for name, factor in (("normal_stiffness", .5), ("normal_damping_ratio", math.sqrt(.5)),
                             ("tangential_damping_ratio", math.sqrt(.5)), ("stiffness_ratio", 1)):
            assert wall[name] == pytest.approx(factor * plain[name], rel=1e-14)
        angle = self.converted("yade", "en=.6", "frictionAngle=30deg")["values"]
        assert angle["friction"] == pytest.approx(math.tan(math.pi / 6), rel=1e-14)

    def test_mujoco(self):
        for solref in ("solref=0.02 1", "solref=0.02,1"):
            values = self.converted("mujoco", solref)["values"]
            assert (values["normal_damping_ratio"], values["normal_stiffness"]) == pytest.approx((1, 2500), rel=1e-14)
        default = self.converted("mujoco")
        assert default["values"] == values
        assert default["restitution"] == pytest.approx(.135335283, abs=1e-9)
        direct = self.converted("mujoco", "solref=-1000,-20", "mass=2")["values"]
        assert direct == self.converted("mujoco", "stiffness=1000", "damping=20", "mass=2")["values"]
        assert (direct["normal_stiffness"], direct["normal_damping_ratio"]) == pytest.approx(
            (2000, 20 / (2 * math.sqrt(1000))), rel=1e-14)

    @pytest.mark.parametrize("call, assumed", (
        ("lammps Kn=1 gn=.1", "stiffness_ratio tangential_damping_ratio friction"), ("lammps Kn=1 gn=.1 Kt=NULL gt=NULL mu=0", ""),
        ("lammps Kn=1 gn=.1 Kt=1 dampflag=0 mu=.2", ""), ("kratos gamma=.3", "normal_stiffness stiffness_ratio friction"),
        ("kratos gamma=.3 kn=1 kt=1 mu=.2", ""), ("yade en=.5", "normal_stiffness stiffness_ratio tangential_damping_ratio friction"),
        ("yade en=.5 et=.5 tc=1 frictionAngle=.2", ""), ("chrono e=.5", "normal_stiffness friction"),
        ("chrono kn=1 gn=.1", "stiffness_ratio tangential_damping_ratio friction"), ("chrono kn=1 gn=.1 kt=1 gt=.1 mu=0", ""),
        ("mujoco", "normal_stiffness normal_damping_ratio friction"), ("mujoco T=.1", "normal_damping_ratio friction"),
        ("mujoco D=.5 mu=0", "normal_stiffness"), ("mujoco solref=0.02,1 mu=0", ""), ("mujoco solref=-9,-1 mu=0", ""),
        ("ode_soft h=.1 erp=.2 cfm=1", "friction"), ("bullet_soft k=1 d=.1", "friction"), ("bullet_soft k=1 d=.1 mu=1", ""),
        ("ode bounce=.5", "friction"), ("ode bounce=.5 mu=0", "")))
    def test_what_was_assumed_is_marked(self, call, assumed):
        words = (*call.split(), "mass=1", "velocity_ratio=0", "normal_speed=1")
        assert self.converted(*words)["not_given"] == assumed.split()
        text = self.good("convert", *words)
        assert re.findall(r"^(\w+) .*\(not given\)$", text, re.MULTILINE) == assumed.split()

    def test_no_number_is_minus_zero(self):
        for call in ("yade en=1", "yade en=1 mu=-0 velocity_ratio=-0", "mujoco solref=-1,0", "--back mujoco normal_damping_ratio=0",
                     "--back chrono normal_damping_ratio=-0 tangential_damping_ratio=-0 friction=-0", "ode bounce=-0",
                     "--back ode restitution=-0 friction=-0"):
            for text in (self.good("convert", *call.split()), self.good("convert", *call.split(), "--json")):
                assert not re.search(r"-0(?![.\d])", text), call
        assert self.converted("--back", "mujoco", "normal_damping_ratio=0")["line"] == 'solref="-1 0"'

    def test_a_zero_beside_a_negative_number_of_solref(self):
        there = self.converted("mujoco", "stiffness=4", "damping=0")["values"]
        for solref in ("-4,0", "-4 0", "-4 -0", "-4,0.0"):
            assert self.converted("mujoco", f"solref={solref}")["values"] == there
        self.bad("convert", "mujoco", "solref=-4,2", code=BAD_INPUT, says="timeconst is '-4'")
        self.bad("convert", "mujoco", "solref=0,0", code=BAD_INPUT, says="timeconst is '0'")

    def test_switches_take_words_and_numbers(self):
        for switch in ("dampflag", "limit_damping"):
            for one, other in (("no", "0"), ("yes", "1")):
                named, numbered = (self.converted("lammps", "Kn=1", "gn=.1", f"{switch}={value}")["values"] for value in (one, other))
                assert named == numbered
        assert self.converted("lammps", "Kn=1", "gn=.1", "dampflag=no")["values"]["tangential_damping_ratio"] == 0

    def test_a_unit_that_begins_with_a_stroke(self):
        values = self.converted("lammps", "Kn=1e5N/m", "gn=50 1/s")["values"]
        for rate in ("50/s", "50 /s", "0.05/ms"):
            assert self.converted("lammps", "Kn=1e5N/m", f"gn={rate}")["values"] == values
        for rate in ("50/2", "50/", "50//s", "50/x"):
            self.bad("convert", "lammps", "Kn=1", f"gn={rate}", code=BAD_INPUT, says="is not a number with an optional unit")

    def test_results_out_of_range_name_the_words(self):
        told = self.sweep("convert", "lammps", "Kn=1", "gn=1e300")
        assert told.stderr.splitlines()[0] == "Kn=1 gn=1e300: error: 'normal_damping_ratio' is 5e+299, outside its range [0, 1e+08]"
        assert told.returncode == BAD_INPUT

    @pytest.mark.parametrize("call, traps", (
        ("lammps Kn=1 gn=.1 mu=.2", ("plane pulls", "whole velocity", "2/7", "g/w0")),
        ("lammps Kn=1 gn=3", ("does not end",)), ("lammps Kn=1 gn=.1 limit_damping=yes", ("tension is cut",)),
        ("yade en=.5 mu=.2", ("got 0.550283", "give wall=yes", "outside the cone", "longer duration")),
        ("yade en=.5 wall=1", ("by sqrt 2", "half")), ("kratos gamma=.2", ("tension is cut", "longer duration", "says 0.526")),
        ("chrono e=.5 mu=.2", ("got 0.550283", "no memory", "longer duration")),
        ("mujoco", ("not 0", "another model", "g/w0 = 0.196 m/s"))))
    def test_traps(self, call, traps):
        told = " ".join(self.converted(*call.split())["remarks"])
        assert [trap for trap in traps if trap not in told] == []

    def test_traps_that_do_not_apply_are_not_told(self):
        for call, trap in (("yade en=1", "asked"), ("lammps Kn=1 gn=0", "pulls"), ("mujoco dampratio=.5", "not 0"),
                           ("yade en=.5", "cone"), ("chrono e=.5", "memory"), ("lammps Kn=1 gn=1 dampflag=0 mu=1", "whole velocity")):
            assert trap not in " ".join(self.converted(*call.split())["remarks"])

    def test_there_and_back_again(self):
        for code in DASHPOTS:
            contact = dict(CONTACT, contact_end="elongation" if code == "lammps" else "force")
            z = contact["normal_damping_ratio"]
            if code == "yade":
                contact["stiffness_ratio"] = 3.5 * (1 - .34 ** 2) / (1 - z ** 2)
            elif code == "kratos":
                contact["tangential_damping_ratio"] = z * math.sqrt(3.5)
            elif code in ("mujoco", "ode_soft", "bullet_soft"):
                contact.update(stiffness_ratio=1.0, tangential_damping_ratio=0.0)
            theirs = self.converted("--back", code, *words(contact))["values"]
            ours = self.converted(code, *words(theirs))["values"]
            assert {name: ours[name] for name in contact} == pytest.approx(contact, rel=1e-13), code

    def test_yade_at_a_wall_there_and_back_again(self):
        for en, et in ((.6, .3), (.3, .9), (1e-6, 1), (1, .02)):
            given = {"tc": 2e-3, "en": en, "et": et, "mass": .3, "mu": .4, "wall": "yes"}
            there = self.converted("yade", *(f"{name}={value}" for name, value in given.items()))
            line = shlex.split(there["line"])[3:]
            back = self.converted("--back", "yade", *line, "wall=yes")
            assert {name: back["values"][name] for name in given} == {
                name: value if name == "wall" else pytest.approx(value, rel=1e-12) for name, value in given.items()}
            assert back["restitution"] == pytest.approx(there["restitution"], rel=1e-14)
            assert any("mass 0" in remark for remark in back["remarks"])
            self.bad("convert", "--back", "yade", *line, code=BAD_INPUT, says="wall=yes has another one")
            told = self.bad("convert", "--back", "yade", *line, "wall=no", code=BAD_INPUT, says="which follows from the others")
            assert "wall=yes" not in told
        self.bad("convert", "--back", "yade", "normal_damping_ratio=.1", "tangential_damping_ratio=.1", "stiffness_ratio=1",
                 code=BAD_INPUT, says="can only have 3.5 here, which follows from the others\n")
        both = self.sweep("convert", "--back", "yade", "wall=maybe", "friction=-1")
        assert "argument 1: " in both.stderr and "argument 2: " in both.stderr and "'maybe'" in both.stderr, both.stderr
        self.bad("convert", "--back", "lammps", "Kn=1", code=BAD_INPUT, says="unknown parameter or choice 'Kn'")
        self.bad("convert", "--back", "yade", "normal_damping_ratio=.8", "wall=yes", code=BAD_INPUT, says="below sqrt(1/2) at a wall")

    def test_a_time_step_is_given_on_the_way_back(self):
        given = {"step": 1e-4, "soft_erp": .3, "soft_cfm": 2e-4, "mass": .3, "mu": .4}
        there = self.converted("ode_soft", *(f"{name}={value}" for name, value in given.items()))
        back = self.converted("--back", "ode_soft", *shlex.split(there["line"])[3:], "step=1e-4")
        assert {name: back["values"][name] for name in given} == pytest.approx(given, rel=1e-13)
        self.bad("convert", "--back", "ode_soft", "step=-1", code=BAD_INPUT, says="it must be in (0, inf) s")

    def test_back_from_the_command_of_a_cell(self):
        there = self.converted("lammps", "Kn=1e4", "Kt=5000", "gn=20", "gt=4", "mu=.3", "mass=.2", "velocity_ratio=.7")
        back = self.converted("--back", "lammps", *shlex.split(there["line"])[3:])
        assert {name: back["values"][name] for name in ("Kn", "Kt", "gn", "gt", "mu")} == pytest.approx(
            {"Kn": 1e4, "Kt": 5000, "gn": 20, "gt": 4, "mu": .3}, rel=1e-13)
        assert re.fullmatch(r"pair_style gran/hooke/history \S+ \S+ \S+ \S+ 0.3 1", back["line"])
        assert self.converted("--back", "mujoco", "normal_damping_ratio=1")["line"] == 'solref="1 1"'
        assert self.converted("--back", "lammps", "poisson_ratio=.25")["values"]["Kt"] == pytest.approx(1.5 / 1.75)

    @pytest.mark.parametrize("code", RIGID)
    def test_codes_with_a_restitution(self, code):
        law, e, mu = RIGID[code]
        found = self.converted(code, *words(GIVEN[code]), "mu=.4", "mass=2")
        assert (found["values"]["law"], found["restitution"]) == (law, pytest.approx(e, rel=1e-14))
        assert (found["values"]["friction"], found["values"]["mass"]) == (pytest.approx(mu, rel=1e-14), 2)
        assert self.cell_of(found)["kinematic_restitution"] == pytest.approx(e, rel=1e-13)
        back = self.converted("--back", code, f"law={law}", "restitution=.3", "friction=.7")["values"]
        again = self.converted(code, *words({name: float(value) for name, value in back.items()}))["values"]
        assert (again["restitution"], again["friction"]) == pytest.approx((.3, .7), rel=1e-14)

    def test_the_other_body_is_the_same_if_nothing_is_said(self):
        assert self.converted("bullet", "e=.5", "mu=.4")["values"]["restitution"] == .25
        assert self.converted("box2d", "e=.5", "mu=.4")["values"]["friction"] == pytest.approx(.4, rel=1e-14)
        assert "mixes the coefficients" in " ".join(self.converted("dart", "e=.5")["remarks"])
        assert "mixes the coefficients" not in " ".join(self.converted("ode", "bounce=.5")["remarks"])

    def test_remarks_name_the_code(self):
        assert "below a normal speed, which jolt lets one set, nothing bounces" in self.converted("jolt", "e=.5")["remarks"]
        said = "friction is another model in mujoco, without a tangential spring: only normal motion can be compared"
        assert said in self.converted("mujoco", "timeconst=.02")["remarks"]
        assert not any("CODE" in remark for code in CODES for remark in self.converted(code, *words(GIVEN[code]))["remarks"])

    def test_the_page_of_conversions(self):
        with open(PAGE, encoding="utf-8") as file:
            same = file.read() == self.good("convert", "--markdown")
        assert same, "write it anew: impactsweep convert --markdown > configs/conversions.md"
        self.bad("convert", "--markdown", "yade", says="takes no CODE")

    @pytest.mark.parametrize("code", CODES)
    def test_formulas_of_the_page_are_the_conversion(self, code):
        """Every formula of the page with the numbers of a conversion, there and back."""
        section = self.good("convert", "--markdown").partition(f"\n## {code}\n")[2].partition("\n## ")[0]
        there, back = section.split(f"| {code} | is | |")
        theirs = {"mass": .3, "mu": .4, **GIVEN[code]}
        ours = self.converted(code, *words(theirs))["values"]
        again = self.converted("--back", code, *words({name: value for name, value in ours.items() if name != "contact_end"}),
                               *(["contact_end=force"] if code in DASHPOTS and code != "lammps" else []))["values"]
        checked = 0
        for table, given, got in ((there, theirs, ours), (back, ours, again)):
            known = {**vars(math), "step": got.get("step"), **given}
            for name, formula in re.findall(r"^\| (\w+) \| `(.*)` \|", table, re.MULTILINE):
                value = eval(formula.replace("^", "**"), {"__builtins__": {"min": min, "max": max}}, known)
                assert got[name] == pytest.approx(value, rel=1e-12), (name, formula)
                checked += 1
        assert checked >= 4

    def test_what_has_no_way_back(self):
        for call, says in (("yade normal_damping_ratio=1", "below 1"), ("yade stiffness_ratio=1", "can only have 3.5 here"),
                           ("kratos normal_damping_ratio=.1 tangential_damping_ratio=.1", "can only have 0.187082869339 here"),
                           ("chrono contact_end=elongation", "cuts the tension"), ("lammps body=rod angle=20deg", "body is rod"),
                           ("lammps law=linear", "law is linear"), ("lammps foo=1", "unknown parameter or choice 'foo'"),
                           ("lammps friction=-1", "outside its range"), ("lammps friction==0.1*mass", "formula"),
                           ("simbody restitution=.5 law=newton", "simbody has poisson alone"), ("ode yield_speed=3", "one restitution"),
                           ("ode friction=.3", "'restitution'"), ("bullet_soft contact_end=elongation", "cuts the tension"),
                           ("yade normal_damping_ratio=.999999", "en comes out as 0; yade takes values in (0, 1]"),
                           ("yade tangential_damping_ratio=.999999", "et comes out as 0; yade takes values in (0, 1]"),
                           ("kratos stiffness_ratio=1e-300 normal_stiffness=1e18", "kt comes out as inf; kratos takes values in (0, inf)"),
                           ("mujoco normal_damping_ratio=1e-310 normal_stiffness=1e-10", "timeconst comes out as inf")):
            self.bad("convert", "--back", *call.split(), code=BAD_INPUT, says=says)

    def test_bad_input(self):
        for call, says in (("lamps Kn=1", "did you mean 'lammps'?"), ("lammps", "'Kn' is missing"), ("lammps Kn=1", "'gn' is missing"),
                           ("yade tc=1", "'en' is missing"), ("kratos", "'gamma' is missing"), ("chrono", "'restitution' is missing"),
                           ("chrono e=.5 gn=1", "given both"), ("chrono gn=1", "'kn' is missing"), ("chrono e=.5 kt=1", "give gn"),
                           ("yade en=0", "it must be in (0, 1]"), ("yade en=1.1", "it must be in (0, 1]"),
                           ("yade en=nan", "is not a number"), ("yade en=.5 en=.6", "given twice"),
                           ("yade en=.5 mu=1 frictionAngle=10deg", "given both"), ("yade en=.5 tc=3kg", "another quantity"),
                           ("yade en=.5 wall=maybe", "is not a number"), ("yade en=.5 wall=.5", "it must be in"),
                           ("yade enn=.5", "did you mean 'en'?"), ("mujoco solref=1", "two numbers"),
                           ("mujoco solref=1,x", "is not a number"), ("mujoco solref=-1,2", "it must be in"),
                           ("mujoco timeconst=1 damping=2", "timeconst and dampratio, or"), ("mujoco damping=2", "'stiffness' is missing"),
                           ("yade en", "is not of the form NAME=VALUE"), ("yade =1", "is not of the form"),
                           ("ode mu=.3", "'bounce' is missing"), ("ode bounce=1.5", "it must be in [0, 1]"),
                           ("ode_soft erp=.2 cfm=1", "'step' is missing"),
                           ("lammps Kn=1 gn=1e9", "outside its range"), ("lammps Kn=1 gn=NULL", "is not a number")):
            self.bad("convert", *call.split(), code=BAD_INPUT, says=says)
        self.bad("convert", code=BAD_INPUT, says="the name of a code is missing")
        every = self.sweep("convert", "yade", "en=2", "x=1", "tc")
        assert [line.partition(":")[0] for line in every.stderr.splitlines()] == ["argument 1", "argument 2", "argument 3"]

    def test_inputs_of_the_codes(self):
        text = self.good("convert", "--inputs")
        assert [line.partition(":")[0] for line in text.splitlines() if line and line[0] != " "] == list(CODES)
        assert self.good("convert", "yade", "--inputs") in text
        self.bad("convert", "--inputs", "yad", says="unknown code")

    def test_inputs_of_the_codes_as_json(self):
        every = json.loads(self.good("convert", "--inputs", "--json"))["codes"]
        assert [one["name"] for one in every] == list(CODES)
        for code in every:
            assert json.loads(self.good("convert", code["name"], "--inputs", "--json")) == {"codes": [code]}
            text = self.good("convert", code["name"], "--inputs")
            pair = [code["pair"]] if code["pair"] else []
            assert re.findall(r"^  (\w+)", text, re.MULTILINE) == [one["name"] for one in code["inputs"]] + pair
        yade = {one["name"]: one for one in every[1]["inputs"]}
        assert yade["en"] == {"name": "en", "unit": "1", "meaning": "normal restitution that is asked for", "low": 0, "high": 1,
                              "low_open": True, "high_open": False, "default": None, "other_names": ["e", "restitution"]}
        assert (yade["wall"]["default"], yade["mass"]["default"], yade["tc"]["other_names"]) == ("no", 1, [])
        self.bad("convert", "yad", "--inputs", "--json", says="unknown code 'yad'")
        self.bad("convert", "--markdown", "--json", says="--markdown takes no --json")
