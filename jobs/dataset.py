#!/usr/bin/python3
"""Makes the data set: what other programs need to test themselves against this one without having it.

    jobs/dataset.py FOLDER [--points N] [--only TEXT]...

FOLDER, which must not exist, gets the test vectors (tests/bits/vectors.py: 10,000 cells of every theory, law and body), the
table of digests, the published numbers with their corrections, the measured impacts, and what describes them: README.md,
datapackage.json (columns with their meanings), datacite.json (metadata by DataCite's schema 4.4, without a DOI), the licence,
the notices of others and SHA256SUMS. The program is that of the environment's IMPACTSWEEP, or the one on the path. --points and
--only are those of vectors.py.
"""
import argparse
import csv
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PROGRAM = os.environ.get("IMPACTSWEEP", "impactsweep")
PUBLISHED = {"source": "the paper or thesis, and the place in it", "case": "the body, the law and what is fixed",
             "quantity": "the quantity, by our name where we have one", "published": "the number as printed",
             "correct": "the number as it should be, by this program and the derivation that the note names",
             "tolerance": "how far the printed number may be from the correct one; `cut off`: its digits were cut off; empty: half "
                          "a unit of its last digit",
             "verdict": "empty: reproduced; misprint; not reproducible", "note": "why it differs",
             "config": "the sweep of configs/validation that computes it", "where": "the cell of that sweep",
             "value": "the expression of outputs and parameters that is the number"}
MEASURED = {"trial": "the number of the trial in the source", "tilt": "angle of the long axis from the plane",
            "offset_t": "from the mass centre to the contact point, along the plane (m)",
            "offset_n": "from the mass centre to the contact point, along the normal out of the plane (m)",
            **{f"{name}_{when}": f"{what} {when} the impact" for when in ("before", "after") for name, what in (
                ("velocity_t", "velocity of the mass centre along the plane (m/s)"),
                ("velocity_n", "velocity of the mass centre along the normal (m/s)"), ("spin", "angular velocity (rad/s)"))},
            "kinematic_restitution": "normal velocity of the contact point after over that before, with the sign turned round",
            "psi1": "Maw's angle of incidence", "psi2": "Maw's angle of rebound", "source": "the paper", "kind": "experiment or finite "
            "elements", "sphere": "what strikes what, how fast, with the measured restitution and friction",
            "quantity": "the measured quantity; in brackets the unit of the next column", "angle_or_x": "incidence of the velocity of "
            "the centre from the normal", "value": "the measured value"}
OTHER = {"outcome": "what became of the cell: solved, outside, no_convergence, not_finite, budget or library_error",
         "sample": "the number of the point of the Sobol sequence"}
README = """# impactsweep {version}: numbers to test programs for impact with friction

Every number here can be compared without our program. Licence: BSD 3-Clause (LICENSE); the measured ellipse is by others, whose
notice is in NOTICE. `sha256sum -c SHA256SUMS` checks the files.

| folder or file | contents |
|---|---|
| `vectors/*.csv` | {count} tables, one for each theory, law and body: {points} cells each, points \
of a Sobol sequence. The first line names the columns: choices, parameters, outputs, outcome. Numbers are hexadecimal floats in \
SI units or without unit (`float.fromhex` in Python, `strtod` in C), so that every bit is there; an empty place is an undefined value |
| `vectors/*.yaml` | the sweep behind each table |
| `published/*.csv` | {numbers} numbers that papers and theses print, each with the correct value and a \
verdict: {misprints} misprints, {lost} that cannot be reproduced |
| `measured/*.csv` | measured impacts; the head of each file says whose |
| `digests.txt` | digests of up to a million random cells of each theory, law and body, which are the same for every \
compiler and processor |
| `reference.md` | every parameter, output, mode and law with its meaning, unit and range |
| `datapackage.json` | every table with its columns, their types, units and meanings |
| `datacite.json` | metadata for a repository; publisher and identifier are left open |

To compare: solve the parameters of a row, and look at the mode first. Where the modes agree, relative differences of a
well-conditioned output are some 1e-12 for an exact solution; beside a boundary between modes, where `residual` grows, or where
a number is a small difference, they are larger. A row whose outcome is not `solved` is a promise, too: no answer exists there.
"""


def output(*words):
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"dataset.py: error: {' '.join(words)}: {done.stderr}")
    return done.stdout


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(line for line in file if not line.startswith("#")))


def described(theory):
    """{column: what it holds, by its schema} of a theory, by what `impactsweep models --json` says of it."""
    fields = {}
    for part in ("parameters", "outputs", "choices"):
        for one in theory[part]:
            variant = one.get("variants", [one])[0]
            fields[one["name"]] = {"description": variant.get("meaning") or one["meaning"]}
            if part != "choices" and one.get("kind", "real") == "real":
                fields[one["name"]].update(format="hexadecimal float", unit=variant.get("unit") or one["unit"])
    return fields


def field_of(name, known):
    """The schema of a column. An output of several values has a column for each, `name_1`; a head may have a unit."""
    bare = name if name in known else re.sub(r"_\d+$| \[.*", "", name)
    if bare not in known:
        raise SystemExit(f"dataset.py: error: nothing says what the column {name} holds")
    return {"name": name, "type": "string", **known[bare]}


def resource(path, folder, fields):
    with open(path, "rb") as file:
        content = file.read()
    return {"name": re.sub(r"[^a-z0-9._-]", "-", os.path.splitext(os.path.relpath(path, folder))[0].lower()),
            "path": os.path.relpath(path, folder), "format": "csv", "mediatype": "text/csv", "encoding": "utf-8",
            "bytes": len(content), "hash": f"sha256:{hashlib.sha256(content).hexdigest()}",
            "dialect": {"delimiter": ",", "commentChar": "#"}, "schema": {"fields": fields, "missingValues": [""]}}


def resources(folder, theories):
    pages = {name: {column: {"description": text} for column, text in page.items()}
             for name, page in (("published", PUBLISHED), ("measured", MEASURED), ("other", OTHER))}
    for path in sorted(glob.glob(os.path.join(folder, "*", "*.csv"))):
        kind = os.path.basename(os.path.dirname(path))
        theory = re.split(r"[-.]", os.path.basename(path))[0]
        known = pages.get(kind) or {**theories[theory], **pages["other"]}
        yield resource(path, folder, [field_of(name.strip(), known) for name in rows_of(path)[0]])


def datacite(version, year):
    return {
        "schemaVersion": "http://datacite.org/schema/kernel-4",
        "types": {"resourceTypeGeneral": "Dataset", "resourceType": "Test vectors and published numbers"},
        "creators": [{"name": "The impactsweep authors", "nameType": "Organizational"}],
        "titles": [{"title": f"impactsweep {version}: numbers to test programs for impact with friction", "lang": "en"}],
        "publisher": ":unav", "publicationYear": year, "version": version, "language": "en",
        "subjects": [{"subject": word} for word in ("impact", "friction", "coefficient of restitution", "contact mechanics",
                                                    "multibody dynamics", "verification", "validation")],
        "rightsList": [{"rights": "BSD 3-Clause \"New\" or \"Revised\" License", "rightsIdentifier": "BSD-3-Clause",
                        "rightsIdentifierScheme": "SPDX", "schemeURI": "https://spdx.org/licenses/",
                        "rightsUri": "https://spdx.org/licenses/BSD-3-Clause.html", "lang": "en"}],
        "formats": ["text/csv", "application/yaml", "text/markdown"],
        "descriptions": [{"descriptionType": "Abstract", "lang": "en", "description":
                          "Cells of every theory of impact with friction that the program impactsweep solves, with every bit; numbers "
                          "that papers and theses print, with corrections and verdicts; measured impacts; digests that hold for every "
                          "compiler and processor."}],
        "identifiers": [], "relatedIdentifiers": [], "contributors": [], "fundingReferences": []}


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def copy_tables(folder):
    for name in ("published", "measured"):
        os.makedirs(os.path.join(folder, name))
    published = os.path.join(TOP, "postprocess", "published")
    for path in glob.glob(os.path.join(published, "*.csv")):
        shutil.copyfile(path, os.path.join(folder, "published", os.path.basename(path)))
    for path in glob.glob(os.path.join(published, "measured", "*.csv")):
        shutil.copyfile(path, os.path.join(folder, "measured", os.path.basename(path)))
    for source, name in (("LICENSE", "LICENSE"), ("jobs/packages/copyright", "NOTICE"), ("tests/bits/digests.txt", "digests.txt")):
        shutil.copyfile(os.path.join(TOP, source), os.path.join(folder, name))
    write(os.path.join(folder, "reference.md"), output(PROGRAM, "models", "--markdown"))


def write_sums(folder):
    lines = []
    for where, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(where, name)
            with open(path, "rb") as file:
                lines.append(f"{hashlib.sha256(file.read()).hexdigest()}  {os.path.relpath(path, folder)}\n")
    write(os.path.join(folder, "SHA256SUMS"), "".join(sorted(lines, key=lambda line: line.split("  ")[1])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    parser.add_argument("--points", default="10000")
    parser.add_argument("--only", action="append", default=[])
    options = parser.parse_args()
    if os.path.exists(options.folder):
        raise SystemExit(f"dataset.py: error: {options.folder} exists")
    version = output(PROGRAM, "--version").split()[1]
    vectors = os.path.join(options.folder, "vectors")
    os.makedirs(vectors)
    only = [word for text in options.only for word in ("--only", text)]
    subprocess.run([sys.executable, os.path.join(TOP, "tests", "bits", "vectors.py"), vectors, "--points", options.points, *only],
                   check=True, stdout=subprocess.DEVNULL)
    copy_tables(options.folder)
    theories = {one["name"]: described(one) for one in json.loads(output(PROGRAM, "models", "--json"))}
    with open(os.path.join(TOP, "CITATION.cff"), encoding="utf-8") as file:
        year = re.search(r"^date-released: (\d{4})", file.read(), re.M)[1]
    verdicts = [dict(zip(PUBLISHED, row))["verdict"] for path in glob.glob(os.path.join(options.folder, "published", "*.csv"))
                for row in rows_of(path)[1:]]
    tables = list(resources(options.folder, theories))
    write(os.path.join(options.folder, "README.md"), README.format(
        version=version, count=len(glob.glob(os.path.join(vectors, "*.csv"))), points=f"{int(options.points):,}",
        numbers=len(verdicts), misprints=verdicts.count("misprint"), lost=verdicts.count("not reproducible")))
    package = {"profile": "tabular-data-package", "name": "impactsweep-data", "version": version,
               "title": "Numbers to test programs for impact with friction", "licenses": [{"name": "BSD-3-Clause"}],
               "resources": tables}
    write(os.path.join(options.folder, "datapackage.json"), json.dumps(package, indent=1) + "\n")
    write(os.path.join(options.folder, "datacite.json"), json.dumps(datacite(version, year), indent=1) + "\n")
    write_sums(options.folder)


if __name__ == "__main__":
    main()
