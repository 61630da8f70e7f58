"""A config or a table that the system fails to read is a failure, not bad input."""
import errno
import itertools
import os
import subprocess

import pytest
from robust import Shimmed
from support import BAD_INPUT, FAILURE, command, environment

WORDS = (("check", "x.yaml"), ("run", "x.yaml", "-o", "x.h5"))
PLACES = {"x.yaml": "x.yaml:1:1", "cases.csv": "x.yaml:3:"}
FAULTS = (("r", errno.EIO), ("o", errno.EIO), ("o", errno.EMFILE))  # of a read, of opening
CONFIG = "model: null\naxes:\n  - {table: cases.csv, name: case}\nfixed: {y: 1}\n"


class Reading(Shimmed):
    given = {"x.yaml": CONFIG, "cases.csv": "x\n1\n2\n"}

    def run_with(self, words, file, kind, error):
        more = {"LD_PRELOAD": self.shim, "SHIM_FILE": os.path.join(self.work, file),
                "SHIM_FAIL": kind, "SHIM_ERRNO": str(error), "OMPI_MCA_ess_singleton_isolated": "1"}
        return subprocess.run(command(words), cwd=self.work, capture_output=True, text=True,
                              env={**environment(self.folder), **more}, timeout=120)

    @pytest.mark.parametrize("words, file, fault", itertools.product(WORDS, PLACES, FAULTS))
    def test_a_failure_to_read_is_a_failure(self, words, file, fault):
        result = self.run_with(words, file, *fault)
        assert result.returncode == FAILURE, result.stderr
        assert PLACES[file] in result.stderr
        assert result.stderr.count(f"reading failed: {os.strerror(fault[1])}") == 1
        assert self.files() == ["cases.csv", "x.yaml"]

    def test_a_missing_file_is_bad_input(self):
        os.remove(self.path("cases.csv"))
        for words in (("check", "x.yaml"), ("check", "y.yaml"), ("check", ".")):
            self.bad(*words, code=BAD_INPUT, says="cannot read the ")
