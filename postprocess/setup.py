"""Of a folder that jobs/wheel.py has filled: a wheel for one platform, with the program and the library in it. Of the checkout:
the Python package alone."""
import os

from setuptools import setup
from wheel.bdist_wheel import bdist_wheel

PLATFORM = os.environ.get("IMPACT_WHEEL_PLATFORM")  # such as manylinux_2_34_x86_64


class ForPlatform(bdist_wheel):
    def get_tag(self):
        """Any Python 3: the library is called by ctypes."""
        return "py3", "none", PLATFORM


ENTRIES = {"xarray.backends": ["impactsweep = impactsweep.maps.dataset:Decoded"]}
if PLATFORM:
    ENTRIES["console_scripts"] = ["impactsweep = impactsweep.__main__:main"]
    setup(cmdclass={"bdist_wheel": ForPlatform}, entry_points=ENTRIES, has_ext_modules=lambda: True)
else:
    setup(entry_points=ENTRIES)
