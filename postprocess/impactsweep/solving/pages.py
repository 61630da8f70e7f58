"""Pages for a browser, which the program writes: the report of a map, and the page for teaching."""
from __future__ import annotations

import os
import tempfile
import webbrowser

import xarray as xr

from .. import checks
from ..checks import shown
from ..display.notebook import escape
from ..errors import InputError
from ..library.paths import find_program
from ..maps.dataset import read
from ..values import PathLike
from .running import environment, execute

HEIGHT = 760  # of a page in a notebook


class Page:
    """A page as the text of its file; a notebook shows it in a frame, where it works as in a browser.

    path: its file; None of a page that was not saved.
    """

    def __init__(self, html: str, path: str | None) -> None:
        self.html, self.path = html, path

    def __repr__(self) -> str:
        return f"<page of {len(self.html) / 1000:.0f} kB, {self.path or 'not saved'}>"

    def _repr_html_(self) -> str:
        return f"<iframe style='width:100%;height:{HEIGHT}px;border:0' srcdoc=\"{escape(self.html)}\"></iframe>"

    def show(self) -> None:
        """Opens the page in a browser."""
        if self.path is None:
            raise InputError("the page is not saved, so no browser can open it: name its file, out='page.html'")
        webbrowser.open(f"file://{os.path.abspath(self.path)}")


@checks.public
def report(map: xr.Dataset | PathLike, out: PathLike | None = None, *, provenance: str = "short", megabytes: int = 12,
           force: bool = False) -> Page:
    """A map as one page with interactive pictures, which needs no network: the page of `impactsweep report`.

    Args:
        map: the path of a map, or its Dataset as `open` or `run` with `out` returned it.
        out: the page to write, a name that ends in .html; None: the page is in memory only, for a notebook.
        provenance: "full" tells of the machine that computed the map, too.
        megabytes: the most megabytes of values in the page; a larger map is reduced.
        force: replace a file even if `report` did not write it.

    Raises:
        InputError: the map cannot be read, or a file must not be replaced. The messages are those of the program.
    """
    words = ["report", file_of(map), "--provenance", checks.text("provenance", provenance), "--megabytes",
             str(checks.count("megabytes", megabytes, 1))]
    return written(words, out, force)


@checks.public
def explore(theory: str = "compliant", out: PathLike | None = None, *, force: bool = False) -> Page:
    """A page for teaching that solves cells, histories and maps of every theory by itself: the page of `impactsweep explore`.

    Args:
        theory: the one that the page begins with.
        out: the page to write, a name that ends in .html; None: the page is in memory only, for a notebook.
        force: replace a file even if `explore` did not write it.
    """
    return written(["explore", checks.text("theory", theory)], out, force)


def file_of(data: xr.Dataset | PathLike) -> str:
    """The file that a map was opened from; a part of a map is not its file."""
    if not isinstance(data, xr.Dataset):
        return checks.path("map", data)
    source = data.encoding.get("source")
    if not source or not os.path.exists(source):
        raise InputError("the map is in memory only, and a page is made of a file: compute it with run(..., out='map.h5')")
    with read(source) as whole:
        cut = [str(dim) for dim in whole.sizes if data.sizes.get(dim, 1) != whole.sizes[dim] and dim in whole.coords]
    if cut:
        raise InputError(f"this is a part of {shown(source)}, along {', '.join(cut)}; a page is made of a whole file: give its path")
    return str(source)


def written(words: list[str], out: PathLike | None, force: bool) -> Page:
    """The page that a command of the program writes."""
    out = out if out is None else checks.path("out", out)
    words = [*words, *["--force"] * checks.switch("force", force)]
    with tempfile.TemporaryDirectory(prefix="impactsweep-") as folder:
        path = os.path.join(folder, "page.html") if out is None else out
        execute([find_program(), *words, "-o", path], environment(), False)
        with open(path, encoding="utf-8") as file:
            return Page(file.read(), out)
