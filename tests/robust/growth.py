"""Maps of many cells by few and many ranks, both writers. Shared by test_many_ranks.py and test_many_ranks_long.py."""
import itertools
import os
from unittest import mock

from robust import Case, null_sweep

WRITERS = (("gather", {}), ("parallel", {}),
           ("parallel", {"IMPACTSWEEP_SHARES": "1"}))  # as among thousands of ranks


class ManyRanks(Case):
    def check(self, ranks, options, cells=(300, 200), cost=3e-6):
        """The same digest for every number of ranks, each writer, with and without shares, and each of these options."""
        digests = {}
        for write, variables in WRITERS:
            self.write("x.yaml", null_sweep(*cells, cost, f"write: {write}\n"))
            for n, extra in itertools.product(ranks, options):
                with mock.patch.dict(os.environ, variables):
                    self.good("run", "x.yaml", "-o", "map.h5", "--force", "--progress", "none", *extra, ranks=n)
                digests.setdefault(self.digest("map.h5"), []).append((write, variables, n, extra))
        assert len(digests) == 1, digests
