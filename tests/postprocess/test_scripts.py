"""The scripts where a module is missing, and when they are stopped."""
import glob
import os
import re
import signal
import subprocess
import sys
import time

from package import POSTPROCESS
from support import BUILD, PROGRAM, Case

SCRIPTS = [path for path in sorted(glob.glob(os.path.join(POSTPROCESS, "*.py"))) if open(path, "rb").read(2) == b"#!"]
ELLIPSE = os.path.join(POSTPROCESS, "published", "measured", "ellipse-impacts.csv")
# Longer than any test: thousands of draws of every impact.
LONG = [os.path.join(POSTPROCESS, "fit.py"), ELLIPSE, "compliant", "law=hertz", "friction=0.02:0.6", "restitution=0.3:0.9",
        "stiffness_ratio=0.1:10:log", "gyration_radius=19.416mm", "--resamples", "5000"]


class Modules(Case):
    def test_a_python_without_the_modules_ends_every_script_in_one_line(self):
        assert len(SCRIPTS) >= 10
        for path in SCRIPTS:
            for options in (["-S"], ["-I", "-S"], ["-I", "-S", "-B"]):
                for words in (["x.h5"], ["--help"], []):
                    done = subprocess.run([sys.executable, *options, path, *words], cwd=self.work, text=True, capture_output=True,
                                          env={**os.environ, "PYTHONPATH": ""})
                    assert (done.returncode, done.stdout) == (2, ""), path
                    assert re.search(rf"\A{os.path.basename(path)}: error: .* lacks the modules numpy, .*: use a "
                                     r"Python that has them .*python3-numpy.*\n\Z", done.stderr)

    def test_one_module_that_is_missing_is_named(self):
        """A folder in front of the others in which only find_spec of xarray fails."""
        self.write("sitecustomize.py", "import sys\nclass Without:\n    @staticmethod\n"
                   "    def find_spec(name, path=None, target=None):\n"
                   "        if name == 'xarray':\n            raise ModuleNotFoundError(name)\n"
                   "import importlib.util\nfound = importlib.util.find_spec\n"
                   "importlib.util.find_spec = lambda name, package=None: None if name == 'xarray' else found(name, package)\n")
        done = subprocess.run([sys.executable, os.path.join(POSTPROCESS, "plot.py"), "x.h5"], cwd=self.work, text=True,
                              capture_output=True, env={**os.environ, "PYTHONPATH": self.work})
        assert (done.returncode, done.stdout) == (2, "")
        assert re.search(r"\Aplot.py: error: .* lacks the module xarray: .*python3-xarray\)\n\Z", done.stderr)


class Stopped(Case):
    def stop(self, *words, after, waits):
        """Starts a fit, stops it as Ctrl-C does once `waits()` is true, and looks at what is left."""
        variables = {**os.environ, "IMPACTSWEEP": PROGRAM, "TMPDIR": self.path("tmp"), "PYTHONPATH": POSTPROCESS,
                     "IMPACTSWEEP_LIBRARY": os.path.join(BUILD, "libimpact.so.1"), "PYTHONDONTWRITEBYTECODE": "1"}
        os.makedirs(self.path("tmp"), exist_ok=True)
        process = subprocess.Popen([sys.executable, *words], cwd=self.work, text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=variables)
        self.ending.callback(process.kill)
        while not waits(process) and process.poll() is None:
            time.sleep(0.01)
        time.sleep(after)
        process.send_signal(signal.SIGINT)
        out, said = process.communicate()
        left = [name for name in os.listdir(self.path("tmp")) if name.startswith("impactsweep-")]
        assert left == []
        return process.returncode, out, said

    def computes(self, process):
        """Whether the library is in the process, so that the fit has begun."""
        try:
            with open(f"/proc/{process.pid}/maps", encoding="utf-8", errors="replace") as file:
                return "libimpact" in file.read()
        except OSError:
            return False

    def test_ctrl_c_ends_a_fit_with_a_line(self):
        for after in (0.5, 3):
            code, out, said = self.stop(*LONG, after=after, waits=self.computes)
            assert (code, out, said) == (-signal.SIGINT, "", "fit.py: stopped by Ctrl-C\n")

    def test_ctrl_c_ends_the_program_that_a_fit_has_started(self):
        code, out, said = self.stop(*LONG, "--ranks", "2", after=0.2, waits=lambda process: os.path.exists(
            self.path("tmp")) and any(os.path.exists(os.path.join(self.path("tmp"), name, "map.h5.partial"))
                                      or os.path.exists(os.path.join(self.path("tmp"), name, "map.h5"))
                                      for name in os.listdir(self.path("tmp"))))
        assert (code, out, said) == (-signal.SIGINT, "", "fit.py: stopped by Ctrl-C\n")
        running = subprocess.run(["ps", "-e", "-o", "args"], capture_output=True, text=True).stdout
        assert self.path("tmp") not in running

    def test_ctrl_c_ends_a_fit_in_python_with_keyboard_interrupt(self):
        code = ("import impactsweep\ntry:\n    impactsweep.fit({ellipse!r}, 'compliant', choose={{'law': 'hertz'}}, "
                "over={{'friction': (0.02, 0.6), 'restitution': (0.3, 0.9), 'stiffness_ratio': (0.1, 10)}}, "
                "fixed={{'gyration_radius': '19.416 mm'}}, resamples=5000)\nexcept KeyboardInterrupt:\n"
                "    cells = impactsweep.solve('rigid', body='sphere', law='newton', friction=0.3, velocity_ratio=1, "
                "restitution=0.5)\n    print('stopped', cells.outcome.item())\n").format(ellipse=ELLIPSE)
        code, out, said = self.stop("-c", code, after=0.5, waits=self.computes)
        assert (code, out, said) == (0, "stopped solved\n", "")
