"""The workers of a page, in threads of node."""
import node


class Workers:
    def test_windows_calls_and_failures(self):
        assert int(node.run("workers.mjs", "")) == 10

    def test_what_is_shown_while_windows_are_solved(self):
        assert int(node.run("live.mjs", "")) == 21
