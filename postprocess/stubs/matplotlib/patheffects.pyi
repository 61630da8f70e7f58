# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

class withStroke:
    def __init__(self, *, linewidth: float, foreground: str) -> None: ...
