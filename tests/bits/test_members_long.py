"""Members of the structures that code in lanes reads: where the order matters, another one is found when it is compiled,
and where it is not found, the bits stay the same."""
import os

import members
import pytest


class Members:
    def test_in_another_order(self, tmp_path):
        copy = members.Copy(os.environ["IMPACT_BUILD"], str(tmp_path))
        found, kept, errors = copy.exchange(1)
        assert errors == ""
        assert {"imp_log_part", "imp_exp_part", "imp_wide"} <= {name for _, name in found}
        assert len(kept) > 100
        assert copy.differences() == []
        assert copy.positional(found) == []

    def test_the_copy_is_what_is_built(self, tmp_path):
        copy = members.Copy(os.environ["IMPACT_BUILD"], str(tmp_path))
        with open(os.path.join(copy.folder, "src", "num", "exponential.c"), "a", encoding="utf-8") as file:
            file.write("#error changed\n")
        with pytest.raises(SystemExit, match="#error changed"):
            copy.differences()

    def test_structures_are_read(self):
        text = ("typedef struct imp_it {\n    double a, b; /* x, y; */\n    int n;\n    double\n        c;\n"
                "    struct {\n        bool p, q;\n    } in;\n    double x[N], y[N + 1];\n} imp_it;\n"
                "#define IMP_LIST(NUMBER) \\\n    NUMBER u; /* first */ \\\n    NUMBER v, w[2];\n")
        names = {name: [[text[start:end] for start, end in places] for places in groups]
                 for name, groups in members.structures(text).items()}
        within = next(name for name in names if name.startswith("structure"))
        assert names == {"imp_it": [["a", "b", "c"]], within: [["p", "q"]], "IMP_LIST": [["u", "v"]]}
        new = members.exchanged(text, members.structures(text)["IMP_LIST"], members.random.Random(1))
        assert "NUMBER v; /* first */" in new and "NUMBER u, w[2];" in new
