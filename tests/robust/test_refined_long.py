"""Refined maps on 8 and 16 ranks, and killed a hundred times."""
import os
import random
import time

from robust import partial_files
from support import end_marked_processes, share
from test_refined import Refined, refined

KILLS = 100


class Long(Refined):
    def test_many_ranks(self):
        self.compute("one.h5", refined(depth=10, boundary="2e-4"))
        for ranks in (8, 16):
            self.compute(f"{ranks}.h5", refined(depth=10, boundary="2e-4"), ranks=ranks)
            assert self.digest(f"{ranks}.h5") == self.digest("one.h5")

    def test_a_hundred_kills(self):
        """Kills on one and two ranks, at the start, during rounds, while the file grows, and at the end."""
        config = refined(law="hertz", depth=10, boundary="1e-3")
        self.compute("once.h5", config)
        source = random.Random(100)
        kills = computed = 0
        while kills < len(share(range(KILLS))):
            name = f"x{computed}.h5"
            run = self.start("run", "x.yaml", "-o", name, "--resume", "--progress", "none",
                             "--checkpoint", source.choice(("0", "0.02", "10")),
                             ranks=source.choice((0, 0, 2)))
            time.sleep(source.uniform(0.05, 1.2))
            if run.poll() is None:
                run.kill()
                kills += 1
            run.wait()
            end_marked_processes(self.folder)
            if os.path.exists(self.path(name)) and self.info(name)["complete"]:
                self.compute(name, config, "--resume")
                assert self.digest(name) == self.digest("once.h5")
                computed += 1
        name = f"x{computed}.h5"
        self.compute(name, config, "--resume")
        assert self.digest(name) == self.digest("once.h5")
        assert partial_files(self.path(name)) == []
