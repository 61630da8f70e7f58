"""`export` of maps that others made."""
import unittest

import h5py
import numpy

from support import PENDULUM, Case


class Names(Case):
    def test_names_of_categories_are_no_formulas(self):
        self.write("x.yaml", PENDULUM)
        self.good("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        with h5py.File(self.path("x.h5"), "r+") as file:
            names = file["mode"].attrs["flag_meanings"]
            names = (names.decode() if isinstance(names, bytes) else names).split()
            names = ['=cmd|"calc"' if name == "wedge" else name for name in names]
            file["mode"].attrs["flag_meanings"] = numpy.bytes_(" ".join(names))
        text = self.good("export", "x.h5")
        self.assertGreater(text.count(""","'=cmd|""calc""\",slip"""), 0)
        self.assertEqual(text.count(",=cmd"), 0)
        self.assertGreater(text.count(",gross_stick,"), 0)


if __name__ == "__main__":
    unittest.main()
