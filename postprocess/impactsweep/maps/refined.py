"""What a refinement found, as figures see it: boundaries as curves with the labels on either side, junctions, narrow strips, points;
of three axes, what a plane cuts out of the surfaces. Planes are painted up to the curves, not to the nearest node."""
from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import h5py
import numpy as np
import xarray as xr

from ..values import Array, Attributes, Mask
from .dataset import SOLVED
from .planes import SCALES, Axis, Found, Picture, Table
from .typed import columns_at

FINE = 1500  # cells of a drawn axis: more than a picture has pixels
MOST_LEFT = 4  # cells across, of rows or columns that leave through a junction
Pieces = tuple[list[Array], Array, Array, Array]  # lines, segments, labels to the left and right of each
NO_SEGMENTS = np.zeros((0, 2, 2))


# ------------------------------------------------------------------------------------- reading

def text_of(attribute: object) -> str:
    return attribute.decode() if isinstance(attribute, bytes) else str(attribute)


def told_of(attributes: Attributes) -> dict[str, float]:
    """{key: number} of what the refinement was told; empty for other maps."""
    lines = text_of(attributes.get("refinement", "")).splitlines()
    return {key: float(value) for key, _, value in (line.partition("\t") for line in lines)}


def axes_of(attributes: Attributes) -> dict[str, bool]:
    """{name: whether it is spaced by ratios} of the refined axes, in the order of the lattice."""
    text = text_of(attributes["fingerprint"])
    spacing = dict(re.findall(r"^(\w+)\trefined, (\w+) ", text, re.M))
    return {name: spacing[name] == "log" for name in order_of(text) if name in spacing}


def matched(pattern: str, fingerprint: str) -> re.Match[str]:
    """The line of a fingerprint, which every refined map has."""
    found = re.search(pattern, fingerprint, re.M)
    assert found, pattern
    return found


def is_mirrored(attributes: Attributes) -> bool:
    """Whether an odd number of refined axes falls, in a map of an older version, whose sides hold on the lattice: what is
    left there is right in values."""
    ends = re.findall(r"^\w+\trefined, \w+ from (\S+) to (\S+)", text_of(attributes["fingerprint"]), re.M)
    return "sides" not in attributes and sum(float(to) < float(start) for start, to in ends) % 2 == 1


def order_of(fingerprint: str) -> list[str]:
    return matched(r"^order of axes\t(.*)$", fingerprint)[1].split(", ")


def table_of(file: h5py.File, group: str, cell: int | None = None) -> Table:
    """{name without the first word: values} of a group, or of the rows of one refinement; empty without it. Numbers along
    the list of an output, such as its slips, stand beside the rows and are none of them."""
    if group not in file:
        return {}
    table = {name.partition("_")[2]: column[()] for name, column in columns_at(file, group).items()
             if text_of(column.attrs.get("impactsweep_role", "dimension")) != "dimension"}
    if cell is not None and "refinement" in table:
        rows = table["refinement"] == cell
        table = {name: values[rows] for name, values in table.items()}
    return table


def look(data: xr.Dataset, axes: list[Axis], fixed: dict[str, int]) -> Found | None:
    """What was found in the plane of two axes; fixed: {dimension: index} of all others. None where the map was
    not refined over both axes, or has no curves."""
    path = data.encoding.get("source")
    if not told_of(data.attrs).get("boundary") or len(axes) != 2 or not path:
        return None
    refined = axes_of(data.attrs)
    if not {axis.name for axis in axes} <= set(refined) or len(refined) > 3:
        return None
    with h5py.File(path, "r", locking=False) as file:
        return Plane(file, data, axes, fixed).found() if "refinements" in file else None


class Plane:
    """A plane of the refined axes: two are drawn, a third one is held."""

    def __init__(self, file: h5py.File, data: xr.Dataset, axes: list[Axis], fixed: dict[str, int]) -> None:
        self.file, self.axes, self.data = file, axes, data
        self.refined = axes_of(data.attrs)
        names = [axis.name for axis in axes]
        self.held = {name: data[name].values[fixed[name]] for name in self.refined
                     if name not in names}
        self.cell = 0  # of the axes that are not refined, in C order
        for dim in map(str, data["outcome"].dims):
            if dim not in self.refined:
                self.cell = self.cell * data.sizes[dim] + fixed[dim]

    def found(self) -> Found:
        told = told_of(self.data.attrs)
        lines, segments, left, right = self.cut() if self.held else self.drawn()
        summary = table_of(self.file, "refinements")
        points, wrong, bound = (summary[f"audit_{name}"][self.cell] for name in ("points", "wrong", "bound"))
        return Found(lines, segments, left, right, self.junctions(), self.filaments(), self.points(),
                     table_of(self.file, "labels"), [self.ends(axis) for axis in self.axes], told, self.cell,
                     bool(summary["within_budget"][self.cell]), self.regions(), (points, wrong, bound))

    def ends(self, axis: Axis) -> tuple[float, float]:
        low, high = np.sort(self.data[axis.name].values[[0, -1]])
        return (np.degrees(low), np.degrees(high)) if axis.degrees else (low, high)

    def places(self, table: Table, rows: Array | slice = slice(None)) -> Array:
        return np.stack([np.degrees(table[axis.name][rows]) if axis.degrees else
                         table[axis.name][rows] for axis in self.axes], axis=-1)

    def unit(self, name: str, values: Array) -> Array:
        """From 0 at the least value of an axis to 1 at its greatest one."""
        scale, _ = SCALES[self.refined[name]]
        low, high = scale(np.sort(self.data[name].values[[0, -1]]))
        return np.asarray((scale(values) - low) / (high - low))

    def drawn(self) -> Pieces:
        """Two refined axes: the polylines as they are."""
        table = table_of(self.file, "boundaries", self.cell)
        if not table:
            return [], NO_SEGMENTS, np.zeros(0, int), np.zeros(0, int)
        at, number = self.places(table), table["number"]
        joined = np.flatnonzero(number[1:] == number[:-1])
        lines = np.split(at, np.flatnonzero(number[1:] != number[:-1]) + 1)
        sides = [table["left"][joined], table["right"][joined]]
        exchanged = list(self.refined)[0] != self.axes[0].name
        left, right = sides[::-1] if exchanged != is_mirrored(self.data.attrs) else sides
        return [line for line in lines if len(line) > 1], np.stack([at[joined], at[joined + 1]], 1), left, right

    def cut(self) -> Pieces:
        """Three of them: where the triangles of the surfaces meet the plane."""
        (held, value), = self.held.items()
        vertices = table_of(self.file, "boundaries")
        table = table_of(self.file, "triangles", self.cell)
        if not table:
            return [], NO_SEGMENTS, np.zeros(0, int), np.zeros(0, int)
        rows = np.stack([table[f"corner_{k}"] for k in (1, 2, 3)], axis=1)
        beyond = vertices[held][rows] >= value
        met = beyond.any(1) & ~beyond.all(1)
        rows, beyond = rows[met], beyond[met]
        # The corner that is alone on its side comes first, the others follow as the triangle turns.
        alone = np.argmax(beyond == (beyond.sum(1) == 1)[:, None], axis=1)
        rows = np.take_along_axis(rows, (alone[:, None] + np.arange(3)) % 3, axis=1)
        at, depth = self.places(vertices, rows), vertices[held][rows] - value
        part = (depth[:, :1] / (depth[:, :1] - depth[:, 1:]))[:, :, None]
        segments = at[:, :1] + part * (at[:, 1:] - at[:, :1])
        names = ("below", "above") if is_mirrored(self.data.attrs) else ("above", "below")
        left, right = self.sides(vertices, rows, part, *(table[name][met] for name in names))
        return list(segments), segments, left, right

    def sides(self, vertices: Table, rows: Array, part: Array, above: Array, below: Array) -> tuple[Array, Array]:
        """The labels to the left and right of each piece: its normal points to the side of `above`."""
        unit = np.stack([self.unit(name, vertices[name][rows]) for name in self.refined], axis=-1)
        normal = np.cross(unit[:, 1] - unit[:, 0], unit[:, 2] - unit[:, 0])
        ends = unit[:, :1] + part * (unit[:, 1:] - unit[:, :1])
        x, y = (list(self.refined).index(axis.name) for axis in self.axes)
        way = ends[:, 1] - ends[:, 0]
        to_left = way[:, x] * normal[:, y] - way[:, y] * normal[:, x] > 0
        return np.where(to_left, above, below), np.where(to_left, below, above)

    def within(self, table: Table, names: tuple[str, ...]) -> Mask:
        """Rows whose box, or place, meets the plane that is drawn."""
        here = np.full(len(table[self.axes[0].name]), True)
        for name, value in self.held.items():
            ends = np.sort([table[name + ending] for ending in names], axis=0)
            here &= (ends[0] <= value) & (value <= ends[-1])
        return here

    def junctions(self) -> Array:
        """Boxes of two labels, where two boundaries are closer than a smallest cell, are none."""
        table = table_of(self.file, "junctions", self.cell)
        if not table:
            return np.zeros((0, 2))
        return self.places(table, self.within(table, ("_low", "_high")) & (table["labels"] > 2))

    def filaments(self) -> Array:
        table = {} if self.held else table_of(self.file, "filaments", self.cell)
        ends = [{axis.name: table[axis.name + ending] for axis in self.axes} for ending in ("_first", "_last")] if table else []
        return np.stack([self.places(end) for end in ends], 1) if ends else NO_SEGMENTS

    def regions(self) -> tuple[list[int], Array]:
        """A plane of three refined axes has none: the places of its regions are elsewhere."""
        table = {} if self.held else table_of(self.file, "regions", self.cell)
        if not table:
            return [], np.zeros((0, 2))
        large = np.argsort(-table["area"], kind="stable")
        return table["number"][large].tolist(), self.places(table, large)

    def points(self) -> Array:
        table = table_of(self.file, "points", self.cell)
        return self.places(table, self.within(table, ("",)) & (table["outcome"] != 0))


# ------------------------------------------------------------------------------------ painting

def finer(axis: Axis, ends: tuple[float, float]) -> tuple[Axis, Array, Array]:
    """An axis of so many cells that curves look smooth, from end to end of the range; for each cell the
    nearest of the points that the axis had, and between which two of them it lies."""
    scale, back = SCALES[axis.log]
    low, high = scale(np.array(ends))
    edges = back(np.linspace(low, high, FINE + 1))
    edges[[0, -1]] = ends
    middle = (scale(edges[1:]) + scale(edges[:-1])) / 2
    at = scale(axis.values)
    nearest = np.searchsorted((at[1:] + at[:-1]) / 2, middle)
    return replace(axis, values=back(middle), edges=edges, order=np.arange(FINE)), nearest, between(
        at, middle)


def between(points: Array, values: Array) -> Array:
    return np.clip(np.searchsorted(points, values, "right") - 1, 0, len(points) - 2)


def paint(picture: Picture, found: Found) -> None:
    """Turns the picture into fine cells, each of which has what the curves say of it."""
    (x, columns, across), (y, rows, along) = (
        finer(axis, ends) for axis, ends in zip(picture.axes, found.ends))
    unsure = cells_of_curves(picture, found)[np.ix_(along, across)]

    def fine(values: Array) -> Array:
        return np.asarray(values[np.ix_(rows, columns)])
    picture.axes = [x, y]
    picture.values, picture.outcome = fine(picture.values), fine(picture.outcome)
    picture.mode = None if picture.mode is None else fine(picture.mode)
    label = labels_of_cells(picture.axes, found)
    known, outcome = unsure & (label >= 0), found.labels["outcome"][label]
    picture.outcome[known] = outcome[known]
    known &= outcome == SOLVED
    for values, name in ((picture.values, picture.name), (picture.mode, "mode")):
        if values is not None and name in found.labels:
            wanted = found.labels[name][label[known]]
            values[known] = wanted if values.dtype.kind == "f" else np.nan_to_num(wanted)


def cells_of_curves(picture: Picture, found: Found) -> Mask:
    """The cells of the grid [y][x] in which curves run or whose corners differ: of others the grid says all."""
    at = [between(axis.values, found.segments[:, :, k]) for k, axis in enumerate(picture.axes)]
    cells = np.zeros((len(picture.axes[1].values) - 1, len(picture.axes[0].values) - 1), bool)
    for (left, right), (low, high) in zip(np.sort(at[0]).tolist(), np.sort(at[1]).tolist()):
        cells[low:high + 1, left:right + 1] = True
    for values in (picture.values, picture.outcome):
        first = values[:-1, :-1]
        cells |= (first != values[1:, :-1]) | (first != values[:-1, 1:]) | (first != values[1:, 1:])
    return cells


def labels_of_cells(axes: list[Axis], found: Found) -> Array:
    """The label of each fine cell [y][x]; -1 where the curves do not say. A row, or a column, alone may leave
    through a junction, where curves end: there the cells beside it decide."""
    u, v = (in_cells(axis, found.segments[:, :, k]) for k, axis in enumerate(axes))
    gap = min(MOST_LEFT, 1 + int(FINE * found.told["boundary"] / 2))
    rows = without_gaps(scan(u, v, found.left, found.right), gap)
    columns = without_gaps(scan(v, u, found.right, found.left), gap).T
    label, left = np.maximum(rows, columns), (rows != columns) & (rows >= 0) & (columns >= 0)
    for down, aside in ((0, 1), (0, -1), (1, 0), (-1, 0)) * MOST_LEFT:
        here = np.nonzero(left)
        there = np.clip(here[0] + down, 0, FINE - 1), np.clip(here[1] + aside, 0, FINE - 1)
        known = ~left[there]
        label[here[0][known], here[1][known]] = label[there][known]
        left[here] &= ~known
    return np.where(left, -1, label)


def without_gaps(labels: Array, gap: int) -> Array:
    """Rows that differ from those on both sides, which are alike, went through the gap of a junction."""
    for step in range(1, gap + 1):
        one, other = labels[:-2 * step], labels[2 * step:]
        labels[step:-step] = np.where(one == other, one, labels[step:-step])
    return labels


def in_cells(axis: Axis, values: Array) -> Array:
    """Places in units of cells."""
    scale, _ = SCALES[axis.log]
    low, high = scale(axis.edges[[0, -1]])
    return np.asarray((scale(values) - low) / (high - low) * FINE)


def scan(u: Array, v: Array, left: Array, right: Array) -> Array:
    """Labels along the middles of rows: between two curves, or one and the frame, what both say."""
    labels = np.full((FINE, FINE), -1, np.int32)
    first, end = (np.clip(np.ceil(pick(v, axis=1) - 0.5).astype(int), 0, FINE) for pick in (np.min, np.max))
    piece = np.repeat(np.arange(len(u)), end - first)
    row = first[piece] + np.arange(len(piece)) - np.repeat(np.cumsum(end - first) - (end - first), end - first)
    at = u[piece, 0] + (row + 0.5 - v[piece, 0]) / (v[piece, 1] - v[piece, 0]) * (u[piece, 1] - u[piece, 0])
    rising = v[piece, 1] > v[piece, 0]
    before, after = np.where(rising, (left[piece], right[piece]), (right[piece], left[piece]))
    order = np.lexsort((at, row))
    row, before, after = row[order], before[order], after[order]
    column = np.clip(np.ceil(at[order] - 0.5), 0, FINE).astype(int)
    last = (-1, 0, -1)  # row, column and label of the curve before
    for y, x, one, other in zip(row.tolist(), column.tolist(), before.tolist(), after.tolist()):
        if y != last[0]:
            labels[last[0], last[1]:] = last[2]
            labels[y, :x] = one
        elif one == last[2]:
            labels[y, last[1]:x] = one
        last = (y, x, other)
    if len(row):
        labels[last[0], last[1]:] = last[2]
    return labels


# ------------------------------------------------------------------------------------- caption

def caption(all_found: Iterable[Found | None]) -> str:
    """How far the curves of all panels can be trusted; "" where there are none."""
    found = [one for one in all_found if one]
    if not found:
        return ""
    told, audits = found[0].told, {one.cell: one.audit for one in found}.values()
    points, wrong = (sum(int(audit[k]) for audit in audits) for k in (0, 1))
    text = (f"Boundaries are within {told['boundary']:.2g} of each range." if all(one.ended for one in found)
            else "The budget of points ended the refinement: boundaries are not found to the end.")
    if points:
        bound = 100 * max(float(audit[2]) for audit in audits)
        text += (f" Audit: {wrong:,} of {points:,} random points wrong; less than {bound:.2g} % of the map is, "
                 f"with 95 % confidence.")
    return text + f" Islands that are smaller than 1/{2**int(told['base'])} of each range can be missed."
