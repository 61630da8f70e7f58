"""Shared by the tests of what the texts of the sources claim: the words of the pages beside computed numbers."""
import package  # noqa: F401  the paths and the library of the build
import gallery
import numpy as np


class Claims:
    """The base of the tests of a source, which name its folder."""
    SOURCE = None

    def says(self, item, *numbers):
        """The page of the source has these texts, in this order, in what it says about an item's agreement."""
        (found,) = [one for one in gallery.read_source(self.SOURCE).items if one.name == item]
        rest = found.agreement
        for text in numbers:
            assert text in rest, f"{self.SOURCE}, {item}: {found.agreement}"
            rest = rest.split(text, 1)[1]


def share(true):
    """The percentage of places at which something is true, as the pages write it."""
    return f"{100 * np.mean(true):.0f} %"
