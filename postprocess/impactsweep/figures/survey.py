"""What a map holds, for the question that each kind of figure answers: can you draw this file, and how well?"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import xarray as xr

from ..maps import contents
from ..maps.contents import coordinate, flags_of
from .curves import MOST_CURVES

# How strongly a kind claims a map: the strongest claim draws it.
ANYTHING, PLANE, PANELS, SAMPLE, FEW_COLUMNS, SPREAD, INDICES, FLOW, ASKED = range(9)


@dataclass
class Claim:
    """over: groups of axes; the figure should show an output that varies along each group."""
    strength: int
    reason: str
    over: tuple[Sequence[str], ...] = ()


@dataclass
class Survey:
    """A map without the axes that a slice takes away. against: the output that --x or --y names, if any."""
    data: xr.Dataset
    sliced: frozenset[str]
    against: str = ""

    @cached_property
    def dims(self) -> list[str]:
        return [dim for dim in free_dims(self.data) if dim not in self.sliced]

    @cached_property
    def many(self) -> list[str]:
        """Axes with more points than can be told apart as curves or panels."""
        return [dim for dim in self.dims if self.data.sizes[dim] > MOST_CURVES
                and not flags_of(coordinate(self.data, dim))]

    @property
    def few(self) -> list[str]:
        return [dim for dim in self.dims if dim not in self.many]

    @cached_property
    def samples(self) -> list[str]:
        return [dim for dim in self.dims if contents.is_sample(self.data, dim)]

    @property
    def is_sample(self) -> bool:
        """Whether a sample is all that is left."""
        return self.dims == self.samples

    @property
    def uncertain(self) -> list[str]:
        """The parameters of the sample."""
        return contents.columns_of(self.data, self.samples[0])

    @property
    def uncertain_names(self) -> str:
        return named(self.uncertain) or self.samples[0]


def free_dims(data: xr.Dataset) -> list[str]:
    """The axes of the cells that have more than one point, in the file's order."""
    any_field = data["outcome" if "outcome" in data else contents.default_field(data)]
    return [str(dim) for dim in any_field.dims if data.sizes[dim] > 1]


def named(dims: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(dims[:-1]), *dims[-1:]]))
