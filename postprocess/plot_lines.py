#!/usr/bin/python3
"""Draws families of curves from a map: real outputs over one axis, a curve for each value of a second
one, a column of panels for each value of a third, a row for each output.

    plot_lines.py FILE [-o PICTURE] [--field NAME ...] [--x AXIS] [--curves AXIS] [--panels AXIS]
                  [--slice AXIS=VALUE ...] [--psi] [--limit FILE]

Where an output has several values in a cell, such as the roots of a search, all of them are drawn.

The file may still be growing: cells that are not solved are gaps.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import os
import sys
import textwrap
from dataclasses import dataclass

import matplotlib
import numpy as np
import plot_map  # before xarray: it opens files without a lock
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from plot_map import BadInput, PALETTE, SOLVED, STYLE, WIDTH, spaced

PROGRAM = "plot_lines.py"
MOST_CURVES, MOST_PANELS, MOST_ROWS = 9, 6, 3
ROW = 2.3  # inches
DASHES = ("-", (0, (5, 1.2)), (0, (1.6, 0.9)), (0, (5, 1.2, 1.2, 1.2)))
OPTION_COLOURS = (PALETTE[1], PALETTE[7], "#000000", PALETTE[3], PALETTE[0], PALETTE[6])


@dataclass
class Family:
    """What is drawn: values[field] is [number][panel][curve][x], where the number tells the values
    of one cell apart; x is [panel][curve][x]."""
    x: np.ndarray
    values: dict
    labels: dict
    x_axis: plot_map.Axis
    x_label: str
    curves: list  # texts; "" for the only one
    curves_label: str
    curves_ordered: bool
    panels: list
    title: str
    thin: np.ndarray  # where some other of the fields is undefined
    thin_label: str


# ------------------------------------------------------------------------------ what goes where

def choose_fields(data, wanted):
    real = [name for name in plot_map.fields_of(data)
            if data[name].dtype.kind == "f" and all(
                dim in grid_of(data) or plot_map.is_numbering(data, dim)
                for dim in data[name].dims)]
    if not wanted:
        shown = [name for name in real if name != "residual"][:MOST_ROWS]
        if not shown:
            raise BadInput("the map has no real output to draw; try plot_map.py")
        return shown
    for name in wanted:
        if name not in plot_map.fields_of(data):
            raise BadInput(plot_map.unknown("field", name, real))
        if name not in real:
            raise BadInput(f"field '{name}' is no real output over the axes; try plot_map.py")
    if len(wanted) > MOST_ROWS:
        raise BadInput(f"{len(wanted)} fields are too many, at most {MOST_ROWS} are drawn")
    return wanted


def grid_of(data):
    return set(data["outcome"].dims if "outcome" in data else data.sizes)


def assign(data, name, chosen, options, notes):
    """{role: axis or None} for x, curves, panels; further axes are sliced at their middle."""
    free = [str(dim) for dim in data[name].dims if data.sizes[dim] > 1 and dim not in chosen
            and not plot_map.is_numbering(data, dim)]
    roles = {"x": options.x, "curves": options.curves, "panels": options.panels}
    for role, axis in roles.items():
        if axis is not None and axis not in free:
            raise BadInput(plot_map.unknown(f"axis for --{role}", axis, free))
    if len({axis for axis in roles.values() if axis}) < sum(axis is not None
                                                            for axis in roles.values()):
        raise BadInput("an axis can only be one of --x, --curves and --panels")
    rest = [axis for axis in free if axis not in roles.values()]
    if roles["x"] is None:
        numbers = [axis for axis in rest if not plot_map.flags_of(coordinate(data, axis))] or rest
        if not numbers:
            raise BadInput("nothing left to draw: no axis has more than one free point")
        roles["x"] = max(reversed(numbers), key=lambda axis: data.sizes[axis])
        rest.remove(roles["x"])
    for role, most in (("curves", MOST_CURVES), ("panels", MOST_PANELS)):
        fitting = [axis for axis in rest if data.sizes[axis] <= most]
        if roles[role] is None and fitting:
            roles[role] = fitting[-1]  # the fastest: panels are the outermost
            rest.remove(fitting[-1])
        if roles[role] and data.sizes[roles[role]] > most:
            raise BadInput(f"axis '{roles[role]}' has {data.sizes[roles[role]]} points, at most "
                           f"{most} are drawn as {role}")
    for axis in rest:
        chosen[axis] = data.sizes[axis] // 2
        at = plot_map.describe_point(coordinate(data, axis), chosen[axis])
        notes.append(f"axis '{axis}' is taken at its middle, {at}; "
                     f"choose with --slice {axis}=VALUE")
    return roles


def coordinate(data, axis):
    return plot_map.coordinate(data, axis)


# ------------------------------------------------------------------------------------- loading

def load(data, fields, chosen, roles, psi):
    axis = plot_map.make_axis(coordinate(data, roles["x"]))
    where = {dim: chosen.get(dim, 0) for dim in data["outcome"].dims
             if dim not in roles.values()} if "outcome" in data else dict(chosen)
    part = data.isel(where)
    order = [roles[role] for role in ("panels", "curves", "x")]
    shape = [data.sizes[dim] if dim else 1 for dim in order]
    x, values, labels = spread(axis_values(data, axis, psi, part), order, shape), {}, {}
    solved = np.full(shape, True)
    if "outcome" in data:
        solved = (spread(part["outcome"], order, shape) == SOLVED)[..., axis.order]
    for name in fields:
        found = [spread(one, order, shape)[..., axis.order]
                 for one in numbered(data, field_values(part, name, psi))]
        values[name] = np.where(solved, found, np.nan)
        labels[name] = psi_label(name) if is_psi(name, psi) else plot_map.label_of(data[name])
    single = [found[0] for found in values.values() if len(found) == 1]
    thin = np.any([solved & ~np.isfinite(found) for found in single or [np.zeros(shape)]], axis=0)
    curves = texts_of(data, roles["curves"])
    ordered = roles["curves"] is not None and not plot_map.flags_of(
        coordinate(data, roles["curves"]))
    x_label = psi_label(axis.name) if is_psi(axis.name, psi) else axis.label
    return Family(x[..., axis.order], values, labels, axis, x_label, curves or [""],
                  plot_map.label_of(coordinate(data, roles["curves"])) if curves else "",
                  ordered, panel_titles(data, roles["panels"]) or [""],
                  plot_map.title_of(data, {dim: place for dim, place in chosen.items()
                                           if dim in data.sizes and data.sizes[dim] > 1}),
                  thin, modes_there(part, thin, order, shape, axis))


def numbered(data, variable):
    """The variables, one for each number along a dimension that counts the values of a cell."""
    for dim in variable.dims:
        if plot_map.is_numbering(data, dim):
            return [variable.isel({dim: number}) for number in range(variable.sizes[dim])]
    return [variable]


def spread(variable, order, shape):
    """A variable over the three roles, whichever of them it has, as an array of that shape."""
    try:
        loaded = variable.load()
    except Exception as reason:  # a damaged file; libraries raise many kinds
        raise BadInput(f"cannot read '{variable.name}' "
                       f"({plot_map.first_line(reason)})") from None
    present = [dim for dim in order if dim in loaded.dims]
    sizes = [size if dim in loaded.dims else 1 for dim, size in zip(order, shape)]
    return np.broadcast_to(loaded.transpose(*present).values.reshape(sizes), shape)


def modes_there(part, mask, order, shape, axis):
    """Names of the modes of the cells in a mask."""
    if "mode" not in part or not mask.any():
        return ""
    codes = np.unique(spread(part["mode"], order, shape)[..., axis.order][mask]).tolist()
    names = plot_map.flags_of(part["mode"])
    return ", ".join(spaced(names.get(code, f"mode {code}")) for code in codes)


def texts_of(data, axis):
    if axis is None:
        return []
    points = coordinate(data, axis)
    return [plot_map.describe_point(points, index).replace(" deg", "°")
            for index in range(points.size)]


def panel_titles(data, axis):
    return [f"{spaced(axis)} {text}" for text in texts_of(data, axis)]


def axis_values(data, axis, psi, part):
    points = part[axis.name] if axis.name in part else coordinate(data, axis.name)
    if axis.options:
        return xr.DataArray(np.arange(points.size, dtype=float), dims=[axis.name])
    if is_psi(axis.name, psi):
        return points / maw_scale(part)
    return np.degrees(points) if axis.degrees else points.astype(float)


def field_values(part, name, psi):
    if is_psi(name, psi):
        return part[name] / maw_scale(part)
    return np.degrees(part[name]) if plot_map.is_angle(part[name]) else part[name]


# --------------------------------------------------------------- Maw's non-dimensional angles

PSI = {"velocity_ratio": "ψ₁ = velocity ratio / (friction · stiffness ratio)",
       "velocity_ratio_out": "ψ₂ = velocity ratio out / (friction · stiffness ratio)"}


def is_psi(name, psi):
    return psi and name in PSI


def psi_label(name):
    return PSI[name]


def maw_scale(part):
    """friction times stiffness ratio; the latter may be given by Poisson's ratio."""
    if "friction" not in part.variables:
        raise BadInput("--psi needs the friction of the map")
    if "stiffness_ratio" in part.variables:
        return part["friction"] * part["stiffness_ratio"]
    if "poisson_ratio" not in part.variables:
        raise BadInput("--psi needs the stiffness_ratio or poisson_ratio of the map")
    return part["friction"] * (2 - part["poisson_ratio"]) / (2 - 2 * part["poisson_ratio"])


# ------------------------------------------------------------------------------------- drawing

def draw(family, limit=None):
    with matplotlib.rc_context(STYLE):
        rows, columns = len(family.values), len(family.panels)
        figure = Figure(figsize=(WIDTH, 0.9 + ROW * rows), dpi=plot_map.DPI, layout="constrained")
        axes = figure.subplots(rows, columns, sharex=True, sharey="row", squeeze=False)
        for row, name in enumerate(family.values):
            for column, ax in enumerate(axes[row]):
                draw_panel(ax, family, name, column)
            if spans_decades(family.values[name]):
                axes[row, 0].set_yscale("log")
            axes[row, 0].set_ylabel(textwrap.fill(family.labels[name], 34))
        for column, text in enumerate(family.panels):
            axes[0, column].set_title(text)
        if limit:
            draw_limit(axes, limit)
        set_x(axes[-1, 0], family)
        figure.supxlabel(family.x_label, fontsize=9)
        if family.title:
            figure.suptitle(textwrap.fill(family.title, 95), fontsize=9, x=0.01, ha="left")
        if len(family.curves) > 1 or limit:
            handles = axes[0, -1].get_legend_handles_labels()[0]
            if family.thin_label:
                handles.append(Line2D([], [], color="#404040", linewidth=0.5,
                                      label=textwrap.fill(family.thin_label, 20)))
            axes[0, -1].legend(handles=handles, title=textwrap.fill(family.curves_label, 20), loc="upper left",
                               bbox_to_anchor=(1.03, 1.0), borderaxespad=0, frameon=False,
                               alignment="left")
        return figure


def draw_panel(ax, family, name, panel):
    for curve, text in enumerate(family.curves):
        for number, values in enumerate(family.values[name]):
            draw_curve(ax, family, (panel, curve), values[panel, curve],
                       text if number == 0 else None)
    ax.grid(True, color="#E5E5E5", linewidth=0.5)
    ax.set_axisbelow(True)


def draw_curve(ax, family, place, y, text):
    x = family.x[place]
    colour, dash = look_of(family, place[1])
    if family.x_axis.options:
        ax.plot(x, y, "o", color=colour, markersize=4, label=text)
        return
    thin = family.thin[place]
    ax.plot(x, np.where(thin, np.nan, y), color=colour, linestyle=dash, linewidth=1.4,
            label=text)
    meets = thin | has_neighbour(thin)  # so that it joins the thick part
    ax.plot(x, np.where(meets, y, np.nan), color=colour, linewidth=0.5)
    alone = np.isfinite(y) & ~has_neighbour(np.isfinite(y))
    if alone.any():
        ax.plot(x[alone], y[alone], "o", color=colour, markersize=2.5)


def has_neighbour(mask):
    """Where the place before or after is in the mask."""
    wide = np.concatenate([[False], mask, [False]])
    return wide[:-2] | wide[2:]


def look_of(family, curve):
    """Values in order take colours in order, dark to light; options take colours that differ."""
    number = len(family.curves)
    if not family.curves_ordered:
        return OPTION_COLOURS[curve % len(OPTION_COLOURS)], DASHES[curve % len(DASHES)]
    if number == 1:
        return PALETTE[1], DASHES[0]
    colour = matplotlib.colormaps["viridis"](0.83 * curve / (number - 1))
    return colour, DASHES[curve % len(DASHES)]


def spans_decades(values):
    """Positive values over three decades are not seen on a linear axis."""
    finite = values[np.isfinite(values)]
    return finite.size > 0 and finite.min() > 0 and finite.max() > 1e3 * finite.min()


def draw_limit(axes, limit):
    """The only curve of another map, in every panel."""
    for row, name in enumerate(limit.values):
        for ax in axes[row]:
            for number, values in enumerate(limit.values[name]):
                ax.plot(limit.x[0, 0], values[0, 0], color="black", linestyle=(0, (1, 1)),
                        linewidth=1.2, label=limit.title if number == 0 else None)


def set_x(ax, family):
    axis, finite = family.x_axis, family.x[np.isfinite(family.x)]
    plot_map.set_axis(ax.xaxis, axis, ax.set_xscale, ax.set_xlim, lambda text: None)
    if not axis.options:
        low, high = finite.min(), finite.max()
        if axis.degrees and not axis.log:
            low, high = (plot_map.snap(end, 5, (high - low) / 200) for end in (low, high))
        ax.set_xlim(low, high)


# ---------------------------------------------------------------------------------- the command

def parse_arguments(arguments):
    parser = plot_map.Parser(prog=PROGRAM, description="Draws families of curves from a map.")
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("-o", metavar="PICTURE", dest="output",
                        help="png, pdf or svg (default: FILE with its suffix replaced by "
                             "-lines.png)")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output to draw, may be repeated (default: the first three real ones)")
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the longest)")
    parser.add_argument("--curves", metavar="AXIS", help="axis with a curve for each value")
    parser.add_argument("--panels", metavar="AXIS", help="axis with a panel for each value")
    parser.add_argument("--slice", metavar="AXIS=VALUE", dest="slices", action="append",
                        default=[], help="take an axis at its point nearest to VALUE")
    parser.add_argument("--psi", action="store_true",
                        help="draw velocity ratios over friction times stiffness ratio: the "
                             "non-dimensional angles of incidence and rebound")
    parser.add_argument("--limit", metavar="FILE", help="a map of one curve over the same axis, "
                        "drawn dotted and named after its theory")
    options = parser.parse_args(arguments)
    options.output = options.output or f"{os.path.splitext(options.file)[0]}-lines.png"
    return options


def load_limit(options, fields, roles):
    """The curve of the second map, over the axis of the first one."""
    with plot_map.open_map(options.limit) as data:
        fields = choose_fields(data, fields)
        free = [dim for dim in data["outcome"].dims if data.sizes[dim] > 1]
        if free != [roles["x"]]:
            raise BadInput(f"{options.limit}: its only axis must be '{roles['x']}', "
                           f"it has: {', '.join(free) or 'none'}")
        limit = load(data, fields, {}, {"x": roles["x"], "curves": None, "panels": None},
                     options.psi)
        limit.title = str(data.attrs.get("theory", "limit"))
        return limit


def main(arguments=None):
    notes = []  # said at the end, so that an error is one line
    try:
        options = parse_arguments(arguments)
        with plot_map.open_map(options.file) as data:
            fields = choose_fields(data, options.fields)
            plot_map.check_picture(options.output)
            chosen = plot_map.parse_slices(data, fields[0], options.slices, notes)
            roles = assign(data, fields[0], chosen, options, notes)
            family = load(data, fields, chosen, roles, options.psi)
        limit = load_limit(options, fields, roles) if options.limit else None
        plot_map.save(draw(family, limit), options.output)
    except BadInput as reason:
        print(f"{PROGRAM}: error: {reason}", file=sys.stderr)
        return 2
    for note in notes:
        print(f"{PROGRAM}: note: {note}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
