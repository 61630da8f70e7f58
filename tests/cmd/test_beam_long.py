"""5,000 cells of the beam on one rank need no more memory than 500."""
import os

from support import Case, command, environment

CONFIG = """model: beam
axes:
  - {{param: internal_damping, values: [0, 1.0e5]}}
  - {{param: position, from: 0.1, to: 1, points: {points}}}
fixed: {{mode_count: 6, elements: 16, tolerance: 1.0e-5}}
outputs: [kinematic_restitution]
"""


class Memory(Case):
    def kilobytes(self, cells):
        self.write("beam.yaml", CONFIG.format(points=cells // 2))
        words = command(["run", "beam.yaml", "-o", "map.h5", "--force", "--progress", "none"])
        process = os.posix_spawn(words[0], words, environment(self.folder), file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
        _, status, usage = os.wait4(process, 0)
        assert status == 0
        return usage.ru_maxrss

    def test_5000_cells_take_no_more_than_500(self):
        os.chdir(self.work)
        few, many = self.kilobytes(500), self.kilobytes(5000)
        assert many - few < 1000, f"{few} kB, then {many} kB"
