"""A script of jobs/ by itself, with an scontrol that only records its arguments."""
import os
import re
import subprocess

from support import PROGRAM, ROOT, Case, environment, null_config

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
