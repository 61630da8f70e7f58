"""The machine loses power: of what was written since the last sync any part may be missing. The log of the shim says when
each place of the map was written and synced, and the finished map has the bytes, as no cell is written twice."""
import os
import random
import shutil
import subprocess

import robust
from robust import Shimmed, null_sweep
from support import OK, STOPPED, command, environment

SECTOR = 512  # bytes that a disk writes whole
CRASHES = 12


class Power(Shimmed):
    def run_logged(self):
        """Begins a map, and ends it with a log of its writes and syncs: (offset, length), None for a sync."""
        self.write("x.yaml", null_sweep(40, 50, 3e-3))
        words = ("run", "x.yaml", "-o", "map.h5", "--resume", "--checkpoint", "0.1", "--progress", "none")
        self.good(*words, "--time-limit", "0.4s", code=STOPPED)
        shutil.copy(self.path("map.h5"), self.path("before.h5"))
        log = self.path("log")
        done = subprocess.run(command(words), cwd=self.work, capture_output=True, text=True, timeout=300,
                              env={**environment(self.folder), "LD_PRELOAD": self.shim, "SHIM_FILE": "map.h5",
                                   "SHIM_LOG": log})
        assert done.returncode == OK, done.stderr
        names = [name for name in os.listdir(self.work) if name.startswith("log.")]
        assert len(names) == 1
        with open(self.path(names[0])) as file:
            rows = [line.split() for line in file]
        return [(int(row[3]), int(row[4])) if row[0] == "w" else None for row in rows if row[0] in "ws"]

    def lose_power(self, calls, rng, syncs=True):
        """Writes map.h5 as it may be after a loss of power at a random moment."""
        end = rng.randrange(1, len(calls))
        synced = max((i for i in range(end) if calls[i] is None), default=-1) if syncs else -1
        keep = rng.choice((0.0, 0.5, 0.9))
        with open(self.path("before.h5"), "rb") as before, open(self.path("whole.h5"), "rb") as whole:
            image, final = bytearray(before.read()), whole.read()
        for i, call in enumerate(calls[:end]):
            first, last = (call[0], call[0] + call[1]) if call else (0, 0)
            for at in range(first - first % SECTOR, last, SECTOR):
                if i < synced or rng.random() < keep:
                    piece = slice(max(at, first), min(at + SECTOR, last))
                    image[piece] = final[piece]
        with open(self.path("map.h5"), "wb") as file:
            file.write(image)

    def test_the_run_goes_on(self):
        calls = self.run_logged()
        assert calls.count(None) > 5
        os.rename(self.path("map.h5"), self.path("whole.h5"))
        wanted, rng = self.digest("whole.h5"), random.Random(24)
        for crash in range(CRASHES):
            self.lose_power(calls, rng)
            robust.count_right_cells(self.path("map.h5"))
            self.good("run", "x.yaml", "-o", "map.h5", "--resume", "--progress", "none")
            assert self.digest("map.h5") == wanted
        self.check_that_syncs_matter(calls, rng)

    def check_that_syncs_matter(self, calls, rng):
        """If what was synced were lost, too, there would be marks without values."""
        wrong = 0
        for _ in range(CRASHES):
            self.lose_power(calls, rng, syncs=False)
            try:
                robust.count_right_cells(self.path("map.h5"))
            except AssertionError:
                wrong += 1
        assert wrong > 0
