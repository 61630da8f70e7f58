"""Types of the package: mypy --strict finds nothing in it, users get types and not Any, and no public signature is loose."""
import ast
import dataclasses
import glob
import importlib
import inspect
import os
import re
import shutil
import subprocess
import tomllib
import typing

import numpy as np
import pytest

import package
import impactsweep
from impactsweep import guest, impacts
from impactsweep.display import notebook
from impactsweep.inference import fitting
from impactsweep.library import theories
from impactsweep.solving import pages
from support import BUILD, Case

PACKAGE = os.path.join(package.POSTPROCESS, "impactsweep")
STUBS = os.path.join(package.POSTPROCESS, "stubs")
# Of stubs: a class for what pandas returns, a method that matplotlib 3.6 gives only to the axes of figures.
ELSEWHERE = {"Rows", "get_subplotspec"}
IGNORED = 2  # comments "type: ignore[...]", each with its reason
USER = """import impactsweep
from impactsweep.figures import residuals
from impactsweep.figures.kinds import map as mode_map


def everything(path: str, whole: impactsweep.impacts.Impacts) -> int:
    data = impactsweep.open(path, degrees=True)
    cells = impactsweep.solve("compliant", body="pendulum", angle=["30 deg", None, 0.5], friction=0.3, variables={"tilt": "rad"})
    history = impactsweep.trace("compliant", body="pendulum", angle="30 deg", friction=0.3, stiffness_ratio=1.21)
    made = impactsweep.run({"model": "rigid", "axes": [{"param": "friction", "points": 3}]}, out=path, ranks=2)
    frame = impactsweep.table(made, "mode")
    found = impactsweep.compare(path, made, ["mode"])
    indices = impactsweep.sensitivity(data)
    best = impactsweep.fit(whole, "rigid", over={"friction": (0, 1), "restitution": (0.1, 1, "log")}, fixed={"mass": "5 g"})
    ranked, fits = impactsweep.rank(path, [{"theory": "rigid"}], loss="mean")
    unit: str = impactsweep.describe("rigid").inputs["friction"].unit
    contact = impactsweep.convert("yade", tc=1e-3, en=0.9, mass="5 g")
    measured = impactsweep.impacts.read({"offset_t": [0.1]})
    page = impactsweep.report(data, "map.html")
    own = impactsweep.rigid(body="rod", angle=0.3, outputs="mode")
    figure = residuals.draw(fits)
    reveal_type(data)
    reveal_type(cells)
    reveal_type(history)
    reveal_type(frame)
    reveal_type(found)
    reveal_type(indices)
    reveal_type(best)
    reveal_type(best.best["friction"])
    reveal_type(ranked)
    reveal_type(contact)
    reveal_type(page.path)
    reveal_type(own)
    reveal_type(impactsweep.solve)
    reveal_type(mode_map.load_picture)
    reveal_type(figure)
    try:
        return len(history) + len(frame) + len(impactsweep.theories()) + len(measured) + len(impactsweep.explore("rigid").html)
    except impactsweep.InputError as reason:
        raise SystemExit(str(reason)) from None
    finally:
        print(figure, unit)
"""
MISTAKES = (("degrees=True", "degrees=1.5", 'Argument "degrees" to "open"'),
            ("friction=0.3, stiffness_ratio", "friction=print, stiffness_ratio", 'Argument "friction" to "trace"'),
            ('loss="mean"', 'columns=["vx"]', 'Argument "columns" to "rank"'),
            ("unit: str", "unit: int", "Incompatible types in assignment"))
DATASET = "xarray.core.dataset.Dataset"
REVEALED = [DATASET, DATASET, "impactsweep.maps.shown_history.History", "pandas.DataFrame", DATASET, DATASET,
            "impactsweep.inference.fitting.Fit",
            "Union[builtins.float, numpy.ndarray[Any, numpy.dtype[numpy.floating[numpy._typing._64Bit]]]]",
            "pandas.DataFrame", "impactsweep.library.conversion.Conversion", "Union[builtins.str, None]", DATASET]


def loose(hint):
    """Whether a type is Any, has Any within it, or leaves out what its elements are."""
    if hint is typing.Any or hint in (dict, list, tuple, set, np.ndarray):
        return True
    if getattr(hint, "__module__", "").startswith("numpy._typing"):  # NumPy's own words, as of ArrayLike
        return False
    parts = typing.get_args(hint)
    if typing.get_origin(hint) is np.ndarray:  # NumPy has no types of shapes
        parts = typing.get_args(parts[1])
    return any(map(loose, [one for part in parts for one in (part if isinstance(part, list) else [part])]))


def functions_of(tree, module):
    """(function, the module or class that has it) of a file of types, whose classes are all in the module."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and hasattr(module, node.name):
            yield from ((one, getattr(module, node.name)) for one in node.body if isinstance(one, ast.FunctionDef))
        elif isinstance(node, ast.ClassDef):
            assert node.name in ELSEWHERE, node.name
        elif isinstance(node, ast.FunctionDef):
            yield node, module


def takes(function, node):
    """Whether a function of a library takes the keywords that a file of types gives it, as far as it tells."""
    try:
        known = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # of a property, or of C
        return True
    named = [one.arg for one in node.args.args[1:] + node.args.kwonlyargs if one.arg != "self"]
    return any(one.kind is one.VAR_KEYWORD for one in known) or set(named) <= {one.name for one in known} or (
        any(one.kind is one.VAR_POSITIONAL for one in known) or node.name.startswith("__"))


def signatures():
    """{name: function} of every public function, those of public classes among them."""
    functions = {name: getattr(impactsweep, name) for name in (*impactsweep.__all__, "compliant", "beam")}
    functions = {name: one for name, one in functions.items() if not inspect.isclass(one)}
    functions["impacts.read"] = impacts.read
    functions |= {f"guest.{name}": getattr(guest, name) for name in guest.__all__ if callable(getattr(guest, name))}
    for kind in (fitting.Fit, theories.Theory, pages.Page, impacts.Impacts):
        functions |= {f"{kind.__name__}.{name}": getattr(one, "fget", one) for name, one in vars(kind).items()
                      if not name.startswith("_") and (inspect.isfunction(one) or isinstance(one, property))}
    return functions


class Signatures:
    def test_every_argument_and_result_has_a_type(self):
        assert len(signatures()) > 30 and os.path.samefile(os.path.dirname(impactsweep.__file__), PACKAGE)
        for name, function in signatures().items():
            hints = typing.get_type_hints(function)
            wanted = {one.name for one in inspect.signature(inspect.unwrap(function)).parameters.values()} - {"self"}
            if name not in ("compliant", "beam"):  # of which the signature is that of the theory
                assert wanted | {"return"} == set(hints), name
            assert {one: hint for one, hint in hints.items() if loose(hint)} == {}, name

    def test_every_attribute_has_a_type(self):
        for kind in (fitting.Fit, theories.Theory, theories.Parameter, theories.Choice, theories.Output, impacts.Impacts):
            hints = typing.get_type_hints(kind)
            assert {one.name for one in dataclasses.fields(kind)} == set(hints)
            assert {one: hint for one, hint in hints.items() if loose(hint)} == {}, kind

    def test_what_is_loose(self):
        array = np.ndarray[typing.Any, np.dtype[np.float64]]
        assert not any(map(loose, (int, array, dict[str, array], typing.Callable[[int], str], typing.Union[str, None])))
        assert all(map(loose, (typing.Any, dict, dict[str, typing.Any], typing.Callable[[typing.Any], str],
                               np.ndarray[typing.Any, np.dtype[typing.Any]], typing.Optional[list])))

    def test_a_theory_in_a_notebook(self):
        """Every input and output of the page is in the tables, and nothing of it is taken for HTML."""
        for name in ("compliant", "rigid", "beam"):
            theory = impactsweep.describe(name)
            shown = theory._repr_html_()
            for tag in ("table", "details", "tr", "td"):
                assert len(re.findall(rf"<{tag}\b", shown)) == shown.count(f"</{tag}>") > 0
            for one in (*theory.inputs, *theory.outputs, *theory.bodies):
                assert re.search(rf"<td[^>]*>{one}\b", shown), one
        assert "&lt;" in notebook.folded("a<b", notebook.table(("c",), [("<d>",)]))


class Rules:
    def test_nothing_is_relaxed(self):
        """Strict, for every module of ours and every library."""
        with open(os.path.join(package.POSTPROCESS, "pyproject.toml"), "rb") as file:
            rules = tomllib.load(file)["tool"]["mypy"]
        assert rules == {"strict": True, "mypy_path": "$MYPY_CONFIG_FILE_DIR/stubs"}

    def test_types_of_libraries_are_true(self):
        """What the folder stubs says of a library is there, with the same names of parameters."""
        count = 0
        for path in glob.glob(os.path.join(STUBS, "**", "*.pyi"), recursive=True):
            name = os.path.relpath(path, STUBS).removesuffix(".pyi").removesuffix("/__init__").replace(os.sep, ".")
            with open(path, encoding="utf-8") as file:
                for node, owner in functions_of(ast.parse(file.read()), importlib.import_module(name)):
                    count += 1
                    assert hasattr(owner, node.name) or node.name in ELSEWHERE, (name, owner, node.name)
                    assert takes(getattr(owner, node.name, None), node), (name, owner, node.name)
        assert count > 130

    def test_few_lines_are_ignored(self):
        found = []
        for folder, _, names in os.walk(PACKAGE):
            for name in (name for name in names if name.endswith(".py")):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    found += [line for line in file if "type: ignore" in line or "mypy:" in line]
        assert len(found) == IGNORED and all(re.search(r"# type: ignore\[[a-z-]+\]  # \w", line) for line in found), found


@pytest.mark.skipif(not shutil.which("mypy"), reason="mypy is not installed")
class Strict(Case):
    def mypy(self, text):
        """What mypy says of the package and of a script; its memory is in the build folder."""
        self.write("user.py", text)
        done = subprocess.run(["mypy", "--cache-dir", os.path.join(BUILD, "mypy"), "impactsweep", self.path("user.py")],
                              cwd=package.POSTPROCESS, capture_output=True, text=True, check=False)
        assert done.stderr == ""
        return done.stdout.splitlines()

    def test_the_package_and_a_program(self):
        """Types are found, and none of them is Any."""
        assert os.path.exists(os.path.join(PACKAGE, "py.typed"))
        told = self.mypy(USER)
        assert [line for line in told if ": error:" in line] == [], "\n".join(told)
        assert re.fullmatch(r"Success: no issues found in \d+ source files", told[-1])
        found = [re.search(r'Revealed type is "(.*)"', line)[1] for line in told if "Revealed" in line]
        assert found[:len(REVEALED)] == REVEALED
        solve, picture, figure = found[len(REVEALED):]
        assert solve.startswith("def (builtins.str, *, outputs:") and solve.endswith(f"-> {DATASET}")
        assert figure == "matplotlib.figure.Figure"
        assert "notes: builtins.list[builtins.str]" in picture and picture.endswith("-> impactsweep.maps.planes.Picture")

    def test_mistakes_are_found(self):
        text = USER
        for right, wrong, _ in MISTAKES:
            assert right in text
            text = text.replace(right, wrong)
        errors = [line for line in self.mypy(text) if ": error:" in line]
        assert len(errors) == len(MISTAKES) and all(said in line for line, (_, _, said) in zip(errors, MISTAKES)), errors
