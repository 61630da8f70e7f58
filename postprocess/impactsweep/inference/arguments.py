"""What a fit is asked for: its keywords, ranges and losses, checked."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterable, Mapping, Sequence, TypedDict

import numpy as np

from .. import checks
from ..errors import InputError
from ..library import units
from ..library.theories import describe
from ..values import Reals
from . import impacts as measured


@dataclass(frozen=True)
class Range:
    """What one parameter may be; x is its place, from 0 to 1."""
    low: float
    high: float
    logarithmic: bool = False

    def value(self, x: Reals) -> Reals:
        x = np.clip(x, 0, 1)
        return np.asarray(self.low * (self.high / self.low) ** x if self.logarithmic
                          else self.low + (self.high - self.low) * x)


class Solver(TypedDict, total=False):
    """Keywords of `solve`."""
    cell_budget: int
    variables: dict[str, str]


@dataclass
class Asked:
    """The arguments of a fit in SI, and its options of the solver."""
    impacts: measured.Impacts
    theory: str
    choose: dict[str, str]
    fixed: dict[str, float | str]  # numbers and formulas
    ranges: dict[str, Range]
    per_impact: list[str]
    ranks: int
    solver: Solver


def refuse_keywords(theory: str, others: Iterable[str], known: Iterable[str]) -> None:
    """Parameters and choices are not keywords of a fit, though they are of `solve`."""
    table, wrong = describe(theory), []
    for name in others:
        if name in table.inputs:
            where = f"'{name}' is a parameter: write fixed={{'{name}': ...}}, or over={{'{name}': (low, high)}} to fit it"
        elif name in table.choices:
            where = f"'{name}' is a choice: write choose={{'{name}': ...}}"
        else:
            where = f"unknown keyword '{checks.brief(name)}'{checks.hint(name, known)}"
        wrong.append(f"fit: {where}")
    if wrong:
        raise InputError("\n".join(wrong))


def read(data: measured.Data | measured.Impacts, columns: Mapping[str, object] | None) -> measured.Impacts:
    return data if isinstance(data, measured.Impacts) else measured.read(data, columns)


def quantities(theory: str, fixed: Mapping[str, object], variables: dict[str, str],
               choose: Mapping[str, str]) -> dict[str, float | str]:
    """Values in SI by the units of the theory's parameters, and formulas as they are."""
    wrong: list[str] = []
    found: dict[str, float | str] = {}
    for name, value in checks.table("fixed", fixed).items():
        try:
            unit = unit_of(theory, name, variables, choose, fixed)
            found[name] = formula_of(value) or measured.quantity(value, name, unit)
            if formula_of(value) and name == "restitution" and name not in describe(theory).inputs:
                wrong.append("restitution follows a formula; it scales the impulses of the theory, and must be a number")
        except InputError as reason:
            wrong.append(str(reason))
    if wrong:
        raise InputError("\n".join(wrong))
    return found


def formula_of(value: object) -> str | None:
    """The text of a formula, which begins with "="; None for any other value."""
    return value if isinstance(value, str) and value.lstrip().startswith("=") else None


def power_of(value: object) -> float:
    """The power of a unit; NaN for what is none."""
    try:
        return float(value) if isinstance(value, (int, float)) else math.nan
    except OverflowError:
        return math.nan


def unit_of(theory: str, name: str, variables: dict[str, str], choose: Mapping[str, str],
            fixed: Mapping[str, object]) -> str:
    """The unit of a parameter under these choices, and with the powers that are fixed or have their defaults."""
    table = describe(theory)
    inputs = table.inputs
    if name in inputs:
        words = {f"{choice.name}={choose.get(choice.name, choice.default)}" for choice in table.choices.values()}
        own = next((one for one in inputs[name].variants if not one.applies_to or words & set(one.applies_to)), inputs[name])
        known: dict[str, object] = {**{other: one.default for other, one in inputs.items()}, **fixed}
        return units.with_power(own.unit, {other: power_of(value) for other, value in known.items()})
    if name in variables:
        return variables[name]
    if name != "restitution":  # which scales the impulses of a theory that has none
        raise InputError(f"unknown parameter '{checks.brief(name)}'{checks.hint(name, [*inputs, *variables])}")
    return "1"


def ranges(theory: str, over: Mapping[str, Sequence[object]], variables: dict[str, str], choose: Mapping[str, str],
           fixed: Mapping[str, object]) -> dict[str, Range]:
    wrong: list[str] = []
    found: dict[str, Range] = {}
    known = {**checks.table("fixed", fixed), **{name: None for name in checks.table("over", over)}}
    for name, limits in checks.table("over", over).items():
        try:
            found[name] = range_of(name, limits, unit_of(theory, name, variables, choose, known))
        except InputError as reason:
            wrong.append(str(reason))
    if wrong:
        raise InputError("\n".join(wrong))
    if not found:
        raise InputError("over is empty: nothing to fit")
    return found


def range_of(name: str, limits: Sequence[object], unit: str) -> Range:
    wrong = InputError(f"over: {name}: {checks.shown(limits)} is no range: (low, high) with low < high, or "
                       "(low, high, 'log') with low > 0")
    ends = checks.items(limits)
    if ends is None or not 2 <= len(ends) <= 3:
        raise wrong
    rest = ends[2:]
    low, high = (measured.quantity(end, name, unit) for end in ends[:2])
    logarithmic = len(rest) == 1 and isinstance(rest[0], str) and rest[0] == "log"
    if not low < high or not math.isfinite(high - low) or (rest and not logarithmic) or (logarithmic and low <= 0):
        raise wrong
    return Range(low, high, logarithmic)


def check_together(asked: Asked, folds: int) -> None:
    """What depends on more than one argument."""
    wrong = [f"per_impact: '{checks.brief(name)}' is not in over, which has: {', '.join(asked.ranges)}"
             for name in asked.per_impact if name not in asked.ranges]
    wrong += [f"'{name}' is both fixed and in over" for name in asked.fixed if name in asked.ranges]
    if asked.impacts.offsets is not None and "gyration_radius" not in {*asked.fixed, *asked.ranges}:
        wrong.append("gyration_radius is needed, fixed or in over: the spin of the mass centre is measured")
    if folds > len(asked.impacts):
        wrong.append(f"folds is {folds}; it must be a whole number, from 2 to {len(asked.impacts)}, the number of impacts")
    if wrong:
        raise InputError("\n".join(wrong))
