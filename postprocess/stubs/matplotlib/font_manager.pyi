# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

class FontProperties:
    def __init__(self, *, size: float) -> None: ...
