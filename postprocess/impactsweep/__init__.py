"""impactsweep from Python: impact of bodies with friction, in xarray.

    import impactsweep
    map = impactsweep.open("map.h5", degrees=True)              # any file of the program
    cells = impactsweep.solve("compliant", body="pendulum", angle=["20 deg", "30 deg"],
                              friction=0.3, stiffness_ratio=1.21)
    history = impactsweep.trace("compliant", body="pendulum", angle="30 deg",
                                friction=0.3, stiffness_ratio=1.21)
    impactsweep.theories(), impactsweep.describe("compliant")
    map = impactsweep.run("config.yaml", out="map.h5", ranks=2)
    frame = impactsweep.table(map)                              # a row for each cell
    best = impactsweep.fit("impacts.csv", "rigid", choose={"law": "poisson"},
                           over={"friction": (0, 1), "restitution": (0, 1)}, fixed={"gyration_radius": 0.02})
    indices = impactsweep.sensitivity(map)                      # of a sample of Saltelli's design

Every theory is a function too, with its inputs and outputs as its docstring:
`impactsweep.compliant(body="pendulum", ...)` is `impactsweep.solve("compliant", body="pendulum", ...)`.

The other modules (kinds, looks, labels, dimensions, choose, command) draw the figures of plot.py.
"""
import os

# A running sweep holds the lock of its file; a reader needs none. Set before the HDF5 library is loaded.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"

from .dataset import open
from .errors import (Error, InputError, MissingFile, ProgramError, TooManyCells, Undefined, Unfinished,
                     WrongCall)
from .frames import table
from .registry import describe, theories
from .running import run
from .fitting import fit, rank
from .indices import sensitivity, sobol_indices
from .solving import solve
from .tracing import trace

__all__ = ["open", "solve", "trace", "run", "fit", "rank", "sensitivity", "sobol_indices", "theories", "describe",
           "table", "Error", "InputError", "WrongCall", "TooManyCells", "MissingFile", "ProgramError", "Unfinished",
           "Undefined"]


def __getattr__(name):
    """The theories as functions, from the tables of the library."""
    from .functions import function_of  # imported late: the package is useful without the library
    if name.startswith("_"):
        raise AttributeError(name)
    return function_of(name)


def __dir__():
    try:
        return [*globals(), *theories()]
    except ProgramError:
        return list(globals())
