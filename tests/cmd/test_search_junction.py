"""Junctions: points of a rectangle at which three modes meet, against closed forms, at edges, close to each other, in every
theory; the same map for any ranks, parts and interruptions.

The rod of the theory rigid (uniform, length 1, angle from the plane): along the normal B22 = 1 + 3 cos^2, across it
B11 = 1 + 3 sin^2, B12 = 3 sin cos, up to the sign. Slip that ends stays at an end while |B12| < friction B11, so the
modes change at |B12| = friction B11, in t = tan(angle): 3 t = friction (1 + 4 t^2) or, with the angle counted from the
normal, friction (4 + t^2) = 3 t. At velocity ratio 0 the contact sticks, or slips to the side that B12 says: four modes meet.
Where slip ends as compression ends, and as restitution ends, other boundaries cross that line. The theory takes a force within
1e-12 of the cone of friction to be on it, so its junctions are a little beside these."""
import math

import junctions
import numpy as np
import pytest
from support import Case

ROD = junctions.search("junction", """model: rigid
choose: {body: rod, law: energetic}
axes: [{param: friction, values: %s}]
fixed: {restitution: %r}
""", "angle, from: %s, to: %s", "velocity_ratio, from: %s, to: %s")
MAP = junctions.search("junction", """model: rigid
choose: {body: rod}
axes:
  - {param: law, values: [newton, energetic]}
  - {param: friction, from: 0.2, to: 0.6, points: 5}
fixed: {restitution: 0.6}
""", "angle, from: 0.1, to: 1.5, samples: 32", "velocity_ratio, from: -1, to: 2.5, samples: 32")
RIM = """model: compliant3d
choose: {body: rod3d}
axes: [{param: friction, values: [%r]}]
fixed: {stiffness_ratio: %r, heading: %r}
search: {over: [{param: angle, from: -1.4, to: 1.41}, {param: velocity_ratio, from: 0.05, to: 3}], find: junction, of: mode}
"""


def growth_on_the_rim(angle, friction, ratio, heading):
    """Of the slip speed of a rod in space over the indentation, where velocity_ratio = friction ratio."""
    b11, b13, b33 = 1 + 3 * math.cos(angle) ** 2, 1.5 * math.sin(2 * angle), 1 + 3 * math.sin(angle) ** 2
    along = math.cos(heading)
    pull = friction * (b11 * along ** 2 + 4 * math.sin(heading) ** 2)
    return b13 * along - pull + ratio * friction * (b33 - friction * b13 * along)


def critical(friction):
    """The two angles at which |B12| = friction B11."""
    root = math.sqrt(9 - 16 * friction ** 2)
    return [math.atan((3 - root) / (2 * friction)), math.atan((3 + root) / (2 * friction))]


def rod(friction, restitution):
    """All junctions with a positive angle: the place, and how many modes meet."""
    for angle in critical(friction):
        yield angle, 0, 4
        b12, b22 = 3 * math.sin(angle) * math.cos(angle), 1 + 3 * math.sin(angle) ** 2
        end = -2 * b12 / (b22 + friction * b12)  # of compression, as slip ends
        yield angle, end, 4
        yield angle, (1 + restitution) * end, 3


class Junctions(Case):
    def places(self, cell, over):
        n = int(cell.root_count)
        return np.array([[float(cell[f"at_{name}"][k]) for name in over] for k in range(n)]).reshape(n, len(over))

    def test_all_junctions_of_the_rod(self):
        source = np.random.default_rng(5)
        for restitution in (0.6, 1.0, 0.25):
            frictions = sorted(source.uniform(0.15, 0.72, 4))
            data = self.made(ROD % ([float(f) for f in frictions], restitution, -1.56, 1.56, -3, 3.5))
            for k, friction in enumerate(frictions):
                cell = data.isel(friction=k)
                exact = [(sign * angle, sign * velocity, sectors) for angle, velocity, sectors in rod(friction, restitution)
                         for sign in (-1, 1) if velocity or sign > 0] + \
                        [(-angle, 0, 4) for angle in critical(friction)]
                exact = [row for row in exact if -3 < row[1] < 3.5]
                places = self.places(cell, ("angle", "velocity_ratio"))
                assert len(places) == len(exact) and cell.root_flag == 1 and cell.hidden == 0, (friction, places, exact)
                for angle, velocity, sectors in exact:
                    i = int(np.argmin(np.abs(places - (angle, velocity)).max(1)))
                    at = cell.isel(root_number=i)
                    for name, value, span in (("angle", angle, 3.12), ("velocity_ratio", velocity, 6.5)):
                        bracket = float(at[f"at_{name}_bracket"])
                        assert 0 < bracket <= 1e-12 * span if sectors == 3 else 5e-12, (friction, angle, name, bracket)
                        assert abs(float(at[f"at_{name}"]) - value) <= bracket / 2 + 3e-12, (friction, angle, velocity)
                    assert at.meets_count == sectors
                assert cell.search_cells <= 20000 * len(exact)

    def test_the_modes_in_cyclic_order(self):
        """Walked round on a small circle, counterclockwise."""
        data = self.made(ROD % ([0.4], 0.6, 0.05, 1.56, -1, 2)).isel(friction=0)
        names = dict(zip(data.meets_1.attrs["flag_values"].tolist(), data.meets_1.attrs["flag_meanings"].split()))
        turn = np.linspace(0, 2 * math.pi, 2000, endpoint=False)
        assert data.root_count > 1
        for k in range(int(data.root_count)):
            at = data.isel(root_number=k)
            rows = "".join(f"{float(at.at_angle) + 1e-6 * math.cos(t)!r},{float(at.at_velocity_ratio) + 1e-6 * math.sin(t)!r}\n"
                           for t in turn)
            self.write("circle.csv", "angle,velocity_ratio\n" + rows)
            circle = self.made("model: rigid\nchoose: {body: rod, law: energetic}\nfixed: {friction: 0.4, restitution: 0.6}\n"
                               "axes: [{table: circle.csv, name: turn}]\noutputs: [mode]\n")
            codes = circle.mode.values.tolist()
            seen = [code for code, before in zip(codes, codes[-1:] + codes[:-1]) if code != before]
            first = min(range(len(seen)), key=lambda i: seen[i:] + seen[:i])
            stored = [int(at[f"meets_{i + 1}"]) for i in range(int(at.meets_count))]
            assert stored == seen[first:] + seen[:first], [names[code] for code in stored]

    @pytest.mark.parametrize("shift, count", [(0.0, 1), (1e-9, 0), (-1e-9, 1)])
    def test_a_junction_on_an_edge(self, shift, count):
        angle = critical(0.5)[0]
        data = self.made(ROD % ([0.5], 0.6, repr(angle + shift), 1.2, -1, 2.5))
        assert data.root_count.values.tolist() == [count]
        data = self.made(ROD % ([0.5], 0.6, 0.2, repr(angle - shift), -0.5, 2.5))
        assert data.root_count.values.tolist() == [count]

    def test_junctions_closer_than_the_samples(self):
        """At friction 3/4 the critical angles become one; as far as their sectors can be seen, brackets hold."""
        frictions = [0.7, 0.74, 0.749, 0.7499, 0.74999]
        data = self.made(ROD % (frictions, 0.6, 0.1, 1.5, -0.3, 0.4))
        for k, friction in enumerate(frictions):
            cell = data.isel(friction=k)
            assert cell.root_count == 2
            for i, angle in enumerate(critical(friction)):
                bracket = float(cell.at_angle_bracket[i])
                assert abs(float(cell.at_angle[i]) - angle) <= bracket / 2 + 2e-15
                assert bracket < 3e-12 / (0.75 - friction) ** 0.5

    def test_sequences_and_logarithms(self):
        """The stick limit velocity_ratio = friction * stiffness_ratio of a two-spring rod meets the limit of gross slip."""
        data = self.made(junctions.search("junction", """model: compliant
choose: {body: rod}
axes: [{param: friction, values: [0.2, 0.5]}]
fixed: {stiffness_ratio: 1.21}
""", "velocity_ratio, from: 0.01, to: 3, spacing: log", "angle, from: -0.1, to: 1", of="sequence", more="  max_roots: 3\n"))
        for k, friction in enumerate((0.2, 0.5)):
            cell = data.isel(friction=k)
            places = self.places(cell, ("velocity_ratio", "angle"))
            assert np.abs(places[:, 0] - 1.21 * friction).min() < 3e-12, places
            assert cell.meets_1.shape == (3,) and cell.meets_count[0] >= 3

    def test_four_theories(self):
        for head in ("model: continuum\nchoose: {body: rod}", "model: compliant3d\nchoose: {body: rod3d}",
                     "model: swerve\nchoose: {body: rod3d, law: newton}\nfixed: {restitution: 0.5, azimuth: 0.3, heading: 0.2}"):
            fixed = "" if "fixed" in head else "\nfixed: {poisson_ratio: 0.3" + (", azimuth: 0.3, heading: 0.2}" if "3d" in head else "}")
            data = self.made(junctions.search("junction", f"{head}{fixed}\naxes: [{{param: friction, values: [0.3]}}]\n",
                                              "angle, from: 0.2, to: 1.4, samples: 8", "velocity_ratio, from: 0.05, to: 3, samples: 8"))
            assert (data.outcome == 1).all() and (data.search_cells > 80).all()

    @pytest.mark.parametrize("friction, ratio, heading, about", [
        (0.5465015521891791, 0.9529087133664922, 0.38471577801635926, (-1.2, -1.05)),
        (0.613392146097091, 0.8523697341078864, 0.6521053714460958, (-1.3, -1.15))])
    def test_on_the_rim_of_the_cone_in_space(self, friction, ratio, heading, about):
        """Where slip from the rim keeps its speed 0. Two modes part there as a cusp, which is narrower than brackets of 1e-12 over
        1e-6 of the angle. No cell fails, and no junction has a sector without a mode."""
        cell = self.made(RIM % (friction, ratio, heading)).isel(friction=0)
        codes = dict(zip(cell.meets_1.attrs["flag_meanings"].split(), cell.meets_1.attrs["flag_values"].tolist()))
        meet = [{int(cell[f"meets_{i + 1}"][k]) for i in range(int(cell.meets_count[k]))} for k in range(int(cell.root_count))]
        assert all(codes["none"] not in modes for modes in meet)
        low, high = about
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if growth_on_the_rim(middle, friction, ratio, heading) > 0 else (low, middle)
        found = [k for k in range(len(meet)) if abs(float(cell.at_angle[k]) - low) < 2e-6]
        assert [meet[k] for k in found] == [{codes[mode] for mode in ("stick_slip", "slip_stick_slip", "gross_slip")}]
        assert abs(float(cell.at_velocity_ratio[found[0]]) - friction * ratio) < 1e-11

    def test_nothing_is_found_where_nothing_is_solved(self):
        data = self.made(ROD.replace("rod, law", "general, law").replace("fixed: {", "fixed: {inertia_coupling: 0.5, ") %
                         ([0.5], 0.6, 0.3, 0.4, 5, 6))
        assert data.root_count.values.tolist() == [0] and np.isnan(data.at_angle).all()


class Flow(Case):
    def test_ranks_chunks_and_parts_leave_no_trace(self):
        self.check_digests(MAP, [(0,), (1, "--chunk", "3"), (2,), (3,), (5,)], parts=2)

    def test_killed_and_resumed(self):
        self.check_resume(MAP, "--chunk", "1")

    def test_check_info_and_export_know_it(self):
        self.write("x.yaml", MAP)
        assert "junction of mode over angle 5.72958 to 85.9437 deg and velocity_ratio -1 to 2.5" in self.good("check", "x.yaml")
        self.good("run", "x.yaml", "-o", "map.h5")
        assert "junction of mode" in self.good("info", "map.h5")
        table = self.good("export", "map.h5", "--fields", "at_angle,meets_1,root_count").splitlines()
        assert len(table) > 10
