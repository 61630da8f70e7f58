"""Every figure and table of Brach 1993, drawn from coarse maps."""

from gallery_items import Items


class Brach1993(Items):
    SOURCE = "brach1993"


del Items  # has no source of its own
