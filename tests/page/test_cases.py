"""Pages of maps of several theories: the command of a cell is one of the theory of its case, and has its bits."""
import json
import os
import shlex
import sys

import numpy as np
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
BODIES = """axes:
  - cases:
      springs: {model: compliant, inertia_coupling: 0.4, stiffness_ratio: {equals: 1 + angle / 5}}
      stronge: {model: rigid, law: energetic, restitution: 0.9}
  - {param: body, values: [rod, pendulum, general]}
  - {param: angle, values: [0.2, 0.5, 1.1]}
fixed: {velocity_ratio: 1, friction: 0.6, inertia_coupling: 0.3}
outputs: [velocity_ratio_out, mode]
"""


class TestCommands(Case):
    @pytest.mark.parametrize("config", [ROD, SPACE, BODIES])
    def test_the_command_of_a_cell_has_its_bits(self, config):
        self.run_config(config, "x.h5", "--progress", "none")
        with xarray.open_dataset(self.path("x.h5")) as data:
            data.load()
        names = data.case.attrs["flag_meanings"].split()
        coordinates = {name: v for name, v in data.variables.items()
                       if v.attrs.get("impactsweep_role") in ("axis", "column", "fixed")}
        options = {name: dict(zip(v.attrs["flag_values"], v.attrs["flag_meanings"].split()))
                   for name, v in coordinates.items() if "flag_values" in v.attrs}
        cells, stored = [], []
        for place in np.ndindex(data.velocity_ratio_out.shape):
            along = dict(zip(data.velocity_ratio_out.dims, place))
            inputs = {one: v.isel({dim: along[dim] for dim in v.dims}).item() for one, v in coordinates.items()}
            cells.append({one: options[one][value] if one in options else value for one, value in inputs.items()})
            stored.append(float(data.velocity_ratio_out[place]))
        assert {cell["case"] for cell in cells} == set(names)
        asked = {"info": self.info("x.h5"), "theories": json.loads(self.good("models", "--json")), "all": False,
                 "cells": cells, "units": {one: {"unit": v.attrs["units"], "value": 0} for one, v in coordinates.items()}}
        commands = run("commands.mjs", json.dumps(asked)).splitlines()
        assert len(commands) == len(cells)
        for command, value in zip(commands, stored, strict=True):
            assert "case=" not in command
            words = [word for word in shlex.split(command)[1:] if not word.startswith(("variables=", "tilt="))]
            out = json.loads(self.good(*words, "--json"))["velocity_ratio_out"]
            assert out == value or (out is None and np.isnan(value)), command

    def test_the_page_has_the_theories_of_its_cases(self):
        self.run_config(ROD, "x.h5", "--progress", "none")
        self.good("report", "x.h5", "-o", "x.html")
        with open(self.path("x.html"), encoding="utf-8") as file:
            page = file.read()
        assert '"theories":[' in page.replace(": [", ":[").replace("\n", "").replace(" ", "")
