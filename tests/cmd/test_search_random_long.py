"""A thousand random rectangles: junctions against uniform maps of 4,097 x 4,097 nodes, mapped anew where a box needs a junction;
turning points against the beginnings and ends of regions; and a corner close to which contacts stick and slip without end."""
import math

import ends
import junctions
from support import Case

RECTANGLES, NODES = 1000, 4097
# Spheres with stiffness_ratio = 7/2 restitution^2 on the way, close to which contacts stick and slip without end: a cell there
# takes its whole budget.
DEAR, FEW_NODES = {651, 751, 789, 952}, 1025


class Long(Case):
    def test_a_thousand_random_rectangles(self):
        """Of a region between two others that is shorter than a cell of the survey the search knows nothing."""
        results = {seed: junctions.check(self, seed, FEW_NODES if seed in DEAR else NODES) for seed in range(RECTANGLES)}
        assert sum(one.junctions for one in results.values()) > 500
        lost = [seed for seed, one in results.items() if one.lost]
        unknown = [seed for seed in lost if not results[seed].declared]
        dear = [seed for seed, one in results.items() if one.is_dear()]
        print(f"{len(results)} rectangles, {sum(one.junctions for one in results.values())} junctions; some are lost in the "
              f"rectangles {lost}, undeclared in {unknown}; more than 20,000 cells for each in {dear}")
        assert not lost and not dear

    def test_the_corner_of_the_gross_slip_limit(self):
        """A sphere of two springs, energetic coefficient e: in restitution the springs are harder by 1 / e^2. With a slip speed v
        less 7/2 friction times the impulse, and the tangential spring that stretches with the normal force, slip ends at the start
        of restitution at v = 7/2 friction, at separation at v = friction (7/2 (1 + e) - eta / e). Both limits meet at
        e = sqrt(2 eta / 7), eta = 1.7 / 1.4."""
        data = self.made(junctions.search("junction", """model: compliant
choose: {body: sphere}
axes: [{param: friction, values: [0.2, 0.5]}]
fixed: {poisson_ratio: 0.3}
""", "velocity_ratio, from: 0.1, to: 3.4", "restitution, from: 0.05, to: 1"))
        corner = math.sqrt(2 / 7 * 1.7 / 1.4)
        assert round(corner, 6) == 0.589015
        for k, friction in enumerate((0.2, 0.5)):
            place = data.isel(friction=k, root_number=1)
            for name, value in (("velocity_ratio", 3.5 * friction), ("restitution", corner)):
                bracket = float(place[f"at_{name}_bracket"])
                assert bracket < 1e-9 and abs(float(place[f"at_{name}"]) - value) <= bracket

    def test_regions_begin_and_end_at_turning_points(self):
        """Of four hundred rectangles. Lost are a lens that is narrower than the samples, needles that begin far from where the grid sees
        them, and strips that end straight."""
        verdicts = {seed: ends.check(self, junctions.draw(seed), 1025) for seed in range(400)}
        lost = [seed for seed, one in verdicts.items() if one.lost]
        found = [one for one in verdicts.values() if one.points]
        dear = [one.cells / one.points for one in found if one.cells > 2000 * one.points]
        print(f"{sum(one.ends for one in verdicts.values())} ends; some are lost in the rectangles {lost}; more than 2,000 cells for each "
              f"point in {len(dear)} of {len(found)}, at most {max(dear, default=0):.0f}")
        assert sum(one.ends for one in verdicts.values()) > 200 and len(lost) <= 6
        assert not dear
