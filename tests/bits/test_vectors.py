"""The test vectors for other programs: their checksums, and that they say exactly what the map has."""
import csv
import os
import tempfile

import h5py
import numpy as np

import vectors

POINTS = 20


def checksums(column, points, wanted):
    """{name: checksum} of some cases, as made now and as a column of vectors.txt has them."""
    known = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "vectors.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                name, *sums = line.split()
                known[name] = sums[column]
    with tempfile.TemporaryDirectory() as folder:
        made = {name: vectors.make(folder, name, theory, chosen, points)[:32]
                for name, theory, chosen in vectors.cases() if wanted(name)}
    return {name: made.get(name) for name in known if wanted(name)}, \
           {name: total for name, total in known.items() if wanted(name)}


class Vectors:
    def test_checksums(self):
        """One body of each theory and law."""
        made, known = checksums(0, POINTS, lambda name: "-rod" in name or "visco" in name)
        assert len(known) > 10
        assert made == known

    def test_a_table_has_every_bit_of_its_map(self):
        case, = vectors.cases(["compliant-rod-hertz"])
        with tempfile.TemporaryDirectory() as folder:
            vectors.make(folder, *case, POINTS, keep=True)
            path = os.path.join(folder, case[0])
            with open(path + ".csv", encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            with h5py.File(path + ".h5") as map_:
                for name in ("angle", "friction", "energy_loss", "duration", "residual"):
                    values = [float.fromhex(row[name] or "nan") for row in rows]
                    np.testing.assert_array_equal(values, map_[name][:], name)
                assert {row["body"] for row in rows} == {"rod"}
                assert {row["outcome"] for row in rows} == {"solved"}
        assert len(rows) == POINTS
