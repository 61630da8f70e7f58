"""Draws histories of cells, as `impactsweep trace` writes them.

Panels over the first column, time or impulse: by default the forces (or impulses) with the limits of
friction, and the velocities; --panels asks for others, and for planes. Contact phases are shaded behind
one history; several are told apart by colours and dashes, dots mark where their phases change and crosses where
their bodies leave the plane. A body that wedges goes on to the end of the axis. --each draws every history in panels of
its own, side by side.
"""
from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ...errors import InputError
from ...maps import histories
from ...maps.histories import History
from ...values import Reals
from .. import labels, layout, looks, maw, settings, twin_scales
from ..history import comparing, dimensionless, panels, phases, planes, shares
from ..history.phases import (HEIGHTS, LEGEND_WIDTH, SHADES, UNKNOWN_PHASE, add_plain, along_name,  # noqa: F401
                              along_of, changes_of, entries_of, marked_events, runs_of, scaled_along,
                              shade_of)
from ..history.planes import ENVELOPE
from ..labels import spaced
from ..layout import Grid, Sheet
from ..looks import Colour, Dash, Look
from ..wrapping import wrapped

# Lines that stand out on every shade, and differ in a grey print too.
LINES: tuple[Look, ...] = (
    (looks.BLUE, "-"), (looks.RED, "--"), (looks.BLACK, "-."), (looks.GREEN, ":"), (looks.DARK, (0, (8, 2))),
    ("#661100", (0, (5, 1, 1, 1, 1, 1))), ("#CC6677", "-"),
    ("#E69F00", (0, (3, 1, 1, 1, 1, 1, 1, 1))))
COMPONENTS = {"tangential": LINES[0], "normal": LINES[1], "axis 1": LINES[2], "axis 2": LINES[3]}
USES = {"label", "limits", "over", "called"}
MOST_IN_ONE_COLUMN, MOST_WITH_LIMITS = 3, 2
MOST_SIDE_BY_SIDE = {"one": 2, "two": 3}


# ------------------------------------------------------------------------------ what is drawn

def title_of(several: Sequence[History]) -> str:
    """What the histories share, with the parameters of the motion even where they have their defaults."""
    title, first = labels.readable(comparing.common_title(several)), several[0]
    for name in (*labels.MOTION, maw.FIRST):
        value = first.inputs.get(name)
        shared = all(one.inputs.get(name) == value for one in several)
        if shared and isinstance(value, tuple) and np.isfinite(value[0]) and f", {spaced(name)} " not in title:
            title += f", {spaced(name)} {labels.number_text(*value)}"
    return labels.filled(title)


def names_of(several: Sequence[History]) -> list[str]:
    """The names of the histories in the legend; those of --called come first."""
    names = comparing.differences(several) if len(several) > 1 else [""]
    called = settings.now().called
    if len(called) > len(names):
        raise InputError(f"--called is given {len(called)} times, and {len(names)} "
                              f"histor{'y is' if len(names) == 1 else 'ies are'} drawn")
    return [*called, *names[len(called):]]


def limits_of(history: History, names: Sequence[str]) -> Reals | None:
    """Half the height of the friction cone along the history; None without friction or the forces."""
    tangential = [name for name in names if name.startswith("tangential_")
                  and (panels.is_force(name) or panels.is_impulse(name))]
    normal = tangential[0].replace("tangential", "normal") if tangential else ""
    if history.number("friction") is None or normal not in history.columns:
        return None
    share = 1 if normal in history.shares else history.number("friction")
    return share * np.abs(panels.values_of(history, normal))


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(several: Sequence[History], words: str | None = None, each: bool = False) -> Figure:
    parts, names = panels.panels_of(several, words, each), names_of(several)
    end = end_of(several, parts)
    several = [histories.continued(one, end * unit_along(one)) for one in several]
    figure = layout.new_figure()
    grid = grid_of(figure, len(parts), len(several) if each else 0)
    sheet = layout.Sheet(figure, grid, HEIGHTS[settings.now().size])
    places = places_of(grid, parts, several, each)
    lines = looks_of(several[:1] if each else several, names, parts)
    handles: dict[str, Artist] = {}
    for place in places:
        draw_part = planes.draw_plane if place.panel.is_plane else draw_panel
        for entry in draw_part(place.ax, place.members, [""] if each else names, place.panel, lines):
            handles.setdefault(entry.get_label(), entry)
    label_times(places, several)
    fit_heights(places)
    if each:
        name_sides(grid, names)
    figure.suptitle(title_of(several))
    add_legend(sheet, list(grid.ravel()[len(places):]), entries_in_order(several, names, parts, handles, each))
    layout.add_caption(sheet, meanings(several, parts))
    return layout.fit(sheet)


@dataclass
class Place:
    """A panel of the sheet and the histories in it."""
    ax: Axes
    row: int
    column: int
    panel: panels.Panel
    members: Sequence[History]


def places_of(grid: Grid, parts: Sequence[panels.Panel], several: Sequence[History], each: bool) -> list[Place]:
    rows, columns = grid.shape
    if each:
        return [Place(grid[row, column], row, column, parts[row], [several[column]])
                for row in range(rows) for column in range(columns)]
    return [Place(grid[number // columns, number % columns], number // columns, number % columns, panel, several)
            for number, panel in enumerate(parts)]


def grid_of(figure: Figure, number: int, sides: int) -> Grid:
    """Panels one below the other; more than three of a wide figure in two columns. sides: histories side by side."""
    most = MOST_SIDE_BY_SIDE[settings.now().size]
    if sides > most:
        raise InputError(f"--each: {sides} histories side by side are too many, at most {most} are drawn in a "
                              f"figure of --size {settings.now().size}")
    if sides:
        grid: Grid = figure.subplots(number, sides, squeeze=False)
        return grid
    columns = 2 if settings.now().size == "two" and number > MOST_IN_ONE_COLUMN else 1
    grid = figure.subplots(-(-number // columns), columns, squeeze=False)
    for ax in grid.ravel()[number:]:
        ax.axis("off")
    return grid


def unit_along(history: History) -> float:
    """What drawn numbers along a history are multiplied by to be those of its first column."""
    drawn = along_of(history)[-1]
    return float(history.columns[history.along][-1] / drawn) if drawn else 1.0


def end_of(several: Sequence[History], parts: Sequence[panels.Panel]) -> float:
    """The end of the longest axis, as it is drawn but for prefixes."""
    asked = [panel.part for panel in parts] + [labels.shown_limits(several[0].along, False)]
    return float(max([along_of(one)[-1] for one in several] + [ends[1] for ends in asked if ends]))


def label_times(places: Sequence[Place], several: Sequence[History]) -> None:
    """The names of time under the lowest panel over time of each column of panels; the same ends in all, but in
    panels of a part."""
    factor, text = panels.scale_of(several, [along_name(several[0])])
    low, high = (factor * end(along_of(one)[k] for one in several) for end, k in ((min, 0), (max, -1)))
    limits = labels.shown_limits(several[0].along, False)
    over_time = {(place.row, place.column): place for place in places if not place.panel.is_plane}
    for (row, column), place in sorted(over_time.items()):
        asked, ax = place.panel.part or limits, place.ax
        ax.set_xlim(*((factor * end for end in asked) if asked else (low, high if high > low else low + 1)))
        below, above = (over_time.get((row + step, column)) for step in (1, -1))
        if below and below.panel.part == place.panel.part:
            ax.tick_params(labelbottom=False)
        else:
            ax.set_xlabel(panels.name_of(several[0], along_name(several[0])) + text)
        if not above:
            add_plain(ax, "x", several, [along_name(several[0])], several[0].along, factor)


def fit_heights(places: Sequence[Place]) -> None:
    """Panels of one kind have one scale. The height of a part of an axis is that of what lies in it, but for the limits
    of friction, which may be much wider."""
    for panel in {id(place.panel): place.panel for place in places}.values():
        axes = [place.ax for place in places if place.panel is panel]
        ends = [ax.get_ylim() for ax in axes]
        if panel.part and not set(panel.columns) & set(settings.now().limits):
            ends = list(filter(None, map(height_within, axes))) or ends
        for ax in axes:
            ax.set_ylim(min(low for low, _ in ends), max(high for _, high in ends))


def height_within(ax: Axes) -> tuple[float, float] | None:
    """The ends of the curves between the ends of the axis; None without any."""
    low, high = ax.get_xlim()
    curves = [line.get_data() for line in ax.lines if line.get_linewidth() > 1]
    seen = np.concatenate([np.asarray(y, float)[(x >= low) & (x <= high)] for x, y in curves])
    seen = seen[np.isfinite(seen)]
    if seen.size == 0:
        return None
    margin = 0.06 * (np.ptp(seen) or abs(seen[0]) or 1.0)
    return seen.min() - margin, seen.max() + margin


def name_sides(grid: Grid, names: Sequence[str]) -> None:
    """Histories side by side have their names above, and one scale at the left."""
    for ax, name in zip(grid[0], names):
        ax.set_title(wrapped(name, (settings.now().width - 1) / grid.shape[1]))
    for line in grid:
        for ax in line[1:]:
            ax.set_ylabel("")
            ax.tick_params(labelleft=False)


def entries_in_order(several: Sequence[History], names: Sequence[str], parts: Sequence[panels.Panel],
                     handles: Mapping[str, Artist], each: bool) -> list[Artist]:
    """The entries of the legend: histories, then other lines and signs, then phases."""
    shades = phases.phase_handles(several if each else several[:1], parts) if each or len(several) == 1 else []
    shown = {entry.get_label() for entry in shades}
    own = {wrapped(name, LEGEND_WIDTH) for name in names}
    return [*(entry for label, entry in sorted(handles.items(), key=lambda pair: pair[0] not in own)
              if label not in shown), *shades]


def add_legend(sheet: Sheet, empty: Sequence[Axes], entries: Sequence[Artist]) -> None:
    """In a place that no panel takes, if there is one and the legend fits; otherwise under the panels."""
    legend = layout.legend_in(empty[0], entries, handleheight=1.1) if empty else None
    if not legend:
        sheet.legends.append(layout.legend_under(sheet.grid[0, 0], entries, handleheight=1.1))


def meanings(several: Sequence[History], parts: Sequence[panels.Panel]) -> str:
    """The symbols of the groups, of a beam's scales without unit, and of Maw's angle."""
    first = several[0]
    names = [name for panel in parts for name in panel.columns]
    used = [dimensionless.group_of(first, name) for name in (*names, first.along)]
    found = [dimensionless.caption([group for group in used if group])]
    ratios = {name: panels.plain_ratio(several, [name]) for name in (along_name(first), *names)}
    plain = {name: ratio for name, ratio in ratios.items() if ratio is not None}
    found.append(twin_scales.caption([first.units[name] for name in plain], list(plain.values())))
    found.append(maw.PSI["velocity_ratio"].replace(" = ", ": ") if maw.FIRST in first.inputs else "")
    return "; ".join(text for text in found if text)


def looks_of(several: Sequence[History], names: Sequence[str], parts: Sequence[panels.Panel]) -> dict[str, Look]:
    """{name of a line: (colour, dash)}: of several histories one for each, else a component has its own in all
    panels and every other column one that no other has."""
    if len(several) > 1:
        return {name: LINES[number % len(LINES)] for number, name in enumerate(names)}
    called = dict.fromkeys(line_name(several, panel, name) for panel in parts if not panel.is_plane
                           for name in panel.columns)
    taken = [look for name, look in COMPONENTS.items() if name in called]
    free = [look for look in LINES if look not in taken]
    others = [name for name in called if name not in COMPONENTS]
    return {"": (looks.BLACK, "-"), **COMPONENTS,
            **{name: free[number % len(free)] for number, name in enumerate(others)}}


def line_name(several: Sequence[History], panel: panels.Panel, name: str) -> str:
    """The name of a column in the legend: its direction, where the label of the panel says the rest."""
    component = panels.component_of(several[0], name)
    return component if component and len(panel.columns) > 1 else panels.name_of(several[0], name)


def draw_stems(ax: Axes, along: Reals, values: Reals, history: History, look: tuple[Colour, str]) -> None:
    """Lines from 0 up, or down, with a dot at the end: what impacts do."""
    rows = np.flatnonzero(history.columns["point"])
    colour, label = look
    stems = np.stack([np.zeros(len(rows)), values[rows], np.full(len(rows), np.nan)], axis=1)
    ax.plot(np.repeat(along[rows], 3), stems.ravel(), color=colour, linewidth=1.4, zorder=3, label=label)
    ax.plot(along[rows], values[rows], color=colour, linestyle="none", marker="o", markersize=3.2, zorder=3,
            label="_")


def draw_limits(ax: Axes, along: Reals, limits: Reals, style: Dash, number: int) -> None:
    """The friction cone of one of a number of histories; of many there is none."""
    if number == 1:
        ax.fill_between(along, -limits, limits, facecolor=ENVELOPE + "4D", edgecolor=ENVELOPE, linewidth=0.8, zorder=2,
                        label="friction limit")
    elif number <= MOST_WITH_LIMITS:
        for side, label in ((1, "friction limit"), (-1, "_")):
            ax.plot(along, side * limits, color=ENVELOPE, linestyle=style, linewidth=0.8, zorder=2, label=label)


def draw_panel(ax: Axes, several: Sequence[History], names: Sequence[str], panel: panels.Panel,
               lines: Mapping[str, Look]) -> list[Artist]:
    """Returns the entries of the legend."""
    alone = len(several) == 1
    factor, text = panels.scale_of(several, panel.columns)
    if alone:
        phases.draw_phases(ax, several[0])
    for history, called in zip(several, names):
        along = scaled_along(several, history)
        struck = any(panels.is_struck(history, name) for name in panel.columns)
        limits = None if struck else limits_of(history, panel.columns)
        for name in panel.columns:
            line = line_name(several, panel, name) if alone else called
            colour, style = lines[line]
            values = factor * panels.values_of(history, name)
            if panels.is_struck(history, name):
                draw_stems(ax, along, values, history, (colour, wrapped(line, LEGEND_WIDTH)))
                continue
            ax.plot(along, values, color=colour, linestyle=style, linewidth=1.4, zorder=3,
                    label=wrapped(line, LEGEND_WIDTH))
            if not alone:
                phases.mark_changes(ax, history, along, values)
                phases.mark_end(ax, history, along, values)
        if limits is not None:
            draw_limits(ax, along, factor * limits, style, len(several))
    bottom, top = ax.get_ylim()
    if bottom <= 0 <= top:
        ax.axhline(0, color="#707070", linewidth=0.6, zorder=1)
    label = panels.name_of(several[0], panel.columns[0]) if len(panel.columns) == 1 else panel.label
    ax.set_ylabel(wrapped(label + text, HEIGHTS[settings.now().size]))
    ax.yaxis.set_major_locator(phases.ticks())
    add_plain(ax, "y", several, panel.columns, label, factor)
    for name in panel.columns:
        asked = labels.shown_limits(name, False)
        if asked:
            ax.set_ylim(*(factor * end for end in asked))
    return entries_of(ax)


# ---------------------------------------------------------------------------------- the command

def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+",
                        help="file of impactsweep trace: csv, h5 or nc; several files are drawn in one picture")
    parser.add_argument("--panels", metavar="NAMES",
                        help=f"panels separated by commas: {', '.join(panels.WORDS)}, or all; default: forces "
                             "(or impulses) and velocities; of a beam displacements, velocities, forces and energies; "
                             "of a body that bounces gaps, impulses and energies. Names of columns joined by + are a "
                             "panel too, such as u1_rate+slip_speed; NAME@LOW:HIGH draws a part of the axis")
    parser.add_argument("--each", action="store_true", help="every history in panels of its own, side by side")
    parser.add_argument("--phi", action="store_true", help="time over the duration of the contact, forces over friction "
                        "times the greatest normal force")
    parser.add_argument("--psi", action="store_true", help="name cells by Maw's angle of incidence in place of the "
                        "velocity ratio")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.files[0], ".png")


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    del notes  # same call as the other kinds
    asked = settings.now()
    several = [one for path in (*options.files, *asked.over) for one in histories.read(path)]
    several = [shares.of_history(one) for one in several] if options.phi else several
    check_alike(several, [name for panel in panels.panels_of(several, options.panels, options.each)
                          for name in panel.columns])
    several = [maw.of_history(one) for one in several] if options.psi else several
    settings.check_known(list(several[0].columns), asked)
    return draw(several, options.panels, options.each)


def check_alike(several: Sequence[History], drawn: Sequence[str]) -> None:
    """Histories in one picture have the same first column, and the columns that are drawn in the same unit."""
    first = several[0]
    for one in several[1:]:
        if one.along != first.along:
            raise InputError(f"{one.path}: its history is over {spaced(one.along)}, that of {first.path} over "
                                  f"{spaced(first.along)}")
        for name in (first.along, *drawn):
            if one.units[name] != first.units[name] or group_text(one, name) != group_text(first, name):
                raise InputError(f"{one.path}: the unit of {spaced(name)} differs from that in {first.path}; give "
                                      "mass, stiffness and speed to both cells, and histories are in SI")


def group_text(history: History, name: str) -> str:
    group = dimensionless.group_of(history, name)
    return group.text if group else ""
