"""Figures of differences and ratios: every value of a map beside that at one point of an axis, such as one case, law or
body, or beside that of another map."""
from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Union

import numpy as np
import xarray as xr

from ..errors import InputError
from ..maps import compare, contents
from ..maps.codes import common_names_of
from ..maps.contents import SOLVED, coordinate, flags_of, unknown
from ..values import Attributes
from . import labels, settings, slicing
from .baseline import Against

MOST_VALUES = 3e7   # of all outputs of a map that are computed at once; of a larger map only those that are drawn
MOST_PAIRS = 9      # of names that differ; rarer ones have one name
Wanted = Sequence[Union[str, None]]  # names of fields
Two = tuple[xr.DataArray, xr.DataArray]
SAME, OTHERS = "the_same", "other_pairs"


def open_map(path: str, wanted: Wanted = ()) -> xr.Dataset:
    """A map, of which --minus takes one point of an axis or another map away; wanted: the names of the fields to draw."""
    data, asked = contents.open_map(path), settings.now()
    if asked.against and asked.over:
        raise InputError(f"{asked.against.option} does not go with --over, whose files have no differences")
    return taken(data, asked.against, wanted) if asked.against else data


@dataclass
class Pair:
    """Two maps over the same cells: the values to compare with, and those that are compared."""
    mine: xr.Dataset
    others: xr.Dataset
    name: str    # of the first
    dims: tuple[str, ...]  # those whose outputs are compared: a point of an axis says nothing of outputs without that axis

    def load(self, field: str) -> Two:
        return contents.load(self.mine[field]), contents.load(self.others[field])


def taken(data: xr.Dataset, against: Against, wanted: Wanted = ()) -> xr.Dataset:
    """The map of differences. Real outputs are subtracted or divided; of categories and sequences it is told where
    they differ."""
    for field in filter(None, wanted):
        contents.derive(data, field)
    pair = (with_file if against.is_file else at_point)(data, against, wanted)
    out = pair.others.drop_vars([one for one in contents.fields_of(pair.others)])
    outcome = pair.load("outcome") if "outcome" in pair.others else None
    for field in fields_to_compute(pair.others, wanted):
        if field != "outcome" and set(pair.dims) <= set(pair.others[field].dims) and field in pair.mine:
            out[field] = compared(pair, field, against, outcome)
    if outcome is not None:
        mine, others = outcome
        out["outcome"] = others.where(others != SOLVED, mine).transpose(*data["outcome"].dims).assign_attrs(
            data["outcome"].attrs)
    out.attrs.update(title=f"{data.attrs.get('title', '')}, {against.sign} {pair.name}")
    out.set_close(data.close)
    return out


def at_point(data: xr.Dataset, against: Against, wanted: Wanted) -> Pair:
    dim, place = place_of(data, against)
    left = [index for index in range(data.sizes[dim]) if index != place]
    if not left:
        raise InputError(f"{against.option} {against.text}: the axis '{dim}' has no other point")
    return Pair(data.isel({dim: place}, drop=True), data.isel({dim: left}), labels.point_value(data, dim, place), (dim,))


def with_file(data: xr.Dataset, against: Against, wanted: Wanted) -> Pair:
    """The common cells of both maps, as `compare` finds them."""
    with contents.open_map(against.text) as other:
        for field in filter(None, wanted):
            contents.derive(other, field)
        for which, one in (("the map", data), (against.text, other)):
            if "outcome" not in one:
                raise InputError(f"{against.option} {against.text}: {which} has no outcomes of cells on a grid")
        theirs, mine = compare.on_common_cells(data, other)
        mine = mine.drop_vars([name for name in mine.coords if name not in theirs.dims]).assign_coords(
            {name: theirs[name] for name in theirs["outcome"].dims if name in theirs.coords})
        shared = [field for field in ("outcome", *fields_to_compute(theirs, wanted)) if field in mine]
        mine = mine[shared].load()
    theirs.encoding.pop("source", None)  # whose curves would say nothing of the other map
    return Pair(mine, theirs, os.path.basename(against.text), ())


def place_of(data: xr.Dataset, against: Against) -> tuple[str, int]:
    """(axis, index) of AXIS=VALUE, or of an option of a choice on an axis."""
    text, option = against.text, against.option
    dims = [str(dim) for dim in data["outcome" if "outcome" in data else contents.default_field(data)].dims]
    axis, equals, value = (part.strip() for part in text.partition("="))
    if equals:
        found = slicing.parse_slices(data, dims, [f"{axis}={value}"], [])
        return axis, found[axis]
    having = {dim: names.index(axis) for dim in dims if axis in (names := options_of(data, dim))}
    if len(having) != 1:
        names = [f"{dim}={one}" for dim in dims for one in options_of(data, dim) if not having or dim in having]
        raise InputError(f"{option} {axis}: several axes have it; write AXIS=VALUE" if having else
                         f"{option} {axis}: {unknown('option on an axis', axis, names)}" if names else
                         f"{option} {axis}: no axis carries a choice; write AXIS=VALUE")
    return next(iter(having.items()))


def options_of(data: xr.Dataset, dim: str) -> list[str]:
    points = coordinate(data, dim)
    return [flags_of(points).get(int(code), str(code)) for code in points.values] if flags_of(points) else []


def fields_to_compute(data: xr.Dataset, wanted: Wanted) -> list[str]:
    fields = contents.fields_of(data)
    size = sum(data[field].size for field in fields)
    usual = {*filter(None, wanted), contents.default_field(data), "mode", "outcome"}
    return [field for field in fields if size <= MOST_VALUES or field in usual]


def compared(pair: Pair, field: str, against: Against, outcome: Two | None) -> xr.DataArray:
    mine, others = pair.load(field)
    attrs, dims = dict(others.attrs), others.dims
    solved = True if outcome is None else (outcome[0] == SOLVED) & (outcome[1] == SOLVED)
    if attrs.get("units") == "1" and field == "sequence" or flags_of(others):
        mine, names = same_codes(mine, flags_of(mine), flags_of(others), {**common_names_of(mine), **common_names_of(others)})
        found, more = disagreement(mine, others, solved, names)
    else:
        found = against.change(others, mine, attrs.get("units"))
        more = {"long_name": f"{labels.words_of(others)}, {against.sign} that of {pair.name}"}
        attrs["units"] = "1" if against.ratio and "units" in attrs else attrs.get("units", "1")
    return found.transpose(*dims).assign_attrs({**attrs, **more})


def same_codes(mine: xr.DataArray, own: dict[int, str], names: dict[int, str],
               common: dict[str, str]) -> tuple[xr.DataArray, dict[int, str]]:
    """Values with the codes of another map, and its names; a name that the other lacks gets a code of its own. Modes with
    one common name are the same."""
    codes, names = {common.get(name, name): code for code, name in names.items()}, dict(names)
    moved = {}
    for code, name in own.items():
        known = common.get(name, name)
        if known not in codes:
            codes[known] = max([0, *names]) + 1
            names[codes[known]] = name
        if codes[known] != code:
            moved[code] = codes[known]
    if moved:
        old = mine.values
        mine = mine.copy(data=old.astype(np.int64))
        for code, new in moved.items():
            mine.values[old == code] = new
    return mine, names


def disagreement(mine: xr.DataArray, others: xr.DataArray, solved: xr.DataArray | bool,
                 names: dict[int, str]) -> tuple[xr.DataArray, Attributes]:
    """(codes, attributes): 1 where both have one name, and a code for each pair of names that differ, the frequent
    ones first."""
    mine, others = xr.broadcast(mine, others)
    mine = mine.transpose(*others.dims)
    here, there = others.values, mine.values
    differ = (here != there) & np.asarray(xr.broadcast(xr.DataArray(solved), others)[0].transpose(*others.dims).values
                                          if np.ndim(solved) else np.full(here.shape, True))
    codes = np.where(here == there, 1, 0).astype(np.int16)
    if not names:
        codes[differ] = 2
        return others.copy(data=codes), flags([SAME, "another_one"])
    pairs, counts = np.unique(np.stack([here[differ], there[differ]]), axis=1, return_counts=True)
    order = np.argsort(-counts, kind="stable")
    found = [SAME]
    for place, number in enumerate(order):
        one, other = (int(code) for code in pairs[:, number])
        if place < MOST_PAIRS:
            found.append(f"{names.get(one, one if one else 'none')},_not_{names.get(other, other if other else 'none')}")
        elif OTHERS not in found:
            found.append(OTHERS)
        codes[differ & (here == one) & (there == other)] = min(place, MOST_PAIRS) + 2
    return others.copy(data=codes), flags(found)


def flags(names: list[str]) -> Attributes:
    return {"flag_values": np.arange(1, len(names) + 1, dtype=np.int16), "flag_meanings": " ".join(names)}
