"""Shared by the tests of the gallery: a class that makes every item of one source by its own commands, from coarse
maps, and looks at each picture as a reader does, in two columns of a paper and in one."""
import contextlib
import os
import shlex

from drawn import BEAM, PROGRAM, ROOT, TEST_DPI, Figures, coarse, legends_of
import gallery
from impactsweep.figures import command


@contextlib.contextmanager
def kept_figures():
    """Figures are kept with their files instead of being written; yields {picture: figure}."""
    kept, save = {}, command.save

    def keep(figure, path, dpi):
        kept[os.path.basename(path)] = figure
    command.save = keep
    try:
        yield kept
    finally:
        command.save = save


def words_of_coarse(text, folder):
    """A command with a coarse config in place of its own; the tables of the config stay beside it."""
    words = shlex.split(text)
    if words[1] == "run":
        path = os.path.join(folder, os.path.basename(words[2]))
        with open(path, "w", encoding="utf-8") as file:
            file.write(coarse(os.path.join(ROOT, words[2])))
        for name in os.listdir(os.path.dirname(os.path.join(ROOT, words[2]))):
            if name.endswith(".csv"):
                with contextlib.suppress(FileExistsError):
                    os.symlink(os.path.join(ROOT, os.path.dirname(words[2]), name),
                               os.path.join(folder, name))
        words[2] = path
    return shlex.join(words)


class Items(Figures):
    """The base of the tests of a source, which name its folder."""
    SOURCE = None
    # Words that a picture must have: {picture: texts}.
    SAYS = {}

    def items(self):
        known = [item for item in gallery.read_source(self.SOURCE).items if item.commands]
        return [item for item in known if BEAM or not any(self.needs_beam(text) for text in item.commands)]

    def needs_beam(self, text):
        words = shlex.split(text)
        if words[1] != "run":
            return words[1:3] == ["trace", "beam"]
        with open(os.path.join(ROOT, words[2]), encoding="utf-8") as file:
            return "model: beam" in file.read()

    def make(self, item):
        for text in item.commands:
            if not gallery.is_plot(shlex.split(text)):
                gallery.perform(words_of_coarse(text, self.folder), self.folder, PROGRAM)

    def draw(self, item, *more):
        with kept_figures() as kept, contextlib.chdir(self.folder):
            for words in map(shlex.split, item.commands):
                if gallery.is_plot(words):
                    gallery.draw([*words, "--dpi", str(TEST_DPI), *more])
        return kept

    def test_every_item_can_be_read_in_both_sizes(self):
        for item in self.items():
            self.make(item)
            for name, figure in self.draw(item).items():
                drawn = self.check_readable(figure)
                self.check_entries_of(item, figure, drawn)
                self.check_words(name, drawn)
            for figure in self.draw(item, "--size", "one").values():
                self.check_readable(figure)

    def check_entries_of(self, item, figure, drawn):
        """A line of a history may lie under another one, and its colour occurs nowhere."""
        if any(shlex.split(text)[1] == "trace" for text in item.commands):
            for legend in legends_of(figure):
                self.check_entries(legend)
        else:
            self.check_legends(figure)

    def check_words(self, name, drawn):
        for words in self.SAYS.get(name, ()):
            assert words in drawn.labels(), name
