"""Numbers with units, as src/base/number.c reads them: "19.4 mm", "4.7 N/mm", "2 N/mm^1.5", "90 deg/s", "50/s". For scripts and
data that need no library."""
from __future__ import annotations

import functools
import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
QUANTITY = re.compile(rf"\s*({NUMBER})\s*(\S.*?)?\s*")
TOKEN = re.compile(r"([^\W\d_]+|1)|([(*/ )])")
POWER = re.compile(r"\^(-?[\d.]{1,3})")
NAMED_POWER = re.compile(r"\^([A-Za-z_]\w*)$")
MOST_POWER = 8


class Unit(NamedTuple):
    """factor 10^tens kg^a m^b s^c rad^d"""
    factor: float
    tens: float
    powers: tuple[float, float, float, float]


NONE = Unit(1.0, 0, (0, 0, 0, 0))
PREFIXED = {"g": Unit(1.0, -3, (1, 0, 0, 0)), "m": Unit(1.0, 0, (0, 1, 0, 0)), "s": Unit(1.0, 0, (0, 0, 1, 0)),
            "rad": Unit(1.0, 0, (0, 0, 0, 1)), "N": Unit(1.0, 0, (1, 1, -2, 0)),
            "Pa": Unit(1.0, 0, (1, -1, -2, 0)), "J": Unit(1.0, 0, (1, 2, -2, 0))}
PREFIXES = {"": 0, "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "c": -2, "k": 3, "M": 6, "G": 9}
OTHERS = {"1": NONE, "lb": Unit(0.45359237, 0, (1, 0, 0, 0)), "in": Unit(0.0254, 0, (0, 1, 0, 0)),
          "ft": Unit(0.3048, 0, (0, 1, 0, 0)), "deg": Unit(math.pi / 180, 0, (0, 0, 0, 1)),
          "rpm": Unit(math.pi / 30, 0, (0, 0, -1, 1))}
UNITS = {**{prefix + name: Unit(1.0, one.tens + tens, one.powers) for name, one in PREFIXED.items()
            for prefix, tens in PREFIXES.items()}, **OTHERS}


def raised(unit: Unit, power: float) -> Unit:
    return Unit(unit.factor ** power, unit.tens * power, (power * unit.powers[0], power * unit.powers[1],
                                                          power * unit.powers[2], power * unit.powers[3]))


def times(one: Unit, other: Unit) -> Unit:
    return Unit(one.factor * other.factor, one.tens + other.tens,
                (one.powers[0] + other.powers[0], one.powers[1] + other.powers[1], one.powers[2] + other.powers[2],
                 one.powers[3] + other.powers[3]))


class Reader:
    def __init__(self, text: str):
        self.rest = text

    def take(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.rest)
        if not found:
            raise ValueError
        self.rest = self.rest[found.end():]
        return found[found.lastindex or 0]

    def factor(self, depth: int) -> Unit:
        word = self.take(TOKEN)
        if word == "(" and depth < 4:
            unit = self.product(depth + 1)
            if self.take(TOKEN) != ")":
                raise ValueError
        elif word in UNITS:
            unit = UNITS[word]
        else:
            raise ValueError
        power = float(self.take(POWER)) if self.rest.startswith("^") else 1
        if abs(power) > MOST_POWER or 2 * power != int(2 * power):
            raise ValueError
        return raised(unit, power)

    def product(self, depth: int = 0) -> Unit:
        unit = self.factor(depth)
        while self.rest and not self.rest.startswith(")"):
            sign = self.take(TOKEN)
            if sign not in ("/", "*", " "):
                raise ValueError
            unit = times(unit, raised(self.factor(depth), -1 if sign == "/" else 1))
        return unit


@functools.lru_cache(maxsize=256)
def unit_of(text: str) -> Unit | None:
    """None if the text is no unit."""
    if not text:
        return NONE
    reader = Reader(text)
    try:
        unit = reader.product()
    except ValueError:
        return None
    return None if reader.rest else unit


def factor(text: str, si: str) -> float | None:
    """By what a value in a unit is multiplied to be in another one; None where the two are unlike."""
    unit, own = unit_of(text), unit_of(si)
    if unit is None or own is None or unit.powers != own.powers:
        return None
    return float(unit.factor * 10.0 ** (unit.tens - own.tens))


def with_power(unit: str, values: Mapping[str, float]) -> str:
    """The unit of a parameter whose power may be the value of another one: N/m^1.5 of N/m^exponent where the exponent is
    1.5. The power stays a name where that has no value, or NaN."""
    found = NAMED_POWER.search(unit)
    value = values.get(found[1], math.nan) if found else math.nan
    if not found or math.isnan(value):
        return unit
    return unit[:found.start()] + ("" if value == 1 else f"^{int(value) if value == int(value) else value!r}")


def read(text: str, si: str | None) -> float | None:
    """A number with an optional unit, in the unit `si`, or in SI where this is None; None if the text is none."""
    match = QUANTITY.fullmatch(text)
    words = (match[2] or "") if match else ""
    unit = unit_of(f"1{words}" if words.startswith("/") else words)
    own = unit_of(si) if si is not None else unit and Unit(1.0, 0, unit.powers)
    if not match or unit is None or match[2] and (own is None or unit.powers != own.powers):
        return None
    if not match[2] or own is None or not math.isfinite(float(match[1])):
        return float(match[1])
    tens = unit.tens - own.tens
    whole = math.floor(tens)
    try:  # the decimal point moves in the text, so that 19.4 mm is 0.0194
        return float(float(Decimal(match[1]).scaleb(whole)) * 10 ** (tens - whole) * unit.factor)
    except ArithmeticError:
        return float(float(match[1]) * 10.0 ** tens * unit.factor)
