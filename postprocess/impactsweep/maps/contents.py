"""Opens maps: their outputs, coordinates and categories, as the attributes in the file describe them."""
from __future__ import annotations

import difflib
import re
from typing import Sequence, TypeVar

import numpy as np
import xarray as xr

from ..checks import brief
from ..errors import InputError
from .dataset import PathLike, SOLVED as SOLVED, check_file as check_file, first_line as first_line, flags_of as flags_of, read
from .points import with_points

Loaded = TypeVar("Loaded", xr.DataArray, xr.Dataset)
# The outputs to draw first where the config does not list its outputs.
PREFERRED = ("mode", "root", "extreme", "kinematic_restitution", "energy_loss")
# Outputs about the work of a search or a solver; drawn only if they are asked for by name.
BOOKKEEPING = ("residual", "uncertainty", "root_count", "root_bracket", "jump_count")


def open_file(path: PathLike, what: str) -> xr.Dataset:
    """The dataset as stored, read lazily: only the coordinates are read at once. A refined map has the outputs
    of its points too. Dimensions whose places have names have them as categories do."""
    data = with_points(read(path, what))
    for dim in data.dims:
        names = str(data[dim].attrs.get("members", "")) if dim in data.coords else ""
        if len(names.split()) == data.sizes[dim]:
            data[dim].attrs.update(flag_values=data[dim].values, flag_meanings=names)
    return data


def open_map(path: PathLike) -> xr.Dataset:
    data = open_file(path, "map")
    if not fields_of(data):
        raise InputError(f"{path}: not a map (it has no output over axes)")
    return data


def unknown(what: str, wanted: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(wanted, names, 1, 0.5)
    guess = f" (did you mean '{close[0]}'?)" if close else ""
    return f"unknown {what} '{brief(wanted)}'{guess}; there are: {', '.join(names)}"


# ------------------------------------------------------------------------------------ outputs

def fields_of(data: xr.Dataset) -> list[str]:
    """Names of all outputs that can be drawn; `run_*` is bookkeeping."""
    return [str(name) for name, variable in data.data_vars.items()
            if not str(name).startswith("run_") and variable.dims and variable.dtype.kind in "iuf"]


def ranked_fields(data: xr.Dataset) -> list[str]:
    """The names of `fields_of` in the order of interest: that of the config's outputs, bookkeeping last."""
    listed = re.search(r"^outputs:\s*\[([^]]*)\]", str(data.attrs.get("config", "")), re.M)
    order = [name.strip() for name in listed[1].split(",")] if listed else PREFERRED
    rank = {name: place for place, name in enumerate(order)}
    return sorted(fields_of(data), key=lambda name: (name in BOOKKEEPING, name == "outcome",
                                                     rank.get(name, len(rank))))


def real_fields(data: xr.Dataset) -> list[str]:
    return [name for name in ranked_fields(data) if data[name].dtype.kind == "f"]


def default_field(data: xr.Dataset) -> str:
    return ranked_fields(data)[0]


# Outputs that are what another one leaves of 1: {name: (of which output, what it is)}.
LEFT = {"energy_left": ("energy_loss", "energy left / initial energy"),
        "body_energy_left": ("body_energy_loss", "kinetic energy left / initial one")}


def derive(data: xr.Dataset, wanted: str | None) -> None:
    """Adds an output that follows from one of the map, if it is wanted and not there."""
    source, text = LEFT.get(wanted or "", (None, ""))
    if wanted not in data and source in data:
        data[wanted] = (1 - data[source]).assign_attrs({**data[source].attrs, "long_name": text})


def choose_field(data: xr.Dataset, wanted: str | None) -> str:
    derive(data, wanted)
    names = fields_of(data)
    wanted = wanted or default_field(data)
    if wanted not in names:
        raise InputError(unknown("field", wanted, names))
    if data[wanted].size == 0:
        raise InputError(f"field '{wanted}' has no cells")
    return wanted


def grid_of(data: xr.Dataset) -> set[str]:
    """The dimensions of the cells."""
    return set(map(str, data["outcome"].dims if "outcome" in data else data.sizes))


MOST_LOOKED_AT = 64  # points of an axis that are read to see whether an output varies


def varies(data: xr.Dataset, name: str, dims: Sequence[str], share: float) -> bool:
    """Whether solved cells differ along some dimensions by more than a share of their size, judged by a
    part of the map."""
    if not set(dims) <= set(data[name].dims):
        return False
    part = data.isel({dim: slice(None, None, -(-data.sizes[dim] // MOST_LOOKED_AT))
                      for dim in data[name].dims})
    values = load(part[name]).astype(float)
    if "outcome" in data:
        values = values.where(load(part["outcome"]) == SOLVED)
    low, high = values.min(dims), values.max(dims)  # NaN is skipped
    return bool((high - low > share * np.maximum(np.abs(low), np.abs(high))).any())


def load(variable: Loaded) -> Loaded:
    """The values, read now."""
    try:
        return variable.load()
    except Exception as reason:  # a damaged file; libraries raise many kinds
        raise InputError(f"cannot read '{getattr(variable, 'name', 'the file')}' ({first_line(reason)})") from None


# -------------------------------------------------------------------------------- coordinates

def quantiles_of(data: xr.Dataset, name: str) -> tuple[xr.DataArray, list[float]] | None:
    """The variable with the quantiles of an output of a map of uncertain parameters, and their probabilities; None of
    other outputs."""
    variable = data.get(f"{name}_quantile")
    if variable is None or variable.dims[-1:] != ("quantile",):
        return None
    return variable, [float(text) for text in str(data["quantile"].attrs.get("members", "")).split()]


def coordinate(data: xr.Dataset, dim: str) -> xr.DataArray:
    """Coordinate of a dimension as stored; the index where it has none."""
    if dim not in data.coords or data[dim].dims != (dim,):
        return xr.DataArray(np.arange(data.sizes[dim]), dims=[dim], name=dim)
    points = data[dim]
    if points.dtype.kind == "f" and not np.isfinite(points.values).all():
        raise InputError(f"axis '{dim}' holds values that are not numbers; the file is damaged, or not a "
                       "map of impactsweep")
    return points


def columns_of(data: xr.Dataset, dim: str) -> list[str]:
    """The parameters that a table or a sample sets along a dimension, without those that follow others."""
    return [str(name) for name, variable in data.coords.items()
            if name != dim and variable.dims == (dim,) and not variable.attrs.get("formula")]


def is_sample(data: xr.Dataset, dim: str) -> bool:
    """Whether the points of a dimension are a sample, so that their order means nothing."""
    words = " ".join(str(coordinate(data, dim).attrs.get(name, ""))
                     for name in ("long_name", "description"))
    return dim == "sample" or "sample" in words.split()


def is_extra(data: xr.Dataset, dim: str) -> bool:
    """Whether a dimension numbers the values of one cell: roots of a search, modes of a beam."""
    return dim in data.variables and data[dim].attrs.get("impactsweep_role") == "dimension"


def is_branch(data: xr.Dataset, dim: str) -> bool:
    """Whether a dimension numbers places along one parameter, such as the roots of a search. The numbers
    mean nothing, so all of the places belong to one curve."""
    return is_extra(data, dim) and dim.endswith("_number")
