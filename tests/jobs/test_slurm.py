"""The job scripts under a real Slurm, which is private to this test (slurm.py)."""
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

import pytest
from slurm import Slurm, marked_processes, missing

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
JOBS = os.path.join(ROOT, "jobs")
PROGRAM = os.path.abspath(os.environ["IMPACTSWEEP"])
BAD_INPUT = 2

# 640 cells that take 10 s (SLOW) or a moment (QUICK); see src/models/null/null.c.
CONFIG = """model: 'null'
choose: {{fault: idle}}
axes:
  - {{param: x, from: 0, to: {last}, points: 32}}
  - {{param: y, from: 0, to: 1, points: 20}}
fixed: {{cost: {cost}}}
"""
CELLS = 640
SLOW = CONFIG.format(last=31, cost=0.016)
QUICK = CONFIG.format(last=31, cost=3e-4)
MARK_SOON = ("--checkpoint", "0.1")  # so that `info` counts the done cells of a running job

LIBRARIES = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout
OPEN_MPI = "Open MPI" in LIBRARIES
# Open MPI asks Slurm for its ranks by PMIx, MPICH by the older PMI.
SRUN = "--mpi=pmix" if OPEN_MPI else "--mpi=pmi2"

slurm = None
reference = {}  # config -> digest of a run without Slurm and without interruption


@pytest.fixture(autouse=True, scope="module")
def private_slurm():
    global slurm
    if missing():
        pytest.skip(missing())
    slurm = Slurm()
    with contextlib.closing(slurm):
        slurm.__enter__()
        yield


class Case:
    """A test that submits from a folder of its own inside that of the private Slurm."""

    def setup_method(self, method):
        self.work = slurm.path(method.__name__)
        os.mkdir(self.work)
        self.ending.callback(self.cancel_everything)

    def cancel_everything(self):
        slurm.run("scancel", "--user", str(os.getuid()), "--state=PENDING")
        slurm.run("scancel", "--user", str(os.getuid()))
        slurm.wait_for(lambda: not slurm.run("squeue", "-h"), "an empty queue")

    # ---- files ----

    def path(self, name):
        return os.path.join(self.work, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return name

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def program(self, *words, cwd=None):
        return slurm.run(PROGRAM, *words, cwd=cwd or self.work, timeout=120)

    def info(self, name):
        return json.loads(self.program("info", name, "--json"))

    def done(self, name):
        return self.info(name)["done"] if os.path.exists(self.path(name)) else 0

    def digest(self, name):
        return re.search(r"^digest +([0-9a-f]{64})$",
                         self.program("info", name, "--digest"), re.M)[1]

    def uninterrupted_digest(self, config):
        if config not in reference:
            self.write("reference.yaml", config)
            slurm.run("mpirun", "-n", "2", PROGRAM, "run", "reference.yaml", "-o", "reference.h5", "--force",
                      "--progress", "none", cwd=self.work, timeout=120, OMPI_MCA_rmaps_base_oversubscribe="1")
            reference[config] = self.digest("reference.h5")
        return reference[config]

    # ---- jobs ----

    def submit(self, script, *words, options=("-n", "2"), **variables):
        variables.setdefault("IMPACTSWEEP", PROGRAM)
        variables.setdefault("IMPACTSWEEP_PROJECT", ROOT)
        name = "job-%A_%a.log" if "--array" in str(options) else "job-%j.log"
        return slurm.submit(f"--output={name}", *options, os.path.join(JOBS, script), *words,
                            cwd=self.work, **variables)

    def log(self, job):
        return self.read(f"job-{job}.log")

    def wait_for_cells(self, name, at_least=1):
        """Waits for cells of a job with MARK_SOON."""
        slurm.wait_for(lambda: self.done(name) >= at_least, f"{at_least} cells in {name}")

    def wait_until_it_computes(self, name):
        slurm.wait_for(lambda: os.path.exists(self.path(name)), name)
        time.sleep(0.5)

    def finish(self, job, state="COMPLETED"):
        """Waits for the end of a job, which must be this one; returns the fields of scontrol."""
        ended = slurm.wait_for_end(job)[0]
        assert ended["JobState"] == state, f"job {job}: {self.log(job)}"
        return ended

    def check_map(self, name, config, sessions, ranks=2):
        """The map is complete, has the digest of a run without Slurm, and had these sessions and ranks."""
        info = self.info(name)
        assert info["complete"]
        assert info["done"] == CELLS
        assert [s["ranks"] for s in info["sessions"]] == [ranks] * sessions
        assert self.digest(name) == self.uninterrupted_digest(config)
        return info

    # ---- ranks ----

    def rank(self, number):
        """The process of a rank, whose number mpirun or srun put into its environment."""
        for process in marked_processes(slurm.folder):
            with open(f"/proc/{process}/comm") as file:
                name = file.read().strip()
            with open(f"/proc/{process}/environ", "rb") as file:
                words = dict(word.partition(b"=")[::2] for word in file.read().split(b"\0"))
            told = words.get(b"OMPI_COMM_WORLD_RANK", words.get(b"SLURM_PROCID"))
            if name == os.path.basename(PROGRAM) and told == str(number).encode():
                return process
        pytest.fail(f"no rank {number}")

    def check_hanging(self, launch):
        """If a rank hangs, the others end without it, and the job goes back into the queue."""
        self.write("slow.yaml", SLOW)
        job = self.submit("sweep.sbatch", "slow.yaml", "map.h5", *MARK_SOON, "--patience", "1",
                          IMPACTSWEEP_LAUNCH=launch)
        self.wait_for_cells("map.h5")
        os.kill(self.rank(1), signal.SIGSTOP)
        time.sleep(0.3)
        slurm.warn(job)
        assert self.finish(job)["Restarts"] == "1"
        assert "rank 1 is given up" in self.log(job)
        self.check_map("map.h5", SLOW, sessions=2)


class OneJob(Case):
    def test_two_ranks(self):
        self.write("quick.yaml", QUICK)
        job = self.submit("sweep.sbatch", "quick.yaml", "map.h5")
        ended = self.finish(job)
        assert (ended["NumTasks"], ended["Restarts"]) == ("2", "0")
        info = self.check_map("map.h5", QUICK, sessions=1)
        assert info["sessions"][0]["job"] == int(job)
        assert "back into the queue" not in self.log(job)

    def test_further_options_reach_the_program(self):
        self.write("quick.yaml", QUICK)
        self.finish(self.submit("sweep.sbatch", "quick.yaml", "map.h5", "--set", "cost=0"))
        assert self.info("map.h5")["fixed"]["cost"] == 0

    def test_srun(self):
        self.write("quick.yaml", QUICK)
        slurm.run("srun", SRUN, "-n", "2", PROGRAM, "run", "quick.yaml", "-o", "map.h5",
                  cwd=self.work)
        self.check_map("map.h5", QUICK, sessions=1)

    def test_the_script_starts_srun_if_asked(self):
        self.write("slow.yaml", SLOW)
        job = self.submit("sweep.sbatch", "slow.yaml", "map.h5", *MARK_SOON,
                          IMPACTSWEEP_LAUNCH=f"srun {SRUN}")
        self.wait_for_cells("map.h5")
        slurm.warn(job)
        assert self.finish(job)["Restarts"] == "1"
        self.check_map("map.h5", SLOW, sessions=2)
        assert "mpirun" not in self.log(job)

    def test_a_rank_that_hangs(self):
        self.check_hanging(f"srun {SRUN}")

    def test_two_nodes(self):
        # Both nodes are this machine; ranks on different nodes must not share its memory.
        self.write("slow.yaml", SLOW)
        job = self.submit("sweep.sbatch", "slow.yaml", "map.h5", *MARK_SOON,
                          OMPI_MCA_btl="self,tcp",
                          OMPI_MCA_rmaps_base_display_map="1",
                          options=("-N", "2", "-n", "2", "--ntasks-per-node=1"))
        self.wait_for_cells("map.h5")
        slurm.warn(job)
        ended = self.finish(job)
        assert (ended["NodeList"], ended["Restarts"]) == ("n[1-2]", "1")
        self.check_map("map.h5", SLOW, sessions=2)
        if OPEN_MPI:
            assert len(re.findall(r"Num procs: 1\b", self.log(job))) == 4, self.log(job)
        assert len(re.findall(r"2 of 2 ranks", self.log(job))) == 2, self.log(job)

    def test_bad_input_ends_the_job(self):
        """Exit code 2 and no requeue, because trying again would not help."""
        self.write("bad.yaml", QUICK.replace("param: x", "param: z"))
        self.write("quick.yaml", QUICK)
        cases = {
            self.submit("sweep.sbatch", "bad.yaml", "bad.h5"): "bad.yaml:4:",
            self.submit("sweep.sbatch", "quick.yaml", "map.h5", IMPACTSWEEP="",
                        IMPACTSWEEP_PROJECT=self.work, options=("-n", "1", "-J", "b")):
                "sweep.sbatch: no program impactsweep in",
            self.submit("sweep.sbatch", "quick.yaml", options=("-n", "1", "-J", "c")):
                "usage: sbatch jobs/sweep.sbatch",
        }
        for job, message in cases.items():
            ended = self.finish(job, "FAILED")
            assert (ended["ExitCode"], ended["Restarts"]) == (f"{BAD_INPUT}:0", "0")
            assert message in self.log(job)
        assert [n for n in os.listdir(self.work) if n.endswith(".h5")] == []

    def test_the_program_is_found_in_the_project(self):
        self.write("quick.yaml", QUICK)
        os.makedirs(self.path("build/release"))
        shutil.copy(PROGRAM, self.path("build/release/impactsweep"))
        self.finish(self.submit("sweep.sbatch", "quick.yaml", "map.h5", IMPACTSWEEP="",
                                IMPACTSWEEP_PROJECT=""))
        self.check_map("map.h5", QUICK, sessions=1)


class Interruptions(Case):
    def launcher(self, text):
        name = self.write("launcher", f"#!/usr/bin/env bash\n{text}\n")
        os.chmod(self.path(name), 0o755)
        return self.path(name)

    def test_a_warning_before_the_ranks_are_up(self):
        """The warning ends the launcher, which has no trap yet; the job goes on all the same."""
        self.write("quick.yaml", QUICK)
        slow_start = self.launcher('sleep 2\nexec mpirun -n 2 "$@"')
        job = self.submit("sweep.sbatch", "quick.yaml", "map.h5", IMPACTSWEEP_LAUNCH=slow_start)
        slurm.wait_for(lambda: os.path.exists(self.path(f"job-{job}.log")), "the job")
        time.sleep(0.5)
        slurm.warn(job)
        assert self.finish(job)["Restarts"] == "1"
        self.check_map("map.h5", QUICK, sessions=1)

    def test_a_job_without_progress_ends(self):
        self.write("quick.yaml", QUICK)
        job = self.submit("sweep.sbatch", "quick.yaml", "map.h5",
                          IMPACTSWEEP_LAUNCH=self.launcher("exit 75"))
        ended = self.finish(job, "FAILED")
        assert (ended["ExitCode"], ended["Restarts"]) == ("1:0", "1")
        assert "have not completed a single cell of map.h5" in self.log(job)

    def test_scancel_leaves_a_map_that_can_be_resumed(self):
        self.write("slow.yaml", SLOW)
        job = self.submit("sweep.sbatch", "slow.yaml", "map.h5", *MARK_SOON)
        self.wait_for_cells("map.h5", 20)
        slurm.run("scancel", job)
        self.finish(job, "CANCELLED")
        slurm.wait_for(lambda: not self.running_programs(), "the program to end", patience=10)
        info = self.info("map.h5")
        assert not info["complete"]
        assert info["done"] >= 20
        assert info["done"] < CELLS
        assert sum(info["outcomes"].values()) - info["outcomes"].get("pending", 0) == info["done"]
        self.finish(self.submit("sweep.sbatch", "slow.yaml", "map.h5"))
        self.check_map("map.h5", SLOW, sessions=2)

    def running_programs(self):
        names = []
        for process in marked_processes(slurm.folder):
            try:
                with open(f"/proc/{process}/comm") as file:
                    names.append(file.read().strip())
            except OSError:
                pass
        return [name for name in names if name == os.path.basename(PROGRAM)[:15]]


class Singleton(Case):
    def test_two_jobs_of_one_name_do_not_run_at_once(self):
        """The second one waits even when the first one has gone back into the queue."""
        self.write("slow.yaml", SLOW)
        first, second = (self.submit(
            "sweep.sbatch", "slow.yaml", "map.h5", *MARK_SOON, options=("-n", "2", "-J", "one")) for _ in range(2))
        other = self.submit("sweep.sbatch", "slow.yaml", "other.h5", "--set", "cost=0",
                            options=("-n", "2", "-J", "other"))
        self.wait_for_cells("map.h5")
        assert slurm.jobs(second)[0]["Reason"] == "Dependency"
        self.finish(other)  # a job of another name runs at once
        assert slurm.state(first) == "RUNNING"
        slurm.warn(first)
        times = [slurm.wait_for_end(job)[0] for job in (first, second)]
        assert [t["JobState"] for t in times] == ["COMPLETED"] * 2, self.log(second)
        assert [t["Restarts"] for t in times] == ["1", "0"]
        assert times[1]["StartTime"] >= times[0]["EndTime"]
        info = self.info("map.h5")
        assert {s["job"] for s in info["sessions"] if s["seconds"] > 0} == {int(first)}
        assert self.digest("map.h5") == self.uninterrupted_digest(SLOW)


class Arrays(Case):
    def test_three_configs(self):
        configs = {name: SLOW if name == "c" else QUICK.replace("to: 1", f"to: {number}")
                   for number, name in enumerate("abc", 2)}
        for name, text in configs.items():
            self.write(f"{name}.yaml", text)
        job = self.submit("array.sbatch", "a.yaml", "b.yaml", "c.yaml",
                          options=("-n", "1", "--array=1-3"))
        self.wait_until_it_computes("c.h5")
        slurm.wait_for(lambda: self.done("a.h5") == self.done("b.h5") == CELLS, "a.h5 and b.h5")
        # The last task has the number of the array; only this task must be requeued.
        last = {j["ArrayTaskId"]: j for j in slurm.jobs(job)}["3"]["JobId"]
        assert last == job
        slurm.warn(f"{job}_3")
        tasks = {j["ArrayTaskId"]: j for j in slurm.wait_for_end(job)}
        assert {t: (j["JobState"], j["Restarts"]) for t, j in tasks.items()} == {"1": ("COMPLETED", "0"),
                                                                                 "2": ("COMPLETED", "0"),
                                                                                 "3": ("COMPLETED", "1")}
        for name, text in configs.items():
            self.check_map(f"{name}.h5", text, sessions=2 if name == "c" else 1, ranks=1)

    def test_a_task_without_a_config(self):
        job = self.submit("array.sbatch", "a.yaml", options=("-n", "1", "--array=2"))
        assert slurm.wait_for_end(job)[0]["ExitCode"] == f"{BAD_INPUT}:0"
        assert "task 2 has no config: 1 given, counted from 1." in self.read(f"job-{job}_2.log")


class Parts(Case):
    def test_parts_and_join(self):
        self.write("slow.yaml", SLOW)
        words = ("slow.yaml", "map.h5", "3")
        parts = self.submit("parts.sbatch", *words, options=("-n", "1", "--array=1-3"))
        join = self.submit("parts.sbatch", *words,
                           options=("-n", "1", f"--dependency=afterok:{parts}"))
        self.wait_until_it_computes("map.h5.part-3-of-3")
        slurm.warn(f"{parts}_3")
        tasks = {j["ArrayTaskId"]: j for j in slurm.wait_for_end(parts)}
        assert {t: (j["JobState"], j["Restarts"]) for t, j in tasks.items()} == {"1": ("COMPLETED", "0"),
                                                                                 "2": ("COMPLETED", "0"),
                                                                                 "3": ("COMPLETED", "1")}
        self.finish(join)
        assert self.info("map.h5")["done"] == CELLS
        assert self.info("map.h5")["complete"]
        assert self.digest("map.h5") == self.uninterrupted_digest(SLOW)


class Trial:
    def test_the_commands_of_the_page(self):
        """Those of jobs/README.md, in the shell of slurm.py."""
        with open(os.path.join(JOBS, "README.md")) as file:
            steps = re.search(r"\n## Slurm on one machine\n.*?\n((?:    [^\n]*\n)+)", file.read(), re.S)[1]
        start, submit, watch = filter(None, map(str.strip, steps.splitlines()))
        assert start.split("#")[0].strip() == "jobs/packages.sh build slurm && tests/jobs/slurm.py"
        assert "squeue" in watch
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "jobs"))
            for name in ("configs", "jobs/sweep.sbatch"):
                os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))
            submit = submit.replace("sbatch ", "sbatch --wait ", 1)
            done = subprocess.run([os.path.join(ROOT, "tests/jobs/slurm.py"), "bash", "-ec", f"{submit}\n{watch}"],
                                  cwd=folder, env=dict(os.environ, IMPACTSWEEP=PROGRAM), capture_output=True,
                                  text=True, timeout=240)
            assert done.returncode == 0, done.stdout + done.stderr
            said = subprocess.run([PROGRAM, "info", os.path.join(folder, "rod.h5"), "--json"], capture_output=True,
                                  text=True, check=True).stdout
        assert json.loads(said)["complete"]


class Scripts:
    def test_shellcheck(self):
        scripts = sorted(os.path.join(JOBS, n) for n in os.listdir(JOBS)
                         if n.endswith((".sbatch", ".pbs")))
        assert len(scripts) >= 4
        found = subprocess.run(["shellcheck", *scripts], capture_output=True, text=True)
        assert found.returncode == 0, found.stdout + found.stderr
