"""A command that is told to end leaves no unfinished file, and files may have the longest names there are."""
import os
import signal
import subprocess

import pytest
import robust
from faults import Faults
from robust import null_sweep
from support import command

PENDULUM = ("compliant", "body=pendulum", "angle=20deg", "friction=0.5", "stiffness_ratio=1.21")
ENDINGS = (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)
WRITERS = {"export": ("export", "map.h5", "-o", "out.csv"), "query": ("query", "map.h5", "value > 0", "-o", "out.csv"),
           "report": ("report", "map.h5", "-o", "out.html"), "trace": ("trace", *PENDULUM, "-o", "out.csv"),
           "history": ("trace", *PENDULUM, "-o", "out.h5"), "join": ("join", "out.h5", "one.h5", "two.h5")}


class Writers(Faults):
    def setup_method(self):
        super().setup_method()
        self.write("x.yaml", null_sweep(30, 30))
        for name, *part in (("map",), ("one", "--part", "1/2"), ("two", "--part", "2/2")):
            self.good("run", "x.yaml", "-o", f"{name}.h5", "--progress", "none", *part)

    def unfinished(self):
        return [name for name in self.files() if name.endswith(".partial")]


class Ended(Writers):
    def held(self, words):
        """Starts a command, which stops before it syncs its file; the process that reads and writes, which may be a
        child, and the first process."""
        process = self.start(*words, env=self.shimmed(SHIM_FAIL="s", SHIM_AFTER=0, SHIM_TIMES=1, SHIM_STOP=1))
        self.wait_for(lambda: any(map(self.is_stopped, robust.ranks_of(self))), "the sync", robust.patience(30))
        assert len(self.unfinished()) == 1, words
        return next(filter(self.is_stopped, robust.ranks_of(self))), process

    @staticmethod
    def is_stopped(process):
        try:
            with open(f"/proc/{process}/stat", encoding="utf-8") as file:
                return file.read().rsplit(")", 1)[1].split()[0] == "T"
        except FileNotFoundError:
            return False

    def end(self, words, number, whom):
        writer, process = self.held(words)
        os.kill(process.pid if whom == "first" else writer, number)
        if number != signal.SIGKILL or process.pid != writer:
            # A stopped process handles signals when it goes on.
            self.wait_for(lambda: process.pid == writer or self.has_passed_on(writer, process, number), "the signal",
                          robust.patience(30))
            os.kill(writer, signal.SIGCONT)
        process.communicate(timeout=robust.patience(60))
        assert process.returncode == -number, words
        self.wait_for(lambda: not robust.ranks_of(self), "the end", robust.patience(30))

    @staticmethod
    def has_passed_on(writer, process, number):
        """Whether the writer has a signal to handle: the one that its parent got, or that its parent has died."""
        if process.poll() is not None:
            return True
        with open(f"/proc/{writer}/status", encoding="utf-8") as file:
            lines = dict(line.split(":", 1) for line in file)
        return int(lines["ShdPnd"], 16) >> (number - 1) & 1

    def test_every_writer_and_signal(self):
        for name, words in WRITERS.items():
            for number in ENDINGS if name in ("export", "trace") else (signal.SIGTERM,):
                self.end(words, number, "first")
                assert self.unfinished() == []
        assert self.files() == ["map.h5", "one.h5", "two.h5", "x.yaml"]

    @pytest.mark.parametrize("number, whom", [(signal.SIGTERM, "reader"), (signal.SIGKILL, "first")])
    def test_the_reader_of_a_map(self, number, whom):
        """It is a process of its own: signals to it, and the death of its parent."""
        self.end(WRITERS["export"], number, whom)
        self.wait_for(lambda: not self.unfinished(), "the end of the file", robust.patience(30))

    @pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR2])
    def test_a_run_that_makes_its_map(self, number):
        self.end(("run", "x.yaml", "-o", "new.h5", "--progress", "none"), number, "first")
        assert self.unfinished() == []

    def test_signals_that_the_caller_ignores(self):
        """nohup, for instance."""
        words = ["bash", "-c", 'trap "" HUP TERM; exec "$@"', "bash", *command(WRITERS["export"])]
        process = subprocess.Popen(words, cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   env=self.shimmed(SHIM_FAIL="s", SHIM_AFTER=0, SHIM_TIMES=1, SHIM_STOP=1))
        self.ending.callback(process.wait)
        self.ending.callback(process.kill)
        self.wait_for(lambda: any(map(self.is_stopped, robust.ranks_of(self))), "the sync", robust.patience(30))
        for number in (signal.SIGHUP, signal.SIGTERM):
            for each in robust.ranks_of(self):
                os.kill(each, number)
        os.kill(next(filter(self.is_stopped, robust.ranks_of(self))), signal.SIGCONT)
        assert process.wait(timeout=robust.patience(60)) == 0
        assert "out.csv" in self.files()


class LongNames(Writers):
    """A file system takes names of 255 letters; those of unfinished files are longer than those of finished ones."""

    def test_every_writer(self):
        for name, words in {**WRITERS, "run": ("run", "x.yaml", "-o", "out.h5"),
                            "compress": ("run", "x.yaml", "-o", "out.h5", "--compress")}.items():
            for letter in ("n", "\u00e4"):
                short = next(word for word in words if word.startswith("out."))
                ending = short[len("out"):]
                long = letter * ((255 - len(ending)) // len(letter.encode())) + ending
                self.good(*(long if word == short else word for word in words))
                assert long in self.files()
                assert self.unfinished() == []
                os.remove(self.path(long))

    def test_files_of_killed_and_of_living_processes_are_told_apart(self):
        name = "n" * 250 + ".h5"
        run = ("run", "x.yaml", "-o", name, "--progress", "none")
        process = self.start_held(run)
        assert len(self.unfinished()) == 1
        assert len(self.unfinished()[0]) <= 255
        self.bad(*run, code=1, says="is being written by process")
        self.good("run", "x.yaml", "-o", "m" * 250 + ".h5", "--progress", "none")
        assert len(self.unfinished()) == 1, "of another name"
        process.kill()
        process.wait()
        assert len(self.unfinished()) == 1
        self.good(*run)
        assert self.unfinished() == []

    def start_held(self, words):
        return Ended.held(self, words)[1]

    is_stopped = staticmethod(Ended.is_stopped)
