// Words that explain themselves by a tap, where they stand.
import {byId, make} from "./dom.js";
import {GLOSSARY} from "./glossary.js";
import {spaced} from "./words.js";

let theories = () => [];
let opener = null;

// find: the theories whose words are explained, the first before the others.
export function explainFrom(find) {
    theories = find;
}

export const knownTheories = () => theories();

export function meaningOf(word) {
    const key = String(word).replace(/:.*/, "");
    if (Object.hasOwn(GLOSSARY, key)) return GLOSSARY[key];
    for (const theory of theories()) {
        const found = [...theory.modes ?? [], ...theory.parameters, ...theory.outputs, ...theory.choices, ...theory.choices.flatMap((choice) => choice.options)]
            .find((one) => (one.name === key || theory.common_names?.[one.name] === key) && one.meaning);
        if (found) return found.meaning;
    }
    return "";
}

// A button, or the text alone where nothing is known.
export function wordButton(text, word = text) {
    return meaningOf(word) ? make("button", {type: "button", className: "word", "aria-haspopup": "dialog", onclick: (event) => explain(word, event.currentTarget)}, text) : text;
}

// Words of the glossary in square brackets become buttons: "When it [wedge|wedges]".
export function withWords(text) {
    return text.split(/(\[[^\]]+\])/).map((part) => {
        const [, word, shown] = /^\[([^|\]]+)\|?([^\]]*)\]$/.exec(part) ?? [];
        return word ? wordButton(shown || word, word) : part;
    });
}

export function explain(word, at, box = at.getBoundingClientRect()) {
    tell(at, box, make("h2", {}, spaced(word).replace(/:.*/, "")), make("p", {}, meaningOf(word)));
}

// All names of a legend, in which those are words that the picture itself explains by a tap.
export function explainLegend({title, entries}, at) {
    tell(at, at.getBoundingClientRect(), make("h2", {}, title), make("ul", {className: "names"}, ...entries.map(({colour, number = "", text}) => {
        const swatch = make("span", {className: "swatch"});
        swatch.style.background = colour;
        return make("li", {}, swatch, make("span", {}, `${number} ${text}`));
    })));
}

// Beside what was tapped, to which the focus returns.
function tell(at, box, ...told) {
    const dialog = byId("explain");
    opener = at;
    dialog.replaceChildren(...told, make("button", {type: "button", onclick: close}, "Close"));
    if (!dialog.open) dialog.show();
    const {width, height} = dialog.getBoundingClientRect();
    dialog.style.left = `${Math.max(8, Math.min(innerWidth - width - 8, box.left))}px`;
    dialog.style.top = `${box.bottom + height + 12 < innerHeight ? box.bottom + 6 : Math.max(8, box.top - height - 6)}px`;
    dialog.querySelector("button").focus();
}

function close() {
    byId("explain").close();
    if (opener?.isConnected) opener.focus();
}

export function listenToWords() {
    document.addEventListener("pointerdown", (event) => byId("explain").open && !byId("explain").contains(event.target) && byId("explain").close());
    document.addEventListener("keydown", (event) => event.key === "Escape" && byId("explain").open && close());
}
