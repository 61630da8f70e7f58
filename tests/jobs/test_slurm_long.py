"""Tests that take minutes of a real Slurm: a rank that hangs under mpirun, and the time limit of Slurm
itself. See test_slurm.py."""
import re
import time

import test_slurm
from test_slurm import CONFIG, MARK_SOON, Case, private_slurm  # noqa: F401

SLOWER = CONFIG.format(last=31, cost=0.044)  # 28 s


class Hanging(Case):
    def test_under_mpirun(self):
        self.check_hanging("mpirun -n 2")


class TimeLimit(Case):
    @property
    def slurm(self):
        return test_slurm.slurm

    def wait_for_time_limits(self, age):
        """Waits until Slurm's last check of time limits, which it makes every 30 s, is `age` seconds old."""
        form = re.compile(r"^\[([\d:T-]+)\.\d+\] debug2: Testing job time limits", re.M)

        def looked():
            with open(self.slurm.path("slurmctld.log")) as file:
                times = form.findall(file.read())
            if not times:
                return False
            seconds = time.time() - time.mktime(time.strptime(times[-1], "%Y-%m-%dT%H:%M:%S"))
            return age <= seconds <= age + 3
        self.slurm.wait_for(looked, "Slurm to look at time limits", patience=100)

    def restarts(self, job):
        return self.slurm.jobs(job)[0]["Restarts"]

    def test_time_limit(self):
        """A real time limit with --signal as in the script, but sooner; then one more warning."""
        self.write("slower.yaml", SLOWER)
        self.uninterrupted_digest(SLOWER)
        self.wait_for_time_limits(age=20)  # so that the warning comes about 8 s after the start
        job = self.submit("sweep.sbatch", "slower.yaml", "map.h5", *MARK_SOON,
                          options=("-n", "1", "--time=1", "--signal=B:USR1@59"))
        self.slurm.wait_for(lambda: self.restarts(job) == "1", "the job to requeue itself")
        self.slurm.run("scontrol", "update", f"JobId={job}", "TimeLimit=60")
        done = self.done("map.h5")
        assert done > 0
        self.wait_for_cells("map.h5", done + 1)
        self.slurm.warn(job)
        assert self.finish(job)["Restarts"] == "2"
        info = self.check_map("map.h5", SLOWER, sessions=3, ranks=1)
        assert {s["job"] for s in info["sessions"]} == {int(job)}
        log = self.log(job)
        assert log.index("stopped early") < log.index("back into the queue")
        assert len(re.findall(r"cells computed in", log)) == 3, "one log of all runs"
