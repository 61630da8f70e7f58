"""Cells whose parameters are uncertain, from Python: the program computes them as rows of a table."""
from __future__ import annotations

import os
import tempfile
from typing import Mapping

import numpy as np
import xarray as xr

from .. import checks
from ..errors import InputError
from ..library import binding as c
from ..library.binding import text
from ..library.theories import describe
from ..maps.dataset import to_degrees
from ..maps.typed import make_variable
from ..values import Array
from .arrays import Along, arrange, Cells, check_dims
from .choices import names_taken
from .inputs import Given, in_si, is_array, read_texts, words_of
from .running import run

ROW = "cell"


def solve_uncertain(theory: str, given: Given, uncertain: Mapping[str, object], outputs: list[str] | None,
                    cell_budget: int, degrees: bool, labels: bool) -> xr.Dataset:
    """The result of `solve(theory, uncertain=..., ...)`."""
    uncertain = checks.table("uncertain", uncertain)
    choices = {name: given.pop(name) for name in list(given) if name in describe(theory).choices}
    for name, value in choices.items():
        if is_array(value):
            raise InputError(f"'{name}' is a choice: with uncertain parameters give one option, and solve for each")
    drawn = replaced(uncertain)
    twice = [name for name in drawn if name in given]
    if twice:
        raise InputError(f"'{twice[0]}' is uncertain; give it as well only if it scatters about the value of the cell "
                         "('about': 'cell')")
    announced = {**choices, **given, **{name: np.zeros(1) for name in drawn}}
    given = {**given, **read_texts(theory, announced)}
    with c.Solver(theory, words_of(announced)) as solver:
        cells = arrange({name: in_si(solver, name, value) for name, value in given.items() if is_array(value)})
        check_dims(cells, names_taken(describe(theory)), {*describe(theory).inputs, *given})
        columns = columns_of(cells) or constant(solver, drawn)
        angles = {text(one.name) for one in solver.inputs if text(one.unit) == "rad"}
    fixed = {name: value for name, value in given.items() if not is_array(value) and name not in columns}
    config: dict[str, object] = {"model": theory, "choose": choices, "uncertain": dict(uncertain), "fixed": fixed}
    if outputs is not None:
        config["outputs"] = outputs
    if cell_budget:
        config["cell_budget"] = cell_budget
    return shaped(computed(config, columns, degrees, labels), cells, angles if degrees else set())


def replaced(uncertain: Mapping[str, object]) -> list[str]:
    """The parameters whose values are drawn, and not about those of the cells."""
    params = uncertain.get("params", [])
    return [str(one["param"]) for one in params if isinstance(one, Mapping) and "param" in one and "about" not in one
            ] if isinstance(params, (list, tuple)) else []


def columns_of(cells: Cells) -> dict[str, Array]:
    """Each input as a column with a row for each cell."""
    return {name: np.broadcast_to(values, cells.shape).ravel() for name, values in cells.inputs.items()}


def constant(solver: c.Solver, drawn: list[str]) -> dict[str, Array]:
    """A column of one row, where no input is an array: the first one that has a value."""
    for one, value in zip(solver.inputs, solver.values):
        if text(one.name) not in drawn and not np.isnan(value):
            return {text(one.name): np.array([value])}
    raise InputError("every parameter is uncertain; `run` takes a config without axes")


def computed(config: dict[str, object], columns: dict[str, Array], degrees: bool, labels: bool) -> xr.Dataset:
    with tempfile.TemporaryDirectory(prefix="impactsweep-") as folder:
        path = os.path.join(folder, "cells.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write(",".join(columns) + "\n")
            file.writelines(",".join(map(repr, row)) + "\n" for row in zip(*(one.tolist() for one in columns.values())))
        return run({**config, "axes": [{"table": path, "name": ROW}]}, degrees=degrees, labels=labels)


def shaped(data: xr.Dataset, cells: Cells, angles: set[str]) -> xr.Dataset:
    """Rows in the shape of the cells, with their coordinates."""
    def variable(one: xr.DataArray) -> xr.Variable:
        if ROW not in one.dims:
            return one.variable
        rest = [dim for dim in one.dims if dim != ROW]
        values = one.transpose(ROW, *rest).values
        return make_variable((*cells.dims, *rest), values.reshape((*cells.shape, *values.shape[1:])), one.attrs)

    coords: dict[str, object] = {str(name): one for name, one in data.coords.items() if ROW not in one.dims}
    coords.update(cells.coords)
    only: dict[str, Along] = {str(name): ((), one.values[0]) for name, one in data.coords.items()
            if one.dims == (ROW,) and name != ROW and not cells.dims}
    for name, (dims, values) in {**only, **cells.along}.items():
        values = np.asarray(values, float)
        attrs = data[name].attrs if name in data.coords else {}
        coords[name] = make_variable(dims, to_degrees(values) if name in angles and name not in only else values, attrs)
    return xr.Dataset({name: variable(one) for name, one in data.data_vars.items()}, coords, data.attrs)
