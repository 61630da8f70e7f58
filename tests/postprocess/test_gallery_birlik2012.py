"""Every figure and table of Birlik 2012, drawn from coarse maps."""

import numpy as np
from gallery_items import Items
from impactsweep.maps import histories


class Birlik2012(Items):
    SOURCE = "birlik2012"
    OF_THE_SOURCE = ("φ (rad)",)
    SAYS = {"figure-3.1.png": ["angle 50°", "friction 0.5", "impulse / $(m\\,v_n)$"],
            "figure-4.7.png": ["friction 0.1", "friction 0.8"],
            "figure-4.10.png": ["loss to friction"],
            "figure-4.13.png": ["angle 10°", "final speed / initial speed", "rigid, Poisson (equation 4.69)", "linear springs"],
            "figure-4.14.png": ["critical angle (deg)", "0.001"],
            "figure-3.4.png": ["slip+", "friction limit", "rate of the tangential elongation", "slip velocity"],
            "figure-4.12.png": ["energy lost to friction", "energy left in the springs"],
            "figure-4.15.png": ["angle 36.08°", "angle 36.07°", "20"],
            "figure-4.16.png": ["separation", "friction 0.5"],
            "table-4.2.png": ["−1.183", "−0.683", "2.186", "node", "saddle", "$r_1$"],
            "table-4.3.png": ["11.59", "36.07"],
            "table-4.4.png": ["26.54", "36.81"]}

    def test_the_velocities_of_figure_3_1_are_those_that_the_impulses_give(self):
        """B of a sphere of radius l / 20 on a link l: across the link, with the moment of inertia 1.001 m l^2."""
        (item,) = [item for item in self.items() if item.name == "figure 3.1"]
        self.make(item)
        (history,) = histories.read(self.path("figure-3.1.h5"))
        across = np.array([np.cos(np.radians(50)), np.sin(np.radians(50))])
        velocity, impulse = ([history.columns[f"{side}_{kind}"] for side in ("tangential", "normal")]
                             for kind in ("velocity", "impulse"))
        given = np.outer(across, across @ impulse) / 1.001
        np.testing.assert_allclose(velocity, np.array(velocity)[:, :1] + given, atol=1e-9)


del Items  # has no source of its own
