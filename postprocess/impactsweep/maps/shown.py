"""How a notebook shows a map: a small picture of its modes, or of one output, with what was swept; of a history its forces,
phases and impulses. Everything else of the dataset is folded beneath."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import xarray as xr

from ..display import colours, notebook
from ..display.vision import category_colours
from ..display.words import heading, number_text, readable, spaced, unit_of
from ..values import Array
from .codes import PENDING, SOLVED, flags_of
from .shown_history import history_page, is_history

FINEST = 240  # places of a side of the picture
LARGEST = 2 ** 22  # cells of a plane that is read for a picture
STRIP = 40  # height of the picture of one axis
EMPTY, FAILED = "#F2F2F2", "#9C9C9C"
STEPS = 254  # colours of a scale, beside the two above


class Dataset(xr.Dataset):  # type: ignore[no-untyped-call]  # xarray's own hook for subclasses has no types
    """A Dataset of impactsweep: a map, a part of one, or a history. It differs from others of xarray, whose name it
    has, in what notebooks show."""
    __slots__ = ()

    def _repr_html_(self) -> str:
        whole = super()._repr_html_()
        try:
            shown = history_page(self) if is_history(self) else map_page(self)
        except Exception:  # of a dataset that a user has changed beyond recognition, or of a file that is gone
            shown = ""
        return f"<div {notebook.LEAF}>{shown}</div>{notebook.folded('the dataset', whole)}" if shown else whole


@dataclass
class Plane:
    """The part of a map that is drawn: the output, its values [y][x] or [x], and where the other axes are held."""
    name: str
    codes: bool
    data: xr.Dataset  # of all variables, over the drawn axes
    axes: list[str]
    held: dict[str, int]


def map_page(data: xr.Dataset) -> str:
    """Empty where there is nothing to draw."""
    name, codes = field_of(data)
    dims = [str(dim) for dim in data["outcome_code" if "outcome_code" in data else "outcome"].dims] if "outcome" in data else []
    long = [dim for dim in dims if data.sizes[dim] > 1]
    if not name or not long:
        return ""
    axes = sorted(sorted(long, key=lambda dim: -data.sizes[dim])[:2], key=dims.index)
    if np.prod([data.sizes[dim] for dim in axes], dtype=float) > LARGEST:
        return ""
    held = {dim: data.sizes[dim] // 2 for dim in map(str, data[name].dims) if dim not in axes}
    plane = Plane(name, codes, data.isel(held), axes, held)
    title = heading(readable(str(data.attrs.get("title", ""))))
    return (f"<p><b>{notebook.escape(title)}</b><br>{notebook.escape(drawn(data, plane))}</p>"
            f"{picture(plane)}{swept(data, dims)}")


def field_of(data: xr.Dataset) -> tuple[str, bool]:
    """The output to draw and whether it is a category: the mode, another category, or the first real one."""
    names = [str(name) for name in data.data_vars]
    categories = [name for name in names if f"{name}_code" in names or flags_of(data[name])]
    categories = [name for name in ("mode", *categories) if name in categories and name not in ("sequence", "outcome")
                  and not name.endswith("_code")]
    reals = [name for name in names if data[name].dtype.kind == "f"]
    return (categories[0], True) if categories else (reals[0], False) if reals else ("", False)


def coded(data: xr.Dataset, name: str) -> xr.DataArray:
    """The codes of a category, beside its names or in their place."""
    return data[f"{name}_code"] if f"{name}_code" in data else data[name]


def drawn(data: xr.Dataset, plane: Plane) -> str:
    """What the picture shows, and at which points of the axes that it does not show."""
    places = [f"{spaced(dim)} {value_text(data[dim], place)} (the middle of {data.sizes[dim]})"
              for dim, place in plane.held.items() if dim in data.coords]
    return f"{spaced(plane.name)} over {' and '.join(spaced(dim) for dim in plane.axes)}" + "".join(f", {one}" for one in places)


def value_text(coordinate: xr.DataArray, place: int) -> str:
    value = coordinate.values[place]
    if coordinate.dtype.kind != "f":
        return spaced(flags_of(coordinate).get(value, value))
    return number_text(float(value), str(coordinate.attrs.get("units", "1")))


# ------------------------------------------------------------------------------------------ the picture

def picture(plane: Plane) -> str:
    solved = coded(plane.data, "outcome").transpose(*plane.axes[::-1]).values
    values = (coded(plane.data, plane.name) if plane.codes else plane.data[plane.name]).transpose(*plane.axes[::-1]).values
    places, palette, legend = (classes if plane.codes else shades)(plane, values, solved)
    counted = [(EMPTY, "pending", solved == PENDING), (FAILED, "not solved", (solved != SOLVED) & (solved != PENDING))]
    for number, (colour, _, cells) in enumerate(counted):
        places = np.where(cells, len(palette) + number, places)
    legend += [notebook.swatch(colour, f"{name} {cells.mean():.1%}") for colour, name, cells in counted if cells.any()]
    places = np.atleast_2d(places)
    places = places[::-(-places.shape[0] // FINEST), ::-(-places.shape[1] // FINEST)][::-1]
    height = notebook.HEIGHT if len(plane.axes) == 2 else STRIP
    inside = notebook.image(places, [*palette, EMPTY, FAILED], (notebook.LEFT, notebook.TOP, notebook.WIDTH, height))
    sides = [axis_of(plane.data, dim) for dim in plane.axes]
    told = f"{spaced(plane.name)} over {' and '.join(side.name for side in sides)}"
    return (notebook.frame(inside, sides[0], sides[1] if len(sides) == 2 else None, height, told)
            + f"<p style='line-height:1.7'>{''.join(legend)}</p>")


def classes(plane: Plane, values: Array, solved: Array) -> tuple[Array, list[str], list[str]]:
    """Each code with the colour that figures and pages give it, the commonest first in the legend."""
    names = flags_of(coded(plane.data, plane.name))
    table = category_colours({**{int(code): f"code {code}" for code in np.unique(values)}, **names})
    order = list(table)
    found = sorted(((float((values == code)[solved == SOLVED].sum() / values.size), code) for code in order), reverse=True)
    legend = [notebook.swatch(table[code], f"{spaced(names.get(code, f'code {code}'))} {share:.1%}") for share, code in found if share]
    return np.searchsorted(sorted(order), values), [table[code] for code in sorted(order)], legend


def shades(plane: Plane, values: Array, solved: Array) -> tuple[Array, list[str], list[str]]:
    """An output from dark to light; rare extremes do not flatten the rest."""
    scale = colours.scale(colours.SEQUENTIAL)
    scale = [scale[round(place)] for place in np.linspace(0, len(scale) - 1, STEPS)]
    values = np.where((solved == SOLVED) & np.isfinite(values), values, np.nan)
    known = values[np.isfinite(values)]
    low, high = np.percentile(known, [.5, 99.5]) if known.size else (0.0, 1.0)
    shares = (np.clip(values, low, high) - low) / ((high - low) or 1)
    places = np.where(np.isfinite(shares), np.nan_to_num(shares) * (STEPS - 1), STEPS + 1)
    variable = plane.data[plane.name]
    bar = (f"<svg width='120' height='12' style='vertical-align:middle;margin:0 .6em'>"
           f"{notebook.image([range(STEPS)], scale, (0, 0, 120, 12))}</svg>")
    unit = str(variable.attrs.get("units", "1"))
    label = spaced(variable.attrs.get("long_name", plane.name))
    return places.astype(int), scale, [f"{notebook.escape(label)}: {number_text(float(low), unit)}{bar}{number_text(float(high), unit)} "]


def axis_of(data: xr.Dataset, dim: str) -> notebook.Axis:
    coordinate = data[dim]
    values = coordinate.values
    names = flags_of(coordinate)
    unit = str(coordinate.attrs.get("units", "1"))
    if names or values.dtype.kind not in "fiu":
        words = [spaced(names.get(value, value)) for value in values.tolist()]
        return notebook.Axis(spaced(dim), [((place + .5) / len(words), one) for place, one in enumerate(words)])
    values = np.degrees(values) if unit == "rad" else values.astype(float)
    steps = np.diff(values)
    if not np.isfinite(values).all() or not ((steps > 0).all() or (steps < 0).all()):
        return notebook.Axis(spaced(dim), [(.5 / len(values), f"{values[0]:.4g}"), (1 - .5 / len(values), f"{values[-1]:.4g}")])
    label = unit_of(unit)
    return notebook.Axis(f"{spaced(dim)} ({label})" if label else spaced(dim), notebook.ticks_of(values))


# ---------------------------------------------------------------------------------------- what was swept

def swept(data: xr.Dataset, dims: list[str]) -> str:
    """A row for each axis, and for each parameter that a table or a sample sets along it."""
    rows = []
    for dim in dims:
        along = [str(name) for name, one in data.coords.items() if one.dims == (dim,)] or [dim]
        for name in along:
            values = data[name].values
            ends = [value_text(data[name], place) for place in (0, -1)]
            if values.dtype.kind == "f" and name != dim:  # the columns of a table have no order
                ends = [number_text(float(end), str(data[name].attrs.get("units", "1"))) for end in (values.min(), values.max())]
            rows.append((spaced(name), *ends, str(len(values))))
    return notebook.table(("swept", "from", "to", "points"), rows)
