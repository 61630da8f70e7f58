# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from .artist import Artist
from .transforms import Transform

class Legend(Artist):
    def set_bbox_to_anchor(self, bbox: tuple[float, float], transform: Transform) -> None: ...
