"""The rooms of the Python package: its public names, and imports that go one way, wherever in a module they stand."""
import ast
import os
import subprocess
import sys

import package
import impactsweep

PACKAGE = os.path.join(package.POSTPROCESS, "impactsweep")
# From the bottom up: a room imports from itself and from those before it. "" is what lies beside the rooms.
ROOMS = ("", "display", "library", "maps", "solving", "inference", "figures")
PUBLIC = {"open", "solve", "trace", "run", "fit", "rank", "sensitivity", "sobol_indices", "theories", "describe", "table", "compare",
          "convert", "report", "explore", "Error", "InputError", "WrongCall", "TooManyCells", "MissingFile", "ProgramError",
          "Unfinished", "Undefined"}
HEAVY = {"matplotlib", "numpy", "pandas", "xarray", "h5py", "scipy"}
FACE = "impactsweep"  # the module __init__.py: it names every room, and loads none
COMMAND = "impactsweep.__main__"  # stands above the rooms: it starts the program and the scripts


def modules():
    """{module: its path}."""
    found = {}
    for folder, _, names in os.walk(PACKAGE):
        for name in names:
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                parts = os.path.relpath(path, package.POSTPROCESS)[:-len(".py")].split(os.sep)
                found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports_of(module, path, known):
    """The modules of the package that a module imports, at its top or within a function."""
    with open(path, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    home = module.split(".") if path.endswith("__init__.py") else module.split(".")[:-1]
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join([*home[:len(home) - node.level + 1], *filter(None, [node.module])]) if node.level else node.module
            found |= {name if (name := f"{base}.{one.name}") in known else base for one in node.names}
    return found & set(known) - {module}


def room_of(module):
    room = module.split(".")[1] if "." in module else ""
    return ROOMS.index(room) if room in ROOMS else 0


def circle_in(graph):
    """Modules that import one another, or []."""
    left = {module: set(others) for module, others in graph.items()}
    while left:
        free = [module for module, others in left.items() if not others & set(left)]
        if not free:
            return sorted(left)
        for module in free:
            del left[module]
    return []


class Rooms:
    def setup_method(self):
        known = modules()
        self.graph = {module: imports_of(module, path, known) for module, path in known.items()
                      if module not in (FACE, COMMAND)}
        # It finds the kinds in their folder.
        self.graph["impactsweep.figures.registry"] |= {one for one in known if one.startswith("impactsweep.figures.kinds.")}

    def test_modules_stand_in_rooms(self):
        assert 40 < len(self.graph)
        beside = {module for module in self.graph if module.count(".") == 1 and module.split(".")[1] not in ROOMS}
        assert beside == {f"impactsweep.{name}" for name in ("errors", "checks", "values", "guest")}

    def test_imports_make_no_circle(self):
        assert circle_in(self.graph) == []

    def test_rooms_import_from_those_below(self):
        wrong = [f"{module} imports {other}" for module, others in self.graph.items() for other in others
                 if room_of(other) > room_of(module) or other == FACE]
        assert wrong == []

    def test_kinds_know_neither_the_command_nor_the_registry(self):
        above = {f"impactsweep.figures.{name}" for name in ("command", "registry", "choose")}
        wrong = {module: others & above for module, others in self.graph.items()
                 if module not in above and others & above}
        assert wrong == {}


class Face:
    def test_public_names(self):
        assert set(impactsweep.__all__) == PUBLIC
        for name in PUBLIC | {"impacts", "errors", "compliant", "rigid"}:
            assert getattr(impactsweep, name) is not None, name
            assert name in dir(impactsweep)
        assert not hasattr(impactsweep, "maps_of_mars")

    def told(self, code):
        """The lines that a fresh Python prints."""
        done = subprocess.run([sys.executable, "-B", "-c", code], text=True, capture_output=True,
                              env={**os.environ, "PYTHONPATH": package.POSTPROCESS})
        assert (done.returncode, done.stderr) == (0, "")
        return set(done.stdout.split())

    def test_an_import_loads_little(self):
        loaded = self.told("import sys, impactsweep; print(*{name.partition('.')[0] for name in sys.modules})")
        assert loaded & HEAVY == set()

    def test_cells_and_maps_need_no_matplotlib(self):
        loaded = self.told("import sys; from impactsweep import *; solve('compliant', body='pendulum', angle=0.5, "
                           "friction=0.3, stiffness_ratio=1.21); print(*{name.partition('.')[0] for name in sys.modules})")
        assert loaded & HEAVY - {"scipy"} == HEAVY - {"scipy", "matplotlib"}

    def test_a_room_is_imported_without_the_library(self):
        assert self.told("import os; os.environ['IMPACTSWEEP_LIBRARY'] = '/nowhere'\n"
                         "from impactsweep import maps, figures\nprint(maps.__name__)") == {"impactsweep.maps"}
