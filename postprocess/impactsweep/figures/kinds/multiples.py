"""Draws small multiples from a map: one field over two axes, a panel for each value of a third axis,
all with one colour scale; several fields are rows of panels.
"""
from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import matplotlib
import numpy as np
import xarray as xr
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure

from ...errors import InputError
from ...maps import contents, refined
from ...maps.contents import coordinate, flags_of
from ...maps.planes import Picture
from ...maps.typed import masked_invalid
from ...values import Array
from .. import against, cells, labels, layout, looks, regions, settings, slicing
from ..labels import spaced
from ..layout import Sheet
from ..survey import PANELS, Claim, Survey, named
from ..wrapping import wrapped
from . import map as plane

MOST_PANELS, MOST_FIELDS = 12, 6
HEIGHTS = {"one": 1.2, "two": 1.75}  # inches, of a frame
USES = settings.SCALES | {"minus", "ratio_to", "cmap", "center", "levels", "solved_points"}


@dataclass
class Row:
    """The panels of one field; a category has no scale."""
    pictures: list[Picture]
    scale: looks.Scale | None = None
    level: dict[int, float] = field(default_factory=dict)  # {panel that shows one value: this value}

    @property
    def first(self) -> Picture:
        return self.pictures[0]

    @property
    def is_category(self) -> bool:
        return self.first.is_category


# ------------------------------------------------------------------------------ what goes where

def choose_fields(data: xr.Dataset, wanted: list[str]) -> list[str]:
    fields = [contents.choose_field(data, name) for name in wanted or (None,)]
    if len(fields) > MOST_FIELDS:
        raise InputError(f"{len(fields)} fields are too many, at most {MOST_FIELDS} are drawn")
    if any(set(data[name].dims) != set(data[fields[0]].dims) for name in fields):
        raise InputError("the fields have different axes: " + "; ".join(
            f"{name} has {', '.join(map(str, data[name].dims))}" for name in fields))
    return fields


def choose_panels(data: xr.Dataset, name: str, wanted: str | None, chosen: dict[str, int]) -> str:
    """The axis whose values are panels: a choice if there is one, otherwise the shortest axis."""
    sizes = data[name].sizes
    free = [str(dim) for dim in sizes if dim not in chosen and sizes[dim] > 1]
    if wanted and wanted not in free:
        raise InputError(contents.unknown("free axis", wanted, free) if free else
                       f"no axis of '{name}' is left for panels")
    if not free:
        raise InputError(f"nothing left to draw: no axis of '{name}' has more than one free point")
    axes = [dim for dim in free if not contents.is_extra(data, dim)]
    choices = [dim for dim in axes if flags_of(coordinate(data, dim))]
    others = axes if len(axes) > 2 else free
    panels = wanted or (choices or [min(others, key=lambda dim: data.sizes[dim])])[0]
    if data.sizes[panels] > MOST_PANELS:
        raise InputError(f"axis '{panels}' has {data.sizes[panels]} points, at most {MOST_PANELS} "
                       f"panels are drawn; name another one with --panels, or slice")
    if len(free) < 3:
        raise InputError(f"'{name}' has too few axes: small multiples need two free axes besides that of the "
                       "panels")
    return panels


def load_rows(data: xr.Dataset, fields: list[str], panels: str, chosen: dict[str, int], notes: list[str],
              wanted: plane.Sides = (None, None)) -> list[Row]:
    rows = []
    for name in fields:
        pictures = [plane.load_picture(data, name, {**chosen, panels: index}, notes, wanted)
                    for index in range(data.sizes[panels])]
        named = bool(flags_of(coordinate(data, panels)))
        for index, picture in enumerate(pictures):
            text_of = labels.point_value if named else labels.point_text
            picture.title = text_of(data, panels, index)
        rows.append(Row(pictures))
    return rows


# --------------------------------------------------------------------------------- empty panels

def find_level(rows: list[Row], notes: list[str]) -> None:
    """Finds panels of one colour, such as the ratio that a law keeps at 1, beside others that show more."""
    for row in rows if not any(row.is_category for row in rows) else []:
        found = {number: value for number, picture in enumerate(row.pictures)
                 if (value := level_of(picture)) is not None}
        row.level = found if len(found) < len(row.pictures) else {}
        for number, value in row.level.items():
            notes.append(f"left out: {level_text(row, number, value)}")


def level_of(picture: Picture) -> float | None:
    """The only value of a panel; None if it has more, or classes."""
    values = values_of(picture)
    finite = values[np.isfinite(values)]
    if finite.size < values.size or looks.level_limits(finite.min(), finite.max()) is None:
        return None
    return float(np.median(finite))


def level_text(row: Row, number: int, value: float) -> str:
    name = labels.words_of(row.first.variable)
    return f"{row.pictures[number].title}: {name} is {labels.number_text(float(f'{value:.6g}'))} everywhere"


def level_caption(rows: list[Row]) -> str:
    return "; ".join(level_text(row, number, value) for row in rows for number, value in row.level.items())


# --------------------------------------------------------------------------------- colour scale

def values_of(picture: Picture) -> Array:
    """The values that colours show; NaN in cells that are drawn as a class."""
    index, _ = plane.classify(picture)
    return np.where(index < 0, plane.shown_values(picture), np.nan)


def set_scales(rows: list[Row], one_scale: bool, center: float | None) -> None:
    """One colour scale for each row, or for all of them; around the centre if there is one."""
    real = [row for row in rows if not row.is_category]
    for group in [real] if one_scale else [[row] for row in real]:
        values = np.concatenate([values_of(picture).ravel() for row in group
                                 for picture in row.pictures] or [np.array([])])
        if np.isfinite(values).any():
            names = {row.first.name for row in group}
            scale = looks.scale_of(values, center, shared_name(names),
                                   all(looks.is_ratio(row.first.name) for row in group))
            for row in group:
                row.scale = scale


def shared_name(names: Iterable[str]) -> str:
    """A name under which the options of all fields with one scale are found."""
    asked, names = settings.now(), sorted(names)
    for option, different in (("limits", len({asked.limits.get(name) for name in names})),
                              ("log", len({name in asked.log for name in names}))):
        if different > 1:
            raise InputError(f"--one-scale: {named(names)} need the same --{option}")
    return names[0]


# -------------------------------------------------------------------------------------- drawing

def shape_of(rows: list[Row], blended: bool) -> tuple[int, int]:
    """Rows and columns of panels: several fields are rows, one field fills a block, and so do fields without their
    empty panels."""
    if len(rows) > 1 and not blended:
        return len(rows), len(rows[0].pictures)
    return layout.block(sum(len(row.pictures) - len(row.level) for row in rows))


def is_blended(rows: list[Row], one_scale: bool) -> bool:
    """Whether the panels of all fields fill one block, because some are left out and one bar serves all."""
    return any(row.level for row in rows) and (one_scale or len(rows) == 1)


def shown(row: Row) -> list[Picture]:
    return [picture for number, picture in enumerate(row.pictures) if number not in row.level]


@looks.styled
def draw(rows: list[Row], title: str, one_scale: bool = False) -> Figure:
    blended = is_blended(rows, one_scale)
    height, width = shape_of(rows, blended)
    figure, asked = layout.new_figure(), settings.now()
    grid = figure.subplots(height, width, sharex=True, sharey=True, squeeze=False)
    wide = (asked.width - 1.4) / width
    if blended:
        meshes = draw_blended(rows, list(grid.ravel()), wide)
    else:
        meshes = [draw_row(row, grid[number] if len(rows) > 1 else grid.ravel(), number == 0,
                           wide) for number, row in enumerate(rows)]
    label_outside(rows, grid, one_scale and not blended, wide, len(rows) > 1 and not blended)
    sheet = layout.Sheet(figure, grid, HEIGHTS[asked.size])
    place_bars(sheet, rows, meshes, one_scale)
    entries = legend_entries(rows)
    if entries:
        sheet.legends.append(layout.legend_under(grid[0, 0], entries, handleheight=1.1))
    small = [refined.caption([picture.found for picture in rows[0].pictures]) or rows[0].first.remark,
             level_caption(rows)]
    layout.add_caption(sheet, "; ".join(text for text in small if text))
    if title:
        figure.suptitle(title)
    return layout.fit(sheet)


def kinds_of(rows: list[Row]) -> dict[str, looks.Kind]:
    """{label: class} of the cells of all panels."""
    kinds: dict[str, looks.Kind] = {}
    for row in rows:
        several = row.is_category and len(rows) > 1
        for kind in (kind for picture in row.pictures for kind in plane.classify(picture)[1]):
            label = f"{spaced(row.first.name)}: {kind.label}" if several else kind.label
            kinds.setdefault(label, kind)
    return kinds


def legend_entries(rows: list[Row]) -> list[Artist]:
    """One entry for each class of cells of any panel."""
    return [plane.entry_of(kind, label) for label, kind in kinds_of(rows).items()]


def draw_row(row: Row, panels: layout.Grid, titled: bool, wide: float) -> ScalarMappable | None:
    """Returns a mesh for the colour bar, None if the row shows classes only."""
    mesh = None
    for number, (ax, picture) in enumerate(zip(panels, row.pictures)):
        if number in row.level:
            draw_level(ax, row.level[number])
        else:
            mesh = draw_panel(ax, picture, row) or mesh
        if titled:
            ax.set_title(wrapped(picture.title, wide), loc="left")
    for ax in panels[len(row.pictures):]:
        ax.set_axis_off()
    return mesh


def draw_blended(rows: list[Row], places: list[Axes], wide: float) -> list[ScalarMappable | None]:
    """The panels of all fields one after the other, without those that show one value."""
    meshes = []
    for row in rows:
        name = f": {labels.words_of(row.first.variable)}" if len(rows) > 1 else ""
        mesh = None
        for picture in shown(row):
            ax = places.pop(0)
            mesh = draw_panel(ax, picture, row) or mesh
            ax.set_title(wrapped(f"{picture.title}{name}", wide), loc="left")
        meshes.append(mesh)
    for ax in places:
        ax.set_axis_off()
    return meshes


def draw_level(ax: Axes, value: float) -> None:
    """In the place of a panel that would show one colour."""
    ax.text(0.5, 0.5, f"{labels.number_text(float(f'{value:.6g}'))}\neverywhere", transform=ax.transAxes, ha="center",
            va="center", color="#505050")


def place_bars(sheet: Sheet, rows: list[Row], meshes: Sequence[ScalarMappable | None], one_scale: bool) -> None:
    """A bar beside each row; one beside all of them if they share their scale."""
    drawn = {place: mesh for place, mesh in enumerate(meshes) if mesh is not None}
    for place, mesh in list(drawn.items())[:1 if one_scale else None]:
        one_row = len(rows) > 1 and not one_scale
        scale = rows[place].scale
        assert scale is not None  # its row has a mesh
        axes = sheet.side_bars[place if one_row else None] = sheet.figure.add_axes((0.9, 0, 0.1, 1))
        bar = sheet.figure.colorbar(mesh, cax=axes, extend=scale.ends)
        bar.minorticks_off()
        if not scale.log and not scale.levels:
            bar.ax.yaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6))
        if len(drawn) == 1 or not one_scale:
            tall = HEIGHTS[settings.now().size] * (1 if one_row else sheet.grid.shape[0])
            bar.set_label(wrapped(labels.label_of(rows[place].first.variable), tall))


def draw_panel(ax: Axes, picture: Picture, row: Row) -> ScalarMappable | None:
    """Returns a mesh for the colour bar, None if the panel shows classes only."""
    index, kinds = plane.classify(picture)
    plane.draw_kinds(ax, picture.axes, index, kinds)
    if kinds or picture.found:
        regions.draw_boundaries(ax, picture, index, width=0.4)
    if picture.found:
        regions.draw_found(ax, picture.found, size=0.7)
    values = values_of(picture)
    if row.scale is None or not np.isfinite(values).any():
        return None
    return cells.draw(ax, picture.axes, masked_invalid(values), **row.scale.look)


def label_outside(rows: list[Row], grid: layout.Grid, one_scale: bool, wide: float, named: bool) -> None:
    """Writes the names of the axes below and left of the panels, with few ticks in narrow panels; the name of a row
    without a colour bar of its own stands at its right."""
    axes, asked = rows[0].first.axes, settings.now()
    for ax in grid.ravel():
        looks.set_axes(ax, axes, (wide, HEIGHTS[asked.size]), max(2, min(4, int(wide / 0.42))))
        ax.set_xlabel("")
        ax.set_ylabel("")
    for column in range(grid.shape[1]):
        shown = [ax for ax in grid[:, column] if ax.axison]
        if shown:
            shown[-1].tick_params(labelbottom=True)
    grid[0, 0].figure.supxlabel(wrapped(axes[0].label), fontsize=asked.font_size)
    for number, ax in enumerate(grid[:, 0]):
        ax.set_ylabel(wrapped(axes[1].label, HEIGHTS[asked.size]))
        if named and (one_scale or rows[number].is_category):
            last = grid[number, -1]
            last.yaxis.set_label_position("right")
            last.set_ylabel(wrapped(labels.words_of(rows[number].first.variable), HEIGHTS[asked.size]),
                            rotation=270, va="bottom")


# ---------------------------------------------------------------------------------- the command

def suits(survey: Survey) -> Claim | None:
    many, few = survey.many, survey.few
    return Claim(PANELS, f"{named(many)} have many points and {named(few)} few", (many, few)) \
        if len(many) == 2 and few else None


def called(data: xr.Dataset, wanted: str | None) -> str:
    return "small multiples"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output to draw, a row of panels for each (default: the first that the "
                        "config lists, or else mode)")
    parser.add_argument("--panels", metavar="AXIS",
                        help="axis whose values are panels (default: a choice, else the shortest)")
    parser.add_argument("--one-scale", action="store_true",
                        help="one colour scale for all fields, not one for each")
    parser.add_argument("--x", metavar="AXIS", help="horizontal axis (default: the first)")
    parser.add_argument("--y", metavar="AXIS", help="vertical axis (default: the next)")
    slicing.add_slice(parser)


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-multiples.png")


def load(options: argparse.Namespace, notes: list[str]) -> tuple[list[Row], str]:
    """The rows to draw, and the title."""
    with against.open_map(options.file, options.fields) as data:
        settings.check_names(data, settings.now())
        fields = choose_fields(data, options.fields)
        dims = [str(dim) for dim in data[fields[0]].dims]
        chosen = slicing.parse_slices(data, dims, options.slices, notes)
        panels = choose_panels(data, fields[0], options.panels, chosen)
        rows = load_rows(data, fields, panels, chosen, notes, (options.x, options.y))
        axes = rows[0].first.axes
        fixed = {dim: chosen.get(dim, data.sizes[dim] // 2) for dim in dims
                 if dim not in [axis.name for axis in axes] + [panels]}
        title = labels.title_of(data, fixed)
    slicing.note_log(axes, notes)
    set_scales(rows, options.one_scale, options.center)
    find_level(rows, notes)
    return rows, title


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    return draw(*load(options, notes), options.one_scale)
