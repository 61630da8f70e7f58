"""Completion in bash and zsh: subcommands, options, theories, and the parameters and choices of the
chosen theory."""
import json
import os
import pty
import re
import select
import shutil
import subprocess
import time

import pytest
from support import PENDULUM, PROGRAM, ROOT, Case

COMPLETIONS = os.path.join(ROOT, "src", "cmd")


class Words(Case):
    """The words that `impactsweep complete` offers."""

    def offers(self, line):
        words = line.split(" ")
        return [one.split("\t")[0] for one in self.good("complete", "--", *words).splitlines()]

    def test_subcommands_and_their_options(self):
        commands = re.findall(r"^  impactsweep (\w+) ", self.good("--help"), re.M)
        assert self.offers("") == commands + ["--help", "--version"]
        assert self.offers("help ") == commands
        assert self.offers("expo") == ["export"]
        for name in commands:
            page = self.good(name, "--help").split("\nexample")[0]
            options = re.findall(r"^(?:  -\w, |      )(--[\w-]+)", page, re.M)
            assert self.offers(f"{name} -") == options + ["--help"]
        assert self.offers("no_such ") == []

    def test_values_of_options(self):
        assert self.offers("run x.yaml --progress ") == ["bar", "none"]
        assert self.offers("export map.h5 --format g") == ["geojson"]
        for line in ("run ", "run x.yaml -o ", "info ", "export m.h5 --output ", "join a.h5 b.h5 "):
            assert self.offers(line) == [":files"], line
        for line in ("run x.yaml ", "run x.yaml --time-limit ", "help run ", "cell null -- x=1 -"):
            assert self.offers(line) == [], line
        assert self.offers("run x.yaml --progress=bar --comp") == ["--compress"]

    def test_theories_and_their_parameters(self):
        tables = {one["name"]: one for one in json.loads(self.good("models", "--json"))}
        for command in ("cell", "trace", "models"):
            assert self.offers(command + " ") == list(tables)
        for theory, table in tables.items():
            for choice in table["choices"]:
                options = [f"{choice['name']}={one['name']}" for one in choice["options"]]
                assert self.offers(f"cell {theory} {choice['name']}=") == options
        assert self.offers("models compliant ") == []
        assert self.offers("cell no_such ") == []

    def test_codes_and_their_parameters(self):
        assert self.offers("convert ")[:6] == ["lammps", "yade", "kratos", "chrono", "mujoco", "ode_soft"]
        words = self.offers("convert yade en=0.9 ")
        assert {"tc=", "et=", "mu="} <= set(words) and "en=" not in words

    def test_only_parameters_that_apply_are_offered(self):
        cell = "cell compliant body=pendulum"
        assert "angle=" in self.offers(cell + " ")
        assert "b11=" not in self.offers(cell + " ")
        assert "b11=" in self.offers("cell compliant body=matrix ")
        assert "angle=" not in self.offers("cell compliant ")  # a parameter of some bodies only
        assert "angle=" not in self.offers(cell + " angle=30deg ")
        assert "body=" not in self.offers(cell + " ")
        assert "damping=" not in self.offers(cell + " ")  # a parameter of another law than the default
        assert "damping=" in self.offers(cell + " law=hertz ")
        # The stiffness ratio follows from Poisson's ratio, so only one of them can be set.
        assert "poisson_ratio=" not in self.offers(cell + " stiffness_ratio=1.2 ")

    def test_words_of_set_are_those_of_the_config(self):
        self.write("x.yaml", PENDULUM)
        laws = self.offers("cell compliant law=")
        assert "law=hertz" in laws
        for command in ("run", "check"):
            assert self.offers(f"{command} x.yaml --set law=") == laws
            assert self.offers(f"{command} x.yaml --set angl") == ["angle="]
        assert self.offers("run no_such.yaml --set ") == []


class Shells(Case):
    """The scripts of bash and zsh: the line after the tab key."""

    def setup_method(self):
        super().setup_method()
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/impactsweep"))
        self.write("config.yaml", PENDULUM)

    CASES = (("impactsweep mod", "impactsweep models "),
             ("impactsweep cell compliant body=pendul", "impactsweep cell compliant body=pendulum "),
             ("impactsweep cell compliant body=pendulum angl",
              "impactsweep cell compliant body=pendulum angle="),
             ("impactsweep run --time", "impactsweep run --time-limit "),
             ("impactsweep run conf", "impactsweep run config.yaml "),
             ("impactsweep run config.yaml --set law=her",
              "impactsweep run config.yaml --set law=hertz "))

    def check_shell(self, words, settings):
        for typed, completed in self.CASES:
            assert self.typed_into(words, settings, typed) == completed

    def typed_into(self, words, settings, typed):
        """The line of an interactive shell after the tab key. A key binding of the test makes the shell write its
        line into a file."""
        line = self.path("line")
        if os.path.exists(line):
            os.remove(line)
        process, terminal = pty.fork()
        if process == 0:
            os.chdir(self.work)
            environment = dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"],
                               TERM="dumb", PS1="$ ", HOME=self.work)
            os.execvpe(words[0], words, environment)
        try:
            os.write(terminal, settings.encode() + b"\n")
            self.read_until(terminal, b"ready\r\n", b"$ ")
            os.write(terminal, typed.encode() + b"\t")
            os.write(terminal, b"\x18l")  # the shell reads this key when the completion is over
            self.wait_for(lambda: self.drained(terminal) and os.path.exists(line) and
                          os.path.getsize(line), "the line")
        finally:
            os.close(terminal)
            os.waitpid(process, 0)
        with open(line) as file:
            return file.read().rstrip("\n")

    def drained(self, terminal):
        while select.select([terminal], [], [], 0)[0]:
            os.read(terminal, 4096)
        return True

    def read_until(self, terminal, last, prompt):
        """Until the prompt that follows the last word: what is typed before, the shell may show twice."""
        text, deadline = b"", time.monotonic() + 30
        while prompt not in text.partition(last)[2]:
            assert time.monotonic() < deadline, text
            if select.select([terminal], [], [], 0.1)[0]:
                text += os.read(terminal, 4096)

    def test_bash(self):
        script = os.path.join(COMPLETIONS, "completion.bash")
        self.check_shell(["bash", "--norc", "--noprofile", "-i"],
                         f"source {script}; show() {{ printf '%s\\n' \"$READLINE_LINE\" >line; }}; "
                         "bind -x '\"\\C-xl\": show'; printf 'rea%s\\n' dy")

    @pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
    def test_zsh(self):
        shutil.copy(os.path.join(COMPLETIONS, "completion.zsh"), self.path("_impactsweep"))
        # The first shell reads a thousand files, and notes what the others then know.
        self.check_shell(["zsh", "-f", "-i"],
                         f"fpath=({self.work} $fpath); autoload -Uz compinit; compinit -u -d {self.path('known')}; "
                         "show() { print -r -- \"$BUFFER\" >line }; zle -N show; "
                         "bindkey '^Xl' show; printf 'rea%s\\n' dy")

    def test_bash_without_a_terminal(self):
        """The function of bash, called with COMP_LINE and COMP_POINT as bash sets them."""
        script = os.path.join(COMPLETIONS, "completion.bash")
        for line, wanted in (("impactsweep trace complia", ["compliant", "compliant3d"]),
                             ("impactsweep cell compliant body=capsu", ["capsule"])):
            result = subprocess.run(
                ["bash", "--norc", "-c", f'source {script}; COMP_LINE=$1; COMP_POINT=${{#1}}; '
                 'COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
                 '_impactsweep; printf "%s\\n" "${COMPREPLY[@]}"', "bash", line],
                capture_output=True, text=True, cwd=self.work,
                env=dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"]))
            assert (result.stdout.split(), result.stderr) == (wanted, ""), line
