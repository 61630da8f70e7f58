"""Manual pages: they contain all that --help prints, and groff reads them without warnings."""
import re
import shutil
import subprocess
import unittest

from support import Case


class Manual(Case):
    def pages(self):
        """{name: source} of the pages of the program and of every subcommand."""
        names = re.findall(r"^  impactsweep (\w+) ", self.good("--help"), re.M)
        self.assertGreaterEqual(len(names), 10)
        return {"": self.good("help", "--man"),
                **{name: self.good("help", name, "--man") for name in names}}

    def rendered(self, source):
        result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=source, text=True,
                                capture_output=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return re.sub(r"\s+", " ", result.stdout.replace("‐", "-").replace("−", "-"))

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_pages_contain_the_text_of_help(self):
        plain = lambda text: re.sub(r"\W+", "", re.sub(r"-\s+", "-", text))
        for name, source in self.pages().items():
            with self.subTest(page=name or "impactsweep"):
                text = plain(self.rendered(source))
                help_text = self.good("help", *([name] if name else []))
                for line in re.split(r"\n\s+(?=-)|\n", help_text):
                    if not re.match(r"(usage|options|examples?|impactsweep|exit codes)\b", line.strip()):
                        self.assertIn(plain(line), text)

    def test_lines_start_with_a_dot_only_in_known_requests_and_hyphens_are_escaped(self):
        for name, source in self.pages().items():
            for line in source.splitlines():
                if line.startswith((".", "'")):
                    self.assertRegex(line, r"^\.(TH|SH|TP|PP|B|BR|I|nf|fi)\b", name)
                self.assertNotRegex(re.sub(r"\\-", "", line), r"(?<!\\)-", f"{name}: a hyphen: {line}")

    def test_titles_and_names_of_pages(self):
        for name, source in self.pages().items():
            title = f"IMPACTSWEEP\\-{name.upper()}" if name else "IMPACTSWEEP"
            self.assertTrue(source.startswith(f".TH {title} 1 "), name)
            self.assertIn(f"\nimpactsweep{chr(92) + '-' if name else ''}{name} \\- ", source)


if __name__ == "__main__":
    unittest.main()
