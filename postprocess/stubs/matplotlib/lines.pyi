# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .artist import Artist

class Line2D(Artist):
    def __init__(self, xdata: npt.ArrayLike, ydata: npt.ArrayLike, **look: object) -> None: ...
    def get_data(self) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]: ...
    def get_linewidth(self) -> float: ...
