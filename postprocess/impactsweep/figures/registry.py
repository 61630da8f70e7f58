"""The kinds of figures. A module in the folder kinds is a kind under its own name: a new file is all that a new kind
needs, and kinds know neither this list nor the command that reads it."""
import importlib
import pkgutil

from . import kinds

KINDS = {one.name: importlib.import_module(f"{kinds.__name__}.{one.name}") for one in pkgutil.iter_modules(kinds.__path__)}
