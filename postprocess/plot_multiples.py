#!/usr/bin/python3
"""Draws small multiples from a map: one field over two axes, a panel for each value of a third axis,
all with one colour scale; several fields are rows of panels.

    plot_multiples.py FILE [-o PICTURE] [--field NAME ...] [--panels AXIS] [--one-scale]
                      [--center VALUE] [--slice AXIS=VALUE ...]

--center: values above and below it are red and blue, and it is white: 1 of a ratio, 0 of a loss.

The file may still be growing: cells to come are shown as pending.
Exit codes: 0 the picture is written, 2 bad input (one line on stderr, nothing written).
"""
import math
import os
import sys
from dataclasses import dataclass

import matplotlib
import numpy as np
import plot_map  # before other libraries: it opens files without a lock
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from plot_map import BadInput, DPI, STYLE, WIDTH, spaced

PROGRAM = "plot_multiples.py"
MOST_PANELS, MOST_FIELDS = 12, 6
PANEL, LEGEND_LINE = 2.1, 0.2  # inches of height
LEGEND_COLUMNS = 4


@dataclass
class Row:
    """The panels of one field. low, high, extend: its colour scale; a category has none."""
    pictures: list
    low: float = 0.0
    high: float = 1.0
    extend: str = "neither"
    colours: str = "viridis"

    @property
    def first(self):
        return self.pictures[0]

    @property
    def is_category(self):
        return plot_map.is_category(self.first)


# ------------------------------------------------------------------------------ what goes where

def choose_fields(data, wanted):
    fields = [plot_map.choose_field(data, name) for name in wanted or [None]]
    if len(fields) > MOST_FIELDS:
        raise BadInput(f"{len(fields)} fields are too many, at most {MOST_FIELDS} are drawn")
    if any(set(data[name].dims) != set(data[fields[0]].dims) for name in fields):
        raise BadInput("the fields have different axes")
    return fields


def free_axes(data, name, chosen):
    sizes = data[name].sizes
    return [str(dim) for dim in sizes if dim not in chosen and sizes[dim] > 1]


def choose_panels(data, name, wanted, chosen):
    """The axis whose values are panels: a choice if there is one, otherwise the shortest axis."""
    free = free_axes(data, name, chosen)
    if wanted and wanted not in free:
        raise BadInput(plot_map.unknown("free axis", wanted, free) if free else
                       f"no axis of '{name}' is left for panels")
    if not free:
        raise BadInput(f"nothing left to draw: no axis of '{name}' has more than one free point")
    choices = [dim for dim in free if plot_map.flags_of(plot_map.coordinate(data, dim))]
    panels = wanted or (choices or [min(free, key=lambda dim: data.sizes[dim])])[0]
    if data.sizes[panels] > MOST_PANELS:
        raise BadInput(f"axis '{panels}' has {data.sizes[panels]} points, at most {MOST_PANELS} "
                       f"panels are drawn; name another one with --panels, or slice")
    if len(free) < 3:
        raise BadInput(f"'{name}' has too few axes for panels: one is for them, two are drawn")
    return panels


def load_rows(data, fields, panels, chosen, notes):
    rows = []
    for name in fields:
        pictures = [plot_map.load_picture(data, name, {**chosen, panels: index}, notes)
                    for index in range(data.sizes[panels])]
        points = plot_map.coordinate(data, panels)
        for index, picture in enumerate(pictures):
            text = plot_map.describe_point(points, index)
            named = bool(plot_map.flags_of(points))
            picture.title = text if named else f"{spaced(panels)} = {text}"
        rows.append(Row(pictures))
    notes[:] = list(dict.fromkeys(notes))  # each panel says the same
    return rows


# --------------------------------------------------------------------------------- colour scale

def values_of(picture):
    """What a colour stands for; NaN where a class of cells is drawn."""
    index, _ = plot_map.classify(picture)
    return np.where(index < 0, plot_map.shown_values(picture), np.nan)


def set_scales(rows, one_scale, center):
    """One colour scale for each row, or for all of them; around the centre if there is one."""
    real = [row for row in rows if not row.is_category]
    for group in [real] if one_scale else [[row] for row in real]:
        values = np.concatenate([values_of(picture).ravel() for row in group
                                 for picture in row.pictures] or [np.array([])])
        if not np.isfinite(values).any():
            continue
        colours, low, high, extend = plot_map.scale_of(values)
        if center is not None:
            reach = max(abs(low - center), abs(high - center)) or 1.0
            colours, low, high = "RdBu_r", center - reach, center + reach
        for row in group:
            row.low, row.high, row.extend, row.colours = low, high, extend, colours


# -------------------------------------------------------------------------------------- drawing

def shape_of(rows):
    """Rows and columns of panels: several fields are rows, one field fills a block."""
    number = len(rows[0].pictures)
    if len(rows) > 1:
        return len(rows), number
    columns = number if number <= 3 else math.ceil(math.sqrt(number))
    return math.ceil(number / columns), columns


def draw(rows, title, one_scale=False):
    with matplotlib.rc_context(STYLE):
        height, width = shape_of(rows)
        entries = legend_entries(rows)
        lines = -(-len(entries) // LEGEND_COLUMNS)
        panels, below = PANEL * height + 0.5, LEGEND_LINE * lines + 0.1 * bool(lines)
        figure = Figure(figsize=(WIDTH if width < 4 else 1.3 * WIDTH, panels + below), dpi=DPI,
                        layout="constrained")
        # Without a legend its part is empty and has no height to speak of.
        top, bottom = figure.subfigures(2, 1, height_ratios=(panels, max(below, 0.01)))
        grid = top.subplots(height, width, sharex=True, sharey=True, squeeze=False)
        meshes = [draw_row(row, grid[number] if len(rows) > 1 else grid.ravel(), number == 0)
                  for number, row in enumerate(rows)]
        label_outside(rows, grid, one_scale)
        place_bars(top, rows, meshes, grid, one_scale)
        bottom.legend(handles=entries, loc="upper left", ncol=LEGEND_COLUMNS, frameon=False,
                      handleheight=1.2, borderaxespad=0)
        if title:
            top.suptitle(title, x=0.01, ha="left", fontsize=STYLE["axes.titlesize"])
        return figure


def legend_entries(rows):
    """One entry for each class of cells of any panel."""
    entries = {}
    for row in rows:
        for picture in row.pictures:
            for kind in plot_map.classify(picture)[1]:
                several = row.is_category and len(rows) > 1
                label = f"{spaced(picture.name)}: {kind.label}" if several else kind.label
                entries.setdefault(label, Patch(facecolor=kind.colour, hatch=kind.hatch,
                                                edgecolor="#505050", linewidth=0.5, label=label))
    return list(entries.values())


def draw_row(row, panels, titled):
    """Returns what a colour bar needs, None where there are classes only."""
    mesh = None
    for ax, picture in zip(panels, row.pictures):
        mesh = draw_panel(ax, picture, row) or mesh
        if titled:
            ax.set_title(picture.title, loc="left")
    for ax in panels[len(row.pictures):]:
        ax.set_axis_off()
    return mesh


def place_bars(figure, rows, meshes, grid, one_scale):
    """A bar beside each row; one beside all of them if they share their scale."""
    drawn = [place for place, mesh in enumerate(meshes) if mesh is not None]
    for place in drawn[:1] if one_scale else drawn:
        one_row = len(rows) > 1 and not one_scale
        bar = figure.colorbar(meshes[place], ax=list(grid[place] if one_row else grid.ravel()),
                              extend=rows[place].extend, pad=0.02, aspect=28)
        bar.minorticks_off()
        if len(drawn) == 1 or not one_scale:
            bar.set_label(spaced(rows[place].first.name) + bar_unit(rows[place].first))


def bar_unit(picture):
    unit = plot_map.unit_text(picture.variable)
    return f" ({unit})" if unit else ""


def draw_panel(ax, picture, row):
    """Returns what a colour bar needs, None where there are classes only."""
    index, kinds = plot_map.classify(picture)
    plot_map.draw_kinds(ax, picture.axes, index, kinds)
    values = values_of(picture)
    if row.is_category or not np.isfinite(values).any():
        return None
    return ax.pcolormesh(picture.axes[0].edges, picture.axes[1].edges,
                         np.ma.masked_invalid(values), cmap=row.colours, vmin=row.low,
                         vmax=row.high, rasterized=True)


def label_outside(rows, grid, one_scale):
    axes = rows[0].first.axes
    for ax in grid.ravel():
        plot_map.set_axes(ax, axes)
        ax.set_xlabel("")
        ax.set_ylabel("")
    for column in range(grid.shape[1]):
        shown = [ax for ax in grid[:, column] if ax.axison]
        if shown:
            shown[-1].tick_params(labelbottom=True)
            shown[-1].set_xlabel(short_label(axes[0]))
    for number, ax in enumerate(grid[:, 0]):
        named = len(rows) > 1 and (one_scale or rows[number].is_category)
        name = f"{spaced(rows[number].first.name)}\n" if named else ""
        ax.set_ylabel(name + short_label(axes[1]))


def short_label(axis):
    return f"{spaced(axis.name)} (deg)" if axis.degrees else spaced(axis.name)


# ---------------------------------------------------------------------------------- the command

def parse_arguments(arguments):
    parser = plot_map.Parser(prog=PROGRAM, description="Draws small multiples from a map file.")
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("-o", metavar="PICTURE", dest="output",
                        help="png, pdf or svg (default: FILE with its suffix replaced by "
                             "-multiples.png)")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output to draw, a row of panels for each (default: mode)")
    parser.add_argument("--panels", metavar="AXIS",
                        help="axis whose values are panels (default: a choice, else the shortest)")
    parser.add_argument("--one-scale", action="store_true",
                        help="one colour scale for all fields, not one for each")
    parser.add_argument("--center", metavar="VALUE", type=float,
                        help="colours part there, for instance 1 of a ratio")
    parser.add_argument("--slice", metavar="AXIS=VALUE", dest="slices", action="append",
                        default=[], help="take an axis at its point nearest to VALUE")
    return parser.parse_args(arguments)


def output_path(options):
    path = options.output or f"{os.path.splitext(options.file)[0]}-multiples.png"
    plot_map.check_picture(path)
    return path


def load(options, notes):
    """The rows to draw, and the title."""
    with plot_map.open_map(options.file) as data:
        fields = choose_fields(data, options.fields)
        chosen = plot_map.parse_slices(data, fields[0], options.slices, notes)
        panels = choose_panels(data, fields[0], options.panels, chosen)
        rows = load_rows(data, fields, panels, chosen, notes)
        drawn = [axis.name for axis in rows[0].first.axes]
        fixed = {dim: chosen.get(dim, data.sizes[dim] // 2) for dim in data[fields[0]].sizes
                 if dim not in drawn + [panels]}
        return rows, plot_map.title_of(data, fixed)


def main(arguments=None):
    notes = []  # said at the end, so that an error is one line
    try:
        options = parse_arguments(arguments)
        path = output_path(options)
        rows, title = load(options, notes)
        set_scales(rows, options.one_scale, options.center)
        plot_map.save(draw(rows, title, options.one_scale), path)
    except BadInput as reason:
        print(f"{PROGRAM}: error: {reason}", file=sys.stderr)
        return 2
    for note in notes:
        print(f"{PROGRAM}: note: {note}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
