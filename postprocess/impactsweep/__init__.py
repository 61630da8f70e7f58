"""impactsweep from Python: maps and histories as xarray Datasets, the theories as functions.

    import impactsweep
    map = impactsweep.open("map.h5")

The modules of the figures (kinds, looks, labels, dimensions, choose, command) are those of plot.py.
"""
import os

# A running sweep holds the lock of its file; a reader needs none. Must precede the HDF5 library.
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"

from .dataset import open
from .errors import Error, InputError, MissingFile, ProgramError, Unfinished

__all__ = ["open", "Error", "InputError", "MissingFile", "ProgramError", "Unfinished"]
