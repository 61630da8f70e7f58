"""The solver in a page that Chromium opens from file://, with workers and without a network."""
import json
import os

import pytest
import solver_page
from browser import PageTest, program

GIVEN = {"body": "pendulum", "law": "linear", "angle": 0.7, "friction": 0.4, "stiffness_ratio": 1.21}
WINDOW = """
const window_of = async (rows, columns, law) => ({theory: "compliant", fixed: {body: "pendulum", law, stiffness_ratio: 1.21},
    outputs: ["mode", "energy_loss"], axes: [
        {param: "friction", values: await impactsweep.spaced(0.01, 1.5, rows)},
        {param: "angle", values: await impactsweep.spaced(0.01, 1.5, columns)}]});
const same = (a, b) => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));
"""


@pytest.mark.skipif(not os.path.exists(solver_page.MODULE), reason="the module of WebAssembly is not built")
class Page(PageTest):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        solver_page.write(cls.path("solver.html"))

    def setup_method(self):
        self.open(self.path("solver.html"))

    def words(self, **given):
        return [f"{key}={value!r}" if isinstance(value, float) else f"{key}={value}" for key, value in given.items()]

    def test_a_cell_is_that_of_the_program(self):
        found = self.run_script("return JSON.stringify(await impactsweep.cell('compliant', given[0]));", GIVEN)
        assert json.loads(found) == json.loads(program("cell", "compliant", *self.words(**GIVEN), "--json"))

    def test_a_history_has_the_columns_of_the_program(self):
        found = self.run_script("""const {columns} = await impactsweep.trace('compliant', given[0]);
            return JSON.stringify(Object.entries(columns).map(([name, values]) => [name, [...values]]));""", GIVEN)
        found = dict(json.loads(found))
        lines = [line for line in program("trace", "compliant", *self.words(**GIVEN)).splitlines() if line[0] != "#"]
        assert list(found) == lines[0].split(",")
        assert found["normal_force"] == [float(line.split(",")[list(found).index("normal_force")])
                                         for line in lines[1:]]

    def test_a_message_is_that_of_the_program(self):
        message = self.run_script("return impactsweep.cell('compliant', {...given[0], angel: 1}).catch((e) => e.message);",
                                  GIVEN)
        assert "unknown parameter or choice 'angel' (did you mean 'angle'?)" in message

    def test_workers_solve_a_map_and_give_it_up_for_another(self):
        """The first squares of a window are about a hundred: of 61 x 47 pixels those of 4 x 4."""
        found = self.run_script(WINDOW + """
            const pool = await impactsweep.Pool.open(await impactsweep.module, 2), sizes = [];
            const old = pool.map(await window_of(300, 300, "hertz"));
            const asked = await window_of(61, 47, "hertz");
            const job = pool.map(asked, (now, tile) => sizes.push(tile.size));
            const done = [await old.done, await job.done];
            const {outcome, outputs} = await impactsweep.map(asked.theory, asked.fixed, asked.axes, asked.outputs);
            return {done, sizes: [...new Set(sizes)], equal: [same(job.outcome, outcome),
                same(job.outputs.mode, outputs.mode), same(job.outputs.energy_loss, outputs.energy_loss)]};""")
        assert found == {"done": [False, True], "sizes": [4, 2, 1], "equal": [True] * 3}

    def test_the_page_goes_on_while_workers_solve(self):
        frames = self.run_script(WINDOW + """
            const pool = await impactsweep.Pool.open(await impactsweep.module, 1);
            const job = pool.map(await window_of(220, 220, "hertz"));
            let frames = 0, over = false;
            job.done.then(() => { over = true; });
            while (!over) {
                await new Promise(requestAnimationFrame);
                frames++;
            }
            return frames;""")
        assert frames > 5
