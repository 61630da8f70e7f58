# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

class Bbox:
    x0: float
    x1: float
    y0: float
    y1: float
    width: float
    height: float
    @staticmethod
    def union(bboxes: Sequence[Bbox]) -> Bbox: ...
    def containsx(self, x: float) -> bool: ...
    def containsy(self, y: float) -> bool: ...
    def count_overlaps(self, bboxes: Sequence[Bbox]) -> int: ...
    def expanded(self, sw: float, sh: float) -> Bbox: ...

class Transform:
    def inverted(self) -> Transform: ...
    def transform(self, values: npt.ArrayLike) -> np.ndarray[Any, Any]: ...
