"""Draws the spread of an output over a sample, along one axis: median and bands of 50 % and 90 %.

Cells that are not solved are left out, and so are undefined values.
"""
from __future__ import annotations

import argparse
import warnings
from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ...maps import contents
from ...maps.planes import Axis
from ...values import Reals
from .. import labels, layout, looks, measured_points, samples, settings, slicing
from ..labels import Field
from ..measured_points import Measured
from ..survey import SPREAD, Claim, Survey
from ..wrapping import wrapped

Quantiles = tuple[Axis, Reals, list[float], str, str, Field]  # what draw_quantiles takes
Spread = tuple[Axis, Reals, str, str, str, Field]              # what draw takes
BANDS = ((5, 95, 0.22), (25, 75, 0.45))  # lower and upper percentile, opacity
HEIGHTS = {"one": 2.0, "two": 2.9}       # inches, of the frame
USES = settings.SCALES | {"points"}


@looks.styled
def draw(axis: Axis, values: Reals, label: str, sample: str, title: str, field: Field | None = None,
         points: Sequence[Measured] | None = None) -> Figure:
    """A figure of the spread of values [sample][x]. sample: title of the legend. field: name of the output
    and whether it is an angle."""
    figure, asked = layout.new_figure(), settings.now()
    ax = figure.subplots()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # columns without any value
        for low, high, opacity in BANDS:
            ends = np.nanpercentile(values, (low, high), axis=0)
            ax.fill_between(axis.values, *ends, color=looks.BLUE, alpha=opacity, linewidth=0,
                            label=f"{high - low} % of the sample")
        ax.plot(axis.values, np.nanmedian(values, axis=0), color=looks.DARK, linewidth=1.1,
                label="median")
    finish_axes(ax, axis, label, field)
    handles = ax.get_legend_handles_labels()[0]
    if points and field:
        handles += measured_points.draw_points(ax, points, (axis.name, axis.degrees), field)
    return finish(figure, ax, [entry for entry in handles if entry], sample, title,
                  HEIGHTS[asked.size])


@looks.styled
def draw_quantiles(axis: Axis, values: Reals, probabilities: Sequence[float], label: str, title: str,
                   field: Field | None = None, points: Sequence[Measured] | None = None) -> Figure:
    """A figure of quantiles [probability][x]: bands between those that lie about 1/2 in pairs, and the median."""
    figure, asked = layout.new_figure(), settings.now()
    ax = figure.subplots()
    order = np.argsort(probabilities)
    lower, upper = [k for k in order if probabilities[k] < 0.5], [k for k in order[::-1] if probabilities[k] > 0.5]
    pairs = list(zip(lower, upper))
    for place, (low, high) in enumerate(pairs):
        share = 100 * (probabilities[high] - probabilities[low])
        ax.fill_between(axis.values, values[low], values[high], color=looks.BLUE, linewidth=0,
                        alpha=0.22 + 0.23 * place / max(1, len(pairs) - 1), label=f"{share:.4g} % of the draws")
    for k in order[[probabilities[k] == 0.5 for k in order]]:
        ax.plot(axis.values, values[k], color=looks.DARK, linewidth=1.1, label="median")
    finish_axes(ax, axis, label, field)
    handles = ax.get_legend_handles_labels()[0]
    if points and field:
        handles += measured_points.draw_points(ax, points, (axis.name, axis.degrees), field)
    return finish(figure, ax, [entry for entry in handles if entry], "", title, HEIGHTS[asked.size])


def finish_axes(ax: Axes, axis: Axis, label: str, field: Field | None) -> None:
    """Ticks, limits and labels of a figure of one output over one axis."""
    asked = settings.now()
    if field and field[0] in asked.log:
        ax.set_yscale("log")
    looks.set_axes(ax, [axis])
    if not labels.shown_limits(axis.name, axis.degrees):
        ax.set_xlim(axis.values[0], axis.values[-1])
    ax.set_ylabel(wrapped(label, HEIGHTS[asked.size]))
    if ax.get_yscale() == "linear":
        ax.yaxis.set_major_locator(MaxNLocator(8))
    if field:
        ax.set_ylim(labels.shown_limits(*field))
    looks.draw_grid(ax)


def finish(figure: Figure, ax: Axes, handles: list[Artist], sample: str, title: str, height: float) -> Figure:
    if title:
        figure.suptitle(title)
    sheet = layout.Sheet(figure, np.array([[ax]]), height)
    sheet.legends.append(layout.legend_under(ax, handles, sample))
    return layout.fit(sheet)


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    if not survey.samples and "quantile" in survey.data.dims and len(survey.many) == 1:
        return Claim(SPREAD, "it has quantiles over one axis")
    return Claim(SPREAD, f"one of its axes is a sample of {survey.uncertain_names}") \
        if len(survey.samples) == 1 and len(survey.dims) > 1 else None


def add_options(parser: argparse.ArgumentParser) -> None:
    samples.add_options(parser)
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the longest)")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-band.png")


def load_quantiles(options: argparse.Namespace, notes: list[str]) -> Quantiles | None:
    """The arguments of `draw_quantiles`; None if the map has no quantiles of the output."""
    with contents.open_map(options.file) as data:
        known = [str(name).removesuffix("_quantile") for name in data.data_vars if str(name).endswith("_quantile")]
        name = str(options.field or (known[0] if known else ""))
        found = contents.quantiles_of(data, name) if name else None
        if found is None:
            return None
        variable, probabilities = found
        dims = [str(dim) for dim in variable.dims[:-1]]
        chosen = slicing.parse_slices(data, dims, options.slices, notes)
        x = samples.horizontal_axis(data, dims, None, options.x, chosen, notes)
        axis = slicing.make_axis(data, x)
        part = data.isel({dim: chosen.get(dim, 0) for dim in dims if dim != x})
        values = contents.load(part[variable.name]).transpose("quantile", x).values[:, axis.order]
        slicing.note_log([axis], notes)
        return (axis, labels.shown(variable, values.astype(float)), probabilities,
                labels.label_of(data[variable.name]).removesuffix(" quantile"),
                labels.title_of(data, chosen), (name, labels.is_angle(variable)))


def load(options: argparse.Namespace, notes: list[str]) -> Spread:
    """The arguments of `draw`."""
    with contents.open_map(options.file) as data:
        name, dims, chosen, over = samples.choose(data, options.field, options, notes)
        x = samples.horizontal_axis(data, dims, over, options.x, chosen, notes)
        axis = slicing.make_axis(data, x)
        values = samples.load_values(data, name, over, axis, chosen)
        slicing.note_log([axis], notes)
        return (axis, values, labels.label_of(data[name]),
                samples.legend_title(samples.uncertain(data, over), values.shape[0]),
                labels.title_of(data, chosen), (name, labels.is_angle(data[name])))


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    points, quantiles = measured_points.read_points(settings.now().points), load_quantiles(options, notes)
    return draw_quantiles(*quantiles, points) if quantiles else draw(*load(options, notes), points)
