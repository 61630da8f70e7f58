"""Types of the public functions and classes: every argument and every result has one."""
import inspect
import os
import re

import package
import impactsweep
from impactsweep import impacts
from impactsweep.display import notebook

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

    def test_a_theory_in_a_notebook(self):
        """Every input and output of the page is in the tables, and nothing of it is taken for HTML."""
        for name in ("compliant", "rigid", "beam"):
            theory = impactsweep.describe(name)
            shown = theory._repr_html_()
            for tag in ("table", "details", "tr", "td"):
                assert len(re.findall(rf"<{tag}\b", shown)) == shown.count(f"</{tag}>") > 0
            for one in (*theory.inputs, *theory.outputs, *theory.bodies):
                assert re.search(rf"<td[^>]*>{one}\b", shown), one
        assert "&lt;" in notebook.folded("a<b", notebook.table(("c",), [("<d>",)]))
