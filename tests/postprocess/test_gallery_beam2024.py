"""Every figure and table of the beam paper of 2024, drawn from coarse maps."""

from gallery_items import Items


class Beam2024(Items):
    SOURCE = "beam2024"
    SAYS = {"figure-4.png": ["impulse (N s)", r"impulse / $(\mu\,L^2\,S)$", "duration × $S$",
                             "$L$: length", "61.7649 s⁻¹"],
            "figure-6.png": ["force (N)", r"force / $(E\,I/L^2)$", r"velocity / $(L\,S)$", "contact energy",
                             "energy / initial energy"]}


del Items  # has no source of its own
