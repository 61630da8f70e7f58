"""Manual pages: they contain all that --help prints, and groff reads them without warnings."""
import re
import shutil
import subprocess

import pytest
from support import Case


class Manual(Case):
    def pages(self):
        """{name: source} of the pages of the program and of every subcommand."""
        names = re.findall(r"^  impactsweep (\w+) ", self.good("--help"), re.M)
        assert len(names) >= 10
        return {"": self.good("help", "--man"),
                **{name: self.good("help", name, "--man") for name in names}}

    def rendered(self, source):
        result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=source, text=True,
                                capture_output=True)
        assert (result.returncode, result.stderr) == (0, "")
        return re.sub(r"\s+", " ", result.stdout.replace("‐", "-").replace("−", "-"))

    @pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
    def test_pages_contain_the_text_of_help(self):
        plain = lambda text: re.sub(r"\W+", "", re.sub(r"-\s+", "-", text))
        for name, source in self.pages().items():
            text = plain(self.rendered(source))
            help_text = self.good("help", *([name] if name else []))
            for line in re.split(r"\n\s+(?=-)|\n", help_text):
                if not re.match(r"(usage|options|examples?|impactsweep|exit codes)\b", line.strip()):
                    assert plain(line) in text

    def test_lines_start_with_a_dot_only_in_known_requests_and_hyphens_are_escaped(self):
        for name, source in self.pages().items():
            for line in source.splitlines():
                if line.startswith((".", "'")):
                    assert re.search(r"^\.(TH|SH|TP|PP|B|BR|I|nf|fi)\b", line), name
                assert not re.search(r"(?<!\\)-", re.sub(r"\\-", "", line)), f"{name}: a hyphen: {line}"

    def test_titles_and_names_of_pages(self):
        for name, source in self.pages().items():
            title = f"IMPACTSWEEP\\-{name.upper()}" if name else "IMPACTSWEEP"
            assert source.startswith(f".TH {title} 1 "), name
            assert f"\nimpactsweep{chr(92) + '-' if name else ''}{name} \\- " in source
