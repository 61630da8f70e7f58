"""kill -9 at any moment: the map opens, its marked cells are right, and it can be completed. A short campaign;
test_kill_long.py is the long one."""
from campaign import (COMPRESSION, COMPUTING, CREATION, END, FINISHING, START, lane, sum_of)
from robust import Case, null_sweep
from support import in_parallel

# A large file of cells that take no time, whose creation takes long; and a small file, whose cells take all the time.
LARGE = null_sweep(1000, 5000, 0)
SMALL = null_sweep(500, 100, 3e-5)


class Killed(Case):
    def test_short_campaign(self):
        lanes = [
            (LARGE, {"seed": 1, "ranks": 0}, [(CREATION, CREATION, FINISHING)]),
            (SMALL, {"seed": 2, "ranks": 0, "checkpoint": "0.2", "compress": True},
             [(START, COMPUTING, FINISHING, COMPRESSION), (COMPRESSION, END)]),
            (SMALL, {"seed": 3, "ranks": 2}, [(COMPUTING, COMPUTING, FINISHING)]),
            (SMALL + "write: parallel\n", {"seed": 4, "ranks": 3, "checkpoint": "0.2"},
             [(COMPUTING, COMPUTING, FINISHING)]),
            (SMALL + "write: parallel\n", {"seed": 5, "ranks": 4},
             [(START, CREATION, COMPUTING, COMPUTING)]),
        ]
        total = sum_of(in_parallel(lane, lanes))
        # A run may end before its kill; most do not.
        assert sum(total.kills.values()) >= 9, total
        for phase in (CREATION, COMPUTING, COMPRESSION):
            assert total.kills[phase] > 0, total
        assert total.kills[FINISHING] + total.kills[END] > 0, total
        assert total.cells > 10**6, total
        assert total.failures == []
        assert total.unmarked == 0, "resumed to the end, but not marked complete"
