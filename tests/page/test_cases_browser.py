"""The page of a map of several theories in a browser: the cell that is clicked has a command of its theory; cases are tabs, and stand side
by side under one pointer."""
import json
import shlex

from browser import TWO_THEORIES, PageTest, program

class Cases(PageTest):
    sweep = "theories", TWO_THEORIES

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
            rows = dict(self.run_script("return [...document.querySelectorAll('#cell tr')]"
                                        ".map((row) => [...row.cells].map((one) => one.textContent));"))
            assert rows["mode"] == printed["mode"].replace("_", " ")
            assert abs(float(rows["energy loss"]) - printed["energy_loss"]) < 1e-7  # pages have 24 bits
        assert "the cases rigid, springs" in self.text("#summary")

    def tabs(self):
        return self.run_script("return [...document.querySelectorAll('[role=tab]')].map((one) => [one.textContent, one.ariaSelected]);")

    def test_cases_are_tabs(self):
        self.open(self.page, '#at={"case":0}')
        self.run_script("return impactsweep.ready;")
        assert self.tabs() == [["rigid", "true"], ["springs", "false"]]
        colour = self.colour(0.5, 0.8)
        self.run_script("document.getElementById('tab-1').click();")
        self.settle()
        assert self.view["at"]["case"] == 1
        assert self.tabs() == [["rigid", "false"], ["springs", "true"]]
        assert self.colour(0.5, 0.8) != colour
        self.run_script("""
            const tab = document.getElementById("tab-1");
            tab.focus();
            tab.dispatchEvent(new KeyboardEvent("keydown", {key: "ArrowLeft", bubbles: true}));""")
        self.settle()
        assert self.view["at"]["case"] == 0
        assert self.run_script("return document.activeElement.id;") == "tab-0"

    def test_two_cases_side_by_side_with_one_pointer(self):
        """Both pictures show their case, and the cell has the values of both; what differs has both names."""
        modes = []
        for case in (0, 1):
            self.open(self.page, f'#at={{"case":{case}}}')
            self.run_script("return impactsweep.ready;")
            modes.append(self.run_script("return document.getElementById('map').ariaLabel;").split(": ")[1].split(". ")[0])
        self.open(self.page, '#at={"case":0}&beside={"at":{"case":1}}')
        self.run_script("return impactsweep.ready;")
        assert [self.text("#side1"), self.text("#side2")] == ["rigid", "springs"]
        assert modes[1] in self.run_script("return document.getElementById('map2').ariaLabel;")
        self.run_script("""
            const map = document.getElementById("map2"), box = map.getBoundingClientRect(), p = impactsweep.plane;
            const at = {clientX: box.left + p.x + 0.3 * p.w, clientY: box.top + p.y + 0.4 * p.h, pointerId: 1, bubbles: true};
            map.dispatchEvent(new PointerEvent("pointermove", at));""")
        self.settle()
        rows = self.run_script("return [...document.querySelectorAll('#facts tr')]"
                               ".map((row) => [...row.cells].map((one) => one.textContent));")
        assert rows[0] == ["", "rigid", "springs"]
        words = shlex.split(self.text("#cell pre"))
        inputs = [word for word in words[3:] if not word.startswith(("law=", "restitution="))]
        cells = [json.loads(program("cell", *theory, *inputs, "--json")) for theory in (
            ("rigid", "law=newton", "restitution=0.8"), ("compliant", "law=linear", "stiffness_ratio=1.21"))]
        assert rows[1][1:] == [cell["mode"].replace("_", " ") for cell in cells]
        self.show(field="energy_loss", difference=True)
        assert "from" in self.run_script("return document.getElementById('map2').ariaLabel;")
        self.show(field="mode")
        assert " | " in self.run_script("return document.getElementById('map2').ariaLabel;")
