#!/usr/bin/python3
"""Draws the rows of bench_scale: scale.py ROWS.csv -o scale.png; also prints them as tables."""
import argparse
import csv

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt

WAYS = {"gather": ("rank 0 writes", "o", "-"), "orders": ("each rank writes, first orders by message", "^", ":"),
        "shares": ("each rank writes and begins with its share", "s", "--")}
CELLS = {"linear": "linear springs, 0.15 µs per cell", "hertz": "Hertz, 2.3 µs per cell", "beam": "beam, 3.4 ms per cell"}
# Shares of 100,000 ranks, with more and more cells, and with messages that cost rank 0 more
GROWN, COST = "grown", "cost"
COLUMNS = {GROWN: "seconds", COST: "message"}  # of what differs in these rows
WAYS[GROWN] = WAYS[COST] = WAYS["shares"]


def read(path):
    """{(theory, way): {ranks, or what else differs: efficiency}}"""
    found = {}
    with open(path) as file:
        for row in csv.DictReader(file):
            column = COLUMNS.get(row["way"], "ranks")
            found.setdefault((row["theory"], row["way"]), {})[float(row[column])] = float(row["efficiency"])
    return found


def table(found, unit):
    """Rows of curves that have the same columns."""
    columns = sorted({n for curve in found.values() for n in curve})
    lines = ["| cells | way | " + " | ".join(f"{n:,g}" for n in columns) + f" {unit} |",
             "|---" * (len(columns) + 2) + "|"]
    for (theory, way), curve in found.items():
        values = " | ".join(f"{curve[n]:.3f}" for n in columns)
        lines.append(f"| {CELLS[theory]} | {WAYS[way][0]} | {values} |")
    return "\n".join(lines)


def draw(found, path):
    figure, panels = plt.subplots(1, 3, figsize=(9.5, 3.4), sharey=True)
    figure.subplots_adjust(left=0.07, right=0.98, top=0.9, bottom=0.27, wspace=0.08)
    for panel, (theory, title) in zip(panels, CELLS.items()):
        for way, (label, marker, line) in list(WAYS.items())[:3]:
            curve = found.get((theory, way), {})
            panel.semilogx(list(curve), list(curve.values()), line, marker=marker, label=label)
        panel.axhline(0.95, color="0.6", linewidth=0.8)
        panel.set(title=title, xlabel="ranks", ylim=(0, 1.05))
    panels[0].set_ylabel("efficiency")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="lower center", ncol=3, frameon=False)
    figure.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args()
    found = read(options.rows)
    for ways, unit in (("gather", "orders", "shares"), "ranks"), ((GROWN,), "s of 100,000 ranks"), ((COST,), "us"):
        print(table({key: curve for key, curve in found.items() if key[1] in ways}, unit), end="\n\n")
    draw(found, options.output)


if __name__ == "__main__":
    main()
