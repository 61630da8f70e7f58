#!/usr/bin/python3
"""Computes every published number that the project has collected, and prints a table: source, case,
quantity, published, correct and computed value, verdict.

    validate.py [--program PATH] [--only WORD] [--maps FOLDER] [--ranks N]

The numbers and their sources are in published/*.csv beside this script; the sweeps that compute
them are in configs/validation. Each row names a sweep (config), one of its cells (where) and an
expression of outputs and parameters (value). `every cell` as the first words of where gives the
expression all cells with the values that follow, in which categories have their names. A few numbers
show the time step of their source; Python computes these (impactsweep/schemes.py).

Unless --only is given, a first table shows how far laws of contact are from measured impacts
(published/measured). That table compares laws; agreement is no verdict on the program.

Verdicts: `reproduced`: the published number agrees with the correct one within its own digits, or
within the tolerance in the data, or is the correct one with its digits cut off where the source does
so (tolerance `cut off`). `misprint shown`, `not reproducible`: the two differ, and the data explain
why. In every case the computed number must agree with the correct one to half a unit of
its last digit; otherwise the verdict is `MISSED`. Exit codes: 0 none is missed, 1 a number is
missed, 2 bad input.
"""
import argparse
import csv
import glob
import math
import os
import shutil
import subprocess
import sys
import tempfile
from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))  # an isolated Python leaves it out
import required

required.check("matplotlib")

os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
import numpy as np
import xarray as xr

import measured
import schemes
from impactsweep.solving.running import environment

PROGRAM = "validate.py"
HERE = os.path.dirname(os.path.abspath(__file__))
PROJECT = os.path.dirname(HERE)
CONFIGS = os.path.join(PROJECT, "configs", "validation")
PUBLISHED = os.path.join(HERE, "published")
COLUMNS = "source case quantity published correct tolerance verdict note config where value".split()
REPRODUCED, MISPRINT, UNREACHABLE, MISSED = ("reproduced", "misprint shown", "not reproducible",
                                             "MISSED")
SAID = {"": REPRODUCED, "misprint": MISPRINT, "not reproducible": UNREACHABLE}
FUNCTIONS = {"degrees": np.degrees, "sqrt": np.sqrt, "abs": abs, "len": len, "sum": sum,
             "sorted": sorted, "min": np.nanmin, "max": np.nanmax}
SCHEMES = {"pamc-time-steps": schemes.pamc_time_steps}
EVERY_CELL, CUT_OFF = "every cell", "cut off"
WIDTHS = {"source": 26, "case": 60, "quantity": 30}


class BadInput(Exception):
    """An error that the user can correct; the text is the message."""


# ------------------------------------------------------------------------------ the data

def read_published(only):
    """The rows of all tables, or only those that contain a word."""
    rows = []
    for path in sorted(glob.glob(os.path.join(PUBLISHED, "*.csv"))):
        with open(path, newline="") as file:
            table = csv.DictReader(file)
            if table.fieldnames != COLUMNS:
                raise BadInput(f"{path}: the columns must be {', '.join(COLUMNS)}")
            for number, row in enumerate(table, 2):
                row["place"] = f"{os.path.relpath(path, PROJECT)}:{number}"
                check_row(row)
                if not only or only.lower() in " ".join(row[c] for c in COLUMNS).lower():
                    rows.append(row)
    return rows


def check_row(row):
    if row["verdict"] not in SAID:
        raise BadInput(f"{row['place']}: unknown verdict '{row['verdict']}'; allowed: nothing, "
                       f"{', '.join(filter(None, SAID))}")
    try:
        Fraction(row["published"].removeprefix(">"))
    except ValueError:
        raise BadInput(f"{row['place']}: '{row['published']}' is no number; allowed: 0.5, >0.5, 5/9") from None
    if row["verdict"] and not row["note"]:
        raise BadInput(f"{row['place']}: '{row['verdict']}' needs a note that says why")


def half_unit(text):
    """Half a unit of the last digit that is written, with room for the rounding of a half."""
    return 0.5000001 * 10.0 ** Decimal(text).as_tuple().exponent


def agrees_with_published(row):
    published, correct = row["published"], row["correct"]
    if published.startswith(">"):
        return float(correct) > float(published[1:])
    if row["tolerance"] == CUT_OFF:
        return Decimal(correct).quantize(Decimal(published), ROUND_DOWN) == Decimal(published)
    exact = correct if "/" in published else published
    tolerance = float(row["tolerance"]) if row["tolerance"] else half_unit(exact)
    return abs(float(Fraction(published)) - float(correct)) <= tolerance * (1 + 1e-9)


# ------------------------------------------------------------------------------ computing

def find_program(given):
    names = [given] if given else [os.path.join(PROJECT, "build", preset, "impactsweep")
                                   for preset in ("release", "tests")]
    for name in names + ([] if given else [shutil.which("impactsweep") or ""]):
        if os.access(name, os.X_OK):
            return os.path.abspath(name)
    raise BadInput("the program impactsweep was not found: build it, or give its path with --program")


def run_sweep(program, config, folder, ranks):
    """The map of a validation config, as a dataset in memory."""
    path = os.path.join(folder, config + ".h5")
    words = [program, "run", os.path.join(CONFIGS, config + ".yaml"), "-o", path, "--resume",
             "--progress", "none"]
    if ranks > 1:
        words = ["mpirun", "-n", str(ranks)] + words
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=environment(folder))
    if done.returncode != 0:
        raise BadInput(f"{config}: the sweep failed:\n{done.stderr.strip()}")
    with xr.open_dataset(path) as data:
        return data.load()


def map_of(program, config, folder, ranks):
    """What a row names as its config: the map of a sweep, or a source's own scheme."""
    return SCHEMES[config](CONFIGS) if config in SCHEMES else run_sweep(program, config, folder, ranks)


def value_of(data, name, text):
    """A coordinate's value as the file stores it, from a number, degrees, or an option's name."""
    flags = data[name].attrs.get("flag_meanings")
    if flags is not None:
        return float(data[name].attrs["flag_values"][flags.split().index(text)])
    if text.endswith("deg"):
        return math.radians(float(text[:-3]))
    return float(text)


def chosen_cells(data, where, place):
    """The places of the cells whose coordinates have these values."""
    chosen = xr.ones_like(data["outcome"], dtype=bool)
    for word in where.split():
        name, _, text = word.partition("=")
        if name not in data.variables:
            raise BadInput(f"{place}: the map has no '{name}'")
        value = value_of(data, name, text)
        chosen = chosen & (abs(data[name] - value) <= 1e-9 * abs(value) + 1e-12)
    return chosen


def values_of_cell(data, where, place):
    """The values of the only cell that a row names."""
    chosen = chosen_cells(data, where, place)
    index = np.argwhere(chosen.values)
    if len(index) != 1:
        raise BadInput(f"{place}: {len(index)} cells match {where or 'no condition'}; exactly one must")
    cell = data.isel(dict(zip(chosen.dims, index[0])))
    return {name: variable.values[()] for name, variable in cell.variables.items()}


def values_of_cells(data, where, place):
    """The values of all cells that a row names, in one order; categories by their names."""
    chosen = chosen_cells(data, where, place)
    if not chosen.any():
        raise BadInput(f"{place}: no cell matches '{where.strip()}'")
    values = {}
    for name, variable in data.variables.items():
        if set(variable.dims) <= set(chosen.dims):
            found = data[name].broadcast_like(chosen).transpose(*chosen.dims).values[chosen.values]
            values[name] = named(found, variable.attrs)
    return values


def named(codes, attributes):
    """A category's names in place of its codes; other values as they are."""
    if "flag_meanings" not in attributes:
        return codes
    names = dict(zip(attributes["flag_values"], attributes["flag_meanings"].split()))
    return np.array([names.get(code, "") for code in codes])


def compute(row, maps):
    data, where, place = maps[row["config"]], row["where"], row["place"]
    found = (values_of_cells(data, where.removeprefix(EVERY_CELL), place) if where.startswith(EVERY_CELL)
             else values_of_cell(data, where, place))
    known = {name: value for name, value in found.items() if not name.startswith("run_")}
    try:
        return float(eval(row["value"], {"__builtins__": {}}, FUNCTIONS | known))
    except (NameError, SyntaxError, TypeError, IndexError) as error:
        raise BadInput(f"{row['place']}: '{row['value']}': {error}") from error


def judge(row, computed):
    if not abs(computed - float(row["correct"])) <= half_unit(row["correct"]):
        return MISSED
    agrees = agrees_with_published(row)
    if agrees != (row["verdict"] == ""):
        raise BadInput(f"{row['place']}: published {row['published']} and correct "
                       f"{row['correct']} {'agree' if agrees else 'differ'}, but the verdict is "
                       f"'{row['verdict']}'")
    return SAID[row["verdict"]]


# ------------------------------------------------------------------------------ the table

def cut(text, width):
    return text if len(text) <= width else text[:width - 1] + "…"


def print_table(judged):
    head = ["source", "case", "quantity", "published", "correct", "computed", "verdict", "why"]
    lines = [head] + [
        [cut(row[c], WIDTHS[c]) for c in WIDTHS] +
        [row["published"], row["correct"], f"{computed:.9g}", verdict,
         row["note"] if verdict in (MISPRINT, UNREACHABLE) else ""]
        for row, computed, verdict in judged]
    widths = [max(len(line[c]) for line in lines) for c in range(len(head) - 1)]
    for line in lines:
        print("  ".join(text.ljust(width) for text, width in zip(line, widths + [0])).rstrip())


def summary(judged):
    counts = {verdict: sum(v == verdict for _, _, v in judged)
              for verdict in (REPRODUCED, MISPRINT, UNREACHABLE, MISSED)}
    text = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return f"{len(judged)} published numbers: {text}", counts[MISSED]


def arguments():
    parser = argparse.ArgumentParser(prog=PROGRAM, description="Computes every published number.")
    parser.add_argument("--program", metavar="PATH", help="the program (default: that of build/release "
                        "or build/tests, or impactsweep on the PATH)")
    parser.add_argument("--only", metavar="WORD", help="only rows in which the word occurs")
    parser.add_argument("--maps", metavar="FOLDER", help="keep the maps in this folder")
    parser.add_argument("--ranks", type=int, default=1, help="ranks for each sweep")
    return parser.parse_args()


def main():
    options = arguments()
    folder = options.maps or tempfile.mkdtemp(prefix="impactsweep-validation-")
    try:
        program = find_program(options.program)
        rows = read_published(options.only)
        if not rows:
            raise BadInput(f"the word '{options.only}' occurs in no row of {PUBLISHED}")
        os.makedirs(folder, exist_ok=True)
        compared = set() if options.only else set(measured.CONFIGS)
        maps = {config: map_of(program, config, folder, options.ranks)
                for config in sorted({row["config"] for row in rows} | compared)}
        judged = []
        for row in rows:
            computed = compute(row, maps)
            judged.append((row, computed, judge(row, computed)))
    except (BadInput, OSError) as error:
        print(f"{PROGRAM}: error: {error}", file=sys.stderr)
        return 2
    finally:
        if not options.maps:
            shutil.rmtree(folder, ignore_errors=True)
    if compared:
        print("\n".join(measured.lines_of(maps)) + "\n")
    print_table(judged)
    text, missed = summary(judged)
    print(text)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
