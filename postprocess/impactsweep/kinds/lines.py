"""Draws families of curves from a map: real outputs over one axis, a curve for each value of a
second one, a column of panels for each value of a third, a row for each output.

Any dimension of an output can be any of them, be it an axis or the values of one cell. Roots of a
search belong to one curve, which has then several branches.
"""
import textwrap
from dataclasses import dataclass, field

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from .. import command, dimensions, files, labels, looks
from ..files import BadInput, SOLVED, coordinate, flags_of
from ..labels import spaced
from ..psi import is_psi, maw_scale, psi_label

MOST_CURVES, MOST_PANELS, MOST_ROWS = 9, 6, 3
ROW, MARGIN = 2.3, 0.9  # inches
THIN, THICK = 0.5, 1.4
VISIBLE = 1e-3       # share of its size by which an output must vary to be worth a panel
MOST_LOOKED_AT = 12  # outputs that are read to see this
LINE_LETTERS = 30    # of the label beside a panel
TITLE_LETTERS = 72   # over all the panels
LEGEND_LETTERS = 20
ROLES = ("panels", "curves", "x")


@dataclass
class Family:
    """What is drawn: values[field] is [branch][panel][curve][x], x is [panel][curve][x]."""
    x: np.ndarray
    values: dict
    labels: dict
    x_axis: dimensions.Axis
    x_label: str
    curves: list  # texts; "" for the only one
    curves_label: str
    curves_ordered: bool
    panels: list
    title: str
    thin: np.ndarray  # where some other of the fields is undefined
    thin_label: str
    uncurved: list = field(default_factory=list)  # fields that are the same for every curve


# ------------------------------------------------------------------------------ what goes where

def choose_fields(data, wanted, notes=None):
    """The real outputs to draw; without a wish the first ones, all over the same dimensions."""
    real = [name for name in files.real_fields(data) if all(
        dim in files.grid_of(data) or files.is_extra(data, dim) for dim in data[name].dims)]
    if not wanted:
        return first_fields(data, real, [] if notes is None else notes)
    for name in wanted:
        if name not in files.fields_of(data):
            raise BadInput(files.unknown("field", name, real))
        if name not in real:
            raise BadInput(f"field '{name}' is no real output over the axes; try plot_map.py")
    if len(wanted) > MOST_ROWS:
        raise BadInput(f"{len(wanted)} fields are too many, at most {MOST_ROWS} are drawn")
    return wanted


def first_fields(data, real, notes):
    """The first outputs over the same dimensions; those that are level lines tell nothing."""
    shown = [name for name in real if name not in files.BOOKKEEPING]
    if not shown:
        raise BadInput("the map has no real output to draw; try plot_map.py")
    level = [name for name in shown[:MOST_LOOKED_AT]
             if not files.varies(data, name, data[name].dims, VISIBLE)]
    telling = [name for name in shown if name not in level] or shown
    alike = [name for name in telling if data[name].dims == data[telling[0]].dims][:MOST_ROWS]
    left = [name for name in shown if name not in alike]
    if left:
        notes.append(f"not drawn: {', '.join(left)}; choose with --field NAME")
    return alike


def dims_of(data, fields):
    """All dimensions of the fields, in the order of the file."""
    return list(dict.fromkeys(str(dim) for name in fields for dim in data[name].dims))


def assign(data, fields, chosen, options, notes):
    """{role: dimension or None}; further dimensions are sliced at their middle, in `chosen`."""
    free = [dim for dim in dims_of(data, fields) if data.sizes[dim] > 1 and dim not in chosen]
    roles = {role: getattr(options, role) for role in ROLES}
    check_roles(roles, free)
    rest = [dim for dim in free if dim not in roles.values() and not files.is_branch(data, dim)]
    if roles["x"] is None:
        roles["x"] = longest(data, rest)
        rest.remove(roles["x"])
    for role, most in (("curves", MOST_CURVES), ("panels", MOST_PANELS)):
        fitting = [dim for dim in rest if data.sizes[dim] <= most]
        if roles[role] is None and fitting:
            roles[role] = fitting[-1]  # the fastest: panels are the outermost
            rest.remove(fitting[-1])
        if roles[role] and data.sizes[roles[role]] > most:
            raise BadInput(f"axis '{roles[role]}' has {data.sizes[roles[role]]} points, at most "
                           f"{most} are drawn as {role}")
    for dim in rest:
        dimensions.take_middle(data, dim, chosen, notes)
    return roles


def check_roles(roles, free):
    for role, dim in roles.items():
        if dim is not None and dim not in free:
            raise BadInput(files.unknown(f"axis for --{role}", dim, free))
    named = [dim for dim in roles.values() if dim]
    if len(set(named)) < len(named):
        raise BadInput("an axis can only be one of --x, --curves and --panels")


def longest(data, dims):
    """An axis of numbers if there is one; the fastest of equals."""
    numbers = [dim for dim in dims if not flags_of(coordinate(data, dim))]
    axes = [dim for dim in numbers if not files.is_extra(data, dim)]
    fitting = axes or numbers or dims
    if not fitting:
        raise BadInput("nothing left to draw: no axis has more than one free point")
    return max(reversed(fitting), key=lambda dim: data.sizes[dim])


# ------------------------------------------------------------------------------------- loading

def load_family(data, fields, chosen, roles, psi):
    axis = dimensions.make_axis(data, roles["x"])
    drawn = set(roles.values())
    part = data.isel({dim: chosen.get(dim, 0) for dim in dims_of(data, fields + ["outcome"] * (
        "outcome" in data)) if dim not in drawn and not is_whole(data, dim, chosen)})
    order = [roles[role] for role in ROLES]
    shape = [data.sizes[dim] if dim else 1 for dim in order]

    def spread(variable):
        return spread_over(variable, order, shape)[..., axis.order]

    solved = spread(part["outcome"]) == SOLVED if "outcome" in part else np.full(shape, True)
    values = {name: np.where(solved, [spread(one) for one in branches(
        data, field_values(part, name, psi), drawn)], np.nan) for name in fields}
    single = [found[0] for found in values.values() if len(found) == 1]
    thin = np.any([solved & ~np.isfinite(found) for found in single or [np.zeros(shape)]], axis=0)
    curves, panels = roles["curves"], roles["panels"]
    return Family(
        x=spread(axis_values(data, axis, psi, part)), values=values,
        labels={name: psi_label(name) if is_psi(name, psi) else labels.label_of(data[name])
                for name in fields},
        x_axis=axis, x_label=psi_label(axis.name) if is_psi(axis.name, psi) else axis.label,
        curves=texts_of(data, curves, labels.point_value) or [""],
        curves_label=curves_label(data, curves),
        curves_ordered=curves is not None and is_ordered(data, curves),
        panels=texts_of(data, panels, labels.point_text) or [""],
        title=labels.title_of(data, {dim: place for dim, place in chosen.items()
                                     if data.sizes[dim] > 1}),
        thin=thin, thin_label=modes_there(part, thin, spread, drawn),
        uncurved=[name for name in fields if curves and curves not in data[name].dims])


def is_whole(data, dim, chosen):
    """Branches are drawn all together, unless one is chosen."""
    return files.is_branch(data, dim) and dim not in chosen


def branches(data, variable, drawn):
    """The variables, one for each branch; one only where the branches have a role of their own."""
    for dim in variable.dims:
        if files.is_branch(data, dim) and variable.sizes[dim] > 1 and dim not in drawn:
            return [variable.isel({dim: number}) for number in range(variable.sizes[dim])]
    return [variable]


def spread_over(variable, order, shape):
    """A variable over the three roles, whichever of them it has, as an array of that shape."""
    loaded = files.load(variable)
    present = [dim for dim in order if dim in loaded.dims]
    sizes = [size if dim in loaded.dims else 1 for dim, size in zip(order, shape)]
    return np.broadcast_to(loaded.squeeze([dim for dim in loaded.dims if dim not in present])
                           .transpose(*present).values.reshape(sizes), shape)


def modes_there(part, mask, spread, drawn):
    """Names of the modes of the cells in a mask."""
    if "mode" not in part or not mask.any():
        return ""
    mode = branches(part, part["mode"], drawn)[0]
    codes = np.unique(spread(mode)[mask]).tolist()
    names = flags_of(part["mode"])
    return ", ".join(spaced(names.get(code, f"mode {code}")) for code in codes)


def is_ordered(data, dim):
    return not (flags_of(coordinate(data, dim)) or files.columns_of(data, dim))


def texts_of(data, dim, text_of):
    return [text_of(data, dim, index) for index in range(data.sizes[dim])] if dim else []


def curves_label(data, dim):
    if dim is None or files.columns_of(data, dim):
        return spaced(dim or "")
    return labels.label_of(coordinate(data, dim))


def axis_values(data, axis, psi, part):
    if not axis.joined:
        return xr.DataArray(axis.values.astype(float), dims=[axis.name])
    points = part[axis.name] if axis.name in part else coordinate(data, axis.name)
    if is_psi(axis.name, psi):
        return points / maw_scale(part)
    return labels.shown(points, points.astype(float))


def field_values(part, name, psi):
    if is_psi(name, psi):
        return part[name] / maw_scale(part)
    return labels.shown(part[name], part[name])


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(family, limit=None):
    rows, columns = len(family.values), len(family.panels)
    figure = Figure(figsize=(looks.WIDTH, MARGIN + ROW * rows), dpi=looks.DPI,
                    layout="constrained")
    axes = figure.subplots(rows, columns, sharex=True, sharey="row", squeeze=False)
    for row, name in enumerate(family.values):
        for column, ax in enumerate(axes[row]):
            draw_panel(ax, family, name, column)
        if spans_decades(family.values[name]):
            axes[row, 0].set_yscale("log")
        axes[row, 0].set_ylabel(textwrap.fill(family.labels[name], LINE_LETTERS))
    for column, text in enumerate(family.panels):
        axes[0, column].set_title(textwrap.fill(text, TITLE_LETTERS // columns))
    if limit:
        draw_limit(axes, limit)
    set_x(axes, family)
    figure.supxlabel(textwrap.fill(family.x_label, labels.TITLE_WIDTH),
                     fontsize=looks.STYLE["font.size"])
    if family.title:
        figure.suptitle(family.title, fontsize=looks.STYLE["axes.titlesize"], x=0.01, ha="left")
    draw_legend(axes[0, -1], family, limit)
    return figure


def draw_panel(ax, family, name, panel):
    for branch in family.values[name]:
        if name in family.uncurved:
            draw_curve(ax, family, (panel, 0), branch[panel, 0], (looks.BLACK, "-"))
            continue
        for curve in range(len(family.curves)):
            draw_curve(ax, family, (panel, curve), branch[panel, curve], look_of(family, curve))
    looks.draw_grid(ax)


def draw_curve(ax, family, place, y, look):
    x, (colour, dash) = family.x[place], look
    if not family.x_axis.joined:
        ax.plot(x, y, "o", color=colour, markersize=4 if len(x) <= 60 else 2)
        return
    thin = family.thin[place]
    ax.plot(x, np.where(thin, np.nan, y), color=colour, linestyle=dash, linewidth=THICK)
    meets = thin | has_neighbour(thin)  # so that it joins the thick part
    ax.plot(x, np.where(meets, y, np.nan), color=colour, linewidth=THIN)
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
    if number == 1:
        return looks.BLUE, looks.DASHES[0]
    dash = looks.DASHES[curve % len(looks.DASHES)]
    if not family.curves_ordered:
        return looks.OPTION_COLOURS[curve % len(looks.OPTION_COLOURS)], dash
    return matplotlib.colormaps[looks.SEQUENTIAL](0.83 * curve / (number - 1)), dash


def spans_decades(values):
    """Positive values over three decades, and not just a dip, are not seen on a linear axis."""
    finite = values[np.isfinite(values)]
    if finite.size == 0 or finite.min() <= 0:
        return False
    low, high = np.percentile(finite, (5, 95))
    return finite.max() > 1e3 * finite.min() and high > 1e2 * low


def draw_limit(axes, limit):
    """The only curve of another map, in every panel."""
    for row, name in enumerate(limit.values):
        for ax in axes[row]:
            for values in limit.values[name]:
                ax.plot(limit.x[0, 0], values[0, 0], color=looks.BLACK, linestyle=(0, (1, 1)),
                        linewidth=1.2)


def set_x(axes, family):
    """The horizontal axis, which all panels share; fewer ticks where they are narrow."""
    ax, axis, finite = axes[-1, 0], family.x_axis, family.x[np.isfinite(family.x)]
    most_ticks = max(3, min(9, 12 // axes.shape[1]))
    looks.set_axis(ax.xaxis, axis, ax.set_xscale, ax.set_xlim, most_ticks)
    if not axis.joined:
        if axis.options and sum(map(len, axis.options)) > TITLE_LETTERS // axes.shape[1]:
            for one in axes[-1]:
                one.tick_params(axis="x", labelrotation=90)
        return
    low, high = finite.min(), finite.max()
    if axis.degrees and not axis.log:
        low, high = (looks.snap(end, 5, (high - low) / 200) for end in (low, high))
    if not axis.log and not axis.degrees:
        ax.xaxis.set_major_locator(MaxNLocator(most_ticks, steps=[1, 2, 2.5, 5, 10]))
    ax.set_xlim(low, high)


def draw_legend(ax, family, limit):
    """Names what is drawn, beside the last panel."""
    handles = [curve_entry(family, curve) for curve in drawn_curves(family)]
    if len(family.curves) == 1:
        handles = []
    title = family.curves_label if handles else ""
    if limit:
        handles.append(Line2D([], [], color=looks.BLACK, linestyle=(0, (1, 1)), linewidth=1.2,
                              label=limit.title))
    if family.thin_label and any(np.isfinite(found[:, family.thin]).any()
                                 for found in family.values.values()):
        handles.append(Line2D([], [], color="#404040", linewidth=THIN,
                              label=textwrap.fill(family.thin_label, LEGEND_LETTERS)))
    if handles:
        ax.legend(handles=handles, title=textwrap.fill(title, LEGEND_LETTERS), loc="upper left",
                  bbox_to_anchor=(1.03, 1.0), borderaxespad=0, frameon=False, alignment="left")


def drawn_curves(family):
    """Numbers of the curves of which there is a point."""
    own = [found for name, found in family.values.items() if name not in family.uncurved]
    return [curve for curve in range(len(family.curves))
            if any(np.isfinite(found[:, :, curve]).any() for found in own)]


def curve_entry(family, curve):
    colour, dash = look_of(family, curve)
    look = {"linestyle": dash, "linewidth": THICK} if family.x_axis.joined else {
        "linestyle": "", "marker": "o", "markersize": 4}
    return Line2D([], [], color=colour, label=textwrap.fill(family.curves[curve], LEGEND_LETTERS),
                  **look)


# ---------------------------------------------------------------------------------- the command

def add_options(parser):
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output to draw, may be repeated (default: the first three real ones)")
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the longest)")
    parser.add_argument("--curves", metavar="AXIS", help="axis with a curve for each value")
    parser.add_argument("--panels", metavar="AXIS", help="axis with a panel for each value")
    dimensions.add_slice(parser)
    parser.add_argument("--psi", action="store_true",
                        help="draw velocity ratios over friction times stiffness ratio: the "
                             "non-dimensional angles of incidence and rebound")
    parser.add_argument("--limit", metavar="FILE", help="a map of one curve over the same axis, "
                        "drawn dotted and named after its theory")


def default_output(options):
    return command.beside(options.file, "-lines.png")


def load_limit(options, fields, roles):
    """The curve of the second map, over the axis of the first one."""
    with files.open_map(options.limit) as data:
        fields = choose_fields(data, fields)
        free = [dim for dim in data["outcome"].dims if data.sizes[dim] > 1]
        if free != [roles["x"]]:
            raise BadInput(f"{options.limit}: its only axis must be '{roles['x']}', "
                           f"it has: {', '.join(free) or 'none'}")
        limit = load_family(data, fields, {}, {"x": roles["x"], "curves": None, "panels": None},
                            options.psi)
        limit.title = str(data.attrs.get("theory", "limit"))
        return limit


def load(options, notes):
    """The family, and the limiting curve if one is asked for."""
    with files.open_map(options.file) as data:
        fields = choose_fields(data, options.fields, notes)
        chosen = dimensions.parse_slices(data, dims_of(data, fields), options.slices, notes)
        roles = assign(data, fields, chosen, options, notes)
        family = load_family(data, fields, chosen, roles, options.psi)
    dimensions.note_log([family.x_axis], notes)
    for name, values in family.values.items():
        if spans_decades(values):
            notes.append(f"'{name}' spans more than three decades and is drawn logarithmically")
    return family, load_limit(options, fields, roles) if options.limit else None


def make(options, notes):
    return draw(*load(options, notes))
