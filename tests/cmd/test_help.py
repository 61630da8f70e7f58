"""Help of every subcommand, and the order of options and words."""
import os
import re
import shlex
import subprocess

from support import BAD_INPUT, FAILURE, OK, PENDULUM, ROOT, SOLVER_IN_PAGES, Case, command, environment


class Help(Case):
    def commands(self):
        found = re.findall(r"^  impactsweep (\w+) ", self.good("--help"), re.M)
        assert len(found) >= 9
        return found

    def test_every_subcommand_has_help_in_three_ways(self):
        for name in self.commands():
            text = self.good(name, "--help")
            assert text.startswith(f"usage: impactsweep {name} "), text
            assert self.good(name, "-h") == text
            assert self.good("help", name) == text
            assert self.good(name, "no such", "--help") == text
        self.bad("help", "rnu", says="did you mean 'run'?")
        self.bad("help", "run", "cell", says="unexpected 'cell'")

    def test_examples_run_as_printed(self):
        os.symlink(os.path.join(ROOT, "configs"), self.path("configs"))
        for name in self.commands():
            examples = self.good(name, "--help").split("\nexample")[1].splitlines()[1:]
            for line in examples:
                if name == "explore" and not SOLVER_IN_PAGES:
                    self.bad(*shlex.split(line)[1:], says="this program was built without the module of the solver")
                    continue
                self.good(*shlex.split(line)[1:])

    def test_every_option_of_the_help_exists(self):
        for name in self.commands():
            page = self.good(name, "--help").split("\nexample")[0]
            for option, value in re.findall(r"^(?:  -\w, |      )--([\w-]+)( \S+)?", page, re.M):
                words = (f"--{option}",) if value else (f"--{option}=x",)
                self.bad(name, *words, says="needs a value" if value else "takes no value")

    def test_help_that_cannot_be_written_is_a_failure(self):
        for words in (("--help",), ("help",), ("--version",), ("run", "--help"), ("help", "run")):
            with open("/dev/full", "w") as full:
                assert self.sweep(*words, stdout=full).returncode == FAILURE, words


class Order(Case):
    """Options may stand anywhere, also with POSIXLY_CORRECT."""

    def run_words(self, *words):
        return subprocess.run(command(words), cwd=self.work, capture_output=True, text=True,
                              env=dict(environment(self.folder), POSIXLY_CORRECT="1"))

    def test_options_after_words(self):
        self.write("x.yaml", PENDULUM)
        cell = "null x=1 y=2".split()
        for words in (("check", "x.yaml", "--set", "stiffness_ratio=1.3"),
                      ("check", "--set=stiffness_ratio=1.3", "x.yaml"),
                      ("run", "x.yaml", "-o", "map.h5", "--progress", "none"),
                      ("run", "--resume", "x.yaml", "-omap.h5"),
                      ("run", "--resume", "--output", "map.h5", "--", "x.yaml"),
                      ("info", "map.h5", "--json"), ("cell", *cell, "--json"),
                      ("export", "map.h5", "-o", "map.csv"),
                      ("trace", *cell, "-o", "one.csv", "--points", "3"),
                      ("trace", "--points=3", *cell)):
            result = self.run_words(*words)
            assert result.returncode == OK, f"{words}: {result.stderr}"
        assert self.files() == ["map.csv", "map.h5", "one.csv", "x.yaml"]
        with open(self.path("one.csv")) as file:
            assert "trace null x=1 y=2 -o one.csv --points 3" in file.readline()

    def test_abbreviations_must_be_clear(self):
        self.write("x.yaml", PENDULUM)
        for words, phrase in ((("--c=1",), "unknown option '--c=1'"), (("--",), "the config is missing"),
                              (("-x",), "unknown option '-x'"), (("-",), "give -o FILE"),
                              (("--=x",), "unknown option '--=x'")):
            self.bad("run", *words, code=BAD_INPUT, says=phrase)
