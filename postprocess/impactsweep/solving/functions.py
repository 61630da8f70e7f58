"""Each theory as a function whose signature and docstring come from the tables of the library."""
from __future__ import annotations

import functools
import inspect
from collections.abc import Mapping
from typing import Any, Protocol

import xarray as xr

from ..errors import ProgramError
from ..library.theories import describe, page, theories
from ..values import Names, Value
from .cells import solve


class Solves(Protocol):
    """A theory as a function; the keywords are those of `solve`."""
    def __call__(self, *, outputs: Names = None, cell_budget: int = 0, degrees: bool = False, labels: bool = True,
                 variables: Mapping[str, str] | None = None, uncertain: Mapping[str, object] | None = None,
                 **inputs: Value) -> xr.Dataset: ...


@functools.lru_cache(maxsize=None)
def function_of(theory: str) -> Solves:
    try:
        known = theory in theories()
    except ProgramError as reason:
        raise AttributeError(f"module 'impactsweep' has no attribute '{theory}' ({reason})") from None
    if not known:
        raise AttributeError(f"module 'impactsweep' has no attribute '{theory}'")
    table = describe(theory)

    def function(**inputs: object) -> xr.Dataset:
        keywords: dict[str, Any] = {name: value for name, value in inputs.items() if value is not None}
        return solve(theory, **keywords)
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
