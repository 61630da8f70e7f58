"""Events of the hard rod against uniform maps at 200 values of the outer axis."""
from events import changes_of, counted, refined, uniform
from support import Case


class Events(Case):
    def test_events_are_those_of_uniform_maps_at_200_values(self):
        self.write("refined.yaml", refined(9, 200, base=128))  # a base of 32 misses an island at eight values
        self.write("uniform.yaml", uniform(9, 200))
        for name in ("refined", "uniform"):
            self.good("run", f"{name}.yaml", "-o", f"{name}.h5", "--progress", "none", timeout=3000)
        changes, _ = changes_of(self.path("refined.h5"))
        assert changes == counted(self.path("uniform.h5")) and len(changes) > 10
