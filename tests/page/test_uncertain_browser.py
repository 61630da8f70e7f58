"""The page of a map of probability: shares by their names, and the draws of the cell under the pointer as bars."""
from browser import PageTest

CONFIG = """
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: angle, from: 1 deg, to: 20 deg, points: 20}
  - {param: friction, from: 0.1, to: 1.5, points: 15}
uncertain:
  points: 64
  params:
    - {param: friction, distribution: normal, mean: 0, sd: 0.15, relative: true, about: cell}
    - {param: stiffness_ratio, distribution: normal, mean: 1.21, sd: 0.2, from: 0.5}
  of: [mode, kinematic_restitution]
"""


class TestUncertain(PageTest):
    sweep = "uncertain", CONFIG

    def test_the_cell_shows_its_draws_as_bars(self):
        self.open(self.page)
        self.run_script("return impactsweep.ready;")
        self.show(field="share_of_wedge")
        self.mouse("pointermove", 0.6, 0.4)
        shares = self.run_script("return [...document.querySelectorAll('#cell .share')].map((one) => one.textContent);")
        assert len(shares) == 2 and all(text.endswith(" %") for text in shares)
        assert 99 < sum(float(text.split()[-2]) for text in shares) < 101
        text = self.text("#cell")
        bars = self.run_script("return [...document.querySelectorAll('#cell .spread span')]"
                               ".map((one) => one.getBoundingClientRect().height);")
        assert len(bars) == 16 and max(bars) > 20 and "kinematic restitution of the draws" in text
        assert "mode of the draws" in text and "wedge" in text
        assert "impactsweep cell" not in text  # a command without the uncertain parameters would be wrong
        assert "Uncertain parameters are not drawn anew" in self.text("#live")
        width = self.run_script("return [...document.querySelectorAll('#cell .bar')].map((one) => one.getBoundingClientRect().width);")
        assert len(width) == 2 and (width[0] > width[1]) == (
            float(shares[0].split()[-2]) > float(shares[1].split()[-2]))

    def test_fields_have_the_names_of_their_places(self):
        self.open(self.page)
        labels = self.run_script("""return [...document.querySelectorAll("#controls option")].map((one) => one.textContent);""")
        assert "mode share, wedge" in labels and "kinematic restitution quantile, 0.5" in labels
