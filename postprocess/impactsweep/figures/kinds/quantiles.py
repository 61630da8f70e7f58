"""Draws quantiles of an output over a sample against any axis: a line for each probability.

The probabilities are 0.05, 0.25, 0.5, 0.75 and 0.95, or those of --levels.
"""
from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure

from ...errors import InputError
from ...maps.planes import Axis
from ...values import Reals
from .. import layout, looks, measured_points, settings
from ..labels import Field
from ..measured_points import Measured
from . import band

USES = settings.SCALES | {"levels", "points"}
PROBABILITIES = (0.05, 0.25, 0.5, 0.75, 0.95)
HEIGHTS = band.HEIGHTS
add_options = band.add_options
load = band.load


def probabilities() -> Sequence[float]:
    asked = settings.now().levels or PROBABILITIES
    wrong = [value for value in asked if not 0 <= value <= 1]
    if wrong:
        raise InputError(f"--levels: {wrong[0]:g} is no probability; quantiles take levels from 0 to 1")
    return asked


@looks.styled
def draw(axis: Axis, values: Reals, label: str, sample: str, title: str, field: Field | None = None,
         points: Sequence[Measured] | None = None) -> Figure:
    figure, asked, chances = layout.new_figure(), settings.now(), probabilities()
    ax = figure.subplots()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
        rows = np.nanquantile(values, chances, axis=0)
    for number, (chance, row) in enumerate(zip(chances, rows)):
        colour, dash = looks.ordered_look(number, len(chances))
        ax.plot(axis.values, row, color=colour, linestyle=dash, linewidth=1.3,
                label="median" if chance == 0.5 else f"{100 * chance:g} %")
    band.finish_axes(ax, axis, label, field)
    handles = ax.get_legend_handles_labels()[0]
    if points and field:
        handles += measured_points.draw_points(ax, points, (axis.name, axis.degrees), field)
    return band.finish(figure, ax, [entry for entry in handles if entry], sample, title,
                       HEIGHTS[asked.size])


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-quantiles.png")


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    return draw(*load(options, notes), measured_points.read_points(settings.now().points))
