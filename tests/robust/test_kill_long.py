"""The long campaign of kills; prints one line of figures."""
from campaign import (COMPRESSION, COMPUTING, CREATION, END, FINISHING, START, lane, sum_of)
from robust import Case, null_sweep
from support import in_parallel

LARGE = null_sweep(1000, 4000, 0)
SMALL = null_sweep(500, 100, 3e-5)
KILLS = 120


def rounds(*more):
    """Kills in each phase alone, and then in resumed runs one after another."""
    return [(CREATION,), (COMPUTING,), (FINISHING,), (END,), (START, CREATION, COMPUTING),
            (COMPUTING, COMPUTING, FINISHING), (CREATION, COMPUTING, FINISHING, END), *more]


class Killed(Case):
    def test_long_campaign(self):
        squeeze = [(COMPRESSION,), (COMPRESSION, COMPRESSION)]
        lanes = []
        for ranks in range(5):
            checkpoint = ("0", "0.2")[ranks % 2]
            lanes.append((SMALL, {"seed": ranks, "ranks": ranks, "compress": True,
                                  "checkpoint": checkpoint}, rounds(*squeeze)))
            lanes.append((SMALL + "write: parallel\n", {"seed": 10 + ranks, "ranks": ranks,
                                                        "checkpoint": "0.2"}, rounds()))
            lanes.append((LARGE, {"seed": 20 + ranks, "ranks": ranks, "checkpoint": checkpoint},
                          [(CREATION, CREATION, COMPUTING, FINISHING)]))
        total = sum_of(in_parallel(lane, lanes))
        print(total)
        assert sum(total.kills.values()) >= KILLS, total
        assert all(total.kills.values()), total
        assert total.failures == []
        assert total.unmarked == 0, "resumed to the end, but not marked complete"
