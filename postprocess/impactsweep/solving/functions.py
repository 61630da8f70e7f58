"""Each theory as a function whose signature and docstring come from the tables of the library."""
from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

from ..errors import ProgramError
from ..library.theories import describe, page, theories
from .cells import solve


@functools.lru_cache(maxsize=None)
def function_of(theory: str) -> Callable[..., Any]:
    try:
        known = theory in theories()
    except ProgramError as reason:
        raise AttributeError(f"module 'impactsweep' has no attribute '{theory}' ({reason})") from None
    if not known:
        raise AttributeError(f"module 'impactsweep' has no attribute '{theory}'")
    table = describe(theory)

    def function(**inputs: Any) -> Any:
        return solve(theory, **{name: value for name, value in inputs.items() if value is not None})
    function.__name__ = function.__qualname__ = theory
    function.__module__ = __package__.partition(".")[0]  # so that it can be pickled, by its name
    function.__doc__ = f"{page(table)}\n\nReturns a Dataset and raises errors as `impactsweep.solve` does."
    names = [*table.choices, *table.inputs]
    options = [one for one in inspect.signature(solve).parameters.values()
               if one.kind is inspect.Parameter.KEYWORD_ONLY]
    setattr(function, "__signature__", inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in names]
        + options))
    return function
