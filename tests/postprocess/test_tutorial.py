"""The tutorial as a reader follows it: its commands, its Python, its pictures, its links."""
import os
import re

import package
import examples
import numpy as np
from matplotlib.image import imread
from support import PROGRAM, Case, environment

CONFIGS = os.path.join(package.ROOT, "configs")
PAGE = os.path.join(CONFIGS, "tutorial.md")


class Tutorial(Case):
    def test_every_example_prints_what_the_page_shows(self):
        told = environment(self.folder)
        told["PATH"] = os.pathsep.join([os.path.dirname(PROGRAM), package.POSTPROCESS,
                                        os.path.join(package.ROOT, "jobs"), told["PATH"]])
        assert 8 < len(examples.blocks_of(PAGE))
        wrong = examples.Reader(self.work, told).follow(PAGE)
        assert wrong == [], "\n".join(wrong)
        for name in ("one", "wedge", "critical"):
            self.compare(name)

    def compare(self, name):
        """The picture of the page and the one that its command drew; small differences are those of fonts."""
        page, drawn = (imread(path)[..., :3].astype(float) for path in (
            os.path.join(CONFIGS, "tutorial", name + ".png"), self.path(name + ".png")))
        assert max(abs(a - b) for a, b in zip(page.shape, drawn.shape)) < 12, name
        height, width = np.minimum(page.shape, drawn.shape)[:2]
        assert abs(page[:height, :width] - drawn[:height, :width]).mean() < 0.02, name

    def test_links_lead_somewhere(self):
        with open(PAGE, encoding="utf-8") as file:
            links = re.findall(r"\]\(([^)#:]+)\)", file.read())
        assert 6 < len(links)
        for link in links:
            assert os.path.exists(os.path.join(CONFIGS, link)), link


class Examples(Case):
    """The reader of pages sees a wrong output, a failing command and a file without a name."""

    def follow(self, text):
        return examples.Reader(self.work, environment(self.folder)).follow(self.write("page.md", text))

    def test_right_pages_pass(self):
        assert self.follow("```console\n$ export A=1\n$ echo one $A\none 1\n$ seq 3\n1\n...\n```\n```yaml\n# a.yaml\nx: 1\n```\n"
                           "```console\n$ cat a.yaml\n# a.yaml\nx: 1\n```\n"
                           "```python\n>>> __import__('os').path.getsize('a.yaml')\n14\n\n```\n") == []

    def test_wrong_pages_fail(self):
        for text in ("console\n$ echo one\ntwo", "console\n$ false", "yaml\nx: 1", "python\n>>> 1 + 1\n3\n",
                     "console\n$ echo one\n$ echo two\ntwo"):
            assert len(self.follow(f"```{text}\n```\n")) == 1, text
