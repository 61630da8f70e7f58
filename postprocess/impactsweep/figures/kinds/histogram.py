"""Draws a histogram of an output over a sample, with a panel for each value of a second, short axis."""
from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ...errors import InputError
from ...maps import contents
from ...values import Reals
from .. import labels, layout, looks, samples, settings
from ..labels import Field
from ..survey import SAMPLE, Claim, Survey
from ..wrapping import wrapped

HEIGHTS = {"one": 1.5, "two": 2.0}  # inches, of a frame
USES = settings.SCALES
MOST_BINS = 60
MEDIAN, ENDS = {"color": looks.RED, "linewidth": 1.4}, {"color": looks.RED, "linewidth": 1.0,
                                                        "linestyle": (0, (3, 1.5))}


@looks.styled
def draw(values: Reals, label: str, panels: Sequence[str], sample: str, title: str, field: Field) -> Figure:
    """values [panel][sample]; panels: their titles. field: name of the output, whether it is an angle."""
    figure, asked = layout.new_figure(), settings.now()
    height, columns = layout.block(len(panels))
    grid = figure.subplots(height, columns, sharex=True, sharey=True, squeeze=False)
    bins, wide = bins_of(values, field), (asked.width - 0.8) / columns
    for ax, row, text in zip(grid.ravel(), values, panels):
        draw_panel(ax, row[np.isfinite(row)], bins)
        ax.set_title(wrapped(text, wide))
        if field[0] in asked.log:
            ax.set_xscale("log")
            looks.set_log_ticks(ax.xaxis, bins[0], bins[-1])
        else:
            ax.xaxis.set_major_locator(MaxNLocator(max(3, int(wide / 0.6)), steps=[1, 2, 2.5, 5, 10]))
    for ax in grid.ravel()[len(panels):]:
        ax.set_axis_off()
        grid.ravel()[grid.size - columns - 1].tick_params(labelbottom=True)
    grid[0, 0].set_xlim(labels.shown_limits(*field))
    for ax in grid[:, 0]:
        ax.set_ylabel("points of the sample")
    figure.supxlabel(wrapped(label, asked.width - 0.9),
                     fontsize=asked.font_size)
    if title:
        figure.suptitle(title)
    sheet = layout.Sheet(figure, grid, HEIGHTS[asked.size])
    handles = [Patch(facecolor=looks.BLUE, alpha=0.6, edgecolor=looks.BLUE, label="points"),
               Line2D([], [], label="median", **MEDIAN), Line2D([], [], label="5 % and 95 %", **ENDS)]
    sheet.legends.append(layout.legend_under(grid[0, 0], handles, sample))
    return layout.fit(sheet)


def bins_of(values: Reals, field: Field) -> Reals:
    finite, ends = values[np.isfinite(values)], labels.shown_limits(*field)
    if finite.size == 0:
        raise InputError(f"'{field[0]}' has no value in this part of the map")
    if field[0] in settings.now().log:
        if min([finite.min(), *(ends or ())]) <= 0:
            raise InputError(f"--log: '{field[0]}' has values that are not above 0")
        low, high = np.log10(np.array(ends or (1.0, 1.0)))
        return np.asarray(10 ** even_bins(np.log10(finite), ends and (low, high)))
    return even_bins(finite, ends)


def even_bins(values: Reals, ends: tuple[float, float] | None) -> Reals:
    edges: Reals = np.histogram_bin_edges(values, "auto", ends)
    return edges if len(edges) <= MOST_BINS + 1 else np.asarray(np.linspace(edges[0], edges[-1], MOST_BINS + 1))


def draw_panel(ax: Axes, finite: Reals, bins: Reals) -> None:
    ax.hist(finite, bins, color=looks.BLUE, alpha=0.6, edgecolor=looks.BLUE, linewidth=0.6)
    if finite.size:
        low, middle, high = np.percentile(finite, (5, 50, 95))
        ax.axvline(middle, **MEDIAN)
        for end in (low, high):
            ax.axvline(end, **ENDS)
    looks.draw_grid(ax)


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    return Claim(SAMPLE, f"its only free axis is a sample of {survey.uncertain_names}") \
        if survey.is_sample else None


def add_options(parser: argparse.ArgumentParser) -> None:
    samples.add_options(parser)
    parser.add_argument("--x", metavar="NAME", help="the same as --field")
    parser.add_argument("--panels", metavar="AXIS", help="axis with a panel for each value")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-histogram.png")


def load(options: argparse.Namespace, notes: list[str]) -> tuple[Reals, str, list[str], str, str, Field]:
    """The arguments of `draw`."""
    with contents.open_map(options.file) as data:
        name, dims, chosen, over = samples.choose(data, options.field or options.x, options, notes)
        panels = samples.choose_panels(data, dims, over, options.panels, chosen, notes)
        values = samples.load_panels(data, name, over, panels, chosen)
        titles = [labels.point_text(data, panels, k) for k in range(data.sizes[panels])
                  ] if panels else [""]
        fixed = {dim: place for dim, place in chosen.items() if data.sizes[dim] > 1}
        return (values, labels.label_of(data[name]), titles,
                samples.legend_title(samples.uncertain(data, over), values.shape[1]),
                labels.title_of(data, fixed), (name, labels.is_angle(data[name])))


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    return draw(*load(options, notes))
