"""The targets of `trace` and `export`: files that they replace, devices, pipes and open descriptors."""
import os
import subprocess
import threading

import pytest
from support import BAD_INPUT, FAILURE, PENDULUM, Case, command, environment, null_config

TRACE = ("trace", "null", "x=1", "y=2", "--points", "3")
EXPORT = ("export", "map.h5")
WRITERS = (("trace", TRACE, ".csv"), ("trace", TRACE, ".h5"), ("export", EXPORT, ".csv"))


class Targets(Case):
    def setup_method(self):
        super().setup_method()
        self.shared_map(PENDULUM, "map.h5")

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()


class Replacing(Targets):
    def test_a_file_of_other_origin_is_refused_without_force(self):
        foreign = {"notes": b"friction,outcome of the first try\n0.1,good\n",
                   "other": self.read("map.h5")}
        for name, words, ending in WRITERS:
            for what, content in foreign.items():
                path = what + ending
                self.write(path, content)
                self.bad(*words, "-o", path, code=BAD_INPUT,
                         says=f"{name}: {path}: exists, and {name} did not write it; "
                              "--force replaces it")
                assert self.read(path) == content
                self.good(*words, "-o", path, "--force")
                assert self.read(path) != content

    def test_a_file_of_the_same_command_is_replaced(self):
        for name, words, ending in WRITERS:
            for force in ((), ("--force",)):
                path = "own" + ending
                self.write(path, b"")  # an empty file may be replaced
                self.good(*words, "-o", path)
                first = self.read(path)
                self.good(*words, "-o", path, *force)
                assert len(self.read(path)) == pytest.approx(len(first), abs=len(" --force"))
                os.remove(self.path(path))

    def test_one_command_does_not_replace_a_file_of_the_other(self):
        self.good(*TRACE, "-o", "history.csv")
        self.good(*EXPORT, "-o", "table.csv")
        self.bad(*EXPORT, "-o", "history.csv", code=BAD_INPUT, says="export did not write it")
        self.bad(*TRACE, "-o", "table.csv", code=BAD_INPUT, says="trace did not write it")

    def test_a_map_that_is_written_is_never_replaced(self):
        self.write("slow.yaml", null_config(200000, "5e-5"))
        process = self.start("run", "slow.yaml", "-o", "slow.h5", "--progress", "none")
        self.wait_for_file("slow.h5")
        inode = os.stat(self.path("slow.h5")).st_ino
        for words in ((*TRACE, "-o", "slow.h5"), (*EXPORT, "-o", "slow.csv")):
            if words[-1] == "slow.csv":
                os.symlink("slow.h5", self.path("slow.csv"))
            for force in ((), ("--force",)):
                self.bad(*words, *force, code=FAILURE,
                         says=f"slow.h5: is being written by process {process.pid} on")
        assert process.poll() is None
        assert os.stat(self.path("slow.h5")).st_ino == inode

    def test_a_table_is_not_written_under_the_name_of_another_format(self):
        for name in ("table.h5", "table.nc"):
            self.bad(*EXPORT, "-o", name, code=BAD_INPUT,
                     says=f"export: {name}: a table is written to a file whose name ends in .csv")
            assert name not in self.files()


class Direct(Targets):
    def shell(self, line):
        program = " ".join(command(()))
        return subprocess.run(["bash", "-c", line.replace("PROGRAM", program)], cwd=self.work,
                              env=environment(self.folder), text=True, capture_output=True,
                              timeout=60)

    def same(self, text, words):
        """The table, without the line that names the command."""
        drop = lambda lines: [line for line in lines.splitlines() if "# impactsweep" not in line]
        assert drop(text) == drop(self.good(*words))

    def test_standard_output_and_error_by_their_names(self):
        for words in (TRACE, EXPORT):
            line = "PROGRAM " + " ".join(words)
            for target, redirection in (("/dev/stdout", "| cat"), ("-", "| cat"), ("/dev/stderr", "2>&1 >/dev/null | cat"),
                                        ("/dev/fd/7", "7>&1 | cat"), ("/dev/stdout", "")):
                result = self.shell(f"set -o pipefail; {line} -o {target} {redirection}")
                assert (result.returncode, result.stderr) == (0, "")
                self.same(result.stdout, words)

    def test_a_redirected_output_is_appended_to(self):
        self.write("log", b"before\n")
        result = self.shell(f"PROGRAM {' '.join(EXPORT)} -o /dev/stdout >> log; echo after >> log")
        assert (result.returncode, result.stderr) == (0, "")
        text = self.read("log").decode()
        assert text.startswith("before\nangle,"), text[:60]
        assert text.endswith("\nafter\n")
        self.same(text[len("before\n"):-len("after\n")], EXPORT)

    def test_a_named_pipe(self):
        for words, name in ((TRACE, "pipe"), (EXPORT, "pipe.csv")):
            os.mkfifo(self.path(name))
            found = []
            reader = threading.Thread(target=lambda: found.append(self.read(name).decode()))
            reader.start()
            assert self.good(*words, "-o", name) == ""
            reader.join()
            self.same(found[0], words)

    def test_targets_that_cannot_be_written(self):
        os.mkdir(self.path("folder.csv"))
        os.mkfifo(self.path("pipe.h5"))
        for words, target, says in ((TRACE, "pipe.h5", "HDF5 is written to a file, not to a pipe"),
                                    (TRACE, "folder.csv", "folder.csv: could not open it: Is a dir"),
                                    (EXPORT, "folder.csv", "folder.csv: could not open it: Is a dir"),
                                    (EXPORT, "/dev/fd/77", "/dev/fd/77: could not open it: Bad file")):
            self.bad(*words, "-o", target, code=BAD_INPUT, says=says)
