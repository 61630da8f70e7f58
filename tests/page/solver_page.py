"""A page with the solver and nothing else, under the policy of the pages that the program writes."""
import base64
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "src", "page")
MODULE = os.path.join(os.environ["IMPACT_BUILD"], "generated", "page", "module.wasm.gz")
POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:"
START = """
const bytes = Uint8Array.from(atob(document.getElementById("module").textContent), (character) => character.charCodeAt(0));
const module = unpack(bytes).then((bytes) => WebAssembly.compile(bytes));
globalThis.impactsweep = {...scripting(module.then(loadSolver)), Pool, module};
"""


def script(name):
    """A file of src/page as a part of one script."""
    with open(os.path.join(SOURCE, name), encoding="utf-8") as file:
        return re.sub(r"^(import .*$|export )", "", file.read(), flags=re.M)


def write(path):
    with open(MODULE, "rb") as file:
        module = base64.b64encode(file.read()).decode()
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""<!doctype html><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<canvas></canvas><script type="application/octet-stream" id="module">{module}</script>
<script type="module">{script("solver.js")}{script("workers.js")}{START}</script>""")
