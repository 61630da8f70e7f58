#!/usr/bin/python3
"""The table of digests with every compiler, level of optimisation and processor that this machine can run."""
import os
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import matrix


class Matrix(unittest.TestCase):
    def test_rows(self):
        cells = matrix.COLUMNS[1]
        usual = matrix.of_table(matrix.digests(os.path.join(os.environ["IMPACT_BUILD"], "tests", "bits"), cells))
        for row in matrix.rows():
            with self.subTest(row=row.title()):
                matrix.skip_without(self, row)
                self.assertEqual(matrix.differences(matrix.run(row, cells), cells, usual), [])


if __name__ == "__main__":
    matrix.main_of_test()
