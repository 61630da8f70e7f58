"""Every figure and table of Baruh 2022, drawn from coarse maps."""

from gallery_items import Items


class Baruh2022(Items):
    SOURCE = "baruh2022"


del Items  # has no source of its own
