"""Words and files that are quoted in messages: none steers the terminal, begins a line, or fills the screen."""
from robust import null_sweep
from support import BAD_INPUT, FAILURE, OK, Case

LONG = "a" * 100000
# A colour, a bell, the end of a line, and U+009B, by which a terminal code begins too.
NASTY = "w\x1b[31m\a\nimpactsweep: all is well\x9b"
# More than any message with a cut word, and less than any with a whole one.
MOST = 9000


class Quoted(Case):
    def setup_method(self):
        super().setup_method()
        self.run_config(null_sweep(3, 3), "map.h5", "--progress", "none")

    def calls(self, word):
        """Every place where a word is told to be wrong."""
        cell = ("null", "x=1", "y=1")
        for command in ("run", "check", "cell", "trace", "info", "export", "query", "report", "join", "models", "man",
                        "help", "complete", "explore"):
            yield (command, word)
            yield (command, "--" + word)
            yield (command, "-q" + word)
            yield (command, "map.h5", word)
            yield (command, "map.h5", "mode", word)
        yield (word,)
        yield ("cell", word, "x=1")
        for more in (word, "x=" + word, word + "=1", "fault=" + word):
            yield ("cell", *cell, more)
            yield ("trace", *cell, more)
            yield ("trace", *cell, "--with", more)
        for option in ("chunk", "time-limit", "part", "checkpoint", "progress", "silence", "patience", "give-up", "set",
                       "exit-code"):
            yield ("run", "x.yaml", "-o", "new.h5", "--" + option, "?" + word)
            yield ("run", "x.yaml", "-o", "new.h5", f"--{option}=?{word}")
        for setting in ("x=" + word, word + "=1", f"x=[{word}]", f"x=0:{word}:3", "write=" + word, "fault=" + word):
            yield ("check", "x.yaml", "--set", setting)
        yield ("run", "x.yaml", "-o", word + "/map.h5")
        yield ("run", "x.yaml", "-o", f"no_such_folder/{word}")
        for option in (word, "x=" + word, word + "=1"):
            yield ("export", "map.h5", "--slice", option)
        for more in (("--fields", word), ("--format", word), ("-o", word), ("-o", f"no_such_folder/{word}.csv")):
            yield ("export", "map.h5", *more)
        for condition in (word, f"value > {word}", f"'{word}' == 1", f"mode == {word}", f"mode == '{word}'",
                          f"mode in ({word})", f"value > 1{word}", f"{word} > 1", f"value = {word}"):
            yield ("query", "map.h5", condition)
        yield ("report", "map.h5", "-o", word)
        yield ("explore", word, "-o", "page.html")
        yield ("join", "all.h5", word)

    def said(self, words):
        result = self.sweep(*words)
        assert result.returncode in (OK, BAD_INPUT, FAILURE), words
        return result.stderr + result.stdout

    def test_control_characters(self):
        told = 0
        for words in self.calls(NASTY):
            text = self.said(words)
            assert not set(text) & {"\x1b", "\a", "\x9b"}, text
            assert "\nimpactsweep: all is well" not in text
            told += "all is well" in text
        assert told > 50

    def test_long_words(self):
        told = 0
        for words in self.calls(LONG):
            text = self.said(words)
            assert text.isascii() and len(text) < MOST, len(text)
            told += "aaa" in text
        assert told > 50

    def test_configs(self):
        for word in (LONG, "w\x1b[31m"):
            for text in (f"{word}: 1\n", f"model: {word}\n", null_sweep(2, 2).replace("param: x", f"param: {word}"),
                         null_sweep(2, 2) + f"figure: {{as: {word}}}\n", null_sweep(2, 2).replace("to: 1", f"to: {word}"),
                         null_sweep(2, 2) + f"write: {word}\n", null_sweep(2, 2) + f"search: {{find: {word}}}\n"):
                self.write("bad.yaml", text)
                said = self.bad("check", "bad.yaml")
                assert len(said) < MOST
                assert "\x1b" not in said

    def test_names_of_files(self):
        """A map and a config may have such a name; what is said of them is harmless."""
        config = self.write("w\x1b[31m\a.yaml", null_sweep(2, 2))
        name = "m\x1b[31m\n.h5"
        self.good("run", config, "-o", name)
        for words in (("run", config, "-o", name), ("run", config, "-o", name, "--resume"), ("info", name),
                      ("export", name, "-o", name), ("query", name, "x >"), ("check", config, "--set", "x=?")):
            text = self.said(words)
            assert text
            assert "\x1b" not in text
        # A table of a history has its command in a comment, which stays one line.
        self.good("trace", "null", "x=1", "y=1", "-o", "one\nx=7.csv")
        with open(self.path("one\nx=7.csv"), encoding="utf-8") as file:
            assert "one?x=7.csv" in file.readline()
