"""Measured points from a CSV, drawn over a figure."""
from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from ..errors import InputError
from ..maps import csv_files
from ..maps.contents import unknown
from ..values import Reals
from . import settings
from .labels import Field
from .layout import Grid
from .looks import Style

MARKERS = "os^Dv"  # of one table after another
POINTS: Style = {"color": "#000000", "markersize": 3.2, "markerfacecolor": "white",
                 "markeredgewidth": 0.8, "linestyle": "none", "elinewidth": 0.7, "capsize": 1.8, "zorder": 8}


@dataclass
class Measured:
    """Columns of a CSV, (values, unit) each."""
    name: str
    columns: dict[str, tuple[list[float], Union[str, None]]]


def read_points(paths: Iterable[str]) -> list[Measured]:
    """The tables of CSVs of numbers, in the order of the command."""
    return [read_table(path) for path in paths]


def read_table(path: str) -> Measured:
    """The table of a CSV of numbers; `NAME [deg]` in its head marks angles in degrees; an empty cell is NaN."""
    columns, lines = csv_files.read(path, "table of points")
    return Measured(os.path.splitext(os.path.basename(path))[0].replace("_", " "), {
        name: ([csv_files.number(text or "nan", f"{path}:{line}") for text, line in zip(cells, lines)], unit)
        for name, (cells, unit) in columns.items()})


def column_of(measured: Measured, name: str, angle: bool, error: bool = False) -> Reals | None:
    """A column in the unit of the figure; angles without a unit are in radians, as everywhere."""
    found = measured.columns.get(f"{name}_error" if error else name)
    if found is None:
        return None
    numbers, unit = found
    unit = unit or (measured.columns.get(name, (None, None))[1] if error else None)
    values = np.array(numbers, float)
    return np.asarray(np.degrees(values) if angle and unit != "deg" else values)


def draw_points(ax: Axes, measured: Sequence[Measured], x: Field, y: Field) -> list[Line2D]:
    """x, y: (name, whether it is an angle). Returns an entry for a legend for every table with a column y."""
    entries = [draw_table(ax, table, MARKERS[i % len(MARKERS)], x, y) for i, table in enumerate(measured)]
    return [entry for entry in entries if entry]


def draw_table(ax: Axes, measured: Measured, marker: str, x: Field, y: Field) -> Line2D | None:
    """Draws the points of one table; None without a column y."""
    look = {**POINTS, "marker": marker}
    across, upward = column_of(measured, *x), column_of(measured, *y)
    if across is None:
        raise InputError("--points: " + unknown("column", x[0], list(measured.columns)).replace(
            "unknown column", "there is no column"))
    if upward is None:
        return None
    limits = ax.get_xlim(), ax.get_ylim()
    ax.errorbar(across, upward, xerr=column_of(measured, *x, error=True),
                yerr=column_of(measured, *y, error=True), **look)
    ax.set_xlim(*limits[0])
    inside = (across >= limits[0][0]) & (across <= limits[0][1]) & np.isfinite(upward)
    low = float(np.min(upward, initial=np.inf, where=inside))
    high = float(np.max(upward, initial=-np.inf, where=inside))
    if ax.get_yscale() == "linear" and y[0] not in settings.now().limits:
        ax.set_ylim(min(limits[1][0], low), max(limits[1][1], high))
    else:
        ax.set_ylim(*limits[1])
    return Line2D([], [], **{key: value for key, value in look.items()
                             if key not in ("elinewidth", "capsize", "zorder")},
                  label=measured.name)


LINE: Style = {"color": "#404040", "linewidth": 0.7, "linestyle": (0, (1, 1.5)), "zorder": 2}


def draw_lines(axes: Grid, fields: list[str], x_name: str, angles: set[str]) -> None:
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
