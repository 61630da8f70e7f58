"""The size that `check` forecasts for the refined maps of the shipped configs that take longer."""
import os

import pytest
import test_check
from support import ROOT, needs_beam


class Refined(test_check.Refined):
    test_size_of_a_file = None  # is in test_check

    @pytest.mark.parametrize("name", ["rod3d-refined", "rod-events", "bounce-die"])
    def test_size_of_a_shipped_config(self, name):
        self.check_size(os.path.join(ROOT, "configs", name + ".yaml"))

    @needs_beam
    def test_size_where_small_cells_have_ever_more_boundaries(self):
        """How far these grow is told by the levels that fit into the time of `check`."""
        self.check_size(os.path.join(ROOT, "configs", "beam-refined.yaml"), 4)
