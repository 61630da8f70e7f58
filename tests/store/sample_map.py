"""One map of two bodies, ten angles and a table of three rows, for the tests of its file and of `info` and `export`."""
import os
import re
import shutil

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
from support import Case

MODES = ("none gross_stick stick_slip slip_stick_slip_reversed slip_stick_slip_same gross_slip "
         "stick_slip_stick_slip multiple wedge").split()
OUTCOMES = ("pending solved outside no_convergence not_finite budget library_error guest_failed "
            "not_repeated").split()
with open(os.path.join(os.path.dirname(TESTS), "src", "bodies", "planar",
                       "bodies.def")) as bodies:
    BODIES = re.findall(r"^BODY\((\w+)\)", bodies.read(), re.M)
REALS = ("kinematic_restitution kinetic_restitution energetic_restitution velocity_ratio_out "
         "normal_impulse tangential_impulse energy_loss body_energy_loss duration compression_time "
         "residual").split()
CONFIG = """# grüße, a remark that must survive
model: compliant
axes:
  - {param: body, values: [pendulum, rod]}
  - {param: angle, from: -10 deg, to: 80 deg, points: 10}
  - {table: cases.csv, name: case}
fixed: {friction: 0.6, velocity_ratio: 0.3}
outputs: [mode, sequence, %s]
""" % ", ".join(REALS)
TABLE = "stiffness_ratio, normal_speed [m/s]\n1.21, 1\n0.1, 2\n0.01, 0.5\n"


class MapCase(Case):
    """A map of two bodies, ten angles and a table of three rows, in each test's work folder."""

    @classmethod
    def setup_class(cls):
        super().setup_class()
        case = cls.prepared()
        case.write("x.yaml", CONFIG)
        case.write("cases.csv", TABLE)
        case.good("run", "x.yaml", "-o", "map.h5", "--set", "friction=0.7", ranks=2)
        cls.filled = shutil.copytree(case.work, os.path.join(cls.shared, "filled"))

    def setup_method(self):
        super().setup_method()
        if hasattr(self, "filled"):
            shutil.copytree(self.filled, self.work, dirs_exist_ok=True)
        self.map = self.path("map.h5")
