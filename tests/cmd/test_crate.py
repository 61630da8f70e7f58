"""export --crate: the rules of RO-Crate 1.1 and of the profile Process Run Crate 0.5, on a map, a refined map and an unfinished
one; what is in the folder; a run of its config again; errors, which leave nothing behind."""
import datetime
import json
import os
import shutil
import urllib.parse

import h5py
import pytest
from support import BAD_INPUT, FAILURE, PENDULUM, STOPPED, Case, null_config

CRATE, PROFILE = "https://w3id.org/ro/crate/1.1", "https://w3id.org/ro/wfrun/process/0.5"
REFINED = """model: compliant
choose: {body: pendulum}
axes:
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.01, to: 1.5}
fixed: {stiffness_ratio: 1.21}
refine: {depth: 5}
"""


def listed(value):
    return value if isinstance(value, list) else [value]


def links(value):
    """The addresses that an entity links to."""
    for name, one in value.items():
        for link in listed(one):
            if name != "@id" and isinstance(link, dict):
                assert set(link) == {"@id"}, "an entity within another one: the graph is flat"
                yield link["@id"]


def files_in(folder):
    return {os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names}


def faults(folder):
    """What breaks the rules in a crate."""
    with open(os.path.join(folder, "ro-crate-metadata.json"), encoding="utf-8") as file:
        metadata = json.load(file)
    graph = {one["@id"]: one for one in metadata["@graph"]}
    found = [] if len(graph) == len(metadata["@graph"]) else ["an @id twice"]
    found += [] if metadata["@context"] == CRATE + "/context" else ["the context"]
    found += [f"{name} has no @type" for name, one in graph.items() if not one.get("@type")]
    descriptor, root = graph.get("ro-crate-metadata.json", {}), graph.get("./", {})
    if (descriptor.get("@type"), descriptor.get("conformsTo"), descriptor.get("about")) != (
            "CreativeWork", {"@id": CRATE}, {"@id": "./"}):
        found.append("the descriptor")
    found += [f"the root has no {name}" for name in ("name", "description", "datePublished", "hasPart") if not root.get(name)]
    found += [] if root.get("@type") == "Dataset" else ["the root is no Dataset"]
    datetime.datetime.fromisoformat(root["datePublished"].replace("Z", "+00:00"))
    found += [f"{one}: no such entity" for entity in graph.values() for one in links(entity)
              if one not in graph and not one.startswith(("http://schema.org/", CRATE))]
    parts, files = {urllib.parse.unquote(one["@id"]) for one in root["hasPart"]}, files_in(folder)
    found += [f"{name}: not in both hasPart and the folder" for name in parts ^ (files - {"ro-crate-metadata.json"})]
    for name in parts & files:
        entity = graph[urllib.parse.quote(name)]
        if (entity["@type"], entity.get("contentSize")) != ("File", str(os.path.getsize(os.path.join(folder, name)))):
            found.append(f"{name}: its type or size")
        found += [f"{name}: no {key}" for key in ("name", "description", "encodingFormat") if not entity.get(key)]
    # The profile: it is named; every action is mentioned, and has a program with a version, inputs and results.
    found += [] if {"@id": PROFILE} in listed(root["conformsTo"]) and graph[PROFILE]["@type"] == "CreativeWork" else ["the profile"]
    actions = {name for name, one in graph.items() if one["@type"] == "CreateAction"}
    found += [] if actions and actions == {one["@id"] for one in listed(root["mentions"])} else ["an action is not mentioned"]
    for name in actions:
        action, program = graph[name], graph.get(graph[name].get("instrument", {}).get("@id"), {})
        if program.get("@type") != "SoftwareApplication" or not program.get("name") or not program.get("softwareVersion"):
            found.append(f"{name}: its program")
        found += [f"{name}: no {key}" for key in ("name", "result", "actionStatus") if not action.get(key)]
        found += [f"{name}: {link} is no file" for key in ("object", "result") for link in map(lambda one: one["@id"], action[key])
                  if graph[link]["@type"] != "File"]
        for key in set(action) & {"startTime", "endTime"}:
            datetime.datetime.fromisoformat(action[key].replace("Z", "+00:00"))
    return found


ROWS = """model: compliant
choose: {{body: pendulum}}
axes: [{{table: {table}, name: row}}]
fixed: {{stiffness_ratio: 1.2}}
"""
# Tables of an axis and of uncertain parameters; their names are written in several ways.
TABLES = """# cases.csv has the bodies, {outside} the frictions
model: compliant
choose: {{body: pendulum, law: linear}}
axes:
  - {{table: "data/cases.csv", name: row}}
uncertain:
  points: 64
  params:
    - {{table: {outside}}}
    - {{table: '../x.csv'}}
    - table: {whole}
  of: [mode, kinematic_restitution]
"""


class Crate(Case):
    def graph(self, folder):
        with open(self.path(f"{folder}/ro-crate-metadata.json"), encoding="utf-8") as file:
            return {one["@id"]: one for one in json.load(file)["@graph"]}

    def test_a_refined_map_with_a_picture(self):
        self.write("r.yaml", REFINED)
        self.good("run", "r.yaml", "-o", "r.h5")
        self.write("a picture.png", "PNG")
        self.good("export", "--crate", "r.h5", "--picture", "a picture.png", "--licence", "https://spdx.org/licenses/CC-BY-4.0")
        folder = self.path("r.h5.crate")
        assert faults(folder) == []
        assert set(os.listdir(folder)) == {"r.h5", "r.yaml", "r.html", "a picture.png", "ro-crate-metadata.json"}
        graph = self.graph("r.h5.crate")
        assert graph["./"]["license"] == {"@id": "https://spdx.org/licenses/CC-BY-4.0"}
        assert graph["#run"]["actionStatus"]["@id"].endswith("/CompletedActionStatus")
        assert graph["#impactsweep"]["softwareVersion"] == self.good("--version").split()[1]
        digest = self.good("info", "--digest", "r.h5").split("digest")[1].split()[0]
        assert graph["r.h5"]["identifier"] == digest
        # What the crate holds is enough to compute the map again.
        self.good("run", os.path.join(folder, "r.yaml"), "-o", "again.h5")
        assert digest in self.good("info", "--digest", "again.h5")
        assert digest in self.good("info", "--digest", os.path.join(folder, "r.h5"))

    def run_again(self, crate, digest):
        """Runs the config of a crate in another place, where only the crate is."""
        os.rename(self.path(crate), self.path("elsewhere"))
        try:
            self.good("run", self.path("elsewhere/x.yaml"), "-o", "again.h5", "--force")
        finally:
            os.rename(self.path("elsewhere"), self.path(crate))
        assert self.digest("again.h5") == digest

    def test_a_table_is_beside_the_config(self):
        self.write("cases.csv", "angle [deg],friction\n13,0.3\n20,0.4\n")
        self.run_config(ROWS.format(table="cases.csv"), "x.h5")
        self.good("export", "x.h5", "--crate")
        os.remove(self.path("cases.csv"))
        folder = self.path("x.h5.crate")
        assert faults(folder) == []
        assert files_in(folder) == {"x.h5", "x.yaml", "cases.csv", "x.html", "ro-crate-metadata.json"}
        graph = self.graph("x.h5.crate")
        assert {one["@id"] for one in graph["#run"]["object"]} == {"x.yaml", "cases.csv"}
        assert graph["cases.csv"]["encodingFormat"] == "text/csv"
        self.run_again("x.h5.crate", self.digest("x.h5"))

    @pytest.mark.parametrize("absolute", [False, True])
    def test_tables_of_other_folders_come_into_the_crate(self, absolute):
        for folder in ("study/data", "other"):
            os.makedirs(self.path(folder), exist_ok=True)
        self.write("study/data/cases.csv", "angle [deg]\n13\n20\n50\n")
        self.write("other/x.csv", "friction\n0.3\n0.5\n0.4\n")
        self.write("x.csv", "stiffness_ratio\n1\n1.2\n1.1\n")
        self.write("other/y.csv", "mass\n1\n2\n")
        self.write("study/x.yaml", TABLES.format(outside="../other/x.csv", whole=self.path("other/y.csv")))
        self.good("run", self.path("study/x.yaml") if absolute else "study/x.yaml", "-o", "x.h5")
        self.good("export", "x.h5", "--crate", "-o", "c")
        shutil.rmtree(self.path("study"))
        shutil.rmtree(self.path("other"))
        os.remove(self.path("x.csv"))
        assert faults(self.path("c")) == []
        assert files_in(self.path("c")) == {"x.h5", "x.yaml", "data/cases.csv", "tables/x.csv", "tables/2/x.csv", "tables/y.csv",
                                            "x.html", "ro-crate-metadata.json"}
        self.run_again("c", self.digest("x.h5"))

    def test_a_table_with_the_name_of_another_file_of_the_crate(self):
        self.write("x.html", "angle [deg],friction\n13,0.3\n")
        self.run_config(ROWS.format(table="./x.html"), "x.h5")
        self.good("export", "x.h5", "--crate", "-o", "html")
        assert {"x.html", "tables/x.html"} < files_in(self.path("html"))
        self.run_again("html", self.digest("x.h5"))

    def test_a_name_that_cannot_be_found_is_refused(self):
        self.write("x.csv", "angle [deg],friction\n13,0.3\n")
        self.run_config(ROWS.format(table=r'"\x78.csv"'), "x.h5")
        before = files_in(self.work)
        self.bad("export", "x.h5", "--crate", "-o", "c", says="the name of its table 'x.csv' in one piece")
        assert files_in(self.work) == before

    def test_no_file_of_a_hostile_map_is_outside_its_crate(self):
        """Records of a map may say anything."""
        self.run_config(PENDULUM, "x.h5")
        for number, name in enumerate(("../evil.csv", "/evil.csv", "a/../../evil.csv", "..", "tables/../../evil.csv", "y.h5",
                                       "./ro-crate-metadata.json")):
            shutil.copy(self.path("x.h5"), self.path("y.h5"))
            with h5py.File(self.path("y.h5"), "r+") as file:
                file.attrs["tables"] = f"{name}\t4\nevil\n"
                file.attrs["config"] = f"table: {name}\n"
            before = files_in(self.work)
            self.good("export", "y.h5", "--crate", "-o", f"c{number}")
            made = files_in(self.work) - before
            assert made and all(one.startswith(f"c{number}/") for one in made)
            assert faults(self.path(f"c{number}")) == []

    def test_an_unfinished_map(self):
        self.run_config(null_config(2000, cost="1e-3"), "x.h5", "--time-limit", "1s", code=STOPPED)
        self.good("export", "--crate", "x.h5", "-o", "one")
        assert faults(self.path("one")) == []
        run = self.graph("one")["#run"]
        assert run["actionStatus"]["@id"].endswith("/ActiveActionStatus") and "endTime" not in run

    def test_a_crate_that_breaks_rules_is_found(self):
        self.run_config(PENDULUM, "x.h5")
        self.good("export", "x.h5", "--crate", "-o", "x")
        path = self.path("x/ro-crate-metadata.json")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for old, new in (('"CreateAction"', '"Thing"'), ('"datePublished"', '"date"'), ('"#impactsweep"\n', '"#nothing"\n'),
                         ('"contentSize": "', '"contentSize": "1'), ('"x.yaml"', '"y.yaml"'), ("ro/crate/1.1\"", "ro/crate/1.0\"")):
            assert old in text
            self.write("x/ro-crate-metadata.json", text.replace(old, new))
            try:
                found = faults(self.path("x"))
            except (KeyError, AttributeError):
                found = ["an entity is missing"]
            assert found, old
        self.write("x/ro-crate-metadata.json", text)
        assert faults(self.path("x")) == []

    def test_errors_leave_nothing(self):
        self.run_config(PENDULUM, "x.h5")
        self.good("trace", "compliant", "body=pendulum", "angle=30deg", "friction=0.3", "stiffness_ratio=1.21", "-o", "one.h5")
        before = set(os.listdir(self.work))
        for words, code, said in ((("one.h5", "--crate"), BAD_INPUT, "history of one cell"),
                                  (("x.h5", "--crate", "--vtk"), BAD_INPUT, "--crate is about the whole map"),
                                  (("x.h5", "--picture", "a.png"), BAD_INPUT, "go with --crate"),
                                  (("x.h5", "--crate", "-o", "x.yaml"), BAD_INPUT, "x.yaml exists"),
                                  (("x.h5", "--crate", "--picture", "none.png"), FAILURE, "none.png"),
                                  (("x.h5", "--crate", "-o", "no/such/place"), FAILURE, "no/such/place")):
            result = self.sweep("export", *words)
            assert (result.returncode, said in result.stderr) == (code, True), (words, result.stderr)
            assert set(os.listdir(self.work)) == before
