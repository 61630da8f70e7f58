"""`export`: maps of other programs, slices, outputs, degrees."""
import csv
import io

import h5py
import numpy

from support import PENDULUM, Case, needs_beam

MAP = """model: compliant
choose: {body: pendulum}
axes:
  - {param: law, values: [linear, hertz]}
  - {param: angle, values: [10 deg, 30 deg, 70 deg]}
  - {param: friction, from: 0.1, to: 0.9, points: 700}
  - {param: damping, values: [0, 1]}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, energy_loss, duration]
"""
MODES = """model: beam
axes: [{param: position, values: [0.3, 0.6]}]
outputs: [mode, mode_energy, energy_loss]
"""


class Names(Case):
    def test_names_of_categories_never_become_formulas(self):
        self.run_config(PENDULUM, "x.h5", "--progress", "none")
        with h5py.File(self.path("x.h5"), "r+") as file:
            names = file["mode"].attrs["flag_meanings"]
            names = (names.decode() if isinstance(names, bytes) else names).split()
            names = ['=cmd|"calc"' if name == "wedge" else name for name in names]
            file["mode"].attrs["flag_meanings"] = numpy.bytes_(" ".join(names))
        text = self.good("export", "x.h5")
        assert text.count(""","'=cmd|""calc""\",slip""") > 0
        assert text.count(",=cmd") == 0
        assert text.count(",gross_stick,") > 0


class Slices(Case):
    def setup_method(self):
        super().setup_method()
        self.shared_map(MAP, "x.h5")

    def rows(self, *words):
        return list(csv.DictReader(io.StringIO(self.good("export", "x.h5", *words))))

    def test_a_slice_is_a_part_of_the_table_for_any_axes(self):
        whole = self.rows()
        points = {"law": "hertz", "angle": "0.5235987755982988", "damping": "1",
                  "friction": whole[5]["friction"]}
        for names in (("law",), ("angle",), ("friction",), ("damping",), ("law", "damping"),
                      ("law", "angle", "friction", "damping")):
            slices = [word for name in names for word in ("--slice", f"{name}={points[name]}")]
            expected = [row for row in whole
                        if all(row[name] == points[name] or
                               name == "angle" and abs(float(row[name]) - 0.5236) < 1e-4
                               for name in names)]
            assert len(expected) > 0
            assert self.rows(*slices) == expected

    def test_outputs_are_chosen_and_the_outcome_stays(self):
        row = self.rows("--fields", "energy_loss,mode", "--slice", "friction=0.1")[0]
        assert list(row) == ["law", "angle", "friction", "damping", "mode", "energy_loss", "outcome"]

    def test_degrees_are_named_in_the_head_and_are_those_of_the_config(self):
        rows = self.rows("--degrees", "--slice", "angle=30deg")
        assert {row["angle [deg]"] for row in rows} == {"30"}
        self.write("table.csv", self.good("export", "x.h5", "--degrees", "--fields", "mode"))
        self.good("export", "x.h5", "-o", "own.csv", "--degrees")
        self.good("export", "x.h5", "-o", "own.csv")  # known as its own

    def test_hexadecimal_numbers_are_exact_and_what_is_fixed_is_said(self):
        words = ("--slice", "law=hertz", "--fields", "energy_loss,mode")
        rows, plain = self.rows("--hex", *words), self.rows(*words)
        assert len(rows) == len(plain)
        assert {row["body"] for row in rows} == {"pendulum"}
        assert [row["mode"] for row in rows] == [row["mode"] for row in plain]
        for name in ("angle", "energy_loss"):
            assert [float.fromhex(row[name]) for row in rows if row[name]] == [float(row[name]) for row in plain
                                                                               if row[name]]
            assert all(row[name].lstrip("-").startswith("0x") for row in rows if row[name])
        self.good("export", "x.h5", "--hex", "-o", "hex.csv")
        self.good("export", "x.h5", "-o", "hex.csv")  # known as its own
        self.bad("export", "x.h5", "--hex", "--degrees", says="not with --degrees")

    def test_the_nearest_point_is_named(self):
        said = self.sweep("export", "x.h5", "--slice", "angle=31deg")
        assert said.returncode == 0
        assert said.stderr == "impactsweep: note: angle=31deg is between two points; the nearest one is used: 30 deg\n"

    def test_every_mistake_has_a_message_and_nothing_is_written(self):
        for words, says in ((("--slice", "angle=80deg"), "outside the axis, which runs from 10 deg to 70 deg"),
                            (("--slice", "angl=1"), "did you mean 'angle'?"),
                            (("--slice", "law=herz"), "did you mean 'hertz'?"),
                            (("--slice", "friction=0.3x"), "'0.3x' is not a number"),
                            (("--slice", "friction"), "write axis=value"),
                            (("--slice", "body=rod"), "has one value in this map"),
                            (("--slice", "law=hertz", "--slice", "law=linear"), "is cut twice"),
                            (("--fields", "mode,energyloss"), "did you mean 'energy_loss'?")):
            self.bad("export", "x.h5", "-o", "x.csv", *words, says=says)
        message = self.bad("export", "x.h5", "-o", "x.csv", "--slice", "a=1", "--slice", "angle=9",
                           "--fields", "x")
        assert message.count("error: export: ") == 3
        assert self.files() == ["x.h5"]

    @needs_beam
    def test_values_of_one_cell_can_be_cut(self):
        self.write("b.yaml", MODES)
        self.good("run", "b.yaml", "-o", "b.h5", "--progress", "none")
        whole = list(csv.DictReader(io.StringIO(self.good("export", "b.h5"))))
        cut = list(csv.DictReader(io.StringIO(self.good(
            "export", "b.h5", "--slice", "flexible_mode=2", "--fields", "mode_energy"))))
        assert [row["mode_energy_2"] for row in cut] == [row["mode_energy_2"] for row in whole]
        assert list(cut[0]) == ["position", "mode_energy_2", "outcome"]
        self.bad("export", "b.h5", "--slice", "flexible_mode=9", says="not a number from 1 to")
