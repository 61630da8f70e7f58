# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from .collections import LineCollection

class ContourSet:
    collections: list[LineCollection]
