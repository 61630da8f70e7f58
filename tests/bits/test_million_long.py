"""A million random cells of every theory, law and body: the build at hand, and clang's best for a processor that
fuses, against the table, and against each other where it has no digest of a million yet."""
import os

import matrix

CELLS = matrix.COLUMNS[-1]


class Million:
    def test_digests(self):
        row, = (row for row in matrix.rows()
                if (row.compiler, row.level, row.platform) == ("clang", "-O3", "x86-64-v3"))
        matrix.skip_without(row)
        usual = matrix.digests(os.path.join(os.environ["IMPACT_BUILD"], "tests", "bits"), CELLS)
        other = matrix.run(row, CELLS)
        assert sum(n == CELLS for _, n in other) > 80
        for found in (usual, other):
            assert matrix.differences(found, CELLS, matrix.of_table(usual)) == []
