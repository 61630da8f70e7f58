#!/usr/bin/python3
"""Test vectors for authors of other programs: cells of every theory, law and body that needs no PETSc, with
every number exactly, as a hexadecimal float (`impactsweep export --hex`).

    tests/bits/vectors.py FOLDER [--points N] [--only TEXT]...

The program is that of the environment's IMPACTSWEEP, or the one on the path. FOLDER gets a config and a table
for each; the checksums of the tables are printed, as sha256sum has them. --only takes those whose name, like
compliant-rod-hertz, contains every TEXT."""
import argparse
import hashlib
import itertools
import json
import os
import subprocess
import sys

PROGRAM = os.environ.get("IMPACTSWEEP", "impactsweep")
POINTS = 10000
MOST_SWEPT = 16  # columns of a sample
CONFIG = """model: {theory}
{choose}axes:
  - sample: sobol
    points: {points}
    seed: 20
    params:
{params}
fixed: {{{fixed}}}
"""


def call(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def ends(parameter):
    """Where a parameter is swept: about its example, within its range."""
    example, low, high = (parameter[key] for key in ("example", "low", "high"))
    first, last = sorted((-2 * example, 3 * example))
    margin = 1e-3 * (last - first)
    if low is not None and first <= low:
        first = low + margin if parameter["low_open"] else low
    if high is not None and last >= high:
        last = high - margin if parameter["high_open"] else high
    return first, last


def is_swept(parameter):
    return parameter["unit"] != "s" and not parameter.get("whole") and parameter["example"] != 0


def written(value, unit):
    return f"{value!r} {unit}" if unit == "rad" else repr(value)


def parameters_of(theory, chosen):
    """Those that apply, as the options that are chosen define them."""
    for parameter in theory["parameters"]:
        for one in parameter.get("variants", [parameter]):
            names = one["applies_to"].split()
            if not one["stands_for"] and (not names or set(names) & set(chosen.values())):
                yield one


def config(theory, chosen, points):
    params, fixed = [], []
    for parameter in parameters_of(theory, chosen):
        name, unit = parameter["name"], parameter["unit"]
        if is_swept(parameter) and len(params) < MOST_SWEPT:
            first, last = ends(parameter)
            params.append(f"      - {{param: {name}, distribution: uniform, from: {written(first, unit)}, "
                          f"to: {written(last, unit)}}}")
        else:
            fixed.append(f"{name}: {written(parameter['example'], unit)}")
    choose = ", ".join(f"{name}: {option}" for name, option in chosen.items())
    return CONFIG.format(theory=theory["name"], choose=f"choose: {{{choose}}}\n" if choose else "",
                         points=points, params="\n".join(params), fixed=", ".join(fixed))


def cases(only=()):
    """(name, theory, {choice: option}) of every theory, law and body."""
    for theory in json.loads(call("models", "--json")):
        if any("without_petsc" in option for choice in theory["choices"] for option in choice["options"]):
            continue  # cells of the beam take too long
        names = [choice["name"] for choice in theory["choices"]]
        for options in itertools.product(*([option["name"] for option in choice["options"]]
                                           for choice in theory["choices"])):
            name = "-".join((theory["name"], *options))
            if all(text in name for text in only):
                yield name, theory, dict(zip(names, options))


def make(folder, name, theory, chosen, points, keep=False):
    """The table of one case, and its map if kept; the checksum of the table."""
    path = os.path.join(folder, name)
    with open(path + ".yaml", "w", encoding="utf-8") as file:
        file.write(config(theory, chosen, points))
    call("run", path + ".yaml", "-o", path + ".h5", "--force", "--progress", "none")
    call("export", path + ".h5", "--hex", "-o", path + ".csv", "--force")
    if not keep:
        os.remove(path + ".h5")
    with open(path + ".csv", "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--points", type=int, default=POINTS)
    parser.add_argument("--only", action="append", default=[])
    asked = parser.parse_args()
    os.makedirs(asked.folder, exist_ok=True)
    for name, theory, chosen in cases(asked.only):
        print(make(asked.folder, name, theory, chosen, asked.points), f" {name}.csv", flush=True)


if __name__ == "__main__":
    main()
