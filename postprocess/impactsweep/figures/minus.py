"""Figures of differences: every value of a map less that at one point of an axis, such as one case, law or body."""
from __future__ import annotations

import numpy as np
import xarray as xr

from ..errors import InputError
from ..maps import contents
from ..maps.contents import SOLVED, coordinate, flags_of, unknown
from . import labels, settings, slicing

MOST_VALUES = 3e7   # of all outputs of a map that are computed at once; of a larger map only those that are drawn
MOST_PAIRS = 9      # of names that differ; rarer ones have one name
SAME, OTHERS = "the_same", "other_pairs"


def open_map(path, wanted=()):
    """A map, of which --minus takes one point of an axis away; wanted: the names of the fields to draw."""
    data, asked = contents.open_map(path), settings.now()
    if asked.minus and asked.over:
        raise InputError("--minus does not go with --over, whose files have no differences")
    return taken(data, asked.minus, wanted) if asked.minus else data


def taken(data, text, wanted=()):
    """The map of differences. Real outputs are subtracted; of categories and sequences it is told where they differ."""
    dim, place = place_of(data, text)
    name = labels.point_value(data, dim, place)
    for field in filter(None, wanted):
        contents.derive(data, field)
    left = [index for index in range(data.sizes[dim]) if index != place]
    if not left:
        raise InputError(f"--minus {text}: the axis '{dim}' has no other point")
    out = data.isel({dim: left}).drop_vars([one for one in contents.fields_of(data)])
    outcome = load(data, "outcome", dim, place, left) if "outcome" in data else None
    for field in fields_to_compute(data, wanted):
        if field != "outcome" and dim in data[field].dims:
            out[field] = difference(data, field, dim, place, left, name, outcome)
    if outcome is not None:
        mine, others = outcome
        out["outcome"] = others.where(others != SOLVED, mine).transpose(*data["outcome"].dims).assign_attrs(
            data["outcome"].attrs)
    out.attrs.update(title=f"{data.attrs.get('title', '')}, minus {name}")
    out.set_close(data.close)
    return out


def place_of(data, text):
    """(axis, index) of AXIS=VALUE, or of an option of a choice on an axis."""
    dims = [str(dim) for dim in data["outcome" if "outcome" in data else contents.default_field(data)].dims]
    axis, equals, value = (part.strip() for part in text.partition("="))
    if equals:
        found = slicing.parse_slices(data, dims, [f"{axis}={value}"], [])
        return axis, found[axis]
    having = {dim: names.index(axis) for dim in dims if axis in (names := options_of(data, dim))}
    if len(having) != 1:
        names = [f"{dim}={one}" for dim in dims for one in options_of(data, dim) if not having or dim in having]
        raise InputError(f"--minus {axis}: several axes have it; write AXIS=VALUE" if having else
                         f"--minus {axis}: {unknown('option on an axis', axis, names)}" if names else
                         f"--minus {axis}: no axis carries a choice; write AXIS=VALUE")
    return next(iter(having.items()))


def options_of(data, dim):
    points = coordinate(data, dim)
    return [flags_of(points).get(int(code), str(code)) for code in points.values] if flags_of(points) else []


def fields_to_compute(data, wanted):
    fields = contents.fields_of(data)
    size = sum(data[field].size for field in fields)
    usual = {*filter(None, wanted), contents.default_field(data), "mode", "outcome"}
    return [field for field in fields if size <= MOST_VALUES or field in usual]


def load(data, field, dim, place, left):
    """The values at the point that is taken away, and those at the others."""
    whole = contents.load(data[field])
    return whole.isel({dim: place}, drop=True), whole.isel({dim: left})


def difference(data, field, dim, place, left, name, outcome):
    mine, others = load(data, field, dim, place, left)
    attrs = dict(data[field].attrs)
    solved = True if outcome is None else (outcome[0] == SOLVED) & (outcome[1] == SOLVED)
    if attrs.get("units") == "1" and field == "sequence" or flags_of(data[field]):
        found, more = disagreement(mine, others, solved, flags_of(data[field]))
    else:
        found = others.astype(float) - mine.astype(float)
        found = np.remainder(found + np.pi, 2 * np.pi) - np.pi if attrs.get("units") == "rad" else found
        more = {"long_name": f"{labels.words_of(data[field])}, minus that of {name}"}
    return found.transpose(*data[field].dims).assign_attrs({**attrs, **more})


def disagreement(mine, others, solved, names):
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


def flags(names):
    return {"flag_values": np.arange(1, len(names) + 1, dtype=np.int16), "flag_meanings": " ".join(names)}
