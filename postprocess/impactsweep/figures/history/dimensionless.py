"""Units of histories: SI with a prefix that suits the numbers, or the dimensionless group where a cell
has no units.

A contact with a normal force k d^p, a mass m and a normal speed v has the time m^a k^-a v^(1-2a) with
a = 1/(p+1); lengths, forces, impulses and energies follow. A cell without units is computed with the
values that its file holds, 1 by default, so that the group is the column times their powers.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Union

import numpy as np

from ...maps.histories import History
from .. import labels

# Powers of mass, time and speed.
POWERS = {"time": (0, 1, 0), "force": (1, -1, 1), "impulse": (1, 0, 1), "energy": (1, 0, 2),
          "velocity": (0, 0, 1), "length": (0, 1, 1),
          "rate": (0, -1, 0)}
SYMBOLS = {"m": "m", "b": r"b_{nn}", "k": "k", "v": r"v_n"}
MEANINGS = {"m": "mass", "b": "inverse mass of the body along the normal", "k": "normal stiffness",
            "v": "normal speed at first touch"}
Powers = Mapping[str, Union[Fraction, int]]  # {symbol: its power}
LENGTHS = {"u1", "u3"}
PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M"}
PREFIXED = ("s", "m", "N", "J", "N s", "m/s")


def kind_of(name: str) -> str | None:
    """The physical quantity of a column by its name; None if it has none of these."""
    words = name.split("_")
    if name == "time":
        return "time"
    if "angular" in words or "angle" in words:
        return "rate" if "velocity" in words else None
    for kind, marks in (("force", ("force",)), ("impulse", ("impulse",)),
                        ("energy", ("energy", "work", "loss")), ("velocity", ("velocity", "speed", "v", "rate")),
                        ("length", ("elongation", "displacement", "indentation", "penetration"))):
        if any(mark in words for mark in marks):
            return kind
    return "length" if name in LENGTHS else None


@dataclass
class Group:
    """What a column is multiplied by: powers of the symbols, and their product in this cell."""
    powers: Powers
    factor: float

    @property
    def text(self) -> str:
        """As it follows the name of a column: × (k/m)^{1/2}, / (m v)."""
        above = {s: e for s, e in self.powers.items() if e > 0}
        below = {s: -e for s, e in self.powers.items() if e < 0}
        parts = []
        for power in [e for e in above.values() if e in below.values()]:
            pair = [{s: 1 for s, e in side.items() if e == power} for side in (above, below)]
            ratio = "/".join(map(product, pair))
            parts.append(ratio if power == 1 else f"({ratio})^{{{power}}}")
            above, below = ({s: e for s, e in side.items() if e != power} for side in (above, below))
        parts += [product(above)] if above else []
        under = product(below) if len(below) == 1 else f"({product(below)})"
        whole = r"\,".join(parts)
        if not below:
            return f"× ${whole}$"
        return f"× ${whole}/{under}$" if whole else f"/ ${under}$"


def product(powers: Powers) -> str:
    """A product of powers; symbols of one power share a bracket."""
    alike: dict[Fraction | int, list[str]] = {}
    for symbol, power in powers.items():
        alike.setdefault(power, []).append(SYMBOLS[symbol])
    parts = []
    for power, symbols in alike.items():
        text = r"\,".join(symbols)
        inner = f"({text})" if len(symbols) > 1 else text
        parts.append(text if power == 1 else f"{inner}^{{{power}}}")
    return r"\,".join(parts)


def exponent_of(history: History) -> float | None:
    """The power of the indentation in the normal force; None for a theory without an indentation."""
    if history.theory == "compliant":
        return 1.0 if history.inputs.get("law", "linear") in ("linear", "dashpot") else 1.5
    return {"continuum": 1.5, "compliant3d": 1.0,
            "viscoelastic": history.number("exponent", 1.0)}.get(history.theory)


def group_of(history: History, name: str) -> Group | None:
    """The group of a column without unit; None where it has none."""
    kind = kind_of(name)
    if name in history.shares or kind is None or history.units.get(name) != "1" or history.theory not in (
            "compliant", "continuum", "compliant3d", "viscoelastic", "rigid", "swerve"):
        return None
    power = exponent_of(history)
    if power is None and POWERS[kind][1]:
        return None
    mass, time, speed = POWERS[kind]
    a = 1 / (1 + Fraction(power or 1).limit_denominator(100))
    scale = {"m": mass + time * a, "k": -time * a, "v": speed - time * (1 - 2 * a)}
    b = next((history.number(one) for one in ("b33", "b22") if history.number(one)), None)
    values = {"m": history.number("mass", 1 if b is None else 1 / b),
              "k": history.number("normal_stiffness", 1), "v": history.number("normal_speed", 1)}
    inverse = {s: -e for s, e in scale.items() if e}
    factor = float(np.prod([values[s] ** float(e) for s, e in inverse.items()]))
    if b is not None and history.number("mass") is None and "m" in inverse:
        inverse = {"b": -inverse.pop("m"), **inverse}
    return Group(inverse, factor)


def prefix_of(unit: str, largest: float) -> tuple[float, str]:
    """(factor, unit) in which the numbers are neither tiny nor huge."""
    if unit not in PREFIXED or not np.isfinite(largest) or largest == 0 or 0.01 <= largest < 1e4:
        return 1.0, unit
    power = int(np.clip(3 * np.floor(np.log10(largest) / 3), -9, 6))
    return 10.0 ** -power, PREFIXES[power] + unit


def symbols_used(groups: Sequence[Group]) -> list[str]:
    return [symbol for symbol in MEANINGS if any(symbol in one.powers for one in groups)]


def caption(groups: Sequence[Group]) -> str:
    """What the symbols of the groups mean."""
    return labels.typeset("; ".join(f"${SYMBOLS[s]}$: {MEANINGS[s]}" for s in symbols_used(groups)))
