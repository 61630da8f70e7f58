"""Pages of maps of several theories: the command of a cell is one of the theory of its case, and has its bits."""
import json
import os
import shlex
import sys

import pytest
import xarray
from node import run

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cmd"))
from support import Case

ROD = """axes:
  - cases:
      springs: {model: compliant, law: linear}
      hertz:   {model: compliant, law: hertz, damping: 0.1}
      rigid:   {model: rigid, law: newton, restitution: 0.8}
  - {param: angle, from: -40 deg, to: 70 deg, points: 4}
choose: {body: rod}
fixed: {velocity_ratio: 1, stiffness_ratio: 1.21, friction: 0.4}
outputs: [velocity_ratio_out, mode]
"""
SPACE = """variables: {tilt: rad}
axes:
  - cases:
      swerve:  {model: swerve, law: energetic, restitution: 1}
      springs: {model: compliant3d, stiffness_ratio: 1.21}
  - {param: tilt, values: [0.2, 0.5, 0.7]}
choose: {body: rod3d}
fixed: {angle: {equals: 2 * tilt}, heading: 1, velocity_ratio: 1, friction: 0.3}
outputs: [velocity_ratio_out, mode]
"""


class TestCommands(Case):
    @pytest.mark.parametrize("config", [ROD, SPACE])
    def test_the_command_of_a_cell_has_its_bits(self, config):
        self.write("x.yaml", config)
        self.good("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        with xarray.open_dataset(self.path("x.h5")) as data:
            data.load()
        names = data.case.attrs["flag_meanings"].split()
        along = next(str(dim) for dim in data.outcome.dims if dim != "case")
        coordinates = {name: v for name, v in data.variables.items()
                       if v.attrs.get("impactsweep_role") in ("axis", "column", "fixed")}
        cells, stored = [], []
        for i, name in enumerate(names):
            for k in range(data.sizes[along]):
                inputs = {one: float(v[k] if v.dims else v) for one, v in coordinates.items() if one != "case"}
                cells.append({**inputs, "case": name})
                stored.append(float(data.velocity_ratio_out[i, k]))
        asked = {"info": self.info("x.h5"), "theories": json.loads(self.good("models", "--json")), "all": False,
                 "cells": cells, "units": {one: {"unit": v.attrs["units"], "value": 0} for one, v in coordinates.items()}}
        commands = run("commands.mjs", json.dumps(asked)).splitlines()
        assert len(commands) == len(cells)
        for command, value in zip(commands, stored, strict=True):
            assert "case=" not in command
            words = [word for word in shlex.split(command)[1:] if not word.startswith(("variables=", "tilt="))]
            assert json.loads(self.good(*words, "--json"))["velocity_ratio_out"] == value, command

    def test_the_page_has_the_theories_of_its_cases(self):
        self.write("x.yaml", ROD)
        self.good("run", "x.yaml", "-o", "x.h5", "--progress", "none")
        self.good("report", "x.h5", "-o", "x.html")
        with open(self.path("x.html"), encoding="utf-8") as file:
            page = file.read()
        assert '"theories":[' in page.replace(": [", ":[").replace("\n", "").replace(" ", "")
