"""Scales without unit beside those in SI. A beam's columns and outputs have both: `force_si` and `force`."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from ..values import Reals
from . import labels
from .labels import spaced
from .wrapping import wrapped

SI = "_si"
# What a value in SI is multiplied by, and divided by, by its unit.
FACTORS = {"s": ("S", ""), "m": ("", "L"), "m/s": ("", r"L\,S"), "N": ("", r"E\,I/L^2"), "N s": ("", r"\mu\,L^2\,S")}
MEANINGS = {"E": "$E$: modulus", "I": "$I$: second moment", r"\mu": r"$\mu$: mass per length", "L": "$L$: length"}
SAME = 1e-6  # relative difference of ratios that are one


def plain_name(name: str) -> str | None:
    """The name of the same quantity without unit; None for a name that is not one in SI."""
    return name.removesuffix(SI) if name.endswith(SI) else None


def ratio_of(pairs: Iterable[tuple[Reals, Reals]]) -> float | None:
    """What values in SI are multiplied by to have no unit, from pairs of arrays; None where that differs."""
    ratios = []
    for si, plain in pairs:
        there = np.isfinite(si) & np.isfinite(plain) & (np.abs(si) > 0)
        ratios.append((plain[there] / si[there]).ravel())
    every = np.concatenate(ratios) if ratios else np.empty(0)
    return float(np.median(every)) if every.size and np.ptp(every) <= SAME * np.abs(every).max() else None


def power_of(largest: float) -> int:
    """The power of ten that numbers up to `largest` are divided by, so that ticks have few digits."""
    if not np.isfinite(largest) or largest == 0 or 0.01 <= largest < 1e4:
        return 0
    return int(3 * np.floor(np.log10(largest) / 3))


def label_of(name: str, unit: str, power: int) -> str:
    """As on an axis: force / (E I/L^2)."""
    over, under = FACTORS[unit]
    ten = rf"10^{{{power}}}" if power else ""
    if over:
        return f"{name} × ${over}/{ten}$" if ten else f"{name} × ${over}$"
    parts = [part for part in (ten, under) if part]
    product = r"\,".join(parts)
    return f"{name} / ${product}$" if len(product) == 1 else f"{name} / $({product})$"


def add(ax: Axes, direction: str, name: str, unit: str, ratio: float, largest: float, room: float | None = None) -> None:
    """The scale without unit on the far side of an axis. ratio: what its numbers are multiplied by; largest: the
    greatest number of the new scale; room: inches for its name."""
    power = power_of(largest)
    ratio /= 10.0 ** power
    functions = (lambda value: value * ratio, lambda value: value / ratio)
    far = (ax.secondary_xaxis("top", functions=functions) if direction == "x" else
           ax.secondary_yaxis("right", functions=functions))
    text = wrapped(label_of(spaced(name), unit, power), room)
    ruler, scale = (far.xaxis, ax.get_xscale()) if direction == "x" else (far.yaxis, ax.get_yscale())
    ruler.set_label_text(text)
    if scale == "linear":
        ruler.set_major_locator(MaxNLocator(6, steps=[1, 2, 2.5, 5, 10]))


def caption(units: Sequence[str], ratios: Sequence[float]) -> str:
    """What the symbols of the scales mean, of which each has a unit and a ratio. That of a time is S."""
    rate = dict(zip(units, ratios)).get("s")
    used = "".join(part for unit in units for part in FACTORS[unit])
    if not used:
        return ""
    with_rate = "S" in used
    text = [r"$S=(E\,I/(\mu\,L^4))^{1/2}$" +
            (f" = {labels.number_text(float(f'{rate:.6g}'))} s⁻¹" if rate else "")] if with_rate else []
    return ", ".join(text + [meaning for symbol, meaning in MEANINGS.items() if with_rate or symbol in used])
