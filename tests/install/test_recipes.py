"""The recipes of other package managers, as far as they can be checked without these: Spack's recipe runs
against stand-ins of the directives that Spack documents, conda's is read, the steps of the container are
compared. Options, versions and dependencies are those of CMakeLists.txt. The pages about clusters hold."""
import datetime
import os
import re
import subprocess
import sys
import types

import yaml

HERE = os.path.dirname(os.path.abspath(__file__))
from support import ROOT, Case

PACKAGES = os.path.join(ROOT, "jobs", "packages")
SPACK = os.path.join(PACKAGES, "spack", "spack_repo", "impactsweep")


def read(*names):
    with open(os.path.join(ROOT, *names)) as file:
        return file.read()


def required():
    """What CMakeLists.txt looks for: {name: least version or None}."""
    text = read("CMakeLists.txt")
    return {"cmake": re.search(r"cmake_minimum_required\(VERSION (.*?)\)", text)[1],
            "mpi": re.search(r"find_package\(MPI (\d+)", text)[1],
            "hdf5": re.search(r"find_package\(HDF5 (\S+)", text)[1],
            "petsc": re.search(r"PETSc>=(\S+) ", text)[1],
            **dict.fromkeys(re.findall(r"^  require_package\(\w+ (yaml)", text, re.M))}


class Options(Case):
    def options(self):
        return set(re.findall(r"^(?:option|set)\((IMPACT_\w+)",
                              read("CMakeLists.txt") + read("jobs", "packages", "install.cmake"), re.M))

    def check_options(self, text):
        named = set(re.findall(r"-D(IMPACT_\w+)", text))
        assert named - self.options() == set()
        assert named


class Spec:
    """What the recipe asks a spec, of Spack's documented interface."""

    def __init__(self, variants):
        self.variants = variants

    def satisfies(self, text):
        return self.variants[text[1:]] == (text[0] == "+")

    def __getitem__(self, name):
        return types.SimpleNamespace(mpicc=f"/spack/{name}/bin/mpicc")


def spack_recipe():
    """The class of the recipe, and the directives that it calls: [(directive, words, named words)]."""
    called = []
    names = "license version variant depends_on extends conflicts".split()
    package = types.ModuleType("spack.package")
    for name in names:
        setattr(package, name, lambda *words, _name=name, **named: called.append((_name, words, named)))

    class when:  # adds its condition to what stands in it
        def __init__(self, condition):
            self.condition = condition

        def __enter__(self):
            self.first = len(called)

        def __exit__(self, *_):
            for _, _, named in called[self.first:]:
                named.setdefault("when", self.condition)

    package.when, package.python_purelib = when, "/spack/lib/python3.11/site-packages"
    package.which = package.check_outputs = None
    cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")

    class CMakePackage:
        def define(self, name, value):
            return f"-D{name}={value if isinstance(value, str) else 'ON' if value else 'OFF'}"

        def define_from_variant(self, name, variant):
            return self.define(name, self.spec.variants[variant])
    cmake.CMakePackage = CMakePackage
    modules = {"spack": types.ModuleType("spack"), "spack.package": package,
               "spack_repo.builtin.build_systems.cmake": cmake}
    for name in ("spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        modules[name] = types.ModuleType(name)
    sys.modules.update(modules)
    space = {}
    exec(compile(read(SPACK, "packages", "impactsweep", "package.py"), "package.py", "exec"), space)
    return space["Impactsweep"], called


class Spack(Options):
    def test_the_folder_is_a_repository(self):
        assert yaml.safe_load(read(SPACK, "repo.yaml")) == {"repo": {"namespace": "impactsweep", "api": "v2.0"}}

    def test_its_dependencies_are_those_of_cmake(self):
        _, called = spack_recipe()
        specs = {re.match(r"[\w-]+", words[0])[0]: words[0] for name, words, _ in reversed(called)
                 if name == "depends_on"}
        spack_name = {"yaml": "libyaml"}
        for name, least in required().items():
            wanted = spack_name.get(name, name) + (f"@{least}:" if least else "")
            assert specs[spack_name.get(name, name)].split(" ")[0] == wanted
        assert "+hl" in specs["hdf5"]
        assert ("version", (self.good("--version").split()[1],), {}) in called

    def test_the_options_of_every_variant(self):
        recipe, called = spack_recipe()
        variants = {words[0] for name, words, _ in called if name == "variant"}
        assert variants == {"mpi", "petsc", "python"}
        for chosen in ((True, True, True), (True, False, True), (False, False, False)):
            package = recipe()
            package.spec = Spec(dict(zip(("mpi", "petsc", "python"), chosen)))
            args = package.cmake_args()
            self.check_options(" ".join(args))
            assert f"-DIMPACT_MPI={'ON' if chosen[0] else 'OFF'}" in args
            assert f"-DIMPACT_PETSC={'on' if chosen[1] else 'off'}" in args
            assert any("MPI_C_COMPILER" in arg for arg in args) == chosen[0]

    def test_its_test_runs(self):
        """`test_cell`, with the program of the suite in place of an installed one."""
        recipe, _ = spack_recipe()
        module = sys.modules["spack.package"]
        space = recipe.test_cell.__globals__
        space["which"] = lambda path: lambda *words, output: self.good(*words)

        def check_outputs(forms, text):
            for form in forms:
                assert re.search(form, text)
        space["check_outputs"] = check_outputs
        package = recipe()
        package.prefix = types.SimpleNamespace(bin=types.SimpleNamespace(impactsweep="impactsweep"))
        package.test_cell()
        assert module is not None


class Conda(Options):
    def recipe(self):
        text = read(PACKAGES, "conda", "meta.yaml")
        version = re.search(r'{% set version = "(.*)" %}', text)[1]
        text = re.sub(r"{%.*%}", "", text).replace("{{ version }}", version)
        return yaml.safe_load(re.sub(r"{{ compiler\('(\w+)'\) }}", r"compiler_\1", text))

    def test_it_is_the_project_of_this_version(self):
        recipe = self.recipe()
        assert recipe["package"] == {"name": "impactsweep", "version": self.good("--version").split()[1]}
        source = os.path.join(PACKAGES, "conda", recipe["source"]["path"])
        assert os.path.samefile(source, ROOT)
        assert os.path.exists(os.path.join(ROOT, recipe["about"]["license_file"]))

    def test_its_dependencies_are_those_of_cmake(self):
        needs = {line.split()[0]: line for part in self.recipe()["requirements"].values() for line in part}
        conda_name = {"mpi": "openmpi"}
        for name, least in required().items():
            line = needs[conda_name.get(name, name)]
            if least and name != "mpi":
                assert f">={least}" in line
        pip = read("postprocess", "pyproject.toml")
        for name in re.findall(r'"(\w+)"', re.search(r"dependencies = \[(.*)\]", pip)[1]):
            assert name in self.recipe()["requirements"]["run"]

    def test_its_steps(self):
        recipe = self.recipe()
        self.check_options(" ".join(recipe["build"]["script"]))
        for command in recipe["test"]["commands"]:
            if command.startswith("impactsweep "):
                self.good(*command.split()[1:])


class Container(Options):
    def sections(self):
        parts = re.split(r"^%(\w+)\n", read("jobs", "impactsweep.def"), flags=re.M)
        return {"head": parts[0], **dict(zip(parts[1::2], parts[2::2]))}

    def test_its_parts(self):
        sections = self.sections()
        assert set(sections) == {"head", "files", "post", "environment", "runscript", "test", "labels", "help"}
        assert re.search(r"(?m)^Bootstrap: docker\nFrom: debian:12$", sections["head"])
        for name in ("post", "environment", "runscript", "test"):
            checked = subprocess.run(["bash", "-n"], input=sections[name], text=True, capture_output=True)
            assert (checked.returncode, checked.stderr) == (0, "")
        self.check_options(sections["post"])
        assert "packages.sh build figures" in sections["post"]

    def test_its_test_runs(self):
        for line in self.sections()["test"].splitlines():
            if line.strip().startswith("impactsweep "):
                self.good(*line.split()[1:])


class Pages(Options):
    def test_the_citation(self):
        """What the schema of the Citation File Format 1.2.0 demands of the keys that are used."""
        citation = yaml.safe_load(read("CITATION.cff"))
        texts = {"message", "title", "version"}
        assert isinstance(citation.pop("date-released"), datetime.date)
        fixed = {"cff-version": "1.2.0", "type": "software", "license": "BSD-3-Clause"}
        assert set(citation) == texts | set(fixed) | {"authors", "keywords"}
        assert {key: citation[key] for key in fixed} == fixed
        for text in [citation[key] for key in texts] + citation["keywords"]:
            assert isinstance(text, str) and text
        assert len(set(citation["keywords"])) == len(citation["keywords"])
        assert citation["authors"]
        for author in citation["authors"]:
            assert set(author) == {"name"}  # an entity

    def test_options_that_pages_name(self):
        for page in (("README.md",), ("jobs", "clusters.md"), ("jobs", "packages", "README.md"),
                     ("include", "README.md")):
            self.check_options(read(*page))

    def test_the_example_of_the_page_about_clusters(self):
        page = read("jobs", "clusters.md")
        config = re.search(r"`waves.yaml`.*?:\n\n((?:    .*\n)+)", page)[1]
        self.write("waves.yaml", re.sub(r"^    ", "", config, flags=re.M))
        said = self.good("check", "waves.yaml", "--ranks", "6400")
        assert re.search(r"cells +1,000,000,000\n", said)
        assert re.search(r"file +1\.7e\+04 MB\n", said)

    def test_options_of_the_program_that_the_page_names(self):
        page = read("jobs", "clusters.md")
        known = " ".join(self.good("help", name) for name in ("run", "info", "check", "join"))
        named = {option for line in re.findall(r"impactsweep (?:run|info|check)[^`\n]*", page)
                 for option in re.findall(r"--[\w-]+", line)}
        assert named
        for option in named | {"--chunk", "--silence", "--resume"}:
            assert option in known
