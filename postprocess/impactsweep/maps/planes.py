"""A plane of a map as figures draw it: its axes, its cells, and what a refinement found in it."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import xarray as xr

from ..values import Array
from .codes import flags_of

Table = dict[str, Array]  # {column: its values}
Scale = Callable[[npt.ArrayLike], Array]
# {whether an axis is logarithmic: to the numbers along which it is even, and back}
SCALES: dict[bool, tuple[Scale, Scale]] = {True: (np.log, np.exp), False: (np.asarray, np.asarray)}


@dataclass
class Axis:
    """One dimension of a figure: sorted, angles in degrees, options and rows by name."""
    name: str
    label: str
    values: Array
    edges: Array
    order: Array  # positions in the file's order
    log: bool = False
    options: list[str] | None = None
    degrees: bool = False
    whole: bool = False  # numbers of cases: no ticks between them
    joined: bool = True  # a line may join its points


@dataclass
class Found:
    """What lies in the plane that is drawn; places are in its units, x to the right and y upward."""
    lines: list[Array]  # of places [n][2], one for each polyline
    segments: Array     # [n][2 ends][2]: their pieces
    left: Array         # labels of each segment, on the way from its first end to the second
    right: Array
    junctions: Array    # [n][2]
    filaments: Array    # [n][2 ends][2]: strips narrower than the smallest cells
    points: Array       # [n][2]
    labels: Table       # those of the table of labels
    ends: list[tuple[float, float]]   # first and last value of each axis
    told: dict[str, float]            # what the refinement was told: base, depth, boundary
    cell: int                         # number of the refinement
    ended: bool                       # by itself, not by its budget
    regions: tuple[list[int], Array]  # numbers of the connected regions, the largest first, and places well inside
    audit: tuple[int, int, float]     # random points, how many of them are wrong, the bound of the wrong part


@dataclass
class Picture:
    """The data of a figure: `values`, `outcome` and `mode` are [y][x], or [x] on one axis."""
    name: str
    variable: xr.DataArray  # attributes only; never loaded
    axes: list[Axis]
    values: Array
    outcome: Array
    mode: Array | None = None
    mode_names: dict[int, str] = field(default_factory=dict)
    outcome_names: dict[int, str] = field(default_factory=dict)
    title: str = ""
    own_title: str = ""  # without --title, in one line
    path: str = ""
    certainty: Array | None = None  # share of the draws that have the value, of uncertain parameters
    contours: tuple[str, str, Array] | None = None  # name, label and values of the output whose level lines are drawn
    found: Found | None = None  # of a refined map: its curves
    remark: str = ""             # small print
    held: dict[str, xr.DataArray] = field(default_factory=dict)  # {parameter that is not drawn: its value, the only one}

    @property
    def is_category(self) -> bool:
        return bool(flags_of(self.variable))
