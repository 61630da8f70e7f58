"""The site: made with no broken link, every page in its menu and in its search, and nothing in it that a network would have to
bring; broken links are found."""
import importlib.util
import json
import os
import re
import subprocess
import sys

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
import browser
from support import BUILD, PROGRAM, ROOT, Case

try:
    from selenium.webdriver.support import ui
except ImportError:
    pass  # browser.missing() says so

pytest.importorskip("markdown", reason="python3-markdown is not installed")


def script():
    spec = importlib.util.spec_from_file_location("site_script", os.path.join(ROOT, "jobs", "site.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Site(Case):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.site = os.path.join(cls.shared, "site")
        settings = dict(os.environ, IMPACTSWEEP=PROGRAM, PYTHONDONTWRITEBYTECODE="1",
                        IMPACTSWEEP_LIBRARY=os.path.join(BUILD, "libimpact.so.1"))
        cls.made = subprocess.run([sys.executable, os.path.join(ROOT, "jobs", "site.py"), cls.site], env=settings, capture_output=True,
                                  text=True, check=False)

    def read(self, name):
        with open(os.path.join(self.site, name), encoding="utf-8") as file:
            return file.read()

    def test_every_page_is_there(self):
        """No link or anchor leads nowhere, every page of the project is a page of the site, and the menu of each has all."""
        assert (self.made.returncode, self.made.stderr) == (0, "")
        module = script()
        pages = [os.path.relpath(os.path.join(folder, name), ROOT) for folder, folders, names in os.walk(ROOT)
                 for name in names if name.endswith(".md") and not re.match(r"(\.git|build)\b(?!hub)", os.path.relpath(folder, ROOT))]
        assert len(pages) > 35
        for page in [*pages, "python.md", "c.md"]:
            assert os.path.isfile(os.path.join(self.site, module.place_of(page))), page
            assert f'"{module.place_of(page)}"' in self.read("index.html"), page
        for room in ("Start", "Use", "Interfaces", "Evidence"):
            assert f"<summary>{room}</summary>" in self.read("src/store/format.html")

    def test_the_first_page_has_the_live_one(self):
        assert 'src="explore.html"' in self.read("index.html")
        assert len(self.read("explore.html")) > 100000

    def test_nothing_comes_from_elsewhere(self):
        for folder, _, names in os.walk(self.site):
            for name in names:
                if name.endswith((".html", ".css", ".js")) and name not in ("explore.html", "index.js"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        text = file.read()
                    assert not re.search(r"<(?:script|img|iframe|link)\b[^>]*(?:src|href)=\"(?:https?:)?//", text), name
                    assert "fetch(" not in text and "@import" not in text

    def test_the_search_knows_every_page(self):
        entries = json.loads(self.read("index.js").removeprefix("const ENTRIES = ").rstrip(";\n"))
        assert {place for place, *_ in entries} == {os.path.relpath(os.path.join(folder, name), self.site) for folder, _, names
                                                    in os.walk(self.site) for name in names
                                                    if name.endswith(".html") and name != "explore.html"}
        found = [(place, heading) for place, _, heading, _, text in entries if "imp_open_words" in text]
        assert ("c.html", "imp_open_words") in found

    def test_the_search_works_from_a_disk(self):
        """Words find the section that has them, from a page in a folder too, and the link leads there."""
        if browser.missing():
            pytest.skip(browser.missing())
        driver = browser.start()
        self.ending.callback(browser.end, driver)
        driver.get(f"file://{self.site}/configs/index.html")
        driver.find_element("id", "search").send_keys("imp_open_words")
        link = ui.WebDriverWait(driver, 60).until(lambda one: one.find_elements("css selector", "#found a"))[0]
        assert link.get_attribute("href") == f"file://{self.site}/c.html#imp_open_words"

    def test_interfaces_are_complete(self):
        with open(os.path.join(ROOT, "include", "symbols.txt"), encoding="utf-8") as file:
            for name in file.read().split():
                assert re.search(rf"<h2 [^>]*>[^<]*\b{name}\b", self.read("c.html")), name
        for name in ("solve", "trace", "fit", "compare", "InputError"):
            assert f'<h2 id="{name.lower()}">{name}</h2>' in self.read("python.html")

    def test_broken_links_are_found(self):
        module, faults, files = script(), [], {}
        links = module.Links("configs/README.md", {"README.md": "", "configs/README.md": ""}, files, faults)
        assert links.target("../README.md#by-hand") == "../index.html#by-hand"
        assert links.target("rod-oblique.yaml") == "rod-oblique.yaml" and list(files) == ["configs/rod-oblique.yaml"]
        assert links.target("https://spdx.org") == "https://spdx.org" and faults == []
        links.target("nothing.md")
        assert faults == ["configs/README.md: nothing.md"]
        reader = module.Reader()
        reader.feed('<main><h2 id="a">A</h2><a href="#b">x</a><a href="none.html">y</a></main>')
        assert len(module.check(self.work, {"x.html": reader})) == 2
