"""Every call on files fails once: with other errors, on several ranks, and those that read; and what a failed
run has left is completed by the next one."""
import errno

from faults import (CLOSE, NAME, OPEN, READ, RESERVE, SYNC, TRUNCATE, WRITE, Campaign)

REFINED = ("refined", "deeper")
MAPS = ("run", "force", "part", "resume", "join", "compress", *REFINED)
NAMES = (*MAPS, "trace_hdf5", "trace_csv", "export")


class Every(Campaign):
    resumes = True

    def test_once(self):
        self.attack_all([(name, kind, errno.EIO) for name in MAPS
                         for kind in (WRITE, SYNC, CLOSE, OPEN)])

    def test_other_errors(self):
        self.attack_all([(name, kind, error) for name in NAMES for kind in (WRITE, SYNC)
                         for error in (errno.ENOSPC, errno.EDQUOT, errno.EINTR)] +
                        [(name, kind, errno.EDQUOT) for name in NAMES for kind in (CLOSE, OPEN)] +
                        [(name, NAME, errno.EDQUOT) for name in NAMES if name != "resume"] +
                        [(name, CLOSE, errno.EINTR) for name in NAMES] +
                        [(name, kind, errno.EINTR) for kind in (NAME, OPEN)
                         for name in ("run", "join", "trace_csv", "export", "compress")] +
                        [(name, RESERVE, errno.EINTR) for name in NAMES
                         if name not in ("resume", "export")] +
                        [(name, TRUNCATE, errno.ENOSPC)
                         for name in ("compress", "trace_csv", "export")])

    def test_several_ranks(self):
        for name in ("run", "parallel", *REFINED):
            for kind in (WRITE, SYNC, NAME, CLOSE, RESERVE):
                assert self.attack(name, kind, errno.EIO, 2) > 0

    def test_reads(self):
        self.attack_all([(name, READ, errno.EIO) for name in (*NAMES, "info", "info_refined", "export_points",
                                                        "export_boundary")
                         if name != "trace_csv"])
