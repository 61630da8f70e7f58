"""Which of the places that a search found at neighbouring points of an axis are one point that moves: the numbers of
junctions and turning points say only in which order they lie, so curves by number would join different points."""
from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import xarray as xr

from ..maps import contents
from ..maps.planes import SCALES
from ..maps.refined import text_of
from ..values import Array

FARTHEST = 0.25   # share of the range of a parameter beyond which two places are two points
UNLIKE = 0.1      # as far off, in shares of the range, a place counts where all values around it are others
NOBODY = -1       # the number of a place that a curve does not have
Spread = Callable[[xr.DataArray], Array]


def ranges_of(data: xr.Dataset) -> dict[str, tuple[float, float, bool]]:
    """{parameter: ends of its range, whether it is searched by ratios} of a search for junctions or turning points; empty for others."""
    text = text_of(data.attrs.get("search", ""))
    found = re.findall(r" over (\w+) from (\S+) to (\S+) \(\d+ samples(, log)?\)", text_of(data.attrs.get("fingerprint", "")))
    moving = text.startswith(("junction ", "turning "))
    return {name: (float(low), float(high), bool(log)) for name, low, high, log in found} if moving else {}


def numbers_of(data: xr.Dataset, part: xr.Dataset, number: str, spread: Spread) -> Array | None:
    """[curve][...][x]: which place of [number] each curve has along the last dimension, NOBODY where it has none. None where
    the file does not say where places are. spread: a variable of one number as an array that ends along the curves."""
    spans = {f"at_{name}": span for name, span in ranges_of(data).items()}
    spans = {name: span for name, span in spans.items() if name in part and number in part[name].dims}
    if not spans:
        return None

    def whole(name: str) -> Array:
        return np.stack([spread(part[name].isel({number: k})) for k in range(part.sizes[number])]).astype(float)
    places = np.stack([unit(whole(name), span) for name, span in spans.items()])
    around = [whole(str(name)) for name in part.data_vars if number in part[name].dims and (
        re.fullmatch(r"meets_\d+", str(name)))]
    sides = [whole(name) for name in ("side_above", "side_below") if name in part]
    kind = whole("turning_kind") if "turning_kind" in part else np.zeros(places.shape[1:])
    shape = kind.shape
    flat = [np.reshape(one, (-1, shape[0], int(np.prod(shape[1:-1])), shape[-1])) for one in (
        places, np.array(around), np.array(sides), kind)]
    lines = [follow(*(one[:, :, k] for one in flat)) for k in range(flat[0].shape[2])]
    most = max(len(line) for line in lines)
    filled = [np.pad(line, ((0, most - len(line)), (0, 0)), constant_values=NOBODY) for line in lines]
    return np.asarray(np.stack(filled, axis=1).reshape(most, *shape[1:]))


def unit(values: Array, span: tuple[float, float, bool]) -> Array:
    """From 0 to 1 along the range."""
    low, high, log = span
    scale, _ = SCALES[log]
    first, last = scale(np.array([low, high]))
    return np.asarray((scale(values) - first) / (last - first))


def follow(places: Array, around: Array, sides: Array, kind: Array) -> Array:
    """[curve][x] of the numbers of places [parameter][number][x]. around: the values that meet [sector][number][x], in any
    order, 0 for none; sides: values [side][number][x], in order; kind: [1][number][x] what never changes along a curve."""
    there = np.isfinite(places).all(0)
    curves = np.full((0, there.shape[1]), NOBODY)
    for x in range(there.shape[1]):
        new = np.flatnonzero(there[:, x])
        before = np.flatnonzero(curves[:, x - 1] != NOBODY) if x else np.zeros(0, int)
        numbers = curves[before, x - 1]
        near = pairs(places[:, numbers, x - 1], places[:, new, x], unlike(around, sides, (numbers, x - 1), (new, x)),
                     kind[0, numbers, x - 1][:, None] == kind[0, new, x])
        left = [int(k) for k in new[[k for k in range(len(new)) if k not in near.values()]]]
        for one, other in near.items():
            curves[before[one], x] = new[other]
        free = [k for k in range(len(curves)) if k not in before]
        missing = max(0, len(left) - len(free))
        curves = np.pad(curves, ((0, missing), (0, 0)), constant_values=NOBODY)
        free += range(len(curves) - missing, len(curves))
        curves[free[:len(left)], x] = left
    return curves


def pairs(old: Array, new: Array, other: Array, allowed: Array) -> dict[int, int]:
    """{place of old: place of new}, each of [parameter][place], the nearest ones first. other: share of the values around two
    places that differ."""
    away = abs(old[:, :, None] - new[:, None, :])
    cost = np.sqrt((away ** 2).sum(0)) + UNLIKE * other
    allowed = allowed & (away <= FARTHEST).all(0)
    found: dict[int, int] = {}
    for one, second in zip(*np.unravel_index(np.argsort(cost, axis=None, kind="stable"), cost.shape)):
        if allowed[one, second] and int(one) not in found and int(second) not in found.values():
            found[int(one)] = int(second)
    return found


def unlike(around: Array, sides: Array, old: tuple[Array, int], new: tuple[Array, int]) -> Array:
    """[old][new]: the share of the values around two places that differ, from 0 to 1; 0 where nothing is known."""
    share = np.zeros((len(old[0]), len(new[0])))
    if len(sides):
        share += (sides[:, old[0], old[1]][:, :, None] != sides[:, new[0], new[1]][:, None, :]).mean(0)
    if len(around):
        first, second = ([set(row[np.nan_to_num(row) != 0].tolist()) for row in around[:, numbers, x].T] for numbers, x in (old, new))
        share += np.reshape([1 - len(one & other) / max(1, len(one | other)) for one in first for other in second], share.shape)
    return share


def taken(values: Array, numbers: Array) -> Array:
    """[curve][...][x] of values [number][...][x]; NaN where a curve has no place."""
    return np.where(numbers == NOBODY, np.nan, np.take_along_axis(values, np.maximum(numbers, 0), axis=0))
