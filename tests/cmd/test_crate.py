"""export --crate: the rules of RO-Crate 1.1 and of the profile Process Run Crate 0.5, on a map, a refined map and an unfinished
one; what is in the folder; a run of its config again; errors, which leave nothing behind."""
import datetime
import json
import os
import urllib.parse

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
    parts = {urllib.parse.unquote(one["@id"]) for one in root["hasPart"]}
    found += [f"{name}: not in both hasPart and the folder"
              for name in parts ^ (set(os.listdir(folder)) - {"ro-crate-metadata.json"})]
    for name in parts & set(os.listdir(folder)):
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

    def test_an_unfinished_map(self):
        self.write("x.yaml", null_config(2000, cost="1e-3"))
        self.good("run", "x.yaml", "-o", "x.h5", "--time-limit", "1s", code=STOPPED)
        self.good("export", "--crate", "x.h5", "-o", "one")
        assert faults(self.path("one")) == []
        run = self.graph("one")["#run"]
        assert run["actionStatus"]["@id"].endswith("/ActiveActionStatus") and "endTime" not in run

    def test_a_crate_that_breaks_rules_is_found(self):
        self.write("x.yaml", PENDULUM)
        self.good("run", "x.yaml", "-o", "x.h5")
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
        self.write("x.yaml", PENDULUM)
        self.good("run", "x.yaml", "-o", "x.h5")
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
