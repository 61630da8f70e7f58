"""jobs/sweep.sbatch by itself, with an scontrol that only records its arguments: warnings at any
moment, and the end of jobs that make no progress. test_slurm.py runs the scripts under a real Slurm."""
import os
import random
import re
import signal
import subprocess
import time

import pytest
from support import BAD_INPUT, FAILURE, OK, PROGRAM, ROOT, STOPPED, Case, environment, null_config

JOBS = os.path.join(ROOT, "jobs")
CELLS = 3000


class Script(Case):
    def setup_method(self):
        super().setup_method()
        self.write("x.yaml", null_config(CELLS, "5e-4"))
        self.program("scontrol", 'echo "$@" >>requeued')

    def program(self, name, text):
        """A program for the script, in front of all others."""
        os.makedirs(self.path("bin"), exist_ok=True)
        path = self.write(f"bin/{name}", f"#!/usr/bin/env bash\n{text}\n")
        os.chmod(path, 0o755)
        return path

    def job(self, launch="", script="sweep.sbatch", words=("x.yaml", "map.h5"), **variables):
        """Starts the script as Slurm would."""
        settings = dict(environment(self.folder), IMPACTSWEEP=PROGRAM, IMPACTSWEEP_PROJECT=ROOT,
                        SLURM_NTASKS="2", SLURM_JOB_ID="7", SLURM_SUBMIT_DIR=self.work,
                        PATH=self.path("bin") + os.pathsep + os.environ["PATH"],
                        IMPACTSWEEP_LAUNCH=launch or "mpirun -n 2", **variables)
        process = subprocess.Popen(["bash", os.path.join(JOBS, script), *words], cwd=self.work,
                                   env=settings, stdin=subprocess.DEVNULL, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.ending.callback(process.stdout.close)
        self.ending.callback(process.stderr.close)
        return process

    def wait_for_trap(self, process):
        """Waits until the script handles warnings: Slurm sends none before the shell has started."""
        def caught():
            with open(f"/proc/{process.pid}/status") as file:
                return int(re.search(r"SigCgt:\s*(\w+)", file.read())[1], 16) >> 9 & 1
        self.wait_for(caught, "the trap")

    def end(self, process):
        stdout, stderr = process.communicate(timeout=300)
        return process.returncode, stdout + stderr

    def requeued(self):
        if not os.path.exists(self.path("requeued")):
            return []
        with open(self.path("requeued")) as file:
            return file.read().splitlines()


class Warnings(Script):
    def check_stop(self, process):
        code, log = self.end(process)
        assert code == STOPPED, log
        assert self.requeued() == ["requeue 7"], log
        os.remove(self.path("requeued"))
        return log

    def check_rest(self):
        """The next sessions complete the map."""
        code, log = self.end(self.job())
        assert code == OK, log
        assert self.requeued() == []
        info = self.info("map.h5")
        assert (info["done"], info["complete"]) == (CELLS, True)
        assert self.files() == ["bin", "map.h5", "x.yaml"]
        os.remove(self.path("map.h5"))

    def test_a_warning_at_any_moment_of_the_start(self):
        # The sweep takes so long that a warning lost by mpirun is repeated before the end.
        self.write("x.yaml", null_config(CELLS, "3e-3"))
        rng = random.Random(4)
        for delay in (0, *(rng.uniform(0, 0.6) for _ in range(3))):
            process = self.job(IMPACTSWEEP_GRACE="30") # mpirun may hang
            self.wait_for_trap(process)
            time.sleep(delay)
            process.send_signal(signal.SIGUSR1)
            self.check_stop(process)
            self.check_rest()

    def test_a_warning_before_the_sweep_is_up(self):
        """A launcher that ignores the first warning gets another one; one without a trap ends, that of MPICH
        then has the number of the signal for a code, or hides that its ranks stopped."""
        # Warnings come every second: the sweep must take longer than that.
        self.write("x.yaml", null_config(CELLS, "3e-3"))
        deaf = self.program("deaf", "trap '' USR1\nsleep 1.5\ntrap - USR1\nexec " + PROGRAM +
                            ' "${@:2}"')
        mortal = self.program("mortal", 'sleep 1.5\nexec "$@"')
        hydra = self.program("hydra", "trap 'exit 10' USR1\nsleep 1.5 & wait\nexec \"$@\"")
        silent = self.program("silent", "trap 'kill -USR1 $!' USR1\nsleep 1.5 & wait\n"
                              '"$@" & wait; wait; exit 0')
        for launch in (deaf, mortal, hydra, silent):
            process = self.job(launch)
            self.wait_for_trap(process)
            time.sleep(0.5)
            process.send_signal(signal.SIGUSR1)
            self.check_stop(process)
            self.check_rest()

    def test_a_launcher_that_hangs_after_the_warning(self):
        """It is killed in time to requeue the job, whatever signals it ignores."""
        for signals in ("USR1", "USR1 TERM"):
            hanging = self.program("hanging", f"trap '' {signals}\n: >hangs\nexec sleep 1000")
            process = self.job(hanging, IMPACTSWEEP_GRACE="1")
            self.wait_for_file("hangs")
            os.remove(self.path("hangs"))
            process.send_signal(signal.SIGUSR1)
            assert "not ended 1 s after the warning" in self.check_stop(process)
            self.check_rest()

    def test_a_run_that_failed_before_its_launcher_hung(self):
        """The exit code that rank 0 wrote holds."""
        hanging = self.program("hanging", 'trap "" USR1\n"$@"\n: >hangs\nexec sleep 1000')
        self.write("x.yaml", "theory: none of these\n")
        process = self.job(hanging, IMPACTSWEEP_GRACE="1")
        self.wait_for_file("hangs")
        process.send_signal(signal.SIGUSR1)
        code, log = self.end(process)
        assert (code, self.requeued()) == (BAD_INPUT, []), log

    def test_grace(self):
        for grace in ("0", "1.5", "10m", "", "-3"):
            code, log = self.end(self.job(IMPACTSWEEP_GRACE=grace))
            assert code == (OK if grace == "" else BAD_INPUT), log
            assert ("not a whole number of seconds" in log) == (grace != ""), log

    def test_many_warnings(self):
        process = self.job()
        self.wait_for_file("map.h5")
        for _ in range(20):
            process.send_signal(signal.SIGUSR1)
            time.sleep(0.01)
        assert "stopped early" in self.check_stop(process)
        self.check_rest()

    def test_warnings_without_a_pause(self):
        """None is lost, none disturbs the script, whatever it does as they arrive."""
        rng = random.Random(5)
        for script, words in (("sweep.sbatch", ("x.yaml", "map.h5")), ("array.sbatch", ("x.yaml",)),
                              ("parts.sbatch", ("x.yaml", "map.h5", "1"))):
            for _ in range(10):
                process = self.job(script=script, words=words, SLURM_ARRAY_TASK_ID="1")
                self.wait_for_trap(process)
                while process.poll() is None:
                    process.send_signal(signal.SIGUSR1)
                    time.sleep(rng.uniform(0, 1e-3))
                code, log = self.end(process)
                assert (code, self.requeued()) == (STOPPED, ["requeue 7"]), log
                os.remove(self.path("requeued"))
                for name in self.files():
                    if name.endswith(".idle"):
                        os.remove(self.path(name))

    def test_arrays_and_parts(self):
        for script, words, name in (("array.sbatch", ("x.yaml",), "x.h5"),
                                    ("parts.sbatch", ("x.yaml", "map.h5", "1"),
                                     "map.h5.part-1-of-1")):
            process = self.job(script=script, words=words, SLURM_ARRAY_TASK_ID="1",
                               SLURM_ARRAY_JOB_ID="8")
            self.wait_for_trap(process)
            process.send_signal(signal.SIGUSR1)
            code, log = self.end(process)
            assert (code, self.requeued()) == (STOPPED, ["requeue 8_1"]), log
            os.remove(self.path("requeued"))
            code, log = self.end(self.job(script=script, words=words, SLURM_ARRAY_TASK_ID="1"))
            assert code == OK, log
            assert self.info(name)["complete"]


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


class Starts(Script):
    """A rank that is lost inside MPI's start: the job tries again, and not for ever."""

    @pytest.mark.parametrize("signal_name, rank", [("KILL", 1), ("STOP", 1), ("KILL", 0)])
    def test_a_rank_that_dies_or_stops_is_tried_again(self, signal_name, rank):
        # The launcher of MPICH kills the other rank with it: not before that has begun.
        began = 'until grep -q started "$OMPI_MCA_orte_tmpdir_base/code"; do sleep .1; done'
        unlucky = self.program("unlucky", f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" != {rank} ] || '
                               f'{{ {began}; kill -{signal_name} $$; }} 2>/dev/null; exec "$@"')
        code, log = self.end(self.job(f"mpirun -n 2 {unlucky}",
                                      words=("x.yaml", "map.h5", "--time-limit", "1")))
        assert (code, self.requeued()) == (STOPPED, ["requeue 7"]), log
        os.remove(self.path("requeued"))
        os.remove(self.path("map.h5.idle"))


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
