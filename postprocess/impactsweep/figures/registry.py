"""The kinds of figures. A module in the folder kinds is a kind under its own name: a new file is all that a new kind
needs, and kinds know neither this list nor the command that reads it."""
from __future__ import annotations

import argparse
import importlib
import pkgutil
from collections.abc import Container
from typing import Protocol, cast

from matplotlib.figure import Figure

from . import kinds


class KindOfFigure(Protocol):
    """What a module of the folder kinds has. Besides, `suits(survey)` makes a claim on maps, and `called(data, wanted)` is a
    name for a figure."""
    @property
    def USES(self) -> Container[str]:
        """The options of `settings.SPECIAL` that the kind draws."""

    def add_options(self, parser: argparse.ArgumentParser) -> None: ...

    def default_output(self, options: argparse.Namespace) -> str: ...

    def make(self, options: argparse.Namespace, notes: list[str]) -> Figure: ...



KINDS = {one.name: cast(KindOfFigure, importlib.import_module(f"{kinds.__name__}.{one.name}"))
         for one in pkgutil.iter_modules(kinds.__path__)}
