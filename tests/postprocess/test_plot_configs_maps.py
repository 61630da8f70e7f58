"""plot.py on a coarse map of every committed config that it draws as maps and flows."""
from figures_of_configs import OfConfigs, of_kinds

import pytest


class Maps(OfConfigs):
    @pytest.mark.parametrize("name", of_kinds("map", "flow"))
    def test_each_is_drawn_as_its_kind_and_can_be_read(self, name):
        self.check_config(name)
