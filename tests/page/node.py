"""Shared by the tests that run JavaScript under node; ctest reports them as skipped where something is missing."""
import os
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM, BUILD = os.environ["IMPACTSWEEP"], os.environ["IMPACT_BUILD"]
MODULE = os.path.join(BUILD, "generated", "page", "module.wasm.gz")
SKIPPED = 77  # the exit code by which ctest knows it


def missing():
    """What is needed and not there."""
    return [name for name, there in (("node", shutil.which("node")), ("the module of WebAssembly", os.path.exists(MODULE)))
            if not there]


def run(script, text, *words):
    """What a script of this folder prints, given a text."""
    done = subprocess.run(["node", os.path.join(HERE, script), *words], input=text, capture_output=True, text=True,
                          env=dict(os.environ, IMPACT_MODULE=MODULE))
    if done.returncode:
        raise AssertionError(done.stderr[-4000:])
    return done.stdout


def main():
    if missing():
        print("skipped: without", " and ".join(missing()), file=sys.stderr)
        sys.exit(SKIPPED)
    unittest.main()
