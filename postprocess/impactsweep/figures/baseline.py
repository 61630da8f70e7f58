"""The values that a figure of differences or ratios compares with."""
from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import xarray as xr

from ..errors import InputError

MAPS = (".h5", ".nc", ".hdf5")


@dataclass(frozen=True)
class Against:
    """The values that others are compared with, and how."""
    text: str            # AXIS=VALUE, an option of a choice on an axis, or the path of another map
    ratio: bool = False  # real values are divided by these; else these are subtracted

    @property
    def option(self) -> str:
        return "--ratio-to" if self.ratio else "--minus"

    @property
    def center(self) -> float:
        """The value at which a real output is the same."""
        return 1.0 if self.ratio else 0.0

    @property
    def is_file(self) -> bool:
        return os.path.splitext(self.text)[1].lower() in MAPS or os.path.isfile(self.text)

    def change(self, others: xr.DataArray, mine: xr.DataArray, units: str | None) -> xr.DataArray:
        """Real values beside these; of angles the difference goes the short way round."""
        others, mine = others.astype(float), mine.astype(float)
        if self.ratio:
            found: xr.DataArray = others / mine.where(mine != 0)
            return found
        found = others - mine
        if units == "rad":
            found = np.remainder(found + np.pi, 2 * np.pi) - np.pi
        return found

    @property
    def sign(self) -> str:
        return "over" if self.ratio else "minus"


def of_words(minus: Iterable[str], ratio_to: Iterable[str]) -> Against | None:
    """Those that the options --minus and --ratio-to give; None without them."""
    given = [*(Against(text) for text in minus), *(Against(text, True) for text in ratio_to)]
    if len(given) > 1 and minus and ratio_to:
        raise InputError("--minus and --ratio-to do not go together")
    if len(given) > 1:
        raise InputError(f"{given[0].option}: {' and '.join(one.text for one in given)} are given; "
                         f"{'ratios' if ratio_to else 'differences'} are from one point")
    return given[0] if given else None
