"""`impactsweep.compare` against `impactsweep diff`: the same cells differ, output by output."""
import json

import numpy as np
import pytest

import package  # noqa: F401  (finds the package of the checkout)
from support import Case
from two_maps import FOLLOWED, FOLLOWED_BY, FOLLOWED_ROWS, FOLLOWED_TABLE, FOLLOWING, LAWS, MAP, ROWS
import impactsweep



class Compare(Case):
    def setup_method(self):
        super().setup_method()
        self.maps = {}
        for name, config in (("fine", MAP.format(law="linear", points=45)), ("coarse", MAP.format(law="hertz", points=23)),
                             ("laws", LAWS.format(points=23)), ("rows", ROWS.format(law="linear", seed=1)),
                             ("same", ROWS.format(law="hertz", seed=1)), ("others", ROWS.format(law="hertz", seed=2))):
            self.shared_map(config, f"{name}.h5")
            self.maps[name] = self.path(f"{name}.h5")

    @pytest.mark.parametrize("one, other", [("fine", "coarse"), ("coarse", "fine"), ("laws", "coarse"), ("fine", "laws"),
                                            ("rows", "same"), ("rows", "rows")])
    def test_counts_are_those_of_the_program(self, one, other):
        said = json.loads(self.good("diff", f"{one}.h5", f"{other}.h5", "--json", code=int(one != other)))
        found = impactsweep.compare(self.maps[one], self.maps[other])
        assert found.differs.size == said["common"] and int(found.differs.sum()) == said["different"]
        assert set(said["outputs"]) == {name[:-len("_differs")] for name in found.data_vars if name.endswith("_differs")}
        for name, facts in said["outputs"].items():
            differs = found[f"{name}_differs"]
            assert int(differs.any([dim for dim in differs.dims if dim not in found.differs.dims]).sum()) == facts["cells"]
        largest = float(np.abs(found.energy_loss_change).max())
        assert largest == said["outputs"]["energy_loss"].get("largest", 0)

    @pytest.mark.parametrize("one, other, values", FOLLOWING)
    def test_axes_that_formulas_follow(self, one, other, values):
        maps = []
        for name, (spacing, points, friction) in (("one.h5", one), ("other.h5", other)):
            self.run_config(FOLLOWED.format(spacing=spacing, points=points, friction=friction), name)
            maps.append(self.path(name))
        for pair in (maps, maps[::-1]):
            if values:
                found = impactsweep.compare(*pair)
                assert found.differs.size == 6 * values and not found.differs.any()
            else:
                with pytest.raises(impactsweep.InputError, match="no value of 'stiffness_ratio' with the same 'friction'"):
                    impactsweep.compare(*pair)

    def test_rows_that_formulas_follow(self):
        self.write("rows.csv", FOLLOWED_TABLE)
        for name, friction in FOLLOWED_BY.items():
            self.run_config(FOLLOWED_ROWS.format(friction=friction), f"{name}.h5")
        for one, other, common in (("one", "one", 3), ("one", "two", 1), ("three", "two", 1)):
            assert impactsweep.compare(self.path(f"{one}.h5"), self.path(f"{other}.h5")).differs.size == common

    def test_tolerance_and_outputs(self):
        one = impactsweep.open(self.maps["fine"])
        other = one.assign(energy_loss=one.energy_loss * (1 + 1e-9))
        assert int(impactsweep.compare(one, other).differs.sum()) > 1000
        for tolerance in ({"relative": 1e-8}, {"absolute": 1e-8}):
            assert not impactsweep.compare(one, other, **tolerance).differs.any()
        assert not impactsweep.compare(one, other, "mode").differs.any()

    def test_modes_that_mean_the_same_are_equal_in_two_theories(self):
        """With little friction a rod slips to the end: `slide` of one theory is `gross_slip` of the other."""
        cells = dict(angle=["0 deg", "5 deg", "10 deg"], velocity_ratio=1, body="rod")
        for friction, same in ((0.02, True), (0.5, False)):
            for labels in (True, False):
                rigid = impactsweep.solve("rigid", law="energetic", restitution=1, friction=friction, labels=labels, **cells)
                springs = impactsweep.solve("compliant", stiffness_ratio=1.21, friction=friction, labels=labels, **cells)
                found = impactsweep.compare(rigid, springs, "mode")
                assert bool(found.mode_differs.any()) != same
                if labels and same:
                    assert set(found.mode_1.values) == {"slide"} and set(found.mode_2.values) == {"gross_slip"}
        assert impactsweep.describe("rigid").common_names == {"slide": "gross_slip"}

    def test_bad_input(self):
        for call, says in ((lambda: impactsweep.compare(self.maps["fine"], self.maps["rows"]), "no common cells"),
                           (lambda: impactsweep.compare(self.maps["same"], self.maps["others"]), "the same rows of 'sample'"),
                           (lambda: impactsweep.compare(self.maps["fine"], self.maps["coarse"], "mood"), "mood"),
                           (lambda: impactsweep.compare(self.maps["fine"], self.maps["coarse"], relative=-1), "0 or more"),
                           (lambda: impactsweep.compare(self.maps["fine"], impactsweep.open(self.maps["fine"], degrees=True)),
                            "in rad in one map and in deg in the other; open both alike"),
                           (lambda: impactsweep.compare(1, 2), "one")):
            with pytest.raises(impactsweep.InputError) as error:
                call()
            assert says in str(error.value)
