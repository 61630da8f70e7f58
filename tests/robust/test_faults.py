"""Every call that writes fails once, for one reason, and those of `run` for others; test_faults_long.py takes more
errors, ranks, reads."""
import errno

from faults import CLOSE, NAME, OPEN, RESERVE, SYNC, TRUNCATE, WRITE, Campaign

NAMES = ("run", "compress", "join", "trace_hdf5", "trace_csv", "export")
ROWS = [(name, kind, errno.EIO) for name in NAMES for kind in (WRITE, SYNC, NAME, CLOSE, OPEN)]
ROWS += [(name, RESERVE, errno.ENOSPC) for name in NAMES if name != "export"]
# A full quota, and calls that a signal interrupts, which are made again.
ROWS += [("run", kind, error) for kind in (WRITE, SYNC, CLOSE, NAME, OPEN) for error in (errno.EDQUOT, errno.EINTR)]
ROWS += [("run", RESERVE, errno.EINTR), ("export", WRITE, errno.EDQUOT), ("export", WRITE, errno.EINTR)]
ROWS += [(name, TRUNCATE, errno.EIO) for name in ("compress", "trace_csv", "export")]
# What these have in common with the others is shown there; the first calls of each kind, here.
ROWS += [(name, kind, errno.EIO, 0, 4) for name in ("force", "part", "refined", "deeper")
         for kind in (WRITE, NAME)]


class Once(Campaign):
    def test_every_call_of_every_command(self):
        self.attack_all(ROWS)
