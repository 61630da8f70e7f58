"""The walls between the rooms of src, as src/README.md states them: the includes of each room, and printing; and that
scripts can be called."""
import collections
import glob
import os
import re
import subprocess
import sys
import xml.etree.ElementTree

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SRC = os.path.join(TOP, "src")
PRINTS = re.compile(r"\b(?:v?f?printf|fputs?|fputc|puts|putchar|perror|fwrite)\s*\(")
# Libraries whose headers belong to rooms or files.
LIBRARIES = {
    r"hdf5.*\.h": r"store/",
    r"mpi\.h": r"sched/|models/petsc\.c",
    r"petsc.*\.h": r"models/beam/|models/petsc\.c",
}
# Functions without a caller: imp_put is for theories that are to come, as in models/README.md, imp_convert and
# imp_guest_theory for users of the library; the others are to go.
UNCALLED = {"imp_put", "imp_convert", "imp_guest_theory"}
IN_PLACE_OF_OTHERS = ("models/no_petsc.c", "models/petsc_loader.c", "page/no_guest.c")


# Files of a room that call each other in a circle, until somebody parts them: no other circle is allowed.
CIRCLES = [
    "cmd/query.c cmd/writers.c",
    "config/axes.c config/axis_list.c",
    "config/draft.c config/follow.c",
    "models/compliant3d/contact.c models/compliant3d/leap.c models/compliant3d/passage.c models/compliant3d/ring.c "
    "models/compliant3d/slip.c models/compliant3d/stick.c",
    "models/continuum/gross.c models/continuum/partial.c models/continuum/pieces.c models/continuum/solve.c "
    "models/continuum/step.c",
    "refine/audit.c refine/brackets.c refine/cells.c refine/chord.c refine/classes.c refine/edges.c refine/generator.c "
    "refine/levels.c refine/surface.c refine/trace.c refine/filaments.c refine/walk.c",
    "sched/lead.c sched/lead_watch.c",
    "store/create.c store/map.c store/points.c",
]


def rows():
    """{room: rooms that it may include}, those of the column `may use` of the table and those that they may use."""
    with open(os.path.join(SRC, "README.md")) as file:
        table = re.findall(r"^\| `(\w+)` \|.*\| ([^|]+) \|$", file.read(), re.M)
    may = {}
    for room, uses in table:
        direct = set(may) if uses.strip() == "all" else set(re.findall(r"\w+", uses)) - {"libc"}
        may[room] = direct.union({room}, *(may[one] for one in direct))
    return may


def sources():
    for folder, _, names in os.walk(SRC):
        for name in names:
            if name.endswith((".c", ".h")):
                path = os.path.join(folder, name)
                with open(path) as file:
                    text = file.read()
                yield os.path.relpath(path, SRC), without_comments(text)


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)


def declared(text):
    """Public types, constants and macros that a file without comments declares, each once."""
    constants = [name for body in re.findall(r"\benum\b[^{;()]*\{([^}]*)\}", text)
                 for name in re.findall(r"(?:^|,)\s*(IMP_\w+)\s*(?==|,|$)", body)]
    types = re.findall(r"^\}\s*(imp_\w+);|^typedef (?!struct (\w+) \2;)[^;{]*?\b(imp_\w+);|"
                       r"^(?:typedef )?(?:struct|union|enum)\s+(imp_\w+)\s*\{", text, re.M)
    macros = re.findall(r"^\s*#\s*define\s+(IMP_\w+)", text, re.M)
    return {*constants, *macros, *(name for names in types for name in names if name)}


def comments(text):
    return [re.sub(r"\n\s*\* ?", " ", comment) for comment in re.findall(r"/\*.*?\*/|//[^\n]*", text, re.S)]


def lost_files(path, text):
    """Files that comments of a file of src or include name, and that do not exist: in its folder (a room's .def: in those
    below it), or by their path from src, from include or from the top. NAME, KIND and the like stand for any name."""
    places = (os.path.join(TOP, os.path.dirname(path)), SRC, os.path.join(TOP, "include"), TOP)
    found = []
    for comment in comments(text):
        for name in re.findall(r"(?<![\w/.*-])((?:[\w-]+/)*[\w-]+\.(?:c|h|def|py|js|md|sh|cmake|txt))\b", comment):
            if not (any(os.path.exists(os.path.join(place, name)) for place in places)
                    or re.search(r"(?<![A-Za-z])[A-Z]{4,}\.", name)
                    or name.endswith(".def") and glob.glob(os.path.join(places[0], "*", name))):
                found.append(f"{path} names {name}")
    return found


def functions(text):
    """Functions with external linkage that a file without comments defines or declares, and its external data."""
    return {*re.findall(r"^(?!static|extern|typedef|return|IMP_LANE_CODE|CODE)[a-z]\w*[\w *]*?\b(\w+)\([^;{]*\)\s*[;{]", text, re.M),
            *re.findall(r"^extern [^;(]*?\b(\w+)(?:\[[^\]]*\])*;", text, re.M),
            *re.findall(r"^IMP_(?:EACH_WIDTH|IN_LANES)\((\w+)", text, re.M),
            *re.findall(r"^(?!static|typedef|extern|return)(?:const )?(?:struct )?imp_\w+ (?:\*?const )*\*?(\w+)"
                        r"(?:\[[^\]]*\])*(?: =|;)", text, re.M)}


def strangers(path, text):
    """Public names of a theory that do not begin with its own: those of functions, data, types, constants, macros."""
    theory = re.match(r"models/(\w+)/", path)
    if not theory:
        return []
    own = (f"imp_{theory[1]}_", f"IMP_{theory[1].upper()}_", "IMP_MODELS_")
    return [f"{path} has {name}" for name in sorted(functions(text) | declared(text))
            if not name.startswith(own) and name != "imp_theory_" + theory[1]]


def calls(files):
    """{source file: the files of its folder whose functions and tables it uses}, of {path: text without comments}."""
    home = {name: path for path, text in files.items() if path not in IN_PLACE_OF_OTHERS
            for name in re.findall(r"^(?!static|extern|IMP_LANE_CODE|CODE)\w[\w *]*?\b(imp_\w+)"
                                   r"(?:\([^;{]*\)\s*\{|(?:\[[^\]]*\])* = )", text, re.M)}
    return {path: {home[name] for name in re.findall(r"\bimp_\w+", text)
                   if name in home and os.path.dirname(home[name]) == os.path.dirname(path)} - {path}
            for path, text in files.items() if path.endswith(".c")}


def circles(graph):
    """Sets of files that reach each other, in a graph as `calls` makes it."""
    reach = {one: set(next_) for one, next_ in graph.items()}
    grown = True
    while grown:
        before = sum(map(len, reach.values()))
        for one in reach:
            reach[one] = reach[one].union(*(reach.get(other, ()) for other in reach[one]))
        grown = sum(map(len, reach.values())) > before
    return {frozenset(other for other in reach[one] if one in reach.get(other, ()))
            for one in reach if one in reach[one]}


HEAD = re.compile(r"^(?!return\b|typedef\b|else\b)[A-Za-z][\w *]*?\b(\w+)\([^;{}=]*\)\s*(?=[;{])", re.M)


def uncalled(files):
    """Functions that nothing names beside the lines that declare and define them, of {path: text without comments}."""
    used, heads = set(), set()
    for text in files.values():
        heads.update(HEAD.findall(text))
        used.update(re.findall(r"\w+", HEAD.sub("", text)))
    # A name that a macro puts together, `enter_##name`, counts as named where five letters of it are known.
    made = {(before, after) for text in files.values() for before, after in re.findall(r"(\w*)##\w+(?:##(\w+))?", text) +
            [("", after) for after in re.findall(r"\b\w+##(_\w+)", text)]}
    made = [(before, after) for before, after in made if len(before.removeprefix("imp_") + after) > 4]
    return sorted(name for name in heads - used
                  if not any(name.startswith(before) and name.endswith(after) for before, after in made))


def room_of(path):
    return path.split("/")[0]


def faults(path, text, may):
    """The breaches of a file against the walls."""
    found = []
    room = room_of(path)
    for name in re.findall(r'#include "([^"]+)"', text):
        if room not in may or "/" not in name or room_of(name) not in may:
            continue  # main.c, the public header, and generated headers
        if room_of(name) not in may[room]:
            found.append(f"{path} includes {name}: {room} may not use {room_of(name)}")
        theory = [part.split("/")[1] for part in (path, name)
                  if re.fullmatch(r"models/\w+/.*", part)]
        if len(set(theory)) == 2:
            found.append(f"{path} includes {name}: theories do not include each other")
    for name in re.findall(r"#include <([^>]+)>", text):
        for header, place in LIBRARIES.items():
            if re.fullmatch(header, name) and not re.match(place, path):
                found.append(f"{path} includes {name}: only {place} may")
    if room not in ("cmd", "main.c") and PRINTS.search(text):
        found.append(f"{path} prints")
    return found


class Walls:

    def test_the_table_is_read(self):
        may = rows()
        assert list(may) == "base num bodies models grid refine solve guest config page store sched cmd".split()
        assert set(may) | {"main.c"} == {room_of(path) for path, _ in sources()}
        assert may["grid"] == {"grid", "num", "base"}
        assert "store" not in may["config"]

    def test_no_file_breaks_a_wall(self):
        may = rows()
        found = [fault for path, text in sources() for fault in faults(path, text, may)]
        assert found == []

    def test_every_function_has_one_definition(self):
        """Where a library and the program define functions of the same name, the linker takes one of them for
        both, without a warning. Functions in lanes are static."""
        found = {}
        for path, text in sources():
            if path not in IN_PLACE_OF_OTHERS:
                for name in re.findall(r"^(?!static|IMP_LANE_CODE|CODE)\w[\w *]*?\b(imp_\w+)\([^;{]*\)\s*{", text, re.M):
                    found.setdefault(name, []).append(path)
        assert len(found) > 300
        assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}

    def test_files_of_a_room_call_each_other_in_no_circle(self):
        graph = calls(dict(sources()))
        assert sum(map(len, graph.values())) > 300
        known = [set(words.split()) for words in CIRCLES]
        found = [sorted(circle) for circle in circles(graph) if not any(circle <= one for one in known)]
        assert found == []

    def test_circles_are_found(self):
        graph = calls({"a/x.c": "int imp_x(int n) {\n imp_y(n); }", "a/y.c": "int imp_y(int n) {\n table(imp_z); }",
                       "a/z.c": "const int imp_z = 3;\nint imp_w(void) {\n imp_x(1); }", "b/v.c": "imp_x(1);"})
        assert circles(graph) == {frozenset({"a/x.c", "a/y.c", "a/z.c"})}
        del graph["a/z.c"]
        assert circles(graph) == set()

    def test_every_function_has_a_caller(self):
        """In src itself: what only tests call belongs to them. MPI for one process has functions that benches call."""
        files = {path: text for path, text in sources() if not path.startswith("sched/alone/")}
        for path in [*glob.glob(f"{SRC}/**/*.def", recursive=True), os.path.join(TOP, "include", "impact.h")]:
            with open(path) as file:
                files[path] = file.read()
        assert sum(len(HEAD.findall(text)) for text in files.values()) > 2000
        assert set(uncalled(files)) - UNCALLED == set()

    def test_functions_without_a_caller_are_found(self):
        files = {"a.h": "void imp_one(int n);\nint imp_two(void);\nstatic inline int imp_three(int a) {\n    return a;\n}\n",
                 "a.c": "void imp_one(int n) {\n    imp_two();\n}\nint imp_two(void) {\n    return 1;\n}\n"
                        "static int enter_this(int a) {\n    return a;\n}\n#define ROW(name) enter_##name\n"}
        assert uncalled(files) == ["imp_one", "imp_three"]
        files["b.c"] = "static const table rows = {imp_one, 3};\n"
        assert uncalled(files) == ["imp_three"]

    def test_every_public_name_has_one_meaning(self):
        """Types, constants and macros of src and of the public header: a reader who finds one has found the right one."""
        found = collections.defaultdict(list)
        with open(os.path.join(TOP, "include", "impact.h")) as file:
            header = without_comments(file.read())
        for path, text in [("impact.h", header), *sources()]:
            for name in declared(text):
                found[name].append(path)
        assert len(found) > 400
        assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}

    def test_names_of_a_theory_begin_with_its_name(self):
        """What a theory shares among its files, and with the linker, tells whose it is: imp_THEORY_."""
        assert [name for path, text in sources() for name in strangers(path, text)] == []
        for text in ("void a(int b);\n", "imp_err imp_a(void) {\n", "double *imp_b(int c,\n    int d) {\n",
                     "extern const int imp_c[2];\n", "IMP_EACH_WIDTH(imp_d, (int e), 2, (e))\n",
                     "typedef struct imp_e {\n    int f;\n} imp_e;\n", "enum { IMP_F };\n", "#define IMP_G 1\n",
                     "const imp_theory *const imp_theories[2] = {\n", "imp_solve imp_h;\n"):
            assert len(strangers("models/rigid/a.c", text)) == 1, text
        for text in ("static void a(int b) {\n", "CODE real b(real c) {\n", "const imp_theory imp_theory_rigid = {\n",
                     "void imp_rigid_a(int b) {\n", "    imp_rows found;\n"):
            assert strangers("models/rigid/a.c", text) == [], text
        assert strangers("models/theory.c", "void imp_a(void) {\n") == []

    def test_files_that_comments_name_exist(self):
        found, named = [], 0
        for top in ("src", "include"):
            for folder, _, names in os.walk(os.path.join(TOP, top)):
                for name in names:
                    if name.endswith((".c", ".h", ".def", ".cmake")):
                        path = os.path.join(folder, name)
                        with open(path, encoding="utf-8") as file:
                            text = file.read()
                        found += lost_files(os.path.relpath(path, TOP), text)
                        named += len(re.findall(r"\b\w+\.[ch]\b", " ".join(comments(text))))
        assert found == []
        assert named > 100
        path = "src/models/rigid/rigid.c"
        for text in ("/* see nothing.c */", "// models/rigid/nothing.h", "/* a file\n * axis_nothing.c */", "/* theory.h */"):
            assert len(lost_files(path, text)) == 1, text
        for text in ("/* outputs.h, models/theory.h, CMakeLists.txt, impact.h, axis_KIND.c */", '#include "nothing.h"'):
            assert lost_files(path, text) == [], text

    def test_declarations_are_read(self):
        assert declared("#define IMP_A 1\ntypedef struct imp_b {\n    int c;\n} imp_b;\nenum { IMP_D = 1, IMP_E };\n"
                        "typedef double (*call)(void);\ntypedef int imp_f;\nenum imp_g { IMP_H };\n") == {"IMP_A",
                                                                                                          "imp_b",
                                                                                                          "IMP_D",
                                                                                                          "IMP_E",
                                                                                                          "imp_f",
                                                                                                          "imp_g",
                                                                                                          "IMP_H"}

    def test_lines_have_at_most_100_columns(self):
        names = subprocess.run(["git", "-C", TOP, "ls-files", "src", "include", "tests"], capture_output=True, text=True,
                               check=False).stdout.split()
        found = []
        for name in names:
            if name.endswith((".c", ".h")) and os.path.exists(os.path.join(TOP, name)):
                with open(os.path.join(TOP, name), encoding="utf-8") as file:
                    found += [f"{name}:{i}" for i, line in enumerate(file, 1) if len(line.rstrip("\n")) > 100]
        assert found == []

    def test_the_picture_of_the_rooms_agrees_with_the_table(self):
        """Its boxes and arrows, as they stand in the file, against the walls; and it is the one that the script draws."""
        path = os.path.join(SRC, "rooms.svg")
        shapes = list(xml.etree.ElementTree.parse(path).iter())
        boxes = [shape.get("data-room") for shape in shapes if shape.get("class") == "room"]
        ways = {room: {room} for room in boxes}
        for shape in (one for one in shapes if one.get("class") == "uses"):
            ways[shape.get("data-from")].add(shape.get("data-to"))
        for room in boxes * len(boxes):
            ways[room] = ways[room].union(*(ways[one] for one in ways[room]))
        may = rows()
        assert sorted(boxes) == sorted(may)
        assert {room: ways[room] for room in may if room != "cmd"} == {room: may[room] for room in may if room != "cmd"}
        drawn = subprocess.run([sys.executable, "-c", "import rooms; print(rooms.draw(open('README.md').read()), end='')"],
                               cwd=SRC, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1"), capture_output=True, text=True,
                               check=True).stdout
        with open(path, encoding="utf-8") as file:
            assert (drawn == file.read()) is True, "src/rooms.py writes it anew"

    def test_breaches_are_found(self):
        may = rows()
        for path, text in (("num/a.c", '#include "grid/grid.h"'), ("grid/a.c", '#include "store/map.h"'),
                           ("cmd/a.c", "#include <hdf5.h>"), ("solve/a.c", "#include <mpi.h>"),
                           ("models/rigid/a.c", "#include <petscts.h>"),
                           ("models/rigid/a.c", '#include "models/swerve/path.h"'),
                           ("sched/a.c", 'fprintf(stderr, "x");'), ("store/a.c", "perror(path);")):
            assert len(faults(path, text, may)) == 1, path + text
        assert faults("sched/a.c", 'snprintf(text, 3, "x");', may) == []


class Commands:
    def test_what_can_be_called_can_be_executed(self):
        """READMEs call scripts by their paths; tests are started by ctest."""
        found = []
        for top in ("jobs", "postprocess", "tests"):
            for folder, _, names in os.walk(os.path.join(TOP, top)):
                for name in names:
                    path = os.path.join(folder, name)
                    if name.endswith((".py", ".sh")) and not name.startswith("test_"):
                        with open(path, "rb") as file:
                            if file.read(2) == b"#!":
                                found.append(path)
        assert len(found) > 10
        assert [os.path.relpath(path, TOP) for path in found if not os.access(path, os.X_OK)] == []
