#!/usr/bin/python3
"""The same cells, pendulums with linear springs, solved by impactsweep and by others in one run.

    tests/bench/peers.py [--build FOLDER] [--csv FILE] [--markdown] [TEXT]...

Prints a table; with TEXT only the rows that contain one. FOLDER is a build (build/release). Integrators run at the
loosest tolerance of a list at which the square of the restitution is within 1e-8 of impactsweep's in all their
cells. A peer that is not installed is named in the table. Debian: jobs/packages.sh and octave, parallel,
python3-mpi4py, python3-scipy, libsundials-dev."""
import argparse
import csv
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS = os.path.join(HERE, "peers")
TARGET = 1e-8
TOLERANCES = ("1e-7", "3e-8", "1e-8", "3e-9", "1e-9", "3e-10", "1e-10", "1e-11", "1e-12")
SIDE, RATIO, ROUNDS = 3000, 1.21, 3
CONFIG = f"""model: compliant
choose: {{body: pendulum, law: linear}}
axes:
  - {{param: angle, from: 1 deg, to: 89 deg, points: {SIDE}}}
  - {{param: friction, from: 0.05, to: 1.5, points: {SIDE}}}
fixed: {{stiffness_ratio: {RATIO}}}
outputs: [mode, kinematic_restitution]
"""


class Missing(Exception):
    """What a peer needs is not installed."""


@dataclass
class Row:
    peer: str
    setup: str
    cells: int = 0
    cores: int = 1
    seconds: float = math.nan  # of all cores, for the cells
    wall: float = math.nan     # of the command, with its start, reading and writing
    tolerance: str = ""
    modes: list = field(default_factory=list)
    restitution: list = field(default_factory=list)
    differ: int = 0
    error: float = math.nan
    missing: str = ""


def call(words, **options):
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        raise Missing(f"{os.path.basename(words[0])}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return done.stdout


def need(program):
    if not shutil.which(program):
        raise Missing(f"{program} is not installed")


class Bench:
    """The build, a folder for files, and the cells with impactsweep's answers."""

    def __init__(self, build, folder):
        self.folder, self.program = folder, os.path.join(build, "impactsweep")
        self.archive, self.shared = (os.path.join(build, f"libimpact.{end}") for end in ("a", "so"))
        self.config = self.path("map.yaml")
        with open(self.config, "w") as file:
            file.write(CONFIG)
        os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                          IMPACTSWEEP_LIBRARY=self.shared)
        self.run(1)
        with h5py.File(self.path("map1.h5")) as file:
            names = {int(code): name for code, name in zip(file["mode"].attrs["flag_values"],
                                                           file["mode"].attrs["flag_meanings"].decode().split())}
            angle, friction = file["angle"][()], file["friction"][()]
            places = np.random.default_rng(21).permutation(SIDE * SIDE)[:10**6]
            self.cells = np.stack([angle[places // SIDE], friction[places % SIDE], np.full(places.size, RATIO)], axis=1)
            self.modes = np.array([names[code] for code in file["mode"][()].ravel()[places]])
            self.restitution = file["kinematic_restitution"][()].ravel()[places]

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, ranks):
        """Seconds of a map of all cells."""
        words = [self.program, "run", self.config, "-o", self.path(f"map{ranks}.h5"), "--force", "--progress", "none"]
        start = time.perf_counter()
        call(words if ranks == 1 else ["mpirun", "-n", str(ranks), *words])
        return time.perf_counter() - start

    def write(self, count):
        """A file with the first cells."""
        path = self.path(f"cells{count}")
        np.savetxt(path, self.cells[:count], fmt="%.17g")
        return path

    def compile(self, source, *words, compiler="cc"):
        program = self.path(source[:-2])
        call([compiler, "-std=c11", "-D_DEFAULT_SOURCE", "-O3", "-march=native", "-I", os.path.join(ROOT, "include"),
              os.path.join(PEERS, source), "-o", program, *words, "-lm"])
        return program

    def take(self, row, words):
        """Runs a program that prints its seconds and a line for each cell; keeps the least seconds."""
        start = time.perf_counter()
        lines = call(words).splitlines()
        wall, seconds = time.perf_counter() - start, float(lines[0]) * row.cores
        if not seconds > row.seconds:
            row.seconds, row.wall = seconds, wall
        row.modes, row.restitution = zip(*(line.split() for line in lines[1:]))

    def verify(self, row):
        """How many modes differ, and the largest error of the square of the restitution among the others."""
        modes, restitution = np.array(row.modes), np.array(row.restitution, float)
        same = modes == self.modes[:row.cells]
        if modes.size != row.cells:
            raise Missing(f"{modes.size} of {row.cells} cells")
        separates = same & ~np.isnan(self.restitution[:row.cells])
        row.differ = int(np.sum(~same))
        row.error = np.max(np.abs(restitution[separates]**2 - self.restitution[:row.cells][separates]**2))


def at_tolerance(bench, row, words):
    """Runs an integrator at the loosest tolerance that reaches the target."""
    for row.tolerance in TOLERANCES:
        row.seconds = math.nan
        bench.take(row, [*words, bench.write(row.cells), row.tolerance])
        bench.verify(row)
        if row.error <= TARGET:
            break
    for _ in range(ROUNDS - 1 if row.wall < 10 else 0):
        bench.take(row, [*words, bench.write(row.cells), row.tolerance])


def at_once(bench, row, words):
    for _ in range(ROUNDS):
        bench.take(row, [*words, bench.write(row.cells)])
    bench.verify(row)


# ---- the peers ----


def closed_form(bench):
    row = Row("closed form in C", "the limit: libm's tangent, no contact that has no closed form", 10**6)
    at_once(bench, row, [bench.compile("closed_form.c")])
    return row


def library(bench):
    row = Row("libimpact from C", "one call of imp_solve for all cells", 10**6)
    at_once(bench, row, [bench.compile("library.c", bench.archive)])
    return row


def whole_run(bench, ranks):
    row = Row(f"impactsweep run, {ranks} rank{'s' if ranks > 1 else ''}",
              "a map of two axes with its file; start included", SIDE * SIDE, ranks)
    row.wall = min(bench.run(ranks) for _ in range(ROUNDS))
    row.seconds = row.wall * ranks
    if ranks == 1:
        return row
    with h5py.File(bench.path("map1.h5")) as one, h5py.File(bench.path(f"map{ranks}.h5")) as other:
        row.differ = int(np.sum(one["mode"][()] != other["mode"][()]))
        row.error = np.nanmax(np.abs(one["kinematic_restitution"][()]**2 - other["kinematic_restitution"][()]**2))
    return row


def futures(bench):
    row = Row("mpi4py.futures", "two workers that call libimpact by ctypes, 1,000 cells per task, and a manager",
              10**6, 2)
    need("mpirun")
    at_once(bench, row, ["mpirun", "--oversubscribe", "-n", "3", "/usr/bin/python3", "-m", "mpi4py.futures",
                         os.path.join(PEERS, "futures.py")])
    return row


def petsc(bench):
    row = Row("PETSc TS", "TSRK 8VR, events located by shorter steps, one TS for all phases", 2000)
    words = call(["pkg-config", "--cflags", "--libs", "PETSc"]).split()
    at_tolerance(bench, row, [bench.compile("petsc_ts.c", *words, compiler="mpicc")])
    return row


def arkode(bench):
    row = Row("SUNDIALS ARKODE", "ERKStep of order 5 (8 takes longer to the same error), roots, one memory for all "
              "phases", 2000)
    at_tolerance(bench, row, [bench.compile("arkode.c", "-lsundials_arkode", "-lsundials_nvecserial")])
    return row


def scipy(bench):
    row = Row("SciPy", "solve_ivp, DOP853, events; floats in place of arrays in the right-hand side", 200)
    at_tolerance(bench, row, ["/usr/bin/python3", os.path.join(PEERS, "scipy_events.py")])
    return row


def octave(bench):
    row = Row("Octave", "ode45, events; the last step of a phase is repeated, because events lie on its chord", 20)
    need("octave-cli")
    at_tolerance(bench, row, ["octave-cli", "-q", os.path.join(PEERS, "pendulum.m")])
    return row


def take_processes(bench, row, words, lines):
    """One process per cell; each writes its answer into a file."""
    start = time.perf_counter()
    call(words, input="".join(lines), cwd=bench.folder)
    row.wall = time.perf_counter() - start
    row.seconds = row.wall * row.cores
    for k in range(row.cells):
        with open(bench.path(f"cell{k}.json")) as file:
            found = json.load(file)
        row.modes.append(found["mode"])
        row.restitution.append(math.nan if found["kinematic_restitution"] is None else found["kinematic_restitution"])
    bench.verify(row)


def processes(bench, name, words):
    row = Row(f"a process per cell, {name}", "impactsweep cell, two at a time", 300, 2)
    need(words[0])
    lines = [f"exec {bench.program} cell compliant body=pendulum law=linear angle={angle!r} friction={friction!r} "
             f"stiffness_ratio={ratio!r} --json > cell{k}.json\n"
             for k, (angle, friction, ratio) in enumerate(bench.cells[:row.cells].tolist())]
    take_processes(bench, row, words, lines)
    return row


ROWS = {
    "closed form in C": closed_form,
    "libimpact from C": library,
    "impactsweep run, 1 rank": lambda bench: whole_run(bench, 1),
    "impactsweep run, 2 ranks": lambda bench: whole_run(bench, 2),
    "mpi4py.futures": futures,
    "PETSc TS": petsc,
    "SUNDIALS ARKODE": arkode,
    "SciPy": scipy,
    "a process per cell, xargs": lambda bench: processes(bench, "xargs", ["xargs", "-P", "2", "-d", "\n", "-n", "1",
                                                                       "sh", "-c", 'eval "$0"']),
    "a process per cell, GNU parallel": lambda bench: processes(bench, "GNU parallel",
                                                                ["parallel", "--will-cite", "-j", "2"]),
    "Octave": octave,
}


def measured(bench, name):
    try:
        return ROWS[name](bench)
    except Missing as reason:
        return Row(name, "", missing=str(reason))


def cells_of(row, unit):
    if row.missing:
        return [row.peer, "", "", "", "", "", "", "", row.missing]
    each, found = row.seconds / row.cells * 1e6, f"{row.differ}; {row.error:.1g}"
    return [row.peer, f"{row.cells:,}", str(row.cores), f"{each:,.3g}", f"{each / unit:,.3g}", f"{row.wall:,.2f}",
            row.tolerance, found if row.error >= 0 else "the reference", row.setup]


HEADER = ["peer", "cells", "cores", "us of a core per cell", "of libimpact's", "seconds in all", "tolerance",
          "modes that differ; error of e^2", "set up as"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", nargs="*", metavar="TEXT")
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--csv")
    parser.add_argument("--markdown", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        bench = Bench(os.path.abspath(asked.build), folder)
        unit = measured(bench, "libimpact from C")
        lines = [HEADER]
        for name in ROWS:
            if not asked.texts or any(text in name for text in asked.texts):
                row = unit if name == unit.peer else measured(bench, name)
                lines.append(cells_of(row, unit.seconds / unit.cells * 1e6))
                print(f"{name}: done", file=sys.stderr)
    if asked.csv:
        with open(asked.csv, "w", newline="") as file:
            csv.writer(file).writerows(lines)
    for k, line in enumerate(lines):
        print("| " + " | ".join(line) + " |" if asked.markdown else "\t".join(line))
        if asked.markdown and k == 0:
            print("|---|" + "---:|" * 7 + "---|")


if __name__ == "__main__":
    main()
