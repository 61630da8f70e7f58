"""Memory that runs out, at every allocation of every command, whoever makes it: in a program without MPI, as its
allocations are not ours, and which starts soon. IMPACT_SHARE=i/n takes only a part of them."""
import os

import pytest
from builds import BUILDS
from commands import COMMANDS
from memory import ALL, Memory


@pytest.mark.skipif(BUILDS["alone"].missing(), reason="a serial HDF5 is not installed")
class Every(Memory):
    resumes = True

    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.program = BUILDS["alone"].make(os.path.join(cls.shared, "build"))

    @pytest.mark.parametrize("name", sorted({*COMMANDS} - {"parallel"}))
    def test_all(self, name):
        assert self.campaign(name, ALL) > 1000
