"""Calls on files that fail, the n-th of a kind for n = 1, 2, ... to the end, over whole commands: each ends with
the right file, or with code 1 and one message; nothing else is printed or left. See shim.c."""
import errno
import glob
import os
import re
import subprocess

from commands import COMMANDS, Commands
from robust import Shimmed
from support import FAILURE, OK, command, environment, in_parallel

WRITE, TRUNCATE, CLOSE, SYNC, NAME, RESERVE, OPEN, READ = KINDS = "wtcsnaor"

MPIRUN = re.compile(r"-{60,}\n(Primary job|mpirun detected).*?-{60,}\n", re.S)


class Faults(Shimmed):
    def shimmed(self, folder=None, **settings):
        folder = folder or self.work
        return {**environment(self.folder), "LD_PRELOAD": self.shim, "SHIM_UNDER": folder,
                "SHIM_LOG": folder + "-log",
                "OMPI_MCA_ess_singleton_isolated": "1",  # starts no daemon, which is faster
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


class Campaign(Faults, Commands):
    """Attacks run at the same time, each in a folder of its own."""

    def check_message(self, result, error, ranks, where):
        """One line, besides what mpirun has to say of a program that fails."""
        text = MPIRUN.sub("", result.stderr) if ranks else result.stderr
        lines = text.splitlines()
        assert len(lines) == 1, (where, result)
        assert result.returncode == FAILURE, (where, result)
        assert lines[0].startswith("impactsweep: error: "), (where, result)
        if "h5repack" not in lines[0]:  # it does not say why
            assert os.strerror(error) in lines[0], where

    def attack(self, name, kind, error, ranks=0, most=None):
        """How many failures were told, when each call of a kind fails once, or the first `most` of them."""
        words, told = COMMANDS[name].words, 0
        folder = self.place(name, kind, error, ranks)
        self.prepare(name, folder)
        wanted = self.made(name, folder, self.sweep_in(folder, words).stdout)
        for n in range(most or 5000):
            self.prepare(name, folder)
            where = f"{name}, {ranks} ranks, call {n + 1} of {kind}: {errno.errorcode[error]}"
            result, happened = self.run_with(words, folder, ranks, SHIM_FAIL=kind, SHIM_AFTER=n,
                                             SHIM_TIMES=1, SHIM_ERRNO=error)
            if result.returncode == OK:
                assert result.stderr == "", where
                self.check_right(name, folder, result.stdout, wanted, where)
            else:
                self.check_message(result, error, ranks, where)
                self.check_rest(name, folder, wanted, where)
            told += result.returncode != OK
            if not happened:
                break
        else:
            assert most, f"{name}, {kind}: no end"
        self.report(f"{where}: {told} told")
        return told

    def attack_all(self, rows):
        """Attacks on all cores; at least one failure each must have been told, as a call has failed
        that is needed. (An interrupted call is made again.)"""
        def one(row):
            try:
                return row, self.attack(*row), None
            except AssertionError as failure:
                return row, 0, failure
        for row, told, failure in in_parallel(one, rows):
            if failure:
                raise failure
            assert told > 0 or row[2] == errno.EINTR, "no call of this kind"
