#!/usr/bin/python3
"""The exam of physics engines: `tests/exam/exam.py` builds every adapter whose engine is installed, asks each about the scenes
at several time steps, judges the answers, and writes the table and a picture for each engine into a folder.

    exam.py [--output FOLDER] [--modules FOLDER] [--only NAME,NAME] [--points N]

--modules names a folder in which `npm install planck matter-js cannon-es @dimforge/rapier2d-compat @dimforge/rapier3d-compat
jolt-physics mujoco-js` was run. Engines that are missing are named and left out."""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ADAPTERS = os.path.join(HERE, "adapters")
sys.path[:0] = [HERE, os.path.join(ROOT, "postprocess")]
os.environ["PYTHONPATH"] = os.path.join(ROOT, "postprocess")

import numpy as np

import exact
import impactsweep
import judge
import scenes

STEPS = (1e-4, 1e-3, 1e-2)  # s; the finest counts
STEP = STEPS[0]
OUTPUTS = ("normal_velocity", "velocity_t", "velocity_s", "spin_out", "energy_kept")


@dataclass
class Adapter:
    name: str
    space: bool    # the capsule, too
    needs: str     # where to get the engine, for the message about a missing one
    version: str = ""
    command: str = ""
    missing: str = ""


LIST = [Adapter("chipmunk", False, "Debian: chipmunk-dev"), Adapter("box2d", False, "Debian: libbox2d-dev"),
        Adapter("ode_quick", True, "Debian: libode-dev"), Adapter("ode_direct", True, "Debian: libode-dev"),
        Adapter("bullet", True, "Debian: libbullet-dev"), Adapter("mujoco", True, "Debian: libmujoco-dev"),
        Adapter("siconos", True, "Debian: libsiconos-kernel-dev"), Adapter("simbody", True, "Debian: libsimbody-dev"),
        Adapter("simbody_pgs", True, "Debian: libsimbody-dev"),
        Adapter("dart", True, "Debian: libdart-dev, libdart-collision-ode-dev, libdart-external-ikfast-dev"),
        Adapter("planck", False, "npm: planck"),
        Adapter("matter", False, "npm: matter-js"), Adapter("cannon", True, "npm: cannon-es"),
        Adapter("rapier2d", False, "npm: @dimforge/rapier2d-compat"),
        Adapter("rapier3d", True, "npm: @dimforge/rapier3d-compat"), Adapter("jolt", True, "npm: jolt-physics"),
        Adapter("mujoco3", True, "npm: mujoco-js")]


def build(one, folder):
    """Sets the command of an adapter, or why there is none."""
    source = next((os.path.join(ADAPTERS, one.name + end) for end in (".cpp", ".mjs")
                   if os.path.exists(os.path.join(ADAPTERS, one.name + end))), None)
    if source is None:
        one.missing = "it has no adapter"
    elif source.endswith(".cpp"):
        with open(source, encoding="utf-8") as file:
            flags = re.search(r"build: c\+\+ -O2 \S+(.*)", file.read())[1]
        program = os.path.join(folder, one.name)
        made = subprocess.run(["c++", "-O2", source, *shlex.split(flags), "-o", program], capture_output=True, text=True,
                              check=False)
        one.command, one.missing = program, "" if made.returncode == 0 else made.stderr.strip().split("\n")[0]
    else:
        one.command = shlex.join(["node", source])
        one.missing = "" if shutil.which("node") else "node is missing"


def is_there(one):
    """Whether the adapter starts and describes itself."""
    try:
        about = impactsweep.describe(f"guest:{one.command}")
    except impactsweep.InputError as reason:
        one.missing = str(reason).strip().split("\n")[-1][:200]
        return False
    one.version = about.title
    return True


def ask(one, of, step):
    """Answers to the scenes; NaN without one."""
    chosen = np.ones(len(of["body"]), bool) if one.space else of["body"] != "capsule"
    found = impactsweep.solve(f"guest:{one.command}", time_step=step, outputs=list(OUTPUTS),
                              **{name: values[chosen] for name, values in of.items()})
    answers = {name: np.full(len(chosen), np.nan) for name in OUTPUTS}
    for name in OUTPUTS:
        answers[name][chosen] = found[name].values
    return answers


def examine(one, of):
    """The verdict at STEP, and the influence of the time step."""
    by_step = {step: ask(one, of, step) for step in STEPS}
    own = np.isin(of["body"], ["capsule"], invert=True) if not one.space else np.ones(len(of["body"]), bool)
    answers = {name: values[own] for name, values in by_step[STEP].items()}
    verdict = judge.judge(judge.take(of, own), answers)
    return verdict, judge.step_influence(of, by_step)


# ------------------------------------------------------------------------------------------ results

HEAD = ("| engine | answers | law | within 1e-3 | within 1e-2 | where laws differ | energy gained | beyond the cone | spin reversed | "
        "spin missing | influence of a step of 1e-3, 1e-2 s |\n|---|---|---|---|---|---|---|---|---|---|---|")


def percent(share):
    return f"{100 * share:.0f} %"


def row(one, verdict, influence):
    return (f"| {one.name} | {verdict.answered} of {verdict.scenes} | {verdict.law} | {percent(verdict.close)} | {percent(verdict.near)} | "
            f"{percent(verdict.decisive)} | {100 * verdict.energy_gained:.1f} % | {verdict.beyond_cone:.3f} | "
            f"{percent(verdict.reversed_spins)} | {percent(verdict.missing_spins)} | "
            f"{influence[STEPS[1]]:.1e}, {influence[STEPS[2]]:.1e} |")


def grid(points):
    """A rod over its angle and the velocity ratio, with the rest of a scene in which the laws differ."""
    angle, ratio = np.meshgrid(np.radians(np.linspace(-80, 80, points)), np.linspace(-2, 2, points), indexing="ij")
    flat = {"angle": angle.ravel(), "velocity_ratio": ratio.ravel()}
    n = angle.size
    return {"body": np.full(n, "rod"), **flat, "side_ratio": np.zeros(n), "spin": np.zeros(n),
            "friction": np.full(n, 0.6), "restitution": np.full(n, 0.8)}


def draw(one, law, points, path):
    """Restitution and energy of the engine beside those of the law, on one scale."""
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    of = grid(points)
    answers, truth = ask(one, of, STEP), exact.after(of, law)
    figure, panels = plt.subplots(2, 2, figsize=(8, 7), sharex=True, sharey=True, layout="constrained")
    for line, (name, label, middle, reach) in enumerate((
            ("normal_velocity", "normal restitution", 0.8, 0.8), ("energy_kept", "energy after / before", 1.0, 0.5))):
        for column, (values, title) in enumerate(((answers, f"{one.name} at a step of 0.1 ms"), (truth, f"exact, law {law}"))):
            shown = panels[line, column].pcolormesh(
                np.linspace(-80, 80, points), np.linspace(-2, 2, points), values[name].reshape(points, points).T,
                cmap="RdBu_r", vmin=middle - reach, vmax=middle + reach, shading="nearest", rasterized=True)
            panels[line, column].set_title(title if line == 0 else None)
            panels[1, column].set_xlabel("angle of the rod from the plane / degrees")
        panels[line, 0].set_ylabel("tangential over normal velocity before")
        figure.colorbar(shown, ax=panels[line], label=label, extend="both")
    figure.suptitle("A rod strikes a plane: friction 0.6, restitution 0.8", fontsize=11)
    figure.savefig(path, dpi=75)
    plt.close(figure)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    options.add_argument("--output", default="exam")
    options.add_argument("--modules", default=os.environ.get("EXAM_MODULES", os.getcwd()))
    options.add_argument("--only", default="")
    options.add_argument("--points", type=int, default=60, help="points of each axis of the pictures; 0: none")
    given = options.parse_args()
    os.environ["EXAM_MODULES"] = os.path.abspath(given.modules)
    os.makedirs(given.output, exist_ok=True)
    of, rows, results, start = scenes.columns(scenes.read()), [], {}, time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for one in LIST:
            if given.only and one.name not in given.only.split(","):
                continue
            build(one, folder)
            if one.missing or not is_there(one):
                print(f"{one.name}: left out ({one.needs}): {one.missing}", flush=True)
                continue
            verdict, influence = examine(one, of)
            rows.append(row(one, verdict, influence))
            results[one.name] = {"version": one.version, **asdict(verdict), "influence": influence}
            print(rows[-1], flush=True)
            if given.points:
                draw(one, verdict.law, given.points, os.path.join(given.output, f"{one.name}.png"))
    with open(os.path.join(given.output, "table.md"), "w", encoding="utf-8") as file:
        file.write("\n".join([HEAD, *rows]) + "\n")
    with open(os.path.join(given.output, "results.json"), "w", encoding="utf-8") as file:
        json.dump(results, file, indent=1)
    print(f"{len(rows)} engines in {time.monotonic() - start:.0f} s: {given.output}/table.md")


if __name__ == "__main__":
    main()
