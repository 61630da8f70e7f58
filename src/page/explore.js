// The page without a map: any theory, solved here.
import {byId, make, select} from "./dom.js";
import {Inputs} from "./inputs.js";
import {Live} from "./live.js";
import {LiveMap} from "./livemap.js";
import {MapPanel} from "./panel.js";
import {exampleInputs, givenInputs, inPages} from "./theory.js";
import {View, checkedInputs, readFragment, rulesFor, withBothAxes} from "./view.js";
import {spaced} from "./words.js";

// Axes that show most of a theory, where it has them.
const FIRST_AXES = ["angle", "velocity_ratio", "friction", "heading", "damping", "restitution", "position", "angular_velocity"];

function firstAxes(map) {
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
            inputs: (value) => checkedInputs(value)};
        const {x, y, ...usual} = this.view.get(); // axes depend on the theory, and so are always in the fragment
        this.usual = usual;
        document.title = "impactsweep: explore impacts with friction";
        byId("title").textContent = "Impacts with friction";
        byId("summary").textContent = "Everything on this page is solved in it, by the program's own theories. Choose a theory, a body and a law, move the sliders, click the map for histories.";
        this.view.listen((changed) => changed.includes("theory") ? this.setTheory() : this.keepAxes());
        this.take(readFragment(location.hash));
        this.panel = new MapPanel(this, this.map, this.view);
        this.panel.usual = this.usual;
        addEventListener("hashchange", () => this.take(readFragment(location.hash)));
        this.showPresets();
    }

    get theoryName() {
        return this.theory.name;
    }

    // What is shown of a theory at first.
    firstShown() {
        const shown = {theory: this.theory.name, field: "mode", at: {}, window: [0, 1, 0, 1], scale: {}, boundaries: true, numbers: true, live: true, inputs: {}, ranges: {}, picks: []};
        this.view.shown = shown;
        [shown.x, shown.y] = firstAxes(this.map);
        return shown;
    }

    // A view as an address or a preset states it; members that it leaves out are as usual. The theory and the options
    // come first, because axes and fields depend on them.
    take(stated) {
        const wanted = {...this.usual, ...stated};
        this.view.set({theory: wanted.theory});
        this.view.set({inputs: wanted.inputs, ranges: wanted.ranges});
        const [x, y] = firstAxes(this.map);
        this.view.set({x, y});
        this.view.set(withBothAxes(wanted, this.view.shown));
        this.panel?.forget();
    }

    setTheory() {
        this.theory = this.theories.find((one) => one.name === this.view.shown.theory);
        this.view.shown = this.firstShown();
        this.inputs?.show();
        this.histories?.show();
        this.showPresets();
    }

    async start(found, message = "") {
        if (!found) {
            this.failed(message || "This browser cannot run the solver.");
            this.panel.redraw();
            return;
        }
        Object.assign(this, found);
        this.panel.setLive(new Live(found.pool, this, {changed: () => this.panel.redraw(), failed: (text) => this.failed(text)}));
        this.startLab();
    }

    failed(text) {
        this.hasFailed = text !== "";
        byId("failed").textContent = text;
    }

    showPresets() {
        const theories = select("Theory", this.theories.map((one) => [one.name, `${one.name}: ${one.title}`]), this.theory.name, (value) => this.view.set({theory: value}));
        const presets = (this.about.presets || []).map((preset) => make("button", {type: "button", title: preset.title, onclick: () => this.take(preset.view)}, spaced(preset.name.replace(/-/g, " "))));
        byId("presets").replaceChildren(make("div", {className: "controls"}, theories), presets.length ? make("div", {}, make("p", {className: "hint"}, "Figures of the literature and of this project:"), ...presets) : "");
    }

    isChanged() {
        return true;
    }

    firstInputs() {
        return {};
    }

    baseInputs(shown) {
        const chosen = Object.fromEntries(this.theory.choices.map((choice) => [choice.name, shown.inputs[choice.name]]).filter(([, value]) => value));
        return exampleInputs(this.theory, chosen);
    }

    // Options may lack the parameters of the axes.
    keepAxes() {
        const names = this.map.axes.map((axis) => axis.name), {x, y} = this.view.shown;
        if (names.includes(x) && (y === null || names.includes(y))) return;
        [this.view.shown.x, this.view.shown.y] = firstAxes(this.map);
        Object.assign(this.view.shown, {window: [0, 1, 0, 1], picks: []});
        this.panel?.makeControls();
    }

    trace(inputs) {
        return this.pool.call("trace", this.theoryName, this.given(inputs));
    }

    unitOf(name) {
        return this.map.fields.find((field) => field.name === name)?.unit ?? this.unitOfParameter(name);
    }

    isChoice(name) {
        return this.theory.choices.some((choice) => choice.name === name);
    }

    given(inputs) {
        return givenInputs(this.theory, inputs, true);
    }
}
