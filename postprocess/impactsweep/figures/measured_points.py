"""Measured points from a CSV, drawn over a figure."""
import os
from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D

from ..errors import InputError
from ..maps import csv_files
from ..maps.contents import unknown
from . import settings

MARKERS = "os^Dv"  # of one table after another
POINTS = {"color": "#000000", "markersize": 3.2, "markerfacecolor": "white",
          "markeredgewidth": 0.8, "linestyle": "none", "elinewidth": 0.7, "capsize": 1.8, "zorder": 8}


@dataclass
class Measured:
    """Columns of a CSV, (values, unit) each."""
    name: str
    columns: dict


def read_points(paths):
    """The tables of CSVs of numbers, in the order of the command."""
    return [read_table(path) for path in paths]


def read_table(path):
    """The table of a CSV of numbers; `NAME [deg]` in its head marks angles in degrees; an empty cell is NaN."""
    columns, lines = csv_files.read(path, "table of points")
    return Measured(os.path.splitext(os.path.basename(path))[0].replace("_", " "), {
        name: ([csv_files.number(text or "nan", f"{path}:{line}") for text, line in zip(cells, lines)], unit)
        for name, (cells, unit) in columns.items()})


def column_of(measured, name, angle, error=False):
    """A column in the unit of the figure; angles without a unit are in radians, as everywhere."""
    found = measured.columns.get(f"{name}_error" if error else name)
    if found is None:
        return None
    values, unit = found
    unit = unit or (measured.columns.get(name, (None, None))[1] if error else None)
    values = np.array(values, float)
    return np.degrees(values) if angle and unit != "deg" else values


def draw_points(ax, measured, x, y):
    """x, y: (name, whether it is an angle). Returns an entry for a legend for every table with a column y."""
    entries = [draw_table(ax, table, MARKERS[i % len(MARKERS)], x, y) for i, table in enumerate(measured)]
    return [entry for entry in entries if entry]


def draw_table(ax, measured, marker, x, y):
    """Draws the points of one table; None without a column y."""
    look = {**POINTS, "marker": marker}
    at = [column_of(measured, *one) for one in (x, y)]
    if at[0] is None:
        raise InputError("--points: " + unknown("column", x[0], list(measured.columns)).replace(
            "unknown column", "there is no column"))
    if at[1] is None:
        return None
    limits = ax.get_xlim(), ax.get_ylim()
    ax.errorbar(*at, xerr=column_of(measured, *x, error=True),
                yerr=column_of(measured, *y, error=True), **look)
    ax.set_xlim(*limits[0])
    inside = (at[0] >= limits[0][0]) & (at[0] <= limits[0][1]) & np.isfinite(at[1])
    low, high = np.min(at[1], initial=np.inf, where=inside), np.max(at[1], initial=-np.inf, where=inside)
    if ax.get_yscale() == "linear" and y[0] not in settings.now().limits:
        ax.set_ylim(min(limits[1][0], low), max(limits[1][1], high))
    else:
        ax.set_ylim(*limits[1])
    return Line2D([], [], **{key: value for key, value in look.items()
                             if key not in ("elinewidth", "capsize", "zorder")},
                  label=measured.name)


LINE = {"color": "#404040", "linewidth": 0.7, "linestyle": (0, (1, 1.5)), "zorder": 2}


def draw_lines(axes, fields, x_name, angles):
    """The straight lines of --line, in each panel of the output or axis that they name, with their texts inside."""
    for name, value, text in settings.now().lines:
        if name != x_name and name not in fields:
            raise InputError(f"--line: {unknown('axis or output', name, [x_name, *fields])}")
        at = np.degrees(value) if name in angles else value
        for ax in axes.ravel() if name == x_name else axes[fields.index(name)]:
            across = name == x_name
            (ax.axvline if across else ax.axhline)(at, **LINE)
            place, where = ((at, 0.97), ax.get_xaxis_transform()) if across else ((0.985, at), ax.get_yaxis_transform())
            ax.annotate(text, place, xycoords=where, textcoords="offset points", fontsize="small",
                        xytext=(2, 0) if across else (0, 2), ha="left" if across else "right",
                        va="top" if across else "bottom")
