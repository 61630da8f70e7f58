"""Pages of other maps: large ones reduced, refined ones, searches, the beam, and hostile attributes."""
import json
import math
import os
import random
import re

import pytest
from browser import LAWS, PageTest, has_module, need_module, program

LARGE = """
model: compliant
choose: {body: rod, law: linear}
axes:
  - {param: angle, from: -89 deg, to: 89 deg, points: 2000}
  - {param: velocity_ratio, from: -3, to: 3, points: 2000}
fixed: {friction: 0.5, stiffness_ratio: 0.1}
outputs: [mode, energy_loss]
precision: float32
"""
REFINED = """
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.01, to: 1.5}
fixed: {stiffness_ratio: 1.21}
outputs: [mode]
refine: {depth: 7, boundary: 1.0e-3}
"""
SURFACES = """
model: compliant
choose: {body: pendulum, law: linear}
axes:
  - {param: stiffness_ratio, from: 0.8, to: 2}
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.01, to: 1.5}
outputs: [mode]
refine: {depth: 4, boundary: 1.0e-2}
"""
REGIONS = """
model: rigid
choose: {body: rod, law: energetic}
axes:
  - {param: friction, values: [0.4, 0.6]}
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: velocity_ratio, from: -3, to: 1}
fixed: {restitution: 0.6}
outputs: [mode]
refine: {depth: 6, base: 32, boundary: 1.0e-2, audit: 0}
"""
SEARCH = """
model: compliant
choose: {body: pendulum, law: linear}
axes: [{param: friction, from: 0.05, to: 1, points: 30}, {param: stiffness_ratio, values: [0.5, 1.21]}]
search: {over: {param: angle, from: 0.1 deg, to: 89 deg, samples: 64}, find: boundary, of: mode, in: [wedge]}
"""
BEAM = """
model: beam
axes: [{param: angular_velocity, values: [-4, -6]}, {param: position, from: 0.4, to: 1, points: 5}]
outputs: [mode, kinematic_restitution]
"""
PAYLOADS = ["</script><script>window.hacked = 1</script>", "<img src=x onerror=window.hacked=1>", "\"'><svg onload=window.hacked=1>",
            "\u2028\u2029]]>-->", "javascript:window.hacked=1", "${window.hacked=1}", "{{7*7}}", "&lt;b&gt;&#60;", "<!--", "__proto__"]


def overwrite(file, name, text):
    """Replaces a text attribute, cut to its length if that is fixed."""
    import h5py
    import numpy
    attribute = h5py.h5a.open(file.id, name.encode())
    kind = attribute.get_type()
    value = numpy.array(text, dtype=h5py.string_dtype()) if kind.is_variable_str() else numpy.array(
        text.encode()[:kind.get_size()], dtype=f"S{kind.get_size()}")
    attribute.write(value, mtype=kind if not kind.is_variable_str() else None)


class Maps(PageTest):
    def label(self):
        return self.run_script("return document.getElementById('map').ariaLabel;")

    def test_four_million_cells_are_reduced_and_no_mode_is_lost(self):
        path, page = self.map_of("large", LARGE)
        self.report("large", "--megabytes", "1")
        assert os.path.getsize(page) < 3e6
        with open(page, encoding="utf-8") as file:
            text = file.read()
        data = sum(len(text.split(f'id="{name}">')[1].split("</script>")[0]) for name in ("about-data", "numbers"))
        assert len(text) - data < 1e6
        self.open(page, "#live=false")
        assert "of the 4,000,000 cells" in self.text("#summary")
        shown = self.label().split(": ", 1)[1]
        modes = json.loads(program("info", path, "--json"))["modes"]
        assert len(modes) > 5
        for mode in modes:
            assert mode.replace("_", " ") in shown
        self.mouse("pointermove", 0.4, 0.6)
        cell = json.loads(program(*self.text("#cell pre").split()[1:], "--json"))
        assert cell["mode"].replace("_", " ") in self.text("#cell table")

    def test_refined_map_has_its_curves(self):
        path, page = self.map_of("refined", REFINED)
        self.open(page, "#live=false&numbers=false")
        assert "Refinement" in self.text("#about")
        svg = self.run_script("return impactsweep.svg();")
        program("export", path, "--boundary", "-o", self.path("curves.csv"))
        with open(self.path("curves.csv")) as file:
            vertices = len(file.readlines()) - 1
        drawn = sum(line.count(",") for line in svg.splitlines() if "<polyline" in line and 'stroke="#000000"' in line)
        assert vertices > 20
        assert drawn == vertices

    def test_the_region_under_the_pointer(self):
        """It is the one whose place well inside is connected with the cell."""
        import h5py
        import numpy
        from scipy import ndimage
        path, page = self.map_of("regions", REGIONS)
        self.open(page, "#live=false&numbers=false")
        with h5py.File(path) as file:
            mode = file["mode"][()]
            table = {name.removeprefix("region_"): column[()] for name, column in file["regions"].items()}
            axes = [file["angle"][()], file["velocity_ratio"][()]]
        seen = set()
        for k in range(2):
            self.show(at={"friction": k})
            rows = numpy.nonzero(table["refinement"] == k)[0]
            inside = [[int(numpy.argmin(abs(axis - table[name][row]))) for axis, name in zip(axes, ("angle", "velocity_ratio"))]
                      for row in rows]
            for place in numpy.ndindex(5, 5):
                self.mouse("pointermove", 0.03 + 0.235 * place[0], 0.03 + 0.235 * place[1])
                number = int(re.search(r"stored cell ([\d,]+) of", self.text("#cell")).group(1).replace(",", "")) - 1
                at = numpy.unravel_index(number, mode.shape)
                parts, _ = ndimage.label(mode[k] == mode[at])
                own = [row for row, node in zip(rows, inside) if parts[tuple(node)] == parts[at[1:]] > 0]
                assert at[0] == k and len(own) == 1
                assert f"number {table['number'][own[0]]}, {100 * table['area'][own[0]]:.2f} % of the map, one of {len(rows)}" in \
                    self.text("#facts"), (k, place)
                seen.add(own[0])
        assert len(seen) > 8

    def test_surfaces_of_three_refined_axes_are_cut_by_the_picture(self):
        path, page = self.map_of("surfaces", SURFACES)
        self.open(page, '#live=false&numbers=false&x="friction"&y="angle"')
        drawn = []
        for place in (4, 12):
            self.show(at={"stiffness_ratio": place})
            svg = self.run_script("return impactsweep.svg();")
            lines = [[tuple(map(float, point.split(","))) for point in line.split('"')[1].split()]
                     for line in svg.splitlines() if "<polyline" in line and 'stroke="#000000"' in line]
            drawn.append(lines)
            assert len(lines) > 20
            assert all(len(line) == 2 for line in lines)
            self.check_sides(lines[::3], 0.8 + 1.2 * place / 16)
        assert drawn[0] != drawn[1]

    def check_sides(self, lines, stiffness_ratio):
        """Cells on either side of a line have different modes; the page's own solver tells."""
        if not has_module():
            return
        p = self.run_script("return impactsweep.plane;")

        def value(part, low, high):  # cells reach half a step beyond the ends of an axis
            return min(high, max(low, low + (part * 17 - 0.5) / 16 * (high - low)))

        cells = [{"body": "pendulum", "law": "linear", "stiffness_ratio": stiffness_ratio,
                  "friction": value(((ax + bx) / 2 + dx - p["x"]) / p["w"], 0.01, 1.5),
                  "angle": math.radians(value((p["y"] + p["h"] - (ay + by) / 2 - dy) / p["h"], 1, 89))}
                 for (ax, ay), (bx, by) in lines for dx, dy in ((12, 0), (-12, 0), (0, 12), (0, -12))]
        modes = self.run_script("return Promise.all(given[0].map(async (one) => (await impactsweep.cell('compliant', one)).mode));", cells)
        different = sum(len(set(modes[4 * i:4 * i + 4])) > 1 for i in range(len(lines)))
        assert different > 0.8 * len(lines)

    def test_search_is_a_family_of_curves(self):
        _, page = self.map_of("search", SEARCH)
        self.open(page)
        self.run_script("await impactsweep.ready;")
        assert self.view["y"] is None
        if has_module():
            assert "Searches are not solved" in self.text("#live")
        svg = self.run_script("return impactsweep.svg();")
        assert ">1.21<" in svg
        assert "root (deg)" in svg

    def test_beam_is_shown_as_stored(self):
        if os.environ.get("IMPACT_PETSC") == "OFF":
            pytest.skip("without PETSc")
        _, page = self.map_of("beam", BEAM)
        self.open(page)
        self.run_script("await impactsweep.ready;")
        if has_module():
            assert "The solver modal of the theory beam is not in this page" in self.text("#live")
        self.show(field="kinematic_restitution", x="position", y="angular_velocity")
        self.mouse("pointermove", 0.5, 0.25)
        words = self.text("#cell pre").split()
        assert words[:3] == ["impactsweep", "cell", "beam"]
        assert "position=" in " ".join(words)

    def test_beam_by_collocation_is_solved_in_the_page(self):
        need_module()
        _, page = self.map_of("collocated", BEAM.replace("axes", "choose: {solver: collocation}\naxes"))
        self.open(page)
        self.run_script("await impactsweep.ready;")
        self.wait_for("document.getElementById('live').textContent.includes('stored cells')")
        assert self.text("#live") == "10 of 10 stored cells, solved again in this page, have the same bits."

    def test_names_that_every_object_has(self):
        """Names of options and of fields may be those of members of Object.prototype."""
        try:
            import h5py
        except ImportError:
            pytest.skip("python3-h5py is not installed")
        path, _ = self.map_of("named", LAWS)
        field = "slip_loss"
        for name in ("__proto__", "constructor", "toString"):
            with h5py.File(path, "r+") as file:
                for variable in (one for one in file.values() if "flag_meanings" in one.attrs):
                    variable.attrs.modify("flag_meanings", " ".join([name] * len(variable.attrs["flag_values"])))
                file.move(field, name)
                field = name
            self.open(self.report("named"))
            self.run_script("await impactsweep.ready;")
            for shown in ("mode", f"{name}:1", "energy_loss"):
                self.show(field=shown)
                assert self.view["field"] == shown
                self.mouse("pointermove", 0.5, 0.5)
            assert "stored cell" in self.text("#cell")
            assert name.replace("_", " ") in self.text("#sketch .hint")

    def test_hostile_attributes_stay_text(self):
        try:
            import h5py
        except ImportError:
            pytest.skip("python3-h5py is not installed")
        path, _ = self.map_of("hostile", REFINED.replace("refine: {depth: 7, boundary: 1.0e-3}", "")
                              .replace("89 deg}", "89 deg, points: 20}").replace("1.5}", "1.5, points: 20}")
                              .replace("[mode]", "[mode, energy_loss]"))
        chance = random.Random(1)
        for turn in range(2):
            with h5py.File(path, "r+") as file:
                for name in ("title", "libraries", "config", "created", "compiler", "config_path", "theory"):
                    overwrite(file, name, chance.choice(PAYLOADS) + chance.choice(PAYLOADS))
                for name in ("energy_loss", "mode", "angle", "friction"):
                    overwrite(file[name], "units", "<b>")
                words = [chance.choice(PAYLOADS).replace(" ", "")[:10] + str(i) for i in range(len(file["mode"].attrs["flag_values"]))]
                overwrite(file["mode"], "flag_meanings", " ".join(words))
                if turn == 1:
                    file.move("energy_loss", "<img src=x onerror=hacked()>")
            page = self.report("hostile")
            with open(page, encoding="utf-8") as written:
                about = written.read().split('id="about-data">')[1].split("</script>")[0]
            assert not re.search("[<>&]", about)
            assert "\\u003c" in about
            self.open(page)
            self.run_script("await impactsweep.ready;")
            self.mouse("pointermove", 0.5, 0.5)
            self.show(field=self.run_script("return document.querySelector('#controls select').options[1].value;"))
            assert self.run_script("return window.hacked ?? null;") is None
            assert self.run_script(
                "return document.querySelectorAll('img, b, svg:not(.key svg), iframe, object, embed').length;") == 0
            assert self.run_script("return document.scripts.length;") == 5
            svg = self.run_script("return impactsweep.svg();")
            assert self.run_script("""
                const parsed = new DOMParser().parseFromString(given[0], "image/svg+xml");
                return parsed.querySelectorAll("parsererror, script, foreignObject, [onload]").length;""", svg) == 0
