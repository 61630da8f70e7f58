"""Scripts of jobs/ by themselves, with an scontrol that only records its arguments: arrays, parts, names, and the end of jobs that
make no progress. test_interrupted_scripts.py sends warnings and loses ranks; test_slurm.py runs the scripts under a real Slurm."""
import os
import subprocess
import time

from job_script import CELLS, JOBS, Script
from support import BAD_INPUT, FAILURE, OK, PROGRAM, STOPPED, environment, null_config


class Arrays(Script):
    """Tasks and parts count from 1, and pass options on."""

    def task(self, number, script, *words):
        return self.end(self.job(script=script, words=words, SLURM_ARRAY_TASK_ID=str(number)))

    def fixed(self, name):
        return self.info(name)["fixed"]["cost"]

    def test_every_config_of_an_array_takes_the_options(self):
        self.write("y.yaml", null_config(100, "0"))
        words = ("array.sbatch", "x.yaml", "y.yaml", "--", "--set", "cost=1e-7")
        for task, name in ((1, "x.h5"), (2, "y.h5")):
            code, log = self.task(task, *words)
            assert (code, self.fixed(name)) == (OK, 1e-7), log
        for task in (0, 3):
            code, log = self.task(task, *words)
            assert code == BAD_INPUT
            assert f"task {task} has no config: 2 given, counted from 1." in log

    def test_every_part_takes_the_options_and_the_join_ignores_them(self):
        words = ("parts.sbatch", "x.yaml", "map.h5", "2", "--set", "cost=0")
        for part in (1, 2):
            code, log = self.task(part, *words)
            assert (code, self.fixed(f"map.h5.part-{part}-of-2")) == (OK, 0), log
        for part in (0, 3):
            code, log = self.task(part, *words)
            assert code == BAD_INPUT
            assert f"there is no part {part} of 2, parts count from 1" in log
        code, log = self.end(self.job(script=words[0], words=words[1:]))
        assert (code, self.info("map.h5")["done"]) == (OK, CELLS), log

    def test_a_number_of_parts_that_is_none(self):
        for parts in ("--set", "0", "two"):
            assert self.task(1, "parts.sbatch", "x.yaml", "map.h5", parts)[0] == BAD_INPUT


class Root(Script):
    def test_root_may_start_ranks(self):
        """In a container the user is root, whom Open MPI refuses without two variables."""
        words = [f"OMPI_ALLOW_RUN_AS_ROOT{end}" for end in ("", "_CONFIRM")]
        launch = self.program("launch", "env >>started; exec \"$@\"")
        for user, expected in ((0, {word: "1" for word in words}), (1000, {word: "" for word in words})):
            self.program("id", f"echo {user}")
            code, log = self.end(self.job(launch, **{word: "" for word in words}))
            assert code == OK, log
            with open(self.path("started")) as file:
                variables = dict(line.rstrip().partition("=")[::2] for line in file)
            assert {word: variables[word] for word in words} == expected
            os.remove(self.path("started"))
            os.remove(self.path("map.h5"))


class Join(Script):
    def test_the_join_has_the_environment_of_its_parts(self):
        """Only a line for the site in sweep.sbatch puts the program on the PATH."""
        there = self.path("project/jobs")
        os.makedirs(there)
        for name in ("sweep.sbatch", "parts.sbatch"):
            with open(os.path.join(JOBS, name), encoding="utf-8") as file:
                text = file.read()
            place = "# Put commands for the site here"
            loads = f"PATH=$PATH:{os.path.dirname(PROGRAM)}\n{place}"
            self.write(f"project/jobs/{name}", text.replace(place, loads))
        for part in ("1", "2"):
            self.good("run", "x.yaml", "-o", f"map.h5.part-{part}-of-2", "--part", f"{part}/2",
                      "--set", "cost=0")
        process = subprocess.run(
            ["bash", os.path.join(there, "parts.sbatch"), "x.yaml", "map.h5", "2"], cwd=self.work,
            env=dict(environment(self.folder), IMPACTSWEEP="", PATH="/usr/bin:/bin",
                     SLURM_NTASKS="1", SLURM_SUBMIT_DIR=self.path("project"),
                     IMPACTSWEEP_PROJECT=self.path("project")),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert process.returncode == OK, process.stdout + process.stderr
        info = self.info("map.h5")
        assert (info["done"], info["complete"]) == (CELLS, True)


class Names(Script):
    """A config or a map may have any name that a file can have."""

    def setup_method(self):
        super().setup_method()
        os.rename(self.path("x.yaml"), self.path("-x.yaml"))
        self.write("-x.yaml", null_config(1000, "0"))

    def check(self, name, process):
        code, log = self.end(process)
        assert code == OK, log
        assert self.info("./" + name)["complete"]

    def test_names_like_options(self):
        self.check("-map.h5", self.job(words=("-x.yaml", "-map.h5")))
        self.check("-x.h5", self.job(script="array.sbatch", words=("-x.yaml",), SLURM_ARRAY_TASK_ID="1"))
        for task in ("1", "2"):
            self.check(f"-all.h5.part-{task}-of-2", self.job(script="parts.sbatch", words=("-x.yaml", "-all.h5", "2"),
                                                            SLURM_ARRAY_TASK_ID=task))
        self.check("-all.h5", self.job(script="parts.sbatch", words=("-x.yaml", "-all.h5", "2")))

    def test_the_longest_name(self):
        """A file system takes 255 letters; a map that is being made, and a job without progress, need more files."""
        name = "m" * 252 + ".h5"
        idle = self.program("idle", "exit 75")
        for code in (STOPPED, FAILURE):
            ended, log = self.end(self.job(idle, words=("-x.yaml", name)))
            assert ended == code, log
        self.check(name, self.job(words=("-x.yaml", name)))
        assert self.files() == ["-x.yaml", "bin", name, "requeued"]


class NoProgress(Script):
    def session(self, launch):
        code, log = self.end(self.job(launch))
        return code, log, len(self.requeued())

    def test_two_idle_sessions_in_a_row_end_the_job(self):
        idle = self.program("idle", "exit 75")
        assert self.session(idle)[::2] == (STOPPED, 1)
        code, log, requeued = self.session(idle)
        assert (code, requeued) == (FAILURE, 1)
        assert "two sessions in a row have not completed a single cell of map.h5" in log
        assert self.session(idle)[::2] == (STOPPED, 2), "a new job counts from the beginning"

    def test_an_idle_session_between_others_does_no_harm(self):
        idle = self.program("idle", "exit 75")
        some = self.program("some", 'exec "$@" --time-limit 0.5')
        for launch, requeued in ((idle, 1), (some, 2), (idle, 3)):
            assert self.session(launch)[::2] == (STOPPED, requeued)
        assert self.session("mpirun -n 2")[::2] == (OK, 3)
        assert self.files() == ["bin", "map.h5", "requeued", "x.yaml"]

    def test_ranks_that_are_killed_before_they_begin(self):
        """They leave no file; mpirun returns 0 with recovery, 137 without, and that of MPICH 9."""
        unlucky = self.program("unlucky", "kill -KILL $$")
        hidden = self.program("hidden", "exit 0")
        for launch in (f"mpirun -n 1 {unlucky}", unlucky, hidden):
            assert self.session(launch)[0] == STOPPED, launch
            assert self.session(launch)[0] == FAILURE, launch
        assert self.requeued() == 3 * ["requeue 7"]

    def test_failures_are_not_requeued(self):
        for code in (1, 2, 127):
            fails = self.program("fails", f"exit {code}")
            assert self.session(fails)[::2] == (code, 0)
        assert self.session("no_such_launcher")[::2] == (127, 0)
