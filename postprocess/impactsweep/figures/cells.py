"""Coloured cells of a plane: a mesh, or an image of them where there are more than a mesh draws in a moment."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable

from ..maps.planes import Axis
from ..values import Array

MOST_IN_A_MESH = 1 << 17


def are_even(axis: Axis) -> bool:
    """Whether cells are equally wide in the units of the axis, as pixels of an image are for matplotlib on every scale."""
    steps = np.diff(axis.edges)
    return bool(np.ptp(steps) <= 1e-6 * np.abs(steps).max())


def draw(ax: Axes, axes: Sequence[Axis], values: Array, **look: Any) -> ScalarMappable:
    """The values of the cells [y][x]; returns what a colour bar needs."""
    x, y = axes
    if values.size <= MOST_IN_A_MESH or not (are_even(x) and are_even(y)):
        return ax.pcolormesh(x.edges, y.edges, values, rasterized=True, **look)
    return ax.imshow(values, extent=(x.edges[0], x.edges[-1], y.edges[0], y.edges[-1]), origin="lower", aspect="auto",
                     interpolation="nearest", **look)
