"""jobs/local.sh computes and draws any config, as the root README says; with a program that is built already."""
import os
import re
import shutil
import subprocess

from support import BAD_INPUT, FAILURE, OK, PROGRAM, ROOT, Case, environment, pendulum

CONFIG = pendulum(8, 10, "outputs: [mode, energy_loss]\n")
ASKED = "figure: {as: lines, x: friction, curves: angle, field: energy_loss}\n"


class Local(Case):
    def setup_method(self):
        super().setup_method()
        os.makedirs(self.path("project/jobs"))
        os.makedirs(self.path("project/build/release"))
        for name in ("local.sh", "build.sh"):
            shutil.copy(os.path.join(ROOT, "jobs", name), self.path("project/jobs"))
        os.symlink(PROGRAM, self.path("project/build/release/impactsweep"))
        for name in ("postprocess", "configs"):
            os.symlink(os.path.join(ROOT, name), self.path(f"project/{name}"))
        for name in ("project/jobs/packages.sh", "bin/cmake"):
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            os.chmod(self.write(name, "#!/bin/sh\n"), 0o755)

    def start(self, *words):
        path = self.path("bin") + os.pathsep + os.environ["PATH"]
        return subprocess.Popen([self.path("project/jobs/local.sh"), *words], cwd=self.work, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, env=dict(environment(self.folder), PATH=path))

    def local(self, *words):
        with self.start(*words) as process:
            stdout, stderr = process.communicate()
        return subprocess.CompletedProcess(words, process.returncode, stdout, stderr)

    def drawn(self, name, text):
        """What is said about the picture of a config."""
        self.write(f"{name}.yaml", text)
        done = self.local(f"{name}.yaml")
        assert done.returncode == OK, done.stderr
        with open(self.path(f"{name}.png"), "rb") as picture:
            assert picture.read().startswith(b"\x89PNG")
        assert os.path.exists(self.path(f"{name}.h5"))
        said, last = done.stdout.splitlines()[-2:]
        assert last == f"map: {name}.h5   picture: {name}.png"
        return said

    def test_the_key_figure_selects_the_picture_and_without_it_the_map_decides(self):
        assert re.search(r"^asked\.png: family of curves, because its config asks", self.drawn("asked", CONFIG + ASKED))
        assert re.search(r"^free\.png: mode map", self.drawn("free", CONFIG.replace("points: 8", "points: 16")))

    def test_steps_are_counted_while_it_builds(self):
        """The compiler goes on only when the count of its first steps has been read."""
        steps = "; ".join(f"echo '[{step}/20] Building {step}.o'" for step in range(1, 13))
        self.write("bin/cmake", f"#!/bin/sh\n[ \"$1\" = --build ] || exit 0\n{steps}\n"
                                f"for i in $(seq 1000); do [ ! -e {self.path('seen')} ] || break; sleep 0.05; done\n"
                                "echo '[20/20] Linking'\n")
        self.write("x.yaml", CONFIG)
        with self.start("x.yaml") as process:
            seen = [process.stderr.readline() for _ in range(7)]
            self.write("seen", "")
            rest = process.communicate()[1]
        build = self.path("project/build/release")
        assert seen == [f"building in {build}: step {step} of 20\n" for step in (1, 2, 4, 6, 8, 10, 12)]
        assert "step 20 of 20" in rest
        assert process.returncode == OK, rest

    def test_a_build_that_fails_shows_its_output(self):
        self.write("bin/cmake", "#!/bin/sh\necho \"$*: no compiler\"\nexit 1\n")
        self.write("x.yaml", CONFIG)
        done = self.local("x.yaml")
        assert (done.returncode, done.stdout) == (FAILURE, "")
        assert "--preset release: no compiler" in done.stderr

    def test_a_name_like_an_option(self):
        self.write("-w.yaml", CONFIG)
        done = self.local("-w.yaml")
        assert done.returncode == OK, done.stderr
        assert {"-w.h5", "-w.png"} <= set(self.files())

    def test_a_config_that_cannot_be_read_is_bad_input(self):
        done = self.local("no_such.yaml")
        assert (done.returncode, done.stdout) == (BAD_INPUT, "")
        assert "no_such.yaml" in done.stderr


class Packages(Case):
    def test_an_unknown_purpose(self):
        done = subprocess.run([os.path.join(ROOT, "jobs", "packages.sh"), "biuld"], capture_output=True, text=True)
        assert (done.returncode, done.stdout) == (BAD_INPUT, "")
        assert re.fullmatch(r"jobs/packages\.sh: error: unknown purpose 'biuld', allowed: build cache [a-z ]+ wheel\n", done.stderr)
