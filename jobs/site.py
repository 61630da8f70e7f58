#!/usr/bin/python3
"""Makes the site: every page of the project as HTML, with the live page `explore` on the first one, the pages of the Python
package and of the header made from docstrings and comments, and a search that needs no network.

    jobs/site.py FOLDER

FOLDER must not exist, or be an earlier site. It can be opened from the disk or put on any server. Nothing is written twice:
a page is the Markdown page of the project, a link to another file leads to a copy of that file. A link or an anchor that leads
nowhere is an error. The program is that of the environment's IMPACTSWEEP, or the newest of the build folders. Needs Debian's
python3-markdown.
"""
import argparse
import html
import html.parser
import importlib
import inspect
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys

import markdown

TOP = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
LOOKS = os.path.join(TOP, "jobs", "site")
MARK = "made by jobs/site.py"
# The pages that the menu shows by name, in this order; others follow by their folders. None: made here.
MENU = {
    "Start": {"README.md": "impactsweep", "configs/tutorial.md": "Tutorial", "configs/everyday.md": "Found by their users",
              "configs/gallery.md": "Gallery",
              "configs/brach1993/README.md": "Brach 1993", "configs/baruh2022/README.md": "Baruh 2022",
              "configs/pamc/README.md": "PAMC", "configs/birlik2012/README.md": "Birlik 2012",
              "configs/beam2024/README.md": "Beam 2024"},
    "Use": {"configs/README.md": "Configs", "configs/reference.md": "Theories", "configs/conversions.md": "Other codes",
            "postprocess/README.md": "Figures and Python", "include/README.md": "C", "src/store/format.md": "File format",
            "jobs/README.md": "Jobs", "jobs/clusters.md": "Clusters", "jobs/packages/README.md": "Packages", "CHANGELOG.md": "Changes"},
    "Interfaces": {"python.md": "Python, name by name", "c.md": "C, name by name", "include/STABILITY.md": "What is stable"},
    "Evidence": {"tests/README.md": "Tests", "tests/MEASURED.md": "Measured", "tests/bench/README.md": "Benchmarks",
                 "tests/exam/README.md": "Exam of engines",
                 "postprocess/published/measured/README.md": "Measured impacts", "postprocess/paper/paper.md": "Paper",
                 "postprocess/paper/misprints.md": "Misprints, derived"},
    "Inside": {"src/README.md": "Rooms", "src/DECISIONS.md": "Decisions", "src/GLOSSARY.md": "Glossary"},
    "Contribute": {".github/CONTRIBUTING.md": "Contributing", ".github/SECURITY.md": "Security",
                   ".github/CODE_OF_CONDUCT.md": "Code of conduct"},
}
LIVE = """<figure class="live"><iframe src="explore.html" title="explore: theories of impact, solved in this page"></iframe>
<figcaption>Every theory, solved by your browser while you move a slider.
<a href="explore.html">As a page of its own</a></figcaption></figure>
"""


# ---- pages that are made: Python and C ----

def python_page():
    """Public names of the package, with their signatures and docstrings."""
    sys.path.insert(0, os.path.join(TOP, "postprocess"))
    package = importlib.import_module("impactsweep")
    parts = ["# Python, name by name\n\nMade from the docstrings of the package; [Figures and Python](postprocess/README.md) "
             "explains more, [Theories](configs/reference.md) has the inputs of each theory, which is a function too.\n",
             "```text\n" + inspect.getdoc(package) + "\n```\n"]
    for name in package.__all__:
        one = getattr(package, name)
        parts.append(f"## {name}\n")
        if inspect.isclass(one):
            parts.append(f"```python\nclass {name}({', '.join(base.__name__ for base in one.__bases__)})\n```\n")
        else:
            signature = re.sub(r"(: |-> )'([^']+)'", r"\1\2", str(inspect.signature(one)))  # types without quotes
            parts.append(f"```python\n{name}{signature}\n```\n")
        parts.append("```text\n" + (inspect.getdoc(one) or "") + "\n```\n")
    types = importlib.import_module("impactsweep.values")
    shown = inspect.getsource(types).partition("\n\n\n")[0].rpartition("\nimport numpy.typing as npt\n\n")[2]
    parts += ["## Types\n", "Signatures have these names of types, and those of NumPy, pandas and xarray.\n",
              f"```python\n{shown.strip()}\n```\n"]
    return "\n".join(parts)


def comment_text(comment):
    return re.sub(r"^ ?\*? ?", "", comment.strip().removeprefix("/*").removesuffix("*/"), flags=re.M).strip()


def c_page():
    """The declarations of impact.h, each with the comment above it."""
    with open(os.path.join(TOP, "include", "impact.h"), encoding="utf-8") as file:
        text = file.read()
    parts = ["# C, name by name\n\nMade from [impact.h](include/impact.h), which is the manual of the library; "
             "[C](include/README.md) has an example and the commands that link it.\n"]
    blocks = re.split(r"\n\n(?=\S)", text)
    for block in blocks:
        found = re.match(r"(/\*.*?\*/)\s*(.*)", block, re.S)
        comment, code = (comment_text(found[1]), found[2]) if found else ("", block)
        names = re.findall(r"^IMP_API .*?\b(imp_\w+)\(|^\} (imp_\w+);|^typedef struct imp_\w+ (imp_\w+);|^#define (IMP_\w+)", code, re.M)
        names = [next(filter(None, one)) for one in names]
        if names and "IMP_API" not in names[0]:
            parts.append(f"## {', '.join(dict.fromkeys(names))}\n")
            parts.append(f"```text\n{comment}\n```\n" if comment else "")
            parts.append(f"```c\n{code.rstrip()}\n```\n")
    return "\n".join(parts)


# ---- Markdown to HTML ----

def slug(text, separator="-"):
    """The anchor of a heading, as the tests of the pages and the sites of repositories make it."""
    return re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", separator)


def place_of(page):
    """The file of a page in the site: README.md is the first page of its folder."""
    folder, name = posixpath.split(page)
    folder = "community" if folder == ".github" else folder
    return posixpath.join(folder, "index.html" if name == "README.md" else name.removesuffix(".md") + ".html")


def headed(text):
    """A page that begins with fields, as a paper does, with its title as its heading instead."""
    fields = re.match(r"---\n(.*?)\n---\n", text, re.S)
    title = fields and re.search(r"^title: *['\"]?(.*?)['\"]?$", fields[1], re.M)
    return f"# {title[1]}\n{text[fields.end():]}" if title else text


def sources():
    """{page: its Markdown}, of the checkout and of what is made."""
    found = {"python.md": python_page(), "c.md": c_page()}
    for folder, folders, names in os.walk(TOP):
        folders[:] = sorted(name for name in folders if not name.startswith(("build", ".git", ".reuse")) or name == ".github")
        for name in sorted(names):
            if name.endswith(".md"):
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    found[os.path.relpath(path, TOP)] = headed(file.read())
    return found


class Links:
    """The links of one page: rewritten for the site, with the files that the site needs for them."""

    def __init__(self, page, pages, files, faults):
        self.page, self.pages, self.files, self.faults = page, pages, files, faults
        self.here = posixpath.dirname(place_of(page))

    def target(self, link):
        address, _, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link) or not address:
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.page), address))
        full = os.path.join(TOP, path)
        if path not in self.pages and os.path.isdir(full):
            path = posixpath.join(path, "README.md") if posixpath.join(path, "README.md") in self.pages else path
        if path in self.pages:
            place = place_of(path)
        elif os.path.isfile(full):
            place = path if not path.startswith(".") else path.lstrip(".")
            self.files[place] = full
        elif os.path.isdir(full):
            return ""  # a folder without a page: the words stay, the link goes
        else:
            self.faults.append(f"{self.page}: {link}")
            return ""
        return posixpath.relpath(place, self.here or ".") + ("#" + anchor if anchor else "")

    def rewrite(self, text):
        def change(found):
            target = self.target(html.unescape(found[3]))
            return f"{found[1]}{found[2]}=\"{html.escape(target)}\"" if target else found[1].rstrip()
        return re.sub(r"(<(?:a|img)\b[^>]*? )(href|src)=\"([^\"]*)\"", change, text)


class Reader(html.parser.HTMLParser):
    """Of a finished page: its anchors and links, and its sections as [heading, anchor, words] for the search."""

    def __init__(self):
        super().__init__()
        self.anchors, self.links, self.sections, self.open, self.inside = set(), [], [["", "", []]], None, False

    def handle_starttag(self, tag, attributes):
        said = dict(attributes)
        if "id" in said:
            self.anchors.add(said["id"])
        for name in ("href", "src"):
            if name in said:
                self.links.append(said[name])
        self.inside = self.inside or tag == "main"
        if re.fullmatch("h[1-6]", tag) and self.inside:
            self.sections.append(["", said.get("id", ""), []])
            self.open = tag

    def handle_endtag(self, tag):
        self.open = None if tag == self.open else self.open
        self.inside = self.inside and tag != "main"

    def handle_data(self, data):
        if self.inside:
            if self.open:
                self.sections[-1][0] += data
            self.sections[-1][2].append(data)


def title_of(page, text):
    named = {path: name for part in MENU.values() for path, name in part.items()}
    return named.get(page) or re.search(r"^# +(.+)$", text, re.M)[1].strip("`")


def menu(page, pages):
    """The menu of a page, its own entry marked."""
    here = posixpath.dirname(place_of(page)) or "."
    known = {path for part in MENU.values() for path in part}
    parts = {name: [(path, title) for path, title in part.items() if path in pages] for name, part in MENU.items()}
    parts["More"] = [(path, title_of(path, pages[path])) for path in sorted(pages) if path not in known]
    lines = []
    for name, entries in parts.items():
        within = any(path == page for path, _ in entries)
        lines.append(f"<details{' open' if within or name in ('Start', 'Use') else ''}><summary>{name}</summary><ul>")
        for path, title in entries:
            mark = ' aria-current="page"' if path == page else ""
            lines.append(f'<li><a href="{posixpath.relpath(place_of(path), here)}"{mark}>{html.escape(title)}</a></li>')
        lines.append("</ul></details>")
    return "\n".join(lines)


def finished(page, body, pages, shell):
    up = posixpath.relpath(".", posixpath.dirname(place_of(page)) or ".")
    title = title_of(page, pages[page])
    for name, value in (("TITLE", html.escape(title)), ("UP", up), ("MENU", menu(page, pages)), ("BODY", body)):
        shell = shell.replace("{{" + name + "}}", value)
    return shell


def body_of(page, text, links):
    converter = markdown.Markdown(extensions=["tables", "fenced_code", "toc", "sane_lists"],
                                  extension_configs={"toc": {"slugify": slug}}, tab_length=4)
    body = links.rewrite(converter.convert(text))
    body = re.sub(r"<table>", '<div class="wide"><table>', body).replace("</table>", "</table></div>")
    if page == "README.md":
        body = body.replace("</p>", "</p>\n" + LIVE, 1)  # below what the project is
    return body


def write(folder, place, text):
    path = os.path.join(folder, place)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def check(folder, read):
    """Links of the finished pages that lead nowhere; {place: Reader}."""
    faults = []
    for place, reader in read.items():
        for link in reader.links:
            address, _, anchor = html.unescape(link).partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            target = posixpath.normpath(posixpath.join(posixpath.dirname(place), address)) if address else place
            if not os.path.isfile(os.path.join(folder, target)):
                faults.append(f"{place}: {link}: no such file")
            elif anchor and target in read and anchor not in read[target].anchors:
                faults.append(f"{place}: {link}: no such heading")
    return faults


def search_index(read, titles):
    entries = [[place, titles[place], heading.strip(), anchor, " ".join(" ".join(words).split())]
               for place, reader in read.items() for heading, anchor, words in reader.sections if words]
    return "const ENTRIES = " + json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + ";\n"


def program():
    named = os.environ.get("IMPACTSWEEP")
    if named:
        return named
    sys.path.insert(0, os.path.join(TOP, "postprocess"))
    return importlib.import_module("impactsweep.library.paths").find_program()


def make(folder):
    """Writes the site; returns what is wrong with it."""
    pages, files, faults, read = sources(), {}, [], {}
    with open(os.path.join(LOOKS, "page.html"), encoding="utf-8") as file:
        shell = file.read()
    for page, text in pages.items():
        made = finished(page, body_of(page, text, Links(page, pages, files, faults)), pages, shell)
        place = place_of(page)
        write(folder, place, made)
        read[place] = Reader()
        read[place].feed(made)
    for place, path in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, place)), exist_ok=True)
        shutil.copyfile(path, os.path.join(folder, place))
    for name in ("style.css", "search.js"):
        shutil.copyfile(os.path.join(LOOKS, name), os.path.join(folder, name))
    subprocess.run([program(), "explore", "-o", os.path.join(folder, "explore.html"), "--force"], check=True)
    write(folder, "index.js", search_index(read, {place_of(page): title_of(page, text) for page, text in pages.items()}))
    write(folder, ".made", MARK + "\n")
    return faults + check(folder, read)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("folder")
    options = parser.parse_args()
    folder = os.path.abspath(options.folder)
    if os.path.exists(folder) and not os.path.isfile(os.path.join(folder, ".made")):
        raise SystemExit(f"site.py: error: {folder} exists, and is not a site that this command made")
    shutil.rmtree(folder, ignore_errors=True)
    faults = make(folder)
    for fault in faults:
        print(f"site.py: error: {fault}", file=sys.stderr)
    if not faults:
        print(os.path.join(folder, "index.html"))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
