"""The gallery: its lists of items, pages and thumbnails are complete and fit together; its command and messages."""
import contextlib
import glob
import io
import os
import re
import tempfile
from unittest import mock

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
import gallery

LIST = """[source]
title = A paper
[figure 1]
shows = A map of modes. It has two axes.
commands =
    impactsweep run configs/pendulum-wedging.yaml -o figure-1.h5
    postprocess/plot.py figure-1.h5
agreement = The same.
[figure 2]
shows = A sketch of the body
absent = It is a sketch.
"""


def anchor_of(heading):
    """As the sites that show Markdown make it: without points and commas, hyphens for blanks."""
    return "".join(one for one in heading[3:].lower().replace(" ", "-") if one.isalnum() or one in "-_")


class Lists:
    """The committed sources."""

    def each(self):
        return map(gallery.read_source, gallery.source_names())

    def test_there_are_sources_and_each_has_a_test(self):
        names = gallery.source_names()
        assert names
        tests = [os.path.basename(path)[len("test_gallery_"):-3]
                 for path in glob.glob(os.path.join(HERE, "test_gallery_*.py"))]
        assert sorted(tests) == names

    def test_the_pages_are_up_to_date(self):
        rows = gallery.published_rows()
        for source in self.each():
            with open(os.path.join(gallery.CONFIGS, source.folder, "README.md"), encoding="utf-8") as file:
                assert file.read() == gallery.page_of(source, rows), "write it anew: postprocess/gallery.py --pages"

    def test_the_page_of_the_configs_has_every_item(self):
        with open(os.path.join(gallery.CONFIGS, "README.md"), encoding="utf-8") as file:
            text = file.read()
        assert text == gallery.with_table(text, list(self.each())), "write it anew: postprocess/gallery.py --pages"
        headings = {f"{source.folder}/README.md#{anchor_of(line)}" for source in self.each()
                    for line in gallery.page_of(source, []).splitlines() if line.startswith("## ")}
        links = re.findall(r"\]\((\w+/README\.md#[^)]*)\)", text)
        assert len(links) == sum(not item.absent for source in self.each() for item in source.items)
        assert set(links) <= headings
        for picture in re.findall(r'<img src="([^"]*)"', text):
            assert os.path.exists(os.path.join(gallery.CONFIGS, picture)), picture

    def test_every_picture_has_a_small_thumbnail_and_every_thumbnail_a_picture(self):
        for source in self.each():
            names = [name for item in source.items for name in item.pictures]
            assert len(names) == len(set(names))
            folder = os.path.join(gallery.CONFIGS, source.folder, "thumbnails")
            assert sorted(os.listdir(folder)) == sorted(names)
            for name in names:
                assert os.path.getsize(os.path.join(folder, name)) <= gallery.LARGEST_THUMBNAIL, name

    def test_every_config_of_a_source_serves_an_item(self):
        for source in self.each():
            text = "\n".join(line for item in source.items for line in item.commands)
            for path in glob.glob(os.path.join(gallery.CONFIGS, source.folder, "*.yaml")):
                assert os.path.relpath(path, ROOT) in text

    def test_what_is_compared_is_in_the_tables(self):
        rows = gallery.published_rows()
        for source in self.each():
            for item in source.items:
                for word in item.compared:
                    assert any(word.lower() in " ".join(row.values()).lower() for row in rows), word

    def test_the_readme_of_the_configs_links_every_source(self):
        with open(os.path.join(gallery.CONFIGS, "README.md"), encoding="utf-8") as file:
            text = file.read()
        for name in gallery.source_names():
            assert f"({name}/README.md)" in text


class Command:
    """On a source made here."""

    def setup_method(self):
        self.folder = self.ending.enter_context(tempfile.TemporaryDirectory())
        os.mkdir(os.path.join(self.folder, "paper"))
        with open(os.path.join(self.folder, "README.md"), "w", encoding="utf-8") as file:
            file.write(f"# Configs\n{gallery.TABLE_BEGINS}\n{gallery.TABLE_ENDS}\nThe end.\n")
        self.ending.enter_context(mock.patch.object(gallery, "CONFIGS", self.folder))

    def write(self, text):
        with open(os.path.join(self.folder, "paper", "items.ini"), "w", encoding="utf-8") as file:
            file.write(text)

    def run_gallery(self, *words):
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed), \
                contextlib.redirect_stderr(said):
            code = gallery.main(list(words))
        return code, printed.getvalue(), said.getvalue()

    def test_an_item_is_made_with_its_thumbnail_and_page(self):
        self.write(LIST)
        code, printed, said = self.run_gallery("paper/figure-1", "-o", "out", "--thumbnails")
        assert (code, said) == (0, "")
        assert "out/paper/figure-1.png\n" in printed
        assert os.path.exists(os.path.join(self.folder, "out", "paper", "figure-1.png"))
        thumbnail = os.path.join(self.folder, "paper", "thumbnails", "figure-1.png")
        assert 1000 < os.path.getsize(thumbnail)
        assert os.path.getsize(thumbnail) <= gallery.LARGEST_THUMBNAIL
        assert self.run_gallery("--pages") == (0, "", "")
        with open(os.path.join(self.folder, "paper", "README.md"), encoding="utf-8") as file:
            text = file.read()
        for words in ("# A paper\n", "## Figure 1\n", "![figure 1: A map of modes](thumbnails/figure-1.png)",
                      "    postprocess/plot.py figure-1.h5\n", "**Not drawn:** It is a sketch."):
            assert words in text

    def test_the_list_has_every_item(self):
        self.write(LIST)
        code, printed, _ = self.run_gallery("--list")
        assert code == 0
        assert "| paper | figure 1 | The same. |\n| paper | figure 2 | not drawn: It is a sketch. |\n" in printed

    def test_a_command_that_fails_is_named_and_the_others_go_on(self):
        self.write(LIST.replace("pendulum-wedging", "nowhere"))
        code, printed, said = self.run_gallery()
        assert (code, printed) == (1, "")
        assert re.search(r"\Agallery.py: error: paper, figure 1: impactsweep run configs/nowhere.yaml", said)

    @pytest.mark.parametrize("change, words, says", [
        (("figure 2", "figure 1"), (), "already exists"),
        (("absent", "lost"), (), "[figure 2]: unknown key 'lost'; allowed: shows, commands"),
        (("absent = It", "agreement = It"), (), "[figure 2]: an item has either 'commands' or 'absent'"),
        (("agreement = The same.", ""), (), "[figure 1]: 'agreement' is missing"),
        (("", ""), ("book",), "unknown source 'book'; there are: paper"),
        (("", ""), ("paper/figure-9",), "paper has no item 'figure-9'; there are: figure-1, figure-2")])
    def test_bad_input(self, change, words, says):
        self.write(LIST.replace(*change) if change[0] else LIST)
        code, printed, said = self.run_gallery(*words)
        assert (code, printed) == (2, "")
        assert says in said
