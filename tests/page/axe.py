"""axe-core, which checks pages against WCAG: from npm, once for a build. IMPACT_AXE names a copy of axe.min.js instead."""
import os
import shutil
import subprocess

VERSION = "4.10.3"
RUN = """
const found = await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]});
const places = (one) => one.nodes.map((node) => node.target + " " + node.failureSummary).slice(0, 3).join("; ");
return {checked: found.passes.length, wrong: found.violations.map((one) => `${one.id}: ${one.help}: ${places(one)}`)};
"""


def script():
    """The text of axe.min.js; None where neither a copy nor npm has it."""
    path = os.environ.get("IMPACT_AXE")
    if not path:
        folder = os.path.join(os.environ["IMPACT_BUILD"], "npm")
        path = os.path.join(folder, "node_modules", "axe-core", "axe.min.js")
        if not os.path.exists(path) and not install(folder):
            return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def install(folder):
    if not shutil.which("npm"):
        return False
    os.makedirs(folder, exist_ok=True)
    words = ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", f"axe-core@{VERSION}"]
    try:
        return subprocess.run(words, capture_output=True, timeout=120).returncode == 0
    except subprocess.TimeoutExpired:
        return False
