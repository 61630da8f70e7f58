# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.
from .artist import Artist
from .cm import ScalarMappable

class AxesImage(Artist, ScalarMappable): ...
