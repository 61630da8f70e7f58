"""Draws families of curves from a map: real outputs over one axis, a curve for each value of a
second one, a column of panels for each value of a third, a row for each output.

Any dimension of an output can be the horizontal axis, curves or panels, whether it is an axis of the map
or numbers the values of one cell. Roots of a search belong to one curve, which then has several branches.
--x may also be an output: curves then show one output over another along an axis.
"""
from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from ...errors import InputError
from ...maps import contents
from ...values import Array, Mask
from .. import against, labels, layout, looks, measured_points, settings, slicing, twin_scales
from ..curves import (MOST_CURVES, VISIBLE, assign, choose_fields, dims_of, is_output, load_family,  # noqa: F401
                      longest)
from ..curves import Family, Roles
from ..layout import Grid, Sheet
from ..looks import Look
from ..measured_points import Measured
from ..survey import ANYTHING, ASKED, Claim, Survey, named
from ..wrapping import wrapped

ROWS = {"one": 1.75, "two": 2.0}  # inches, of a frame
USES = settings.SCALES | {"minus", "ratio_to", "over", "called", "points", "line"}
THIN, THICK = 0.5, 1.4
# Of the files of --over: a mark and a colour each; a curve that the first file has too keeps its colour and dash.
OVER: list[looks.Style] = [{"marker": marker, "linewidth": 0.9, "markersize": 3.5, "markerfacecolor": "white"}
                           for marker in "xo^sD"]
MARKS_ALONG = 8  # about so many marks along a curve
LEGEND_WIDTH = 2.9  # inches


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw_each(family: Family) -> Figure:
    """Every curve of every output in a panel of its own, with a scale of its own."""
    pairs = [(name, curve) for name in family.values
             for curve in ([0] if name in family.uncurved else range(len(family.curves)))]
    rows, columns = layout.block(len(pairs))
    rows, columns = (rows, columns) if rows * columns == len(pairs) else (len(pairs), 1)  # no place stays empty
    figure, asked = layout.new_figure(), settings.now()
    axes = figure.subplots(rows, columns, sharex=True, squeeze=False)
    wide = (asked.width - 0.8 * columns) / columns
    for ax, (name, curve) in zip(axes.ravel(), pairs):
        for branch in family.values[name]:
            draw_curve(ax, family, (0, curve), branch[0, curve], (looks.BLUE, "-"))
        looks.draw_grid(ax)
        head = family.labels[name] if name in family.uncurved else f"{family.curves_label} {family.curves[curve]}"
        ax.annotate(wrapped(head, wide), (0, 1), xycoords="axes fraction", xytext=(4, -4), textcoords="offset points",
                    va="top", bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}, zorder=6)
        if family.log[name]:
            ax.set_yscale("log")
        else:
            ax.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]))
    for ax in axes[:, 0]:
        ax.set_ylabel(wrapped(family.labels[pairs[0][0]], 0.6 * ROWS[asked.size]))
    set_x(axes, family, wide)
    figure.supxlabel(wrapped(family.x_label, asked.width - 0.9), fontsize=asked.font_size)
    title = labels.filled(family.title)
    if title:
        figure.suptitle(title)
    return layout.fit(layout.Sheet(figure, axes, 0.6 * ROWS[asked.size]))


@looks.styled
def draw(family: Family, limit: Family | None = None, over: Sequence[Family] = (),
         points: Sequence[Measured] | None = None) -> Figure:
    """limit: a curve of another map, drawn dotted; over: families of other maps, drawn thin and dashed."""
    rows, columns = len(family.values), len(family.panels)
    figure, asked = layout.new_figure(), settings.now()
    axes = figure.subplots(rows, columns, sharex=True, sharey="row", squeeze=False)
    wide = (asked.width - 0.8) / columns
    for row, name in enumerate(family.values):
        for column, ax in enumerate(axes[row]):
            draw_panel(ax, family, name, column)
        if family.log[name]:
            axes[row, 0].set_yscale("log")
        axes[row, 0].set_ylabel(wrapped(family.labels[name], ROWS[asked.size]))
    for column, text in enumerate(family.panels):
        axes[0, column].set_title(wrapped(text, wide))
    called = labels.names_of_files([one.title for one in (family, *over)], [one.path for one in (family, *over)])
    extra = own_entry(family, called[0]) if limit or over else []
    extra += draw_limit(axes, limit) if limit else []
    for number, second in enumerate(over):
        extra += draw_over(axes, family, second, number, called[number + 1])
    set_x(axes, family, wide)
    set_y(axes, family)
    add_plain(axes, family)
    measured_points.draw_lines(axes, list(family.values), family.x_name, family.angles)
    extra += draw_points(axes, family, points) if points else []
    figure.supxlabel(wrapped(family.x_label, asked.width - 0.9),
                     fontsize=asked.font_size)
    title = labels.filled(labels.shared([one.title for one in (family, *over)]))
    if title:
        figure.suptitle(title)
    sheet = layout.Sheet(figure, axes, ROWS[asked.size])
    draw_legend(sheet, axes[0, -1], family, extra)
    layout.add_caption(sheet, twin_scales.caption(*zip(*family.plain.values())) if family.plain else "")
    return layout.fit(sheet)


def draw_panel(ax: Axes, family: Family, name: str, panel: int) -> None:
    for branch in family.values[name]:
        if name in family.uncurved:
            draw_curve(ax, family, (panel, 0), branch[panel, 0], (looks.BLACK, "-"))
            continue
        for curve in range(len(family.curves)):
            draw_curve(ax, family, (panel, curve), branch[panel, curve], look_of(family, curve))
    looks.draw_grid(ax)


def draw_curve(ax: Axes, family: Family, place: tuple[int, int], y: Array, look: Look) -> None:
    x, (colour, dash) = family.x[place], look
    if not family.x_axis.joined:
        ax.plot(x, y, "o", color=colour, markersize=4 if len(x) <= 60 else 2)
        return
    thin = family.thin[place]
    ax.plot(x, np.where(thin, np.nan, y), color=colour, linestyle=dash, linewidth=THICK)
    meets = thin | has_neighbour(thin)  # so that the thin line joins the thick one
    ax.plot(x, np.where(meets, y, np.nan), color=colour, linewidth=THIN)
    alone = np.isfinite(y) & ~has_neighbour(np.isfinite(y))
    if alone.any():
        ax.plot(x[alone], y[alone], "o", color=colour, markersize=2.5)


def has_neighbour(mask: Mask) -> Mask:
    """A mask of the places whose predecessor or successor is in the given mask."""
    wide = np.concatenate([[False], mask, [False]])
    return np.asarray(wide[:-2] | wide[2:])


def look_of(family: Family, curve: int) -> Look:
    """Values in order take colours in order, dark to light; options take colours that differ."""
    number = len(family.curves)
    if number == 1:
        return looks.BLUE, looks.DASHES[0]
    dash = looks.DASHES[curve % len(looks.DASHES)]
    if not family.curves_ordered:
        return looks.OPTION_COLOURS[curve % len(looks.OPTION_COLOURS)], dash
    return looks.ordered_look(curve, number)


def draw_limit(axes: Grid, limit: Family) -> list[Artist]:
    """Draws the only curve of another map in every panel; returns its entry of the legend."""
    look = {"color": looks.GREEN, "linestyle": (0, (1, 1)), "linewidth": 1.9}
    for row, name in enumerate(limit.values):
        for ax in axes[row]:
            for values in limit.values[name]:
                ax.plot(limit.x[0, 0], values[0, 0], **look)
    return [Line2D([], [], label=limit.title, **look)]


def own_entry(family: Family, called: str) -> list[Artist]:
    """The entry of the first file in a legend beside others."""
    colour = looks.BLACK if len(family.curves) > 1 else look_of(family, 0)[0]
    return [Line2D([], [], color=colour, linewidth=THICK, label=wrapped(called, LEGEND_WIDTH))]


def over_look(family: Family, second: Family, curve: int, number: int) -> Look:
    """Colour and dash of a curve of another file: those of the curve of the same name, or else the file's own."""
    word = second.curves[curve]
    if len(family.curves) > 1 and word in family.curves:
        return look_of(family, family.curves.index(word))
    if len(second.curves) > 1:
        return look_of(second, curve)
    place = number + 1
    return looks.OPTION_COLOURS[place % len(looks.OPTION_COLOURS)], looks.DASHES[place % len(looks.DASHES)]


def draw_over(axes: Grid, family: Family, second: Family, number: int, called: str) -> list[Artist]:
    """Draws the curves of another map thin and with marks, in the panel of the same name or in all panels. Returns
    the entries of the legend: the file, and those of its curves that the first file lacks."""
    names = [name for name in family.values if name in second.values]
    mark = OVER[number % len(OVER)]
    every = max(1, second.x.shape[-1] // MARKS_ALONG)
    for row, name in ((row, name) for row, name in enumerate(family.values) if name in names):
        for panel, text in enumerate(second.panels):
            there = [family.panels.index(text)] if text in family.panels else range(axes.shape[1])
            for column in there:
                for branch in second.values[name]:
                    for curve in range(len(second.curves)):
                        colour, dash = over_look(family, second, curve, number)
                        axes[row, column].plot(second.x[panel, curve], branch[panel, curve], **mark, color=colour,
                                               linestyle=dash, zorder=5, markevery=every)
    if len(second.curves) == 1:
        colour, dash = over_look(family, second, 0, number)
        return [Line2D([], [], color=colour, linestyle=dash, **mark, label=wrapped(called, LEGEND_WIDTH))]
    own = [curve for curve, word in enumerate(second.curves) if word not in family.curves or len(family.curves) == 1]
    return [Line2D([], [], color=looks.BLACK, **mark, label=wrapped(called, LEGEND_WIDTH)),
            *(Line2D([], [], color=over_look(family, second, curve, number)[0], **mark,
                     linestyle=over_look(family, second, curve, number)[1],
                     label=wrapped(f"{called}, {second.curves[curve]}", LEGEND_WIDTH)) for curve in own)]


def draw_points(axes: Grid, family: Family, points: Sequence[Measured]) -> list[Artist]:
    """Draws measured points in every panel; returns their entries of the legend, one for each table."""
    x, found = (family.measured_name(family.x_name), family.x_name in family.angles), {}
    for row, name in enumerate(family.values):
        for ax in axes[row]:
            for entry in measured_points.draw_points(ax, points, x, (family.measured_name(name), name in family.angles)):
                found[entry.get_label()] = entry
    for table in points:
        if table.name not in found:
            raise InputError(f"--points: no column is called {' or '.join(map(family.measured_name, family.values))}; "
                           f"there are: {', '.join(table.columns)}")
    return list(found.values())


def set_x(axes: Grid, family: Family, wide: float) -> None:
    """The horizontal axis, which all panels share; fewer ticks where they are narrow."""
    ax, axis = axes[-1, 0], family.x_axis
    finite = family.x[np.isfinite(family.x)]
    most_ticks = max(3, min(9, int(wide / looks.TICK_WIDTH)))
    asked = labels.shown_limits(family.x_name, family.x_name in family.angles)
    if family.x_is_output:
        if family.x_name in settings.now().log:
            ax.set_xscale("log")
        else:
            ax.xaxis.set_major_locator(MaxNLocator(most_ticks, steps=[1, 2, 2.5, 5, 10]))
        ax.set_xlim(asked)
        return
    looks.set_axis(ax.xaxis, axis, ax.set_xscale, ax.set_xlim, most_ticks)
    if not axis.joined:
        if looks.is_crowded(axis, wide):
            for one in axes[-1]:
                one.tick_params(axis="x", labelrotation=90)
        return
    if asked or finite.size == 0:
        return
    low, high = finite.min(), finite.max()
    if axis.degrees and not axis.log:
        low, high = (looks.snap(end, 5, (high - low) / 200) for end in (low, high))
    ax.set_xlim(low, high)


def set_y(axes: Grid, family: Family) -> None:
    for row, name in enumerate(family.values):
        asked = labels.shown_limits(name, name in family.angles)
        if not family.log[name]:
            axes[row, 0].yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))
            axes[row, 0].ticklabel_format(axis="y", useOffset=False)
            widen(axes[row, 0], family.values[name])
        if asked:
            axes[row, 0].set_ylim(asked)


def add_plain(axes: Grid, family: Family) -> None:
    """The scales without unit at the right, of outputs in SI that the map has without unit too."""
    for row, name in enumerate(family.values):
        if name in family.plain:
            unit, ratio = family.plain[name]
            largest = ratio * np.nanmax(np.abs(family.values[name]), initial=0)
            twin_scales.add(axes[row, -1], "y", name.removesuffix(twin_scales.SI), unit, ratio, largest,
                            ROWS[settings.now().size])


def widen(ax: Axes, values: Array) -> None:
    """Leaves room around a level line, so that rounding does not set the limits of the axis."""
    finite = values[np.isfinite(values)]
    if finite.size:
        ax.set_ylim(looks.level_limits(finite.min(), finite.max()))


def draw_legend(sheet: Sheet, ax: Axes, family: Family, extra: list[Artist]) -> None:
    """Names the curves, under the panels."""
    handles = [curve_entry(family, curve) for curve in drawn_curves(family)]
    if len(family.curves) == 1:
        handles = []
    title = family.curves_label if handles else ""
    if family.thin_label and any(np.isfinite(found[:, family.thin]).any()
                                 for found in family.values.values()):
        handles.append(Line2D([], [], color="#404040", linewidth=THIN,
                              label=wrapped(family.thin_label, LEGEND_WIDTH)))
    handles += extra
    if handles:
        sheet.legends.append(layout.legend_under(ax, handles, title, handlelength=2.6))


def drawn_curves(family: Family) -> list[int]:
    """Numbers of the curves that have at least one point."""
    own = [found for name, found in family.values.items() if name not in family.uncurved]
    return [curve for curve in range(len(family.curves))
            if any(np.isfinite(found[:, :, curve]).any() for found in own)]


def curve_entry(family: Family, curve: int) -> Artist:
    colour, dash = look_of(family, curve)
    look = {"linestyle": dash, "linewidth": THICK} if family.x_axis.joined else {
        "linestyle": "", "marker": "o", "markersize": 4}
    return Line2D([], [], color=colour, label=wrapped(family.curves[curve], LEGEND_WIDTH),
                  **look)


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    if survey.against and not survey.samples:
        return Claim(ASKED, f"{survey.against} is an output")
    return Claim(ANYTHING, f"only {named(survey.many)} has many points" if survey.many else "no axis has many points")


def called(data: xr.Dataset, wanted: str | None) -> str:
    return "search result" if "search" in data.attrs or {"root", "extreme"} & set(data.variables) else "family of curves"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output to draw, may be repeated (default: the first three real ones)")
    parser.add_argument("--x", metavar="NAME", help="horizontal axis (default: the longest), or an output")
    parser.add_argument("--y", metavar="NAME", dest="fields", action="append",
                        help="the same as --field")
    parser.add_argument("--curves", metavar="AXIS", help="axis with a curve for each value")
    parser.add_argument("--panels", metavar="AXIS", help="axis with a panel for each value")
    slicing.add_slice(parser)
    parser.add_argument("--each", action="store_true", help="a panel for every curve of every output")
    parser.add_argument("--psi", action="store_true",
                        help="draw velocity ratios over friction times stiffness ratio: the "
                             "non-dimensional angles of incidence and rebound")
    parser.add_argument("--limit", metavar="FILE", help="a map of one curve over the same axis, "
                        "drawn dotted and named after its theory")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-lines.png")


def load_limit(options: argparse.Namespace, fields: list[str], roles: Roles) -> Family:
    """The curve of the second map, over the axis of the first one."""
    with contents.open_map(options.limit) as data:
        fields = choose_fields(data, fields)
        free = [str(dim) for dim in data["outcome"].dims if data.sizes[dim] > 1]
        if free != [roles["x"]]:
            raise InputError(f"{options.limit}: its only axis must be '{roles['x']}', "
                           f"it has: {', '.join(free) or 'none'}")
        limit = load_family(data, fields, {}, {"x": roles["x"], "curves": None, "panels": None},
                            options.psi)
        limit.title = str(data.attrs.get("theory", "limit"))
        return limit


def load_over(path: str, family_fields: list[str], roles: Roles, options: argparse.Namespace, notes: list[str],
              output: str | None = None) -> Family:
    """A second map as a family over the same axis, or the same output, with its curves and panels if it has any."""
    with contents.open_map(path) as data:
        dims = [str(dim) for dim in data["outcome"].dims]
        if output and output not in contents.real_fields(data):
            raise InputError(f"{path}: has no output '{output}'; it has: {', '.join(contents.real_fields(data))}")
        if output and roles["x"] not in dims:
            drawn = roles["curves"], roles["panels"]
            x = longest(data, [dim for dim in dims if dim not in drawn] or dims)
            roles = {role: None if name == x else name for role, name in roles.items()} | {"x": x}
        if roles["x"] not in data.dims:
            raise InputError(f"{path}: has no axis '{roles['x']}'; it has: {', '.join(dims)}")
        fields = [name for name in family_fields if name in contents.real_fields(data)]
        if not fields:
            raise InputError(f"{path}: has none of the outputs {', '.join(family_fields)}")
        chosen: dict[str, int] = {}
        free = {str(dim) for dim in data["outcome"].dims if data.sizes[dim] > 1}
        own = {role: name if name in free else None for role, name in roles.items()}
        for dim in free - set(own.values()):
            slicing.take_middle(data, dim, chosen, notes)
        second = load_family(data, fields, chosen, own, options.psi, output)
        second.path = path
        return second


def load(options: argparse.Namespace, notes: list[str]) -> tuple[Family, Family | None]:
    """The family, and the limiting curve if one is asked for."""
    return load_all(options, notes)[:2]


def load_all(options: argparse.Namespace, notes: list[str]) -> tuple[Family, Family | None, list[Family]]:
    asked = settings.now()
    with against.open_map(options.file, [*options.fields, options.x]) as data:
        settings.check_names(data, asked)
        fields = choose_fields(data, options.fields, notes)
        chosen = slicing.parse_slices(data, dims_of(data, fields), options.slices, notes)
        output = options.x if is_output(data, options.x) else None
        if output and data[output].dtype.kind != "f":
            raise InputError(f"--x: '{output}' is no real output; allowed: an axis, or one of "
                           f"{', '.join(contents.real_fields(data))}")
        if output and not set(data[output].dims) <= set(dims_of(data, fields)):
            raise InputError(f"--x: '{output}' has axes that {fields[0]} lacks; allowed: an output over some "
                           f"of {', '.join(dims_of(data, fields))}")
        roles = assign(data, fields, chosen, options, notes)
        family = load_family(data, fields, chosen, roles, options.psi, output)
        family.path = options.file
    if not output:
        slicing.note_log([family.x_axis], notes)
    for name, values in family.values.items():
        if family.log[name] and name not in asked.log:
            notes.append(f"'{name}' spans more than three decades and is drawn logarithmically")
    second = [load_over(path, list(family.values), roles, options, notes, output) for path in asked.over]
    return family, load_limit(options, fields, roles) if options.limit else None, second


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    if options.each:
        return make_each(options, notes)
    family, limit, over = load_all(options, notes)
    return draw(family, limit, over, measured_points.read_points(settings.now().points))


def make_each(options: argparse.Namespace, notes: list[str]) -> Figure:
    asked = settings.now()
    family, limit, over = load_all(options, notes)
    if limit or over or asked.points or len(family.panels) > 1:
        raise InputError("--each: a panel for each curve takes no --limit, --over, --points or --panels")
    return draw_each(family)
