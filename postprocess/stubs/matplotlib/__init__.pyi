# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.
from collections.abc import Mapping
from contextlib import AbstractContextManager

from . import ticker as ticker
from .cm import ColormapRegistry

colormaps: ColormapRegistry

def rc_context(rc: Mapping[str, object]) -> AbstractContextManager[None]: ...
