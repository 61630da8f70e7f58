"""What all Python tests share with pytest: which build they test, what is undone after them, and how ctest knows a
test that was skipped."""
import contextlib
import glob
import importlib.util
import os
import sys

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SKIPPED = 77  # the exit code by which ctest knows it

# ctest sets these; without it the build of tests/run.sh is tested.
os.environ.setdefault("IMPACT_BUILD", os.path.join(ROOT, "build", "tests"))
os.environ.setdefault("IMPACTSWEEP", os.path.join(os.environ["IMPACT_BUILD"], "impactsweep"))

# xarray looks for dask along the path of modules at every step, which takes a tenth of the time of figures.
if importlib.util.find_spec("dask") is None:
    sys.modules["dask"] = None

for helper in glob.glob(os.path.join(ROOT, "tests", "**", "[!t]*.py"), recursive=True):
    pytest.register_assert_rewrite(os.path.basename(helper).removesuffix(".py"))


@pytest.fixture(autouse=True, scope="class")
def ending_of_class(request):
    """`cls.ending`, which the setup of a class gives what is to be undone after its last test."""
    with contextlib.ExitStack() as stack:
        if request.cls:
            request.cls.ending = stack
        yield


@pytest.fixture(autouse=True)
def ending_of_test(request):
    """`self.ending`, likewise after each test."""
    with contextlib.ExitStack() as stack:
        if request.instance:
            request.instance.ending = stack
        yield


def pytest_sessionfinish(session, exitstatus):
    """A file of which nothing could run is skipped, and so is one of `bits` for which a build is missing."""
    found = session.config.pluginmanager.get_plugin("terminalreporter").stats
    lacks_a_build = found.get("skipped") and "/tests/bits/" in session.config.args[0]
    if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) and (
            not found.get("passed") or lacks_a_build) and not session.config.option.collectonly:
        session.exitstatus = SKIPPED
