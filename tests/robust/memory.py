"""Memory that runs out at the n-th allocation, over whole commands: each ends with the right result, or with
exit code 1 and a message. See memory.c for what is counted."""
import os
import re
import select
import signal
import subprocess

from commands import COMMANDS, Commands
from support import FAILURE, OK, environment, in_parallel, share

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "memory.c")
OWN = "libyaml"  # besides the program itself
HDF5 = "libhdf5"
ALL = "*"
WITHOUT_HDF5 = ("models", "cell", "check", "trace_csv")
SECONDS = 600  # within which a command must have ended, on a busy machine too
MESSAGE = re.compile(r"^impactsweep: error: .*(memory|h5repack|ended from outside).*\n\Z", re.M)


class Server:
    """A command that waits at its beginning, and goes on from there as often as it is asked."""

    def __init__(self, program, words, folder, settings):
        self.output = folder + "-output"
        self.process = subprocess.Popen(
            [program, *words], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            start_new_session=True,
            env={**settings, "MEMORY_OUT": self.output})

    def run(self, fails):
        """How it ends (a signal: less than 0), its output, its messages, and how many allocations it made."""
        self.process.stdin.write(b"%d\n" % fails)
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], SECONDS)[0]:
            raise AssertionError(f"allocation {fails}: still there after {SECONDS} s")
        status, calls = self.process.stdout.readline().split()
        texts = []
        for ending in (".out", ".err"):
            with open(self.output + ending, errors="replace") as file:
                texts.append(file.read())
        return os.waitstatus_to_exitcode(int(status)), *texts, int(calls)

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        for stream in (self.process.stdin, self.process.stdout):
            stream.close()
        self.process.wait()


class Memory(Commands):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.shim = os.path.join(cls.shared, "memory.so")
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", cls.shim, SOURCE], check=True)
        symbols = subprocess.run(["nm", cls.program], capture_output=True, text=True, check=True).stdout
        archive = re.search(r"^(\w+) T imp_before_hdf5$", symbols, re.M)
        cls.archive = {"MEMORY_HDF5": archive[1]} if archive else {}

    def serve(self, name, folder, libraries):
        server = Server(self.program, COMMANDS[name].words, folder,
                        {**environment(self.folder), **self.archive, "LD_PRELOAD": self.shim,
                         "MEMORY_IN": libraries,
                         "OMPI_MCA_ess_singleton_isolated": "1"})  # starts no daemon: faster
        self.ending.callback(server.close)
        return server

    def learn(self, name, libraries):
        """What the command makes, and in how many allocations."""
        folder = self.place(name, "model")
        server = self.serve(name, folder, libraries)
        self.prepare(name, folder)
        code, out, err, calls = server.run(0)
        assert (code, calls > 0) == (OK, True), err
        wanted = self.made(name, folder, out)
        self.prepare(name, folder)
        code, out, err, calls = server.run(calls + 1000)
        self.check_right(name, folder, out, wanted, name)
        return wanted, calls

    def check(self, name, folder, result, wanted, where):
        code, out, err, _ = result
        where = f"{where}: {code}: {err}"
        assert code in (OK, FAILURE), where
        if code == OK:
            self.check_right(name, folder, out, wanted, where)
        else:
            assert re.search(MESSAGE, err), where
            self.check_rest(name, folder, wanted, where)

    def lane(self, name, libraries, wanted, tried):
        """Fails these allocations one after another: how each run ended, and what was wrong."""
        folder = self.place(name, tried[0])
        server, codes, faults = self.serve(name, folder, libraries), [], []
        for fails in tried:
            self.prepare(name, folder)
            try:
                result = server.run(fails)
                codes.append(result[0])
                self.check(name, folder, result, wanted, f"{name}: allocation {fails}")
            except AssertionError as fault:
                faults.append(str(fault)[-600:])  # its end says where
        return codes, faults

    def campaign(self, name, libraries, most=None):
        """Fails each allocation, or `most` of them in even steps; how many were tried."""
        wanted, n = self.learn(name, libraries)
        step = max(1, -(-n // most)) if most else 1
        tried = share(range(1, n + 1, step))
        lanes = [lane for lane in (tried[i::os.cpu_count()] for i in range(os.cpu_count())) if lane]
        found = in_parallel(lambda lane: self.lane(name, libraries, wanted, lane), lanes)
        codes = [code for lane, _ in found for code in lane]
        faults = [fault for _, lane in found for fault in lane]
        self.report(f"{name} ({libraries}): {n} allocations, {len(codes)} failed: {codes.count(OK)} ended right, "
                    f"{codes.count(FAILURE)} with code 1, {len(faults)} faults", *faults)
        assert faults == []
        return len(tried)
