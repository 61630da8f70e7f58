"""impactsweep.solve and trace: values, shapes, coordinates, units, errors, threads."""
import csv
import json
import math
import re
import sys
import threading
import time

import package
import impactsweep
import numpy as np
import pytest
import pandas as pd
import xarray as xr
from impactsweep.library import binding
from support import Case

PENDULUM = {"body": "pendulum", "stiffness_ratio": 1.21}
DEGREE = math.pi / 180


def closed_form(angle, friction):
    """Kinematic restitution of the pendulum that slips, sticks and slips back."""
    tangent = np.tan(angle)
    lever = friction * 1.21 * tangent
    return np.sqrt(1 - 2 * friction * (1 - lever) / ((tangent + friction) * (1 + lever)))


def pendulum(**inputs):
    return impactsweep.solve("compliant", **{**PENDULUM, **inputs})


class Variables:
    ROD = dict(stiffness_ratio=1.21, velocity_ratio=0.3, outputs=["mode", "energy_loss"])
    LAMINA = dict(ROD, body="lamina", gyration_radius="= sqrt(1 / 12)", offset_t="= 0.5 * sin(tilt)",
                  offset_n="= -0.5 * cos(tilt)")

    def test_a_lamina_over_its_angle_is_a_rod(self):
        tilt, friction = np.linspace(-1.3, 1.3, 27), np.array([0.1, 0.4, 0.9])[:, None]
        rod = impactsweep.solve("compliant", body="rod", angle=tilt, friction=friction, **self.ROD)
        lamina = impactsweep.solve("compliant", variables={"tilt": "rad"}, tilt=tilt, friction=friction, **self.LAMINA)
        assert rod.mode.values.tolist() == lamina.mode.values.tolist()
        np.testing.assert_allclose(rod.energy_loss, lamina.energy_loss.values, atol=1e-12)
        assert (lamina.mode.dims, lamina.tilt.attrs["units"]) == (("friction", "tilt"), "rad")

    def test_units_and_choices(self):
        cells = impactsweep.solve("compliant", variables={"tilt": "rad"}, tilt=["10 deg", "20 deg"], friction=0.3,
                                  law=["linear", "coupled"], **self.LAMINA)
        np.testing.assert_array_equal(cells.tilt.values, np.array([10, 20]) * DEGREE)

    def test_a_history_of_a_lamina_by_its_angle(self):
        known = {"stiffness_ratio": 1.21, "velocity_ratio": 0.3, "friction": 0.4, "points": 50}
        rod = impactsweep.trace("compliant", body="rod", angle="20 deg", **known)
        lamina = {name: value for name, value in self.LAMINA.items() if name != "outputs"} | known
        history = impactsweep.trace("compliant", variables={"tilt": "rad"}, tilt="20 deg", **lamina)
        assert history.phase.tolist() == rod.phase.tolist()
        np.testing.assert_allclose(history.normal_velocity, rod.normal_velocity, atol=1e-12)
        assert history.attrs["inputs"]["tilt"] == "20 deg"
        with pytest.raises(impactsweep.InputError, match="the unit of tilt is 3"):
            impactsweep.trace("compliant", variables={"tilt": 3}, tilt=1, **lamina)
        with pytest.raises(impactsweep.InputError, match="'tilt'"):
            impactsweep.trace("compliant", tilt="20 deg", **lamina)

    def test_wrong_variables(self):
        for variables, message in (({"tilt": "furlong"}, "'furlong' is no SI unit for 'tilt'"), ({"tilt": 3}, "the unit of tilt is 3"),
                                   (["tilt"], "it must be a dict"), ({"friction": "1"}, "'friction' is a parameter of compliant"),
                                   ({"a b": "1"}, "'a b'"), ({"tilt": "rad", "idle": "m"}, "no formula reads the variable 'idle'")):
            with pytest.raises(impactsweep.InputError, match=message):
                impactsweep.solve("compliant", variables=variables, tilt=1, friction=0.3, **self.LAMINA)


class Values:
    def test_closed_form(self):
        cells = pendulum(angle=np.linspace(0.2, 1, 50)[:, None], friction=np.linspace(0.05, 0.3, 40))
        back = cells.mode == "slip_stick_slip_reversed"
        assert 300 < int(back.sum())
        wanted = closed_form(cells.angle.where(back), cells.friction)
        assert float(abs(cells.kinematic_restitution - wanted).where(back).max()) < 1e-12
        assert np.isnan(cells.kinematic_restitution.where(cells.mode == "wedge")).all()

    def test_texts_with_units_are_those_of_the_program(self):
        bits = [pendulum(angle=angle, friction=0.3).kinematic_restitution.item() for angle in
                ("30deg", "30 deg", 30 * DEGREE, f"{30 * DEGREE!r} rad", "0.5235987755982988")]
        assert len(set(bits)) == 1
        cells = pendulum(angle=["20 deg", "30 deg"], friction=0.3, degrees=True)
        assert cells.angle.values.tolist() == [20, 30]
        assert cells.kinematic_restitution[1].item() == bits[0]

    def test_units_that_depend_on_a_law_or_an_exponent(self):
        sphere = {"body": "sphere", "velocity_ratio": 1, "stiffness_ratio": 1.2, "friction": 0.3}
        surface = {"velocity_ratio": 1, "friction": 0.3}
        hertz = 2 * 1000 ** 1.5  # 2 N/mm^1.5
        for theory, inputs in (("compliant", {**sphere, "law": "hertz"}), ("viscoelastic", {**surface, "exponent": 1.5})):
            along = xr.DataArray([1.0, 2.0], dims="k", attrs={"units": "N/mm^1.5"})
            for given in ("2 N/mm^1.5", ["1 N/mm^1.5", "2 N/mm^1.5"], along):
                found = impactsweep.solve(theory, **inputs, normal_stiffness=given).normal_stiffness
                assert np.ravel(found)[-1] == pytest.approx(hertz) and found.attrs["units"] == "N/m^1.5"
            for given in ("2 N/mm", ["2 N/mm"], along.assign_attrs(units="N/mm")):
                with pytest.raises(impactsweep.InputError, match=r"its unit is N/m\^1.5"):
                    impactsweep.solve(theory, **inputs, normal_stiffness=given)
        both = impactsweep.solve("compliant", **sphere, law=["linear", "hertz"], normal_stiffness=2000)
        assert both.normal_stiffness.attrs["units"] == "N/m or N/m^1.5"
        powers = impactsweep.solve("viscoelastic", **surface, exponent=[1, 1.5], normal_stiffness=2000)
        assert powers.normal_stiffness.attrs["units"] == "N/m^exponent"
        for theory, inputs in (("compliant", {**sphere, "law": ["linear", "hertz"]}), ("viscoelastic", {**surface, "exponent": [1, 2]})):
            with pytest.raises(impactsweep.InputError, match="normal_stiffness: '2 N/mm'"):
                impactsweep.solve(theory, **inputs, normal_stiffness="2 N/mm")

    def test_units_and_names_of_outputs(self):
        bare = pendulum(angle=0.5, friction=0.3)
        full = pendulum(angle=0.5, friction=0.3, mass=2, normal_stiffness=1e6, normal_speed=3.0)
        assert (bare.duration.attrs["units"], full.duration.attrs["units"]) == ("1", "s")
        assert full.normal_impulse.attrs["units"] == "N s"
        assert full.peak_normal_force.attrs["long_name"] == "peak normal force"
        assert (full.body.item(), full.law.item(), full.mass.item()) == ("pendulum", "linear", 2)
        assert full.duration.item() / bare.duration.item() == pytest.approx(math.sqrt(2e-6), abs=1e-12)

    def test_several_values_categories_and_sequences(self):
        cells = impactsweep.solve("rigid", body="rod", law="energetic", angle=[0.5, 0.7],
                                  friction=0.3, velocity_ratio=0.4, restitution=0.7)
        assert set(cells.outcome.values) == {"solved"}
        assert cells.mode.dtype.kind == "U"
        energy = pendulum(angle=[0.4, 0.5], friction=0.3, outputs=["slip_loss", "sequence"])
        assert energy.slip_loss.dims == ("angle", "slip")
        assert energy.sequence.values.tolist() == ["slip- stick slip+"] * 2
        assert set(energy.data_vars) == {"slip_loss", "sequence", "sequence_code", "outcome", "outcome_code"}

    def test_blocks_change_no_bit(self):
        angle = np.linspace(0.1, 1.4, 301)
        whole = pendulum(angle=angle[:, None], friction=np.linspace(0.01, 1, 41))
        solving = sys.modules["impactsweep.solving.cells"]
        before, solving.BLOCK = solving.BLOCK, 64
        self.ending.callback(setattr, solving, "BLOCK", before)
        for size in (1, 7, 64, 1000):
            solving.BLOCK = size
            parts = pendulum(angle=angle[:, None], friction=np.linspace(0.01, 1, 41))
            xr.testing.assert_identical(parts, whole)

    def test_each_theory_is_a_function(self):
        cells = impactsweep.compliant(body="pendulum", angle=0.5, friction=0.3, stiffness_ratio=1.21)
        xr.testing.assert_equal(cells, pendulum(angle=0.5, friction=0.3))
        assert "Coulomb coefficient of friction" in impactsweep.compliant.__doc__
        assert "swerve" in dir(impactsweep)
        with pytest.raises(AttributeError, match="no attribute 'complaint'"):
            impactsweep.complaint


class Shapes:
    def test_plain_arrays_broadcast(self):
        a, f = np.linspace(0.2, 1, 4), np.linspace(0.1, 0.5, 3)
        for angle, friction, dims in (
                (0.5, 0.3, ()), (a, 0.3, ("angle",)), (0.5, f.tolist(), ("friction",)),
                (a[:, None], f, ("angle", "friction")), (a, f[:, None], ("friction", "angle")),
                (a, a / 2, ("dim_0",)), ([0.5], 0.3, ("angle",)), (a[:0], 0.3, ("angle",)),
                (np.add.outer(a, f), f, ("dim_0", "dim_1"))):
            cells = pendulum(angle=angle, friction=friction)
            wide, narrow = np.broadcast_arrays(angle, friction)
            assert (cells.mode.dims, cells.mode.shape) == (dims, wide.shape)
            for name, values in (("angle", wide), ("friction", narrow)):
                np.testing.assert_array_equal(cells[name].broadcast_like(cells.outcome), values)
            single = [pendulum(angle=x, friction=y).energy_loss.item()
                      for x, y in zip(wide.ravel(), narrow.ravel())]
            np.testing.assert_array_equal(cells.energy_loss.values.ravel(), single)

    def test_data_arrays_keep_dimensions_and_coordinates(self):
        angle = xr.DataArray([10.0, 20, 30], dims="sample", attrs={"units": "deg"},
                             coords={"sample": ["a", "b", "c"], "weight": ("sample", [1, 2, 3])})
        friction = xr.DataArray([0.1, 0.3], dims="friction", coords={"friction": [0.1, 0.3]})
        cells = pendulum(angle=angle, friction=friction)
        assert cells.mode.dims == ("sample", "friction")
        assert cells.sample.values.tolist() == ["a", "b", "c"]
        assert cells.weight.values.tolist() == [1, 2, 3]
        np.testing.assert_allclose(cells.angle, np.radians([10, 20, 30]), rtol=1e-15)
        assert cells.energy_loss.sel(sample="b", friction=0.3).item() == pendulum(angle="20deg",
                                                                                  friction=0.3).energy_loss.item()
        xr.testing.assert_equal(
            cells.energy_loss, pendulum(friction=friction, angle=angle).energy_loss.transpose())

    def test_axes_of_a_result_are_inputs_again(self):
        first = pendulum(angle=["10deg", "30deg"], friction=[[0.1], [0.3]], degrees=True)
        again = pendulum(angle=first.angle, friction=first.friction)
        np.testing.assert_allclose(again.angle, np.radians([10, 30]), rtol=1e-15)
        assert again.angle.attrs["units"] == "rad"
        again = pendulum(angle=first.angle, friction=first.friction, degrees=True)
        xr.testing.assert_identical(first.energy_loss,
                                    again.energy_loss.transpose("friction", "angle"))
        # An axis that comes from a result does not bring the constants of that result along.
        other = pendulum(angle=first.angle, friction=first.friction, stiffness_ratio=2)
        assert other.stiffness_ratio.item() == 2

    def test_a_dimension_named_like_an_input_is_its_axis(self):
        def along(values, dim="angle", labels=None, **attrs):
            return xr.DataArray(values, dims=dim, coords={} if labels is None else {dim: labels}, attrs=attrs)

        alone = [pendulum(angle=x, friction=y).energy_loss.item() for x, y in ((0.1, 0.3), (0.2, 0.4))]
        for angle in ([0.1, 0.2], along([0.1, 0.2]), along([0.1, 0.2], labels=[0.1, 0.2])):
            for labels in (None, [0.1, 0.2]):
                cells = pendulum(angle=angle, friction=along([0.3, 0.4], labels=labels))
                assert cells.angle.values.tolist() == [0.1, 0.2] and cells.angle.attrs["units"] == "rad"
                assert cells.energy_loss.values.tolist() == alone
        degrees = pendulum(angle=along([10.0, 20], labels=[10, 20], units="deg"), friction=0.3)
        np.testing.assert_allclose(degrees.angle, np.radians([10, 20]), rtol=1e-15)
        laws = pendulum(law=["hertz", "linear"], friction=along([0.3, 0.4], "law", ["hertz", "linear"]), angle=0.1)
        assert laws.law.values.tolist() == ["hertz", "linear"]
        differs, apart = "coordinate of the dimension 'angle' differs", "do not lie along the dimension 'friction' alone"
        for says, inputs in (
                (differs, dict(angle=along([0.1, 0.2], labels=[10, 20]), friction=0.3)),
                (differs, dict(angle=[0.1, 0.2], friction=along([0.3, 0.4], labels=[10, 20]))),
                (apart, dict(angle=along([0.1, 0.2], "friction", [7, 8]), friction=0.3)),
                (apart, dict(angle=along([0.1, 0.2], "friction"), friction=0.3)),
                (apart, dict(angle=along([0.1, 0.2], "friction"), friction=along([0.3, 0.4], "law"), law=["hertz", "linear"])),
                ("'mass' is an input", dict(angle=along([0.1, 0.2], "mass", [7, 8]), friction=0.3)),
                ("dimension 'law' differs", dict(law=along(["hertz", "linear"], "law", ["linear", "hertz"]), angle=0.1, friction=0.3)),
                (apart, dict(angle=along([0.1, 0.2], "friction"), uncertain=TestUncertain.DRAWS))):
            with pytest.raises(impactsweep.InputError, match=says):
                pendulum(**inputs)

    def test_series_keep_their_index(self):
        cells = pendulum(angle=pd.Series([0.2, 0.5], index=pd.Index([7, 9], name="test")),
                         friction=0.3)
        assert cells.test.values.tolist() == [7, 9]
        assert cells.mode.dims == ("test",)

    def test_plain_arrays_beside_data_arrays(self):
        angle = xr.DataArray([[0.1, 0.2, 0.3]] * 2, dims=("a", "b"))
        cells = pendulum(angle=angle, friction=[0.1, 0.2, 0.3])
        assert (cells.mode.dims, cells.friction.dims) == (("a", "b"), ("b",))
        with pytest.raises(impactsweep.InputError, match=r"friction: an array of the shape \(2,\)"):
            pendulum(angle=angle, friction=[0.1, 0.2])


class Choices:
    """Options that differ from cell to cell."""

    def compare(self, cells, dims, **wanted):
        """Each cell is that of its own option, bit for bit, whatever else is an array."""
        assert cells.outcome.dims == dims
        for place in np.ndindex(cells.outcome.shape):
            one = cells.isel(dict(zip(dims, place)))
            inputs = {name: one[name].item() if value is None else value for name, value in wanted.items()}
            alone = impactsweep.solve("compliant", **inputs)
            for name in ("mode", "sequence", "energy_loss", "slip_loss"):
                np.testing.assert_array_equal(one[name], alone[name], name)

    def test_options_broadcast_as_arrays_do(self):
        fixed = {**PENDULUM, "friction": 0.3}
        laws = ["linear", "hertz", "coupled"]
        cells = pendulum(law=laws, angle=0.5, friction=0.3)
        assert cells.law.values.tolist() == laws
        self.compare(cells, ("law",), **fixed, law=None, angle=0.5)
        cells = pendulum(law=laws, angle=[[0.3], [0.5]], friction=0.3)
        self.compare(cells, ("angle", "law"), **fixed, law=None, angle=None)
        assert cells.sel(law="hertz", angle=0.5).mode.item() == "slip_stick_slip_reversed"
        cells = pendulum(law=laws, angle=["10deg", "20deg", "30deg"], friction=0.3)
        self.compare(cells, ("dim_0",), **fixed, law=None, angle=None)
        assert "law" not in cells.attrs["title"]

    def test_data_arrays_of_options_keep_their_coordinates(self):
        law = xr.DataArray(["hertz", "linear"], dims="test", coords={"test": [7, 8]})
        angle = xr.DataArray([10.0, 20], dims="angle", attrs={"units": "deg"})
        cells = pendulum(law=law, angle=angle, friction=0.3)
        assert (cells.test.values.tolist(), cells.law.values.tolist()) == ([7, 8], ["hertz", "linear"])
        np.testing.assert_allclose(cells.angle, np.radians([10, 20]), rtol=1e-15)
        assert cells.energy_loss.sel(test=7)[1].item() == pendulum(law="hertz", angle="20deg",
                                                                   friction=0.3).energy_loss.item()

    def test_what_does_not_apply_to_an_option_is_left_out_there(self):
        cells = impactsweep.solve("compliant", body=["sphere", "rod", "pendulum"], angle=[[0.4], [0.5]],
                                  velocity_ratio=1, friction=0.3, stiffness_ratio=1.21)
        alone = impactsweep.solve("compliant", body="sphere", velocity_ratio=1, friction=0.3, stiffness_ratio=1.21)
        assert set(cells.energy_loss.sel(body="sphere").values) == {alone.energy_loss.item()}
        assert cells.energy_loss.sel(body="pendulum", angle=0.5).item() == pendulum(angle=0.5,
                                                                                    friction=0.3).energy_loss.item()
        assert cells.radius.dims == ("body",)
        np.testing.assert_array_equal(cells.radius, [1, np.nan, 0])  # the defaults; a rod has none
        assert (cells.radius.attrs["units"], cells.mass.dims, cells.mass.item()) == ("m", (), 1)
        each = impactsweep.solve("rigid", body=xr.DataArray([["pendulum", "capsule"], ["capsule", "pendulum"]], dims=("x", "y")),
                                 law=xr.DataArray(["newton", "poisson"], dims="law"), angle=0.5, friction=0.3, slenderness=4,
                                 velocity_ratio=0.4, restitution=0.7)
        assert each.radius.dims == ("x", "y") and each.radius.values.tolist() == [[0, 1], [1, 0]]
        some = impactsweep.solve("rigid", body="rod", law=["newton", "compromise"], angle=0.5, friction=0.3,
                                 velocity_ratio=0.4, restitution=0.7, weight_poisson=2)
        assert set(some.outcome.values) == {"solved"}

    def test_mistakes(self):
        for says, inputs in (("unknown option 'herz' of 'law', allowed: linear", {"law": ["linear", "herz"]}),
                             ("did you mean 'friction'?", {"law": ["linear", "hertz"], "frction": 1}),
                             ("'slenderness' does not apply", {"law": ["linear", "hertz"], "slenderness": 1}),
                             ("no cell of this sweep has", {"law": ["linear", "hertz"],
                                                            "outputs": ["body_energy_loss"]})):
            with pytest.raises(impactsweep.InputError, match=says):
                pendulum(angle=0.5, friction=0.3, **inputs)


class Errors:
    def refuse(self, says, theory="compliant", **inputs):
        with pytest.raises(impactsweep.InputError) as caught:
            impactsweep.solve(theory, **inputs)
        for line in [says] if isinstance(says, str) else says:
            assert line in str(caught.value)
        assert isinstance(caught.value, ValueError)

    def test_messages_of_the_program(self):
        self.refuse("unknown theory 'complaint' (did you mean 'compliant'?)", "complaint")
        self.refuse("'solver': this solver needs PETSc, which is not here; allowed: solver=collocation", "beam", position=0.3)
        self.refuse("missing choice 'body', allowed: sphere", friction=0.3)
        self.refuse(["unknown parameter or choice 'frction' (did you mean 'friction'?)",
                     "'slenderness' does not apply to body=pendulum"], **PENDULUM, frction=1, slenderness=2)
        self.refuse(["'friction' is -1, outside its range [0, inf)",
                     "'angle' is 1.745329 rad (100 deg)"], **PENDULUM, friction=-1, angle="100deg")
        self.refuse("friction: 'a lot' is not a number", **PENDULUM, friction="a lot", angle=0.5)
        self.refuse("friction: '3 deg' has the unit of an angle where none is allowed", **PENDULUM, friction="3 deg", angle=1)
        self.refuse("'poisson_ratio' and 'stiffness_ratio' set the same value", **PENDULUM,
                    friction=0.3, angle=0.5, poisson_ratio=[0.2, 0.3])

    def test_messages_about_arrays(self):
        self.refuse("'friction' is -2, outside its range [0, inf)", **PENDULUM, angle=0.5,
                    friction=[0.1, -2, 0.3])
        self.refuse("'angle' is 1.745329 rad (100 deg)", **PENDULUM, angle=["20deg", "100deg"],
                    friction=xr.DataArray([0.1, 0.2], dims="angle"))
        self.refuse("angle: '20 degrees' is not a number", **PENDULUM, angle=["20 degrees"],
                    friction=0.1)
        self.refuse("do not broadcast: angle (2,), friction (3,)", **PENDULUM, angle=[0.1, 0.2],
                    friction=[0.1, 0.2, 0.3])
        self.refuse("differ", **PENDULUM, angle=xr.DataArray([0.1], coords={"x": [1]}, dims="x"),
                    friction=xr.DataArray([0.1], coords={"x": [2]}, dims="x"))
        self.refuse("'friction' is not an angle, but its DataArray has the units 'deg'", **PENDULUM, angle=0.1,
                    friction=xr.DataArray([0.1], dims="x", attrs={"units": "deg"}))

    def test_messages_about_outputs(self):
        self.refuse("unknown output 'moed' (did you mean 'mode'?)", **PENDULUM, angle=0.5,
                    friction=0.3, outputs=["moed"])
        self.refuse("no cell of this sweep has the output 'body_energy_loss'", **PENDULUM,
                    angle=0.5, friction=0.3, outputs=["body_energy_loss"])

    def test_cells_that_are_not_solved_are_masked(self):
        with pytest.warns(impactsweep.Undefined, match="angle is NaN, missing or masked in 1 of 3 cells"):
            cells = pendulum(angle=[0.5, math.nan, 0.6], friction=0.3)
        assert cells.outcome.values.tolist() == ["solved", "not_finite", "solved"]
        assert np.isnan(cells.energy_loss[1])
        assert cells.mode[1].item() == "none"
        spent = impactsweep.solve("compliant", body="pendulum", law="hertz", angle=0.5, friction=0.3,
                                  stiffness_ratio=1.21, cell_budget=1)
        assert spent.outcome.item() == "budget"
        # The second B is not positive definite, though each of its values is within its range.
        cells = impactsweep.solve("compliant", body="matrix", b11=1, b12=[0, 2.0], b22=1,
                                  friction=0.3, stiffness_ratio=1.2, velocity_ratio=1)
        assert cells.outcome.values.tolist() == ["solved", "outside"]


class Threads:
    def test_other_threads_run_while_the_library_computes(self):
        """If the call held the lock of the interpreter, this thread would never see the other one inside it."""
        inside, seen = threading.Event(), 0
        solve = binding.Solver.solve

        def watched(solver, *arguments):
            inside.set()
            solve(solver, *arguments)
            inside.clear()
        binding.Solver.solve = watched
        self.ending.callback(setattr, binding.Solver, "solve", solve)
        work = threading.Thread(target=pendulum, kwargs={
            "angle": np.linspace(0.1, 1.4, 40000), "friction": 0.3, "law": "hertz"})
        work.start()
        while work.is_alive():
            time.sleep(0.001)
            seen += inside.is_set()
        assert 5 < seen

    def test_results_are_those_of_one_thread(self):
        angles = [np.linspace(0.1, 1 + 0.1 * place, 3000) for place in range(4)]
        wanted = [pendulum(angle=angle, friction=0.3) for angle in angles]
        found = [None] * 4

        def work(place):
            found[place] = pendulum(angle=angles[place], friction=0.3)
        threads = [threading.Thread(target=work, args=(place,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one, other in zip(found, wanted):
            xr.testing.assert_identical(one, other)


class Powers(Case):
    """The program and the package each know the power of a unit that is the value of a parameter."""

    def test_the_package_has_the_units_of_the_program(self):
        for exponent in ("1", "1.25", "1.5", "2", "2.3333333333333335", "2.5", "4.5", "5"):
            shown = re.search(r"(?m)^normal_stiffness +2 (.*)$", self.good(
                "cell", "viscoelastic", "velocity_ratio=1", "friction=.3", f"exponent={exponent}", "normal_stiffness=2"))[1]
            surface = {"velocity_ratio": 1, "friction": 0.3, "exponent": float(exponent)}
            assert impactsweep.solve("viscoelastic", **surface, normal_stiffness=2).normal_stiffness.attrs["units"] == shown
            if float(exponent) % 0.5 == 0:
                given = "2 " + shown.replace("/m", "/mm")
                read = re.search(r"(?m)^normal_stiffness +(\S+) ", self.good(
                    "cell", "viscoelastic", "velocity_ratio=1", "friction=.3", f"exponent={exponent}",
                    f"normal_stiffness={given}"))[1]
                found = impactsweep.solve("viscoelastic", **surface, normal_stiffness=given).normal_stiffness.item()
                assert found == pytest.approx(float(read), rel=1e-6) == pytest.approx(2 * 1000 ** float(exponent), rel=1e-6)


class Quantities(Case):
    def test_a_config_as_a_dict_takes_units_as_a_file_does(self):
        rod = {"model": "compliant", "choose": {"body": "rod"}, "outputs": ["mode"], "axes": [
            {"param": "friction", "values": ["0.3", ".4"]}, {"param": "length", "from": "20 mm", "to": "3cm", "points": 2}]}
        found = impactsweep.run({**rod, "fixed": {
            "stiffness_ratio": "1.21", "angle": "20deg", "velocity_ratio": "-1e-1", "mass": "5 g", "normal_speed": "30 cm/s",
            "normal_stiffness": "2 N/mm", "initial_spin": "-9.5e1 deg/s"}})
        assert (found.friction.values.tolist(), found.length.values.tolist()) == ([0.3, 0.4], [0.02, 0.03])
        assert (found.mass.item(), found.normal_speed.item(), found.normal_stiffness.item()) == (0.005, 0.3, 2000)
        assert (found.angle.item(), found.initial_spin.item()) == pytest.approx((20 * DEGREE, -95 * DEGREE))


class Trace(Case):
    def test_rows_are_those_of_the_program(self):
        for theory, inputs in (
                ("compliant", {**PENDULUM, "angle": "30 deg", "friction": 0.3, "mass": 2,
                               "normal_stiffness": 3, "normal_speed": 1}),
                ("swerve", {"body": "sphere3d", "friction": 0.2, "restitution": 0.5,
                            "velocity_ratio": 1, "heading": "20deg", "law": "poisson"}),
                ("beam", {"solver": "collocation", "position": 0.8, "internal_damping": 1e6})):
            words = [f"{name}={value}" for name, value in inputs.items()]
            lines = self.good("trace", theory, *words, "--points", "21").splitlines()
            rows = list(csv.reader(line for line in lines if not line.startswith("#")))
            history = impactsweep.trace(theory, points=21, **inputs)
            assert list(history.columns) == rows[0]
            np.testing.assert_array_equal(history.iloc[:, :-2].values,
                                          [[float(one) for one in row[:-2]] for row in rows[1:]])
            assert history[["phase", "event"]].values.tolist() == [row[-2:] for row in rows[1:]]
            units = next(line for line in lines if line.startswith("# units")).split(" = ")[1]
            assert list(history.attrs["units"].values()) == units.split(", ")
            assert history.attrs["outcome"] == "solved"

    def test_beams_have_the_bits_of_the_program(self):
        inputs = {"solver": "collocation", "boundary": "clamped", "striker": "free", "striker_mass": 0.05, "speed": 0.1}
        positions, damping = np.linspace(0.3, 1, 5), np.array([0, 1e6])[:, None]
        cells = impactsweep.solve("beam", position=positions, internal_damping=damping, **inputs)
        for cell in (cells.isel(position=p, internal_damping=d) for p in range(5) for d in range(2)):
            words = [f"{name}={value}" for name, value in inputs.items()]
            told = json.loads(self.good("cell", "beam", *words, f"position={cell.position.item()}",
                                        f"internal_damping={cell.internal_damping.item()}", "--json"))
            for name in ("kinematic_restitution", "duration", "residual", "uncertainty", "sub_impacts", "peak_force"):
                assert cell[name].item() == told[name], name

    def test_errors(self):
        for says, inputs in (("several values", {"angle": [0.1, 0.2], "friction": 0.3}),
                             ("points is 1", {"angle": 0.1, "friction": 0.3, "points": 1}),
                             ("'friction' is -1", {"angle": 0.1, "friction": -1}),
                             ("missing parameter 'friction'", {"angle": 0.1})):
            with pytest.raises(impactsweep.InputError, match=says):
                impactsweep.trace("compliant", **{**PENDULUM, **inputs})


class TestUncertain:
    DRAWS = {"points": 256, "of": ["mode", "energy_loss"], "params": [
        {"param": "friction", "distribution": "normal", "mean": 0.5, "sd": 0.2, "truncate": True}]}

    def test_arrays_take_the_shape_of_numpy(self):
        found = impactsweep.solve("compliant", body="pendulum", angle=["5 deg", "10 deg", "12 deg"],
                                  stiffness_ratio=np.array([[1], [1.21]]), uncertain=self.DRAWS, degrees=True)
        assert found.share_of_wedge.dims == ("stiffness_ratio", "angle")
        assert found.angle.values.tolist() == [5, 10, 12] and found.stiffness_ratio.values.tolist() == [1, 1.21]
        wedge = found.mode_share.sel(mode_value="wedge")
        assert np.array_equal(wedge.values, found.share_of_wedge.values)
        one = impactsweep.solve("compliant", body="pendulum", angle="10 deg", stiffness_ratio=1.21,
                                uncertain=self.DRAWS, outputs=["share_of_wedge", "energy_loss_mean"])
        assert one.share_of_wedge.dims == () and float(one.share_of_wedge) == float(found.share_of_wedge[1, 1])
        assert float(one.energy_loss_mean) == float(found.energy_loss_mean[1, 1])

    def test_a_given_value_may_scatter_and_no_other_may_be_given(self):
        about = {"params": [{"param": "friction", "distribution": "uniform", "from": -0.1, "to": 0.1,
                             "relative": True, "about": "cell"}]}
        found = impactsweep.solve("compliant", body="pendulum", angle=0.2, stiffness_ratio=1.21,
                                  friction=np.array([0.2, 0.4]), uncertain=about)
        assert found.share_of_wedge.sizes["friction"] == 2
        for words, says in (({"friction": 0.4}, "is uncertain; give it as well only"),
                            ({"law": ["linear", "hertz"]}, "'law' is a choice"), ({"angel": 1}, "angel")):
            with pytest.raises(impactsweep.InputError, match=says):
                impactsweep.solve("compliant", body="pendulum", angle=0.2, stiffness_ratio=1.21,
                                  uncertain=self.DRAWS, **words)
        with pytest.raises(impactsweep.InputError, match="points is 0"):
            impactsweep.solve("compliant", body="pendulum", angle=0.2, stiffness_ratio=1.21,
                              uncertain={**self.DRAWS, "points": 0})
