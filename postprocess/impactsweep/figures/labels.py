"""Words and numbers as a reader sees them: names without underscores, units, angles in degrees."""
from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

import numpy as np
import xarray as xr

from ..display.words import (heading as heading, number_text as number_text, readable as readable, spaced as spaced,
                             typeset as typeset, unit_of as unit_of)
from ..errors import InputError
from ..library import units
from ..maps.contents import columns_of, coordinate, flags_of
from ..values import Array
from . import settings
from .wrapping import wrapped

Field = tuple[str, bool]  # the name of an output or axis, and whether it is an angle
Drawn = TypeVar("Drawn", xr.DataArray, Array)
# Parameters of a body's motion: the title of a figure of one collision names them all.
MOTION = ("angle", "position", "velocity_ratio", "heading", "swerve_ratio", "angular_velocity")


# -------------------------------------------------------------------------------------- units

def is_angle(variable: xr.DataArray) -> bool:
    return variable.attrs.get("units") == "rad"


# From units of the file to those that a user may ask for; lengths, times, ... take prefixes too.
CONVERSIONS = {("rad", "deg"): 180 / math.pi, ("rad/s", "deg/s"): 180 / math.pi, ("rad/s", "rpm"): 30 / math.pi,
               ("1", "%"): 100.0}
PREFIXES = {"n": 1e9, "µ": 1e6, "u": 1e6, "m": 1e3, "k": 1e-3, "M": 1e-6}
PREFIXED = ("s", "m", "N", "J", "N s", "m/s", "N/m")


def asked_unit(variable: xr.DataArray) -> tuple[str, float] | None:
    """(unit, factor) that the user asked for; None if not."""
    asked = settings.now().units.get(str(variable.name))
    if asked is None:
        return None
    own, wanted = str(variable.attrs.get("units", "1")), asked.removeprefix("-")
    sign = -1.0 if asked.startswith("-") else 1.0
    if wanted == own:
        return wanted, sign
    if (own, wanted) in CONVERSIONS:
        return wanted, sign * CONVERSIONS[own, wanted]
    if own in PREFIXED and wanted[1:] == own and wanted[0] in PREFIXES:
        return wanted, sign * PREFIXES[wanted[0]]
    known = [own, *(other for one, other in CONVERSIONS if one == own)]
    known += [f"{prefix}{own}" for prefix in PREFIXES] if own in PREFIXED else []
    raise InputError(f"--unit {variable.name}={asked}: allowed for its unit are {', '.join(known)}; "
                   "a minus in front turns the sign round")


def shown(variable: xr.DataArray, values: Drawn) -> Drawn:
    """Values in the unit in which they are drawn."""
    asked = asked_unit(variable)
    if asked:
        turned: Drawn = asked[1] * values + 0.0  # no -0
        return turned
    return cast(Drawn, np.degrees(values)) if is_angle(variable) else values  # of a DataArray it is one


def unit_text(variable: xr.DataArray) -> str:
    asked = asked_unit(variable)
    if asked:
        return "" if asked[0] == "1" else asked[0].replace("u", "µ", 1) if asked[0][:1] == "u" else asked[0]
    return unit_of(str(variable.attrs.get("units", "1")))


def parse_number(text: str, unit: str, axis: str) -> float:
    """A value as the user writes it, in the unit of its axis: 0.3, 30deg, 19.4mm."""
    value, any_unit = units.read(text, unit), units.read(text, None)
    if value is None and any_unit is not None:
        raise InputError(f"bad slice '{axis}={text}': '{axis}' is not an angle" if text.endswith(("deg", "rad")) else
                       f"bad slice '{axis}={text}': the unit of '{axis}' is {unit}")
    if value is None or not math.isfinite(value):
        raise InputError(f"bad slice '{axis}={text}': '{text}' is not a number")
    return value


# ------------------------------------------------------------------------------------- labels

def shown_limits(name: str, angle: bool) -> tuple[float, float] | None:
    """The limits that the user asked for, in the unit of the figure; None without any."""
    limits = settings.now().limits.get(name)
    return (math.degrees(limits[0]), math.degrees(limits[1])) if limits and angle else limits


def words_of(variable: xr.DataArray) -> str:
    """The name of a variable in a figure: its --label, its symbol, or words."""
    asked, name = settings.now(), str(variable.name)
    if name in asked.labels:
        return asked.labels[name]
    if asked.names == "symbols" and name in settings.SYMBOLS:
        return settings.SYMBOLS[name]
    text = spaced(str(variable.attrs.get("long_name", "")).strip() or name)
    return text.removesuffix(" si")  # the unit stands behind it


def is_renamed(name: str) -> bool:
    asked = settings.now()
    return name in asked.labels or (asked.names == "symbols" and name in settings.SYMBOLS)


def label_of(variable: xr.DataArray) -> str:
    text = words_of(variable)
    unit = unit_text(variable)
    return f"{text} ({unit})" if unit and not flags_of(variable) else text


def value_text(variable: xr.DataArray, index: int) -> str:
    """One value of a coordinate: `30°`, `linear`, `0.1 N/m`."""
    value = variable.values[index]
    if flags_of(variable):
        return spaced(flags_of(variable).get(int(value), str(value)))
    return number_text(value, str(variable.attrs.get("units", "1")))


def varying_columns(data: xr.Dataset, dim: str) -> list[xr.DataArray]:
    """The columns of a table that tell its rows apart; all of them if none does."""
    columns = [data[name] for name in columns_of(data, dim)]
    varying = [column for column in columns if len(np.unique(column.values)) > 1]
    return varying or columns


def point_value(data: xr.Dataset, dim: str, index: int) -> str:
    """One point of a dimension without its name; of a table, the values of its columns."""
    columns = varying_columns(data, dim)
    if columns:
        return ", ".join(f"{spaced(column.name)} {value_text(column, index)}" for column in columns)
    return value_text(coordinate(data, dim), index)


def point_text(data: xr.Dataset, dim: str, index: int) -> str:
    """One point of a dimension for a title: `angle 30°`, `law linear`."""
    text = point_value(data, dim, index)
    if columns_of(data, dim):
        return text
    name = words_of(coordinate(data, dim)) if is_renamed(dim) else spaced(dim)
    return f"{name} = {text}" if name.startswith("$") else f"{name} {text}"


# ------------------------------------------------------------------------------------- titles


def filled(title: str) -> str:
    """A title, or the one of --title in its place, in lines as long as the figure is wide."""
    asked = settings.now().title
    return wrapped(heading(title) if asked is None else asked)


def title_of(data: xr.Dataset, fixed: Mapping[str, int]) -> str:
    """The title of a figure of a file."""
    return filled(own_title(data, fixed))


def own_title(data: xr.Dataset, fixed: Mapping[str, int]) -> str:
    """The file's title, with the points {dimension: index} of the dimensions that are not drawn."""
    parts = [readable(str(data.attrs.get("title", "")))]
    parts += [point_text(data, dim, index) for dim, index in fixed.items()]
    return ", ".join(part for part in parts if part)


def shared(titles: Sequence[str]) -> str:
    """The parts of a title that every title has."""
    return ", ".join(part for part in titles[0].split(", ") if all(part in one.split(", ") for one in titles))


def names_of_files(titles: Sequence[str], paths: Sequence[str]) -> list[str]:
    """A name for each of several files in a legend: the parts of its title that not all titles have, the theory first,
    or else the file's name; --called replaces them, in the order of the files."""
    common = shared(titles).split(", ")
    names = [", ".join(part for part in title.split(", ") if part not in common) for title in titles]
    stems = [os.path.splitext(os.path.basename(path))[0] for path in paths]
    if not all(names) or len(set(names)) < len(names):
        names = [f"{name} ({stem})" if name else stem for name, stem in zip(names, stems)]
    called = settings.now().called
    if len(called) > len(names):
        raise InputError(f"--called is given {len(called)} times for {len(names)} file{'s' * (len(names) > 1)}")
    return [*called, *names[len(called):]]
