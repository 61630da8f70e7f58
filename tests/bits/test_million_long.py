#!/usr/bin/python3
"""A million random cells of every theory, law and body: the build at hand, and clang's best for a processor that
fuses, against the table, and against each other where it has no digest of a million yet."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import matrix

CELLS = matrix.COLUMNS[-1]


class Million(unittest.TestCase):
    def test_digests(self):
        row, = (row for row in matrix.rows()
                if (row.compiler, row.level, row.platform) == ("clang", "-O3", "x86-64-v3"))
        matrix.skip_without(self, row)
        usual = matrix.digests(os.path.join(os.environ["IMPACT_BUILD"], "tests", "bits"), CELLS)
        other = matrix.run(row, CELLS)
        self.assertGreater(sum(n == CELLS for _, n in other), 80)
        for found in (usual, other):
            self.assertEqual(matrix.differences(found, CELLS, matrix.of_table(usual)), [])


if __name__ == "__main__":
    matrix.main_of_test()
