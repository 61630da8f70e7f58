#!/usr/bin/python3
"""What `check` estimates against what `run` takes, for every theory:

    tests/bench/estimates.py IMPACTSWEEP [ROW...] [--seconds 8] [--ranks 1,2]

Rows whose names contain one of the texts; each map has as many cells as `check` gives the seconds on one rank. Printed
are the time estimated for all cells and the time that the run took: making the file, cells, last sync."""
import argparse
import math
import os
import re
import subprocess
import tempfile

FRICTION = "  - {param: friction, from: 0.05, to: 1.5, points: %d}\n"
PENDULUM = "axes:\n  - {param: angle, from: 1 deg, to: 89 deg, points: %d}\n" + FRICTION
ROD = "axes:\n  - {param: angle, from: -89 deg, to: 89 deg, points: %d}\n" + FRICTION
ROD_3D = """axes:
  - {param: angle, from: -89 deg, to: 89 deg, points: %d}
  - {param: heading, from: -180 deg, to: 180 deg, points: %d}
fixed: {friction: 0.5, velocity_ratio: 0.5, restitution: 0.6}
"""
FIXED = "fixed: {stiffness_ratio: 1.21}\n"
FEW = "outputs: [mode, kinematic_restitution, energy_loss]\n"
ROWS = {
    "linear common": "model: compliant\nchoose: {body: pendulum}\n" + PENDULUM + FIXED + FEW,
    "linear every": "model: compliant\nchoose: {body: pendulum}\n" + PENDULUM + FIXED,
    "hertz": "model: compliant\nchoose: {body: pendulum, law: hertz}\n" + PENDULUM + FIXED + FEW,
    "coupled": "model: compliant\nchoose: {body: pendulum, law: coupled}\n" + PENDULUM + FIXED + FEW,
    "rigid": "model: rigid\nchoose: {body: rod, law: energetic}\n" + ROD +
             "fixed: {velocity_ratio: 0.7, restitution: 0.6}\n" + FEW,
    "swerve": "model: swerve\nchoose: {body: rod3d, law: energetic}\n" + ROD_3D + FEW,
    "compliant3d": "model: compliant3d\nchoose: {body: rod3d}\n" + ROD_3D.replace("0.6}", "0.6, stiffness_ratio: 1.21}") + FEW,
    "viscoelastic": "model: viscoelastic\naxes:\n  - {param: damping, from: 0.01, to: 20, points: %d, spacing: log}\n"
                    + FRICTION + "fixed: {velocity_ratio: 0.2}\n",
    "continuum": "model: continuum\nchoose: {body: sphere}\naxes:\n"
                 "  - {param: velocity_ratio, from: 0.1, to: 4.25, points: %d}\n" + FRICTION +
                 "fixed: {poisson_ratio: 0.3}\noutputs: [mode, velocity_ratio_out, energy_loss]\n",
    "beam": "model: beam\naxes:\n  - {param: angular_velocity, from: -8, to: -4, points: %d}\n"
            "  - {param: position, from: 0.2, to: 1, points: %d}\noutputs: [mode, kinematic_restitution, energy_loss]\n",
    "critical angle": "model: compliant\nchoose: {body: pendulum}\naxes:\n"
                      "  - {param: stiffness_ratio, from: 0.001, to: 10, points: %d, spacing: log}\n" + FRICTION +
                      "search:\n  over: {param: angle, from: 0.01 deg, to: 89.99 deg, samples: 128}\n"
                      "  find: boundary\n  of: mode\n  in: [wedge]\noutputs: [root, root_count, root_flag]\n",
    "extremes": "model: compliant\nchoose: {body: general}\naxes:\n"
                "  - {param: angle, from: -90 deg, to: 90 deg, points: %d}\n" + FRICTION +
                "fixed: {poisson_ratio: 0.28, inertia_coupling: 0.5}\nsearch:\n"
                "  over: {param: velocity_ratio, from: 0, to: 5.797883715482887, samples: 64}\n"
                "  find: maximum\n  of: kinematic_restitution\noutputs: [extreme, at_velocity_ratio, mode]\n",
    "two laws": "model: compliant\nchoose: {body: pendulum}\naxes:\n  - {param: angle, from: 1 deg, to: 89 deg, points: %d}\n"
                + FRICTION + "  - {param: law, values: [linear, hertz]}\n" + FIXED + FEW,
}


def spoken(program, words, ranks=1):
    mpirun = ["mpirun", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*mpirun, program, *words], capture_output=True, text=True,
                          env={**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def seconds(text):
    """Of "12.3 s" or "1:02:03"."""
    if ":" not in text:
        return float(text.split()[0])
    hours, minutes, rest = map(int, text.split()[0].split(":"))
    return 3600 * hours + 60 * minutes + rest


def estimate(program, ranks):
    line = re.search(r"(?m)^time +(.*)$", spoken(program, ["check", "x.yaml", "--ranks", str(ranks)]))[1]
    parts = line.split(", ")
    return seconds(parts[1] if ranks == 1 else parts[2]), float(parts[0].split()[0])


def measure(program, ranks):
    said = spoken(program, ["run", "x.yaml", "-o", "x.h5", "--force", "--progress", "none"], ranks)
    found = re.search(r"computed in ([^,]*), (\S+) us.*; creating the file (\S+) s, last sync (\S+) s", said)
    return seconds(found[1]), float(found[2]), float(found[3]), float(found[4])


def row(name, program, ranks, wanted):
    side, config = 100, ROWS[name]
    for _ in range(2):  # of 10,000 cells, then of as many as were wanted
        with open("x.yaml", "w") as file:
            file.write(config % (side, side))
        _, cell = estimate(program, 1)
        found = side
        side = max(10, math.isqrt(int(wanted / (cell * 1e-6))))
    for n in ranks:
        said, cell = estimate(program, n)
        computing, needed, creating, syncing = measure(program, n)
        whole = computing + creating + syncing
        print(f"| {name} | {n} | {found ** 2:,} | {cell:.3g} | {needed:.3g} | {said:.3g} | {computing:.3g} | {creating:.2g} | "
              f"{syncing:.2g} | {said / computing:.2f} | {said / whole:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("rows", nargs="*")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--ranks", default="1,2")
    options = parser.parse_args()
    program, ranks = os.path.abspath(options.program), [int(n) for n in options.ranks.split(",")]
    print("| map | ranks | cells | us estimated | us needed | s estimated | s in cells | s file | s sync | estimate over "
          "cells | over all |\n|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(dir=".") as folder:
        os.chdir(folder)
        for name in ROWS:
            if not options.rows or any(text in name for text in options.rows):
                row(name, program, ranks, options.seconds)
        os.chdir("..")


if __name__ == "__main__":
    main()
