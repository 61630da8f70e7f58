"""Engines strike a plane with the parameters that `impactsweep convert` turns into ours: the restitutions are the same."""
import os
import re
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ.setdefault("IMPACTSWEEP_LIBRARY", os.path.join(os.environ["IMPACT_BUILD"], "libimpact.so"))
import exam
import impactsweep

# Programs in the folder soft: parameters of the code, and their words on the command line after the step.
SOFT = {"bullet_soft": [({"stiffness": 1e4, "damping": 20.0}, ["1e4", "20"]), ({"stiffness": 3e5, "damping": 700.0}, ["3e5", "700"])],
        "mujoco": [({"timeconst": 0.02, "dampratio": 0.3}, ["0.02", "0.3", "0.9"]), ({}, ["0.02", "1", "0.95"]),
                   ({"stiffness": 2000.0, "damping": 30.0}, ["-2000", "-30", "0.9999"])]}
LAMMPS = """units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
region box block -1 1 -1 1 0 2
create_box 1 box
create_atoms 1 single 0 0 0.1003
set atom 1 diameter 0.2 density 238.73241463784300
{pair}
pair_coeff * *
velocity all set {along} 0 -1.0
timestep 1e-6
fix 1 all nve/sphere
fix 2 all wall/gran {wall} zplane 0 NULL
run 60000
variable x equal vcm(all,x)
variable z equal vcm(all,z)
print "RESULT ${{x}} ${{z}}"
"""

# A sphere of 1 kg meets another one, or a facet.
YADE = """from yade import *
material = O.materials.append(ViscElMat(tc=1e-3, en={en}, et={en}, frictionAngle=0.3, density=238.73241463784300))
other = O.bodies.append({other})
one = O.bodies.append(sphere((0, 0, 0.1001), 0.1, material=material))
O.bodies[one].state.vel = (0, 0, -1)
O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()]),
             InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()], [Ip2_ViscElMat_ViscElMat_ViscElPhys()],
                             [Law2_ScGeom_ViscElPhys_Basic()]), NewtonIntegrator(damping=0, gravity=(0, 0, 0))]
O.dt = 1e-7
O.run(60000, True)
print("RESULT", O.bodies[one].state.vel[2] - O.bodies[other].state.vel[2])
"""
YADE_OTHERS = {"no": "sphere((0, 0, -0.1), 0.1, material=material)",
               "yes": "facet([(-1, -1, 0), (1, -1, 0), (0, 1, 0)], material=material)"}


def program(name, folder):
    """Builds soft/NAME.cpp."""
    source, made = os.path.join(HERE, "soft", f"{name}.cpp"), os.path.join(folder, name)
    with open(source, encoding="utf-8") as file:
        flags = re.search(r"build: c\+\+ -O2 \S+(.*)", file.read())[1].split()
    if subprocess.run(["c++", "-O2", source, *flags, "-o", made], capture_output=True, check=False).returncode != 0:
        pytest.skip(f"{name} is not installed")
    return made


def run(*words):
    return float(subprocess.run(words, capture_output=True, text=True, check=True, timeout=120).stdout)


def closes_in(found, wanted):
    """Whether answers of ever finer steps (each a tenth of the one before) tend to a value at first order."""
    errors = [abs(one - wanted) for one in found]
    assert errors[-1] < 3e-3 and all(after < 0.2 * before for before, after in zip(errors, errors[1:])), (found, wanted)


@pytest.mark.parametrize("name", SOFT)
def test_a_soft_contact(name, tmp_path):
    made = program(name, tmp_path)
    for values, words in SOFT[name]:
        more = ["1"] if name == "mujoco" else ["2", "1"]
        mass = {} if name == "mujoco" else {"mass": 2.0}
        wanted = impactsweep.convert(name, **values, **mass).restitution
        closes_in([run(made, step, *words, *more) for step in ("1e-4", "1e-5")], wanted)


def test_odes_softness(tmp_path):
    """ERP and CFM belong to a step: those of one contact at three steps, there and back."""
    made = program("ode_soft", tmp_path)
    for stiffness, ratio in ((1e4, 0.07), (4e4, 0.6)):
        ours = {"normal_stiffness": stiffness, "normal_damping_ratio": ratio, "mass": 2.0}
        found = []
        for step in (1e-4, 1e-5):
            both = step * stiffness + 2 * ratio * (2 * stiffness) ** 0.5
            theirs = {"step": step, "soft_erp": step * stiffness / both, "soft_cfm": 1 / both}
            values = impactsweep.convert("ode_soft", mass=2.0, **theirs)
            assert {name: values[name] for name in ours} == pytest.approx(ours, rel=1e-9)
            found.append(run(made, *map(repr, theirs.values()), "2", "1"))
        closes_in(found, values.restitution)
        back = impactsweep.convert("ode_soft", back=True, **ours)
        got = run(made, *(repr(back[name]) for name in ("step", "soft_erp", "soft_cfm")), "2", "1")
        assert got == pytest.approx(values.restitution, abs=0.02)


@pytest.mark.parametrize("words, values", (
    ("1e5 NULL 50 NULL 0.5 1", {"Kn": 1e5, "gn": 50, "mu": 0.5}), ("2e5 9e4 30 70 0.2 0", {"Kn": 2e5, "Kt": 9e4, "gn": 30, "gt": 70,
                                                                                          "mu": 0.2, "dampflag": 0})))
def test_lammps(words, values, tmp_path):
    lammps = shutil.which("lmp")
    if not lammps:
        pytest.skip("LAMMPS is not installed")
    path = tmp_path / "in.sphere"
    path.write_text(LAMMPS.format(pair=f"pair_style gran/hooke/history {words}", wall=f"hooke/history {words}", along=0.3),
                    encoding="utf-8")
    environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    told = subprocess.run([lammps, "-in", path, "-log", "none"], capture_output=True, text=True, check=True, timeout=300, cwd=tmp_path,
                          env=environment).stdout
    _, normal = map(float, re.search(r"^RESULT (\S+) (\S+)", told, re.MULTILINE).groups())
    assert normal == pytest.approx(impactsweep.convert("lammps", mass=1.0, **values).restitution, abs=1e-4)


@pytest.mark.parametrize("wall, mass", (("no", 0.5), ("yes", 1.0)))
def test_yade(wall, mass, tmp_path):
    yade = shutil.which("yade")
    if not yade:
        pytest.skip("YADE is not installed")
    path = tmp_path / "spheres.py"
    for en in (0.3, 0.6, 0.9):
        path.write_text(YADE.format(en=en, other=YADE_OTHERS[wall]), encoding="utf-8")
        told = subprocess.run([yade, "-n", "-x", "-j1", path], capture_output=True, text=True, check=False, timeout=300,
                              cwd=tmp_path).stdout
        found = float(re.search(r"^RESULT (\S+)", told, re.MULTILINE)[1])
        assert found == pytest.approx(impactsweep.convert("yade", tc=1e-3, en=en, mass=mass, wall=wall).restitution, abs=5e-4)


RIGID = {"chipmunk": "chipmunk", "box2d": "box2d", "ode": "ode_quick", "bullet": "bullet", "siconos": "siconos", "simbody": "simbody",
         "dart": "dart"}


@pytest.mark.parametrize("code", RIGID)
def test_a_coefficient_of_restitution(code, tmp_path):
    """The disc of the exam, whose inertia is that of a solid sphere: the cell that the conversion leads to."""
    one = next(adapter for adapter in exam.LIST if adapter.name == RIGID[code])
    exam.build(one, tmp_path)
    if one.missing or not exam.is_there(one):
        pytest.skip(f"{code} is not installed: {one.missing}")
    near = 0.02 if code == "box2d" else 0.005  # its shapes touch by a skin
    name = {"chipmunk": "elasticity", "ode": "bounce", "siconos": "en", "simbody": "minCOR"}.get(code, "restitution")
    for e, mu, ratio in ((0.3, 0.1, 1.5), (0.8, 0.6, 0.7), (1.0, 0.3, -2.0)):
        ours = impactsweep.convert(code, back=True, restitution=e, friction=mu, velocity_ratio=ratio,
                                   law="poisson" if code == "simbody" else "newton")
        ahead = impactsweep.convert(code, velocity_ratio=ratio, **ours)
        assert ours[name] == e
        cell = impactsweep.solve(ahead.theory, **ahead, outputs=["kinematic_restitution", "velocity_ratio_out"])
        found = impactsweep.solve(f"guest:{one.command}", body="disc", angle=0, velocity_ratio=ratio, side_ratio=0, spin=0, friction=mu,
                                  restitution=e, time_step=1e-4, outputs=["normal_velocity", "velocity_t"])
        assert float(found.normal_velocity) == pytest.approx(float(cell.kinematic_restitution), abs=near)
        assert float(found.velocity_t) == pytest.approx(float(cell.velocity_ratio_out), abs=near)
