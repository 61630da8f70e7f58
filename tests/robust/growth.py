"""Maps of many cells by few and many ranks, both writers. Shared by test_many_ranks.py and test_many_ranks_long.py."""
from robust import Case, null_sweep

WRITERS = ("gather", "parallel")


class ManyRanks(Case):
    def check(self, ranks, options, cells=(300, 200), cost=1e-6):
        """The same digest for every number of ranks, each writer and each of these options."""
        digests = {}
        for write in WRITERS:
            self.write("x.yaml", null_sweep(*cells, cost, f"write: {write}\n"))
            for n in ranks:
                for extra in options:
                    self.good("run", "x.yaml", "-o", "map.h5", "--force", "--progress", "none", *extra, ranks=n)
                    digests.setdefault(self.digest("map.h5"), []).append((write, n, extra))
        self.assertEqual(len(digests), 1, digests)
