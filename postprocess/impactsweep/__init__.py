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
    found = impactsweep.compare("map.h5", "other.h5")           # where two maps differ
    best = impactsweep.fit("impacts.csv", "rigid", choose={"law": "poisson"},
                           over={"friction": (0, 1), "restitution": (0, 1)}, fixed={"gyration_radius": 0.02})
    contact = impactsweep.convert("yade", tc=1e-3, en=0.9, et=0.9)   # parameters of other codes as ours
    indices = impactsweep.sensitivity(map)                      # of a sample of Saltelli's design
    impactsweep.report("map.h5", "map.html"), impactsweep.explore()   # pages for a browser or a notebook

Every theory is a function too, with its inputs and outputs as its docstring:
`impactsweep.compliant(body="pendulum", ...)` is `impactsweep.solve("compliant", body="pendulum", ...)`.

These names, `impacts` and `errors` are all that is public. The package loads a module when its name is first used: `import
impactsweep` alone loads neither NumPy nor xarray. Rooms, from the bottom up; each imports from those before it:

    display     what readers see: words, numbers, colours, the HTML of notebooks
    library     what speaks to libimpact: the search for its file, its functions, its tables of theories, units
    maps        files of the program, as stored and decoded
    solving     solve, trace, run, pages, theories as functions
    inference   fit, rank, Sobol indices
    figures     the figures of plot.py
"""
import importlib
import importlib.util
import os
from typing import TYPE_CHECKING

from .errors import Error as Error, InputError as InputError, MissingFile as MissingFile, ProgramError as ProgramError, \
    TooManyCells as TooManyCells, Undefined as Undefined, Unfinished as Unfinished, WrongCall as WrongCall

if TYPE_CHECKING:
    from .inference import impacts as impacts
    from .inference.fitting import fit as fit, rank as rank
    from .inference.sobol import sensitivity as sensitivity, sobol_indices as sobol_indices
    from .library.conversion import convert as convert
    from .library.theories import describe as describe, theories as theories
    from .maps.compare import compare as compare
    from .maps.dataset import open as open
    from .maps.rows import table as table
    from .solving.cells import solve as solve
    from .solving.functions import Solves
    from .solving.pages import explore as explore, report as report
    from .solving.running import run as run
    from .solving.tracing import trace as trace

# A running sweep holds the lock of its file; a reader needs none. Set before the HDF5 library is loaded.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"

_PLACES = {"open": "maps.dataset", "solve": "solving.cells", "trace": "solving.tracing", "run": "solving.running",
           "fit": "inference.fitting", "rank": "inference.fitting", "sensitivity": "inference.sobol",
           "sobol_indices": "inference.sobol", "theories": "library.theories", "describe": "library.theories",
           "table": "maps.rows", "compare": "maps.compare", "convert": "library.conversion", "report": "solving.pages",
           "explore": "solving.pages"}
__all__ = [*_PLACES, "Error", "InputError", "WrongCall", "TooManyCells", "MissingFile", "ProgramError", "Unfinished",
           "Undefined"]


def _find(name: str) -> object:
    """A public name at its first use; the theories as functions, from the tables of the library."""
    if name == "impacts":
        return importlib.import_module(".inference.impacts", __name__)
    if name in _PLACES:
        found: object = getattr(importlib.import_module(f".{_PLACES[name]}", __name__), name)
        globals()[name] = found
        return found
    # `from impactsweep import maps` asks for an attribute first, and imports the room if there is none.
    if name.startswith("_") or importlib.util.find_spec(f"{__name__}.{name}"):
        raise AttributeError(f"module 'impactsweep' has no attribute '{name}'")
    theory: object = importlib.import_module(".solving.functions", __name__).function_of(name)
    return theory


if TYPE_CHECKING:  # to a checker every name that is not above is a theory
    def __getattr__(theory: str) -> Solves: ...
else:
    __getattr__ = _find


def __dir__() -> list[str]:
    try:
        known = [*importlib.import_module(".library.theories", __name__).theories()]
    except ProgramError:
        known = []
    return sorted({*globals(), *__all__, "impacts", *known})
