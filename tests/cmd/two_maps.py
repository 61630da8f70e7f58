"""Configs whose maps the tests of `diff` and of `impactsweep.compare` compare."""
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
