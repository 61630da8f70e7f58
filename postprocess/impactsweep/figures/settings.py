"""The options of every figure: names and numbers on the axes, colours, size, files drawn on top."""
from __future__ import annotations

import argparse
import contextlib
import math
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import matplotlib
import xarray as xr

from ..errors import InputError
from ..library import units
from ..maps.contents import LEFT, unknown
from . import baseline

COLUMNS = {"one": 3.35, "two": 7.0}   # inches, as journals set them
# Options that only some kinds draw: a kind names its own in USES.
SCALES = {"label", "log", "linear", "limits"}
SPECIAL = (*sorted(SCALES), "minus", "ratio_to", "cmap", "center", "levels", "contours", "over", "called", "points", "solved_points",
           "region_numbers", "unit", "line")
FONT_SIZES = {"one": 7.5, "two": 9.0}  # points
LARGEST_FONT, MOST_DPI = 30, 2400
Line = tuple[str, float, str]  # name, value, text of a straight line
# Symbols of the quantities in the literature; quantities that are not listed keep their words.
SYMBOLS = {
    "angle": r"$\theta$", "friction": r"$\mu$", "kinematic_restitution": r"$e$",
    "kinetic_restitution": r"$e_\mathrm{P}$", "energetic_restitution": r"$e_*$",
    "restitution": r"$e_*$", "stiffness_ratio": r"$\eta$", "poisson_ratio": r"$\nu$",
    "velocity_ratio": r"$v_\mathrm{t} / |v_\mathrm{n}|$", "inertia_coupling": r"$\lambda$",
    "velocity_ratio_out": r"$w_\mathrm{t} / |v_\mathrm{n}|$", "damping": r"$\zeta$",
    "energy_loss": r"$\Delta T / T$", "impulse_ratio": r"$P_\mathrm{t} / P_\mathrm{n}$", "position": r"$\xi$",
    "lambda_poisson": r"$\Lambda_\mathrm{P}$", "lambda_newton": r"$\Lambda_\mathrm{N}$",
    "lambda_energetic": r"$\Lambda_\mathrm{E}$", "angular_velocity": r"$\Omega_0$",
    "heading": r"$\phi$", "mass": r"$m$", "duration": r"$t_\mathrm{f}$",
    "internal_damping": r"$c_\mathrm{i}$", "external_damping": r"$c_\mathrm{e}$",
    "modulus": r"$E$", "radius": r"$R$", "slenderness": r"$L / R$", "time": r"$t$",
}


@dataclass
class Settings:
    """The options that the user gave; an empty one leaves the decision to the figure."""
    title: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    names: str = "words"
    size: str = "two"
    font: float | None = None
    dpi: float = 200.0
    log: tuple[str, ...] = ()
    linear: tuple[str, ...] = ()
    limits: dict[str, tuple[float, float]] = field(default_factory=dict)  # {name: (low, high)} in SI
    cmap: str | None = None
    center: float | None = None
    levels: tuple[float, ...] = ()
    contours: str | None = None
    over: tuple[str, ...] = ()
    called: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    solved_points: bool = False
    region_numbers: bool = False
    lines: tuple[Line, ...] = ()
    units: dict[str, str] = field(default_factory=dict)  # {name: unit, with a sign in front that turns its direction round}
    against: baseline.Against | None = None  # the values that others are compared with

    @property
    def width(self) -> float:
        return COLUMNS[self.size]

    @property
    def font_size(self) -> float:
        return self.font or FONT_SIZES[self.size]


_current = [Settings()]


def now() -> Settings:
    return _current[-1]


@contextlib.contextmanager
def used(settings: Settings) -> Iterator[Settings]:
    _current.append(settings)
    try:
        yield settings
    finally:
        _current.pop()


def beside(path: str, ending: str) -> str:
    """A picture's path beside its map."""
    return os.path.splitext(path)[0] + ending


# ------------------------------------------------------------------------------------- options

def add_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("options of every figure")
    for add in (add_scales, add_overlays, add_words):
        add(group)


def add_scales(group: argparse._ArgumentGroup) -> None:
    """Of axes and colours."""
    group.add_argument("--log", metavar="NAME", action="append", default=[],
                       help="draw an axis or output logarithmically; may be repeated")
    group.add_argument("--linear", metavar="NAME", action="append", default=[],
                       help="draw an axis or output linearly; may be repeated")
    group.add_argument("--limits", metavar="NAME=LOW:HIGH", action="append", default=[],
                       help="ends of an axis, or of the scale of an output")
    group.add_argument("--cmap", metavar="NAME", help="matplotlib's name of a colour map")
    group.add_argument("--center", metavar="VALUE", type=float,
                       help="values above VALUE are orange, those below are blue, and darker (default: 0 for values of "
                            "both signs, 1 for ratios on both sides of 1)")
    group.add_argument("--levels", metavar="VALUES", action="append", default=[],
                       help="values of the level lines or between colours, such as 0.2,0.4,0.6; of "
                            "quantiles: probabilities")
    group.add_argument("--contours", metavar="NAME", help="level lines of an output over the figure")
    group.add_argument("--minus", metavar="AXIS=VALUE", action="append", default=[],
                       help="draw differences: values less those at this point of an axis, or less those of another "
                            "map (--minus other.h5); of a category where they differ, with both names. A case, law "
                            "or body needs no AXIS: --minus stronge")
    group.add_argument("--ratio-to", metavar="AXIS=VALUE", action="append", default=[],
                       help="draw ratios: as --minus, but real values are divided by those there")


def add_overlays(group: argparse._ArgumentGroup) -> None:
    """What is drawn on top."""
    group.add_argument("--over", metavar="FILE", action="append", default=[],
                       help="another map or history on top; may be repeated")
    group.add_argument("--called", metavar="TEXT", action="append", default=[],
                       help="with --over, the name of a file in the legend: first that of FILE, then those of "
                            "--over; may be repeated")
    group.add_argument("--line", metavar="NAME=VALUE[=TEXT]", action="append", default=[],
                       help="a thin straight line at a value of an axis or output, with a text at its end; may be repeated")
    group.add_argument("--points", metavar="CSV", action="append", default=[],
                       help="measured points: columns named like the axis and the output (with --psi: psi1 "
                            "and psi2), NAME_error for error bars; may be repeated")
    group.add_argument("--solved-points", action="store_const", const=True,
                       help="of a refined map: dots at the points that were solved")
    group.add_argument("--region-numbers", action="store_const", const=True,
                       help="of a refined map of two axes: the numbers of its connected regions, as in the table regions")


def add_words(group: argparse._ArgumentGroup) -> None:
    """Names, units and sizes."""
    group.add_argument("--title", metavar="TEXT", help="title in place of the file's own; '' for none")
    group.add_argument("--label", metavar="NAME=TEXT", action="append", default=[],
                       help="text in place of the name of an axis or output")
    group.add_argument("--unit", metavar="NAME=UNIT", action="append", default=[],
                       help="of a table: unit of a column, such as deg/s, %%, mm; -deg/s turns the sign round")
    group.add_argument("--names", choices=("words", "symbols"), default="words",
                       help="words or symbols (θ, μ, e) on the axes")
    group.add_argument("--size", choices=tuple(COLUMNS), default="two", help="columns of a paper")
    group.add_argument("--font-size", metavar="POINTS", type=float, dest="font")
    group.add_argument("--dpi", metavar="NUMBER", type=float, default=200.0,
                       help="resolution of a png, and of maps in a pdf or svg (default: 200)")


def settings_of(options: argparse.Namespace) -> Settings:
    """The settings among the options of a command."""
    for name, value, most in (("--font-size", options.font, LARGEST_FONT),
                              ("--dpi", options.dpi, MOST_DPI)):
        if value is not None and not 0 < value <= most:
            raise InputError(f"{name} {value:g}: must be above 0 and at most {most}")
    compared = baseline.of_words(options.minus, options.ratio_to)
    return Settings(options.title, pairs(options.label, "--label"), options.names, options.size,
                    options.font, options.dpi, tuple(options.log), tuple(options.linear),
                    {name: limits_of(name, text) for name, text in
                     pairs(options.limits, "--limits").items()},
                    colours_of(options.cmap), center_of(options, compared), levels_of(options.levels),
                    options.contours, tuple(options.over), tuple(options.called), tuple(options.points),
                    bool(options.solved_points), bool(options.region_numbers), tuple(map(line_of, options.line)),
                    pairs(options.unit, "--unit"),
                    against=compared)


def center_of(options: argparse.Namespace, compared: baseline.Against | None) -> float | None:
    """The middle of the colours: that of differences is 0, that of ratios 1."""
    return compared.center if compared and options.center is None else options.center


def pairs(words: Iterable[str], option: str) -> dict[str, str]:
    found = {}
    for word in words:
        name, equals, text = (part.strip() for part in word.partition("="))
        if not equals or not name:
            raise InputError(f"bad {option} '{word}': write NAME=VALUE")
        if name in found:
            raise InputError(f"{option}: '{name}' is given twice")
        found[name] = text
    return found


def line_of(word: str) -> Line:
    name, _, rest = word.partition("=")
    value, _, text = rest.partition("=")
    match = re.fullmatch(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(deg|rad)?", value.strip())
    if not match or not name.strip():
        raise InputError(f"bad line '{word}': write NAME=VALUE or NAME=VALUE=TEXT")
    return name.strip(), math.radians(float(match[1])) if match[2] == "deg" else float(match[1]), text.strip()


def limits_of(name: str, text: str) -> tuple[float, float]:
    low, high = ([units.read(end.strip(), None) for end in text.split(":")] if text.count(":") == 1 else (None, None))
    if low is None or high is None:
        raise InputError(f"bad limits '{name}={text}': write {name}=LOW:HIGH, such as 0:1, 10deg:80deg or 10mm:5cm")
    if not low < high:
        raise InputError(f"bad limits '{name}={text}': the lower one is not below the upper one")
    return low, high


def colours_of(name: str | None) -> str | None:
    if name is not None and name not in matplotlib.colormaps:
        raise InputError(unknown("scale of colours", name, ["viridis", "cividis", "gray", "navy_orange", "RdBu_r"]))
    return name


def levels_of(words: Sequence[str]) -> tuple[float, ...]:
    try:
        levels = sorted(float(text) for word in words for text in word.split(","))
    except ValueError:
        raise InputError(f"bad levels '{','.join(words)}': write numbers, such as 0.2,0.4") from None
    if len(set(levels)) < len(levels) or not all(map(math.isfinite, levels)):
        raise InputError(f"bad levels '{','.join(words)}': levels must be finite and differ")
    return tuple(levels)


def check_names(data: xr.Dataset, settings: Settings) -> None:
    """Names of axes and outputs in the settings must be in the file."""
    left = [name for name, (source, _) in LEFT.items() if source in data.variables]
    check_known([*map(str, data.variables), *map(str, data.dims), *left], settings)


def check_known(names: Sequence[str], settings: Settings) -> None:
    for option, given in (("--log", settings.log), ("--linear", settings.linear),
                          ("--limits", settings.limits), ("--label", settings.labels), ("--unit", settings.units),
                          ("--contours", [settings.contours] if settings.contours else [])):
        for name in given:
            if name not in names:
                shown = list(dict.fromkeys(name for name in names if not name.startswith("run_")))
                raise InputError(f"{option}: " + unknown("axis or output", name, shown))
    both = set(settings.log) & set(settings.linear)
    if both:
        raise InputError(f"'{both.pop()}' is given to both --log and --linear; choose one")
