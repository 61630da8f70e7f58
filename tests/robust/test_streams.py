"""Standard streams that are closed, or whose reader has gone: what a command writes is the same."""
import itertools
import os
import subprocess

import pytest
from commands import ALL, Commands
from support import FAILURE, OK, SOLVER_IN_PAGES, command, environment, in_parallel

CLOSED = [some for n in (1, 2, 3) for some in itertools.combinations((0, 1, 2), n)]
WRITERS = [name for name in ALL
           if ALL[name].file and (name != "explore" or SOLVER_IN_PAGES)]


def closing(streams):
    """Words that close these descriptors in front of a command: Python itself would give its child others."""
    return ["bash", "-c", "exec " + " ".join(f"{stream}>&-" for stream in streams) + '; exec "$@"', "bash"]


class Streams(Commands):
    def begin(self, name):
        """A folder for the command, its words with as much progress as there can be, and what it should make."""
        words = ["0.001" if word == "none" else word for word in ALL[name].words]
        folder = self.place(name)
        self.prepare(name, folder)
        return folder, words, self.made(name, folder, self.sweep_in(folder, words).stdout)

    def sweep_without(self, streams, words, folder, ranks=0):
        return subprocess.run(closing(streams) + command(words, ranks), cwd=folder, timeout=120,
                              env=environment(self.folder), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)


class Closed(Streams):
    """A file takes the least free number: without care that of a closed stream, and what is printed goes into it."""

    def attack(self, name):
        folder, words, wanted = self.begin(name)
        for streams in CLOSED:
            self.prepare(name, folder)
            result = self.sweep_without(streams, words, folder)
            where = (name, streams, result)
            assert result.returncode == OK, where
            self.check_right(name, folder, "", wanted, where)

    def test_every_file_of_every_command(self):
        def one(name):
            try:
                self.attack(name)
            except AssertionError as failure:
                return failure
            return None
        for name, failure in zip(WRITERS, in_parallel(one, WRITERS)):
            if failure:
                raise failure

    def test_several_ranks(self):
        for name in ("run", "parallel"):
            folder, words, wanted = self.begin(name)
            for streams in CLOSED:
                self.prepare(name, folder)
                # The launcher gives its ranks streams; a shell behind it closes them.
                ranks = ["mpirun", "-n", "2", *closing(streams), *command(words)]
                result = subprocess.run(ranks, cwd=folder, env=environment(self.folder), timeout=120,
                                        stdin=subprocess.DEVNULL, capture_output=True, text=True)
                assert result.returncode == OK, result
                self.check_right(name, folder, "", wanted, result)

    def test_an_answer_that_nobody_can_read_is_a_failure(self):
        """A map is worth having without remarks; an answer that is not printed is lost."""
        folder = self.place("answers")
        for words in (ALL["cell"].words, ALL["models"].words, ALL["info"].words,
                      ("export", "whole.h5"), ("check", "x.yaml"), ("--version",)):
            result = self.sweep_without((1,), words, folder)
            assert ((result.returncode, result.stderr) ==
                    (FAILURE, "impactsweep: error: could not write to the standard output\n"))


class WithoutReaders(Streams):
    """The reader of the standard error goes away (2>&1 | head): a command that can do its work does it, and one
    that cannot leaves nothing."""

    def sweep_unheard(self, words, folder):
        reading, writing = os.pipe()
        os.close(reading)
        with os.fdopen(writing) as nobody:
            return subprocess.run(command(words), cwd=folder, env=environment(self.folder), timeout=120,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=nobody)

    @pytest.mark.parametrize("name", WRITERS)
    def test_every_file_of_every_command(self, name):
        folder, words, wanted = self.begin(name)
        self.prepare(name, folder)
        result = self.sweep_unheard(words, folder)
        assert result.returncode == OK
        self.check_right(name, folder, "", wanted, name)

    def test_notes_do_not_end_a_command(self):
        """A note comes before the file is made, and the history of a cell that is not solved has one after it."""
        folder = self.place("notes")
        for words, file in ((("export", "whole.h5", "--slice", "x=0.4", "-o", "out.csv"), "out.csv"),
                            (("trace", "null", "x=1", "y=1", "fault=not_finite", "-o", "out.csv"), "out.csv")):
            assert self.sweep_unheard(words, folder).returncode == OK
            assert os.path.getsize(os.path.join(folder, file))
            os.remove(os.path.join(folder, file))
