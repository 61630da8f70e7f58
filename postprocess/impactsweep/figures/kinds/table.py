"""Draws a table of numbers as a paper has them. Of a map: a row for each cell, a column for each parameter that varies
and for each output that is asked for; --beside FILE puts the outputs of a second map beside those of the first. Of a
history: a row for each event.

Columns that do not fit beside one another are continued below.
"""
from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from ...errors import InputError
from ...maps import contents
from ...maps.contents import coordinate, flags_of
from ...values import Array, Mask
from .. import labels, layout, looks, settings, slicing
from ..history import event_rows
from ..labels import spaced
from ..maw import in_psi
from ..wrapping import size_of, wrapped

USES = {"label", "unit", "called"}
MOST_ROWS, MOST_DEFAULT = 60, 6
DIGITS, MOST_DECIMALS = 4, 6
# Inches: the widest line of a head at 9 points, where no word is longer, and the space between columns; then the same of a
# table that would not fit otherwise.
SPACES = ((0.72, 0.16), (0.42, 0.11))
LINE = 1.45  # height of a row in sizes of the letters
NOTHING = "–"  # where an output is undefined


@dataclass
class Column:
    label: str
    texts: list[str]
    is_number: bool
    group: str = ""  # over several columns
    spaces: tuple[float, float] = SPACES[0]

    @property
    def head(self) -> str:
        return wrapped(self.label, self.spaces[0] * settings.now().font_size / 9)

    @property
    def head_height(self) -> float:
        """Lines are as far apart as matplotlib sets them."""
        return (self.head.count("\n") + 1) * size_of("lp")[1]

    @property
    def width(self) -> float:
        """With the space before the next one."""
        return max(size_of(text)[0] for text in (self.head, *self.texts)) + self.spaces[1]


# ------------------------------------------------------------------------------------- columns

def columns_of(part: xr.Dataset, fields: Sequence[str], wanted: Sequence[str] | None = None) -> tuple[list[Column],
               list[Column]]:
    """(those of the parameters that vary, or those that are wanted, those of the outputs), a text for each cell."""
    dims = [str(dim) for dim in dict.fromkeys(dim for name in fields for dim in part[name].dims)]
    shape = [part.sizes[dim] for dim in dims]
    if math.prod(shape) > MOST_ROWS:
        raise InputError(f"a table of {math.prod(shape)} rows is too long, at most {MOST_ROWS} are drawn; take "
                       "a part with --slice")

    def spread(variable: xr.DataArray) -> Array:
        loaded = contents.load(variable)
        sizes = [loaded.sizes.get(dim, 1) for dim in dims]
        present = [dim for dim in dims if dim in loaded.dims]
        return np.broadcast_to(loaded.transpose(*present).values.reshape(sizes), shape).ravel()
    solved = spread(part["outcome"]) == contents.SOLVED if "outcome" in part else np.full(shape, True).ravel()
    for name in wanted or ():
        if name not in part.variables:
            raise InputError("--key: " + contents.unknown("parameter", name, [*map(str, part.coords)]))
    parameters = [part[name] for name in wanted] if wanted is not None else [
        one for dim in dims if part.sizes[dim] > 1 for one in labels.varying_columns(part, dim) or [coordinate(part, dim)]]
    keys = [column_of(one, spread(one)) for one in parameters]
    found = [column_of(part[name], spread(part[name]), solved) for name in fields]
    if set(RATES) <= set(fields):
        found.append(Column("kind", kinds_of_directions(*(spread(part[name]) for name in RATES)), False))
    return keys, found


RATES = ("invariant_f", "invariant_g_prime")  # of the slip speed and of the heading along an invariant direction


def kinds_of_directions(speed: Array, heading: Array) -> list[str]:
    """Equilibria of the flow of slip by the signs of both rates: a node has one sign, a saddle two."""
    return [NOTHING if not np.isfinite(f * g) else "saddle" if f * g < 0 else "node" if f * g > 0 else "border"
            for f, g in zip(speed, heading)]


def column_of(variable: xr.DataArray, values: Array, solved: Mask | None = None) -> Column:
    head = labels.label_of(variable)
    names = flags_of(variable)
    if names:
        texts = [spaced(names.get(int(code), code)) for code in values]
    else:
        shown = labels.shown(variable, values.astype(float))
        texts = plain(shown) if solved is None else in_digits(shown)
    there = np.ones(len(texts), bool) if solved is None else solved
    return Column(head, [text if ok else NOTHING for text, ok in zip(texts, there)], not names)


def plain(values: Array) -> list[str]:
    """Parameters as they were written."""
    return [labels.typeset(f"{value + 0.0:.6g}") for value in values]


def in_digits(values: Array) -> list[str]:
    """Results with equally many decimals, so that the largest one has four digits; whole numbers without any."""
    finite = np.abs(values[np.isfinite(values)])
    largest = finite.max(initial=0)
    if (finite == np.round(finite)).all() and largest < 10 ** DIGITS:
        decimals = 0
    else:
        decimals = DIGITS - 1 - (math.floor(math.log10(largest)) if largest > 0 else 0)
    if not 0 <= decimals <= MOST_DECIMALS:
        return [labels.typeset(f"{value:.{DIGITS}g}") if np.isfinite(value) else NOTHING for value in values]
    return [labels.typeset(f"{round(value, decimals) + 0.0:.{decimals}f}") if np.isfinite(value) else NOTHING
            for value in values]


def blocks_of(keys: list[Column], columns: list[Column], room: float) -> list[list[Column]]:
    """Columns side by side as far as there is room; each block begins with the parameters."""
    blocks: list[list[Column]] = [[]]
    width = 0.0
    start = sum(column.width for column in keys)
    for column in columns:
        if blocks[-1] and start + width + column.width - column.spaces[1] > room:
            blocks.append([])
            width = 0.0
        blocks[-1].append(column)
        width += column.width
    return [keys + block for block in blocks]


def fitted(keys: list[Column], columns: list[Column], room: float) -> list[list[Column]]:
    """The blocks of a table with wide spaces, or with narrow ones where these make it one block."""
    wide = blocks_of(keys, columns, room)
    near = blocks_of(narrow(keys), narrow(columns), room)
    return near if len(near) == 1 < len(wide) else wide


def narrow(columns: list[Column]) -> list[Column]:
    return [dataclasses.replace(column, spaces=SPACES[1]) for column in columns]


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(keys: list[Column], columns: list[Column], title: str) -> Figure:
    figure, points = layout.new_figure(), settings.now().font_size
    line = LINE * points / 72
    blocks = fitted(keys, columns, settings.now().width - 2 * layout.PAD)
    heights = [max(column.head_height for column in block) + line * (len(block[0].texts) + 1 + is_grouped(block))
               for block in blocks]
    top = size_of(title)[1] + 3 * layout.PAD if title else layout.PAD
    total = top + sum(heights) + layout.PAD
    figure.set_figheight(total)
    if title:
        figure.suptitle(title, x=layout.PAD / figure.get_figwidth(), y=1 - layout.PAD / total, ha="left", va="top")
    for block, height in zip(blocks, heights):
        draw_block(figure, block, total - top, line)
        top += height
    return figure


def draw_block(figure: Figure, block: list[Column], y: float, line: float) -> None:
    """One block under the height y, in inches."""
    width, total = figure.get_size_inches()
    head, rows = max(column.head_height for column in block) + line * is_grouped(block), len(block[0].texts)
    ends = layout.PAD, layout.PAD + sum(column.width for column in block) - block[-1].spaces[1]
    levels = y, y - head - 0.3 * line, y - head - (rows + 0.45) * line
    for level, thick in zip(levels, (0.9, 0.5, 0.9)):
        figure.add_artist(Line2D([end / width for end in ends], [level / total] * 2, color=looks.BLACK,
                                       linewidth=thick))
    if is_grouped(block):
        draw_groups(figure, block, y, line)
    x = layout.PAD
    for column in block:
        edge, side = (x + column.width - column.spaces[1], "right") if column.is_number else (x, "left")
        figure.text(edge / width, (y - 0.1 * line - head) / total, column.head, ha=side, va="bottom",
                    multialignment=side)
        for row, text in enumerate(column.texts):
            figure.text(edge / width, (y - head - (row + 1.1) * line) / total, text, ha=side, va="baseline")
        x += column.width


def is_grouped(block: list[Column]) -> bool:
    return any(column.group for column in block)


def draw_groups(figure: Figure, block: list[Column], y: float, line: float) -> None:
    """The names of the groups over their columns, with a rule under each."""
    width, total = figure.get_size_inches()
    places = np.cumsum([layout.PAD] + [column.width for column in block])
    for group in dict.fromkeys(column.group for column in block if column.group):
        own = [place for place, column in enumerate(block) if column.group == group]
        left, right = places[own[0]], places[own[-1] + 1] - block[own[-1]].spaces[1]
        figure.text((left + right) / 2 / width, (y - 0.85 * line) / total, group, ha="center", va="baseline")
        figure.add_artist(Line2D([left / width, right / width], [(y - 1.15 * line) / total] * 2, color=looks.BLACK,
                                 linewidth=0.5))


# ---------------------------------------------------------------------------------- the command

def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing, or a history")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output with a column, may be repeated (default: the first "
                        f"{MOST_DEFAULT} in the order of the config)")
    parser.add_argument("--key", metavar="NAME", dest="keys", action="append", default=[],
                        help="parameter with a column at the left, may be repeated (default: those that vary)")
    parser.add_argument("--beside", metavar="FILE", help="a map of as many rows, whose outputs stand beside those of the "
                        "first, row by row; --called names both")
    slicing.add_slice(parser)
    parser.add_argument("--psi", action="store_true",
                        help="velocity ratios over friction times stiffness ratio: the non-dimensional angles of "
                             "incidence and rebound")


def default_output(options: argparse.Namespace) -> str:
    return settings.beside(options.file, "-table.png")


def make(options: argparse.Namespace, notes: list[str]) -> Figure:
    if event_rows.is_history(options.file):
        return make_moments(options)
    one = load(options.file, options, notes)
    settings.check_known(one.names + (names_in(options.beside) if options.beside else []), settings.now())
    if not options.beside:
        return draw(*columns_of(one.part, one.fields, options.keys or None), labels.filled(one.title))
    return draw_beside(one, options, notes)


@dataclass
class Loaded:
    part: xr.Dataset
    fields: list[str]
    title: str
    names: list[str]  # of everything in the file


def names_in(path: str) -> list[str]:
    with contents.open_map(path) as data:
        return [*map(str, data.variables), *map(str, data.dims)]


def load(path: str, options: argparse.Namespace, notes: list[str], fields: list[str] | None = None) -> Loaded:
    with contents.open_map(path) as data:
        if fields is not None:
            fields = [name for name in fields if name in contents.fields_of(data)]
        else:
            fields = [contents.choose_field(data, name) for name in options.fields] or [
                name for name in contents.ranked_fields(data)
                if name not in (*contents.BOOKKEEPING, "outcome")][:MOST_DEFAULT]
        if not fields:
            raise InputError(f"{path}: has none of the outputs {', '.join(options.fields)}")
        dims = [str(dim) for dim in dict.fromkeys(dim for name in fields for dim in data[name].dims)]
        chosen = slicing.parse_slices(data, dims, options.slices, notes)
        part = contents.load(data.isel(chosen))
        part = in_psi(part) if options.psi else part
        return Loaded(part, fields, labels.own_title(data, chosen), [*map(str, data.variables), *map(str, data.dims)])


def draw_beside(one: Loaded, options: argparse.Namespace, notes: list[str]) -> Figure:
    """Two maps row by row: the parameters, the outputs of the first, those of the second."""
    two = load(options.beside, options, notes, one.fields)
    for name in options.keys:
        if name not in one.part.variables and name not in two.part.variables:
            raise InputError("--key: " + contents.unknown("parameter", name, list(
                dict.fromkeys(str(known) for part in (one.part, two.part) for known in part.coords))))
    own = [name for name in options.keys if varies(one.part, name) or not varies(two.part, name)
           and name in one.part.variables]
    other = [name for name in options.keys if name not in own]
    keys, columns = columns_of(one.part, one.fields, own if options.keys else None)
    more, others = columns_of(two.part, two.fields, other)
    if len(columns[0].texts) != len(others[0].texts):
        raise InputError(f"--beside {options.beside}: has {len(others[0].texts)} rows, and {options.file} "
                       f"{len(columns[0].texts)}")
    called = labels.names_of_files([one.title, two.title], [options.file, options.beside])
    for group, part in zip(called, (columns, others)):
        for column in part:
            column.group = group
    return draw(keys + more, columns + others, labels.filled(labels.shared([one.title, two.title])))


def varies(part: xr.Dataset, name: str) -> bool:
    return name in part.variables and np.unique(part[name].values).size > 1


def make_moments(options: argparse.Namespace) -> Figure:
    """A row for each event of a history."""
    if options.keys or options.beside or options.slices:
        raise InputError(f"{options.file}: the table of a history takes --field and --label; --key, --beside and --slice "
                       "are for maps")
    history, rows = event_rows.of_file(options.file)
    keys = [Column("event", rows, False)]
    columns = [Column(head, in_digits(values), True) for head, values in event_rows.columns_of(history, options.fields)]
    return draw(keys, columns, labels.filled(labels.readable(history.title)))
