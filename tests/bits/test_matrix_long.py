"""The table of digests with every compiler, level of optimisation and processor that this machine can run."""
import os

import matrix


class Matrix:
    def test_rows(self):
        cells = matrix.COLUMNS[1]
        usual = matrix.of_table(matrix.digests(os.path.join(os.environ["IMPACT_BUILD"], "tests", "bits"), cells))
        for row in matrix.rows():
            matrix.skip_without(row)
            assert matrix.differences(matrix.run(row, cells), cells, usual) == []
