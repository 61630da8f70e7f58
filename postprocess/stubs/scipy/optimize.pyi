# What the package uses of SciPy, which has no types of its own. Only the check of types reads this.
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

class OptimizeResult:
    x: np.ndarray[Any, Any]

def minimize(fun: Callable[[np.ndarray[Any, Any]], float], x0: np.ndarray[Any, Any], *, method: str,
             bounds: Sequence[tuple[float, float]], options: Mapping[str, object]) -> OptimizeResult: ...
