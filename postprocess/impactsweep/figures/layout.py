"""The layout of a figure: frames keep one size, whatever text surrounds them.

The width of a figure is that of one or two columns of a paper; margins leave the rest to the frames. Its
height grows with the texts above and below the frames. Margins grow only where a text would not fit.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from . import looks, settings
from .wrapping import wrapped

LEFT, RIGHT, BETWEEN, ROWS = 0.62, 0.14, 0.14, 0.14  # inches at 9 points
PAD, BAR, BAR_GAP = 0.05, 0.09, 0.07
MOST_COLUMNS = 6  # of a legend
LEGEND_HEIGHTS = {"one": 1.5, "two": 1.9}  # inches, in the place of a panel
MOST_PANELS = {"one": 3, "two": 4}  # side by side


Grid: TypeAlias = npt.NDArray[np.object_]  # of axes [row][column]


@dataclass
class Sheet:
    """The parts of a figure. grid: axes [row][column]; unused ones are off."""
    figure: Figure
    grid: Grid
    frame_height: float          # inches; of square frames their width decides
    top_bar: Axes | None = None  # over the first row
    side_bars: dict[int | None, Axes] = field(default_factory=dict)  # {row, or None for all: its bar}
    legends: list[Legend] = field(default_factory=list)
    caption: Text | None = None  # below all of it
    square: bool = False         # frames as high as wide


def new_figure() -> Figure:
    """A figure as wide as asked for; `fit` sets its height."""
    asked = settings.now()
    return Figure(figsize=(asked.width, 3.0), dpi=asked.dpi)


def block(number: int) -> tuple[int, int]:
    """Rows and columns for a number of panels: with few places that stay empty."""
    widths = range(2, MOST_PANELS[settings.now().size] + 1)
    columns = number if number <= 3 else min(widths, key=lambda wide: (-number % wide, -wide))
    return -(-number // columns), columns


def fit(sheet: Sheet) -> Figure:
    """Places all parts of a figure."""
    canvas = FigureCanvasAgg(sheet.figure)
    looks.set_plain_numbers(sheet.figure)
    for _ in range(2):  # ticks depend on the size of the frames
        place(sheet, canvas.get_renderer())
    return sheet.figure


def place(sheet: Sheet, renderer: RendererAgg) -> None:
    figure, grid, scale = sheet.figure, sheet.grid, settings.now().font_size / 9
    over = {ax: overhang(ax, renderer, figure.dpi) for ax in grid.ravel() if ax.axison}
    side = max([overhang(bar, renderer, figure.dpi)[2] + BAR + BAR_GAP
                for bar in sheet.side_bars.values()], default=0)
    columns = [[over[ax] for ax in grid[:, k] if ax in over] for k in range(grid.shape[1])]
    left = max(LEFT * scale, worst(columns[0], 0) + PAD)
    right = max(RIGHT * scale, worst(columns[-1], 2) + PAD + side)
    gaps = [max(BETWEEN * scale, worst(one, 2) + worst(other, 0) + 2 * PAD)
            for one, other in zip(columns, columns[1:])]
    gap = max(gaps, default=0)
    width = figure.get_figwidth()
    frame = (width - left - right - gap * (len(columns) - 1)) / len(columns)
    height = frame if sheet.square else sheet.frame_height
    rows = [[over[ax] for ax in line if ax in over] for line in grid]
    below = foot(sheet, renderer, worst(rows[-1], 1), width)
    total, tops = stack(sheet, renderer, rows, height, below)
    figure.set_figheight(total)
    for row, line in enumerate(grid):
        for column, ax in enumerate(line):
            ax.set_position([(left + column * (frame + gap)) / width, (tops[row] - height) / total,
                             frame / width, height / total])
    ends = left, left + len(columns) * (frame + gap) - gap
    set_bars(sheet, ends, worst(columns[-1], 2), tops, height, total)
    set_texts(sheet, renderer, (left, width - right), tops[-1] - height, total,
              worst(rows[-1], 1))


def overhang(ax: Axes, renderer: RendererAgg, dpi: float) -> list[float]:
    """Inches by which the ticks and labels of axes reach beyond them: left, below, right, above."""
    box = ax.get_window_extent(renderer)
    whole = Bbox.union([ax.get_tightbbox(renderer, bbox_extra_artists=[]),
                        *(axis.get_tightbbox(renderer) for axis in ax.child_axes)])
    return [max(0.0, part / dpi) for part in (box.x0 - whole.x0, box.y0 - whole.y0,
                                              whole.x1 - box.x1, whole.y1 - box.y1)]


def worst(overhangs: Iterable[list[float]], side: int) -> float:
    return max((one[side] for one in overhangs), default=0)


def size_of(artist: Artist, renderer: RendererAgg, dpi: float) -> tuple[float, float]:
    box = artist.get_window_extent(renderer)
    return box.width / dpi, box.height / dpi


def foot(sheet: Sheet, renderer: RendererAgg, ticks: float, width: float) -> float:
    """Inches below the lowest frames: ticks, the common label, legends."""
    figure, total = sheet.figure, ticks + PAD
    if figure._supxlabel:
        total += size_of(figure._supxlabel, renderer, figure.dpi)[1] + PAD
    for legend in sheet.legends:
        total += size_of(legend, renderer, figure.dpi)[1] + PAD
    if sheet.caption:
        total += size_of(sheet.caption, renderer, figure.dpi)[1] + PAD
    return total


def stack(sheet: Sheet, renderer: RendererAgg, rows: list[list[list[float]]], height: float,
          below: float) -> tuple[float, list[float]]:
    """The height of the figure, and the top of each row of frames."""
    figure, dpi = sheet.figure, sheet.figure.dpi
    title = size_of(figure._suptitle, renderer, dpi)[1] + 3 * PAD if figure._suptitle else PAD
    if sheet.top_bar:
        title += overhang(sheet.top_bar, renderer, dpi)[3] + BAR + BAR_GAP + PAD
    gaps = [max(ROWS, worst(one, 1) + worst(other, 3) + 2 * PAD) for one, other in zip(rows, rows[1:])]
    total = title + worst(rows[0], 3) + len(rows) * height + sum(gaps) + below
    tops = [total - title - worst(rows[0], 3)]
    for gap in gaps:
        tops.append(tops[-1] - height - gap)
    return total, tops


def set_bars(sheet: Sheet, ends: tuple[float, float], beyond: float, tops: list[float], height: float, total: float) -> None:
    """beyond: inches by which texts reach out of the last frames."""
    width = sheet.figure.get_figwidth()
    if sheet.top_bar:
        sheet.top_bar.set_position([ends[0] / width, (tops[0] + BAR_GAP) / total,
                                    (ends[1] - ends[0]) / width, BAR / total])
    for row, bar in sheet.side_bars.items():
        top, bottom = (tops[0], tops[-1] - height) if row is None else (tops[row],
                                                                      tops[row] - height)
        bar.set_position([(ends[1] + beyond + BAR_GAP) / width, bottom / total, BAR / width,
                          (top - bottom) / total])


def set_texts(sheet: Sheet, renderer: RendererAgg, ends: tuple[float, float], bottom: float, total: float,
              ticks: float) -> None:
    """Title at the top, the common label and legends below one another under the frames."""
    figure, width = sheet.figure, sheet.figure.get_figwidth()
    if figure._suptitle:
        figure._suptitle.set(position=(PAD / width, 1 - PAD / total), ha="left", va="top")
    y = bottom - ticks - PAD
    if figure._supxlabel:
        figure._supxlabel.set(position=((ends[0] + ends[1]) / 2 / width, y / total), ha="center",
                              va="top")
        y -= size_of(figure._supxlabel, renderer, figure.dpi)[1] + PAD
    for legend in sheet.legends:
        wide, high = size_of(legend, renderer, figure.dpi)
        x = ends[0] if ends[0] + wide <= width - PAD else max(PAD, width - wide - PAD)
        legend.set_bbox_to_anchor((x / width, y / total), transform=figure.transFigure)
        y -= high + PAD
    if sheet.caption:
        sheet.caption.set(position=(PAD / width, y / total), ha="left", va="top")


def add_caption(sheet: Sheet, text: str) -> None:
    """Small print under everything else; none for an empty text."""
    if text:
        width = settings.now().width - 2 * PAD
        sheet.caption = sheet.figure.text(0, 0, wrapped(text, width), fontsize="small")


def legend_under(ax: Axes, handles: Sequence[Artist], title: str = "", **options: object) -> Legend:
    """A legend with as few rows as the width has room for, which are read one after the other; `fit` puts it
    under the frames."""
    figure, room = ax.figure, settings.now().width - 2 * PAD
    renderer = FigureCanvasAgg(figure).get_renderer()
    for rows in range(-(-len(handles) // MOST_COLUMNS), len(handles) + 1):
        columns = -(-len(handles) // rows)
        legend = ax.legend(handles=row_by_row(handles, columns), title=title or None, loc="upper left",
                           ncol=columns, bbox_transform=figure.transFigure, bbox_to_anchor=(0, 0),
                           borderaxespad=0, borderpad=0, frameon=False, alignment="left",
                           columnspacing=1.4, **options)
        if legend.get_window_extent(renderer).width / figure.dpi <= room:
            break
    return legend


def legend_in(ax: Axes, handles: Sequence[Artist], **options: object) -> Legend | None:
    """A legend in the place of a panel that there is not; None where it does not fit."""
    asked = settings.now()
    columns = ax.figure.axes[0].get_subplotspec().get_gridspec().ncols
    room = (asked.width - (columns + 1) * LEFT * asked.font_size / 9) / columns
    legend = ax.legend(handles=handles, loc="upper left", bbox_to_anchor=(0, 1), borderaxespad=0, borderpad=0,
                       frameon=False, **options)
    width, height = size_of(legend, FigureCanvasAgg(ax.figure).get_renderer(), ax.figure.dpi)
    if width <= room and height <= LEGEND_HEIGHTS[asked.size]:
        return legend
    legend.remove()
    return None


def row_by_row(handles: Sequence[Artist], columns: int) -> list[Artist]:
    """In the order of matplotlib, which fills column after column."""
    return [handle for column in range(columns) for handle in handles[column::columns]]
