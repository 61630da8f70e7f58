# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

class GridSpec:
    ncols: int

class SubplotSpec:
    def get_gridspec(self) -> GridSpec: ...
