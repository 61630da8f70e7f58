"""The phases of a contact in a figure of histories: shades behind one history, dots and marks on several."""
from __future__ import annotations

from collections.abc import Sequence

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from ...maps import histories
from ...maps.histories import History
from ...values import Reals
from .. import settings, twin_scales
from ..labels import spaced
from . import panels

# Shades of the phases, that of stick and then by their number in the theory's table; they differ in grey too.
SHADES = ("#D0D0D0", "#CFE3F7", "#FFF4E3", "#CFE0B8", "#F6DDEA", "#F8F5D0")
UNKNOWN_PHASE = "#FFFFFF"
EVENT_STYLES = (":", (0, (1, 1)), (0, (5, 2)), (0, (3, 1, 1, 1)))
EVENT_MARKERS = "Dsv^*P"
LEGEND_WIDTH = 1.7  # inches
HEIGHTS = {"one": 1.6, "two": 2.0}  # inches, of a frame


def runs_of(history: History) -> list[tuple[str, float, float]]:
    """[(phase, start, end)] along the history; a run ends where the next one begins."""
    along = along_of(history)
    runs: list[tuple[str, float, float]] = []
    for phase, at in zip(history.phases, along):
        if runs:
            runs[-1] = (*runs[-1][:2], at)
        if not runs or phase != runs[-1][0]:
            runs.append((phase, at, at))
    return runs


def along_name(history: History) -> str:
    name = f"{history.along}_si"
    return name if name in history.columns else history.along


def along_of(history: History) -> Reals:
    return panels.values_of(history, along_name(history))


def scaled_along(several: Sequence[History], history: History) -> Reals:
    return panels.scale_of(several, [along_name(several[0])])[0] * along_of(history)


def shade_of(history: History, phase: str) -> str:
    if phase not in history.phase_names:
        return UNKNOWN_PHASE
    order = sorted(history.phase_names, key=lambda name: name != "stick")
    return SHADES[order.index(phase) % len(SHADES)]


def marked_events(history: History) -> dict[str, list[int]]:
    """{name: rows} of events that the shades do not show already."""
    along = along_of(history)
    found: dict[str, list[int]] = {}
    edges = {edge for _, start, end in runs_of(history) for edge in (start, end)}
    for row, name in enumerate(history.events):
        if name and along[row] not in edges:
            found.setdefault(name, []).append(row)
    return found


def changes_of(history: History) -> list[int]:
    """The rows at which a new phase begins."""
    return [row for row in range(1, len(history.phases)) if history.phases[row] != history.phases[row - 1]]


def draw_phases(ax: Axes, history: History) -> None:
    factor = panels.scale_of([history], [along_name(history)])[0]
    for phase, start, end in runs_of(history):
        ax.axvspan(factor * start, factor * end, facecolor=shade_of(history, phase), linewidth=0, zorder=0)
    along = along_of(history)
    for number, rows in enumerate(marked_events(history).values()):
        for row in rows:
            ax.axvline(factor * along[row], color="#404040", linewidth=0.8, zorder=2,
                       linestyle=EVENT_STYLES[number % len(EVENT_STYLES)])


def mark_changes(ax: Axes, history: History, x: Reals, y: Reals) -> None:
    """Dots where a new phase begins."""
    rows = changes_of(history)
    if rows:
        ax.plot(x[rows], y[rows], linestyle="none", marker="o", markersize=3.5, markerfacecolor="#FFFFFF",
                markeredgecolor="#202020", markeredgewidth=0.8, zorder=5, label="a new phase")


def mark_end(ax: Axes, history: History, x: Reals, y: Reals) -> None:
    """A sign where the body leaves the plane: a line that stops without it has only no more rows."""
    if histories.separates(history):
        ax.plot(x[-1:], y[-1:], linestyle="none", marker="X", markersize=5, color="#202020", markeredgecolor="#FFFFFF",
                markeredgewidth=0.5, zorder=6, label="separation", clip_on=False)


def phase_handles(several: Sequence[History], parts: Sequence[panels.Panel]) -> list[Artist]:
    """The shades and events of histories that are shaded; none of planes alone."""
    if all(panel.is_plane for panel in parts):
        return []
    present = [name for name in several[0].phase_names if any(name in one.phases for one in several)]
    events = list(dict.fromkeys(name for one in several for name in marked_events(one)))
    handles = [Patch(facecolor=shade_of(several[0], name), edgecolor="#707070", linewidth=0.5,
                     label=spaced(name)) for name in present]
    marks = EVENT_MARKERS if any(panel.is_plane for panel in parts) else " "
    return handles + [Line2D([], [], color="#404040", linewidth=0.8, label=spaced(name), markersize=4,
                             marker=marks[number % len(marks)], linestyle=EVENT_STYLES[number % len(EVENT_STYLES)])
                      for number, name in enumerate(events)]


def entries_of(ax: Axes) -> list[Artist]:
    return [entry for entry in (*ax.lines, *ax.collections) if not entry.get_label().startswith("_")]


def ticks() -> MaxNLocator:
    """The same ticks whenever they are asked for: those of matplotlib depend on the size of letters in the style, which
    is another one when the picture is written than when the frames are placed."""
    return MaxNLocator(6, steps=[1, 2, 2.5, 5, 10])


def add_plain(ax: Axes, direction: str, several: Sequence[History], names: Sequence[str], called: str,
              factor: float) -> None:
    """The scale without unit on the far side of an axis in SI, where the histories have both."""
    ratio = panels.plain_ratio(several, names)
    if ratio is not None:
        twin_scales.add(ax, direction, called, several[0].units[names[0]], ratio / factor,
                   ratio * panels.largest_of(several, names), None if direction == "x" else
                   HEIGHTS[settings.now().size])
