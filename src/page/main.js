// Starts the page: a report of a map, or a page to explore theories. It has one global, impactsweep.
import {bytesOf} from "./arrays.js";
import {Explore} from "./explore.js";
import {explainFrom, listenToWords} from "./explain.js";
import {byId} from "./dom.js";
import {Pool} from "./workers.js";
import {Report} from "./report.js";
import {followLight, makeSheets} from "./sheets.js";
import {loadSolver, unpack} from "./solver.js";

async function openPool() {
    const packed = byId("module").textContent;
    if (!packed) return null;
    const module = await WebAssembly.compile(await unpack(bytesOf(packed)));
    return {module, pool: await Pool.open(module), solver: await loadSolver(module)};
}

// What scripts use. cell and trace give what `impactsweep cell ... --json` and `trace` print.
function globalOf(page, opened) {
    const call = (method) => async (...words) => {
        const found = await opened;
        if (!found) throw new Error("this page has no solver");
        return found.pool.call(method, ...words);
    };
    return Object.freeze({
        get view() {
            return page.view.get();
        },
        set view(wanted) {
            page.view.set(wanted);
        },
        get plane() {
            return page.panel.layout.plane;
        },
        get legend() {
            return page.panel.layout.entries ?? [];
        },
        get isSolved() {
            return page.panel.isSolved();
        },
        cell: call("cell"),
        trace: call("trace"),
        ready: page.ready,
        svg: () => page.panel.svg(),
    });
}

if (typeof document !== "undefined") {
    const about = JSON.parse(byId("about-data").textContent), looks = JSON.parse(byId("looks").textContent);
    const opened = openPool();
    let page = null;
    explainFrom(() => [page?.theory ?? about.theory, ...about.theories ?? []].filter(Boolean));
    listenToWords();
    makeSheets();
    followLight((isAtOnce) => page?.again(isAtOnce));
    page = about.map ? new Report(about, looks) : new Explore(about, looks);
    page.ready = opened.then((found) => page.start(found), (error) => page.start(null, error.message));
    globalThis.impactsweep = globalOf(page, opened);
}
