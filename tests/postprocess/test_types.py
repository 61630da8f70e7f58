"""Types of the public functions and classes: every argument and every result has one."""
import inspect
import os

import package
import impactsweep
from impactsweep import impacts

PACKAGE = os.path.join(package.POSTPROCESS, "impactsweep")


class Types:
    def test_public_functions_are_annotated(self):
        functions = [getattr(impactsweep, name) for name in impactsweep.__all__]
        functions = [one for one in functions if not inspect.isclass(one)] + [impacts.read]
        assert len(functions) > 12 and os.path.samefile(os.path.dirname(impactsweep.__file__), PACKAGE)
        for function in functions:
            signature = inspect.signature(function)
            assert signature.return_annotation is not signature.empty, function.__name__
            assert [one.name for one in signature.parameters.values() if one.annotation is one.empty] == [], function.__name__
