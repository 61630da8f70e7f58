"""Histories as their figures need them: columns, phases, events, and the cell that they belong to."""
from __future__ import annotations

import csv
import dataclasses
from dataclasses import dataclass, field
from typing import TypeVar, Union, overload

import numpy as np
import xarray as xr

from ..errors import InputError
from ..values import Reals, Whole
from . import contents
from .contents import flags_of

CODES = ("phase", "event")
Input = Union[tuple[float, str], str]  # of the cell: the value of a parameter and its unit, or the option of a choice


Default = TypeVar("Default", float, None)


@dataclass
class History:
    """The history of one cell. The first column, time or impulse, grows along it."""
    columns: dict[str, Reals]
    units: dict[str, str]
    phases: list[str]  # name by row, "" for none
    events: list[str]
    phase_names: list[str]  # of the theory, in the order of its table
    inputs: dict[str, Input] = field(default_factory=dict)
    title: str = ""
    path: str = ""
    shares: dict[str, str] = field(default_factory=dict)  # {column that is a share of its greatest value: its name}

    @property
    def along(self) -> str:
        return next(iter(self.columns))

    @property
    def theory(self) -> str:
        return str(self.inputs.get("theory", ""))

    @overload
    def number(self, name: str) -> float | None: ...
    @overload
    def number(self, name: str, default: Default) -> float | Default: ...

    def number(self, name: str, default: float | None = None) -> float | None:
        """The value of a parameter."""
        value = self.inputs.get(name)
        return value[0] if isinstance(value, tuple) and np.isfinite(value[0]) else default


def read(path: str) -> list[History]:
    """The histories of a file, one for each of its cells."""
    contents.check_file(path, "history")
    found = read_table(path) if path.lower().endswith(".csv") else read_file(path)
    if not found or any(len(one.columns) < 2 or not one.phases for one in found):
        raise InputError(f"{path}: not a history of impactsweep, or one without rows")
    return [with_sizes(one) for one in found]


def with_sizes(history: History) -> History:
    """An impact in space with the sizes of the tangential force and impulse, which friction limits."""
    for kind in ("force", "impulse"):
        parts = [f"{kind}_1", f"{kind}_2"]
        if set(parts) <= set(history.columns):
            history.columns[f"tangential_{kind}"] = np.hypot(*(history.columns[name] for name in parts))
            history.units[f"tangential_{kind}"] = history.units[parts[0]]
    return history


# ----------------------------------------------------------------------------------------- CSV

def read_table(path: str) -> list[History]:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as reason:
        raise InputError(f"{path}: cannot be read ({contents.first_line(reason)})") from None
    remarks: dict[str, str] = {}
    for line in (line[2:] for line in lines if line.startswith("# ")):
        name, equals, value = line.partition(" = ")
        if equals:
            remarks[name] = value
    rows = list(csv.reader(line for line in lines if line and not line.startswith("#")))
    if len(rows) < 2 or tuple(rows[0][-2:]) != CODES:
        raise InputError(f"{path}: not a history of impactsweep, or one without rows")
    places = {name: place for place, name in enumerate(rows[0])}
    cells: dict[str, list[list[str]]] = {}
    for row in rows[1:]:
        cells.setdefault(row[places["cell"]] if "cell" in places else "", []).append(row)
    return [make_table(path, remarks, places, rows) for rows in cells.values()]


def make_table(path: str, remarks: dict[str, str], places: dict[str, int], rows: list[list[str]]) -> History:
    """The history of one cell. Inputs in which the cells differ are columns before those of the history."""
    differing = listed(remarks.get("inputs", ""))
    names = [name for name in places if name not in ("cell", *differing, *CODES)]
    units = dict(zip(names, listed(remarks.get("units", ""))))
    own = dict(zip(differing, listed(remarks.get("input_units", ""))))
    try:
        columns = {name: np.array([float(row[places[name]] or "nan") for row in rows]) for name in names}
        phases, events = ([row[places[name]] for row in rows] for name in CODES)
        inputs = {name: quantity_of(text) for name, text in remarks.items() if name not in REMARKS}
        inputs.update({name: quantity_of(f"{rows[0][places[name]]} {own.get(name, '')}") for name in differing})
    except (ValueError, IndexError):
        raise InputError(f"{path}: not a history of impactsweep: its table has a value that is not a "
                       "number") from None
    seen = dict.fromkeys(name for name in phases if name)
    known = listed(remarks.get("phases", ""))
    return History(columns, {name: units.get(name, "1") for name in names}, phases, events,
                   known + [name for name in seen if name not in known], inputs,
                   remarks.get("title", ""), path=path)


REMARKS = ("title", "outcome", "units", "phases", "events", "inputs", "input_units")


def listed(remark: str) -> list[str]:
    return [name for name in remark.split(", ") if name]


def quantity_of(remark: str) -> Input:
    """Value and unit of a parameter; the text of a choice."""
    value, _, unit = remark.partition(" ")
    try:
        return float(value), unit
    except ValueError:
        return remark.strip()


# ---------------------------------------------------------------------------------------- HDF5

def read_file(path: str) -> list[History]:
    with contents.open_file(path, "history") as data:
        if not set(CODES) <= set(data.variables) or len(data["phase"].dims) != 1:
            raise InputError(f"{path}: not a history of impactsweep")
        contents.load(data)
    cells = data["cell"].values if "cell" in data.variables else np.ones(data["phase"].size)
    return [make_history(path, data, np.flatnonzero(cells == cell)) for cell in np.unique(cells)]


def make_history(path: str, data: xr.Dataset, rows: Whole) -> History:
    along = str(data["phase"].dims[0])
    mine = data.isel({along: rows})
    names = ([] if "cell" in data.variables else [along]) + [
        str(name) for name in data.data_vars
        if data[name].dims == (along,) and name not in ("cell", *CODES)]
    inputs = {str(name): input_of(mine[name]) for name in mine.variables
              if name not in (along, "cell", *CODES, *names) and mine[name].dims in ((), (along,))}
    inputs["theory"] = str(data.attrs.get("theory", ""))
    return History({name: mine[name].values.astype(float) for name in names},
                   {name: unit_of(data, name) for name in names},
                   flag_texts(mine["phase"]), flag_texts(mine["event"]),
                   [name for code, name in sorted(flags_of(data["phase"]).items()) if code != 0],
                   inputs, str(data.attrs.get("title", "")), path)


def input_of(variable: xr.DataArray) -> Input:
    value = variable.values.ravel()[0] if variable.size else np.nan
    flags = flags_of(variable)
    return flags.get(int(value), str(value)) if flags else (
        float(value), str(variable.attrs.get("units", "1")))


def unit_of(data: xr.Dataset, name: str) -> str:
    return str(data[name].attrs.get("units", "1"))


def flag_texts(variable: xr.DataArray) -> list[str]:
    names = flags_of(variable)
    return ["" if code == 0 else names.get(code, f"code {code}") for code in
            variable.values.tolist()]


# ------------------------------------------------------------------------------------ the ends

SEPARATION, SAME_STATE = "separation", 1e-6  # relative to the greatest value of a column


def separates(history: History) -> bool:
    return history.events[-1] == SEPARATION


def last_period(history: History) -> Whole:
    """The rows of the last phase of a body that wedges, which is one period of its springs; empty for others."""
    start = next((row + 1 for row in range(len(history.phases) - 2, -1, -1)
                  if history.phases[row] != history.phases[-1]), 0)
    rows = np.arange(start, len(history.phases))
    state = [name for name in STATE if name in history.columns]
    again = state and all(abs(history.columns[name][start] - history.columns[name][-1])
                          <= SAME_STATE * np.abs(history.columns[name]).max() for name in state)
    return rows if again and len(rows) > 2 and not separates(history) else rows[:0]


STATE = ("u1", "u3", "tangential_velocity", "normal_velocity")


def continued(history: History, end: float) -> History:
    """A history up to the end of the axis: the period in which a body wedges comes again and again. Columns that grow,
    such as impulses, go on from where they were."""
    rows, along = last_period(history), history.columns[history.along]
    if not rows.size or along[-1] >= end:
        return history
    times = int(np.ceil((end - along[-1]) / (along[-1] - along[rows[0]])))
    columns = {name: np.concatenate([values, *(values[rows[1:]] + turn * (values[-1] - values[rows[0]])
                                               for turn in range(1, times + 1))])
               for name, values in history.columns.items()}
    keep = columns[history.along] <= end * (1 + 1e-12)
    phases = history.phases + [history.phases[row] for row in rows[1:]] * times
    number = int(keep.sum())
    return dataclasses.replace(
        history, columns={name: values[:number] for name, values in columns.items()},
        phases=phases[:number], events=(history.events + [""] * len(phases))[:number])
