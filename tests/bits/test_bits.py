#!/usr/bin/python3
"""The same bits on every x86: the kernels of the usual build, and those built for processors that can fuse a
multiplication with an addition, which rounds once instead of twice."""
import os
import re
import subprocess
import sys
import unittest

PLACE = os.path.join(os.environ["IMPACT_BUILD"], "tests")
USUAL, OF_V3 = (os.path.join(PLACE, name) for name in ("bits", "bits_of_v3"))
FUSED = re.compile(r"\tvfn?m(?:add|sub)\w+\s")
# The features of x86-64-v3, by their names in /proc/cpuinfo.
NEEDED = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}


def processor_has():
    with open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("flags"):
                return set(line.split())
    return set()


def lines(program):
    done = subprocess.run([program], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


class Bits(unittest.TestCase):
    def test_no_instruction_fuses(self):
        listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", OF_V3],
                                 capture_output=True, text=True, check=True).stdout
        functions, found, name = 0, {}, None
        for line in listing.splitlines():
            title = re.match(r"[0-9a-f]+ <(.*)>:", line)
            if title:
                name = title.group(1)
                functions += name.startswith("imp_")
            elif FUSED.search(line):
                found.setdefault(name, line.split("\t", 1)[1])
        self.assertGreater(functions, 50, "the program has no kernels")
        self.assertTrue("\tvmulpd " in listing, "the kernels were not built for x86-64-v3")
        self.assertEqual(found, {})

    def test_the_pattern_knows_fused_instructions(self):
        for word in ("vfmadd213pd", "vfmsub231sd", "vfnmadd132sd", "vfnmsub213pd",
                     "vfmaddsub213pd", "vfmsubadd231pd"):
            self.assertRegex(f"  4011d0:\t{word} %ymm0,%ymm1,%ymm2", FUSED)
        self.assertNotRegex("  4011d0:\tvaddsubpd %xmm0,%xmm1,%xmm2", FUSED)

    def test_both_builds_compute_the_same_bits(self):
        missing = NEEDED - processor_has()
        if missing:
            reason = "this processor cannot fuse: it lacks " + ", ".join(sorted(missing))
            print("test_bits: skipped,", reason, file=sys.stderr)
            self.skipTest(reason)
        usual, fused = lines(USUAL), lines(OF_V3)
        solved = [int(line.split()[-1]) for line in usual if " solved " in line]
        self.assertGreater(len(solved), 50)
        self.assertGreater(sum(n > 0 for n in solved), 0.8 * len(solved))
        self.assertEqual([a for a, b in zip(usual, fused) if a != b], [])
        self.assertEqual(len(usual), len(fused))


if __name__ == "__main__":
    unittest.main()
