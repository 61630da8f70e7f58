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
        """One of its strips is .0009 of the range wide, and runs along a boundary that the survey takes for one of two modes."""
        verdict = junctions.check(self, 704, 4097)
        assert verdict.junctions == 4 and not verdict.lost and not verdict.declared

    def test_strips_cost_little(self):
        """Beside a junction; without one; where many lie beside each other."""
        for seed, count in ((385, 1), (714, 0), (822, 1)):
            places, data = junctions.found(self, junctions.draw(seed))
            assert len(places) == count and data.search_cells <= 20000, (seed, len(places), float(data.search_cells))
