// The sentence above the map, the menu of questions and figures, and the tour.
import {copyButton} from "./controls.js";
import {byId, make} from "./dom.js";
import {knownTheories, withWords} from "./explain.js";
import {GLOSSARY} from "./glossary.js";
import {FIRST_STORY, STEPS_OF_TOUR, questions, storyOf} from "./stories.js";
import {Thumbs} from "./thumbs.js";
import {fragmentOf, readFragment} from "./view.js";
import {spaced} from "./words.js";

const USUAL = "Everything here is solved in the page, by the program's own theories. Move a slider, point at the map, keep a cell with a click.";

export class Guide {
    constructor(page) {
        Object.assign(this, {page, thumbs: new Thumbs(page), told: null});
        const button = (text, id, action) => make("button", {type: "button", id, onclick: action}, text);
        byId("presets").replaceChildren(make("button", {type: "button", id: "open-menu", onclick: () => this.open()}, "Questions", make("span", {className: "wordy"}, " and figures")), make("div", {id: "theory"}));
        byId("tools").prepend(button("Tour", "open-tour", () => this.begin()), button("Words", "open-words", () => showWords()));
        this.fillMenu();
        this.show();
    }

    // What is shown in a sentence or two.
    show() {
        const {story, theory} = this.page.view.shown, key = `${theory} ${story}`;
        if (key === this.told) return;
        this.told = key;
        const known = storyOf(story);
        byId("story").replaceChildren(known?.step ? this.stepOf(known) : make("h2", {}, known?.title ?? this.page.theory.title.replace(/^./, (one) => one.toUpperCase())));
        byId("summary").replaceChildren(...withWords(known?.text ?? USUAL));
    }

    // The tour ends at the view that it began from; one that a link opened ends at the first picture.
    begin() {
        const {view} = this.page;
        if (!storyOf(view.shown.story)?.step) this.before = readFragment(`#${fragmentOf(view.shown, {})}`);
        this.go("tour-1");
    }

    go(name) {
        this.page.take({story: name});
        byId("summary").scrollIntoView({block: "nearest"});
    }

    stepOf({step, title, name}) {
        const button = (text, to, more = {}) => make("button", {type: "button", id: `tour-${text.toLowerCase()}`, onclick: () => {
            this.go(to);
            (byId(`tour-${text.toLowerCase()}`) ?? byId("tour-end"))?.focus();
        }, ...more}, text);
        return make("div", {className: "step", role: "group", "aria-label": "Tour"}, make("h2", {}, `${step} of ${STEPS_OF_TOUR}: ${title}`),
            step > 1 ? button("Back", `tour-${step - 1}`) : "", step < STEPS_OF_TOUR ? button("Next", `tour-${step + 1}`) : "",
            make("span", {className: "wordy"}, copyButton("Link of this step", () => `${location.href.replace(/#.*/, "")}#${fragmentOf({story: name}, {})}`)),
            make("button", {type: "button", id: "tour-end", onclick: () => this.page.take(this.before ?? {story: FIRST_STORY.name})}, "End"));
    }

    // ---- the menu ----

    fillMenu() {
        const figures = (this.page.about.presets ?? []).map((one) => ({...one, view: {y: null, ...one.view}})); // pages leave out what is null
        byId("menu").replaceChildren(make("div", {className: "bar"}, make("h2", {}, "What would you like to see?"), make("button", {type: "button", onclick: () => byId("menu").close()}, "Close")),
            make("h3", {}, "Questions"), make("ul", {className: "cards"}, ...questions().map(({title, text, view, name}) => this.card(title, text.replace(/\[(?:[^\]|]*\|)?([^\]]*)\]/g, "$1"), view, () => this.go(name)))),
            make("h3", {}, "Figures of the literature and of this project"),
            make("ul", {className: "cards"}, ...figures.map((preset) => this.card(spaced(preset.name.replace(/-/g, " ")), preset.title, preset.view, () => this.page.take(preset.view)))));
        byId("menu").addEventListener("close", () => this.thumbs.stop());
    }

    card(title, text, view, action) {
        const picture = make("canvas", {className: "thumb", width: 72, height: 45, "aria-hidden": "true"});
        this.seen ??= new IntersectionObserver((entries) => entries.filter((one) => one.isIntersecting && this.page.pool).forEach(({target}) => this.thumbs.ask(target, target.view)));
        picture.view = view;
        this.seen.observe(picture);
        return make("li", {}, picture, make("div", {}, make("button", {type: "button", className: "card", onclick: () => {
            byId("menu").close();
            action();
        }}, title), make("p", {}, text)));
    }

    open() {
        byId("menu").showModal();
        for (const picture of byId("menu").querySelectorAll(".thumb")) { // those in sight are asked for again
            this.seen.unobserve(picture);
            this.seen.observe(picture);
        }
    }
}

// All words of the glossary and the modes of the theory, for reading at leisure.
export function showWords() {
    const words = Object.entries(GLOSSARY).sort(([one], [other]) => one.localeCompare(other)), [theory] = knownTheories();
    const list = (entries) => make("dl", {}, ...entries.flatMap(([word, meaning]) => [make("dt", {}, word), make("dd", {}, meaning)]));
    const modes = (theory?.modes ?? []).map(({name, meaning}) => [spaced(name), meaning]);
    byId("words").replaceChildren(make("div", {className: "bar"}, make("h2", {}, "Words"), make("button", {type: "button", onclick: () => byId("words").close()}, "Close")),
        list(words), ...modes.length ? [make("h3", {}, `Modes of ${spaced(theory.name)}`), list(modes)] : [],
        make("p", {className: "hint"}, "Parameters, modes and outputs explain themselves by a tap on their dotted names."));
    byId("words").showModal();
}


