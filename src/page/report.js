// The page of a map.
import {foundText, reducedText, showAbout, sweptText} from "./about.js";
import {bytesOf} from "./arrays.js";
import {StoredMap, fieldsOfOutput} from "./data.js";
import {byId, make} from "./dom.js";
import {Found} from "./found.js";
import {Inputs} from "./inputs.js";
import {Live, checkSample} from "./live.js";
import {MapPanel} from "./panel.js";
import {ofCase} from "./cases.js";
import {showWords} from "./guide.js";
import {Tabs} from "./tabs.js";
import {givenInputs, inPages, withVariables} from "./theory.js";
import {View, defaultAxes, readFragment, rulesFor, withBothAxes} from "./view.js";
import {countText, spaced} from "./words.js";

// What the printed figure of the map asks for, where the page can show it.
function wishesOf(figure) {
    const wishes = {};
    for (const line of (figure || "").split("\n")) {
        const [name, value] = line.split(/=(.*)/s);
        if (["field", "x", "y"].includes(name) && value && !(name in wishes)) wishes[name] = value;
    }
    return wishes;
}

function firstView(map, figure) {
    const wished = wishesOf(figure), first = map.field(wished.field) || map.fields.find((one) => one.name !== "outcome") || map.outcome;
    const field = first.key, [x, y] = defaultAxes(map.axes, !first.isCategory);
    const at = Object.fromEntries(map.axes.map((axis) => [axis.name, axis.stride * Math.floor((axis.blocks - 1) / 2)]));
    const view = new View({field, x: x.name, y: y ? y.name : null, at, window: [0, 1, 0, 1], scale: {}, boundaries: true,
        numbers: true, live: true, beside: null, difference: false, inputs: {}, picks: []}, rulesFor(map));
    view.set(withBothAxes(wished, view.shown));
    return view;
}

export class Report extends Inputs {
    constructor(about, looks) {
        super();
        const buffer = bytesOf(byId("numbers").textContent).buffer;
        Object.assign(this, {about, looks, theory: about.theory});
        this.map = new StoredMap(about.map, buffer);
        this.found = about.found ? new Found(about.found, buffer, this.map) : null;
        this.view = firstView(this.map, about.map.figure);
        this.usual = this.view.get();
        this.view.set(readFragment(location.hash));
        document.title = about.info.title || "impactsweep";
        byId("title").textContent = spaced(about.info.title || "Map");
        document.body.classList.add("report", "stored"); // until the lab is there
        byId("readings-fold").open = true;
        byId("story").replaceChildren(make("p", {}, sweptText(about.info, this.map)), make("p", {}, foundText(about.info)));
        byId("tools").prepend(make("button", {type: "button", id: "open-words", onclick: showWords}, "Words"));
        byId("summary").textContent = `${countText(this.map.size)} cells of ${about.info.cases ? "the cases" : "the theory"} ${spaced(about.info.cases ? Object.keys(about.info.cases).join(", ") : this.theoryName)}${this.found ? ", the coarse grid of a refined map" : ""}. ${reducedText(this.map)}`;
        this.panel = new MapPanel(this, this.map, this.view);
        this.tabs = new Tabs(this);
        addEventListener("hashchange", () => this.view.set({...this.usual, ...readFragment(location.hash)}));
        showAbout(about, this.map);
    }

    get theoryName() {
        return this.about.info.theory || "";
    }

    // The solver serves theories that it has, for cells, not for searches or draws.
    async start(found, message = "") {
        const tell = (text) => { byId("live").textContent = text; };
        const known = found?.solver.theories().find((one) => one.name === this.theoryName);
        const absent = known && this.absentOption(known);
        this.known = known && withVariables(known, this.map.givenUnits());
        if (!known || absent || this.about.info.search || this.about.info.uncertain) {
            tell(message || (!found ? "" : this.about.info.search ? "Searches are not solved in this page: it shows the stored results."
                : this.about.info.uncertain ? "Uncertain parameters are not drawn anew in this page: it shows the stored statistics."
                : this.about.info.cases ? "Cases of several theories are not solved in this page: it shows the stored cells."
                : `The ${absent ? `${spaced(absent.choice)} ${spaced(absent.option)} of the ` : ""}theory ${spaced(this.theoryName)} is not in this page, which shows the stored cells.`));
            return;
        }
        byId("readings-fold").open = false;
        Object.assign(this, found, {theory: withVariables(inPages(known), this.map.givenUnits())});
        const stored = this.map.fields.map((field) => field.name);
        this.map.fields.push(...known.outputs.filter((output) => !stored.includes(output.name)).flatMap((output) => fieldsOfOutput(known, output, this.isDimensional())));
        this.view.set(readFragment(location.hash));
        this.panel.setLive(new Live(found.pool, this, {changed: () => this.panel.redraw(), failed: (text) => { byId("failed").textContent = text; }, solver: found.solver}));
        document.body.classList.remove("stored");
        this.startLab();
        this.checked = await checkSample({pool: found.pool, theory: this.theory, map: this.map, given: (inputs) => this.given(inputs)});
        const {same, all} = this.checked;
        tell(`${countText(same)} of ${countText(all)} stored cells, solved again in this page, have the same bits` +
            (same === all ? "." : `; the map was computed by version ${this.about.info.program_version}, this page by version ${this.about.program}.`));
    }

    // The first option of the map that pages do not have.
    absentOption(known) {
        const swept = this.map.axes.filter((axis) => axis.columns.some((column) => column.isChoice))
            .flatMap((axis) => Array.from({length: axis.size}, (_, index) => Object.entries(axis.inputsAt(index))).flat());
        const chosen = [...this.map.fixed.map((one) => [one.name, one.value]), ...swept];
        const absent = ([choice, option]) => known.choices.find((one) => one.name === choice)?.options.find((one) => one.name === option)?.without_petsc;
        const [choice, option] = chosen.find(absent) ?? [];
        return choice && {choice, option};
    }

    // Curves instead of the borders of pixels.
    decorate(scene, shown) {
        if (this.found && shown.boundaries && !this.isChanged()) this.found.decorate(scene, shown);
    }

    // The region of a refined map at a place.
    regionAt(place, shown) {
        return this.found && place && !this.isChanged() ? this.found.regionText(this.panel.blockAt(place, shown), shown) : "";
    }

    hasCurves(shown) {
        return Boolean(this.found?.fits(shown)) && !this.isChanged();
    }

    // Whether inputs differ from those of the map, so that stored cells are not what is shown.
    isChanged() {
        const shown = this.view.shown, base = this.baseInputs(shown);
        return Object.entries(shown.inputs).some(([name, value]) => name !== shown.x && name !== shown.y && base[name] !== value);
    }

    // Whether outputs have units: then the map's do.
    isDimensional() {
        return this.map.fields.some((field) => field.array && field.unit !== "1" && field.unit !== "rad");
    }

    firstInputs() {
        return {};
    }

    baseInputs(shown) {
        const inputs = {...Object.fromEntries(this.map.fixed.map((one) => [one.name, one.value])), ...this.map.formulas};
        for (const axis of this.map.axes) Object.assign(inputs, axis.inputsAt(shown.at[axis.name] || 0));
        return inputs;
    }

    unitOf(name) {
        const known = this.map.fields.find((field) => field.name === name) || this.map.fixed.find((one) => one.name === name) ||
            this.map.axes.flatMap((axis) => axis.columns).find((column) => column.name === name);
        return known ? known.unit : this.theory ? this.unitOfParameter(name) : "1";
    }

    isChoice(name) {
        return this.map.fixed.some((one) => one.name === name && one.isChoice) ||
            this.map.axes.some((axis) => axis.columns.some((column) => column.name === name && column.isChoice)) ||
            (this.about.theories || []).some((theory) => theory.choices.some((choice) => choice.name === name));
    }

    command(inputs) {
        const {info, theories = []} = this.about;
        return info.cases?.[inputs.case] ? ofCase(info, theories, inputs, this.map.givenUnits(), this.isDimensional())
            : {theory: this.theoryName, inputs: givenInputs(this.known, inputs, this.isDimensional()), variables: this.known?.variables};
    }

    completedCell(inputs) {
        return inputs;
    }

    // Inputs as the program takes them.
    given(inputs) {
        return givenInputs(this.theory, inputs, this.isDimensional());
    }

    // ---- comparisons ----

    // Other places of an axis of choices, and other options of the theory where the page solves.
    comparisons() {
        const {shown} = this.view, choiceAxes = this.map.axes.filter((axis) => axis.size > 1 && axis.columns.length > 0 && axis.name !== shown.x && axis.name !== shown.y && axis.columns.some((column) => column.isChoice));
        const places = choiceAxes.map((axis) => ({group: `Another ${spaced(axis.name)}`, entries: Array.from({length: axis.size}, (_, index) => index).filter((index) => index !== shown.at[axis.name] && index % axis.stride === 0)
            .map((index) => ({name: axis.textAt(index), beside: {at: {[axis.name]: index}}}))}));
        const inputs = this.pool ? this.inputsAt(shown) : {}, isOn = (name) => choiceAxes.some((axis) => axis.columns.some((column) => column.name === name));
        const options = this.pool ? this.theory.choices.filter(({name}) => name !== "body" && !isOn(name)) : [];
        return [...places, ...options.map((choice) => ({group: `Another ${spaced(choice.name)}`, entries: choice.options.filter(({name}) => name !== inputs[choice.name])
            .map(({name}) => ({name: spaced(name), beside: {inputs: {[choice.name]: name}}}))}))].filter(({entries}) => entries.length);
    }

    sideOf(beside) {
        const {view, map} = this, main = this, isSolved = Boolean(beside.inputs);
        const shown = () => ({...view.shown, at: {...view.shown.at, ...beside.at}, inputs: {...view.shown.inputs, ...beside.inputs}});
        const live = {blocks: 0, get axes() { return map.axes; }, get fields() { return map.fields; }, field: (key) => map.field(key)};
        const place = ([name, index]) => map.axes.find((axis) => axis.name === name)?.textAt(index) ?? "", inputs = this.pool ? this.inputsAt(view.shown) : {};
        const first = isSolved ? Object.keys(beside.inputs).map((name) => spaced(inputs[name])) : Object.keys(beside.at ?? {}).map((name) => place([name, view.shown.at[name]]));
        const name = isSolved ? Object.values(beside.inputs).map(spaced) : Object.entries(beside.at ?? {}).map(place);
        const study = {theory: main.theory, map: isSolved ? live : map, inputsAt: (one) => main.inputsAt(one), given: (one) => main.given(one), trace: (one) => main.trace(one)};
        return {name: name.join(", "), first: first.join(", "), study, shown, map: study.map};
    }
}
