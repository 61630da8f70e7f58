"""The data set that jobs/dataset.py makes: complete, described column by column, and checked by its sums."""
import csv
import json
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
from support import PROGRAM, ROOT, Case


class Dataset(Case):
    def make(self, name, *words):
        folder = self.path(name)
        done = subprocess.run([os.path.join(ROOT, "jobs", "dataset.py"), folder, "--points", "3", *words], capture_output=True,
                              text=True, env=dict(os.environ, IMPACTSWEEP=PROGRAM), check=False)
        return folder, done

    def test_what_is_in_it(self):
        folder, done = self.make("one", "--only", "rigid-rod-newton")
        assert done.returncode == 0, done.stderr
        said = subprocess.run(["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"], cwd=folder, capture_output=True, text=True,
                              check=False)
        assert (said.returncode, said.stdout) == (0, "")
        files = {os.path.relpath(os.path.join(where, name), folder) for where, _, names in os.walk(folder) for name in names}
        with open(os.path.join(folder, "SHA256SUMS"), encoding="utf-8") as file:
            assert {line.split("  ")[1].strip() for line in file} == files - {"SHA256SUMS"}
        with open(os.path.join(folder, "datapackage.json"), encoding="utf-8") as file:
            package = json.load(file)
        assert {one["path"] for one in package["resources"]} == {name for name in files if name.endswith(".csv")}
        for one in package["resources"]:
            with open(os.path.join(folder, one["path"]), newline="", encoding="utf-8") as file:
                rows = csv.reader(line for line in file if not line.startswith(one["dialect"]["commentChar"]))
                head = [name.strip() for name in next(rows)]
            assert [field["name"] for field in one["schema"]["fields"]] == head
            assert all(field["description"] for field in one["schema"]["fields"]), one["path"]
        with open(os.path.join(folder, "vectors", "rigid-rod-newton.csv"), newline="", encoding="utf-8") as file:
            row = next(csv.DictReader(file))
        hexadecimal = [field["name"] for field in package["resources"][-1]["schema"]["fields"] if "format" in field]
        assert {"friction", "energy_loss"} <= set(hexadecimal) and "mode" not in hexadecimal
        assert all(float.fromhex(row[name]) is not None for name in hexadecimal if row[name])

    def test_metadata_by_the_rules_of_datacite(self):
        """What its schema 4.4 demands, but for the identifier and the publisher, which the owner has to set."""
        folder, _ = self.make("two", "--only", "rigid-rod-newton")
        with open(os.path.join(folder, "datacite.json"), encoding="utf-8") as file:
            said = json.load(file)
        for key in ("creators", "titles", "publisher", "publicationYear", "types", "schemaVersion", "version", "rightsList"):
            assert said[key], key
        assert said["types"]["resourceTypeGeneral"] == "Dataset"
        assert said["publicationYear"].isdigit() and said["publisher"] == ":unav" and said["identifiers"] == []
        assert said["version"] == self.good("--version").split()[1]

    def test_errors(self):
        os.makedirs(self.path("three"))
        _, done = self.make("three")
        assert (done.returncode, done.stderr) == (1, f"dataset.py: error: {self.path('three')} exists\n")
