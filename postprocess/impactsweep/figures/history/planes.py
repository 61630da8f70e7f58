"""Planes of a history: one column over another, and Routh's construction in the plane of the impulses."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes

from ...maps.histories import History
from ...values import Reals
from .. import labels, settings
from ..labels import spaced
from ..looks import Look
from ..wrapping import wrapped
from . import dimensionless, inertia, panels, phases
from .phases import EVENT_MARKERS, HEIGHTS, LEGEND_WIDTH

ENVELOPE = "#8C8C8C"


def draw_plane(ax: Axes, several: Sequence[History], names: Sequence[str], panel: panels.Panel,
               lines: Mapping[str, Look]) -> list[Artist]:
    """One column over another, with the lines of the impulse plane."""
    across, upward = panel.columns
    alike = panel.word == "impulse-plane"  # one unit for both
    (factor_x, text_x), (factor_y, text_y) = (
        panels.scale_of(several, panel.columns if alike else [name]) for name in panel.columns)
    sign = -1 if across == "u3" else 1  # an indentation is a negative elongation
    paths = [(factor_x * sign * panels.values_of(one, across), factor_y * panels.values_of(one, upward))
             for one in several]
    for history, called, (x, y) in zip(several, names, paths):
        colour, style = lines[called]
        ax.plot(x, y, color=colour, linestyle=style, linewidth=1.4, zorder=4,
                label=wrapped(called or "path", LEGEND_WIDTH))
        phases.mark_changes(ax, history, x, y)
        if len(several) > 1:
            phases.mark_end(ax, history, x, y)
        mark_events(ax, history, x, y)
    ax.axhline(0, color="#707070", linewidth=0.6, zorder=1)
    ax.axvline(0, color="#707070", linewidth=0.6, zorder=1)
    ax.margins(0.08)
    (low, high), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    if alike:
        draw_construction(ax, several, factor_x, (low, high))
    ax.set(xlim=low_to_high(across, factor_x, (low, high)), ylim=low_to_high(upward, factor_y, (bottom, top)))
    name = "indentation" if sign < 0 else panels.name_of(several[0], across)
    ax.set_xlabel(name + text_x)
    ax.set_ylabel(wrapped(panels.name_of(several[0], upward) + text_y, HEIGHTS[settings.now().size]))
    phases.add_plain(ax, "x", several, [across], name, factor_x)
    phases.add_plain(ax, "y", several, [upward], panels.name_of(several[0], upward), factor_y)
    ax.yaxis.set_major_locator(phases.ticks())
    return phases.entries_of(ax)


def low_to_high(name: str, factor: float, found: tuple[float, float]) -> Sequence[float]:
    limits = labels.shown_limits(name, False)
    return [factor * end for end in limits] if limits else found


def mark_events(ax: Axes, history: History, x: Reals, y: Reals) -> None:
    for number, (name, rows) in enumerate(phases.marked_events(history).items()):
        ax.plot(x[rows], y[rows], linestyle="none", marker=EVENT_MARKERS[number % len(EVENT_MARKERS)],
                markersize=4.5, color="#202020", zorder=5, label=wrapped(spaced(name), LEGEND_WIDTH))


def draw_construction(ax: Axes, several: Sequence[History], factor: float, ends: tuple[float, float]) -> None:
    """Routh's construction: the lines of friction, of sticking (v_t = 0) and of greatest compression (v_n = 0)
    in the plane of the impulses."""
    p_n = np.array([min(ends[0], 0), max(ends[1], 0)])
    for history in several:
        friction = history.number("friction")
        if friction is not None:
            for side, label in ((1, "line of friction"), (-1, "_")):
                ax.plot(np.maximum(p_n, 0), side * friction * np.maximum(p_n, 0), color=ENVELOPE, linewidth=0.9,
                        zorder=2, label=label)
        for label, style, along_t, along_n, start in lines_of(history):
            if along_t:
                ax.plot(p_n, -(factor * start + along_n * p_n) / along_t, color="#404040", linewidth=0.9,
                        linestyle=style, zorder=2, label=label)
            else:
                ax.axvline(-factor * start / along_n, color="#404040", linewidth=0.9, linestyle=style, zorder=2,
                           label=label)


def lines_of(history: History) -> list[tuple[str, str, float, float, float]]:
    """(name, dash, b_t, b_n, v): the lines b_t P_t + b_n P_n + v = 0, in the units of the drawn impulses."""
    group = dimensionless.group_of(history, "normal_impulse")
    unit = 1 if group is None else group.factor
    names: tuple[str, ...] = ("line of sticking", "line of greatest compression")
    found = inertia.rows_of_b(history)
    if len(found) == 1:
        names = ("line of sticking and of greatest compression",)
    return [(name, dash, b_t, b_n, unit * start) for name, dash, (b_t, b_n, start) in zip(names, ("--", ":"), found)]
