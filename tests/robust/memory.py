"""Memory runs out at the n-th allocation of a whole command, which must end with the right result, or with the exit
code of a failure and a message. memory.c states which allocations count."""
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cmd"))

from robust import contents
from support import FAILURE, OK, Case, command, environment, share

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory.c")
CONFIG = """model: rigid
choose: {body: rod, law: newton}
axes:
  - {param: angle, from: 10 deg, to: 80 deg, points: 8}
  - {param: friction, values: [0.1, 0.5]}
fixed: {restitution: 0.5, velocity_ratio: 0.3}
outputs: [mode, kinematic_restitution, energy_loss]
"""
CELL = ("compliant", "body=pendulum", "angle=30deg", "friction=0.3", "stiffness_ratio=1.21")
OWN = "libjansson libyaml"  # besides the program itself
HDF5 = "libhdf5"
# {name: words of the command, and the file that it writes}.
COMMANDS = {
    "models": (("models", "--json"), None),
    "cell": (("cell", *CELL, "--json"), None),
    "info": (("info", "whole.h5", "--json", "--digest"), None),
    "check": (("check", "x.yaml"), None),
    "trace": (("trace", *CELL, "--points", "5", "-o", "out.csv"), "out.csv"),
    "trace_hdf5": (("trace", *CELL, "--points", "5", "-o", "out.h5"), "out.h5"),
    "export": (("export", "whole.h5", "-o", "out.csv"), "out.csv"),
    "run": (("run", "x.yaml", "-o", "out.h5", "--progress", "none"), "out.h5"),
    "compress": (("run", "x.yaml", "-o", "out.h5", "--progress", "none", "--compress"), "out.h5"),
    "join": (("join", "out.h5", "one.h5", "two.h5"), "out.h5"),
}
WITH_HDF5 = ("info", "export", "trace_hdf5", "run", "compress", "join")


class Memory(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = os.path.join(cls.shared, "memory.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.shim, SOURCE], check=True)

    def setUp(self):
        super().setUp()
        self.write("x.yaml", CONFIG)
        for name, part in (("whole.h5", ()), ("one.h5", ("--part", "1/2")),
                           ("two.h5", ("--part", "2/2"))):
            self.good("run", "x.yaml", "-o", name, *part)

    def go(self, words, fails, libraries):
        preload = {"LD_PRELOAD": self.shim, "MEMORY_FAIL": str(fails), "MEMORY_IN": libraries,
                   "MEMORY_COUNT": self.path("count"),
                   "OMPI_MCA_ess_singleton_isolated": "1"}  # starts no daemon: faster
        return subprocess.run(command(words), cwd=self.work, stdin=subprocess.DEVNULL, text=True,
                              env={**environment(self.folder), **preload}, capture_output=True,
                              timeout=120)

    def found(self, words, name, result):
        """The result of the command, in a form that is the same for two runs."""
        if name is None:
            return None if words[0] == "check" else result.stdout
        return contents(self.path(name)) if os.path.exists(self.path(name)) else None

    def differing(self, found, wanted):
        """The difference of two results: names in files of HDF5, otherwise the whole result."""
        if isinstance(found, dict) and isinstance(wanted, dict):
            return [name for name in {*found, *wanted} if found.get(name) != wanted.get(name)]
        return [] if found == wanted else [found, wanted]

    def clean(self):
        for name in self.files():
            if name.startswith("out.") or name == "count":
                path = self.path(name)
                shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)

    def campaign(self, name, libraries, most=None):
        """Fails each allocation, or `most` of them in even steps; returns the number of failures."""
        words, file = COMMANDS[name]
        self.clean()
        result = self.go(words, 0, libraries)
        self.assertEqual(result.returncode, OK, result.stderr)
        wanted = self.found(words, file, result)
        with open(self.path("count")) as count:
            n = int(count.read())
        self.assertGreater(n, 0)
        step = max(1, -(-n // most)) if most else 1
        given = {one for one in self.files() if not one.startswith("out.")}
        tried = share(range(1, n + 1, step))
        for fails in tried:
            self.clean()
            result = self.go(words, fails, libraries)
            where = f"{name}: allocation {fails} of {n}: {result.returncode}: {result.stderr}"
            self.assertIn(result.returncode, (OK, FAILURE), where)
            if result.returncode == OK:
                self.assertEqual(self.differing(self.found(words, file, result), wanted), [], where)
            else:
                self.assertRegex(result.stderr, "error: .*memory|h5repack|process ended", where)
            self.assertLessEqual(set(self.files()), given.union([file, "count"]), where)
        return len(tried)
