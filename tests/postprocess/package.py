"""Shared by the tests of the Python package: the package of the checkout with the library of the build."""
import os

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
POSTPROCESS = os.path.join(ROOT, "postprocess")
from support import BUILD

os.environ["IMPACTSWEEP_LIBRARY"] = os.path.join(BUILD, "libimpact.so.1")
