"""Measured impacts: columns under the user's own names and in his units, as the motion before and after.

Either the motion of the mass centre is measured (offset_t, offset_n, velocity_t_before, velocity_n_before,
spin_before, velocity_t_after, velocity_n_after, spin_after) or that of the contact point
(contact_velocity_t_before, contact_velocity_n_before, contact_velocity_t_after, contact_velocity_n_after). n points
out of the plane into the body, t along it; spin is positive from t to n; offsets run from the mass centre to the
contact point.
"""
from __future__ import annotations

import difflib
import math
import os
from dataclasses import dataclass, field
from typing import Mapping, Sequence, TypeAlias, Union

import numpy as np
import pandas as pd

from .. import checks
from ..errors import InputError
from ..library import units
from ..maps import csv_files
from ..solving.inputs import array_of, normal
from ..values import Array, PathLike, Reals as Reals

STATES = ("velocity_t_before", "velocity_n_before", "spin_before",
          "velocity_t_after", "velocity_n_after", "spin_after")
OF_CENTRE = ("offset_t", "offset_n", *STATES)
OF_CONTACT = tuple(f"contact_{name}" for name in STATES if name.startswith("velocity"))
# Cells of a column, numbers or texts, and its unit if the data state one.
Column = tuple[Sequence[Union[str, float]], Union[str, None]]
Data: TypeAlias = Union[PathLike, pd.DataFrame, Mapping[str, object]]
Motion = Union[Sequence[Reals], Reals]  # [t, n, ...][...impact]
UNITS_OF = {"offset": "m", "velocity": "m/s", "spin": "rad/s"}  # by the first word of a quantity


@dataclass
class Impacts:
    """Measured impacts in SI. before, after: [t, n, spin][impact]; the spin is that of the body, and absent where
    the motion of the contact point alone is known. inputs: of the theory, one value for each impact."""
    before: Reals
    after: Reals
    offsets: Reals | None
    inputs: dict[str, Reals] = field(default_factory=dict)

    def __len__(self) -> int:
        return int(self.before.shape[1])

    @property
    def contact(self) -> Reals:
        """Velocity of the contact point before: [t, n][impact]."""
        return self.before[:2] if self.offsets is None else at_contact(self.before, self.offsets)

    def take(self, chosen: Array | slice) -> Impacts:
        return Impacts(self.before[:, chosen], self.after[:, chosen],
                       None if self.offsets is None else self.offsets[:, chosen],
                       {name: values[chosen] for name, values in self.inputs.items()})

    def cells(self) -> dict[str, Reals]:
        """Inputs of a theory whose body is a lamina, or one that `inputs` describes."""
        tangential, normal = self.contact
        known = {"velocity_ratio": tangential / -normal, "normal_speed": -normal, **self.inputs}
        return known if self.offsets is None else {
            "offset_t": self.offsets[0], "offset_n": self.offsets[1], **known}

    def motion_after(self, contact_after: Motion, gyration_radius: Reals | float | None = None) -> Motion:
        """What the whole motion is after when the contact point leaves with these velocities, [t, n][...impact]."""
        if self.offsets is None:
            return contact_after
        assert gyration_radius is not None
        offset_t, offset_n = (offset / gyration_radius for offset in self.offsets)
        change_t, change_n = (after - before for after, before in zip(contact_after, self.contact))
        b11, b12, b22 = 1 + offset_n**2, -offset_t * offset_n, 1 + offset_t**2
        determinant = 1 + offset_t**2 + offset_n**2
        impulse_t = (b22 * change_t - b12 * change_n) / determinant
        impulse_n = (b11 * change_n - b12 * change_t) / determinant
        spin = (offset_t * impulse_n - offset_n * impulse_t) / gyration_radius
        return self.before[0] + impulse_t, self.before[1] + impulse_n, self.before[2] + spin

    def errors(self, contact_after: Motion, gyration_radius: Reals | float | None = None) -> Reals:
        """Relative errors, [...impact]: the root of the kinetic energy of the error of the motion after over
        that of the motion before (of the contact point: its speed)."""
        scale: tuple[Reals | float, ...] = (1, 1)
        if self.offsets is not None and gyration_radius is not None:
            scale = 1, 1, gyration_radius
        predicted = self.motion_after(contact_after, gyration_radius)
        error = sum(np.square(size * (one - other))
                    for size, one, other in zip(scale, predicted, self.after))
        whole = sum(np.square(size * one) for size, one in zip(scale, self.before))
        return np.asarray(np.sqrt(error / whole), dtype=np.float64)


def at_contact(motion: Reals, offsets: Reals) -> Reals:
    """Velocity of the contact point: [t, n][impact]."""
    return np.array([motion[0] - motion[2] * offsets[1], motion[1] + motion[2] * offsets[0]])


# -------------------------------------------------------------------------------------- the data

@checks.public
def read(data: Data, columns: Mapping[str, object] | None = None) -> Impacts:
    """Impacts from a CSV file, a DataFrame, or a dict of columns.

    columns: {quantity: column} or {quantity: (column, unit)} where the data use names or units of their own; the
        head of a column may bear its unit, `vx [mm/s]`. Parameters of the theory may be columns too.

    Raises:
        InputError: every column that is missing, every cell that is no number, every impact that is none.
    """
    table, rows = columns_of(data)
    columns = checks.table("columns", columns)
    of_centre = not any(name in columns or name in table for name in OF_CONTACT)
    needed = OF_CENTRE if of_centre else OF_CONTACT
    others = OF_CONTACT if of_centre else STATES
    wrong = [f"'{name}' does not go with the motion of the {'mass centre' if of_centre else 'contact point'}"
             for name in columns if name in others]
    values: dict[str, Reals] = {}
    for name in dict.fromkeys([*needed, *columns]):
        try:
            values[name] = column(table, rows, name, columns.get(name, name))
        except InputError as reason:
            wrong.append(str(reason))
    if wrong:
        raise InputError("\n".join(wrong))
    return checked(values, of_centre)


def checked(values: dict[str, Reals], of_centre: bool) -> Impacts:
    quantities = [values.pop(name) for name in (OF_CENTRE if of_centre else OF_CONTACT)]
    offsets = np.array(quantities[:2]) if of_centre else None
    motion = np.array(quantities[2:] if of_centre else quantities)
    half = len(motion) // 2
    impacts = Impacts(motion[:half], motion[half:], offsets, values)
    if not len(impacts):
        raise InputError("the data have no impact")
    away = np.flatnonzero(~(impacts.contact[1] < 0))
    if away.size:
        raise InputError("\n".join(
            f"impact {row + 1}: the contact point does not approach the plane (normal velocity "
            f"{impacts.contact[1][row]:g} m/s, must be below 0)" for row in away[:20]))
    return impacts


def unit_of(name: str) -> str | None:
    """The unit in SI of a quantity of the motion; None for a parameter, which may have any."""
    return UNITS_OF.get(name.removeprefix("contact_").partition("_")[0])


def quantity(value: object, name: str, unit: str) -> float:
    """A number in SI, from itself or from a text such as "30 deg"."""
    if isinstance(value, str):
        found = units.read(checks.text(name, value), unit)
        if found is None:
            raise InputError(f"{name}: {checks.shown(value)} is not a number{f', or its unit is not one of {unit}' if unit != '1' else ''}")
    else:
        found = float(checks.number(name, value))
    if not math.isfinite(found):
        raise InputError(f"{name} is {checks.shown(value)}, which is not finite")
    return found


def columns_of(data: Data) -> tuple[Mapping[str, Column], list[str]]:
    """{name: (cells, unit or None)} of whatever holds the data, and what rows are called in messages."""
    if isinstance(data, (str, os.PathLike)):
        table, lines = csv_files.read(checks.path("data", data), "table of impacts")
        return table, [f"{data}:{line}" for line in lines]
    if not isinstance(data, (Mapping, pd.DataFrame)):
        raise InputError(f"data is {checks.shown(data)}; it must be a path, a DataFrame or a dict of columns")
    names = data.columns if isinstance(data, pd.DataFrame) else data
    found: dict[str, Column] = {str(name): (numbers(str(name), data[name]), None) for name in names}
    lengths = {name: len(cells) for name, (cells, _) in found.items()}
    if len(set(lengths.values())) > 1:
        raise InputError(f"columns differ in length: {lengths}")
    return found, [f"row {row}" for row in range(1, max(lengths.values(), default=0) + 1)]


def numbers(name: str, cells: object) -> list[str | float]:
    """A column as a list."""
    try:
        values = normal(name, array_of(cells))
    except InputError:
        raise
    except Exception as reason:  # objects of users may raise anything when they are read
        raise InputError(f"column '{name}' is {checks.shown(cells)}; it must hold numbers ({reason})") from None
    return list(values.ravel().tolist())


def column(table: Mapping[str, Column], rows: Sequence[str], name: str, asked: object) -> Reals:
    """Values in SI."""
    pair = (asked, None) if isinstance(asked, str) else asked
    if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not isinstance(pair[0], str):
        raise InputError(f"{name}: {checks.shown(asked)} is neither a column nor (column, unit)")
    wanted, unit = pair
    if wanted not in table:
        close = difflib.get_close_matches(wanted, table, 1, 0.6)
        guess = f" (did you mean '{close[0]}'?)" if close else ""
        raise InputError(f"{name}: the data have no column '{checks.brief(wanted)}'{guess}; there are: {', '.join(table)}")
    cells, stated = table[wanted]
    unit = unit if unit is not None else stated or ""
    scale = scale_of(name, unit)
    values = np.array([csv_files.number(text, f"{row}, column '{wanted}'") for row, text in zip(rows, cells)])
    if not np.isfinite(values).all():
        row = rows[int(np.flatnonzero(~np.isfinite(values))[0])]
        raise InputError(f"{row}, column '{wanted}': the value is missing")
    return np.asarray(values * scale, dtype=np.float64)


def scale_of(name: str, unit: str) -> float:
    """By what the values of a column are multiplied to be in SI."""
    own = unit_of(name)
    known = units.unit_of(checks.text(f"the unit of {name}", unit))
    if known is None:
        raise InputError(f"{name}: unknown unit {checks.shown(unit)}{'; its unit is ' + own if own else ''}")
    scale = known.factor * 10.0 ** known.tens if own is None or not unit else units.factor(unit, own)
    if scale is None:
        raise InputError(f"{name}: {checks.shown(unit)} is the unit of another quantity; its unit is {own}")
    return float(scale)
