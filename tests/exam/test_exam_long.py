"""The exam with every engine that is installed (Debian; npm modules in the folder EXAM_MODULES): engines follow Newton's law with
friction by the final slip, and create energy with it; Simbody follows Poisson's, and creates none."""
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


@pytest.mark.parametrize("name, share", [("siconos", 0.99), ("chipmunk", 0.99), ("ode_quick", 0.8), ("box2d", 0.9), ("bullet", 0.8),
                                         ("jolt", 0.8), ("dart", 0.6)])
def test_an_engine_of_newtons_law(results, name, share):
    if name not in results:
        pytest.skip(f"{name} is not installed")
    assert results[name]["law"] == "newton, final slip" and results[name]["near"] > share
    assert 0.09 < results[name]["energy_gained"] < 0.11
    assert results[name]["shares"]["newton"] > results[name]["shares"]["poisson"]


@pytest.mark.parametrize("name, share", [("simbody", 0.8), ("simbody_pgs", 0.85)])
def test_simbodys_law_is_poissons(results, name, share):
    if name not in results:
        pytest.skip(f"{name} is not installed")
    one = results[name]
    assert one["law"] == "poisson, final slip" and one["near"] > share and one["energy_gained"] < 1e-6
    assert one["shares"]["poisson"] > one["shares"]["newton"] + 0.1


def test_every_engine_answers(results):
    assert results and all(one["answered"] > 0.9 * one["scenes"] for one in results.values())
