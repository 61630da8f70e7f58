"""Modules of others that the scripts need: where one is missing, a script ends in one line that says how to get it, and
Ctrl-C ends it in one line too. The scripts begin with this module, which needs nothing itself."""
import os
import sys
from importlib.util import find_spec

MODULES = {"numpy": "python3-numpy", "pandas": "python3-pandas", "xarray": "python3-xarray", "h5py": "python3-h5py",
           "h5netcdf": "python3-h5netcdf", "matplotlib": "python3-matplotlib"}


def check(*without):
    """Ends the script with exit code 2 if this Python lacks a module. without: modules that the script does not need."""
    missing = [name for name in MODULES if name not in without and find_spec(name) is None]
    if missing:
        packages = " ".join(MODULES[name] for name in missing)
        print(f"{os.path.basename(sys.argv[0])}: error: {sys.executable or 'this Python'} lacks the module"
              f"{'s' * (len(missing) > 1)} {', '.join(missing)}: use a Python that has them (on Debian /usr/bin/python3, "
              f"with the packages {packages})", file=sys.stderr)
        sys.exit(2)
    sys.excepthook = tell


def tell(kind, value, trace):
    """Ctrl-C ends a script with one line; Python then ends itself by the signal."""
    if kind is KeyboardInterrupt:
        print(f"{os.path.basename(sys.argv[0])}: stopped by Ctrl-C", file=sys.stderr)
    else:
        sys.__excepthook__(kind, value, trace)
