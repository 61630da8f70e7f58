"""Choices that differ from cell to cell, such as law=["linear", "hertz"]: each combination has a solver of its
own, which solves its cells."""
from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from typing import Callable, Union

import numpy as np
import xarray as xr

from ..checks import brief
from ..errors import InputError
from ..library.theories import describe, is_known, Parameter, Theory
from ..maps.typed import make_variable
from ..values import Array, Attributes
from .arrays import arrange, Cells, check_dims
from .inputs import Given

Constants = dict[str, list[tuple[Array, Array]]]  # {coordinate: the cells of each combination that has it, its value there}
Codes = dict[str, Union[Array, xr.DataArray]]  # {choice: the numbers of its options}


@dataclass
class Stored:
    """Results as a file has them: codes, radians."""
    outputs: dict[str, xr.Variable]
    coordinates: dict[str, xr.Variable]
    attributes: Attributes
    notes: list[str] = field(default_factory=list)


def coded(theory: str, given: Given) -> Codes:
    """{choice: codes} of the choices that are arrays of options."""
    several = {name: value for name, value in given.items() if isinstance(value, (np.ndarray, xr.DataArray))}
    if not several or not is_known(theory):
        return {}
    choices = describe(theory).choices
    return {name: codes_of(list(choices[name].options), name, value)
            for name, value in several.items() if name in choices}


def codes_of(options: list[str], name: str, value: Array | xr.DataArray) -> Array | xr.DataArray:
    unknown = sorted({str(one) for one in np.ravel(value)} - set(options))
    if unknown:
        raise InputError("\n".join(f"unknown option '{brief(one)}' of '{name}', allowed: {', '.join(options)}"
                                   for one in unknown[:20]))
    if not value.size:
        raise InputError(f"'{name}' is an empty array; give at least one of {', '.join(options)}")
    codes = np.reshape([float(options.index(str(one))) for one in np.ravel(value)], value.shape)
    return value.copy(data=codes) if isinstance(value, xr.DataArray) else codes


def names_taken(table: Theory) -> set[str]:
    """The variables and dimensions of a result that no input can be a coordinate of."""
    outputs = {one for name in (*table.outputs, "outcome") for one in (name, f"{name}_code")}
    return {*outputs, *table.choices, *(one.dimension for one in table.outputs.values() if one.dimension)}


def combinations(table: Theory, codes: Codes) -> list[dict[str, str]]:
    present = [[list(table.choices[name].options)[int(code)] for code in np.unique(value)]
               for name, value in codes.items()]
    return [dict(zip(codes, options)) for options in itertools.product(*present)]


def applicable(table: Theory, given: Given, options: list[dict[str, str]]) -> list[Given]:
    """For each combination what applies to it: of the inputs, and of what no combination uses everything, so that
    it is refused."""
    parts = [{**given, **chosen} for chosen in options]
    used = {name for name in given if any(applies(table, name, part) for part in parts)}
    return [{name: value for name, value in part.items() if name not in used or applies(table, name, part)}
            for part in parts]


def applies(table: Theory, name: str, part: Given) -> bool:
    if name not in table.inputs:
        return True
    words = {f"{choice.name}={part.get(choice.name, choice.default)}" for choice in table.choices.values()}
    one: Parameter = table.inputs[name]
    return any(not variant.applies_to or words & set(variant.applies_to)
               for variant in one.variants or (one,))


def solve_each(theory: str, given: Given, codes: Codes, prepared: Callable[[str, Given], Given],
               solve_one: Callable[[str, Given], Stored]) -> Stored:
    """prepared: gives inputs as numbers in SI; solve_one: solves the cells of one combination."""
    table = describe(theory)
    options = combinations(table, codes)
    parts = applicable(table, given, options)
    arrays = {name: value for part in parts for name, value in prepared(theory, part).items()
              if isinstance(value, (np.ndarray, xr.DataArray)) and value.ndim}
    cells = arrange({**arrays, **codes}, {name: list(table.choices[name].options) for name in codes})
    check_dims(cells, names_taken(table) - set(codes), {*table.inputs, *given})
    wide = {name: np.broadcast_to(values, cells.shape).reshape(-1) for name, values in cells.inputs.items()}
    whole = Stored({}, {}, {})
    constants: Constants = {}
    for chosen, part in zip(options, parts):
        where = np.flatnonzero(np.all([wide[name] == list(table.choices[name].options).index(option)
                                       for name, option in chosen.items()], axis=0))
        if where.size:
            here = {name: wide[name][where] if name in arrays else value for name, value in part.items()}
            found = solve_one(theory, here)
            put(whole, found, cells, where)
            for name, one in found.coordinates.items():
                if not one.dims and name not in codes:
                    constants.setdefault(name, []).append((where, one.values))
    place(whole, cells, codes)
    spread(whole, cells, constants)
    return whole


def spread(whole: Stored, cells: Cells, constants: Constants) -> None:
    """Constants that differ between combinations, as defaults can, are coordinates over the dimensions along which they
    do; NaN where a combination has none."""
    for name, parts in constants.items():
        if all(value == parts[0][1] for _, value in parts):
            continue
        values = np.full(math.prod(cells.shape), np.nan)
        for where, value in parts:
            values[where] = value
        values, dims = values.reshape(cells.shape), cells.dims
        for axis in reversed(range(len(dims))):
            first = np.take(values, [0], axis)
            if np.all((values == first) | (np.isnan(values) & np.isnan(first))):
                values, dims = first.squeeze(axis), dims[:axis] + dims[axis + 1:]
        whole.coordinates[name] = make_variable(dims, values, whole.coordinates[name].attrs)


def check_outputs(found: Stored, names: list[str] | str | None) -> None:
    """An output that is asked for exists in some combination."""
    absent = [name for name in ([names] if isinstance(names, str) else names or ()) if name not in found.outputs]
    if absent:
        raise InputError("\n".join(f"no cell of this sweep has the output '{name}'" for name in absent))


def put(whole: Stored, found: Stored, cells: Cells, where: Array) -> None:
    """Adds the cells of one combination. Where an output does not exist it is undefined."""
    for name, one in found.outputs.items():
        own = [dim for dim in one.dims if dim in found.coordinates and dim == one.dims[-1]
               and one.ndim > found.outputs["outcome"].ndim]
        if name not in whole.outputs:
            sizes = tuple(one.sizes[dim] for dim in own)
            fill = np.nan if one.dtype.kind == "f" else 0
            whole.outputs[name] = make_variable((*cells.dims, *own), np.full(cells.shape + sizes, fill, one.dtype),
                                              one.attrs)
        values = whole.outputs[name].values
        values.reshape(-1, *values.shape[len(cells.shape):])[where] = one.values
    for name, one in found.coordinates.items():
        units = [some.attrs.get("units", "1") for some in (whole.coordinates.get(name, one), one)]
        known = whole.coordinates.setdefault(name, one)
        if units[1] not in units[0].split(" or "):
            known.attrs["units"] = " or ".join(units)
    whole.attributes = found.attributes
    whole.notes += found.notes


def place(whole: Stored, cells: Cells, codes: Codes) -> None:
    """The coordinates over the dimensions of all cells."""
    for name in cells.inputs:
        attrs = whole.coordinates.pop(name).attrs if name in whole.coordinates else {}
        dims, values = cells.along[name]
        if name in cells.named or name not in cells.dims:
            whole.coordinates[name] = make_variable(dims, values.astype(np.int8) if name in codes else values, attrs)
    for name, one in cells.coords.items():
        if name not in cells.named:
            whole.coordinates[name] = one.variable if isinstance(one, xr.DataArray) else make_variable(*one)
    whole.coordinates = {name: one for name, one in whole.coordinates.items() if set(one.dims) <= {
        *cells.dims, *(dim for output in whole.outputs.values() for dim in output.dims)}}
