"""plot.py: the kind that it chooses for a file, its command line, and the checks of figures themselves. Files test_plot_configs_*.py
draw all committed configs."""
import itertools
import os
import re
import subprocess

from drawn import BEAM, PROGRAM, ROOT, Drawn, Figures, legends_of, name_of
from figures_of_configs import KIND_OF, path_of, of_kinds
from impactsweep.figures import choose, looks
from matplotlib.figure import Figure
import numpy as np
import plot
import pytest
from support import committed_configs

SCRIPT = os.path.join(ROOT, "postprocess", "plot.py")


class EveryConfig(Figures):
    def test_each_has_a_kind(self):
        assert sorted(of_kinds(*dict.fromkeys(KIND_OF.values()))) == sorted(map(name_of, committed_configs()))

    @pytest.mark.parametrize("name, least", [("brach-ratio", 4), ("sphere-rebound", 3), ("critical-angle", 6)])
    def test_no_figure_is_of_one_colour(self, name, least):
        """Figures that once were a plain rectangle, bars, or columns."""
        path = self.compute(path_of(name))
        figure, choice = self.figure(path)
        if choice.kind == "lines":
            assert len({line.get_color() for ax in figure.axes for line in ax.lines}) >= least
        else:
            meshes = [mesh for ax in figure.axes for mesh in ax.collections
                      if mesh.get_array() is not None]
            assert max(len(np.unique(mesh.get_array())) for mesh in meshes) > least


class Checks(Figures):
    """The checks of the other tests find what they are for."""

    def test_a_legend_must_name_what_is_drawn(self):
        figure = Figure()
        ax = figure.subplots()
        ax.plot([0, 1], [0, 1], color=looks.BLUE, label="drawn")
        ax.legend()
        Drawn(figure)
        self.check_legends(figure)
        ax.plot([], [], color=looks.RED, label="not drawn", linestyle="--")
        ax.legend()
        Drawn(figure)
        with pytest.raises(AssertionError):
            self.check_legends(figure)


class NarrowPanels(Figures):
    CONFIG = """model: compliant
choose: {body: pendulum}
axes:
  - {param: stiffness_ratio, values: [1.11111, 1.22222, 1.33333]}
  - {param: angle, from: 1 deg, to: 89 deg, points: 16}
  - {param: friction, from: 0.01, to: 1.5, points: 16}
outputs: [mode]
"""

    def test_titles_and_ticks_do_not_touch(self):
        path = self.compute("narrow.yaml", self.CONFIG)
        figure, choice = self.figure(path, "--size", "one")
        assert choice.kind == "multiples"
        self.check_readable(figure)


class Histories(Figures):
    CELLS = (("compliant", "body=pendulum", "angle=30deg", "friction=0.3", "stiffness_ratio=1.21"),
             *([("beam", "position=0.68", "angular_velocity=-6")] if BEAM else []),
             ("rigid", "body=rod", "angle=20deg", "friction=0.3", "velocity_ratio=1",
              "restitution=0.5", "law=poisson"),
            ("swerve", "body=pendulum3d", "angle=60deg", "friction=1", "restitution=0.5", "law=energetic",
             "swerve_ratio=0.5"))

    def test_each_is_a_trace_that_can_be_read(self):
        for number, (words, ending) in enumerate(itertools.product(self.CELLS, ("csv", "h5"))):
            path = self.path(f"{number}.{ending}")
            subprocess.run([PROGRAM, "trace", *words, "-o", path], check=True,
                           capture_output=True)
            figure, choice = self.figure(path)
            assert choice.kind == "trace"
            self.check_readable(figure)
            for legend in legends_of(figure):
                self.check_entries(legend)


class Command(Figures):
    def run_script(self, *words):
        return subprocess.run([SCRIPT, *words], cwd=self.folder, capture_output=True, text=True,
                              check=False)

    def test_the_kind_and_its_reason_are_printed_and_an_option_overrides_them(self):
        self.compute(path_of("pendulum-wedging"))
        done = self.run_script("pendulum-wedging.h5")
        assert ((done.returncode, done.stdout, done.stderr) ==
                (0, "pendulum-wedging.png: mode map, because its config asks for it\n", ""))
        done = self.run_script("pendulum-wedging.h5", "--as", "lines", "--slice", "friction=0.5",
                               "-o", "a.pdf")
        assert (done.returncode, done.stdout) == (0, "a.pdf: lines\n")
        assert os.path.exists(self.path("a.pdf"))

    def test_a_field_that_is_asked_for_takes_the_place_of_the_usual_one(self):
        """The mode of these laws is the same in every panel, so that another field is usual."""
        self.compute("laws", "model: rigid\nchoose: {body: rod}\nfixed: {friction: 0.3, restitution: 0.5}\naxes:\n"
                     "  - {param: law, values: [newton, poisson, energetic]}\n  - {param: angle, from: 0.1, to: 1, points: 17}\n"
                     "  - {param: velocity_ratio, from: -2, to: 2, points: 21}\n")
        usual = "; kinematic_restitution shows more than mode, which is the same in every panel"
        for words in ([], ["--field", "energy_loss"], ["--field=mode"], ["--field", "energy_loss", "--field", "mode"]):
            done = self.run_script("laws.h5", *words)
            assert (done.returncode, usual in done.stdout) == (0, not words), done.stderr
            assert "small multiples" in done.stdout

    def test_bad_input(self):
        with open(self.path("text.h5"), "w", encoding="utf-8") as file:
            file.write("model: compliant\n")
        for words, says in ((("missing.h5",), "no such file"), (("text.h5",), "not a map"),
                            (("text.h5", "--as", "columns"), "invalid choice: 'columns'"),
                            (("a.h5", "b.h5", "-o", "c.png"), "plot.py a.h5 --over b.h5 -o c.png"),
                            ((), "required: FILE")):
            done = self.run_script(*words)
            assert (done.returncode, done.stdout) == (2, "")
            assert re.search(r"\Aplot\.py: error: [^\n]+\n\Z", done.stderr)
            assert says in done.stderr

    def help_of(self, capsys, *words):
        with pytest.raises(SystemExit) as ended:
            plot.work([*words, "--help"], [])
        assert ended.value.code in (None, 0)
        return capsys.readouterr().out

    def test_help(self, capsys):
        for kind in choose.KINDS:
            assert "-o PICTURE" in self.help_of(capsys, "x.h5", "--as", kind)
        said = self.help_of(capsys)
        assert "--as KIND" in said
        done = self.run_script("--help")
        assert (done.returncode, done.stdout.split()) == (0, said.split())
