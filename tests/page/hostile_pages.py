"""Maps whose texts are hostile, made into pages and opened: nothing of a map may run, or leave the page's texts. Shared
by test_hostile.py (some seeds) and test_hostile_long.py (a campaign)."""
import os
import random
import re
import shlex
import shutil
import subprocess

from browser import PROGRAM, PageTest

CONFIGS = {
    "uniform": """model: compliant
choose: {body: pendulum}
axes:
  - {param: law, values: [linear, hertz]}
  - {param: angle, from: 1 deg, to: 89 deg, points: 9}
  - {param: friction, from: 0.01, to: 1.5, points: 7}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, sequence, energy_loss, slip_loss]
""",
    "refined": """model: compliant
choose: {body: pendulum}
refine: {base: 4, depth: 4, boundary: 0.03, audit: 5}
axes:
  - {param: angle, from: 1 deg, to: 89 deg}
  - {param: friction, from: 0.01, to: 1.5}
fixed: {stiffness_ratio: 1.21}
outputs: [mode, energy_loss]
""",
    "search": """model: compliant
choose: {body: pendulum}
axes: [{param: friction, from: 0.05, to: 1, points: 5}, {param: stiffness_ratio, values: [0.5, 1.21]}]
search: {over: {param: angle, from: 0.1 deg, to: 89 deg, samples: 16}, find: boundary, of: mode, in: [wedge]}
""",
}
HACK = "window.hacked=1"
PIECES = [text.encode() for text in (
    f"</script><script>{HACK}</script>", f"</ScRiPt ><script>{HACK}//", "<!--", "-->", "<!--<script>", "]]>", "<![CDATA[",
    f"<img src=x onerror={HACK}>", f"<svg onload={HACK}>", f"<iframe srcdoc='<script>parent.{HACK}</script>'>",
    "<base href=http://127.0.0.1/>",
    f"<meta http-equiv=refresh content='0;javascript:{HACK}'>", "</style><style>*{display:none}",
    f"javascript:{HACK}", f"\" onmouseover=\"{HACK}", f"' onfocus='{HACK}' autofocus='",
    "\"", "'", "`", f"${{{HACK}}}", "{{7*7}}", f"';{HACK};'", f"\\\";{HACK};//", "\\", "\\u003cscript", "&lt;script&gt;", "&#60;", "&quot;",
    "\u2028", "\u2029", "\u202e", "\ufeff", "\ufffe", "\U0001f4a5", "\u0301" * 30, "\n", "\r\n", "\t", "\x01\x1b[31m\x7f",
    "__proto__", "constructor", "toString",
    "; touch hacked", "$(touch hacked)", "`touch hacked`", "| touch hacked", "&& touch hacked", "%00", "%s%n%x",
    "mode", "angle", "1", "NaN", "rad", " ", "")] + [
    b"\xff\xfe", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"x" * 3000, b"<" * 500]
STRUCTURE = ("impactsweep_role", "CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST")
LONGEST = 60000  # bytes of an attribute of this format of file
# Runs before the page: what the browser refuses or what fails.
WATCH = """
globalThis.violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(`${event.violatedDirective} ${event.blockedURI}`));
addEventListener("error", (event) => violations.push(`error ${event.message}`));
addEventListener("unhandledrejection", (event) => violations.push(`rejection ${event.reason}`));
"""
# Shows every field, reads cells, writes SVG; returns the traces that a hostile text would leave.
LOOK = """
await impactsweep.ready;
const frame = () => new Promise(requestAnimationFrame), map = document.getElementById("map"), box = map.getBoundingClientRect();
const fields = [...document.querySelector("#controls select").options].map((one) => one.value), found = {svg: 0, commands: []};
for (const field of [...fields.slice(0, 2), fields.at(-1)]) {
    impactsweep.view = {field};
    const at = {clientX: box.left + 0.3 * box.width, clientY: box.top + 0.4 * box.height, pointerId: 1};
    map.dispatchEvent(new PointerEvent("pointermove", at));
    await frame();
    const parsed = new DOMParser().parseFromString(impactsweep.svg(), "image/svg+xml");
    found.svg += parsed.querySelectorAll("parsererror, script, foreignObject, a, [onload]").length;
    found.commands.push(...[...document.querySelectorAll("#cell pre")].slice(0, 2).map((one) => one.textContent));
}
document.getElementById("about").querySelectorAll("details").forEach((one) => { one.open = true; });
return {...found, hacked: globalThis.hacked ?? null, violations, scripts: document.scripts.length, proto: Object.keys(Object.prototype),
    elements: document.querySelectorAll("img, b, iframe, object, embed, base, meta[http-equiv=refresh], link, form, body style, "
        + "svg:not(.key svg), [onload], [onerror], [onfocus], [onmouseover]").length};
"""


def hostile(chance):
    text = b"".join(chance.choice(PIECES) for _ in range(chance.choice((1, 1, 2, 4, 9)))).replace(b"\0", b"")
    return (text * 40)[:LONGEST] if chance.random() < 0.05 else text[:LONGEST]


def write_text(holder, name, text):
    """Replaces an attribute by a text of any bytes."""
    import h5py
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(max(1, len(text)))
    if name in holder.attrs:
        del holder.attrs[name]
    attribute = h5py.h5a.create(holder.id, name.encode(), kind, h5py.h5s.create(h5py.h5s.SCALAR))
    import numpy
    attribute.write(numpy.array(text or b" ", dtype=f"S{max(1, len(text))}"), mtype=kind)


def spoil_attributes(holder, chance, share):
    import h5py
    for name in list(holder.attrs):
        kind = holder.attrs.get_id(name).get_type()
        if name in STRUCTURE or kind.get_class() != h5py.h5t.STRING or chance.random() > share:
            continue
        if name == "flag_meanings":
            count = len(holder.attrs["flag_values"])
            words = [re.sub(rb"\s", b"", hostile(chance))[:40] or b"x" for _ in range(count)]
            write_text(holder, name, b" ".join(words))
        else:
            write_text(holder, name, hostile(chance))


def spoil(path, chance):
    """Hostile texts in some attributes and names of a map."""
    import h5py
    with h5py.File(path, "r+") as file:
        share = chance.choice((0.1, 0.3, 0.8))
        holders = [file, file["run"], *(one for one in file.values() if isinstance(one, h5py.Dataset))]
        for holder in holders:
            spoil_attributes(holder, chance, share)
        write_text(file, chance.choice(("notes", "title", "comment", "config")), hostile(chance))
        for name in ("energy_loss", "stiffness_ratio", "root", "sequence"):
            wanted = hostile(chance)[:60].replace(b"/", b"").strip(b".")
            if name in file and wanted and chance.random() < 0.2 and not file.id.links.exists(wanted):
                file.id.move(name.encode(), wanted)


class HostilePages(PageTest):
    @classmethod
    def setup_class(cls):
        super().setup_class()
        cls.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
        for name, config in CONFIGS.items():
            cls.map_of(name, config)

    def parts(self, page):
        """The page without its data, and the data."""
        with open(page, "rb") as file:
            text = file.read()
        start = text.index(b'id="about-data">') + len(b'id="about-data">')
        end = text.index(b"</script>", start)
        numbers = text.index(b'id="numbers">', end)
        after = text.index(b"</script>", numbers)
        return text[:start] + text[end:numbers] + text[after:], text[start:end]

    def leave_out_the_module(self, page):
        """The page of a program that was built without it, which opens in a tenth of the time."""
        with open(page, "rb") as file:
            text = file.read()
        with open(page, "wb") as file:
            file.write(re.sub(rb'(id="module">)[^<]*', rb"\1", text))

    def check_seed(self, seed):
        """Whether the program made a page of the spoilt map; it may refuse it, with a message."""
        chance = random.Random(seed)
        name = chance.choice(list(CONFIGS))
        path, page = self.path("spoilt.h5"), self.path("spoilt.html")
        shutil.copy(self.path(f"{name}.h5"), path)
        spoil(path, chance)
        made = subprocess.run([PROGRAM, "report", path, "-o", page, "--force"], capture_output=True)
        if made.returncode:
            assert made.returncode in (1, 2)
            assert b"error: " in made.stderr
            return False
        rest, data = self.parts(page)
        assert rest == self.parts(self.path(f"{name}.html"))[0], "texts of the map are in the page outside its data"
        assert not re.search(b"[<>&\x80-\xff\n]", data)
        if seed % 8:
            self.leave_out_the_module(page)
        self.open(page)
        found = self.run_script(LOOK)
        commands = found.pop("commands")
        assert found == {"svg": 0, "hacked": None, "violations": [], "scripts": 5, "proto": [], "elements": 0}
        for command in commands:
            assert shlex.split(command)[0] == "impactsweep"
        assert self.browser.get_log("browser") == []
        return True

    def check_seeds(self, seeds):
        made = 0
        for seed in seeds:
            made += self.check_seed(seed)
        assert made > len(seeds) / 3
        assert not os.path.exists("hacked")
