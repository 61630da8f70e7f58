"""Shared by the tests of plot_trace.py: a history of a contact in closed form, as CSV and HDF5, and its legends; histories that the
program writes."""
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPT = os.path.join(ROOT, "postprocess", "plot_trace.py")

import matplotlib
import netCDF4
import numpy as np
from drawn import PROGRAM, Drawn
from folder import FolderTest
from impactsweep.figures import command, looks, settings
from impactsweep.figures.kinds import trace
from impactsweep.maps import histories

FRICTION = 0.25
PHASES, EVENTS = ("stick", "slip-", "slip+"), ("touch", "turn", "switch", "separation")
TITLE = "compliant, body sphere, friction 0.25"


def contact():
    """A half sine of normal force; slip+ until 1, stick until 2, slip- until pi."""
    time = np.sort(np.concatenate([np.linspace(0, np.pi, 41), [0, 1, np.pi / 2, 2, np.pi]]))
    event = np.zeros(len(time), "i1")
    for code, place in ((1, 0), (2, np.pi / 2), (3, 1), (3, 2), (4, np.pi)):
        event[np.flatnonzero((time == place) & (event == 0))[0]] = code
    normal = np.sin(time)
    phase = np.select([time < 1, time < 2], [3, 1], 2).astype("i1")
    columns = {"time": (time, "s"), "tangential_elongation": (0 * time, "m"),
               "tangential_force": (-FRICTION * normal * np.cos(time), "N"),
               "normal_force": (normal, "N"), "v_t": (np.cos(time), "m/s"),
               "v_n": (-np.cos(time), "m/s"), "slip_speed": (np.clip(1 - time, 0, 1), "m/s")}
    return columns, phase, event


def write_h5(path, columns, phase, event, friction=FRICTION):
    with netCDF4.Dataset(path, "w") as file:
        along = next(iter(columns))
        file.createDimension(along, len(phase))
        for name, (values, unit) in columns.items():
            variable = file.createVariable(name, "f8", (along,))
            variable[:] = values
            variable.setncatts({"units": unit, "long_name": name.replace("_", " ")})
        for name, codes, names in (("phase", phase, PHASES), ("event", event, EVENTS)):
            variable = file.createVariable(name, "i1", (along,), fill_value=False)
            variable[:] = codes
            variable.setncatts({"flag_values": np.arange(len(names) + 1, dtype="i1"),
                                "flag_meanings": " ".join(("none",) + names)})
        if friction is not None:
            file.createVariable("friction", "f8")[...] = friction
        file.title = TITLE


def write_csv(path, columns, phase, event, friction=FRICTION):
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"# impactsweep trace\n# title = {TITLE}\n")
        if friction is not None:
            file.write(f"# friction = {friction} 1\n")
        file.write(f"# units = {', '.join(unit for _, unit in columns.values())}\n"
                   f"# phases = {', '.join(PHASES)}\n")
        file.write(",".join(columns) + ",phase,event\n")
        for row in range(len(phase)):
            texts = [f"{values[row]:.17g}" for values, _ in columns.values()]
            names = [("",) + PHASES, ("",) + EVENTS]
            file.write(",".join(texts + [names[0][phase[row]], names[1][event[row]]]) + "\n")


class Histories(FolderTest):
    def run_script(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)


class Traces(Histories):
    """Histories that the program writes for all tests of a class, and their figures."""
    CELLS = {}  # the words of each

    @classmethod
    def setup_class(cls):
        cls.cells = cls.ending.enter_context(tempfile.TemporaryDirectory())
        for name, words in cls.CELLS.items():
            subprocess.run([PROGRAM, "trace", *words, "-o", f"{cls.cells}/{name}.h5"], check=True)

    def read(self, name):
        return histories.read(f"{self.cells}/{name}.h5")

    def figure(self, *words, size="two"):
        words = [*(f"{self.cells}/{word}.h5" if word in self.CELLS else word for word in words), "--size", size]
        options = command.parser_of("plot_trace.py", trace).parse_args(words)
        with settings.used(settings.settings_of(options)), matplotlib.rc_context(looks.style()):
            return command.make(trace, options, [])

    def check_readable(self, figure):
        one = figure.get_figwidth() < settings.COLUMNS["two"]
        with settings.used(settings.Settings(size="one" if one else "two")), matplotlib.rc_context(looks.style()):
            drawn = Drawn(figure)  # ticks depend on the size of the letters
        return drawn.check()


def legend_of(ax):
    """The labels of the lines and areas of a panel."""
    return [entry.get_label() for entry in (*ax.lines, *ax.collections)
            if not entry.get_label().startswith("_")]


def foot_of(figure):
    """The entries of the legend after the lines of all panels."""
    named = {label for ax in figure.axes for label in legend_of(ax)}
    return [text.get_text() for text in figure.axes[0].get_legend().get_texts()
            if text.get_text() not in named]
