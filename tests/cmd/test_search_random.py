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

    def test_a_strip_beside_a_junction_costs_little(self):
        places, data = junctions.found(self, junctions.draw(385))
        assert len(places) == 1 and data.hidden == 0 and data.search_cells <= 20000
