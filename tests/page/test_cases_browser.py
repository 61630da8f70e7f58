"""The page of a map of several theories in a browser: the cell that is clicked has a command of its theory."""
import json
import shlex

from browser import PageTest, program

CONFIG = """
axes:
  - cases:
      rigid:   {model: rigid, law: newton, restitution: 0.8}
      springs: {model: compliant, law: linear}
  - {param: angle, from: 1 deg, to: 89 deg, points: 30}
  - {param: friction, from: 0.01, to: 1.5, points: 20}
choose: {body: rod}
fixed: {velocity_ratio: 1, stiffness_ratio: 1.21}
outputs: [mode, energy_loss]
"""


class Cases(PageTest):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.map, cls.page = cls.map_of("theories", CONFIG)

    def test_the_command_of_a_cell(self):
        self.open(self.page)
        self.run_script("return impactsweep.ready;")
        for case, theory in ((0, "rigid"), (1, "compliant")):
            self.show(at={"case": case}, x="angle", y="friction")
            self.mouse("pointerdown", 0.3, 0.6, button=0)
            self.mouse("pointerup", 0.3, 0.6, button=0)
            self.wait_for(f"document.querySelector('#cell pre')?.textContent.includes(' {theory} ')")
            command = shlex.split(self.text("#cell pre"))
            assert command[:3] == ["impactsweep", "cell", theory]
            printed = json.loads(program(*command[1:], "--json"))
            rows = dict(self.run_script("return [...document.querySelectorAll('#cell tr')].map((row) => [...row.cells].map((one) => one.textContent));"))
            assert rows["mode"] == printed["mode"].replace("_", " ")
            assert abs(float(rows["energy loss"]) - printed["energy_loss"]) < 1e-7  # pages have 24 bits
        assert "the cases rigid, springs" in self.text("#summary")
