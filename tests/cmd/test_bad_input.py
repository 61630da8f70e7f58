"""Every bad input ends with exit code 2 and a message that names the place and the mistake, and nothing is written.
Tests of the config reader compare the messages word by word."""
import os
import re

from support import BAD_INPUT, PENDULUM, Case, digest_of_bytes, in_parallel

BODY = "model: compliant\nchoose: {body: pendulum}\n"
FIXED = "fixed: {angle: 0.5, friction: 0.3, stiffness_ratio: 1.21}\n"
NO_FRICTION = BODY + "fixed: {angle: 0.5, stiffness_ratio: 1.21}\n"

# Name, config with a mark @ where the error is, words of the message.
CONFIGS = (
    ("unknown key", BODY + FIXED + "@axs: []\n", "unknown key 'axs'", "did you mean 'axes'?"),
    ("unknown key in an axis", NO_FRICTION + "axes: [{param: friction, values: [1], @strat: 1}]\n",
     "unknown key 'strat'", "allowed: "),
    ("unknown parameter", BODY + "fixed: {angle: 0.5, @frction: 0.3, stiffness_ratio: 1}\n",
     "unknown parameter 'frction'", "did you mean 'friction'?"),
    ("unknown theory", "model: @complaint\n", "unknown theory 'complaint'",
     "did you mean 'compliant'?"),
    ("unknown option", "model: compliant\nchoose: {body: @pendulm}\n", "unknown option 'pendulm'",
     "did you mean 'pendulum'?"),
    ("wrong type", BODY + FIXED + "outputs: @mode\n", "'outputs' must be a list"),
    ("wrong type of a number", BODY + "fixed: {angle: 0.5, friction: @[1], stiffness_ratio: 1}\n",
     "'friction' must be a single value, not a list"),
    ("rest behind a number", BODY + "fixed: {angle: 0.5, friction: @12abc, stiffness_ratio: 1}\n",
     "'12abc' is not a number"),
    ("not a number", BODY + "fixed: {angle: 0.5, friction: @nan, stiffness_ratio: 1}\n",
     "'nan' is not a number"),
    ("unit of another kind", BODY + "fixed: {angle: 1, friction: @3 deg, stiffness_ratio: 1}\n",
     "unit of an angle"),
    ("from above to with one point",
     NO_FRICTION + "axes: [{param: friction, from: 1, to: 0, points: @1}]\n", "points is 1"),
    ("no points", NO_FRICTION + "axes: [{param: friction, from: 0, to: 1, points: @0}]\n",
     "points is 0"),
    ("half a point", NO_FRICTION + "axes: [{param: friction, from: 0, to: 1, points: @1.5}]\n",
     "'1.5' is not a whole number"),
    ("2^70 cells", BODY + "axes:\n  @- {param: angle, from: 1deg, to: 2deg, points: 268435456}\n"
     "  - {param: friction, from: 0, to: 1, points: 268435456}\n"
     "  - {param: stiffness_ratio, from: 1, to: 2, points: 16384}\n", "too many cells"),
    ("fixed and swept", BODY + FIXED.replace("friction", "@friction") +
     "axes: [{param: friction, values: [0.1, 0.2]}]\n",
     "'friction' is both fixed and on an axis"),
    ("swept twice", NO_FRICTION + "axes: [{param: friction, values: [1]}, {param: @friction, "
     "values: [2]}]\n", "'friction' is on an axis already"),
    ("does not apply", BODY + FIXED.replace("}", ", @velocity_ratio: 1}"),
     "'velocity_ratio' does not apply to body=pendulum"),
    ("outside its range", BODY + FIXED.replace("0.3", "@-0.3"), "outside its range"),
    ("outside its range on an axis", NO_FRICTION + "axes: [{param: friction, values: [1, @-1]}]\n",
     "outside its range"),
    ("missing parameter", BODY + "fixed: @{angle: 0.5, friction: 0.3}\n",
     "missing parameter 'stiffness_ratio'"),
    ("missing choice", "@model: compliant\n", "missing choice 'body'"),
    ("output that no cell has", BODY + FIXED + "outputs: [mode, @body_energy_loss]\n",
     "no cell of this sweep has the output 'body_energy_loss'"),
    ("unknown output", BODY + FIXED + "outputs: [@mod]\n", "unknown output 'mod'",
     "did you mean 'mode'?"),
    ("table that is not there", BODY + "axes: [{table: @nowhere.csv, name: case}]\n",
     "cannot read the table", "nowhere.csv': No such file or directory"),
    ("no YAML", "model: [compliant\n@", "not valid YAML"),
    ("empty file", "@", "the config is empty"),
    ("binary file", b"\x7fELF\x02\x01", "1:1: error: ", "is not text"),
    ("archive", b"PK\x03\x04", "1:3: error: ", "is not text"),
)

SEVERAL = BODY.replace("pendulum", "@pendlum") + """fixed: {friction: @12abc}
axes:
  - {param: angle, from: 0.5, to: 1, points: @0}
  - {param: stiffness_ratio, values: [1, @2x], @nme: a}
outputs: [@weather]
@colour: red
"""

# A wrong head of a table, wrong uncertain parameters and a wrong search hide nothing of what can be read beside them.
TABLE = """@angle [kg], @frictionn, restitution, @"x", friction
@1 m, 2, @3, 4, 0.1
0.1, 2, 0.5, 4, @-1
@1, 2
"""
BESIDE_TABLE = """model: compliant
choose: {body: rod}
axes:
  - {table: t.csv, name: case}
fixed: {velocity_ratio: @3 m}
"""
BESIDE_UNCERTAIN = """model: compliant
choose: {body: rod}
uncertain:
  params: [{param: @frictio, distribution: uniform, from: 0, to: 1}]
search: {find: @boundry, over: {param: angle, from: 0.5, to: @0.25}, of: share_of_some_mode, @tolerence: 1e-3}
axes: [{param: stiffness_ratio, values: [1, @-1]}]
fixed: {velocity_ratio: @3 m}
"""
BESIDE_CASE = """axes:
  - cases: {a: {model: compliant, law: @hrtz}, b: {model: @rigd, law: newton}}
  - {param: body, values: [rod, @pendlum]}
  - {param: restitution, values: @[]}
fixed: {friction: @yes}
"""


def split(marked):
    """The config without its marks, and "line:column" of each of them."""
    if isinstance(marked, bytes):
        return marked, []
    places, text = [], ""
    for piece in marked.split("@")[:-1]:
        text += piece
        places.append(f"{text.count(chr(10)) + 1}:{len(text) - text.rfind(chr(10))}")
    return marked.replace("@", ""), places


class Configs(Case):
    def check_case(self, number, marked, words):
        """Runs `check`, and `run` on two ranks, in a folder of their own."""
        text, places = split(marked)
        folder = f"case{number}"
        os.mkdir(self.path(folder))
        name = os.path.join(folder, "x.yaml")
        self.write(name, text)
        says = [f"{name}:{place}: error: " for place in places] + list(words)
        checked = self.bad("check", name, says=says)
        ran = self.bad("run", name, "-o", os.path.join(folder, "map.h5"), ranks=2)
        told = [line for line in ran.splitlines(True) if ": error: " in line]
        assert "".join(told) == checked, "the same, and once, not once per rank"
        assert os.listdir(self.path(folder)) == ["x.yaml"]
        return checked

    def test_every_bad_config(self):
        def check(number):
            name, marked, *words = CONFIGS[number]
            return name, self.check_case(number, marked, words).count(": error: ")
        counted = in_parallel(check, range(len(CONFIGS)))
        assert counted == [(case[0], 1) for case in CONFIGS], "one error each"

    def test_several_errors_are_reported_at_once(self):
        message = self.check_case(0, SEVERAL, [])
        assert self.bad("run", "case0/x.yaml", "-o", "map.h5") == message, "one rank"
        told = re.findall(r"x\.yaml:(\d+:\d+): error: ", message)
        assert told == split(SEVERAL)[1], "each once, in the order of the file"

    def test_nothing_is_hidden_beside_a_wrong_head_of_a_table(self):
        config, table = split(BESIDE_TABLE), split(TABLE)
        self.write("x.yaml", config[0])
        self.write("t.csv", table[0])
        message = self.bad("check", "x.yaml")
        assert re.findall(r"^t\.csv:(\d+:\d+): error: ", message, re.M) == table[1]
        assert re.findall(r"^x\.yaml:(\d+:\d+): error: ", message, re.M) == config[1]

    def test_nothing_is_hidden_beside_wrong_uncertain_parameters(self):
        config, places = split(BESIDE_UNCERTAIN)
        self.write("x.yaml", config)
        assert re.findall(r"x\.yaml:(\d+:\d+): error: ", self.bad("check", "x.yaml")) == places

    def test_nothing_is_hidden_beside_a_wrong_case(self):
        config, places = split(BESIDE_CASE)
        self.write("x.yaml", config)
        assert re.findall(r"x\.yaml:(\d+:\d+): error: ", self.bad("check", "x.yaml")) == places

    def test_an_error_in_a_table_names_the_table(self):
        self.write("x.yaml", BODY + "axes: [{table: t.csv, name: case}]\n")
        self.write("t.csv", "friction, angle, stiffness_ratio\n1, 0.5, 1\n1, 12abc, 1\n")
        for words in (("check", "x.yaml"), ("run", "x.yaml", "-o", "map.h5")):
            self.bad(*words, says="t.csv:3:4: error: angle: '12abc' is not a number")
        assert self.files() == ["t.csv", "x.yaml"]

    def test_an_override_is_checked_like_the_file(self):
        self.write("x.yaml", PENDULUM)
        for override, word in (("stiffness_ratio=12abc", "'12abc' is not a number"),
                               ("stiffness_ratio=-1", "outside its range"),
                               ("frction=1", "did you mean 'friction'?"),
                               ("friction=-1", "outside its range"),
                               ("friction=1:2", "a range is written FROM:TO:POINTS"),
                               ("velocity_ratio=1", "does not apply to body=pendulum"),
                               ("precision=float16", "did you mean 'float32'?"),
                               ("mass", "not of the form key=value")):
            says = (f"--set {override}" if "=" in override else "--set", word)
            message = self.bad("check", "x.yaml", "--set", override, says=says)
            assert self.bad("run", "x.yaml", "-o", "map.h5", "--set", override) == message
        assert self.files() == ["x.yaml"]

    def test_a_config_that_cannot_be_read(self):
        os.mkdir(self.path("folder.yaml"))
        for name, reason in (("nowhere.yaml", "No such file"), ("folder.yaml", "")):
            for words in (("check", name), ("run", name, "-o", "map.h5")):
                for ranks in (0, 2) if words[0] == "run" else (0,):
                    message = self.bad(*words, ranks=ranks, says=(name, reason))
                    assert message.count("error: ") == 1
        assert self.files() == ["folder.yaml"]


class Outputs(Case):
    """Places where the map cannot be written."""

    given = {"x.yaml": PENDULUM}

    def refuse(self, output, *words, says=(), ranks=0):
        before = self.files()
        message = self.bad("run", "x.yaml", "-o", output, *words, says=says, ranks=ranks)
        assert message.count("impactsweep: error: ") == 1, message
        assert self.files() == before

    def test_a_folder_that_is_not_there(self):
        for ranks, *words in ((0,), (0, "--force"), (0, "--resume"), (2,)):
            self.refuse("nowhere/map.h5", *words, ranks=ranks,
                        says=("nowhere/map.h5", "No such file or directory"))

    def test_a_read_only_folder_is_refused_even_for_root(self):
        os.mkdir(self.path("closed"), 0o555)
        self.ending.callback(os.chmod, self.path("closed"), 0o755)
        for ranks, *words in ((0,), (0, "--force"), (0, "--resume"), (2,)):
            self.refuse("closed/map.h5", *words, ranks=ranks,
                        says=("closed/map.h5", "read-only"))
        assert os.listdir(self.path("closed")) == []

    def test_a_file_in_place_of_the_folder(self):
        self.write("file", "x")
        self.refuse("file/map.h5", says=("file/map.h5", "Not a directory"))

    def test_an_output_that_exists_is_not_touched(self):
        self.write("map.h5", "precious")
        for ranks in (0, 2):
            self.refuse("map.h5", ranks=ranks, says=("map.h5: exists", "--resume", "--force"))
        self.good("run", "x.yaml", "-o", "done.h5")
        before = digest_of_bytes(self.path("done.h5"))
        self.refuse("done.h5", says="done.h5: exists")
        assert digest_of_bytes(self.path("done.h5")) == before
        with open(self.path("map.h5")) as file:
            assert file.read() == "precious"

    def test_a_folder_as_output(self):
        os.mkdir(self.path("folder"))
        for words in ((), ("--force",), ("--resume",)):
            self.refuse("folder", *words, says="folder: exists and is not a regular file")


class CommandLine(Case):
    given = {"x.yaml": PENDULUM}

    def check_all(self, mistakes):
        def refuse(mistake):
            words, phrase = mistake
            message = self.bad(*words, says=phrase)
            assert message.count("impactsweep: error: ") == 1, message
        in_parallel(refuse, mistakes)
        assert self.files() == ["x.yaml"]

    def test_unknown_words(self):
        self.check_all(((("rn",), "unknown command 'rn' (did you mean 'run'?)"),
                        (("swim",), "unknown command 'swim'"),
                        (("--verbose",), "unknown command '--verbose'"),
                        (("check", "x.yaml", "--fast"), "unknown option '--fast'"),
                        (("run", "x.yaml", "-o", "map.h5", "--fast"), "unknown option '--fast'"),
                        (("run", "x.yaml", "-o", "map.h5", "-q"), "unknown option"),
                        (("info", "x.yaml", "--fast"), "'--fast'"),
                        (("export", "x.yaml", "-q"), "unknown option"),
                        (("models", "complaint"), "did you mean 'compliant'?"),
                        (("export", "x.yaml", "--all"), "unknown option '--all'")))

    def test_too_many_or_too_few_files(self):
        self.check_all(((("check",), "the config is missing"),
                        (("check", "x.yaml", "y.yaml"), "unexpected 'y.yaml'"),
                        (("run", "-o", "map.h5"), "the config is missing"),
                        (("run", "x.yaml", "y.yaml", "-o", "map.h5"), "unexpected 'y.yaml'"),
                        (("join", "whole.h5"), "the map to write, or its parts, are missing"),
                        (("info",), "the file is missing"),
                        (("info", "a.h5", "b.h5"), "'b.h5'"),
                        (("export",), "the map is missing"),
                        (("export", "a.h5", "b.h5"), "unexpected 'b.h5'"),
                        (("cell",), "the name of a theory is missing")))

    def test_options_of_run(self):
        self.check_all(tuple((("run", "x.yaml") + words, phrase) for words, phrase in (
            ((), "give -o FILE"),
            (("-o",), "-o needs a value"),
            (("-o", ""), "give -o FILE"),
            (("-o", "map.csv"), "map.csv: a map is HDF5"),
            (("-o", "map.TXT"), "name it .h5 or .nc"),
            (("-o", "map.h5", "--force", "--resume"), "--force and --resume exclude each other"),
            (("-o", "map.h5", "--progress", "often"), "--progress often"),
            (("-o", "map.h5", "--progress", "0"), "--progress 0"),
            (("-o", "map.h5", "--progress", "-1"), "--progress -1"),
            (("-o", "map.h5", "--progress", "nan"), "--progress nan"),
            (("-o", "map.h5", "--progress"), "--progress needs a value"),
            (("-o", "map.h5", "--chunk", "0"), "--chunk 0"),
            (("-o", "map.h5", "--chunk", "-5"), "--chunk -5"),
            (("-o", "map.h5", "--chunk", "12abc"), "--chunk 12abc"),
            (("-o", "map.h5", "--chunk", "1e99"), "--chunk 1e99"),
            (("-o", "map.h5", "--time-limit", "0"), "--time-limit 0"),
            (("-o", "map.h5", "--time-limit", "5x"), "--time-limit 5x"),
            (("-o", "map.h5", "--time-limit", "-3s"), "--time-limit -3s"),
            (("-o", "map.h5", "--time-limit", "5ms"), "--time-limit 5ms"))))

    def test_every_wrong_option_is_told(self):
        said = self.bad("run", "x.yaml", "-o", "map.h5", "--chunk", "0", "--fast", "5", "--progress=often",
                        says="--chunk 0")
        assert [line.split(": ")[1] for line in said.splitlines()] == 3 * ["error"], said
        assert "unknown option '--fast'" in said
        assert "--progress often" in said

    def test_two_ranks_print_an_error_once(self):
        for words, phrase in ((("--chunk", "0"), "--chunk 0"), (("--fast",), "'--fast'")):
            message = self.bad("run", "x.yaml", "-o", "map.h5", *words, ranks=2, says=phrase)
            assert message.count("impactsweep: error: ") == 1, message
        assert self.files() == ["x.yaml"]

    def test_help(self):
        for word in ("--help", "-h", "help"):
            text = self.good(word)
            for command in ("models", "cell", "check", "run", "info", "export", "--help"):
                assert command in text
        assert re.search(r"^impactsweep \d+\.\d+\.\d+ \(\S+\)\n", self.good("--version"))
        assert self.bad(code=BAD_INPUT) == text, "without words: the same, as an error"
