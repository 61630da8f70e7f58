#!/usr/bin/python3
"""Files while they are made and found again: failures of every call while HDF5 makes one, races on a
name, links that point elsewhere, files that change under a run."""
import errno
import glob
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import h5py
import numpy as np
import robust
from robust import Case, null_sweep
from support import BAD_INPUT, FAILURE, OK, STOPPED, command, digest_of_bytes, environment

SHIM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")
QUIET = ("--progress", "none")
RUN = ("run", "x.yaml", "-o", "map.h5", *QUIET)
TRACE = ("trace", "compliant", "body=pendulum", "angle=20deg", "friction=0.5",
         "stiffness_ratio=1.21", "-o", "map.h5")
TINY = null_sweep(3, 3)


class Files(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.shim = os.path.join(cls.shared, "shim.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.shim, SHIM, "-ldl"], check=True)

    def setUp(self):
        super().setUp()
        self.map = self.path("map.h5")
        self.write("x.yaml", TINY)

    def shimmed(self, **settings):
        return {**environment(self.folder), "LD_PRELOAD": self.shim, "SHIM_UNDER": self.work,
                "SHIM_LOG": os.path.join(self.folder, "log"),
                "OMPI_MCA_ess_singleton_isolated": "1",  # starts no daemon: faster
                **{name: str(value) for name, value in settings.items()}}

    def run_with(self, words, **settings):
        """Runs the program with the shim; (result, whether its fault happened)."""
        for name in glob.glob(os.path.join(self.folder, "log.*")):
            os.remove(name)
        result = subprocess.run(command(words), cwd=self.work, stdin=subprocess.DEVNULL,
                                env=self.shimmed(**settings), capture_output=True, text=True,
                                timeout=120)
        lines = []
        for name in glob.glob(os.path.join(self.folder, "log.*")):
            with open(name) as log:
                lines += [line.split() for line in log]
        happened = any(line[0] == settings["SHIM_FAIL"] and int(line[5]) for line in lines)
        return result, happened

    def leave_nothing(self, *names):
        for name in glob.glob(self.map + "*") + [self.path(name) for name in names]:
            if os.path.exists(name):
                os.remove(name)


class Creation(Files):
    """A call that fails is told by code 1 and one message, and leaves nothing; or nothing came of it,
    and the file is right. Values in the file: HDF5 once lost a failed write of its last block."""

    def values(self, path):
        found = {}

        def note(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith("run"):
                found[name] = (item[()].tobytes(), sorted(item.attrs))
        with h5py.File(path, "r") as file:
            file.visititems(note)
        return found

    def check(self, result, wanted, name):
        lines = result.stderr.splitlines()
        if result.returncode == OK:
            self.assertEqual(self.values(self.map), wanted, name)
            return
        self.assertEqual(result.returncode, FAILURE, (name, result))
        self.assertEqual(len(lines), 1, (name, lines))
        self.assertTrue(lines[0].startswith("impactsweep: error: "), (name, lines))
        self.assertEqual(glob.glob(self.map + ".*"), [], name)

    def attack(self, words, kind, error, steps=1, **settings):
        """The n-th call of a kind fails, n = 1, 2, ... to the end; how many failures were told."""
        self.leave_nothing()
        self.good(*words)
        wanted, told = self.values(self.map), 0
        for n in range(0, 1000, steps):
            self.leave_nothing()
            result, happened = self.run_with(words, SHIM_FAIL=kind, SHIM_AFTER=n, SHIM_TIMES=1,
                                             SHIM_ERRNO=error, **settings)
            if "x.yaml:" not in result.stderr:  # that is the config's affair
                self.check(result, wanted, f"{words[0]} {kind} {n} {errno.errorcode[error]}")
            told += result.returncode == FAILURE
            if not happened:
                return told
        self.fail("no end")

    def test_every_write_of_a_run(self):
        self.assertGreater(self.attack(RUN, "w", errno.EIO), 10)

    def test_every_write_of_a_trace(self):
        self.assertGreater(self.attack(TRACE, "w", errno.EIO), 2)

    def test_every_write_of_a_join(self):
        self.good("run", "x.yaml", "-o", "one.h5", "--part", "1/2", *QUIET)
        self.good("run", "x.yaml", "-o", "two.h5", "--part", "2/2", *QUIET)
        told = self.attack(("join", "map.h5", "one.h5", "two.h5"), "w", errno.EIO)
        self.assertGreater(told, 10)

    def test_other_calls_and_errors(self):
        for words, kind, error in ((RUN, "s", errno.EIO), (RUN, "a", errno.ENOSPC),
                                   (RUN, "n", errno.EDQUOT), (RUN, "c", errno.EIO),
                                   (RUN, "o", errno.EIO), (TRACE, "s", errno.EIO),
                                   (TRACE, "a", errno.EDQUOT), (TRACE, "c", errno.ENOSPC),
                                   (TRACE, "n", errno.EIO)):
            with self.subTest(words=words[0], kind=kind):
                self.assertGreater(self.attack(words, kind, error), 0)

    def test_errors_that_come_to_stay(self):
        for words in (RUN, TRACE):
            for error in (errno.ENOSPC, errno.EDQUOT, errno.EINTR):
                for after in (0, 1, 2):
                    self.leave_nothing()
                    result, _ = self.run_with(words, SHIM_FAIL="w", SHIM_AFTER=after,
                                              SHIM_ERRNO=error)
                    self.assertEqual(result.returncode, FAILURE)
                    self.assertIn(os.strerror(error), result.stderr)
                    self.assertEqual(glob.glob(self.map + "*"), [])

    def test_an_interrupted_write_is_written_again(self):
        for words in (RUN, TRACE):
            self.assertEqual(self.attack(words, "w", errno.EINTR, steps=3), 0)

    def test_every_write_of_a_compression(self):
        # In h5repack too, which is only believed when what it wrote reads the same.
        self.good(*RUN)
        plain = self.path("plain.h5")
        os.rename(self.map, plain)
        digest, told = self.digest("plain.h5"), 0
        for n in range(0, 200, 3):
            shutil.copy(plain, self.map)
            result, happened = self.run_with((*RUN, "--resume", "--compress"), SHIM_FAIL="w",
                                             SHIM_AFTER=n, SHIM_TIMES=1, SHIM_ERRNO=errno.EIO)
            self.assertIn(result.returncode, (OK, FAILURE), result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), result.returncode, result.stderr)
            self.assertEqual(self.digest("map.h5"), digest, n)
            self.assertEqual(glob.glob(self.map + ".*"), [])
            told += result.returncode
            if not happened:
                break
        self.assertGreater(told, 5)


class Reading(Files):
    """A disk that cannot be read is not a damaged file: code 1, and the cause."""

    def test_every_read(self):
        self.good(*RUN)
        for words in (("info", "map.h5", "--digest"), ("export", "map.h5"),
                      (*RUN, "--resume", "--checkpoint", "0")):
            for n in range(0, 400, 1 if words[0] != "run" else 7):
                with h5py.File(self.map, "r+") as file:
                    file["outcome"][1, 1] = 0  # so that a resume has work to do
                result, happened = self.run_with(words, SHIM_FAIL="r", SHIM_AFTER=n, SHIM_TIMES=1)
                if not happened:
                    break
                if words[0] == "run" and "x.yaml:" in result.stderr:
                    continue  # the config
                self.assertEqual(result.returncode, FAILURE, (words, n, result.stderr))
                self.assertIn(os.strerror(errno.EIO), result.stderr, (words, n))
                self.assertNotIn("damaged", result.stderr, (words, n))
            self.assertEqual(result.returncode, OK)
            self.assertGreater(n, 10)


class Races(Files):
    def stopped_at(self, words, kind, after):
        """Starts the program, which stops itself before its call number `after` of a kind; None if it
        came to its end before."""
        process = subprocess.Popen(command(words), cwd=self.work, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.shimmed(SHIM_FAIL=kind, SHIM_AFTER=after,
                                                    SHIM_TIMES=1, SHIM_STOP=1))
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while True:
            number, status = os.waitpid(process.pid, os.WNOHANG | os.WUNTRACED)
            if number and os.WIFSTOPPED(status):
                return process
            if number:
                process.returncode = os.waitstatus_to_exitcode(status)
                return None
            time.sleep(0.01)

    def go_on(self, process):
        process.send_signal(signal.SIGCONT)
        stderr = process.communicate(timeout=60)[1]
        return process.returncode, stderr

    def test_a_map_that_is_replaced_while_it_is_resumed(self):
        """Before each opening of a file in turn, another map takes the name. It must stay as it is, or
        be completed as what it is."""
        self.write("y.yaml", TINY.replace("from: 0, to: 2", "from: 10, to: 12"))
        for name in ("x", "y"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", *QUIET)
            with h5py.File(self.path(f"{name}.h5"), "r+") as file:
                file["outcome"][:] = 0
                file["run/complete"][()] = 0
        for after in range(100):
            shutil.copy(self.path("x.h5"), self.map)
            shutil.copy(self.path("y.h5"), self.path("other.h5"))
            process = self.stopped_at((*RUN, "--resume"), "o", after)
            if not process:
                break
            os.replace(self.path("other.h5"), self.map)
            before = digest_of_bytes(self.map)
            code, stderr = self.go_on(process)
            self.assertNotEqual(code, OK, after)
            self.assertIn("map.h5", stderr)
            self.assertEqual(digest_of_bytes(self.map), before, f"written into, open {after}")
        self.assertGreaterEqual(after, 3)

    def test_a_truncated_map_is_noticed(self):
        for size in (0, 5000):
            for ranks, extra in ((0, ""), (2, "write: parallel\n")):
                self.leave_nothing()
                self.write("x.yaml", null_sweep(300, 100, 5e-5, extra))
                process = self.start(*RUN, "--checkpoint", "0.2", ranks=ranks)
                self.wait_for_file("map.h5")
                time.sleep(0.3)
                os.truncate(self.map, size)
                stderr = process.communicate(timeout=60)[1]
                self.assertEqual(process.returncode, FAILURE, stderr)
                self.assertIn("map.h5: was cut short", stderr)


class Names(Files):
    """Names of files that are not finished can neither be known nor be followed elsewhere."""

    def test_links_under_every_name_that_can_be_guessed(self):
        """Someone else lays links for all process numbers and the names of earlier versions."""
        victim = self.write("victim", "precious")
        self.good(*RUN)
        source = self.path("source.h5")
        os.rename(self.map, source)
        host = os.uname().nodename
        for words, target in ((RUN, "map.h5"), (TRACE, "map.h5"),
                              (("export", "source.h5", "-o", "map.csv"), "map.csv"),
                              (("join", "map.h5", "one.h5", "two.h5"), "map.h5")):
            if words[0] == "join":
                for i in (1, 2):
                    self.good("run", "x.yaml", "-o", ("one.h5", "two.h5")[i - 1], "--part",
                              f"{i}/2", *QUIET)
            with self.subTest(words=words[0]):
                self.leave_nothing()
                script = ("import os, sys\n"
                          "p = os.getpid()\n"
                          f"for name in (f'{target}.{host}-{{p}}.partial',\n"
                          f"             f'{target}.{host}-{{p}}.compressed.partial',\n"
                          f"             f'{target}.{{p}}.partial', '{target}.partial'):\n"
                          "    os.symlink('victim', name)\n"
                          "os.execv(sys.argv[1], sys.argv[1:])\n")
                done = subprocess.run([sys.executable, "-c", script, *command(words)],
                                      cwd=self.work, env=environment(self.folder),
                                      capture_output=True, text=True)
                self.assertEqual(done.returncode, OK, done.stderr)
                with open(victim) as file:
                    self.assertEqual(file.read(), "precious")
                self.assertFalse(os.path.islink(self.path(target)))

    def test_two_exports_to_one_file(self):
        """One of the two tables results, whole."""
        self.write("y.yaml", null_sweep(300, 200))
        self.write("z.yaml", null_sweep(200, 310))
        tables = []
        for name in ("y", "z"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", *QUIET)
            tables.append(self.good("export", f"{name}.h5"))
        both = [self.start("export", f"{name}.h5", "-o", "out.csv") for name in ("y", "z")]
        for process in both:
            _, stderr = process.communicate(timeout=120)
            self.assertEqual(process.returncode, OK, stderr)
        with open(self.path("out.csv")) as file:
            self.assertIn(file.read(), tables)
        self.assertEqual([name for name in self.files() if "partial" in name], [])

    def test_names_are_not_used_twice(self):
        seen = set()
        for _ in range(3):
            process = Races.stopped_at(self, (*RUN, "--force"), "s", 0)
            seen |= set(robust.partial_files(self.map))
            process.kill()
            process.wait()
        self.assertEqual(len(seen), 3, seen)


class Stale(Files):
    """What a killed process left goes with the next run, by the lock and not by a number."""

    def leave_partial(self):
        process = Races.stopped_at(self, RUN, "s", 0)
        self.assertEqual(len(robust.partial_files(self.map)), 1)
        return process

    @staticmethod
    def state(process):
        with open(f"/proc/{process}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0]

    def test_a_zombie_left_it(self):
        process = self.leave_partial()
        os.kill(process.pid, signal.SIGKILL)
        self.wait_for(lambda: self.state(process.pid) == "Z", "the zombie")
        self.good(*RUN)
        self.assertEqual(robust.partial_files(self.map), [])

    def test_the_next_run_finds_the_map_complete(self):
        self.good(*RUN, "--force")
        process = Races.stopped_at(self, (*RUN, "--force"), "s", 0)
        process.kill()
        process.wait()
        self.assertEqual(len(robust.partial_files(self.map)), 1)
        self.assertEqual(self.good(*RUN, "--resume"), "map.h5 is complete\n")
        self.assertEqual(robust.partial_files(self.map), [])

    def test_what_is_being_made_stays(self):
        process = self.leave_partial()
        self.bad(*RUN, code=FAILURE, says="is being made by process")
        self.assertEqual(len(robust.partial_files(self.map)), 1)
        process.kill()
        process.wait()

    def test_what_is_not_ours_stays(self):
        host = os.uname().nodename
        os.mkdir(self.path(f"map.h5.{host}-folder.partial"))
        os.symlink("x.yaml", self.path(f"map.h5.{host}-link.partial"))
        self.write("map.h5.elsewhere-1.partial", "of another host")
        self.good(*RUN)
        self.assertEqual(len(robust.partial_files(self.map)), 3)
        self.assertTrue(os.path.exists(self.path("x.yaml")))


class Elsewhere(Files):
    """What lies outside of a map is no part of it, for a resume as for others."""

    def spoil(self, name, make):
        """Replaces a dataset of a map with pending cells; its attributes come with it."""
        self.leave_nothing()
        self.good(*RUN)
        with h5py.File(self.map, "r+") as file:
            file["outcome"][1, 1] = 0
            file["run/complete"][()] = 0
            old = file[name]
            shape, kind, attributes = old.shape, old.dtype, dict(old.attrs)
            for key in ("DIMENSION_LIST", "REFERENCE_LIST", "CLASS", "NAME"):
                attributes.pop(key, None)
            del file[name]
            make(file, name, shape, kind)
            if isinstance(file.get(name, getlink=True), h5py.HardLink):
                for key, value in attributes.items():
                    file[name].attrs[key] = value

    def virtual(self, source, dataset):
        def make(file, name, shape, kind):
            layout = h5py.VirtualLayout(shape, kind)
            layout[...] = h5py.VirtualSource(source, dataset, shape, kind)
            file.create_virtual_dataset(name, layout)
        return make

    def test_every_way_out(self):
        os.mkfifo(self.path("pipe"))
        with h5py.File(self.path("far.h5"), "w") as file:
            for name, kind in (("value", "f8"), ("mode", "i1"), ("outcome", "i1")):
                file[name] = np.zeros((3, 3), kind)
        far = digest_of_bytes(self.path("far.h5"))

        def external(file, name, shape, kind):
            file.create_dataset(name, shape, kind, external=[(self.path("far.h5"), 2048, 72)])

        ways = {
            "external link": lambda file, name, *_: file.__setitem__(
                name, h5py.ExternalLink("far.h5", "/" + name)),
            "soft link": lambda file, name, *_: file.__setitem__(name, h5py.SoftLink("/run/start")),
            "external storage": external,
            "virtual": self.virtual("far.h5", "value"),
            "virtual pipe": self.virtual("pipe", "value"),
            "virtual cycle": self.virtual("map.h5", "value"),
            "virtual cycle in itself": self.virtual(".", "value")}
        for way, make in ways.items():
            for name in ("value", "mode", "outcome"):
                with self.subTest(way=way, name=name):
                    self.spoil(name, make)
                    before = digest_of_bytes(self.map)
                    for words in ((*RUN, "--resume"), ("info", "map.h5")):
                        result = self.sweep(*words, timeout=30)
                        if words[0] == "run":
                            self.assertIn(result.returncode, (FAILURE, BAD_INPUT), result.stderr)
                            self.assertIn("damaged", result.stderr)
                        else:
                            self.assertIn(result.returncode, (OK, FAILURE, BAD_INPUT),
                                          result.stderr)
                    self.assertEqual(digest_of_bytes(self.map), before)
                    self.assertEqual(digest_of_bytes(self.path("far.h5")), far)

    def test_two_names_for_one_dataset(self):
        def other(file, name, *_):
            file[name] = file["outcome"]
        self.spoil("mode", other)
        self.assertIn("map.h5", self.bad(*RUN, "--resume", code=FAILURE, says="damaged"))


if __name__ == "__main__":
    unittest.main()
