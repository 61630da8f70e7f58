"""Guests at length: a million cells of our own theories behind the protocol, with the cost of it, and two hundred kills
during a refinement."""
import os
import resource
import sys

import numpy as np
import pytest

from guests import KERNEL, check_same
from support import Case
from test_guest import REFINED, SHARING, WAYS, kill_while

GRID = """axes:
  - {param: angle, from: 0.1 deg, to: 89.9 deg, points: 1000}
  - {param: friction, from: 0.005, to: 1.5, points: 1000}
fixed: {stiffness_ratio: 1.21}
"""
NUMPY = f"""model: guest
command: [{sys.executable}, law.py, WAY]
axes:
  - {{param: x, from: 0, to: 1, points: 1000}}
  - {{param: k, from: 1, to: 2, points: 400}}
"""
# A law of a hundred steps of integration, which takes a fraction of a microsecond for each cell.
LAW = """
import sys, time
import numpy as np
import impactsweep.guest as guest
spent = 0.0

@guest.theory(parameters={"x": guest.number(), "k": guest.number()}, outputs={"y": "1", "v": "1"})
def law(x, k):
    global spent
    start = time.perf_counter()
    v = np.zeros_like(x)
    for step in range(100):
        v = v - 0.01 * k * np.sin(x)
        x = x + 0.01 * v
    spent += time.perf_counter() - start
    return {"y": x, "v": v}

start = time.perf_counter()
guest.serve(law)
print(f"{spent} of {time.perf_counter() - start}", file=open("times", "w"))
"""


def seconds_of_children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class AtLength(Case):
    def test_a_million_cells_have_the_bits_of_the_theory(self):
        self.write("own.yaml", "model: compliant\nchoose: {body: pendulum, law: linear}\n" + GRID)
        used = [seconds_of_children()]
        for way in ("own", *WAYS):
            if way in WAYS:
                self.write(f"{way}.yaml", f"model: guest\ncommand: {WAYS[way].format(kernel=KERNEL)}\n{GRID}")
            self.good("run", f"{way}.yaml", "-o", f"{way}.h5")
            used.append(seconds_of_children())
            check_same(self.path("own.h5"), self.path(f"{way}.h5"), least=20)
        print("processor time, us a cell: {:.3f} by the theory, by the guest {:.3f} over pipes, {:.3f} in shared memory".format(
            *np.diff(used)))

    def test_two_hundred_kills_cost_nothing(self):
        self.write("x.yaml", f"model: guest\ncommand: {SHARING.format(kernel=KERNEL)}\n"
                   + REFINED.replace("depth: 11, boundary: 1e-4", "depth: 16, boundary: 2e-5"))
        self.good("run", "x.yaml", "-o", "whole.h5", ranks=2)
        died = 0
        while died < 200:
            died += kill_while(self, "map.h5", kills=200 - died, period=0.02)
            assert self.digest("map.h5") == self.digest("whole.h5")
        print(f"{died} guests were killed")

    def test_what_the_protocol_costs_a_law_in_numpy(self):
        self.write("law.py", LAW)
        self.run_config(NUMPY.replace(", WAY", ""), "map.h5")
        with open(self.path("times"), encoding="utf-8") as file:
            print(f"seconds in the law: {file.read().strip()}, waiting included")


if __name__ == "__main__":
    sys.exit(pytest.main([os.path.abspath(__file__), "-s"]))
