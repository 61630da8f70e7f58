"""Calls on files fail during whole commands, the n-th of a kind for n = 1, 2, ... to the last: each command ends with
the right file, or with code 1 and one message, and prints and leaves nothing else. See shim.c."""
import errno
import glob
import os
import re
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True
import h5py
import robust
from robust import Case, contents, null_sweep
from support import FAILURE, OK, command, environment, in_parallel

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")
CELL = ("compliant", "body=pendulum", "angle=20deg", "friction=0.5", "stiffness_ratio=1.21")
RUN = ("run", "x.yaml", "-o", "map.h5", "--progress", "none")
PARALLEL = ("run", "y.yaml", *RUN[2:])
# {name: words of the command, the file that it writes, and the file whose copy is there at its start}.
COMMANDS = {
    "run": (RUN, "map.h5", None),
    "compress": ((*RUN, "--compress"), "map.h5", None),
    "join": (("join", "map.h5", "one.h5", "two.h5"), "map.h5", None),
    "trace_hdf5": (("trace", *CELL, "--points", "50", "-o", "out.h5"), "out.h5", None),
    "trace_csv": (("trace", *CELL, "--points", "50", "-o", "out.csv"), "out.csv", None),
    "export": (("export", "whole.h5", "-o", "out.csv"), "out.csv", None),
    "resume": ((*RUN, "--resume", "--checkpoint", "0"), "map.h5", "pending.h5"),
    "parallel": (PARALLEL, "map.h5", None),
    "info": (("info", "whole.h5", "--json", "--digest"), None, None),
}
WRITE, TRUNCATE, CLOSE, SYNC, NAME, RESERVE, OPEN, READ = KINDS = "wtcsnaor"

MPIRUN = re.compile(r"-{60,}\n(Primary job|mpirun detected).*?-{60,}\n", re.S)


class Shimmed(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = os.path.join(cls.shared, "shim.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.shim, SHIM, "-ldl"], check=True)

    def shimmed(self, folder=None, **settings):
        folder = folder or self.work
        os.makedirs(folder + "-mpi", exist_ok=True)
        return {**environment(self.folder), "LD_PRELOAD": self.shim, "SHIM_UNDER": folder,
                "SHIM_LOG": folder + "-log",
                # Without a daemon, which is faster; two such runs must not share a folder.
                "OMPI_MCA_ess_singleton_isolated": "1",
                "OMPI_MCA_orte_tmpdir_base": folder + "-mpi",
                **{name: str(value) for name, value in settings.items()}}

    def run_with(self, words, folder=None, ranks=0, **settings):
        """Runs the program with the shim; (result, whether its fault happened)."""
        folder, happened = folder or self.work, False
        result = subprocess.run(command(words, ranks), cwd=folder, stdin=subprocess.DEVNULL,
                                env=self.shimmed(folder, **settings), capture_output=True,
                                text=True, timeout=120)
        for name in glob.glob(glob.escape(folder) + "-log.*"):
            with open(name) as log:
                lines = [line.split() for line in log]
            happened |= any(line[0] == settings["SHIM_FAIL"] and int(line[5]) for line in lines)
            os.remove(name)
        return result, happened


class Campaign(Shimmed):
    """Attacks run at the same time, each in a folder of its own."""

    resumes = False  # whether another run completes the file of a failed one

    def setUp(self):
        super().setUp()
        self.model = self.path("model")
        os.mkdir(self.model)
        self.write("model/x.yaml", null_sweep(3, 3))
        self.write("model/y.yaml", null_sweep(3, 3, extra="write: parallel\n"))
        for name, part in (("whole", ()), ("one", ("--part", "1/2")), ("two", ("--part", "2/2")),
                           ("pending", ())):
            self.good("run", "model/x.yaml", "-o", f"model/{name}.h5", *part)
        with h5py.File(self.path("model/pending.h5"), "r+") as file:
            file["outcome"][1, 1] = 0
            file["run/complete"][()] = 0

    def sweep_in(self, folder, words):
        result = subprocess.run(command(words), cwd=folder, stdin=subprocess.DEVNULL, text=True,
                                env=environment(self.folder), capture_output=True, timeout=120)
        self.assertEqual(result.returncode, OK, (words, result.stderr))
        return result

    def check_message(self, result, error, ranks, where):
        """There is one line, besides those that mpirun prints about a program that fails."""
        text = MPIRUN.sub("", result.stderr) if ranks else result.stderr
        lines = text.splitlines()
        self.assertEqual(len(lines), 1, (where, result))
        self.assertEqual(result.returncode, FAILURE, (where, result))
        self.assertTrue(lines[0].startswith("impactsweep: error: "), (where, result))
        if "h5repack" not in lines[0]:  # it does not say why
            self.assertIn(os.strerror(error), lines[0], where)

    def check_rest(self, words, folder, file, wanted, where):
        """A file that a failure leaves is right as far as it is done."""
        path = os.path.join(folder, file)
        if not os.path.exists(path):
            return
        if file != "map.h5":
            self.assertEqual(contents(path), wanted, where)
            return
        robust.count_right_cells(path)
        if self.resumes:
            resume = ("run", words[1] if words[0] == "run" else "x.yaml", *RUN[2:], "--resume")
            self.sweep_in(folder, resume)
            self.assertEqual(contents(path), wanted, (where, "resumed"))

    def attack(self, name, kind, error, ranks=0, step=1):
        """Lets each call of a kind fail once; returns the number of failures that the command reported."""
        words, file, begin = COMMANDS[name]
        folder = self.path(f"{name}-{kind}-{error}-{ranks}")
        shutil.copytree(self.model, folder)
        before, told = set(os.listdir(folder)), 0

        def prepare():
            for old in set(os.listdir(folder)) - before:
                os.remove(os.path.join(folder, old))
            if begin:
                shutil.copy(os.path.join(folder, begin), os.path.join(folder, file))

        def made(result):
            return contents(os.path.join(folder, file)) if file else result.stdout

        prepare()
        wanted = made(self.sweep_in(folder, words))
        for n in range(0, 2000, step):
            prepare()
            where = f"{name}, {ranks} ranks, call {n + 1} of {kind}: {errno.errorcode[error]}"
            result, happened = self.run_with(words, folder, ranks, SHIM_FAIL=kind, SHIM_AFTER=n,
                                             SHIM_TIMES=1, SHIM_ERRNO=error)
            if result.returncode == OK:
                self.assertEqual((result.stderr, made(result)), ("", wanted), where)
            else:
                self.check_message(result, error, ranks, where)
                if file:
                    self.check_rest(words, folder, file, wanted, where)
            self.assertLessEqual(set(os.listdir(folder)) - before, {file}, where)
            told += result.returncode != OK
            if not happened:
                return told
        raise AssertionError(f"{name}, {kind}: no end")

    def attack_all(self, rows):
        """Attacks on all cores. Each must report at least one failure, because at least one call is needed. (An
        interrupted call is made again.)"""
        def one(row):
            try:
                return row, self.attack(*row), None
            except AssertionError as failure:
                return row, 0, failure
        for row, told, failure in in_parallel(one, rows):
            with self.subTest(row=row):
                if failure:
                    raise failure
                self.assertTrue(told > 0 or row[2] == errno.EINTR, "no call of this kind")
