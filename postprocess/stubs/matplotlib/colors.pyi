# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from collections.abc import Sequence
from typing import Any, overload

import numpy as np
import numpy.typing as npt

Rgba = tuple[float, float, float, float]

def to_rgb(c: str | Sequence[float]) -> tuple[float, float, float]: ...

class Normalize: ...

class BoundaryNorm(Normalize):
    def __init__(self, boundaries: npt.ArrayLike, ncolors: int, *, extend: str = ...) -> None: ...

class LogNorm(Normalize):
    def __init__(self, vmin: float, vmax: float) -> None: ...

class Colormap:
    name: str
    N: int
    @overload
    def __call__(self, X: float) -> Rgba: ...
    @overload
    def __call__(self, X: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]: ...
    def resampled(self, lutsize: int) -> Colormap: ...

class ListedColormap(Colormap):
    def __init__(self, colors: Sequence[str], name: str = ...) -> None: ...

class LinearSegmentedColormap(Colormap):
    @staticmethod
    def from_list(name: str, colors: npt.ArrayLike, N: int = ...) -> LinearSegmentedColormap: ...
