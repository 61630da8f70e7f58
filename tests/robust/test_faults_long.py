#!/usr/bin/python3
"""Every call on files fails once: with other errors, on several ranks, and calls that read. Another run completes the
file of a failed one."""
import errno
import sys
import unittest

sys.dont_write_bytecode = True
from faults import (CLOSE, NAME, OPEN, READ, RESERVE, SYNC, TRUNCATE, WRITE, Campaign)

NAMES = ("run", "compress", "join", "trace_hdf5", "trace_csv", "export", "resume")


class Every(Campaign):
    resumes = True

    def test_other_errors(self):
        self.attack_all([(name, kind, error) for name in NAMES for kind in (WRITE, SYNC)
                         for error in (errno.ENOSPC, errno.EDQUOT, errno.EINTR)] +
                        [(name, kind, errno.EDQUOT) for name in NAMES for kind in (CLOSE, OPEN)] +
                        [(name, NAME, errno.EDQUOT) for name in NAMES if name != "resume"] +
                        [(name, CLOSE, errno.EINTR) for name in NAMES] +
                        [(name, RESERVE, errno.EINTR) for name in NAMES[:5]] +
                        [(name, TRUNCATE, errno.ENOSPC)
                         for name in ("compress", "trace_csv", "export")])

    def test_several_ranks(self):
        for name in ("run", "parallel"):
            for kind in (WRITE, SYNC, NAME, CLOSE, RESERVE):
                with self.subTest(name=name, kind=kind):
                    self.assertGreater(self.attack(name, kind, errno.EIO, 2), 0)

    def test_reads(self):
        self.attack_all([(name, READ, errno.EIO) for name in (*NAMES, "info")
                         if name != "trace_csv"])


if __name__ == "__main__":
    unittest.main()
