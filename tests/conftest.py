"""What all Python tests share with pytest: which build they test, and how ctest knows a test that was skipped."""
import os

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED = 77  # the exit code by which ctest knows it

# ctest sets these; without it the build of tests/run.sh is tested.
os.environ.setdefault("IMPACT_BUILD", os.path.join(ROOT, "build", "tests"))
os.environ.setdefault("IMPACTSWEEP", os.path.join(os.environ["IMPACT_BUILD"], "impactsweep"))


def pytest_sessionfinish(session, exitstatus):
    """A file of which nothing could run is skipped, and so is one of `bits` for which a build is missing."""
    found = session.config.pluginmanager.get_plugin("terminalreporter").stats
    nothing_ran = exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED or not found.get("passed")
    if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and (
            nothing_ran or found.get("skipped") and session.config.args[0].count("/tests/bits/")):
        session.exitstatus = SKIPPED
