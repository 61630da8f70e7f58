"""Laws of contact against rebounds of spheres that were measured, or computed by finite elements.

The table compares laws; agreement with a measurement is no verdict on the program."""
import csv
import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(HERE, "published", "measured", "contact-experiments.csv")
CONFIGS = ("measured-continuum", "measured-compliant")
# Kharaz, Gorham and Salman: restitution, speed in m/s, radius in m.
RESTITUTION, SPEED, RADIUS = 0.98, 3.9, 2.5e-3


def read_rows():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def group_of(row):
    """The source and quantity of a row, and the unit of its errors."""
    source = row["source"].split(" 2")[0].split(",")[0].split(" &")[0]
    if row["quantity"].startswith("e_t"):
        return source, "tangential restitution", "relative"
    if row["quantity"].startswith("spin"):
        return source, "spin after", "relative"
    return source, "tangential velocity after", "absolute"


def predicted(row, cell):
    """The prediction for a row by a law whose normal force loses no energy. Its impulses are scaled to the
    measured restitution e, by (1 + e) / 2."""
    abscissa, impulse = float(row["angle_or_x"]), float(cell["tangential_impulse"])
    change = impulse * (1 + RESTITUTION) / 2
    if row["quantity"].startswith("e_t"):
        return 1 + change / math.tan(math.radians(abscissa))
    if row["quantity"].startswith("spin"):
        return 2.5 * abs(change) * SPEED * math.cos(math.radians(abscissa)) / RADIUS
    return float(cell["velocity_ratio_out"]) / float(cell["friction"])


def laws_of(maps):
    """(name, its cells) of every law."""
    yield "continuum", maps["measured-continuum"]
    compliant = maps["measured-compliant"]
    law = compliant["law"]
    names = dict(zip(np.atleast_1d(law.attrs["flag_values"]).tolist(), law.attrs["flag_meanings"].split()))
    for place, code in enumerate(law.values.tolist()):
        yield f"compliant {names.get(code, code)}", compliant.isel(law=place)


def errors(maps):
    """[(source, quantity, kind of error), {law: errors of its rows}] in the order of the table."""
    found = {}
    rows = read_rows()
    for name, cells in laws_of(maps):
        for number, row in enumerate(rows):
            measured, expected = float(row["value"]), predicted(row, cells.isel(case=number))
            group = group_of(row)
            error = abs(expected - measured) / (abs(measured) if group[2] == "relative" else 1)
            found.setdefault(group, {}).setdefault(name, []).append(error)
    return list(found.items())


def lines_of(maps):
    """The table, line by line."""
    groups = errors(maps)
    yield "Laws against measured impacts (this is no verdict on the program): mean and largest error"
    yield ""
    head = ["law"] + [f"{source}: {quantity}" for (source, quantity, _), _ in groups]
    rows = [head] + [[name] + [cell_text(kind, laws[name]) for (_, _, kind), laws in groups]
                     for name in groups[0][1]]
    widths = [max(len(row[c]) for row in rows) for c in range(len(head))]
    for row in rows:
        yield "  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip()


def cell_text(kind, values):
    mean, largest = np.mean(values), np.max(values)
    if kind == "relative":
        return f"{100 * mean:.1f} %, {100 * largest:.1f} %"
    return f"{mean:.3f}, {largest:.3f}"
