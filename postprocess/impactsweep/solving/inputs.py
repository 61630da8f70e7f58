"""Inputs of a theory as the caller gives them: numbers, texts with units, arrays and DataArrays of either."""
from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, TypeGuard, Union, overload

import numpy as np
import pandas as pd
import xarray as xr

from .. import checks
from ..checks import shown
from ..errors import InputError, TooManyCells
from ..library import binding as c, units
from ..library.binding import text
from ..maps.typed import mask_of, masked_array
from ..values import Array, Value
from .arrays import DEGREES, RADIANS

REFUSED = {"b": "truth values", "c": "complex numbers", "M": "dates", "m": "durations", "S": "bytes",
           "V": "records"}
NO_ARRAYS = (xr.Dataset, pd.DataFrame, Mapping, Set, bytes, bytearray)
Taken = Union[str, float, Array, xr.DataArray]  # an input as it is taken; arrays are of floats, or of texts and floats
Given = dict[str, Taken]
ALLOWED = "a number, a text such as '30 deg', or an array of either"


def take_all(inputs: Mapping[str, Value]) -> Given:
    wrong: list[str] = []
    taken: Given = {}
    for name, value in inputs.items():
        try:
            taken[parameter_name(name)] = take(name, value)
        except InputError as reason:
            wrong.append(str(reason))
    if wrong:
        raise InputError("\n".join(wrong))
    return taken


def parameter_name(name: str) -> str:
    """Words of the library are NAME=VALUE, so that a name with other characters would be taken for more."""
    if not isinstance(name, str) or not name.isidentifier():
        raise InputError(f"unknown parameter or choice {shown(name)}")
    return checks.text("a name", name)


def take(name: str, value: Value) -> Taken:
    """A text, a float, an array of floats, an array of texts (and floats among them), or a DataArray."""
    if isinstance(value, str):
        return checks.text(name, value)
    if isinstance(value, NO_ARRAYS):
        raise InputError(f"{name} is {shown(value)}; give {ALLOWED}")
    try:
        if isinstance(value, (pd.Series, xr.Variable)):
            value = xr.DataArray(value)
        if isinstance(value, xr.DataArray):
            return unlabelled(name, value).copy(data=normal(name, np.asarray(value.values)))
        found = normal(name, array_of(value))
    except InputError:
        raise
    except MemoryError:
        raise TooManyCells(f"{name} is {shown(value)}, which does not fit into the memory") from None
    except Exception as reason:  # objects of users may raise anything when they are read
        raise InputError(f"{name} is {shown(value)}; give {ALLOWED} ({reason})") from None
    return found if found.ndim else found.item()


def unlabelled(name: str, value: xr.DataArray) -> xr.DataArray:
    """Without a coordinate that repeats the values, which are then turned into other units without it."""
    own = value.coords[name] if value.dims == (name,) and name in value.coords else None
    repeats = own is not None and own.attrs.get("units") in (None, value.attrs.get("units")) and (
        own.values.tolist() == value.values.tolist())
    return value.drop_vars(name) if repeats else value


def array_of(value: object) -> Array:
    """An array; what a mask hides is None."""
    masks = isinstance(value, np.ma.MaskedArray) or isinstance(value, (list, tuple)) and any(
        isinstance(one, np.ma.MaskedArray) for one in value)
    if not masks:
        return np.asarray(value)
    masked = masked_array(value)
    found = np.array(masked.data, object)
    found[mask_of(masked)] = None
    return found


def normal(name: str, array: Array) -> Array:
    """An array of floats or texts. None and other marks of missing values are NaN."""
    if array.dtype.kind in "fiu":
        return np.asarray(array, np.float64)
    if array.dtype.kind in REFUSED:
        raise InputError(f"{name} holds {REFUSED[array.dtype.kind]}; give {ALLOWED}")
    if array.ndim == 0 and array.item() is None:
        raise InputError(f"{name} is None; leave it out, or give {ALLOWED}")
    flat = [element(name, one) for one in array.ravel().tolist()]
    kind = object if any(isinstance(one, str) for one in flat) else np.float64
    found: Array = np.empty(array.shape, kind)
    found.reshape(-1)[:] = flat
    return found


def element(name: str, value: Any) -> str | float:
    """One element of an array of objects: a text or a float."""
    if isinstance(value, str):
        return checks.text(name, value)
    if value is None or value is pd.NA or value is pd.NaT or value is np.ma.masked:
        return np.nan
    if isinstance(value, (bool, np.bool_, bytes, complex)) or not hasattr(value, "__float__"):
        raise InputError(f"{name} is {shown(value)}, or holds it; give {ALLOWED}")
    try:
        return float(value)
    except OverflowError:
        return "1e999"  # the library says that it is too large, and what the range is


def is_array(value: object) -> TypeGuard[Array | xr.DataArray]:
    return isinstance(value, xr.DataArray) or isinstance(value, np.ndarray) and value.ndim > 0


def holds_texts(value: object) -> TypeGuard[Array | xr.DataArray]:
    return is_array(value) and value.dtype.kind == "O"


def words_of(given: Given) -> list[str]:
    return [name if is_array(value) else f"{name}={value}" for name, value in given.items()]


def read_texts(theory: str, given: Given) -> Given:
    """The numbers of arrays of texts such as "30 deg", as the program reads them."""
    read: Given = {}
    for name, value in given.items():
        if not holds_texts(value):
            continue
        others = {other: one for other, one in given.items() if other != name}
        flat = np.ravel(value).tolist()
        numbers = {one: number_of(theory, others, name, one) for one in set(flat) if isinstance(one, str)}
        found = np.reshape([numbers.get(one, one) if isinstance(one, str) else one for one in flat],
                           value.shape).astype(np.float64)
        read[name] = value.copy(data=found) if isinstance(value, xr.DataArray) else found
    return read


def prepared(theory: str, given: Given) -> Given:
    """Texts as numbers, values in SI."""
    given = {**given, **read_texts(theory, given)}
    with c.Solver(theory, words_of(given)) as solver:
        return {name: in_si(solver, name, value) for name, value in given.items()}


def number_of(theory: str, others: Given, name: str, value: str) -> float:
    with c.Solver(theory, words_of({**others, name: value})) as solver:
        places = [place for place, one in enumerate(solver.inputs) if text(one.name) == name]
        if not places:
            raise InputError(f"'{name}' is a choice: give one option, and solve for each")
        return solver.values[places[0]]


def units_of(solver: c.Solver) -> dict[str, str]:
    """The unit of each input, some of which depend on the value that another input has in every cell."""
    values = {text(one.name): solver.values[place] for place, one in enumerate(solver.inputs)}
    return {text(one.name): units.with_power(text(one.unit), values) for one in solver.inputs}


@overload
def in_si(solver: c.Solver, name: str, value: Array | xr.DataArray) -> Array | xr.DataArray: ...
@overload
def in_si(solver: c.Solver, name: str, value: Taken) -> Taken: ...


def in_si(solver: c.Solver, name: str, value: Taken) -> Taken:
    """A DataArray that has units is turned into the unit of the parameter; other values are in that unit."""
    stated = value.attrs.get("units", "") if isinstance(value, xr.DataArray) else ""
    own = units_of(solver).get(name)
    if not isinstance(value, xr.DataArray) or stated in ("", own) or own is None:
        return value
    degrees = isinstance(stated, str) and stated in DEGREES
    if degrees and own != "rad":
        raise InputError(f"'{name}' is not an angle, but its DataArray has the units '{stated}'; its unit is {own}")
    scale = RADIANS if degrees else units.factor(stated, own) if isinstance(stated, str) else None
    if scale is None:
        raise InputError(f"the DataArray of '{name}' has the units {shown(stated)}; its unit is {own}")
    return value.copy(data=np.asarray(value, float) * scale).assign_attrs(units=own)
