"""Maps of probability: parameters that are uncertain within each cell. Statistics against closed forms, against
NumPy over the sample axis with the same draws, the same digest however the map was computed, and bad configs."""
import csv
import json
import re
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
from scipy import integrate, stats
from support import BAD_INPUT, PROGRAM, STOPPED, Case

PENDULUM = "model: compliant\nchoose: {body: pendulum, law: linear}\n"
ANGLES = "axes:\n  - {param: angle, from: 0.5 deg, to: 15 deg, points: 12}\n"
NORMAL = "    - {param: friction, distribution: normal, mean: 0.5, sd: 0.2, truncate: true}\n"
RATIO = "    - {param: stiffness_ratio, distribution: uniform, from: 1.1, to: 1.3}\n"


def said(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def uncertain(params, **keys):
    """The key `uncertain` of a config."""
    lines = "".join(f"  {key}: {json.dumps(value) if isinstance(value, (list, dict)) else value}\n"
                    for key, value in keys.items())
    return f"uncertain:\n{lines}  params:\n{params}"


def wedging_angle(mu, eta):
    """The pendulum wedges below it."""
    b = 1 + 3 * eta * mu**2
    return np.arctan(2 * mu / (b + np.sqrt(b * b + 4 * eta * mu * mu)))


def members(data, dimension):
    return data[dimension].attrs["members"].split()


class TestClosedForms(Case):
    def test_a_pendulum_wedges_with_the_integral_over_friction(self):
        """Scores follow Student's t with 7 degrees of freedom: 10,000 cells with draws of their own."""
        mean, spread = 0.5, 0.2
        mu, nodes = np.linspace(0, mean + 8 * spread, 4001), np.polynomial.legendre.leggauss(48)
        weight = stats.norm.pdf(mu, mean, spread)
        weight /= integrate.trapezoid(weight, mu)
        limits = [wedging_angle(mu, 1.2 + 0.1 * node) for node in nodes[0]]
        angles = np.linspace(*np.radians([4, 13]), 801)
        shares = sum(part / 2 * np.array([integrate.trapezoid(weight * np.clip((limit - angle) / 1e-4 + 0.5, 0, 1), mu)
                                          for angle in angles]) for part, limit in zip(nodes[1], limits))
        config = (PENDULUM + "axes:\n  - {param: angle, from: 4 deg, to: 13 deg, points: 5000}\n"
                  + uncertain(NORMAL + RATIO, sample="{}", points=256, draws="independent"))
        for sample in ("random", "sobol"):
            data = self.made(config.replace("{}", sample))
            truth = np.interp(data.angle.values, angles, shares)
            wedge = members(data, "mode_value").index("wedge")
            error = data.mode_share_error.values[:, wedge]
            score = (data.share_of_wedge.values - truth)[error > 0] / error[error > 0]
            assert len(score) > 4000  # in the others all replicates agree
            if sample == "random":  # means of even points are nearly, but not quite, normal
                assert stats.kstest(score, "t", args=(7,)).pvalue > 1e-3
            for level in (0.5, 0.9, 0.99):
                inside = np.mean(np.abs(score) < stats.t.ppf((1 + level) / 2, 7))
                assert abs(inside - level) < (0.03 if sample == "random" else 0.06), (sample, level, inside)
            bound = data.mode_share_bound.values[:, wedge]
            assert np.mean(np.abs(data.share_of_wedge.values - truth) <= bound) > 0.93

    def test_a_rigid_sphere_slips_below_its_limit(self):
        """It slips throughout where friction < |v_t| / (3.5 (1 + e) |v_n|)."""
        config = ("model: rigid\nchoose: {body: sphere, law: newton}\n"
                  "axes:\n  - {param: velocity_ratio, from: 0.5, to: 4, points: 50}\nfixed: {restitution: 0.6}\n"
                  + uncertain("    - {param: friction, distribution: uniform, from: 0.2, to: 0.6}\n", points=4096))
        data = self.made(config)
        names = members(data, "mode_value")
        limit = data.velocity_ratio.values / (3.5 * 1.6)
        slipping = sum(data[f"share_of_{name}"].values for name in names if name == "slide")
        assert np.abs(slipping - np.clip((limit - 0.2) / 0.4, 0, 1)).max() < 3e-4

    def test_a_share_of_exactly_zero_or_one_has_the_bound_of_random_draws(self):
        data = self.made(PENDULUM + "axes:\n  - {param: angle, values: [0.01, 1.5]}\nfixed: {stiffness_ratio: 1.21}\n"
                         + uncertain("    - {param: friction, distribution: uniform, from: 0.4, to: 0.6}\n",
                                     points=100, replicates=5))
        wedge = members(data, "mode_value").index("wedge")
        assert data.share_of_wedge.values.tolist() == [1, 0]
        assert np.allclose(data.mode_share_bound.values[:, wedge], 1 - 0.05 ** (1 / 500), rtol=1e-12)
        assert data.mode_share_error.values[:, wedge].tolist() == [0, 0]
        assert data.mode_certainty.values.tolist() == [1, 1]


class TestSampleAxis(Case):
    """With one replicate the draws are those of the sample axis with the same seed."""

    def compare(self, head, params, outputs, seed=5, points=256, sample="sobol"):
        axis = (f"  - {{sample: {sample}, points: {points}, seed: {seed}, params: ["
                + ", ".join(line.strip().lstrip("- ") for line in params.splitlines()) + "]}\n")
        many = self.made(head.replace("axes:\n", "axes:\n" + axis, 1) + f"outputs: {json.dumps(outputs)}\n",
                         name="many").transpose(..., "sample")
        one = self.made(head + uncertain(params, points=points, replicates=1, seed=seed, of=outputs,
                                         sample=sample, quantiles=[0.01, 0.3, 0.5, 0.999]), name="one")
        solved = many.outcome.values == 1
        assert np.array_equal(one.failed_share.values, 1 - solved.mean(-1))
        for output in outputs:
            values = many[output].values
            if "flag_values" in many[output].attrs:
                names = dict(zip(many[output].attrs["flag_values"], many[output].attrs["flag_meanings"].split()))
                shares = [np.mean(solved & (values == code), -1) for code in sorted(set(names) - {0})]
                table = members(one, f"{output}_value")
                order = [table.index(names[code]) for code in sorted(set(names) - {0})]
                assert np.array_equal(one[f"{output}_share"].values[..., order], np.stack(shares, -1))
                assert np.array_equal(one[f"{output}_certainty"].values, np.max(shares, 0))
            elif values.dtype == float:
                self.compare_real(one, output, np.where(solved, values, np.nan), many, params)
        return one

    def compare_real(self, one, output, values, many, params):
        for i in np.ndindex(values.shape[:-1]):
            here = values[i][~np.isnan(values[i])]
            assert one[f"{output}_defined_share"].values[i] == len(here) / values.shape[-1]
            if not len(here):
                assert np.isnan(one[f"{output}_mean"].values[i]) and np.isnan(one[f"{output}_least"].values[i])
                continue
            size = np.abs(here).max() + 1e-300
            assert abs(one[f"{output}_mean"].values[i] - here.mean()) <= 1e-13 * size
            assert abs(one[f"{output}_deviation"].values[i] - here.std()) <= 1e-7 * size
            assert one[f"{output}_least"].values[i] == here.min()
            assert one[f"{output}_greatest"].values[i] == here.max()
            draw = int(one[f"{output}_least_draw"].values[i])
            assert draw == np.nanargmin(values[i])
            names = members(one, "uncertain_parameter")
            assert np.array_equal(one[f"{output}_least_at"].values[i],
                                  [many[name].values[draw] for name in names])
            counts = np.histogram(here, 16, (here.min(), here.max()))[0] if np.ptp(here) > 1e-6 * size else None
            ours = one[f"{output}_histogram"].values[i] * values.shape[-1]
            assert ours.sum() == pytest.approx(len(here)) and (
                counts is None or np.abs(ours - counts).max() < 1 + 1e-3 * len(here))  # at the edges NumPy rounds anew
            wanted = np.quantile(here, [0.01, 0.3, 0.5, 0.999], method="inverted_cdf")
            assert np.array_equal(one[f"{output}_quantile"].values[i], wanted)

    def test_statistics_are_those_of_numpy(self):
        self.compare(PENDULUM + ANGLES, "    - {param: friction, distribution: uniform, from: 0.1, to: 0.9}\n" + RATIO,
                     ["mode", "kinematic_restitution", "energy_loss", "duration"], points=1000)
        self.compare("model: rigid\nchoose: {body: rod, law: energetic}\naxes:\n"
                     "  - {param: angle, from: -89 deg, to: 89 deg, points: 9}\nfixed: {restitution: 0.7}\n",
                     "    - {param: friction, distribution: uniform, from: 0.1, to: 0.9}\n"
                     "    - {param: velocity_ratio, distribution: normal, mean: 0, sd: 1}\n",
                     ["mode", "kinematic_restitution", "energy_loss"], sample="latin")

    @pytest.mark.parametrize("theory", [one["name"] for one in json.loads(said("models", "--json"))
                                        if one["name"] != "beam"])
    def test_every_theory(self, theory):
        """The example of each theory, with its first real parameter uncertain."""
        about = json.loads(said("models", theory, "--json"))
        head, params, outputs = example_of(about)
        self.compare(head, params, outputs, points=40)

    def test_indices_are_those_of_the_analysis_of_sample_maps(self):
        import impactsweep
        params = ("    - {param: friction, distribution: uniform, from: 0.1, to: 0.9}\n"
                  "    - {param: stiffness_ratio, distribution: normal, mean: 1.21, sd: 0.1}\n"
                  "    - {param: length, distribution: normal, mean: 1, sd: 0.05}\n")
        sample = ("  - sample: saltelli\n    points: 256\n    seed: 7\n    params:\n"
                  + params.replace("    -", "      -"))
        self.made(PENDULUM + ANGLES + sample + "outputs: [mode, kinematic_restitution]\n", name="many")
        one = self.made(PENDULUM + ANGLES + uncertain(params, points=256, replicates=1, seed=7, sensitivity="true",
                                                      of=["mode", "kinematic_restitution"]), name="one")
        with pytest.warns(Warning):
            found = impactsweep.sensitivity(self.path("many.h5"), resamples=2, fewest=0)
        pairs = members(one, "mode_value_parameter")
        for quantity in found.quantity.values:
            name = quantity.split(" = ")[-1]
            for ours, theirs in (("first_order", "first_order"), ("total_order", "total")):
                values = (one[f"mode_{ours}"].values[:, [k for k, pair in enumerate(pairs)
                                                         if pair.split(":")[0] == name]]
                          if " = " in quantity else one[f"kinematic_restitution_{ours}"].values)
                wanted = found[theirs].sel(quantity=quantity).transpose("angle", "parameter").values
                assert np.allclose(values, wanted, rtol=1e-9, atol=1e-12, equal_nan=True), (quantity, values, wanted)


def example_of(about):
    """The config of a theory with its example parameters, but for its first real one, which is uncertain; it has an
    axis of one value, and outputs to look at."""
    choose = {choice["name"]: choice["options"][0]["name"] for choice in about["choices"]}
    options = {f"{name} {option}" for name, option in choose.items()}
    known = {one["name"]: one for one in about["parameters"] if not one["applies_to"] or any(
        option.split()[1] in one["applies_to"].replace(",", " ").split() for option in options)}
    given = {name: one["example"] for name, one in known.items()
             if not one.get("stands_for") and one.get("default") is None}
    free = [name for name in given if not known[name].get("whole")] or [
        name for name, one in known.items() if not one.get("whole") and not one.get("stands_for")]
    value = known[free[0]]["example"]
    given.pop(free[0], None)
    axis = [*given, *(name for name, one in known.items() if name != free[0] and not one.get("stands_for"))][0]
    given.pop(axis, None)
    axes = f"axes:\n  - {{param: {axis}, values: [{known[axis]['example']!r}]}}\n"
    head = (f"model: {about['name']}\nchoose: {json.dumps(choose)}\nfixed: {json.dumps(given)}\n" + axes)
    width = 0.01 * abs(value) or 0.01
    params = f"    - {{param: {free[0]}, distribution: uniform, from: {value - width!r}, to: {value + width!r}}}\n"
    outputs = [one["name"] for one in about["outputs"]
               if one["name"] in ("mode", "energy_loss", "kinematic_restitution", "value", "contact_time")]
    return head, params, outputs


class TestScatter(Case):
    def test_about_the_value_of_the_cell(self):
        """A relative scatter of a swept parameter: the quantiles scale with the value of the axis."""
        params = "    - {param: velocity_ratio, distribution: uniform, from: -0.1, to: 0.1, relative: true, about: cell}\n"
        head = ("model: rigid\nchoose: {body: sphere, law: newton}\n"
                "axes:\n  - {param: velocity_ratio, values: [1, 2, 4]}\nfixed: {restitution: 0.5, friction: 0}\n")
        data = self.made(head + uncertain(params, of=["velocity_ratio_out"]))
        assert np.allclose(data.velocity_ratio_out_mean.values, [1, 2, 4], rtol=1e-4)
        assert np.allclose(data.velocity_ratio_out_greatest.values, np.multiply([1, 2, 4], 1.1), rtol=1e-3)
        data = self.made(head + uncertain(params.replace("relative: true, ", ""), of=["velocity_ratio_out"]))
        assert np.allclose(data.velocity_ratio_out_greatest.values, np.add([1, 2, 4], 0.1), rtol=1e-3)

    def test_a_fixed_value_may_scatter(self):
        config = (PENDULUM + ANGLES + "fixed: {friction: 0.4, stiffness_ratio: 1.21}\n" + uncertain(
            "    - {param: friction, distribution: normal, mean: 0, sd: 0.03, relative: true, about: cell}\n"))
        assert self.made(config).failed_share.values.max() == 0

    def test_the_draws_of_the_extremes_can_be_repeated(self):
        data = self.made(PENDULUM + ANGLES + uncertain(NORMAL + RATIO, of=["energy_loss"]))
        names = members(data, "uncertain_parameter")
        for which in ("least", "greatest"):
            for i in (0, 7, 11):
                words = [f"{name}={value!r}" for name, value in
                         zip(names, data[f"energy_loss_{which}_at"].values[i].tolist())]
                cell = self.cell("compliant", "body=pendulum", "law=linear", f"angle={float(data.angle[i])!r}", *words)
                assert cell["energy_loss"] == float(data[f"energy_loss_{which}"][i])

    @pytest.mark.parametrize("axis", ["axes: [{param: friction, values: [0.3, 0.6]}]\n", ""])
    def test_angles_that_formulas_read_are_exported_in_degrees(self, axis):
        """Without axes, the first draw with each mode is told too."""
        head = "variables: {tilt: rad, half: m}\nmodel: compliant\nchoose: {body: lamina}\n" + axis
        fixed = ("fixed: {stiffness_ratio: 1.2, gyration_radius: 0.3, velocity_ratio: 0.3, offset_t: {equals: half * sin(tilt)}, "
                 f"offset_n: {{equals: -half * cos(tilt)}}{'' if axis else ', friction: 0.5'}}}\n")
        self.check_degrees(head + fixed + uncertain(
            "    - {param: mass, distribution: uniform, from: 1, to: 2}\n"
            "    - {param: tilt, distribution: uniform, from: 10 deg, to: 40 deg}\n"
            "    - {param: half, distribution: uniform, from: 0.1, to: 1}\n", points=64, of=["mode", "energy_loss"]))

    @pytest.mark.parametrize("scatter", ["10 deg, to: 14 deg", "-0.1 deg, to: 0.1 deg, about: cell"])
    def test_angles_of_the_theory_are_exported_in_degrees(self, scatter):
        axes = ANGLES if "about" in scatter else ANGLES.replace("angle", "length").replace(" deg", "")
        self.check_degrees(PENDULUM + axes + "fixed: {stiffness_ratio: 1.2}\n" + uncertain(
            NORMAL + f"    - {{param: angle, distribution: uniform, from: {scatter}}}\n", points=64, of=["mode", "energy_loss"]))

    def check_degrees(self, config):
        """Of places in draws, lists of several units, the values of the second parameter are angles."""
        n = len(members(self.made(config), "uncertain_parameter"))
        radians, degrees = (list(csv.reader(self.good("export", "x.h5", *words).splitlines())) for words in ((), ("--degrees",)))
        places = 0
        for column, (name, head) in enumerate(zip(radians[0], degrees[0])):
            place = re.fullmatch(r".*_at_(\d+)", name)
            if place:
                angle = (int(place[1]) - 1) % n == 1
                places += angle
                assert head == name + " [deg]" * angle
                one, other = ([float(row[column] or "nan") for row in table[1:]] for table in (radians, degrees))
                np.testing.assert_allclose(np.degrees(one) if angle else one, other, rtol=1e-15)
        assert places >= 2

    def test_independent_draws_differ_and_same_draws_do_not(self):
        config = (PENDULUM + "axes:\n  - {param: mass, values: [1, 2, 3]}\nfixed: {angle: 0.2, stiffness_ratio: 1.21}\n"
                  + uncertain(NORMAL, points=64, draws="{}", of=["energy_loss"]))
        same = self.made(config.replace("{}", "same")).energy_loss_mean.values
        other = self.made(config.replace("{}", "independent")).energy_loss_mean.values
        assert len(set(same.tolist())) == 1 and len(set(other.tolist())) == 3

    def test_joint_draws_come_from_a_table(self):
        self.write("t.csv", "friction,stiffness_ratio\n0.1,1\n0.5,2\n")
        data = self.made(PENDULUM + ANGLES + uncertain("    - {table: t.csv}\n", of=["energy_loss"], points=512))
        rows = {tuple(row) for row in data.energy_loss_least_at.values} | {
            tuple(row) for row in data.energy_loss_greatest_at.values}
        assert rows <= {(0.1, 1.0), (0.5, 2.0)} and len(rows) == 2

    def test_formulas_follow_the_draws(self):
        config = (PENDULUM + "axes:\n  - {param: angle, values: [0.1]}\nfixed: {stiffness_ratio: =2 * friction}\n"
                  + uncertain("    - {param: friction, distribution: uniform, from: 0.4, to: 0.6}\n",
                              of=["energy_loss"]))
        data = self.made(config)
        mu = float(data.energy_loss_least_at[0, 0])
        cell = self.cell("compliant", "body=pendulum", "law=linear", "angle=0.1", f"friction={mu!r}",
                         f"stiffness_ratio={2 * mu!r}")
        assert cell["energy_loss"] == float(data.energy_loss_least[0])


    def test_formulas_follow_what_scatters_about_the_cell(self):
        config = (PENDULUM + "axes:\n  - {param: friction, values: [0.4, 0.5]}\n"
                  "fixed: {angle: 0.1, stiffness_ratio: =2 * friction}\n" + uncertain(
                      "    - {param: friction, distribution: uniform, from: -0.1, to: 0.1, about: cell}\n",
                      of=["energy_loss"]))
        data = self.made(config)
        for i in range(2):
            mu = float(data.energy_loss_least_at[i, 0])
            cell = self.cell("compliant", "body=pendulum", "law=linear", "angle=0.1", f"friction={mu!r}",
                             f"stiffness_ratio={2 * mu!r}")
            assert cell["energy_loss"] == float(data.energy_loss_least[i])


class TestTogether(Case):
    CONFIG = (PENDULUM + "axes:\n  - {param: angle, from: 1 deg, to: 15 deg, points: 40}\n"
              "  - {param: length, values: [1, 2]}\n"
              + uncertain(NORMAL + RATIO, of=["mode", "energy_loss", "sequence", "outcome"], points=200))

    def test_ranks_and_parts_give_the_same_digest(self):
        self.check_digests(self.CONFIG, [(0,), (1,), (2, "--chunk", "3"), (3,), (4,), (5,)], parts=2)

    def test_a_kill_loses_nothing(self):
        self.check_resume(self.CONFIG, "--chunk", "2")

    def test_a_cell_of_many_draws_can_be_stopped(self):
        """It stays pending, the cells before it are kept, and the run goes on from there."""
        config = (PENDULUM + "axes:\n  - {param: angle, values: [0.1, 0.2]}\n"
                  + uncertain(NORMAL + RATIO, points=1 << 24, replicates=16))
        self.write("x.yaml", config)
        process = self.start("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        self.wait_for_file("x.h5")
        time.sleep(0.5)
        begin = time.monotonic()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == STOPPED
        assert time.monotonic() - begin < 30  # two seconds on a quiet machine; a cell takes a minute
        assert self.info("x.h5")["done"] == 0

    def test_a_million_draws_in_one_cell(self):
        data = self.made(PENDULUM + "axes:\n  - {param: angle, values: [0.1]}\nfixed: {stiffness_ratio: 1.21}\n"
                         + uncertain("    - {param: friction, distribution: uniform, from: 0, to: 1}\n",
                                     points=1 << 17, replicates=8, of=["mode", "energy_loss"]))
        mu = np.linspace(0, 1, 2000001)
        assert abs(float(data.share_of_wedge[0]) - np.mean(wedging_angle(mu, 1.21) > 0.1)) < 5e-6

    def test_a_level_of_a_share_is_refined(self):
        config = (PENDULUM + "refine: {base: 16, depth: 8, boundary: 1e-3, on: {output: share_of_wedge, level: 0.05}}\n"
                  "axes:\n  - {param: angle, from: 1 deg, to: 20 deg}\n  - {param: friction, from: 0.1, to: 1}\n"
                  + uncertain("    - {param: friction, distribution: normal, mean: 0, sd: 0.1, relative: true, "
                              "about: cell}\n" + RATIO, points=128, replicates=4))
        self.run_config(config, "x.h5", "--progress", "none")
        table = self.good("export", "x.h5", "--boundary").splitlines()
        assert len(table) > 20

    def test_a_search_finds_the_angle_of_a_share(self):
        config = (PENDULUM + "search: {over: {param: angle, from: 5 deg, to: 14 deg, samples: 32}, find: target, "
                  "of: share_of_wedge, value: 0.5}\naxes:\n  - {param: stiffness_ratio, values: [1, 1.21]}\n"
                  + uncertain("    - {param: friction, distribution: uniform, from: 0.1, to: 0.4}\n", points=4096))
        data = self.made(config)
        for i, eta in enumerate((1, 1.21)):
            wanted = wedging_angle(0.25, eta)  # half of the draws lie above, the angle grows with friction
            assert (data.root_count.values[i], data.jump_count.values[i]) == (1, 0)
            assert abs(data.root.values[i, 0] - wanted) < 1e-4 and data.root_bracket.values[i, 0] < 1e-14
            assert abs(data.share_of_wedge.values[i, 0] - 0.5) < 1e-3

    def test_a_search_finds_every_friction_of_a_share(self):
        """The pendulum wedges below a stiffness ratio that depends on friction and angle; the share is a step function of both."""
        config = (PENDULUM + "axes: [{param: angle, values: [8 deg, 12 deg, 20 deg]}]\n"
                  "search: {over: {param: friction, from: 0.01, to: 2}, find: target, of: share_of_wedge, value: VALUE}\n"
                  + uncertain("    - {param: stiffness_ratio, distribution: uniform, from: 1, to: 1.5}\n", points=1024))
        mu, counts = np.linspace(0.01, 2, 2_000_001), []
        for value in (0.05, 0.5):
            data = self.made(config.replace("VALUE", str(value)))
            for i, angle in enumerate(np.radians([8, 12, 20])):
                above = wedging_angle(mu, 1 + value / 2) >= angle
                wanted = mu[1:][above[1:] != above[:-1]]
                counts.append(len(wanted))
                assert (data.root_count.values[i], data.jump_count.values[i]) == (len(wanted), 0)
                np.testing.assert_allclose(data.root.values[i, :len(wanted)], wanted, atol=1e-3)
        assert set(counts) == {0, 1, 2}

    def test_a_small_stack_is_enough(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_STACK, (256 * 1024, 256 * 1024))
        for more in ({"of": ["mode", "sequence", "energy_loss"]}, {"give": ["maximum"], "of": ["energy_loss"]}):
            ranges = TestExtremes.RANGES if "give" in more else NORMAL + RATIO
            self.write("x.yaml", PENDULUM + "fixed: {angle: 0.2}\n" + uncertain(ranges, points=64, **more))
            self.good("run", "x.yaml", "-o", "x.h5", "--force", "--progress", "none", preexec_fn=limit)

    def test_without_axes_the_replicates_are_the_cells(self):
        data = self.made(PENDULUM + uncertain(NORMAL + RATIO + "    - {param: angle, distribution: uniform, "
                                              "from: 0.01, to: 1.5}\n", points=1000, replicates=12))
        assert data.sizes["replicate"] == 12 and len(set(data.share_of_wedge.values.tolist())) > 3
        whole = self.made(PENDULUM + "axes:\n  - {param: mass, values: [1]}\n" + uncertain(
            NORMAL + RATIO + "    - {param: angle, distribution: uniform, from: 0.01, to: 1.5}\n",
            points=1000, replicates=12))
        assert np.isclose(data.share_of_wedge.values.mean(), float(whole.share_of_wedge[0]), rtol=1e-12)

    def test_info_tells_what_is_known_of_a_space(self):
        config = PENDULUM + uncertain(
            "    - {param: friction, distribution: uniform, from: 0, to: 1.5}\n"
            "    - {param: angle, distribution: uniform, from: 0.01, to: 1.5}\n"
            "    - {param: mass, distribution: uniform, from: 1, to: 2}\n", points=4096, replicates=10) + (
                "fixed: {stiffness_ratio: 1.21}\n")
        self.made(config)
        space = self.info("x.h5")["space"]
        mu = np.linspace(0, 1.5, 200001)
        wedge, truth = space["modes"]["wedge"], np.mean(np.clip(wedging_angle(mu, 1.21) - 0.01, 0, None)) / 1.49
        assert abs(wedge["share"] - truth) < 2 * wedge["bound"] < 1e-3
        assert space["draws"] == 40960 and np.isclose(space["unseen"], -np.log(0.05) / 40960)
        assert sum(one["share"] for one in space["modes"].values()) == pytest.approx(1, abs=1e-12)
        for name, one in space["modes"].items():
            if one["share"] > 0:
                cell = self.cell("compliant", "body=pendulum", "law=linear", "stiffness_ratio=1.21",
                                 *one["example"].split())
                assert cell["mode"] == name
            else:
                assert one["bound"] == pytest.approx(space["unseen"])
        assert space["changes"]["mass"] == 0
        # along the angle it wedges, reverses, and sticks throughout, if friction is not small
        assert 1 < space["changes"]["angle"] <= 2 and 0 < space["changes"]["friction"] <= 2
        said = self.good("info", "x.h5")
        assert "\nspace          3 uncertain parameters, 40,960 draws; " in said and "\nacross         mass" in said

    def test_draws_of_a_space_with_indices_are_those_that_count(self):
        self.made(PENDULUM + "fixed: {angle: 0.1, stiffness_ratio: 1.21}\n" + uncertain(
            NORMAL, points=100, replicates=3, sensitivity="true"))
        assert self.info("x.h5")["space"]["draws"] == 600

    def test_check_and_info_tell_the_uncertain_parameters(self):
        self.write("x.yaml", self.CONFIG)
        said = self.good("check", "x.yaml")
        assert "\nuncertain              sobol, 200 points, 8 replicates, seed 1, friction normal 0.5 0.2, truncated" in said
        self.made(self.CONFIG)
        assert "stiffness_ratio uniform 1.1 1.3" in self.info("x.h5")["uncertain"]

    def test_a_map_of_other_draws_is_not_resumed(self):
        self.made(self.CONFIG)
        self.write("x.yaml", self.CONFIG.replace("sd: 0.2", "sd: 0.21"))
        assert self.sweep("run", "x.yaml", "-o", "x.h5", "--resume").returncode == BAD_INPUT


class TestExtremes(Case):
    RANGES = ("    - {param: friction, from: 0.2, to: 0.9}\n    - {param: stiffness_ratio, from: 0.8, to: 2}\n")
    ANGLES = "axes:\n  - {param: angle, from: 20 deg, to: 80 deg, points: 7}\n"

    def test_they_are_those_of_the_search_over_two_parameters(self):
        ours = self.made(PENDULUM + self.ANGLES + uncertain(self.RANGES, give=["minimum", "maximum"], points=64,
                                                            of=["kinematic_restitution", "energy_loss"]))
        assert "kinematic_restitution_mean" not in ours and "mode" not in ours
        for which, sign in (("minimum", 1), ("maximum", -1)):
            for output in ("kinematic_restitution", "energy_loss"):
                theirs = self.made(PENDULUM + self.ANGLES + f"search: {{find: {which}, of: {output}, over: ["
                                   "{param: friction, from: 0.2, to: 0.9}, "
                                   "{param: stiffness_ratio, from: 0.8, to: 2}]}\n", name="search")
                assert (sign * (ours[f"{output}_{which}"].values - theirs.extreme.values) < 1e-9).all(), output

    def test_they_can_be_repeated(self):
        data = self.made(PENDULUM + self.ANGLES + uncertain(
            self.RANGES + "    - {param: length, from: -0.1, to: 0.1, relative: true, about: cell}\n",
            give=["minimum"], of=["energy_loss"]) + "fixed: {length: 2}\n")
        for i in range(7):
            words = [f"{name}={value!r}" for name, value in zip(
                members(data, "uncertain_parameter"), data.energy_loss_minimum_at.values[i].tolist())]
            cell = self.cell("compliant", "body=pendulum", "law=linear", f"angle={float(data.angle[i])!r}", *words)
            assert cell["energy_loss"] == float(data.energy_loss_minimum[i])

    def test_four_parameters_reach_a_corner(self):
        """The kinematic restitution of Newton's law is its coefficient, whatever the other three are."""
        data = self.made("model: rigid\nchoose: {body: rod, law: newton}\n"
                         "axes:\n  - {param: angle, values: [0.5]}\nfixed: {friction: 0, velocity_ratio: 0}\n"
                         + uncertain("    - {param: restitution, from: 0.3, to: 0.7}\n"
                                     "    - {param: mass, from: 1, to: 2}\n    - {param: length, from: 1, to: 2}\n"
                                     "    - {param: normal_speed, from: 1, to: 2}\n",
                                     give=["minimum", "maximum"], of=["kinematic_restitution"]))
        assert np.isclose(data.kinematic_restitution_minimum.values[0], 0.3, rtol=1e-9)
        assert np.isclose(data.kinematic_restitution_maximum.values[0], 0.7, rtol=1e-9)


BAD = [
    (TestExtremes.RANGES, {"give": ["minimum"]}, "missing key 'of' for 'give'"),
    (TestExtremes.RANGES, {"give": ["mode"], "of": ["energy_loss"]}, "unknown extreme 'mode'"),
    (TestExtremes.RANGES, {"give": [], "of": ["energy_loss"]}, "'give' is empty"),
    (TestExtremes.RANGES, {"give": ["minimum"], "of": ["mode"]}, "'mode' is no real output"),
    (TestExtremes.RANGES, {"give": ["minimum"], "of": ["energy_loss"], "quantiles": [0.5]},
     "'quantiles' does not go with 'give'"),
    (NORMAL, {"give": ["minimum"], "of": ["energy_loss"]}, "and no distribution"),
    ("    - {param: friction, from: 0.2}\n", {"give": ["minimum"], "of": ["energy_loss"]}, "missing key 'to'"),
    ("    - {table: short.csv}\n", {"give": ["minimum"], "of": ["energy_loss"]}, "a table does not go with 'give'"),
    ("    - {param: friction, distribution: normal, mean: 0.5, sd: 0.2}\n", {}, "can be drawn as -0.78"),
    ("    - {param: friction, distribution: normal, mean: -4, sd: 0.1, truncate: true}\n", {},
     "nothing of the distribution of 'friction' is within its range [0, inf)"),
    ("    - {param: friction, distribution: uniform, from: -4, to: -1, truncate: true}\n", {},
     "nothing of the distribution of 'friction' is within its range [0, inf)"),
    (NORMAL + NORMAL, {}, "'friction' is uncertain already"),
    ("    - {param: body, distribution: uniform, from: 1, to: 2}\n", {}, "'body' is a choice, only parameters"),
    ("    - {param: frction, distribution: uniform, from: 1, to: 2}\n", {}, "did you mean 'friction'?"),
    ("    - {param: friction}\n", {}, "missing key 'distribution' of an uncertain parameter"),
    ("    - {distribution: uniform, from: 1, to: 2}\n", {}, "missing key 'param' of an uncertain parameter"),
    ("    - {param: friction, distribution: uniform, from: 2, to: 1}\n", {}, "'to' must be above 'from'"),
    ("    - {param: friction, distribution: uniform, from: 0, to: 1, relative: true}\n", {},
     "'relative' needs 'about: cell'"),
    ("    - {param: friction, distribution: uniform, from: 0, to: 1, about: sell}\n", {}, "did you mean 'cell'?"),
    ("    - {param: poisson_ratio, distribution: uniform, from: 0, to: .1, about: cell}\n", {},
     "stands for 'stiffness_ratio'"),
    ("    - {table: none.csv}\n", {}, "cannot read the table"),
    ("    - {table: short.csv, truncate: true}\n", {}, "'truncate' does not go with a table"),
    ("    - {table: outside.csv}\n", {}, "outside.csv:3:1: error: 'friction' is -1, outside its range [0, inf)"),
    ("    - {table: short.csv}\n", {}, "1 values in this row, the header names 2 columns"),
    (NORMAL, {"points": 0}, "points is 0, allowed are 1 to 16777216"),
    (NORMAL, {"points": 10**12}, "points is 1000000000000, allowed are"),
    (NORMAL, {"replicates": 0}, "replicates is 0, allowed are 1 to 1024"),
    (NORMAL, {"replicates": 1024, "points": 1 << 24}, "draws, at most 1073741824 are allowed"),
    (NORMAL, {"points": 1 << 20, "of": ["energy_loss"]}, "quantiles keep all draws of a cell"),
    (NORMAL, {"sample": "sobl"}, "did you mean 'sobol'?"),
    (NORMAL, {"draws": "other"}, "unknown draws 'other'"),
    (NORMAL, {"of": []}, "'of' is empty"),
    (NORMAL, {"of": ["mod"]}, "did you mean 'mode'?"),
    (NORMAL, {"of": ["mode", "mode"]}, "the output 'mode' is listed twice"),
    (NORMAL, {"quantiles": [0.5, 1]}, "above 0 and below 1"),
    (NORMAL, {"sensitivity": "yes"}, "unknown sensitivity 'yes'"),
    (NORMAL + RATIO, {"correlation": {"params": ["friction", "stiffness_ratio"], "matrix": [[1, 0], [0, 1]]}},
     "'stiffness_ratio' is not normal"),
    (NORMAL + "    - {param: length, distribution: normal, mean: 1, sd: 0.01}\n",
     {"correlation": {"params": ["friction", "length"], "matrix": [[1, 2], [2, 1]]}}, "is not positive definite"),
    (NORMAL + "    - {param: length, distribution: normal, mean: 1, sd: 0.01}\n",
     {"correlation": {"params": ["friction", "length"], "matrix": [[1, 0.5], [0.4, 1]]}}, "is not symmetric"),
    (NORMAL + "    - {param: length, distribution: normal, mean: 1, sd: 0.01}\n",
     {"correlation": {"params": ["friction", "length"], "matrix": [[1, 0.5]]}}, "'matrix' has 1 rows"),
    (NORMAL + "    - {param: length, distribution: normal, mean: 1, sd: 0.01}\n",
     {"sensitivity": "true",
      "correlation": {"params": ["friction", "length"], "matrix": [[1, 0.5], [0.5, 1]]}}, "independent parameters"),
]


class TestBadConfigs(Case):
    @pytest.mark.parametrize("params, keys, says", BAD)
    def test_each_has_its_place(self, params, keys, says):
        self.write("outside.csv", "friction\n0.5\n-1\n")
        self.write("short.csv", "friction,length\n0.5\n")
        self.write("x.yaml", PENDULUM + ANGLES + "fixed: {stiffness_ratio: 1.21}\n".replace(
            "stiffness_ratio: 1.21", "" if "stiffness" in params or "poisson" in params else "stiffness_ratio: 1.21")
            + uncertain(params, **keys))
        said = self.bad("check", "x.yaml", says=says)
        assert all(line.split(":")[1].isdigit() for line in said.splitlines() if ": error: " in line)

    def test_an_axis_needs_about_cell(self):
        self.write("x.yaml", PENDULUM + "axes:\n  - {param: friction, from: 0.1, to: 1, points: 3}\n"
                   "fixed: {stiffness_ratio: 1, angle: 0.1}\n" + uncertain(NORMAL))
        self.bad("run", "x.yaml", "-o", "x.h5", says=["x.yaml:4:13: error: 'friction' is uncertain", "about: cell"])
        assert self.files() == ["x.yaml"]

    def test_a_stand_in_is_named(self):
        self.write("x.yaml", PENDULUM + ANGLES + "fixed: {stiffness_ratio: 1, friction: 0.3}\n" + uncertain(
            "    - {param: poisson_ratio, distribution: uniform, from: 0, to: 0.4}\n"))
        self.bad("check", "x.yaml", says="x.yaml:5:9: error: the uncertain parameter 'poisson_ratio' sets the value of "
                 "'stiffness_ratio' too\n")

    def test_every_key_may_be_misspelt(self):
        for key in ("sampel", "point", "param"):
            self.write("x.yaml", PENDULUM + ANGLES + uncertain(NORMAL, **{key: 1}))
            self.bad("check", "x.yaml", says=f"unknown key '{key}'")
