#!/usr/bin/python3
"""A private Slurm: munged, slurmctld and two nodes on this machine, in a folder of its own.

    tests/jobs/slurm.py [COMMAND...]

runs a command (default: a shell) in which sbatch, squeue and their kin belong to this Slurm, which ends with it.

It needs no system service, no root and no cgroup. Every process that it starts has the folder in its
environment (MARK), so that a guard process can find and end it, whatever its parent. The guard does so,
and removes the folder, when this program closes the Slurm or ends in any way, killed included."""
import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MARK = "IMPACT_SLURM_FOLDER"
GUARD = "--guard"
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "scontrol", "squeue")
PATH = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "BOOT_FAIL", "OUT_OF_MEMORY",
         "DEADLINE"}

# cred_expire: seconds that a requeued job waits before it starts again.
CONFIG = """ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmctldDebug=debug2
SlurmdSpoolDir={folder}/spool.%n
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/slurmd.%n.log
TmpFS={folder}/tmp.%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=bf_interval=2,batch_sched_delay=0,sched_min_interval=0,sched_interval=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
MailProg=/bin/true
ReturnToService=2
KillWait=3
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={n1} CPUs=2
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={n2} CPUs=2
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
"""
NODES = ("n1", "n2")


def missing():
    """A line that names the missing programs; empty if none is missing."""
    absent = [name for name in PROGRAMS if not shutil.which(name, path=PATH)]
    return f"Slurm is not installed: no {', '.join(absent)}" if absent else ""


# ---- the end of everything ----

def marked_processes(folder):
    mark = f"{MARK}={folder}".encode()
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/environ", "rb") as file:
                if mark in file.read().split(b"\0"):
                    found.append(int(entry))
        except OSError:
            pass  # the process has ended, or belongs to another user
    return found


def end_everything(folder):
    end = time.monotonic() + 20
    while (alive := marked_processes(folder)) and time.monotonic() < end:
        for process in alive:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)


def guard(folder):
    """Waits, detached, until its stdin closes, which happens however the parent ends; then ends everything."""
    if os.fork() > 0:
        os._exit(0)
    os.setsid()
    for stop in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, signal.SIG_IGN)
    sys.stdin.read()
    end_everything(folder)


# ---- the Slurm ----

def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """A context manager. folder: holds the files of the tests too, and is removed at the end."""

    def __init__(self):
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="impact_"))
        self.guard = subprocess.Popen([sys.executable, os.path.abspath(__file__), GUARD, self.folder],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.daemons = []
        scratch = os.path.join(self.folder, "scratch")
        self.environment = dict(
            os.environ, PATH=PATH, SLURM_CONF=os.path.join(self.folder, "slurm.conf"),
            TMPDIR=scratch, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
            OMPI_MCA_orte_tmpdir_base=scratch, OMPI_MCA_btl_vader_backing_directory=scratch,
            OMPI_MCA_hwloc_base_binding_policy="none", **{MARK: self.folder})

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.guard.stdin.close()
        self.guard.stdout.read()  # until the guard is done
        self.guard.stdout.close()
        self.guard.wait()
        for daemon in self.daemons:
            daemon.wait()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start_daemon(self, *words):
        with open(self.path("daemons.log"), "a") as log:
            self.daemons.append(subprocess.Popen(words, env=self.environment, cwd=self.folder,
                                                 stdin=subprocess.DEVNULL, stdout=log, stderr=log))

    def start(self):
        for name in ["scratch", "state"] + [f"{k}.{n}" for k in ("spool", "tmp") for n in NODES]:
            os.mkdir(self.path(name))
        controller, n1, n2 = free_ports(3)
        with open(self.path("slurm.conf"), "w") as file:
            file.write(CONFIG.format(host=socket.gethostname().split(".")[0], folder=self.folder,
                                     user=getpass.getuser(), controller=controller, n1=n1, n2=n2))
        with open(self.path("munge.key"), "wb") as file:
            os.chmod(file.fileno(), 0o600)
            file.write(os.urandom(128))
        self.start_daemon("munged", "--foreground", "--force", "--num-threads=2",
                          *(f"--{option}={self.path('munge.' + end)}" for option, end in
                            (("key-file", "key"), ("socket", "socket"), ("pid-file", "pid"),
                             ("log-file", "log"), ("seed-file", "seed"))))
        self.wait_for(lambda: os.path.exists(self.path("munge.socket")), "munged")
        self.start_daemon("slurmctld", "-D", "-c")
        for node in NODES:
            self.start_daemon("slurmd", "-D", "-N", node)
        self.wait_for(lambda: self.try_run("sinfo", "-h", "-N", "-o", "%T") == ["idle"] * 2,
                      "idle nodes")

    # ---- commands of Slurm ----

    def try_run(self, *words):
        """Lines of stdout, or None if the program failed."""
        result = subprocess.run(words, env=self.environment, capture_output=True, text=True,
                                timeout=60)
        return result.stdout.splitlines() if result.returncode == 0 else None

    def run(self, *words, cwd=None, timeout=60, **variables):
        """stdout of a command of Slurm, which must succeed."""
        result = subprocess.run(words, env=dict(self.environment, **variables), cwd=cwd, text=True,
                                capture_output=True, stdin=subprocess.DEVNULL, timeout=timeout)
        if result.returncode != 0:
            raise AssertionError(f"{' '.join(words)}: exit code {result.returncode}\n"
                                 f"{result.stdout}{result.stderr}")
        return result.stdout

    def wait_for(self, condition, what, patience=60, pause=0.1):
        end = time.monotonic() + patience
        while not (result := condition()):
            if time.monotonic() > end:
                raise AssertionError(f"waited {patience} s in vain for {what}\n{self.logs()}")
            time.sleep(pause)
        return result

    def logs(self):
        """The ends of the logs of all daemons, for a test that fails."""
        text = ""
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(self.path(name), errors="replace") as file:
                    text += f"---- {name}\n" + "".join(file.readlines()[-15:])
        return text

    def submit(self, *words, cwd, **variables):
        """Calls sbatch with these words; returns the number of the job as text."""
        return self.run("sbatch", "--parsable", *words, cwd=cwd, **variables).strip()

    def jobs(self, job):
        """The fields of `scontrol show job`: a dictionary for each task of an array, or one for the job."""
        lines = self.run("scontrol", "show", "job", "-o", job).splitlines()
        return [dict(re.findall(r"(\w+)=(\S*)", line)) for line in lines if line]

    def state(self, job):
        return self.jobs(job)[0]["JobState"]

    def wait_for_end(self, job, patience=240):
        """Waits until the job, or every task of the array, has ended; returns its dictionaries."""
        def ended():
            jobs = self.jobs(job)
            return jobs if all(j["JobState"] in ENDED for j in jobs) else None
        # Each question starts a program and wakes the controller, and a job that has ended stays so.
        return self.wait_for(ended, f"the end of job {job}", patience, pause=0.5)

    def warn(self, job):
        """Sends the warning signal to the job's script."""
        self.run("scancel", "--signal=USR1", "--batch", job)


# ---- a shell ----

def main(words):
    """Runs the command; returns its exit code."""
    if missing():
        print(f"slurm.py: {missing()}; jobs/packages.sh slurm installs it", file=sys.stderr)
        return 1
    with Slurm() as slurm:
        print(f"slurm.py: two nodes of 2 cores each; the files of this Slurm are in {slurm.folder} until it ends",
              file=sys.stderr)
        return subprocess.run(words or [os.environ.get("SHELL", "bash")], env=slurm.environment).returncode


if __name__ == "__main__":
    if sys.argv[1:2] == [GUARD]:
        guard(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1:]))
