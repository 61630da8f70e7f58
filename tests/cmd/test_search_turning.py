"""Turning points: extremes of boundaries in one parameter over another, against closed forms, and as sweeps.

The pendulum wedges below tan(angle) = t with F = eta mu t^2 + (1 + 3 eta mu^2) t - mu = 0 (the root t = 2 mu / (b +
sqrt(b^2 + 4 eta mu^2)), b = 1 + 3 eta mu^2). Where t is largest dF/dmu = eta t^2 + 6 eta mu t - 1 = 0 too. F / mu less that is
t / mu - 3 eta mu t = 0: mu = 1 / sqrt(3 eta), and s = t sqrt(eta) is the root 2 - sqrt(3) of s^2 + 2 sqrt(3) s - 1.

A rod (uniform, length 1, angle from the plane) that slips at great speed halts only where the normal velocity does not grow with
the impulse: B22 - friction |B12| <= 0, with t = tan(angle): 4 t^2 - 3 friction t + 1 <= 0. The first double root is t = 1/2 at
friction 4/3."""
import math

import ends
import junctions
import numpy as np
from support import Case

PENDULUM = junctions.search("turning", """model: compliant
choose: {body: pendulum}
axes: [{param: stiffness_ratio, from: 0.005, to: 10, points: %d, spacing: log}]
""", "angle, from: 0.1 deg, to: 89.9 deg", "friction, from: 0.01, to: 20, spacing: log")
NEWTON = """model: rigid
choose: {body: rod, law: newton}
axes: []
fixed: {restitution: 0.6, velocity_ratio: 0.5}
"""
MOST_CELLS = 2000  # of a turning point with the default samples


class Turning(Case):
    def found(self, *search, **more):
        """What is found by a text, or by the words of junctions.search."""
        text = junctions.search("turning", *search, **more) if len(search) > 1 else search[0]
        data = self.made(text)
        if "samples" not in text:
            assert (data.search_cells <= MOST_CELLS * np.maximum(data.root_count, 1)).all()
        return data

    def names(self, variable):
        return dict(zip(np.atleast_1d(variable.attrs["flag_values"]).tolist(), variable.attrs["flag_meanings"].split()))

    def check_pendulum(self, data):
        eta = data.stiffness_ratio.values
        assert (data.root_count == 1).all() and (data.hidden == 0).all() and (data.root_flag == 1).all()
        first = data.isel(root_number=0)
        assert (first.turning_kind == 1).all() and self.names(data.turning_kind)[1] == "largest"
        angle, friction = np.arctan((2 - math.sqrt(3)) / np.sqrt(eta)), 1 / np.sqrt(3 * eta)
        np.testing.assert_allclose(first.at_angle, angle, rtol=0, atol=1e-12)
        np.testing.assert_allclose(first.at_friction, friction, rtol=0, atol=1e-8)
        assert (abs(first.at_angle - angle) <= first.at_angle_bracket / 2).all()
        assert (abs(first.at_friction - friction) <= first.at_friction_bracket / 2 + 1e-10 * friction).all()
        assert (first.at_angle_bracket < 1e-11).all()
        return first

    def test_the_largest_angle_at_which_a_pendulum_wedges(self):
        data = self.found(PENDULUM % 200)
        first = self.check_pendulum(data)
        names = self.names(data.side_below)
        assert {names[code] for code in first.side_below.values.tolist()} == {"wedge"}
        assert {names[code] for code in first.side_above.values.tolist()} == {"slip_stick_slip_reversed"}

    def test_more_samples_find_the_same(self):
        text = (PENDULUM % 12).replace("89.9 deg", "89.9 deg, samples: 64").replace("to: 20", "to: 20, samples: 64")
        data = self.found(text)
        self.check_pendulum(data)
        assert data.search_cells.min() > 65 ** 2

    def test_a_narrow_rectangle(self):
        """In which the rounding of the values is a part of 1e-11 to 4e-5 of a range: the brackets have room for it."""
        angle, friction = math.atan((2 - math.sqrt(3)) / 1.1), 1 / (1.1 * math.sqrt(3))
        for height, width in ((1e-6, 1e-3), (1e-8, 1e-4), (1e-10, 1e-5), (1e-12, 1e-6)):
            data = self.found(junctions.search(
                "turning", "model: compliant\nchoose: {body: pendulum}\naxes: []\nfixed: {stiffness_ratio: 1.21}\n",
                f"angle, from: {angle - 0.37 * height!r}, to: {angle + 0.63 * height!r}",
                f"friction, from: {friction - 0.6 * width!r}, to: {friction + 0.4 * width!r}"))
            assert data.root_count == 1, height
            place = data.isel(root_number=0)
            assert abs(place.at_angle - angle) <= place.at_angle_bracket / 2 + 6e-17 < 0.01 * height
            assert abs(place.at_friction - friction) <= place.at_friction_bracket / 2 < 0.1 * width

    def test_a_set_of_modes_has_two_sides(self):
        data = self.found(PENDULUM % 5 + "  in: [wedge]\n  max_roots: 2\n")
        first = self.check_pendulum(data)
        names = self.names(data.side_below)
        assert {names[code] for code in first.side_below.values.tolist()} == {"within"}
        assert {names[code] for code in first.side_above.values.tolist()} == {"without"}
        assert "turning of mode in wedge over angle" in self.good("info", "x.h5")
        again = self.found(PENDULUM % 5 + "  value: wedge\n  max_roots: 2\n")
        assert again.equals(data)

    def test_the_birth_of_the_tongue_of_the_rod(self):
        data = self.found("""model: rigid
choose: {body: rod, law: energetic}
axes: [{param: velocity_ratio, values: [1e15, -1e15]}]
fixed: {restitution: 0.6}
""", "friction, from: 0.1, to: 3", "angle, from: -1.5, to: 1.5")
        first = data.isel(root_number=0)
        assert data.root_count.values.tolist() == [1, 1]
        np.testing.assert_allclose(first.at_friction, 4 / 3, rtol=0, atol=2e-12)
        np.testing.assert_allclose(abs(first.at_angle), math.atan(0.5), rtol=0, atol=1e-8)
        assert (first.turning_kind == 2).all() and self.names(data.turning_kind)[2] == "smallest"

    def test_the_largest_friction_that_reverses_the_slip_of_a_rod(self):
        """3 t = friction (4 + t^2): 3/4 at t = 2."""
        data = self.found(NEWTON, "friction, from: 0.1, to: 3", "angle, from: -1.5, to: 1.5")
        at = int(np.nanargmin(abs(data.at_friction.values.ravel() - 0.75)))
        place = data.isel(root_number=at)
        assert abs(place.at_friction - 0.75) < 2e-12 and abs(place.at_angle + math.atan(2)) < 1e-8
        assert self.names(data.side_below)[int(place.side_below)] == "compression_reverse"
        assert self.names(data.side_above)[int(place.side_above)] == "compression_stick"

    def test_a_level_of_a_real_output(self):
        """inverse_mass_nn = (1 + 3 sin(angle)^2) / mass."""
        data = self.found(NEWTON.replace("[]", "[{param: friction, values: [0.2, 0.7]}]"), "mass, from: 0.1, to: 3",
                          "angle, from: -1, to: 1.2", of="inverse_mass_nn", more="  value: 2\n")
        first = data.isel(root_number=0)
        assert data.root_count.values.tolist() == [1, 1]
        np.testing.assert_allclose(first.at_mass, 0.5, rtol=0, atol=1e-12)
        np.testing.assert_allclose(first.at_angle, 0, rtol=0, atol=1e-8)
        assert (first.turning_kind == 2).all()
        names = self.names(data.side_below)
        assert [names[int(first[name][0])] for name in ("side_below", "side_above")] == ["within", "without"]
        assert "turning of inverse_mass_nn = 2 over mass" in self.good("info", "x.h5")

    def test_a_flat_extreme(self):
        """The same level where it stands out by little more than 2^-9 of the range of the mass, and where it does not."""
        for drop, count in ((2e-3, 1), (2e-4, 0)):
            angle = math.asin(math.sqrt(2 * drop * 2.9 / 3))
            data = self.found(NEWTON.replace("0.5", "0.5, friction: 0.3"), "mass, from: 0.1, to: 3",
                              f"angle, from: {-angle}, to: {1.1 * angle}", of="inverse_mass_nn", more="  value: 2\n")
            assert data.root_count == count
            if count:
                assert abs(data.at_mass.values.ravel()[0] - 0.5) < 1e-12 and abs(data.at_angle.values.ravel()[0]) < 1e-8

    def test_a_corner(self):
        """Slip that would reverse ends as compression ends where 2 |B12| = velocity_ratio (B22 + friction |B12|): there the region
        of restitution_reverse has a corner."""
        def end(friction):
            angle = math.atan((3 + math.sqrt(9 - 16 * friction ** 2)) / (2 * friction))
            b12, b22 = 3 * math.sin(angle) * math.cos(angle), 1 + 3 * math.sin(angle) ** 2
            return 2 * b12 / (b22 + friction * b12), angle

        low, high = 0.5, 0.75
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if end(middle)[0] < 0.5 else (low, middle)
        data = self.found(NEWTON, "friction, from: 0.1, to: 3", "angle, from: -1.5, to: 0", more="  in: restitution_reverse\n")
        place = data.isel(root_number=int(data.root_count) - 1)
        assert place.turning_kind == 1
        assert abs(place.at_friction - low) < 1e-11 and abs(place.at_angle + end(low)[1]) < 1e-10

    def places(self, rectangle, kind):
        """The places found in a rectangle and the halves of their brackets, as parts of the ranges, and the cell."""
        data = self.made(rectangle.config().replace("find: junction", f"find: {kind}"), timeout=1200)
        n, spans = int(data.root_count), {name: high - low for name, (low, high) in rectangle.over.items()}
        return [np.array([data[f"at_{name}{what}"].values.ravel()[:n] / span / part for name, span in spans.items()]).T
                for what, part in (("", 1), ("_bracket", 2))] + [data]

    def test_corners_are_junctions(self):
        """Of random rectangles with fans of narrow strips, some of which lean: a search for junctions knows nothing of the way that a
        turning point is found. A boundary of the seed 63 is straight along the second parameter."""
        for seed, points, corners in ((25, 38, 17), (32, 21, 16), (243, 4, 4), (63, 1, 1)):
            rectangle = junctions.draw(seed)
            places, halves, data = self.places(rectangle, "turning")
            assert len(places) == points and (seed == 32 or data.hidden == 0), (seed, len(places))
            assert seed == 63 or data.search_cells <= MOST_CELLS * points
            self.check_sides(rectangle, data)
            others, other_halves, _ = self.places(rectangle, "junction")
            away = abs(places[:, None] - others)
            close = away.max(2).min(1) < 1e-4
            assert close.sum() == corners, (seed, close.sum())
            nearest = away.max(2).argmin(1)
            wrong = abs(places - others[nearest]) > halves + other_halves[nearest]
            assert not wrong[close].any(), (seed, places[close & wrong.any(1)])

    def check_sides(self, rectangle, data):
        """By labels alone: near each place the inner value is seen at a height on one side of it, and not as close at the same height on
        the other."""
        distances = np.concatenate([[0], np.geomspace(1e-13, 1e-2, 3000)])
        (x, span), (y, width) = ((data[f"at_{name}"].values.ravel(), high - low) for name, (low, high) in rectangle.over.items())
        names = self.names(data.turning_kind)
        for k in range(int(data.root_count)):
            largest = names[int(data.turning_kind.values.ravel()[k])] == "largest"
            inner = int(data["side_below" if largest else "side_above"].values.ravel()[k])

            def nearest(height, among):
                """The least of some distances from the place, in order, at which the inner value is seen on either side."""
                for near in np.array_split(among, 1 + len(among) // 300):
                    across = np.clip(y[k] + np.concatenate([-near, near]) * width, *list(rectangle.over.values())[1])
                    seen = rectangle.modes(np.full_like(across, x[k] + height * span), across) == inner
                    if seen.any():
                        return near[seen.reshape(2, -1).any(0)].min()
                return np.inf

            def is_inside(height):
                least = nearest(height, distances)
                return least < np.inf and nearest(-height, distances[distances <= 3 * least]) == np.inf

            inward = -1 if largest else 1
            assert any(is_inside(inward * height) for height in (1e-11, 1e-10, 1e-9, 1e-8, 1e-7)), k

    def test_a_strip_that_hardly_narrows_is_followed_to_its_tip(self):
        """From so far away that three sections beside each other do not tell where it ends; a search for junctions, which knows nothing
        of sections, finds the tip, too."""
        for seed, tip in ((633, (0.2854, 0.0707)), (341, (0.3401, 0.892))):
            rectangle = junctions.draw(seed)
            spans = [high - low for low, high in rectangle.over.values()]
            found = [self.places(rectangle, kind)[0] for kind in ("turning", "junction")]
            turning, junction = (places[abs(places - np.array(tip) / spans).max(1) < 1e-3 / min(spans)] for places in found)
            assert len(turning) and abs(turning[:, None] - junction).max(2).min() < 1e-10, seed

    def test_long_strips_cost_little(self):
        """They are followed in steps that become longer: 2,050 to 3,040 cells for each turning point in steps that stay short. Fewer points
        than are found would cost more for each; each of them is one."""
        for seed, points in ((109, 4), (171, 5), (334, 1)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points and data.search_cells <= MOST_CELLS * points, (seed, float(data.search_cells))
            self.check_sides(rectangle, data)

    def test_strips_across_the_rectangle_cost_little(self):
        """Cells of the survey are larger than a strip is wide: 2,020 to 4,300 cells for each turning point where they are as small."""
        for seed, points in ((63, 1), (92, 1), (123, 1), (157, 1), (200, 1), (323, 1), (397, 9), (532, 1), (790, 1), (862, 1), (983, 2),
                             (1011, 1), (1254, 4)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points and data.search_cells <= MOST_CELLS * points, (seed, float(data.search_cells))
            self.check_sides(rectangle, data)

    def test_strips_beside_each_other_and_in_regions_of_one_value_cost_little(self):
        """They cross cells of the survey, too: 2,030 to 3,420 cells for each turning point if only a strip that is alone between two values
        does, or if cells have no more than two strips, and 2,010 to 2,060 (378, 822, 1093) if the ends of sections on the way to a tip are
        bracketed as closely as those of the first ones."""
        for seed, points in ((7, 1), (378, 1), (822, 3), (1093, 3), (2015, 2)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points and data.search_cells <= MOST_CELLS * points, (seed, float(data.search_cells))
            self.check_sides(rectangle, data)

    def test_a_strip_that_the_survey_sees_in_places_is_followed_beyond(self):
        """It is narrower than the brackets of the survey, and hardly narrows where it is seen."""
        for seed, points in ((109, 4), (379, 32), (525, 2)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points, (seed, int(data.root_count))
            self.check_sides(rectangle, data)

    def test_sides_where_several_values_meet(self):
        """Each of them may have an extreme there, and the value of one of these may go on beyond it beside the others."""
        for seed, points in ((792, 19), (1317, 10)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points, (seed, int(data.root_count))
            self.check_sides(rectangle, data)

    def test_a_strip_in_pieces_is_followed_once(self):
        """Needles that the survey sees as islands. If each of these is followed to the tip anew, they take 10,200, 24,400 and 5,000
        cells; if steps toward a tip stay short after a short one, 8,100, 21,300 and 4,700."""
        for seed, points, cells in ((399, 2, 3700), (2098, 4, 10700), (200, 1, 2900)):
            verdict = ends.check(self, junctions.draw(seed), 2049)  # each region of a map that begins does so at one of the points
            assert (verdict.points, verdict.lost) == (points, []) and verdict.cells <= cells, (seed, verdict)
            assert verdict.ends or seed == 200  # there a strip ends where two others meet

    def test_the_bracket_of_a_smooth_extreme_is_narrow(self):
        """8e-7 and 5e-7 of the range if the polynomial goes through heights so far from it that it does not describe the boundary."""
        for seed, points in ((784, 5), (91, 8)):
            _, halves, data = self.places(junctions.draw(seed), "turning")
            assert len(halves) == points and halves.max() < 1e-8, (seed, halves.max())

    def test_a_strip_that_was_followed_is_known_by_any_of_its_sections(self):
        """2,200, 10,410, 20,010 and 5,650 cells if only those that are expected ahead tell that it was, and if steps become short at the
        edge of the rectangle instead of ending there."""
        for seed, points, cells in ((378, 1, 2000), (1093, 3, 6100), (506, 28, 15000), (2015, 2, 3200)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points and data.search_cells <= cells, (seed, float(data.search_cells))
            self.check_sides(rectangle, data)

    def test_plain_junctions_cost_little(self):
        """No square is looked at around three boundaries that end at a point, or two that cross: 2,090 to 2,340 cells for each turning
        point with squares and with sections whose ends are looked for from further away."""
        for seed in (95, 296, 655, 958, 1288):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == 1 and data.search_cells <= MOST_CELLS, (seed, float(data.search_cells))
            self.check_sides(rectangle, data)

    def test_a_narrow_sector_at_a_junction_is_looked_at(self):
        """At a junction a strip as narrow as the brackets of the survey leaves, or a boundary turns back beside it: the square around it
        has turning points that the survey does not show."""
        for seed, points in ((665, 10), (880, 36), (1770, 20), (2931, 46)):
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points, (seed, int(data.root_count))
            self.check_sides(rectangle, data)

    def test_what_is_no_turning_point_costs_little(self):
        """Boundaries that are straight along the second parameter, and pieces of strips that go on: 2,040 to 2,250 cells if each is climbed
        like a turning point."""
        for seed in (382, 734, 922, 1229, 1355):
            _, _, data = self.places(junctions.draw(seed), "turning")
            assert data.root_count == 1 and data.search_cells <= MOST_CELLS, (seed, float(data.search_cells))

    def test_pieces_of_a_strip_that_a_square_has_whole_cost_little(self):
        """The survey of the rectangle sees them as islands below the extreme that was found in the square, and that of the square those
        that are narrower than its brackets: 2,010 to 2,130 cells for each turning point if all of these are climbed."""
        for seed, points in ((387, 4), (921, 1), (1052, 1), (1073, 1), (1283, 2)):
            _, _, data = self.places(junctions.draw(seed), "turning")
            assert data.root_count == points and data.search_cells <= MOST_CELLS * points, (seed, float(data.search_cells))

    def test_a_strip_that_leaves_a_square_is_followed(self):
        """The square has the strip to its edge only, beyond which is its tip: a sphere whose springs swing alike in restitution, with
        velocity_ratio = 3.5 friction, the stiffness_ratio of which is 3.5 restitution^2."""
        rectangle = junctions.draw(441)
        places, halves, _ = self.places(rectangle, "turning")
        tip = 3.5 * rectangle.fixed["restitution"] ** 2, abs(rectangle.fixed["velocity_ratio"]) / 3.5
        spans = [high - low for low, high in rectangle.over.values()]
        assert len(places) == 1 and (abs(places[0] - np.array(tip) / spans) <= halves[0] + (1e-10, 1e-8)).all()

    def test_a_boundary_along_the_second_parameter_has_no_turning_point(self):
        """Slip lasts for just the compression at velocity_ratio = (mu b11 - b12) / (b22 - mu b12) = 3.0139, whatever the
        stiffness_ratio."""
        places, _, _ = self.places(junctions.draw(278), "turning")
        assert len(places) == 0

    def test_what_is_lost_is_declared(self):
        """Pieces of a strip along the edge of the rectangle (1009), which is not followed; not strips that leave the rectangle at its edge
        (379)."""
        for seed, is_lost, cells in ((1009, True, 1300), (379, False, 17600)):
            _, _, data = self.places(junctions.draw(seed), "turning")
            assert bool(data.hidden > 0) == is_lost and data.search_cells <= cells, seed

    def test_a_tip_whose_sides_touch(self):
        """The width goes with the square of the distance to the tip, so that rounding hides the last 1e-6 of the range. A body whose angle
        and velocity_ratio change their signs has the same modes: the two tips are each other's mirror image. A tail in pieces ends at
        sections of the first one: 5,810 cells if each is followed, and one point if the tip is lost (714)."""
        rectangle = junctions.draw(2219)
        places, halves, data = self.places(rectangle, "turning")
        touching = halves[:, 0] > 1e-8
        assert data.root_count == 19 and touching.sum() == 2 and (halves[touching] < 1e-6).all()
        assert (abs(places[touching].sum(0)) <= halves[touching].sum(0)).all()
        names, kinds = self.names(data.turning_kind), data.turning_kind.values.ravel()[:19][touching]
        assert sorted(names[int(kind)] for kind in kinds) == ["largest", "smallest"]
        _, halves, data = self.places(junctions.draw(714), "turning")
        assert data.root_count == 2 and data.hidden == 0 and data.search_cells <= 2 * MOST_CELLS and 1e-7 < halves.max() < 1e-5

    def check_costs(self, *cases):
        """Of random rectangles by their seeds: so many points, their sides, and at most so many cells (listings of the program)."""
        for seed, points, cells in cases:
            rectangle = junctions.draw(seed)
            _, _, data = self.places(rectangle, "turning")
            assert data.root_count == points and data.search_cells <= cells, (seed, float(data.search_cells))
            self.check_sides(rectangle, data)

    def test_a_point_where_several_values_meet_is_climbed_once(self):
        """3,790, 19,850 and 18,970 cells if the extreme of each value is followed to the end."""
        self.check_costs((916, 4, 3200), (32, 21, 17700), (2405, 23, 16800))

    def test_strips_cross_squares_of_a_dear_search(self):
        """3,530 and 18,790 cells if squares have small cells along them, whatever the search has cost."""
        self.check_costs((385, 3, 2850), (379, 32, 17600))

    def test_a_boundary_along_the_second_parameter_costs_little(self):
        """720 and 8,450 cells if each of its brackets is narrowed."""
        self.check_costs((744, 0, 650), (2665, 3, 7000))

    def test_regions_begin_and_end_at_turning_points(self):
        """Those of maps of random rectangles, seen column by column; test_search_random_long has four hundred."""
        verdicts = [ends.check(self, junctions.draw(seed), 513) for seed in (25, 59, 81, 83, 86, 232)]
        assert [one.lost for one in verdicts if one.lost] == []
        assert sum(one.ends for one in verdicts) > 60

    def test_no_turning_point(self):
        """The limit of stick of a sphere, velocity_ratio = friction * stiffness_ratio, is straight; inflections are none."""
        data = self.found("model: compliant\nchoose: {body: sphere}\naxes: [{param: stiffness_ratio, values: [1.1, 1.3]}]\n",
                          "velocity_ratio, from: 0.01, to: 1", "friction, from: 0.01, to: 1")
        assert data.root_count.values.tolist() == [0, 0] and np.isnan(data.at_friction).all()

    def test_squares_that_are_left_out_are_declared(self):
        """Where stiffness_ratio is nearly 7/2 restitution^2 a sphere sticks along the rim of the cone: cells there spend all of a small
        budget, and after so many of them the search looks at no square more. A boundary whose end is not found there is hidden, too."""
        data = self.found("""model: compliant
choose: {body: sphere, law: linear}
fixed: {restitution: 0.669, velocity_ratio: 2.1877026323619893}
axes: [{param: normal_speed, values: [1]}]
cell_budget: 300
""", "stiffness_ratio, from: 0.060329693843090754, to: 1.8510638790148168", "friction, from: 0.17507626862762954, to: 0.8520200127610774")
        assert data.hidden.values.tolist() == [2]


class Flow(Case):
    def test_ranks_and_parts_leave_no_trace(self):
        self.check_digests(PENDULUM % 12, [(0,), (1, "--chunk", "5"), (2,), (5, "--chunk", "1")], parts=2)

    def test_killed_and_resumed(self):
        self.check_resume(PENDULUM % 60, "--chunk", "1")
