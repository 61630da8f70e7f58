"""The same bits everywhere: the digests of random cells are those of the table, in the build at hand and in
builds for processors that can fuse a multiplication with an addition, which rounds once instead of twice.
matrix.py has all compilers and processors."""
import functools
import os
import re
import subprocess

import matrix

BUILD = os.environ["IMPACT_BUILD"]
USUAL, OF_V3 = (os.path.join(BUILD, "tests", name) for name in ("bits", "bits_of_v3"))
FUSED = re.compile(r"\tvfn?m(?:add|sub)\w+\s")
FEW, MANY = matrix.COLUMNS[:2]
# Functions of libm with one right answer.
EXACT = {"fma", "fmod", "frexp", "ldexp", "nextafter"}


def output(*words):
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@functools.cache
def of_this_build():
    return matrix.digests(USUAL, MANY)


def few_of_this_build():
    return {key: digest for key, digest in of_this_build().items() if key[1] <= FEW}


class Instructions:
    def test_none_fuses(self):
        functions, found, name = 0, {}, None
        listing = output("objdump", "-d", "--no-show-raw-insn", OF_V3)
        for line in listing.splitlines():
            title = re.match(r"[0-9a-f]+ <(.*)>:", line)
            if title:
                name = title.group(1)
                functions += name.startswith("imp_")
            elif FUSED.search(line):
                found.setdefault(name, line.split("\t", 1)[1])
        assert functions > 50, "the program has no kernels"
        power = listing[listing.index("<imp_exp>:"):].split("\n\n")[0]
        assert "\tvmulsd " in power and "\tmulsd " not in power, "the kernels were not built for x86-64-v3"
        assert "\tlzcnt" not in listing, "processors.py does not ask for what the kernels need"
        assert found == {}

    def test_the_pattern_knows_fused_instructions(self):
        for word in ("vfmadd213pd", "vfmsub231sd", "vfnmadd132sd", "vfnmsub213pd",
                     "vfmaddsub213pd", "vfmsubadd231pd"):
            assert re.search(FUSED, f"  4011d0:\t{word} %ymm0,%ymm1,%ymm2")
        assert not re.search(FUSED, "  4011d0:\tvaddsubpd %xmm0,%xmm1,%xmm2")

    def test_kernels_take_only_exact_functions_from_libm(self):
        wanted = set(re.findall(r" U (\w+)$", output("nm", "-u", os.path.join(BUILD, "libimpact.a")), re.M))
        path = output("gcc", "-print-file-name=libm.so.6").strip()
        offered = set(re.findall(r" [TWi] (\w+)@", output("nm", "-D", "--defined-only", path)))
        assert {"pow", "sin", "hypot", "fmax"} | EXACT <= offered, path
        assert wanted & EXACT, "the library has no kernels"
        assert wanted & offered - EXACT == set()


class Digests:
    def test_of_this_build(self):
        found = of_this_build()
        assert len(found) > 150
        assert matrix.differences(matrix.of_table(found), MANY) == []

    def test_of_processors_that_fuse(self):
        """Solvers that need PETSc, too."""
        matrix.skip_without(matrix.Row("gcc", "-O3", "x86-64-v3"))
        usual, fused = few_of_this_build(), matrix.digests(OF_V3, FEW)
        assert [key for key in usual if usual[key] != fused.get(key)] == []
        assert matrix.differences(matrix.of_table(fused), FEW) == []

    def test_of_another_compiler(self):
        row, = (row for row in matrix.rows()
                if (row.compiler, row.level, row.platform) == ("clang", "-O3", "x86-64-v3"))
        matrix.skip_without(row)
        usual = matrix.of_table(few_of_this_build())
        assert matrix.differences(matrix.run(row, FEW), FEW, usual) == []


    def test_of_some_lines_are_those_of_all(self):
        wanted = {key: digest for key, digest in few_of_this_build().items() if "law=dashpot" in key[0]}
        assert len(wanted) > 20
        assert matrix.digests(USUAL, FEW, line="law=dashpot") == wanted


class Lines:
    """Of the table, for theories, laws and bodies that come later."""
    KNOWN = next(iter(matrix.table()))
    NEW = ("compliant body=invented law=linear", FEW)

    def test_what_has_no_line_yet_is_compared_with_another_build(self):
        found = {**matrix.table(), self.NEW: "1"}
        assert matrix.differences(found, MANY) == []
        assert matrix.differences(found, MANY, {self.NEW: "1"}) == []
        assert matrix.differences(found, MANY, {self.NEW: "2"}) == [self.NEW]

    def test_a_line_that_changes_or_goes_is_a_difference(self):
        found = {**matrix.table(), self.KNOWN: "1"}
        assert matrix.differences(found, MANY) == [self.KNOWN]
        del found[self.KNOWN]
        assert matrix.differences(found, MANY) == [self.KNOWN]

    def test_a_digest_of_more_cells_stays_where_those_of_fewer_are_as_they_were(self):
        name, most = self.KNOWN[0], matrix.COLUMNS[2]
        known = {(name, FEW): "1", (name, MANY): "2", (name, most): "3"}
        assert matrix.still_valid(known, {(name, FEW): "1", (name, MANY): "2"}, MANY) == {(name, most): "3"}
        assert matrix.still_valid(known, {(name, FEW): "1", (name, MANY): "9"}, MANY) == {}
        assert matrix.still_valid(known, {self.NEW: "1"}, MANY) == {}
        assert matrix.still_valid(known, {(name, FEW): "1", (name, MANY): "2", (name, most): "4"}, most) == {}

    def test_cells_that_petsc_solves_have_no_line(self):
        found = {("beam solver=modal", 8): "1", self.NEW: "2"}
        assert matrix.of_table(found) == {self.NEW: "2"}
