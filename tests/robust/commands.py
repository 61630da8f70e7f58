"""Whole commands into which faults are injected, and what must be true of what they leave: see faults.py (calls
on files) and memory.py (allocations)."""
import collections
import os
import shutil
import subprocess

import h5py
from robust import contents, count_right_cells, count_right_points, null_sweep
from support import OK, PROGRAM, Case, environment

# Words, the file that they write, and the one with whose copy they begin.
Command = collections.namedtuple("Command", "words file begin", defaults=(None, None))

CELL = ("compliant", "body=pendulum", "angle=20deg", "friction=0.5", "stiffness_ratio=1.21")
TO_MAP = ("-o", "map.h5", "--progress", "none")
RUN, REFINE = ("run", "x.yaml", *TO_MAP), ("run", "refined.yaml", *TO_MAP)
COMMANDS = {
    "models": Command(("models", "--json")),
    "cell": Command(("cell", *CELL, "--json")),
    "check": Command(("check", "x.yaml")),
    "trace_csv": Command(("trace", *CELL, "--points", "5", "-o", "out.csv"), "out.csv"),
    "trace_hdf5": Command(("trace", *CELL, "--points", "5", "-o", "out.h5"), "out.h5"),
    "info": Command(("info", "whole.h5", "--json", "--digest")),
    "export": Command(("export", "whole.h5", "-o", "out.csv"), "out.csv"),
    "run": Command(RUN, "map.h5"),
    "force": Command((*RUN, "--force"), "map.h5", "other.h5"),
    "part": Command((*RUN, "--part", "2/2"), "map.h5"),
    "join": Command(("join", "map.h5", "one.h5", "two.h5"), "map.h5"),
    "compress": Command((*RUN, "--compress"), "map.h5"),
    "resume": Command((*RUN, "--resume", "--checkpoint", "0"), "map.h5", "pending.h5"),
    "parallel": Command(("run", "parallel.yaml", *TO_MAP), "map.h5"),
    "refined": Command(REFINE, "map.h5"),
    "deeper": Command((*REFINE, "--resume"), "map.h5", "shallow.h5"),
    "info_refined": Command(("info", "fine.h5", "--json", "--digest")),
    "export_points": Command(("export", "fine.h5", "--points", "-o", "out.csv"), "out.csv"),
    "export_boundary": Command(("export", "fine.h5", "--boundary", "-o", "out.csv"), "out.csv"),
}
# Commands that write by the same functions as export.
MORE = {
    "query": Command(("query", "whole.h5", "value > 0.3", "-o", "out.csv"), "out.csv"),
    "report": Command(("report", "whole.h5", "-o", "out.html"), "out.html"),
    "explore": Command(("explore", "-o", "out.html"), "out.html"),
}
ALL = {**COMMANDS, **MORE}


def refined_sweep(base, depth, boundary):
    """More points than its first room is for, so that the map is written anew while it grows."""
    return (f"model: 'null'\nrefine: {{base: {base}, depth: {depth}, boundary: {boundary}, audit: 2}}\n"
            "axes:\n  - {param: x, from: 0, to: 0.1}\n  - {param: y, from: 0, to: 0.002}\n"
            "outputs: [mode, value]\n")


class Commands(Case):
    program = PROGRAM
    resumes = False  # whether what a failed run has left is completed by another one

    def setup_method(self):
        super().setup_method()
        self.model = self.path("model")
        os.mkdir(self.model)
        for name, text in (("x", null_sweep(2, 2)), ("other", null_sweep(2, 3)),
                           ("parallel", null_sweep(2, 2, extra="write: parallel\n")),
                           ("refined", refined_sweep(2, 3, 0.25)),
                           ("shallow", refined_sweep(2, 1, 0.25)),
                           ("fine", refined_sweep(4, 4, 0.03))):
            self.write(f"model/{name}.yaml", text)
        for name, config, *part in (("whole", "x"), ("one", "x", "--part", "1/2"),
                                    ("two", "x", "--part", "2/2"), ("pending", "x"),
                                    ("other", "other"), ("shallow", "shallow"),
                                    ("fine", "fine")):
            self.good("run", f"model/{config}.yaml", "-o", f"model/{name}.h5", *part)
        with h5py.File(self.path("model/pending.h5"), "r+") as file:
            file["outcome"][1, 1] = 0
            file["run/complete"][()] = 0

    def sweep_in(self, folder, words):
        result = subprocess.run([self.program, *words], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                env=environment(self.folder), capture_output=True, timeout=120)
        assert result.returncode == OK, (words, result.stderr)
        return result

    def place(self, name, *more):
        """A folder of its own with all that the commands need."""
        folder = self.path("-".join([name, *map(str, more)]))
        shutil.copytree(self.model, folder)
        return folder

    def prepare(self, name, folder):
        """Nothing in the folder but what the command is given."""
        _, file, begin = ALL[name]
        for old in set(os.listdir(folder)) - set(os.listdir(self.model)):
            os.remove(os.path.join(folder, old))
        if begin:
            shutil.copy(os.path.join(folder, begin), os.path.join(folder, file))

    def made(self, name, folder, out):
        """What the command has made, in a form that two runs of it have in common."""
        words, file, _ = ALL[name]
        if file:
            return contents(os.path.join(folder, file))
        return None if words[0] == "check" else out  # its estimate differs

    def check_folder(self, name, folder, where):
        given = os.listdir(self.model)
        assert set(os.listdir(folder)) <= {*given, ALL[name].file}, where

    def check_right(self, name, folder, out, wanted, where):
        """What is there when a command says that all is well."""
        self.check_folder(name, folder, where)
        assert differing(self.made(name, folder, out), wanted) == [], where

    def check_rest(self, name, folder, wanted, where):
        """What a failure leaves is right as far as it goes, or as it was."""
        words, file, begin = ALL[name]
        self.check_folder(name, folder, where)
        path = os.path.join(folder, file) if file else ""
        if not os.path.exists(path):
            assert begin is None, where
        elif begin and same_bytes(path, os.path.join(folder, begin)):
            return
        elif file != "map.h5":
            assert differing(contents(path), wanted) == [], where
        else:
            (count_right_points if words[1] == "refined.yaml" else count_right_cells)(path)
            self.check_resumed(words, folder, path, wanted, where)

    def check_resumed(self, words, folder, path, wanted, where):
        if self.resumes:
            self.sweep_in(folder, resuming(words))
            assert differing(contents(path), wanted) == [], (where, "resumed")

    def report(self, *lines):
        """Figures, for the environment's IMPACT_REPORT."""
        if os.environ.get("IMPACT_REPORT"):
            with open(os.environ["IMPACT_REPORT"], "a") as file:
                file.write("\n".join(lines) + "\n")


def resuming(words):
    """The command that completes what another one has left."""
    if words[0] == "join":
        return (*RUN, "--resume")
    return (*(word for word in words if word not in ("--force", "--resume", "--compress")), "--resume")


def same_bytes(one, two):
    with open(one, "rb") as first, open(two, "rb") as second:
        return first.read() == second.read()


def differing(found, wanted):
    """What two results have not in common: names in files of HDF5, else all of it."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        return [name for name in {*found, *wanted} if found.get(name) != wanted.get(name)]
    return [] if found == wanted else [found, wanted]
