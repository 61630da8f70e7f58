"""No command writes over what it reads, by whatever name; and --exit-code replaces nothing but exit codes."""
import os
import stat

from robust import null_sweep
from support import BAD_INPUT, FAILURE, Case, digest_of_bytes

TABLED = """model: 'null'
axes:
  - {name: point, table: points.csv}
  - {param: y, from: 0, to: 1, points: 3}
"""
TABLE = "x\n0.25\n0.5\n"
OUT = ("-o", "map.h5", "--progress", "none")


class Own(Case):
    def setup_method(self):
        super().setup_method()
        self.write("x.yaml", null_sweep(3, 3))
        os.mkdir(self.path("folder"))

    def names_of(self, name):
        """Other names of a file of the work folder: ways to it, a symbolic link, a hard link, a link to its folder."""
        os.symlink(name, self.path("soft-" + name))
        os.symlink(".", self.path("here-" + name))
        os.link(self.path(name), self.path("hard-" + name))
        return (name, "./" + name, "folder/../" + name, self.path(name), "soft-" + name, "hard-" + name,
                f"here-{name}/{name}")

    def refused(self, kept, words, says, **options):
        """The command is bad input, changes none of the files, and makes no other."""
        before = {name: digest_of_bytes(self.path(name)) for name in kept}
        there = self.files()
        self.bad(*words, says=says, **options)
        assert {name: digest_of_bytes(self.path(name)) for name in kept} == before, words
        assert self.files() == there, words


class Inputs(Own):
    def test_a_run_keeps_its_config(self):
        for name in self.names_of("x.yaml"):
            for words in ((), ("--force",), ("--resume",)):
                self.refused(["x.yaml"], ("run", "x.yaml", "-o", name, *words), "is a file that this run reads")
        self.refused(["x.yaml"], ("run", "x.yaml", "-o", "x.yaml", "--force"), "is a file that this run reads",
                     ranks=2)
        self.refused(["x.yaml"], ("run", "hard-x.yaml", "-o", "soft-x.yaml", "--force"),
                     "is a file that this run reads")

    def test_a_run_keeps_its_tables(self):
        self.write("points.csv", TABLE)
        self.write("t.yaml", TABLED)
        os.link(self.path("points.csv"), self.path("points.h5"))
        self.refused(["points.csv", "t.yaml"], ("run", "t.yaml", "-o", "points.h5", "--force"),
                     "points.h5 is a file that this run reads")
        self.good("run", "t.yaml", *OUT)

    def test_readers_of_maps_keep_them(self):
        self.good("run", "x.yaml", *OUT)
        self.good("run", "x.yaml", "-o", "one.h5", "--part", "1/2", "--progress", "none")
        names = self.names_of("map.h5")
        for words in (("export",), ("query", "value > 0"), ("report",)):
            for name in names:
                call = (words[0], "map.h5", *words[1:], "-o", name, "--force")
                self.refused(["map.h5", "x.yaml"], call, "is the map itself")
        os.link(self.path("one.h5"), self.path("again.h5"))
        for name in ("one.h5", "./one.h5", "again.h5"):
            self.refused(["one.h5"], ("join", name, "one.h5", "--force"), "is both a part and the output")


class ExitCode(Own):
    """The file of --exit-code is one that a run has written, an empty one, or a new one."""

    def test_nothing_else_is_replaced(self):
        self.write("notes.txt", "75 problems\n")
        self.write("long.txt", "7" * 40)
        os.symlink("notes.txt", self.path("link"))
        os.symlink("nowhere", self.path("dangling"))
        os.mkfifo(self.path("pipe"))
        for name, says in (("notes.txt", "notes.txt: exists, and is not the exit code of a run"),
                           ("long.txt", "exists, and is not the exit code of a run"),
                           ("link", "link: is a symbolic link"), ("dangling", "is a symbolic link"),
                           ("pipe", "pipe: is a pipe or a device"), ("folder", "folder: is a folder"),
                           ("/dev/null", "is a pipe or a device"),
                           ("no_such/code", "no_such/code: could not create it: No such file or directory")):
            for ranks in (0, 2) if name == "pipe" else (0,):
                self.refused(["notes.txt", "long.txt"], ("run", "x.yaml", *OUT, "--exit-code", name), says,
                             ranks=ranks)
        assert stat.S_ISFIFO(os.stat(self.path("pipe")).st_mode)

    def test_files_of_the_run_are_refused(self):
        for name in (*self.names_of("x.yaml"), "map.h5", "./map.h5", "here-x.yaml/map.h5", "folder/../map.h5"):
            self.refused(["x.yaml"], ("run", "x.yaml", *OUT, "--exit-code", name), "is no place for the exit code")
        self.good("run", "x.yaml", *OUT)
        for name in self.names_of("map.h5"):
            for more in ((), ("--resume",), ("--force",)):
                self.refused(["map.h5"], ("run", "x.yaml", *OUT, *more, "--exit-code", name),
                             "is no place for the exit code")

    def test_a_table_is_refused(self):
        self.write("points.csv", TABLE)
        self.write("t.yaml", TABLED)
        self.refused(["points.csv"], ("run", "t.yaml", *OUT, "--exit-code", "points.csv"),
                     "points.csv: exists, and is not the exit code of a run")

    def test_an_earlier_code_and_an_empty_file_are_replaced(self):
        for text in ("", "started\n", "75\n", "0"):
            self.write("code", text)
            os.chmod(self.path("code"), 0o600)
            self.good("run", "x.yaml", *OUT, "--force", "--exit-code", "code")
            with open(self.path("code"), encoding="utf-8") as file:
                assert file.read() == "0\n"
        assert self.files() == ["code", "folder", "map.h5", "x.yaml"]

    def test_a_disk_that_cannot_take_it(self):
        os.chmod(self.path("folder"), 0o555)
        self.refused([], ("run", "x.yaml", *OUT, "--exit-code", "folder/code"), "the folder folder is read-only")
        os.chmod(self.path("folder"), 0o755)
