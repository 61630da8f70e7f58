"""jobs/sweep.sbatch by itself: warnings at any moment, and ranks that are lost at the start."""
import os
import random
import signal
import time

import pytest
from job_script import CELLS, Script
from support import BAD_INPUT, OK, PROGRAM, STOPPED, null_config


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
