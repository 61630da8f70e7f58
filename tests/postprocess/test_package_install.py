"""The package in a checkout, and installed by CMake or pip; its registry, its runs, the examples of its pages."""
import doctest
import importlib
import json
import os
import re
import shutil
import subprocess
import sys

import package
import examples
import impactsweep
import numpy as np
import pytest
import xarray as xr
from impactsweep.library import binding
from impactsweep.solving import running
from support import BUILD, PROGRAM, Case, environment

CONFIG = {"model": "compliant", "choose": {"body": "pendulum", "law": "linear"},
          "axes": [{"param": "angle", "from": "10 deg", "to": "80 deg", "points": 8},
                   {"param": "friction", "values": [0.1, 0.4, 1.0]}],
          "fixed": {"stiffness_ratio": 1.21}}
# Solves one cell, runs a small map, and prints the paths of package, library and program.
USER = """
import impactsweep, sys
from impactsweep.library import paths
cell = impactsweep.solve("compliant", body="pendulum", angle="30 deg", friction=0.3,
                         stiffness_ratio=1.21)
map = impactsweep.run({"model": "null", "axes": [{"param": "x", "values": [1, 2]}],
                       "fixed": {"y": 1, "cost": 0}})
print(impactsweep.__file__, paths.load_library()._name, paths.find_program(), cell.mode.item(),
      map.sizes["x"], sep="\\n")
"""
MODULES = ("maps.dataset", "maps.sequences", "maps.rows", "library.theories", "solving.cells", "solving.tracing", "solving.running")


class Registry(Case):
    def test_structures_are_those_of_the_header(self):
        lines = []
        for name, structure in binding.MIRRORED.items():
            lines += [f'    printf("%zu\\n", offsetof({name}, {field[0]}));'
                      for field in structure._fields_]
            lines.append(f'    printf("%zu\\n", sizeof({name}));')
        text = ("#include <impact.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines)
                + '\n    printf("%d %d %d\\n", IMP_MAX_PARAMETERS, IMP_MAX_CHOICES, IMP_MAX_OUTPUTS);'
                "\n    return 0;\n}\n")
        self.write("layout.c", text)
        subprocess.run(["cc", "-I", os.path.join(package.ROOT, "include"), "layout.c", "-o", "layout"],
                       cwd=self.work, check=True)
        told = subprocess.run([self.path("layout")], capture_output=True, text=True).stdout
        ours = []
        for structure in binding.MIRRORED.values():
            ours += [getattr(structure, field[0]).offset for field in structure._fields_]
            ours.append(binding.ctypes.sizeof(structure))
        assert told.splitlines() == [*map(str, ours),
                                     f"{binding.MAX_PARAMETERS} {binding.MAX_CHOICES} {binding.MAX_OUTPUTS}"]

    def test_tables_are_those_of_the_program(self):
        told = {one["name"]: one for one in json.loads(self.good("models", "--json"))}
        assert impactsweep.theories() == {name: one["title"] for name, one in told.items()}
        for name in impactsweep.theories():
            table, page = impactsweep.describe(name), str(impactsweep.describe(name))
            assert list(table.choices) == [one["name"] for one in told[name]["choices"]]
            for choice in told[name]["choices"]:
                assert list(table.choices[choice["name"]].options) == [option["name"] for option in choice["options"]]
            assert set(table.inputs) == {one["name"] for one in told[name]["parameters"]}
            for one in told[name]["outputs"]:
                output = table.outputs[one["name"]]
                assert (output.unit, output.meaning) == (one["unit"], one["meaning"])
                assert one["name"] in page
            assert [mode for mode, _ in table.modes.values()] == [one["name"] for one in told[name]["modes"]]
        angle = impactsweep.describe("compliant").inputs["angle"]
        assert {"[-90, 90] deg", "(0, 90) deg"} <= {one.range for one in angle.variants}
        impactsweep.describe("compliant").inputs.clear()  # of a table of the user's own
        assert impactsweep.describe("compliant").inputs["angle"] == angle


class Runs(Case):
    def test_run_and_solve_agree(self):
        found = impactsweep.run(CONFIG, out=self.path("map.h5"), ranks=2)
        with found:
            solved = impactsweep.solve("compliant", body="pendulum", stiffness_ratio=1.21,
                                       angle=found.angle, friction=found.friction)
            assert set(found.data_vars) == set(solved.data_vars)
            for name in found.data_vars:
                xr.testing.assert_equal(found[name].variable, solved[name].variable)
                assert {key: str(one) for key,
                        one in found[name].attrs.items() if key != "undefined_in"
                        and key != "undefined_when"} == {key: str(one) for key, one in solved[name].attrs.items()}
            for name in found.coords:
                assert solved[name].attrs.items() <= found[name].attrs.items(), name
        assert self.info("map.h5")["sessions"][0]["ranks"] == 2

    def test_paths_options_and_resume(self):
        path = self.write("map.yaml", running.yaml_of(CONFIG))
        with impactsweep.run(path, out=self.path("a.h5"), set={"stiffness_ratio": 2},
                             degrees=True) as data:
            assert (data.stiffness_ratio.item(), data.angle[0].item()) == (2, 10)
        before = os.stat(self.path("a.h5")).st_mtime_ns
        impactsweep.run(path, out=self.path("a.h5"), set={"stiffness_ratio": 2}).close()
        assert os.stat(self.path("a.h5")).st_mtime_ns == before
        with pytest.raises(impactsweep.InputError, match="a.h5"):
            impactsweep.run(path, out=self.path("a.h5"))  # another stiffness ratio
        with impactsweep.run(path, out=self.path("a.h5"), force=True) as data:
            assert data.stiffness_ratio.item() == 1.21

    def test_errors_carry_the_text_of_the_program(self):
        wrong = {**CONFIG, "fixed": {"stiffness_ratio": -1, "frction": np.float64(0.3)}}
        with pytest.raises(impactsweep.InputError) as caught:
            impactsweep.run(wrong, out=self.path("map.h5"), ranks=2)
        lines = str(caught.value).splitlines()
        assert len(lines) == 2, lines
        assert re.search(r"config.yaml:4:26: error: 'stiffness_ratio' is -1, outside", lines[0])
        assert re.search(r"error: unknown parameter 'frction' \(did you mean 'friction'", lines[1])
        assert self.files() == []
        with pytest.raises(impactsweep.InputError, match="no-such.yaml"):
            impactsweep.run(self.path("no-such.yaml"), out=self.path("map.h5"))

    def test_a_run_that_stops_early_gives_an_unfinished_map(self):
        slow = {"model": "null", "axes": [{"param": "x", "from": 0, "to": 1, "points": 500}],
                "fixed": {"y": 1, "cost": 0.01}}
        with pytest.warns(impactsweep.Unfinished):
            impactsweep.run(slow, out=self.path("slow.h5"), time_limit="0.1s").close()

    def test_a_dict_becomes_a_config_in_plain_text(self):
        text = running.yaml_of({**CONFIG, "title": "yes: {1}", "outputs": ["mode"]})
        assert "axes: [{param: angle, from: 10 deg, to: 80 deg, points: 8}, " in text
        assert 'title: "yes: {1}"\noutputs: [mode]\n' in text


class Places(Case):
    def user(self, path, cwd=None, **variables):
        """Runs USER with the package of a folder. The lines that it prints, or its error."""
        clean = {name: value for name, value in environment(self.folder).items()
                 if not name.startswith(("IMPACTSWEEP", "PYTHONPATH", "LD_"))}
        done = subprocess.run([sys.executable, "-B", "-c", USER], cwd=cwd or self.work, text=True,
                              capture_output=True, env={**clean, "PYTHONPATH": path, **variables})
        return done.stdout.splitlines() if done.returncode == 0 else done.stderr

    def check(self, words, package_, library_, program):
        assert isinstance(words, list), words
        for path, root in zip(words, (package_, library_, program)):
            assert os.path.realpath(path).startswith(os.path.realpath(root)), (words, root)
        assert words[3:] == ["slip_stick_slip_reversed", "2"]

    def checkout(self):
        """A copy of the package in a checkout without a build."""
        root = self.path("checkout")
        shutil.copytree(package.POSTPROCESS, os.path.join(root, "postprocess"),
                        ignore=shutil.ignore_patterns("*.png", "__pycache__", "published"))
        shutil.copytree(os.path.join(package.ROOT, "include"), os.path.join(root, "include"))
        return root

    def built_checkout(self):
        """The project's folder and that of a build in it."""
        root = self.checkout()
        build = os.path.join(root, "build", "release")
        os.makedirs(build)
        for name in ("libimpact.so.1", "impactsweep"):
            shutil.copy(os.path.join(BUILD, name), build)
        return root, build

    def test_installed_by_cmake(self):
        prefix = self.path("prefix")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        places = [folder for folder, _, names in os.walk(prefix) if "py.typed" in names]
        assert len(places) == 1
        self.check(self.user(os.path.dirname(places[0])), prefix, prefix, prefix)

    def test_checkout(self):
        root, build = self.built_checkout()
        self.check(self.user(os.path.join(root, "postprocess")), root, build, build)

    def test_pip(self):
        """As on a machine without network, with Debian's setuptools."""
        root, target = self.checkout(), self.path("target")
        done = subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-index",
             "--no-deps", "--target", target, os.path.join(root, "postprocess")],
            capture_output=True, text=True, env={**environment(self.folder),
                                                 "PIP_ROOT_USER_ACTION": "ignore"})
        assert done.returncode == 0, done.stderr
        self.check(self.user(target, IMPACTSWEEP=PROGRAM), target, BUILD, BUILD)
        # xarray finds the engine of an installed package.
        impactsweep.run(CONFIG, out=self.path("map.h5")).close()
        code = ("import xarray; print(xarray.open_dataset('map.h5', engine='impactsweep', "
                "degrees=True).mode.sel(angle=10, friction=1.0).item())")
        done = subprocess.run([sys.executable, "-c", code], cwd=self.work, text=True,
                              capture_output=True, env={**os.environ, "PYTHONPATH": target})
        assert (done.stdout, done.stderr) == ("wedge\n", "")

    def test_the_line_of_the_page_in_a_fresh_environment_without_a_network(self):
        """Every line that the page gives, in a checkout with a build; then the package finds what the checkout has built,
        and no variable or PATH has to name it."""
        root, build = self.built_checkout()
        with open(os.path.join(package.POSTPROCESS, "README.md"), encoding="utf-8") as file:
            lines = [line.strip() for line in file if line.startswith("    ") and "env" in line.split("/")[0].split()[-1:]
                     or line.startswith("    python3 -m venv")]
        assert len(lines) == 2, lines
        clean = {name: value for name, value in environment(self.folder).items()
                 if not name.startswith(("IMPACTSWEEP", "PYTHONPATH", "LD_", "PIP_"))}
        clean.update(PATH="/usr/bin:/bin", PIP_NO_INDEX="1", PIP_DISABLE_PIP_VERSION_CHECK="1")
        for line in lines:
            done = subprocess.run(line.replace("python3", sys.executable, 1) if line.startswith("python3") else line,
                                  shell=True, cwd=root, env=clean, capture_output=True, text=True)
            assert done.returncode == 0, (line, done.stdout, done.stderr)
        python = os.path.join(root, "env", "bin", "python")
        done = subprocess.run([python, "-c", USER], cwd=self.work, text=True, capture_output=True, env=clean)
        assert done.returncode == 0, done.stderr
        self.check(done.stdout.splitlines(), os.path.join(root, "env"), build, build)

    def test_an_error_about_a_missing_library_lists_the_places_searched(self):
        root = self.checkout()
        path = os.path.join(root, "postprocess")
        error = self.user(path, PATH="/nowhere")
        for words in (r"ProgramError: The library libimpact.so.1 was not found", "IMPACTSWEEP_LIBRARY",
                      os.path.join(root, "build", "*", "libimpact.so.1")):
            assert words in error
        error = self.user(path, PATH="/nowhere",
                          IMPACTSWEEP_LIBRARY=os.path.join(BUILD, "libimpact.so.1"))
        assert "ProgramError: The program impactsweep was not found" in error
        error = self.user(path, IMPACTSWEEP_LIBRARY="/nowhere/libimpact.so")
        assert "IMPACTSWEEP_LIBRARY is '/nowhere/libimpact.so': there is no such file" in error
        self.write("text.so", "no library")
        assert "text.so cannot be loaded" in self.user(path, IMPACTSWEEP_LIBRARY=self.path("text.so"))


class Pages(Case):
    def test_examples_in_docstrings(self):
        for name in MODULES:
            module = importlib.import_module(f"impactsweep.{name}")
            found = doctest.testmod(module)
            assert found.failed == 0, name

    def test_examples_of_the_page(self):
        page = os.path.join(package.POSTPROCESS, "README.md")
        assert 4 < len(examples.blocks_of(page))
        wrong = examples.Reader(self.work, environment(self.folder)).follow(page)
        assert wrong == [], "\n".join(wrong)
