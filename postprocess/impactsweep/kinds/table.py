"""Draws a table of numbers from a map, as a paper has them: a row for each cell, a column for each parameter that
varies and for each output that is asked for.

Columns that do not fit beside one another are continued below.
"""
import math
from dataclasses import dataclass

import numpy as np
from matplotlib.lines import Line2D

from .. import command, dimensions, files, frame, labels, looks, settings
from ..files import BadInput, coordinate, flags_of
from ..labels import spaced
from ..psi import in_psi
from ..wrapping import size_of, wrapped

USES = {"label"}
MOST_ROWS, MOST_DEFAULT = 60, 6
DIGITS, MOST_DECIMALS = 4, 6
HEAD = 0.72  # inches: the widest line of a head at 9 points, where no word is longer
BETWEEN, LINE = 0.16, 1.45  # inches between columns; height of a row in sizes of the letters
NOTHING = "–"  # where an output is undefined


@dataclass
class Column:
    head: str
    texts: list
    is_number: bool

    @property
    def head_height(self):
        """Lines are as far apart as matplotlib sets them."""
        return (self.head.count("\n") + 1) * size_of("lp")[1]

    @property
    def width(self):
        return max(size_of(text)[0] for text in (self.head, *self.texts))


# ------------------------------------------------------------------------------------- columns

def columns_of(part, fields):
    """(those of the parameters that vary, those of the outputs), a text for each cell."""
    dims = [str(dim) for dim in dict.fromkeys(dim for name in fields for dim in part[name].dims)]
    shape = [part.sizes[dim] for dim in dims]
    if math.prod(shape) > MOST_ROWS:
        raise BadInput(f"a table of {math.prod(shape)} rows is too long, at most {MOST_ROWS} are drawn; take "
                       "a part with --slice")

    def spread(variable):
        loaded = files.load(variable)
        sizes = [loaded.sizes.get(dim, 1) for dim in dims]
        present = [dim for dim in dims if dim in loaded.dims]
        return np.broadcast_to(loaded.transpose(*present).values.reshape(sizes), shape).ravel()
    solved = spread(part["outcome"]) == files.SOLVED if "outcome" in part else np.full(shape, True).ravel()
    keys = [column_of(one, spread(one)) for dim in dims if part.sizes[dim] > 1
            for one in labels.varying_columns(part, dim) or [coordinate(part, dim)]]
    return keys, [column_of(part[name], spread(part[name]), solved) for name in fields]


def column_of(variable, values, solved=None):
    head = wrapped(labels.label_of(variable), HEAD * settings.now().font_size / 9)
    names = flags_of(variable)
    if names:
        texts = [spaced(names.get(int(code), code)) for code in values]
    else:
        shown = labels.shown(variable, values.astype(float))
        texts = plain(shown) if solved is None else in_digits(shown)
    there = np.ones(len(texts), bool) if solved is None else solved
    return Column(head, [text if ok else NOTHING for text, ok in zip(texts, there)], not names)


def plain(values):
    """Parameters as they were written."""
    return [labels.typeset(f"{value:.6g}") for value in values]


def in_digits(values):
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


def blocks_of(keys, columns, room):
    """Columns side by side as far as there is room; each block begins with the parameters."""
    blocks, width = [[]], 0
    start = sum(column.width + BETWEEN for column in keys)
    for column in columns:
        if blocks[-1] and start + width + column.width > room:
            blocks.append([])
            width = 0
        blocks[-1].append(column)
        width += column.width + BETWEEN
    return [keys + block for block in blocks]


# ------------------------------------------------------------------------------------- drawing

@looks.styled
def draw(keys, columns, title):
    figure, points = frame.new_figure(), settings.now().font_size
    line = LINE * points / 72
    blocks = blocks_of(keys, columns, settings.now().width - 2 * frame.PAD)
    heights = [max(column.head_height for column in block) + line * (len(block[0].texts) + 1)
               for block in blocks]
    top = size_of(title)[1] + 3 * frame.PAD if title else frame.PAD
    total = top + sum(heights) + frame.PAD
    figure.set_figheight(total)
    if title:
        figure.suptitle(title, x=frame.PAD / figure.get_figwidth(), y=1 - frame.PAD / total, ha="left", va="top")
    for block, height in zip(blocks, heights):
        draw_block(figure, block, total - top, line)
        top += height
    return figure


def draw_block(figure, block, y, line):
    """One block under the height y, in inches."""
    width, total = figure.get_size_inches()
    head, rows = max(column.head_height for column in block), len(block[0].texts)
    ends = frame.PAD, frame.PAD + sum(column.width + BETWEEN for column in block) - BETWEEN
    levels = y, y - head - 0.3 * line, y - head - (rows + 0.45) * line
    for level, thick in zip(levels, (0.9, 0.5, 0.9)):
        figure.add_artist(Line2D([end / width for end in ends], [level / total] * 2, color=looks.BLACK,
                                       linewidth=thick))
    x = frame.PAD
    for column in block:
        edge, side = (x + column.width, "right") if column.is_number else (x, "left")
        figure.text(edge / width, (y - 0.1 * line - head) / total, column.head, ha=side, va="bottom",
                    multialignment=side)
        for row, text in enumerate(column.texts):
            figure.text(edge / width, (y - head - (row + 1.1) * line) / total, text, ha=side, va="baseline")
        x += column.width + BETWEEN


# ---------------------------------------------------------------------------------- the command

def add_options(parser):
    parser.add_argument("file", metavar="FILE", help="map file, complete or still growing")
    parser.add_argument("--field", metavar="NAME", dest="fields", action="append", default=[],
                        help="output with a column, may be repeated (default: the first "
                        f"{MOST_DEFAULT} in the order of the config)")
    dimensions.add_slice(parser)
    parser.add_argument("--psi", action="store_true",
                        help="velocity ratios over friction times stiffness ratio: the non-dimensional angles of "
                             "incidence and rebound")


def default_output(options):
    return command.beside(options.file, "-table.png")


def make(options, notes):
    with files.open_map(options.file) as data:
        settings.check_names(data, settings.now())
        fields = [files.choose_field(data, name) for name in options.fields] or [
            name for name in files.ranked_fields(data)
            if name not in (*files.BOOKKEEPING, "outcome")][:MOST_DEFAULT]
        dims = [str(dim) for dim in dict.fromkeys(dim for name in fields for dim in data[name].dims)]
        chosen = dimensions.parse_slices(data, dims, options.slices, notes)
        part = data.isel(chosen)
        keys, columns = columns_of(in_psi(part) if options.psi else part, fields)
        return draw(keys, columns, labels.title_of(data, chosen))
