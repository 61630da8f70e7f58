# What the package uses of matplotlib, which has no types of its own in Debian. Only the check of types reads this.

from .artist import Artist

class Text(Artist):
    def get_position(self) -> tuple[float, float]: ...

class Annotation(Text): ...
