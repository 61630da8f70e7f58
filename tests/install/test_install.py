"""The installation: some test uses every file that is installed. The library in C (shared and static, found by
pkg-config and by CMake), in C++, and in Python by ctypes; the program, its manual pages, configs and jobs."""
import ctypes
import filecmp
import glob
import math
import os
import re
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
from support import BEAM, BUILD, FAILURE, PENDULUM, ROOT, Case, environment, needs_beam

STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]
ANGLE, FRICTION, RATIO = math.pi / 6, 0.3, 1.21
MAX_PARAMETERS, MAX_OUTPUTS = 64, 64


def closed_form():
    """Kinematic restitution of a pendulum that slips, sticks and slips back."""
    tangent = math.tan(ANGLE)
    lever = FRICTION * RATIO * tangent
    return math.sqrt(1 - 2 * FRICTION * (1 - lever) / ((tangent + FRICTION) * (1 + lever)))


def call(*words, **options):
    return subprocess.run(words, capture_output=True, text=True, **options)


class Install(Case):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.prefix = os.path.join(cls.shared, "prefix")
        result = call("cmake", "--install", BUILD, "--prefix", cls.prefix)
        if result.returncode:
            raise AssertionError(f"cmake --install: {result.stderr}{result.stdout}")

    def find(self, pattern):
        found = glob.glob(os.path.join(self.prefix, "**", pattern), recursive=True)
        assert len(found) == 1, f"{pattern}: {found}"
        return found[0]

    def compile(self, compiler, *words):
        include = os.path.dirname(self.find("impact.h"))
        result = call(compiler, *STRICT, "-I", include, *words, cwd=self.work)
        assert (result.returncode, result.stdout + result.stderr) == (0, "")

    def check_consumer(self, environment=None, program=None):
        result = call(program or self.path("consumer"), env=environment)
        assert (result.returncode, result.stderr) == (0, "")
        restitution, outcome, mode = result.stdout.split()
        assert float(restitution) == pytest.approx(closed_form(), abs=1e-12)
        assert (outcome, mode) == ("solved", "slip_stick_slip_reversed")
        return float(restitution)

    def installed(self):
        """Paths below the prefix, with LIBRARY and PYTHON for the folders of libraries and of Python packages."""
        python = os.path.relpath(os.path.dirname(os.path.dirname(self.find("py.typed"))), self.prefix)
        library = os.path.relpath(os.path.dirname(self.find("libimpact.a")), self.prefix)
        paths = {os.path.relpath(path, self.prefix)
                 for path in glob.glob(os.path.join(self.prefix, "**"), recursive=True)
                 if not os.path.isdir(path)}
        return {path.replace(python + "/", "PYTHON/").replace(library + "/", "LIBRARY/")
                for path in paths}

    def committed(self, folder, *endings):
        """Paths below the project of the files of a folder with one of the endings, those that git does not know yet too."""
        listed = call("git", "-C", ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "--", folder).stdout.split("\n")
        return {path for path in listed if path.endswith(endings)}

    @pytest.mark.skipif(not (os.path.exists(os.path.join(ROOT, ".git"))), reason="not a clone")
    def test_every_file_is_expected(self):
        """The comment beside a file names the test that uses the file."""
        commands = re.findall(r"^  impactsweep (\w+) ", self.good("--help"), re.M)
        version = self.good("--version").split()[1]
        targets = [os.path.basename(path) for path in
                   glob.glob(os.path.join(self.prefix, "**", "impactTargets-*.cmake"), recursive=True)]
        assert len(targets) == 1
        known = {
            "bin/impactsweep",  # test_the_installed_program_runs
            "include/impact.h",  # test_the_header_compiles_alone
            "LIBRARY/libimpact.a",  # test_a_c_program_with_the_static_library
            "LIBRARY/libimpact.so", "LIBRARY/libimpact.so." + version.split(".")[0],
            "LIBRARY/libimpact.so." + version,  # test_a_c_program_with_the_shared_library
            "LIBRARY/pkgconfig/impact.pc",  # test_pkg_config
            *(f"LIBRARY/cmake/impact/{name}" for name in (  # test_find_package
                "impactConfig.cmake", "impactConfigVersion.cmake", "impactTargets.cmake", *targets)),
            *(["LIBRARY/impactsweep/impactsweep-petsc.so"] if BEAM else []),  # test_the_module_of_petsc
            "share/man/man1/impactsweep.1",  # test_manual_pages
            *(f"share/man/man1/impactsweep-{name}.1" for name in commands),
            "share/bash-completion/completions/impactsweep",  # test_completions
            "share/zsh/site-functions/_impactsweep",
            *(f"share/doc/impactsweep/{name}" for name in (  # test_documents
                "README.md", "CHANGELOG.md", "LICENSE", "CITATION.cff", "copyright")),
            # test_configs, test_jobs
            *(f"share/impactsweep/{path}" for path in
              self.committed("configs", ".yaml", ".csv", ".md") |
              self.committed("jobs/*.*", ".sbatch", ".pbs", ".md") if "packages/" not in path),
            # postprocess/test_package_install.py
            *(path.replace("postprocess/", "PYTHON/", 1) for path in
              self.committed("postprocess/impactsweep", ".py", "py.typed", "looks.json")),
        }
        assert self.installed() ^ known == set()

    def test_documents(self):
        folder = os.path.join(self.prefix, "share", "doc", "impactsweep")
        for name in os.listdir(folder):
            source = os.path.join("jobs", "packages", name) if name == "copyright" else name
            assert filecmp.cmp(os.path.join(folder, name), os.path.join(ROOT, source), False)

    def test_configs(self):
        """The configs are those of the project, and the installed program reads them with their tables."""
        folder = os.path.join(self.prefix, "share", "impactsweep", "configs")
        difference = filecmp.dircmp(folder, os.path.join(ROOT, "configs"))
        assert (difference.left_only, difference.diff_files, difference.funny_files) == ([],) * 3
        for config in ("rod-oblique.yaml", "validation/brach-theory.yaml"):
            result = call(self.find("bin/impactsweep"), "check", os.path.join(folder, config))
            assert result.returncode == 0, result.stderr

    def test_jobs(self):
        """A task of an array, from the installed scripts and without a checkout, as Slurm starts it."""
        share = os.path.join(self.prefix, "share", "impactsweep")
        jobs = {name for name in os.listdir(os.path.join(share, "jobs"))}
        assert {"sweep.sbatch", "array.sbatch", "parts.sbatch", "sweep.pbs", "README.md"} <= jobs
        self.write("x.yaml", PENDULUM)
        settings = dict(environment(self.folder), IMPACTSWEEP_PROJECT=share, SLURM_NTASKS="2",
                        SLURM_JOB_ID="7", SLURM_ARRAY_TASK_ID="1", SLURM_SUBMIT_DIR=self.work,
                        PATH=os.path.join(self.prefix, "bin") + os.pathsep + os.environ["PATH"])
        settings.pop("IMPACTSWEEP", None)
        result = call(os.path.join(share, "jobs", "array.sbatch"), "x.yaml", cwd=self.work, env=settings)
        assert result.returncode == 0, result.stdout + result.stderr
        assert self.info("x.h5")["complete"]
        for name in ("sweep.pbs", "sweep.sbatch", "parts.sbatch"):
            assert call("bash", "-n", os.path.join(share, "jobs", name)).stderr == "", name

    def test_manual_pages(self):
        """The pages are those that the program prints, which cmd/test_man.py tests; `man` finds them."""
        folder = os.path.join(self.prefix, "share", "man")
        for name in os.listdir(os.path.join(folder, "man1")):
            with open(os.path.join(folder, "man1", name)) as page:
                words = name[len("impactsweep-"):-len(".1")]
                assert page.read() == self.good("help", *filter(None, [words]), "--man"), name
        if shutil.which("man"):
            found = call("man", "-M", folder, "--where", "impactsweep-run").stdout.strip()
            assert found == os.path.join(folder, "man1", "impactsweep-run.1")

    def test_completions(self):
        """The scripts are those that cmd/test_completion.py tests."""
        for installed, source in (("bash-completion/completions/impactsweep", "completion.bash"),
                                  ("zsh/site-functions/_impactsweep", "completion.zsh")):
            assert filecmp.cmp(os.path.join(self.prefix, "share", installed), os.path.join(ROOT, "src", "cmd", source),
                               False)

    def pkg_config(self, *words):
        path = os.path.dirname(self.find("impact.pc"))
        result = call("pkg-config", *words, "impact", env=dict(os.environ, PKG_CONFIG_PATH=path))
        assert result.returncode == 0, result.stderr
        return result.stdout.split()

    def page(self, language):
        """The example of include/README.md in a language."""
        with open(os.path.join(ROOT, "include", "README.md")) as file:
            return re.search(rf"```{language}\n(.*?)```", file.read(), re.S)[1]

    def check_cell(self, program, **settings):
        outcome, restitution = call(self.path(program), **settings).stdout.split()
        assert outcome == "solved"
        assert float(restitution) == pytest.approx(closed_form(), abs=1e-12)

    def test_pkg_config(self):
        """The example of include/README.md, compiled with the commands of the page: with the shared library, and
        into a program that needs no library."""
        assert self.page("c").count("\n") == 15
        self.write("cell.c", self.page("c"))
        settings = dict(os.environ, PKG_CONFIG_PATH=os.path.dirname(self.find("impact.pc")))
        result = call("sh", "-ec", self.page("sh"), cwd=self.work, env=settings)
        assert (result.returncode, result.stderr) == (0, "")
        self.check_cell("cell", env={key: value for key, value in os.environ.items() if key != "LD_LIBRARY_PATH"})
        self.check_cell("cell-static")
        assert "libimpact.so" in call("readelf", "-d", self.path("cell")).stdout
        assert "(NEEDED)" not in call("readelf", "-d", self.path("cell-static")).stdout
        said = call("pkg-config", "--modversion", "impact", env=settings).stdout
        assert said.strip() == self.good("--version").split()[1]

    def find_package(self, folder, text):
        """Configures a project outside this one, with the installation in a folder that CMake searches."""
        self.write("CMakeLists.txt", f"cmake_minimum_required(VERSION 3.16)\nproject(outside C)\n{text}")
        return call("cmake", "-S", self.work, "-B", self.path("build"), f"-DCMAKE_PREFIX_PATH={folder}")

    def test_find_package(self):
        """The project of include/README.md, and the same with the shared library, after the installation was
        moved."""
        moved = self.path("moved")
        shutil.copytree(self.prefix, moved, symlinks=True)
        self.write("cell.c", self.page("c"))
        text = self.page("cmake")
        result = self.find_package(moved, text + "add_executable(shared cell.c)\n"
                                   "target_link_libraries(shared PRIVATE impact::impact m)\n")
        assert result.returncode == 0, result.stdout + result.stderr
        result = call("cmake", "--build", self.path("build"))
        assert result.returncode == 0, result.stdout + result.stderr
        self.check_cell("build/cell")
        self.check_cell("build/shared")
        assert moved in call("ldd", self.path("build/shared")).stdout
        assert "libimpact" not in call("ldd", self.path("build/cell")).stdout
        assert "requested version" in self.find_package(moved, text.replace("1.0", "1.9")).stderr

    @needs_beam
    def test_the_module_of_petsc(self):
        """It is found where the installation was moved to, loaded for the solvers that need it alone, and missed by one
        clear error."""
        moved = self.path("moved")
        shutil.copytree(self.prefix, moved, symlinks=True)
        module, = glob.glob(os.path.join(moved, "**", "impactsweep-petsc.so"), recursive=True)
        program = os.path.join(moved, "bin", "impactsweep")
        words = (program, "cell", "beam", "position=0.3", "solver=modal")
        settings = dict(environment(self.folder), LD_DEBUG="files")
        assert "libpetsc" in call(*words, env=settings).stderr
        for others in (["--version"], ["models", "beam"], ["cell", "rigid", "body=rod", "angle=20 deg"]):
            assert "libpetsc" not in call(program, *others, env=settings).stderr
        assert call(*words).stdout == self.good(*words[1:])
        os.remove(module)
        result = call(*words)
        assert (result.returncode, result.stdout) == (FAILURE, "")
        assert re.match("impactsweep: error: the module that calls PETSc cannot be loaded: "
                        "impactsweep-petsc.so: cannot open .*\n$", result.stderr)

    def test_version_macros(self):
        self.write("version.c", """#include <impact.h>
#include <stdio.h>
#if !IMP_VERSION_AT_LEAST(1, 0, 0) || IMP_VERSION_AT_LEAST(IMP_VERSION_MAJOR, IMP_VERSION_MINOR, \\
    IMP_VERSION_PATCH + 1) || IMP_VERSION_AT_LEAST(IMP_VERSION_MAJOR, IMP_VERSION_MINOR + 1, 0) || \\
    IMP_VERSION_AT_LEAST(IMP_VERSION_MAJOR + 1, 0, 0)
#error "which version is it?"
#endif
int main(void) {
    printf("%d.%d.%d %s", IMP_VERSION_MAJOR, IMP_VERSION_MINOR, IMP_VERSION_PATCH, imp_version());
}
""")
        self.compile("cc", "-std=c11", "version.c", "-o", "version", self.find("libimpact.a"), "-lm")
        assert len(set(call(self.path("version")).stdout.split() + [self.good("--version").split()[1]])) == 1
        for name, form in (("CITATION.cff", r"^version: (.*)$"),
                           ("postprocess/pyproject.toml", r'^version = "(.*)"$')):
            with open(os.path.join(ROOT, name)) as file:
                assert re.search(form, file.read(), re.M)[1] == self.good("--version").split()[1], name

    def test_a_c_program_with_the_shared_library(self):
        folder = os.path.dirname(self.find("libimpact.so"))
        self.compile("cc", "-std=c11", os.path.join(HERE, "consumer.c"), "-o", "consumer",
                     "-L", folder, "-limpact")
        assert "libimpact.so" in call("readelf", "-d", self.path("consumer")).stdout
        self.check_consumer(dict(os.environ, LD_LIBRARY_PATH=folder))

    def test_a_c_program_with_the_static_library(self):
        # The library needs nothing but libc and libm: no MPI, no HDF5.
        self.compile("cc", "-std=c11", os.path.join(HERE, "consumer.c"), "-o", "consumer",
                     self.find("libimpact.a"), "-lm")
        self.check_consumer()
        needed = [line.split("[")[1].split("]")[0]
                  for line in call("readelf", "-d", self.path("consumer")).stdout.splitlines()
                  if "(NEEDED)" in line]
        assert [name for name in needed if not re.match(r"lib[cm]\.|ld-linux", name)] == []

    def test_python_by_ctypes(self):
        library = ctypes.CDLL(self.find("libimpact.so"))
        solver, outcome = ctypes.c_void_p(), ctypes.c_uint8()
        assert library.imp_open(b"compliant", b"body=pendulum", ctypes.byref(solver)) == 0
        pointer = ctypes.POINTER(ctypes.c_double)
        inputs, outputs = (pointer * MAX_PARAMETERS)(), (pointer * MAX_OUTPUTS)()
        for name, value in ((b"angle", ANGLE), (b"friction", FRICTION),
                            (b"stiffness_ratio", RATIO)):
            inputs[library.imp_input(solver, name)] = ctypes.pointer(ctypes.c_double(value))
        result = ctypes.c_double()
        place = library.imp_output_index(solver, b"kinematic_restitution")
        outputs[place] = ctypes.pointer(result)
        error = library.imp_solve(solver, ctypes.c_size_t(1), inputs, outputs,
                                  ctypes.byref(outcome))
        assert (error, outcome.value) == (0, 1)
        assert result.value == pytest.approx(closed_form(), abs=1e-12)
        library.imp_close(ctypes.byref(solver))
        assert solver.value is None

    def test_errors_by_ctypes(self):
        library = ctypes.CDLL(self.find("libimpact.so"))
        library.imp_last_error.restype = library.imp_version.restype = ctypes.c_char_p
        solver = ctypes.c_void_p(1)
        assert library.imp_open(b"complaint", b"", ctypes.byref(solver)) == 1
        assert b"complaint" in library.imp_last_error()
        assert solver.value is None
        version = self.good("--version").split()[1]
        assert library.imp_version().decode() == version

    def test_only_imp_names_are_exported(self):
        lines = call("nm", "-D", "--defined-only", self.find("libimpact.so")).stdout.splitlines()
        names = [line.split()[-1].split("@")[0] for line in lines]
        assert [name for name in names if not name.startswith("imp_")] == []
        assert {"imp_open", "imp_solve", "imp_close", "imp_last_error"} <= set(names)
        with open(self.find("impact.h")) as header:
            text = header.read()
        assert [name for name in names if name + "(" not in text] == [], "only what the header declares"
        with open(os.path.join(ROOT, "include", "symbols.txt")) as listed:
            known = listed.read().split()
        assert sorted(names) == known, "include/symbols.txt, which include/STABILITY.md explains, lists what is exported"

    def test_the_name_of_the_shared_library_has_its_major_version(self):
        said = call("readelf", "-d", self.find("libimpact.so")).stdout
        major = self.good("--version").split()[1].split(".")[0]
        assert re.search(r"\(SONAME\).*\[(.*)\]", said)[1] == f"libimpact.so.{major}"

    def test_the_header_compiles_alone(self):
        self.write("alone.c", "#include <impact.h>\n")
        self.compile("cc", "-std=c11", "-c", "alone.c", "-o", "alone.o")

    @pytest.mark.skipif(not shutil.which("g++"), reason="no C++ compiler")
    def test_the_header_compiles_as_cplusplus(self):
        self.write("alone.cpp", "#include <impact.h>\nint main() { return !imp_version(); }\n")
        self.compile("g++", "-std=c++11", "alone.cpp", "-o", "alone", self.find("libimpact.a"),
                     "-lm")
        assert call(self.path("alone")).returncode == 0

    def test_the_installed_program_runs(self):
        result = call(self.find("bin/impactsweep"), "--version")
        assert (result.returncode, result.stdout) == (0, self.good("--version"))

    def test_version_prints_how_the_program_was_built(self):
        said = dict(line.split(None, 1) for line in self.good("--version").splitlines())
        assert list(said) == ["impactsweep", "compiler", "flags", "libraries"]
        assert re.search(r"^\d+\.\d+\.\d+ \(.+\)$", said["impactsweep"])
        assert re.search(r"^\w+ \d+\.\d+\.\d+ for \w+$", said["compiler"])
        assert "-ffp-contract=off" in said["flags"]
        assert "-W" not in said["flags"]
        assert re.search(r"(MPI|MPICH).*, HDF5 \d+\.\d+\.\d+ (serial|parallel), .*PETSc( \d+\.\d+\.\d+|$)",
                         said["libraries"])
