# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from .axes import Axes

class Colorbar:
    ax: Axes
    def minorticks_off(self) -> None: ...
    def set_label(self, label: str) -> None: ...
