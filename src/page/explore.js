// The page without a map: any theory, solved here.
import {byId, select} from "./dom.js";
import {Guide} from "./guide.js";
import {Inputs} from "./inputs.js";
import {Live} from "./live.js";
import {LiveMap} from "./livemap.js";
import {MapPanel} from "./panel.js";
import {FIRST_STORY, storyOf} from "./stories.js";
import {Aside, fitting} from "./study.js";
import {completed, inPages, parametersOf} from "./theory.js";
import {View, checkedInputs, readFragment, rulesFor, withBothAxes} from "./view.js";
import {spaced} from "./words.js";

// Axes that show most of a theory, where it has them.
const FIRST_AXES = ["angle", "tilt", "velocity_ratio", "friction", "heading", "damping", "restitution", "position", "angular_velocity"];

export function firstAxes(map) {
    const names = map.axes.map((axis) => axis.name);
    const wanted = FIRST_AXES.filter((name) => names.includes(name));
    const [x, y] = wanted.includes("friction") ? [wanted.find((name) => name !== "friction"), "friction"] : wanted;
    const other = (taken) => names.find((name) => name !== taken), first = x ?? other(y);
    return [first, y ?? other(first)];
}

// {name: {low, high, log}} of axes.
function checkedRanges(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value).filter(([name, one]) => /^\w+$/.test(name) && Number.isFinite(one?.low) && Number.isFinite(one?.high)
        && one.high > one.low && (one.log !== true || one.low > 0)).map(([name, {low, high, log}]) => [name, {low, high, log: log === true}]));
}

export class Explore extends Inputs {
    constructor(about, looks) {
        super();
        Object.assign(this, {about, looks, theories: about.theories.map(inPages), hasFailed: false});
        this.theory = this.theories.find((one) => one.name === about.first);
        this.view = new View({theory: this.theory.name, inputs: {}, ranges: {}}, {});
        this.map = new LiveMap(this);
        this.view.shown = this.firstShown();
        this.view.rules = {theory: (value) => this.theories.some((one) => one.name === value) ? value : undefined, ...rulesFor(this.map), ranges: checkedRanges,
            inputs: (value) => checkedInputs(value), story: (value) => value === "" || storyOf(value) ? value : undefined};
        const {x, y, ...usual} = this.view.get(); // axes depend on the theory, and so are always in the fragment
        this.usual = usual;
        document.title = "impactsweep: explore impacts with friction";
        byId("title").textContent = "Impacts with friction";
        this.view.listen((changed, by) => this.changed(changed, by));
        this.takeAddress();
        this.panel = new MapPanel(this, this.map, this.view);
        this.guide = new Guide(this);
        addEventListener("hashchange", () => this.takeAddress());
        this.showTheories();
    }

    // What is shown of a theory at first.
    firstShown() {
        const shown = {theory: this.theory.name, field: "mode", at: {}, window: [0, 1, 0, 1], scale: {}, boundaries: true, numbers: true, live: true, beside: null, difference: false,
            inputs: {}, ranges: {}, picks: [], story: ""};
        this.view.shown = shown;
        [shown.x, shown.y] = firstAxes(this.map);
        return shown;
    }

    // An address that says nothing is that of the first picture.
    takeAddress() {
        const stated = readFragment(location.hash), isFirst = !Object.keys(stated).length && this.about.first === FIRST_STORY.view.theory;
        this.take(isFirst ? {story: FIRST_STORY.name} : stated);
    }

    // A view as an address or a preset states it; members that it leaves out are those of its story, or as usual. The theory
    // and the options come first, because axes and fields depend on them.
    take(stated) {
        const wanted = {...this.usual, ...storyOf(stated.story)?.view, ...stated};
        this.view.set({theory: wanted.theory}, "take");
        this.view.set({inputs: wanted.inputs, ranges: wanted.ranges}, "take");
        const [x, y] = firstAxes(this.map);
        this.view.set({x, y}, "take");
        this.view.set(withBothAxes(wanted, this.view.shown), "take");
        this.panel?.forget();
    }

    usualOf(shown) {
        return {...this.usual, ...storyOf(shown.story)?.view};
    }

    // A story that is left: its sentence may not be true of another theory or other axes.
    changed(changed, by) {
        if (changed.includes("theory")) this.setTheory();
        else this.keepAxes();
        const story = storyOf(this.view.shown.story), isOf = (name) => JSON.stringify(this.view.shown[name]) === JSON.stringify(story.view[name] ?? this.usual[name]);
        const body = (inputs) => this.theory.choices.map(({name}) => inputs[name]).join();
        if (story && by !== "take" && !story.step && !(isOf("x") && isOf("y") && isOf("field") && body(this.view.shown.inputs) === body(story.view.inputs))) this.view.shown.story = "";
        this.guide?.show();
    }

    setTheory() {
        this.theory = this.theories.find((one) => one.name === this.view.shown.theory);
        this.view.shown = this.firstShown();
        this.inputs?.show();
        this.histories?.show();
        this.showTheories();
    }

    async start(found, message = "") {
        if (!found) {
            this.failed(message || "This browser cannot run the solver.");
            this.panel.redraw();
            return;
        }
        Object.assign(this, found);
        this.panel.setLive(new Live(found.pool, this, {changed: () => this.panel.redraw(), failed: (text) => this.failed(text), solver: found.solver}));
        this.startLab();
    }

    failed(text) {
        this.hasFailed = text !== "";
        byId("failed").textContent = text;
    }

    showTheories() {
        byId("theory")?.replaceChildren(select("Theory", this.theories.map((one) => [one.name, `${one.name}: ${one.title}`]), this.theory.name, (value) => this.view.set({theory: value})));
    }

    firstInputs() {
        return storyOf(this.view.shown.story)?.view.inputs ?? {};
    }

    // Options may lack the parameters of the axes.
    keepAxes() {
        const names = this.map.axes.map((axis) => axis.name), {x, y} = this.view.shown;
        if (names.includes(x) && (y === null || names.includes(y))) return;
        [this.view.shown.x, this.view.shown.y] = firstAxes(this.map);
        Object.assign(this.view.shown, {window: [0, 1, 0, 1], picks: []});
        this.panel?.controls.make();
    }

    unitOf(name) {
        return this.map.fields.find((field) => field.name === name)?.unit ?? this.unitOfParameter(name);
    }

    // A cell that was picked, with what its inputs leave out: outputs of all cells have the same units.
    completedCell(inputs) {
        return completed(this.theory, inputs);
    }

    isChoice(name) {
        return this.theory.choices.some((choice) => choice.name === name);
    }

    // ---- comparisons ----

    // Other options of the theory, and other theories by their laws, that have the axes of the picture.
    comparisons() {
        const {shown} = this.view, inputs = this.inputsAt(shown);
        const own = this.theory.choices.map((choice) => ({group: `Another ${spaced(choice.name)}`, entries: choice.options.filter(({name}) => name !== inputs[choice.name])
            .map(({name}) => ({name: spaced(name), beside: {inputs: {[choice.name]: name}}}))}));
        const others = this.theories.filter((theory) => theory !== this.theory).map((theory) => {
            const law = theory.choices.find(({name}) => name !== "body");
            const entries = (law?.options ?? [{name: ""}]).map(({name}) => ({name: `${spaced(theory.name)}${name && `, ${spaced(name)}`}`, beside: {theory: theory.name, ...name && {inputs: {[law.name]: name}}}}));
            return {group: spaced(theory.name), entries};
        });
        return [...own, ...others].map(({group, entries}) => ({group, entries: entries.filter(({beside}) => this.fits(beside))})).filter(({entries}) => entries.length);
    }

    fits(beside) {
        const side = this.sideOf(beside), {x, y, field, inputs} = this.view.shown, body = this.inputsAt(this.view.shown).body;
        const own = side.study.inputsAt(side.shown()), names = parametersOf(side.study.theory, own).map(({name}) => name);
        const isBody = !body || beside.inputs?.body || (own.body ?? "rod") === body;
        return isBody && [x, y].every((name) => name === null || names.includes(name)) && Boolean(side.map.field(field)) && inputs !== null;
    }

    // What stands beside: the same axes, and the inputs of this page where the other theory has them.
    sideOf(beside) {
        const theory = this.theories.find((one) => one.name === (beside.theory ?? this.theory.name)) ?? this.theory, main = this;
        const shown = () => ({...this.view.shown, theory: theory.name, inputs: fitting(theory, {...this.inputsAt(this.view.shown), ...beside.inputs})});
        const study = new Aside(theory, {get shown() { return shown(); }}, this.pool), own = study.map;
        study.map = {blocks: 0, get axes() { return main.map.axes; }, get fields() { return own.fields; }, field: (key) => own.field(key)};
        const options = (inputs) => Object.values(inputs ?? {}).filter((one) => typeof one === "string").map(spaced);
        const inputs = this.inputsAt(this.view.shown), own0 = Object.keys(beside.inputs ?? {}).map((name) => inputs[name]).filter((one) => typeof one === "string").map(spaced);
        const nameOf = (one, list) => [theory === this.theory ? "" : spaced(one), ...list].filter(Boolean).join(", ");
        return {name: nameOf(theory.name, options(beside.inputs)), first: nameOf(this.theory.name, theory === this.theory ? own0 : options(inputs).slice(-1)), study, shown, map: study.map};
    }
}
