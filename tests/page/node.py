"""Shared by the tests that run JavaScript under node; those that import it are skipped where something is missing."""
import os
import shutil
import subprocess

import pytest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM, BUILD = os.environ["IMPACTSWEEP"], os.environ["IMPACT_BUILD"]
MODULE = os.path.join(BUILD, "generated", "page", "module.wasm.gz")


def missing():
    """What is needed and not there."""
    return [name for name, there in (("node", shutil.which("node")), ("the module of WebAssembly", os.path.exists(MODULE)))
            if not there]


if missing():
    pytest.skip("without " + " and ".join(missing()), allow_module_level=True)


def run(script, text, *words):
    """What a script of this folder prints, given a text."""
    done = subprocess.run(["node", os.path.join(HERE, script), *words], input=text, capture_output=True, text=True,
                          env=dict(os.environ, IMPACT_MODULE=MODULE))
    if done.returncode:
        raise AssertionError(done.stderr[-4000:])
    return done.stdout
