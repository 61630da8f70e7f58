"""The same map by 2 to 16 ranks, whoever writes, and memory that does not grow with the cells."""
import glob
import os
import subprocess
import sys

import pytest
import growth
from robust import null_sweep
from support import PROGRAM, environment

# The largest memory of a rank, as the kernel counts it, after its end.
# MPICH speaks with its ranks through an open file. Lines of several ranks may be mixed, files are not.
MEASURE = """import os, resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, close_fds=False).returncode
with open(f"peak-{os.getpid()}", "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(code)
"""


class Digests(growth.ManyRanks):
    def test_few_and_many_ranks(self):
        self.check((2, 3, 5, 16), [()])

    def test_orders_of_several_blocks(self):
        """An order of a million cells does not fit into one block of 4 MB."""
        self.check((2, 3), [("--chunk", "1000000", "--checkpoint", seconds) for seconds in ("0", "0.1")],
                   cells=(1500, 2000), cost=0)


class Memory(growth.ManyRanks):
    def peaks(self, rows, write):
        """Kilobytes of the ranks, in no particular order."""
        self.write("x.yaml", null_sweep(rows, 4000, 0, f"write: {write}\n"))
        subprocess.run(["mpirun", "-n", "3", sys.executable, "-c", MEASURE, PROGRAM, "run", "x.yaml", "-o", "map.h5",
                        "--force", "--progress", "none", "--checkpoint", "0.2"],
                       cwd=self.work, env=environment(self.folder), capture_output=True, check=True)
        found = []
        for path in glob.glob(self.path("peak-*")):
            with open(path) as file:
                found.append(int(file.read()))
            os.remove(path)
        assert len(found) == 3
        return found

    @pytest.mark.parametrize("write", ["gather", "parallel"])
    def test_it_does_not_grow_with_the_cells(self, write):
        """A million and sixteen million cells, of 10 bytes each in the file. Marks that wait for a sync take a byte
        for each cell, at most 16 million."""
        few, many = self.peaks(250, write), self.peaks(4000, write)
        assert max(many) - max(few) < 40 << 10, (few, many)
