"""Junctions of random rectangles against uniform maps; see junctions.py. test_search_random_long has a thousand."""
import junctions
from support import Case


class Rectangles(Case):
    def test_random_rectangles(self):
        total = 0
        for seed in (8, 16, 25, 32, 59, 81, 86, 92):
            verdict = junctions.check(self, seed, 201)
            assert (verdict.declared or not verdict.lost) and not verdict.is_dear(), (seed, verdict)
            total += verdict.junctions
        assert total > 40

    def test_strips_narrower_than_the_brackets(self):
        """Strips that are .0009 of the range wide: one along a boundary that the survey takes for one of two modes (704), one that ends at
        a boundary which it meets from the side, between the nodes of the survey (698)."""
        for seed, count in ((704, 4), (698, 17)):
            verdict = junctions.check(self, seed, 4097)
            assert verdict.junctions == count and not verdict.lost and not verdict.declared, (seed, verdict)

    def test_junctions_that_rounding_blurs(self):
        """Beside two of them rounding draws dots of one mode along the boundary of two others; each has the stiffness ratio of another
        junction, whose bracket is narrow."""
        verdict = junctions.check(self, 404, 4097)
        assert verdict.junctions == 10 and not verdict.lost and not verdict.declared, verdict
        places, (low, high) = verdict.places, junctions.draw(404).over["stiffness_ratio"]
        brackets = verdict.data.at_stiffness_ratio_bracket.values.ravel()
        for blurred, narrow in ((0, 9), (1, 6)):
            assert brackets[narrow] < 1e-12 * (high - low) < brackets[blurred] < 1e-9 * (high - low), brackets
            assert abs(places[blurred, 1] - places[narrow, 1]) < brackets[blurred] / 2, places

    def test_strips_cost_little(self):
        """Beside a junction; without one; where many lie beside each other; where strips without end come together at the limit of
        gross slip, with a junction and without: 63,400 and 26,400 cells if every tile with three values counts as one. And where five
        junctions of six show only once much was spent."""
        for seed, count in ((385, 1), (714, 0), (822, 1), (1093, 1), (641, 0), (397, 6)):
            places, data = junctions.found(self, junctions.draw(seed))
            assert len(places) == count and data.search_cells <= 20000 * max(count, 1), (seed, len(places), float(data.search_cells))

    def test_a_junction_is_followed_once(self):
        """Eight sectors and eleven, some of them narrow, meet in one junction of each: boxes lose it and find it again. 81,800 and 127,700
        cells for three if it is followed in every box that finds it. The fourth junction of the first rectangle is in a square that is
        looked at as more tiles must hold a junction than the survey let expect."""
        for seed, count, sectors in ((1254, 4, 8), (1317, 3, 11)):
            places, data = junctions.found(self, junctions.draw(seed))
            assert len(places) == count and data.search_cells <= 20000 * count, (seed, len(places), float(data.search_cells))
            assert data.meets_count.max() == sectors
