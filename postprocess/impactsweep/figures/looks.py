"""How figures look: fonts, sizes, colours of modes and outcomes, colour scales."""
from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, Union

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis as Ruler
from matplotlib.colors import BoundaryNorm, Colormap, LinearSegmentedColormap, ListedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.ticker import (FixedLocator, LogLocator, MaxNLocator, NullFormatter, NullLocator,
                               ScalarFormatter, StrMethodFormatter)

from ..display.colours import DIVERGING, LOOKS, MODE_COLOURS, OUTCOME_STYLE, PALETTE, SEQUENTIAL, UNDEFINED, scale
from ..display.vision import category_colours
from ..errors import InputError
from ..maps.planes import Axis
from ..values import Array
from . import settings
from .labels import shown_limits, spaced
from .wrapping import size_of, wrapped

P = ParamSpec("P")
R = TypeVar("R")
Dash = Union[str, tuple[float, tuple[float, ...]]]
Colour = Union[str, tuple[float, ...]]
Look = tuple[Colour, Dash]
Style = dict[str, Any]  # keywords of matplotlib

EDGE, GRID = "#505050", "#E5E5E5"
ROUNDING = 1e-6  # of a value: what differs by less is one level
MOST_COUNTS = 24  # whole numbers that have a colour each
TICK_WIDTH = 0.5  # inches from one tick to the next, at least

for own in LOOKS["scales"].keys() - set(matplotlib.colormaps):
    matplotlib.colormaps.register(ListedColormap(scale(own), own))


def style() -> dict[str, object]:
    """Fonts and lines. Vector files of one figure have the same bytes each time."""
    font = settings.now().font_size
    return {"font.size": font, "axes.titlesize": font, "axes.labelsize": font,
            "xtick.labelsize": 0.92 * font, "ytick.labelsize": 0.92 * font,
            "legend.fontsize": 0.92 * font, "legend.title_fontsize": 0.92 * font,
            "figure.titlesize": font, "axes.linewidth": 0.7, "hatch.linewidth": 0.5,
            "hatch.color": "#505050", "pdf.fonttype": 42, "svg.hashsalt": "impactsweep",
            "mathtext.fontset": "dejavusans", "axes.formatter.use_mathtext": True,
            "axes.formatter.limits": (-3, 5)}


# Colours of lines.
BLUE, RED, GREEN, DARK, BLACK = "#0072B2", "#D55E00", "#009E73", "#332288", "#000000"
OPTION_COLOURS = (BLUE, RED, BLACK, GREEN, DARK, "#661100")
DASHES: tuple[Dash, ...] = ("-", (0, (5, 1.2)), (0, (1.6, 0.9)), (0, (5, 1.2, 1.2, 1.2)))
OUTCOMES = ("pending", "solved", "outside", "no_convergence", "not_finite", "budget",
            "library_error", "guest_failed", "not_repeated")


@dataclass
class Kind:
    """A class of cells with one look and one entry in the legend."""
    label: str
    colour: str
    hatch: str = ""


def kinds_of_category(codes: Iterable[int], names: dict[int, str]) -> dict[int, Kind]:
    colours = category_colours({**{code: f"code {code}" for code in codes}, **names})
    return {code: Kind(spaced(names.get(code, f"code {code}")), colours[code]) for code in codes}


def kinds_of_outcomes(codes: Iterable[int], names: dict[int, str]) -> dict[int, Kind]:
    return {code: Kind(spaced(names.get(code, f"outcome {code}")),
                       *OUTCOME_STYLE.get(code, OUTCOME_STYLE[6])) for code in codes}


def ordered_look(number: int, of: int) -> Look:
    """Colour and dash of one of several ordered lines, from dark to light, so that they differ in grey too."""
    return (matplotlib.colormaps[SEQUENTIAL](0.83 * number / max(1, of - 1)),
            DASHES[number % len(DASHES)])


# ------------------------------------------------------------------------------ colour scales

@dataclass
class Scale:
    """Colours from low to high; extend: the ends at which values lie beyond (neither, min, max, both)."""
    colours: Colormap
    low: float
    high: float
    extend: str
    log: bool = False
    levels: tuple[float, ...] = ()

    @property
    def look(self) -> Style:
        if len(self.levels) > 1:
            return {"cmap": self.colours,
                    "norm": BoundaryNorm(self.levels, self.colours.N, extend="both")}
        if self.log:
            return {"cmap": self.colours, "norm": LogNorm(self.low, self.high)}
        return {"cmap": self.colours, "vmin": self.low, "vmax": self.high}

    @property
    def ends(self) -> str:
        """The ends of a colour bar that show values beyond the scale."""
        return "both" if len(self.levels) > 1 else self.extend


def scale_of(values: Array, center: float | None = None, name: str | None = None, ratio: bool = False) -> Scale:
    """Colours and their range. Rare extremes (a field that diverges) must not flatten the rest.
    White is 0 among values of both signs, 1 among ratios on both sides of it, or the given centre.
    name: of the output, for its --limits and --log."""
    asked = settings.now()
    finite = values[np.isfinite(values)]
    log = name in asked.log or is_wide_ratio(finite)
    if log:
        finite = finite[finite > 0]
        if finite.size == 0:
            raise InputError(f"--log: '{name}' has no value above 0")
    low, high, extend = range_of(finite)
    if name in asked.limits:
        low, high = asked.limits[name]
        extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[
            int(finite.min() < low), int(finite.max() > high)]
    elif not log:
        low, high = level_limits(low, high) or (low, high)
    center = asked.center if center is None else center
    if center is None and not log:
        center = natural_center(low, high, ratio)
    colours = matplotlib.colormaps[asked.cmap or (SEQUENTIAL if center is None else DIVERGING)]
    if center is not None:
        ends = np.array([low, high, center])
        low_at, high_at, center_at = np.log(ends) if log and center > 0 else ends
        colours = parted(low_at, high_at, center_at, colours)
    return Scale(colours, low, high, extend, log, tuple(asked.levels))


def are_counts(name: str, values: Array) -> bool:
    """Whether values that are stored as reals are few whole numbers, such as the sub-impacts of a beam."""
    asked, finite = settings.now(), values[np.isfinite(values)]
    return bool((finite == np.round(finite)).all() and 1 < np.ptp(finite) + 1 <= MOST_COUNTS) and not (
        asked.levels or asked.cmap or name in asked.limits or name in asked.log or asked.center is not None)


def discrete_scale(values: Array) -> tuple[Style, Array]:
    """One colour per whole number."""
    low, high = int(np.nanmin(values)), int(np.nanmax(values))
    number = high - low + 1
    colours = matplotlib.colormaps[SEQUENTIAL].resampled(min(number, 256))
    norm = BoundaryNorm(np.linspace(low - 0.5, high + 0.5, min(number, 256) + 1), colours.N)
    return {"cmap": colours, "norm": norm}, np.arange(low, high + 1, max(1, number // 12))


def range_of(finite: Array) -> tuple[float, float, str]:
    """Low and high without rare extremes, and the ends at which there are rare extremes."""
    low, high = float(finite.min()), float(finite.max())
    inner_low = float(np.percentile(finite, 0.5, method="higher"))
    inner_high = float(np.percentile(finite, 99.5, method="lower"))
    cut_low = inner_low - low > 2 * (inner_high - inner_low) > 0
    cut_high = high - inner_high > 2 * (inner_high - inner_low) > 0
    extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}
    return (inner_low if cut_low else low, inner_high if cut_high else high,
            extend[int(cut_low), int(cut_high)])


def level_limits(low: float, high: float) -> tuple[float, float] | None:
    """Limits around values that differ by rounding alone, which is not worth a scale; None for others."""
    if high - low > ROUNDING * max(abs(low), abs(high)):
        return None
    return low - 0.1 * (abs(low) or 1), high + 0.1 * (abs(high) or 1)


def natural_center(low: float, high: float, ratio: bool) -> float | None:
    if has_both_signs(low, high):
        return 0.0
    return 1.0 if ratio and low >= 0 and has_both_signs(low - 1, high - 1) else None


def is_wide_ratio(finite: Array) -> bool:
    """Whether values are ratios, of --ratio-to, over a decade or more: then twice is as far from 1 as half."""
    asked = settings.now()
    return bool(asked.against and asked.against.ratio and finite.size and finite.min() > 0
                and finite.max() >= 10 * finite.min())


def is_share(name: str) -> bool:
    """Whether an output is a probability: a share of the draws of uncertain parameters."""
    return name.startswith("share_of_") or name.endswith(("_share", "_certainty"))


def is_ratio(name: object) -> bool:
    """Whether an output is a ratio whose neutral value is 1."""
    return str(name).startswith("lambda_") or str(name).endswith("_restitution")


def has_both_signs(low: float, high: float) -> bool:
    """More than rounding on either side."""
    return low < 0 < high and min(-low, high) > 0.01 * max(-low, high)


def parted(low: float, high: float, center: float, whole: Colormap | None = None) -> Colormap:
    """The part from low to high of a scale that is white at the centre and changes equally fast on either
    side."""
    reach = max(abs(low - center), abs(high - center)) or 1.0
    first, last = (0.5 + (end - center) / (2 * reach) for end in (low, high))
    whole = whole or matplotlib.colormaps[DIVERGING]
    return LinearSegmentedColormap.from_list(f"{whole.name} part", whole(np.linspace(first, last, 256)), 256)


# --------------------------------------------------------------------------------------- axes

def set_axes(ax: Axes, axes: Sequence[Axis], inches: tuple[float, float] = (5.0, 3.4), ticks: int = 9) -> None:
    """Scales, limits, ticks and labels of one or two axes; inches: room for labels."""
    set_axis(ax.xaxis, axes[0], ax.set_xscale, ax.set_xlim,
             min(ticks, max(3, int(inches[0] / TICK_WIDTH))))
    ax.set_xlabel(wrapped(axes[0].label, inches[0]))
    if is_crowded(axes[0], inches[0]):
        ax.tick_params(axis="x", labelrotation=90)
    if len(axes) == 2:
        set_axis(ax.yaxis, axes[1], ax.set_yscale, ax.set_ylim,
                 min(ticks, max(3, int(inches[1] / 0.4))))
        ax.set_ylabel(wrapped(axes[1].label, inches[1]))
    elif not ax.get_ylabel():
        ax.yaxis.set_major_locator(NullLocator())  # a strip of classes has no vertical axis


def is_crowded(axis: Axis, inches: float) -> bool:
    """Whether the names of options would touch when written side by side."""
    room = 0.9 * inches / max(1, len(axis.options or ()))
    return any(size_of(name)[0] > room for name in axis.options or ())


def set_axis(ruler: Ruler, axis: Axis, set_scale: Callable[[str], object], set_limits: Callable[[float, float], object],
             most_ticks: int = 9) -> None:
    low, high = axis.edges[[0, -1]]
    asked = shown_limits(axis.name, axis.degrees)
    low, high = asked or (low, high)
    if axis.log:
        set_scale("log")
        if low > 0:
            set_log_ticks(ruler, low, high, most_ticks)
    if axis.options:
        ruler.set_ticks(axis.values, axis.options)
    elif axis.whole:
        ruler.set_major_locator(MaxNLocator(most_ticks, integer=True))
    elif axis.degrees and not axis.log and high - low >= 60:
        low, high = set_degrees(ruler, low, high, most_ticks)
    elif not axis.log:
        ruler.set_major_locator(MaxNLocator(most_ticks, steps=[1, 2, 2.5, 5, 10]))
    if axis.log and low <= 0:
        raise InputError(f"'{axis.name}' begins at {low:g}; a logarithmic axis needs values above 0: "
                       f"--limits {axis.name}=LOW:HIGH")
    set_limits(low, high)


def set_degrees(ruler: Ruler, low: float, high: float, most_ticks: int) -> tuple[float, float]:
    """At least two ticks at parts of a right angle. Many sweeps end just short of 0 and 90 degrees; their
    axes are drawn up to these marks."""
    low, high = (snap(edge, 15, (high - low) / 500) for edge in (low, high))
    for step in (15, 30, 45, 90, 180):
        ticks = step * np.arange(np.ceil(low / step), np.floor(high / step) + 1)
        if len(ticks) >= 2:
            fewest = ticks
        if len(ticks) <= most_ticks:
            break
    ruler.set_major_locator(FixedLocator(fewest if len(fewest) <= most_ticks else fewest[[0, -1]]))
    return low, high


def set_log_ticks(ruler: Ruler, low: float, high: float, most_ticks: int = 9) -> None:
    """Powers of ten; plain numbers where there are not two of these."""
    if high > 100 * low:
        powers = np.arange(np.ceil(np.log10(low) - 1e-9), np.floor(np.log10(high) + 1e-9) + 1)
        step = max(1, -(-(len(powers) - 1) // (most_ticks - 1)))
        ruler.set_major_locator(FixedLocator(10.0 ** powers[::step]))
        ruler.set_minor_formatter(NullFormatter())
        return
    ruler.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ruler.set_major_formatter(StrMethodFormatter("{x:g}"))
    ruler.set_minor_locator(NullLocator())


def snap(edge: float, step: float, reach: float) -> float:
    mark = step * round(edge / step)
    return mark if abs(edge - mark) <= reach else edge


class PlainNumbers(ScalarFormatter):
    """Numbers at ticks as text. Where a common factor is to look well, matplotlib sets each number as mathematics, which takes up
    to a third of the time of a figure."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return re.sub(r"^\$\\mathdefault\{(.*)\}\$$", r"\1", super().__call__(x, pos))


def set_plain_numbers(figure: Figure) -> None:
    for ax in figure.axes:
        for ruler in [part for one in (ax, *ax.child_axes) for part in (one.xaxis, one.yaxis)]:
            if type(ruler.get_major_formatter()) is ScalarFormatter:
                ruler.set_major_formatter(PlainNumbers())


def draw_grid(ax: Axes) -> None:
    ax.grid(True, color=GRID, linewidth=0.5)
    ax.set_axisbelow(True)


def styled(draw: Callable[P, R]) -> Callable[P, R]:
    """Wraps a function that makes a figure, so that it has the common style."""
    @functools.wraps(draw)
    def in_style(*arguments: P.args, **options: P.kwargs) -> R:
        with matplotlib.rc_context(style()):
            return draw(*arguments, **options)
    return in_style
