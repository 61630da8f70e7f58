"""A browser without a window for the tests of pages; tests are skipped, with the reason, where it is missing."""
import base64
import glob
import json
import os
import shutil
import struct
import subprocess
import tempfile
import time

import pytest

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

PROGRAM = os.environ.get("IMPACTSWEEP", "build/tests/impactsweep")
DRIVER = shutil.which("chromedriver")
# Chromium without what draws its windows, where it is installed; Debian's script in PATH starts it as a second process, which
# outlives the script when the driver ends that.
SHELL = shutil.which("/usr/lib/chromium/chromium-headless-shell")
WINDOW = (760, 620)
# Parts of Chromium that otherwise have processes of their own, whose start costs a fifth of its own.
ONE_PROCESS = ("--in-process-gpu", "--enable-features=NetworkServiceInProcess2")
# Two theories on one grid.
TWO_THEORIES = """
axes:
  - cases:
      rigid:   {model: rigid, law: newton, restitution: 0.8}
      springs: {model: compliant, law: linear}
  - {param: angle, from: 1 deg, to: 89 deg, points: 30}
  - {param: friction, from: 0.01, to: 1.5, points: 20}
choose: {body: rod}
fixed: {velocity_ratio: 1, stiffness_ratio: 1.21}
outputs: [mode, energy_loss]
"""
# Two laws on one grid.
LAWS = """model: compliant
choose: {body: pendulum}
axes:
  - {param: law, values: [linear, hertz]}
  - {param: angle, from: 5 deg, to: 85 deg, points: 5}
  - {param: friction, from: 0.1, to: 1.5, points: 4}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, sequence, energy_loss, slip_loss]
"""
# Notes every text that a page draws.
WRITTEN = """
globalThis.written = [];
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, ...more) {
    written.push(text);
    return write.call(this, text, ...more);
};"""


def missing():
    return ("python3-selenium is not installed" if webdriver is None else
            None if DRIVER else "chromium-driver is not installed")


def has_module():
    """Whether pages can solve."""
    return os.path.exists(os.path.join(os.environ["IMPACT_BUILD"], "generated", "page", "module.wasm.gz"))


def need_module():
    if not has_module():
        pytest.skip("the program was built without the module of the solver")


def start(density=0.5):
    """A window with so many pixels for one of the page: a picture of few is solved sooner, and the motion beside it would take as
    much of the processor as all else."""
    options = Options()
    if SHELL:
        options.binary_location = SHELL
    for word in (*["--headless=new"] * (not SHELL), "--no-sandbox", f"--window-size={WINDOW[0]},{WINDOW[1]}", "--disable-gpu",
                 "--force-prefers-reduced-motion", f"--force-device-scale-factor={density}", *ONE_PROCESS):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(DRIVER), options=options)


def processes_of(folder):
    """The commands of processes that have a folder among their words."""
    found = []
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                words = file.read().split("\0")
        except OSError:  # it has ended
            continue
        if f"--user-data-dir={folder}" in words:
            found.append(words)
    return found


def end(driver):
    """Ends a browser, of which no process may stay."""
    folder, last = driver.capabilities["chrome"]["userDataDir"], time.monotonic() + 20
    assert processes_of(folder), folder
    driver.quit()
    while processes_of(folder):
        assert time.monotonic() < last, processes_of(folder)
        time.sleep(0.05)


def program(*words, folder=None):
    return subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def check_size(page):
    """Of a page without maps: a room for each theory beside what all share."""
    shared, of_theory = 795_000, 22_000
    size, most = os.path.getsize(page), shared + of_theory * len(json.loads(program("models", "--json")))
    assert size < most, f"{size - most} bytes too many: src/README.md says what a theory may take, and what takes how much"


class PageTest:
    """Tests in one browser, each of which must leave no error in the console."""
    density = 0.5
    sweep = None  # the name and the config of a map, whose page is tested
    explores = False  # whether it is the page of explore

    @classmethod
    def setup_class(cls):
        if missing():
            pytest.skip(missing())
        cls.folder = tempfile.TemporaryDirectory()
        cls.ending.enter_context(cls.folder)
        cls.browser = start(cls.density)
        cls.ending.callback(end, cls.browser)
        cls.browser.set_script_timeout(300)
        if cls.sweep:
            cls.map, cls.page = cls.map_of(*cls.sweep)
        if cls.explores:
            cls.page = cls.explore_page()

    def teardown_method(self):
        assert self.browser.get_log("browser") == []

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder.name, name)

    @classmethod
    def map_of(cls, name, config):
        """Computes a config and writes its page; returns the names of the map and the page."""
        with open(cls.path(f"{name}.yaml"), "w") as file:
            file.write(config)
        program("run", f"{name}.yaml", "-o", f"{name}.h5", "--progress", "none", folder=cls.folder.name)
        return cls.path(f"{name}.h5"), cls.report(name)

    @classmethod
    def explore_page(cls):
        """The page that the command explore writes; the tests are skipped where it cannot be written."""
        need_module()
        program("explore", "-o", "explore.html", "--force", folder=cls.folder.name)
        return cls.path("explore.html")

    @classmethod
    def report(cls, name, *words):
        program("report", f"{name}.h5", "-o", f"{name}.html", "--force", *words, folder=cls.folder.name)
        return cls.path(f"{name}.html")

    def open(self, page, fragment=""):
        self.browser.get("about:blank")
        self.browser.get(f"file://{page}{fragment}")
        self.settle()

    def run_script(self, body, *arguments):
        """The value that the body of an asynchronous function returns."""
        value = self.browser.execute_async_script(
            "const done = arguments[arguments.length - 1], given = [...arguments].slice(0, -1);"
            f"(async () => {{ {body} }})().then((value) => done({{value}}), (error) => done({{error: String(error)}}));",
            *arguments)
        assert "error" not in value
        return value.get("value")

    def settle(self):
        """Waits until everything has been drawn and no colour is on its way to another one."""
        self.run_script("""for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
            await Promise.allSettled(document.getAnimations().map((one) => one.finished));""")

    def wait(self):
        """Until the window is solved."""
        self.run_script("await impactsweep.ready; while (!impactsweep.isSolved) await new Promise((next) => setTimeout(next, 10));")
        self.settle()

    def wait_for(self, condition):
        """Until an expression of JavaScript is true."""
        self.run_script(f"while (!({condition})) await new Promise((next) => setTimeout(next, 10));")
        self.settle()

    @property
    def view(self):
        return self.run_script("return impactsweep.view;")

    def show(self, **wanted):
        self.run_script("impactsweep.view = given[0];", wanted)
        self.settle()

    def text(self, selector):
        return self.run_script("return document.querySelector(given[0]).textContent;", selector)

    def at(self, x, y):
        """The place of the picture, in pixels of the window: parts of the plane from the left and from the bottom."""
        return self.run_script("""
            const box = document.getElementById("map").getBoundingClientRect(), p = impactsweep.plane;
            return [box.left + p.x + given[0] * p.w, box.top + p.y + (1 - given[1]) * p.h];""", x, y)

    def mouse(self, kind, x, y, **more):
        """An event of the pointer at a place of the picture."""
        left, top = self.at(x, y)
        self.run_script("""
            const [kind, clientX, clientY, more] = given, map = document.getElementById("map");
            const type = kind === "wheel" ? WheelEvent : PointerEvent;
            map.dispatchEvent(new type(kind, {clientX, clientY, bubbles: true, cancelable: true, pointerId: 1, ...more}));""",
                        kind, left, top, more)
        self.settle()

    def colour(self, x, y):
        """The colour of the picture, as #rrggbb."""
        return self.run_script("""
            const map = document.getElementById("map"), box = map.getBoundingClientRect(), p = impactsweep.plane;
            const scale = map.width / box.width, copy = document.createElement("canvas").getContext("2d");
            copy.drawImage(map, -(p.x + given[0] * p.w) * scale, -(p.y + (1 - given[1]) * p.h) * scale);
            const [r, g, b] = copy.getImageData(0, 0, 1, 1).data;
            return "#" + [r, g, b].map((one) => one.toString(16).padStart(2, "0")).join("");""", x, y)


class SolvedPage(PageTest):
    """Each test begins with the page solved."""

    def setup_method(self):
        self.open(self.page)
        need_module()
        self.wait()


def png_size(data):
    return struct.unpack(">II", data[16:24])


def bytes_of(data_url):
    return base64.b64decode(data_url.split(",", 1)[1])
