"""Configs whose maps the tests of `diff` and of `impactsweep.compare` compare, or whose cells have commands."""
MAP = """model: compliant
choose: {{body: rod, law: {law}}}
axes:
  - {{param: angle, from: 1 deg, to: 89 deg, points: {points}}}
  - {{param: friction, from: 0.01, to: 1.5, points: 31}}
fixed: {{stiffness_ratio: 1.21, velocity_ratio: 0.4}}
outputs: [mode, sequence, energy_loss, slip_loss]
"""
LAWS = """model: compliant
choose: {{body: rod}}
axes:
  - {{param: friction, from: 0.01, to: 1.5, points: 31}}
  - {{param: law, values: [hertz, linear]}}
  - {{param: angle, from: 1 deg, to: 89 deg, points: {points}}}
fixed: {{stiffness_ratio: 1.21, velocity_ratio: 0.4}}
outputs: [mode, energy_loss]
"""
ROWS = """model: compliant
choose: {{body: pendulum, law: {law}}}
axes: [{{sample: sobol, points: 64, seed: {seed}, params: [
  {{param: angle, distribution: uniform, from: 10 deg, to: 40 deg}},
  {{param: friction, distribution: uniform, from: 0.2, to: 1}}]}}]
fixed: {{stiffness_ratio: 1.21}}
outputs: [mode, energy_loss]
"""
FOLLOWED = """model: compliant
choose: {{body: rod}}
axes:
  - {{param: stiffness_ratio, from: 0.2, to: 2, points: {points}, spacing: {spacing}}}
  - {{param: angle, from: 5 deg, to: 85 deg, points: 6}}
fixed: {{velocity_ratio: 1, friction: {friction}}}
outputs: [mode, energy_loss]
"""
# Configs that follow the axis, the one they are compared with, and how many of its values are common.
FOLLOWING = [
    (("log", 30, "{equals: 0.5 * stiffness_ratio}"), ("linear", 20, "{equals: 0.5 * stiffness_ratio}"), 2),
    (("linear", 10, "{equals: 0.5 * stiffness_ratio}"), ("linear", 19, "{equals: stiffness_ratio / 2}"), 10),
    (("linear", 10, "{equals: 0.5 + 0 * stiffness_ratio}"), ("linear", 19, "0.5"), 10),
    (("linear", 10, "{equals: 0.5 * stiffness_ratio}"), ("linear", 19, "0.5"), 1),  # at 1
    (("linear", 10, "{equals: 0.5 * stiffness_ratio}"), ("linear", 10, "{equals: 0.5 * stiffness_ratio + 0 * angle}"), 10),
    (("linear", 10, "{equals: 0.5 * stiffness_ratio}"), ("linear", 10, "{equals: abs(stiffness_ratio - 1) + 0.5}"), 1),
    (("linear", 10, "{equals: 0.5 * stiffness_ratio}"), ("linear", 19, "{equals: 0.6 * stiffness_ratio}"), 0),
]
FOLLOWED_TABLE = "angle [deg],stiffness_ratio,body\n30,1,rod\n30,1.21,rod\n20,3,pendulum\n"
FOLLOWED_ROWS = """model: compliant
axes: [{{table: rows.csv, name: case}}]
fixed: {{velocity_ratio: 0.4, friction: {friction}}}
outputs: [mode, energy_loss]
"""
FOLLOWED_BY = {"one": "{equals: stiffness_ratio / 2}", "two": "{equals: abs(stiffness_ratio - 1) + 0.5}", "three": "0.5"}
# Maps whose cells take different parameters: a command has only those of its cell. TABLE is rows.csv.
TABLE = "body,angle [deg],friction,law\nrod,20,0.3,linear\npendulum,30,0.3,hertz\nsphere,0,0.3,linear\n"
OPTIONS = {
    "laws": """model: compliant
choose: {body: rod}
axes: [{param: law, values: [linear, hertz, dashpot, coupled]}, {param: angle, values: [5 deg, 40 deg]}]
fixed: {stiffness_ratio: 1.21, friction: 0.3, velocity_ratio: 1, normal_damping_ratio: 0.1, restitution: 0.7, damping: 0.2}
outputs: [mode, energy_loss]
""",
    "bodies": """model: rigid
choose: {law: energetic}
axes: [{param: body, values: [rod, pendulum, sphere]}, {param: angle, values: [5 deg, 40 deg]}]
fixed: {friction: 0.3, velocity_ratio: 1, restitution: 0.5, radius: 0.1, initial_spin: 0.2}
outputs: [mode, energy_loss]
""",
    "rows": """model: compliant
axes: [{table: rows.csv, name: row}, {param: stiffness_ratio, values: [1, 2]}]
fixed: {velocity_ratio: 0.4, radius: 0.1}
outputs: [mode, energy_loss]
""",
    "stand_ins": """model: compliant
choose: {body: pendulum}
axes: [{param: poisson_ratio, values: [0.2, 0.4]}, {param: friction, values: [0.2, 0.4]}]
fixed: {angle: 0.3}
outputs: [mode, energy_loss]
""",
    "variables": """model: compliant
variables: {tilt: rad, scale: 1, half: m}
choose: {body: lamina}
axes: [{param: tilt, from: 5 deg, to: 85 deg, points: 3}, {param: scale, values: [1, 4]}]
fixed: {friction: 0.4, stiffness_ratio: 1.21, velocity_ratio: 0.3, half: {equals: 0.5 * scale}, gyration_radius: {equals: half / sqrt(3)},
        offset_t: {equals: half * sin(tilt)}, offset_n: {equals: -half * cos(tilt)}}
outputs: [mode, energy_loss]
""",
    "variables_of_one_body": """model: compliant
variables: {tilt: rad}
axes: [{param: body, values: [lamina, rod]}, {param: tilt, values: [20 deg, 30 deg]}]
fixed: {friction: 0.4, stiffness_ratio: 1.21, velocity_ratio: 0.3, gyration_radius: {equals: sqrt(1 / 12)}, angle: 0.3,
        offset_t: {equals: 0.5 * sin(tilt)}, offset_n: {equals: -0.5 * cos(tilt)}}
outputs: [mode, energy_loss]
""",
    # Formulas read parameters that not every cell takes, one of which follows another one.
    "formulas_of_others": """model: compliant
axes: [{param: body, values: [pendulum, rod]}, {param: velocity_ratio, values: [-0.2, 0.4]}]
fixed: {friction: {equals: abs(initial_spin - 2e-1) / 2}, initial_spin: {equals: 1 - velocity_ratio}, stiffness_ratio: 1.21, angle: 0.3}
outputs: [mode, energy_loss]
""",
    "cases": """variables: {tilt: rad}
axes:
  - cases:
      springs: {model: compliant, law: linear, body: lamina, friction: {equals: 0.3 + stiffness_ratio / 5}}
      stronge: {model: rigid, law: energetic, restitution: 1, body: lamina}
      rod: {model: rigid, law: energetic, restitution: 1, body: rod, angle: 0.2}
  - {param: tilt, values: [10 deg, 40 deg]}
fixed: {velocity_ratio: 1, stiffness_ratio: 1.21, friction: 0.4, gyration_radius: {equals: sqrt(1 / 12)},
        offset_t: {equals: 0.5 * sin(tilt)}, offset_n: {equals: -0.5 * cos(tilt)}}
outputs: [mode, energy_loss]
""",
}
