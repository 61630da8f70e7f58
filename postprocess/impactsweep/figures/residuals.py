"""Figures of fits: the motion after, computed against measured, and how large the errors of each law are."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from ..inference.fitting import Fit
from ..values import Reals
from . import labels, layout, looks, settings
from .wrapping import wrapped

HEIGHTS = {"one": 1.5, "two": 2.0}  # inches, of a frame
PARTS = ("tangential velocity after (m/s)", "normal velocity after (m/s)", "spin after (rad/s)")
POINT: looks.Style = {"marker": ".", "markersize": 2.4, "linestyle": "none", "color": looks.BLUE, "alpha": 0.5,
                      "markeredgewidth": 0, "rasterized": True}


@looks.styled
def draw(fits: Sequence[Fit]) -> Figure:
    """fits: the first one is drawn against the measurements; the errors of all are compared."""
    figure, asked, best = layout.new_figure(), settings.now(), fits[0]
    parts = PARTS[:len(best.predicted)]
    grid = figure.subplots(2, 2) if len(parts) > 2 else figure.subplots(1, 3, squeeze=False)
    wide = (asked.width - 0.8) / grid.shape[1]
    for ax, part, measured, predicted in zip(grid.ravel(), parts, best.impacts.after, best.predicted):
        draw_part(ax, measured, predicted)
        ax.set_xlabel(wrapped(f"measured {part}", wide))
    for ax in grid[:, 0]:
        ax.set_ylabel(wrapped(f"computed, {labels.spaced(best.name)}", HEIGHTS[asked.size]))
    last = grid.ravel()[len(parts)]
    draw_errors(last, fits)
    last.set_xlabel(wrapped("relative error of the motion after", wide))
    last.set_ylabel("impacts below (%)")
    sheet = layout.Sheet(figure, grid, HEIGHTS[asked.size])
    handles = last.get_legend_handles_labels()[0]
    sheet.legends.append(layout.legend_under(last, handles, f"{len(best.impacts)} impacts; fitted: "
                                            f"{', '.join(best.best)}"))
    return layout.fit(sheet)


def draw_part(ax: Axes, measured: Reals, predicted: Reals) -> None:
    ax.plot(measured, predicted, **POINT)
    ends = np.array([min(np.min(measured), np.nanmin(predicted)), max(np.max(measured),
                                                                     np.nanmax(predicted))])
    ends += 0.03 * np.ptp(ends) * np.array([-1, 1])
    ax.plot(ends, ends, color=looks.BLACK, linewidth=0.7)
    ax.set_xlim(ends)
    ax.set_ylim(ends)
    for ruler in (ax.xaxis, ax.yaxis):
        ruler.set_major_locator(MaxNLocator(4))
    looks.draw_grid(ax)


def draw_errors(ax: Axes, fits: Sequence[Fit]) -> None:
    for number, one in enumerate(fits):
        colour, dash = looks.ordered_look(number, len(fits))
        ordered = np.sort(one.errors)
        ax.plot(ordered, 100 * np.arange(1, len(ordered) + 1) / len(ordered), color=colour,
                linestyle=dash, linewidth=1.2,
                label=f"{labels.spaced(one.name)}: median {np.median(one.errors):.3f}")
    ax.set_xlim(0, np.quantile(np.concatenate([one.errors for one in fits]), 0.97))
    ax.set_ylim(0, 100)
    ax.xaxis.set_major_locator(MaxNLocator(4))
    looks.draw_grid(ax)
