// Panels beside and below the map. Where the screen is small they are sheets that buttons at its foot open; elsewhere all
// of them are in sight, and style.css alone says where.
import {copyButton} from "./controls.js";
import {byId, make} from "./dom.js";
import {useInks} from "./inks.js";

const PANELS = [{id: "inputs", title: "Sliders"}, {id: "motion", title: "Contact"}, {id: "readings", title: "Numbers"}, {id: "picture", title: "Picture"}, {id: "tools", title: "More"}];

// Marks the button of the sheet that is open; the same button closes it.
export function makeSheets() {
    const open = (id) => {
        const isOpen = document.body.dataset.sheet === id;
        document.body.dataset.sheet = isOpen ? "" : id;
        for (const button of byId("bar").children) button.setAttribute("aria-pressed", String(!isOpen && button.dataset.panel === id));
        if (id === "readings") byId("readings-fold").open = true;
        byId(id).scrollTop = 0;
        dispatchEvent(new Event("resize"));
    };
    byId("bar").replaceChildren(...PANELS.map(({id, title}) => {
        const button = make("button", {type: "button", "aria-pressed": "false", onclick: () => open(id)}, title);
        button.dataset.panel = id;
        return button;
    }));
    addEventListener("keydown", (event) => event.key === "Escape" && document.body.dataset.sheet && open(document.body.dataset.sheet));
}

// ---- light and dark ----

const KEPT = "impactsweep-dark";

// Browsers may refuse to keep anything.
function kept(value) {
    try {
        if (value !== undefined) localStorage.setItem(KEPT, value);
        return localStorage.getItem(KEPT);
    } catch {
        return null;
    }
}

// As the reader chose, or as the system is. redraw: called when the colours have changed.
export function followLight(redraw) {
    const system = matchMedia("(prefers-color-scheme: dark)"), button = make("button", {type: "button", id: "dark", onclick: () => {
        kept(String(document.documentElement.dataset.theme !== "dark"));
        apply();
    }}, "Dark");
    const apply = () => {
        const dark = kept() === null ? system.matches : kept() === "true";
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        button.setAttribute("aria-pressed", String(dark));
        useInks(dark);
        redraw();
    };
    system.addEventListener("change", apply);
    // Paper is white.
    const print = (isPrinting) => {
        for (const box of document.querySelectorAll(".provenance")) box.open = isPrinting;
        document.body.classList.toggle("prints", isPrinting);
        useInks(!isPrinting && document.documentElement.dataset.theme === "dark");
        redraw(true);
    };
    addEventListener("beforeprint", () => print(true));
    addEventListener("afterprint", () => print(false));
    byId("tools").append(copyButton("Copy link", () => location.href), button);
    apply();
}
