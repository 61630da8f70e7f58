"""A million virtual worlds (test_simulator.c); prints their figures."""
import os
import subprocess

SEEDS = 1000000


class Worlds:
    def test_a_million(self):
        program = os.path.join(os.environ["IMPACT_BUILD"], "tests", "test_simulator")
        done = subprocess.run([program, "1", str(SEEDS)], capture_output=True, text=True)
        print(done.stdout)
        assert done.returncode == 0, done.stdout[-2000:]
