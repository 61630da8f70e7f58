"""The exam with every engine that is installed (Debian; npm modules in the folder EXAM_MODULES): Chipmunk and ODE's
iterative solver follow Newton's law, and create energy with it."""
import json
import os
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("exam")
    environment = {**os.environ, "IMPACTSWEEP_LIBRARY": os.path.join(os.environ["IMPACT_BUILD"], "libimpact.so")}
    subprocess.run([os.path.join(HERE, "exam.py"), "--output", str(folder), "--points", "0"], check=True, env=environment)
    with open(folder / "results.json", encoding="utf-8") as file:
        return json.load(file)


@pytest.mark.parametrize("name, share", [("chipmunk", 0.9), ("ode_quick", 0.75), ("box2d", 0.85), ("bullet", 0.6)])
def test_an_engine_of_newtons_law(results, name, share):
    if name not in results:
        pytest.skip(f"{name} is not installed")
    assert results[name]["law"] == "newton" and results[name]["near"] > share
    assert results[name]["energy_gained"] > 0.05


def test_every_engine_answers(results):
    assert results and all(one["answered"] > 0.9 * one["scenes"] for one in results.values())
