// The second picture: another law, body or theory beside the first one, or what differs, with one pointer and one set of
// sliders. The page says what can be compared, and what stands beside it.
import {differenceOf} from "./difference.js";
import {byId, groupedSelect, make} from "./dom.js";
import {Live} from "./live.js";
import {rangeOf} from "./looks.js";
import {Plot} from "./plot.js";
import {FAILURE} from "./raster.js";
import {makeScaleOf, sceneOf} from "./scene.js";
import {Pool} from "./workers.js";
import {spaced} from "./words.js";

const SHOWS = [[false, "Side by side"], [true, "Difference"]];

// The ends of the values of a raster.
const ends = new WeakMap();

function endsOf(raster) {
    if (!ends.has(raster)) ends.set(raster, rangeOf(raster.values.filter((_, i) => raster.labels[i] < FAILURE)));
    return ends.get(raster);
}

export class Compare {
    constructor(panel) {
        Object.assign(this, {panel, page: panel.page, view: panel.view, live: null, side: null, key: "", made: ""});
        this.plot = new Plot(byId("map2"), (pixels) => this.makeScene(pixels), () => panel.ticksRoom(), () => panel.redraw());
        panel.listen(this.plot);
        this.view.listen((changed) => changed.some((name) => ["theory", "beside", "difference", "x", "y", "field", "inputs", "at"].includes(name)) && this.show());
        this.show();
    }

    // The solver has come.
    ready() {
        this.made = "";
        this.show();
    }

    get isOn() {
        return this.side !== null;
    }

    // Menus, names, and what stands beside.
    show() {
        const {beside, difference} = this.view.shown, key = JSON.stringify([this.page.theoryName, beside, Object.values(this.view.shown.inputs).filter((one) => typeof one === "string")]);
        if (key !== this.key) Object.assign(this, {key, side: beside ? this.page.sideOf(beside) : null, live: null});
        if (this.side && !this.side.map.field(this.view.shown.field)) Object.assign(this, {side: null, key: ""}); // until it has what is shown
        if (this.side && this.page.pool) this.open();
        this.menu(beside, difference);
        byId("stage2").hidden = !this.side;
        byId("side1").hidden = !this.side;
        document.body.classList.toggle("compares", this.isOn);
        document.body.classList.toggle("differs", this.isOn && difference);
        [this.plot.twin, this.panel.plot.twin] = this.side ? [this.panel.plot, this.plot] : [null, null];
        this.pairLives();
        if (!this.side) return;
        byId("side1").textContent = this.firstName();
        byId("side2").textContent = difference ? [this.firstName(), this.side.name].join(this.panel.map.field(this.view.shown.field)?.isCategory ? " | " : " − ") : this.side.name;
    }

    // Whether the other side has another theory: then both have the names by which theories agree.
    get isAcross() {
        return this.isOn && this.side.study.theory !== this.page.theory;
    }

    fieldOf(map, key) {
        const field = map.field(key);
        return this.isAcross && field ? field.agreed : field;
    }

    firstName() {
        return this.side?.first ?? "";
    }

    menu(beside, difference) {
        const {x, y, field, at, inputs} = this.view.shown, options = Object.values(inputs).filter((one) => typeof one === "string");
        const made = JSON.stringify([this.page.theoryName, x, y, field, at, options, beside, difference]);
        if (made === this.made) return; // a slider that moves changes no menu
        this.made = made;
        this.plot.below = this.panel.plot.below = 0;
        const groups = this.page.comparisons?.() ?? [];
        this.fill(groups, beside, difference);
    }

    fill(groups, beside, difference) {
        const focus = document.activeElement?.id, options = groups.flatMap(({entries}) => entries);
        const chosen = Math.max(0, options.findIndex((one) => JSON.stringify(one.beside) === JSON.stringify(beside)) + 1);
        const menu = groupedSelect("Compare with", [{entries: [{name: "nothing"}]}, ...groups], chosen, (number) => this.view.set({beside: options[number - 1]?.beside ?? null}));
        const show = make("fieldset", {className: "switch"}, make("legend", {className: "unseen"}, "What is shown"), ...SHOWS.map(([value, text]) => make("label", {}, make("input", {type: "radio", name: "difference", id: `difference-${value}`,
            checked: value === difference, onchange: () => this.view.set({difference: value})}), make("span", {}, text))));
        byId("compare").replaceChildren(...options.length ? [menu] : []);
        byId("switch").replaceChildren(show);
        if (focus && byId(focus)) byId(focus).focus();
    }

    // Workers of its own, so that neither picture waits for the other.
    async open() {
        this.opened ??= Pool.open(this.page.module);
        const pool = await this.opened;
        if (!this.side || this.live) return;
        this.side.study.pool ??= pool;
        this.live = new Live(pool, this.side.study, {changed: () => this.panel.redraw(), failed: (text) => { this.failed = text; }, solver: this.page.solver});
        this.pairLives();
        this.page.histories?.show();
        if (this.panel.read) this.panel.readAt([...this.panel.read]);
        this.panel.redraw();
    }

    // Previews of both pictures have the same squares.
    pairLives() {
        const {live} = this.panel;
        if (this.live) this.live.twin = live;
        if (live) live.twin = this.side && this.live;
    }

    // Both pictures as they are now.
    rasters() {
        const {live, plot, view: {shown}} = this.panel, rasterOf = (one, of, {pixels}) => pixels && one?.raster(of, pixels);
        return [rasterOf(live, shown, plot) ?? plot.made?.raster, rasterOf(this.live, this.side.shown(), this.plot) ?? this.plot.made?.own].filter(Boolean);
    }

    fit() {
        if (this.side && this.plot.pixels) this.live?.ask(this.side.shown(), this.plot.pixels);
    }

    // The view with the scale that both pictures share.
    scaled(shown) {
        const field = this.panel.map.field(shown.field);
        if (!this.side || field.isCategory || (field.array && !this.page.isChanged())) return shown;
        const rasters = this.rasters();
        if (rasters.length < 2) return shown;
        const all = rasters.map(endsOf), low = Math.min(...all.map(([one]) => one)), high = Math.max(...all.map(([, one]) => one));
        return {...shown, scale: {low, high, ...shown.scale}};
    }

    makeScene(pixels) {
        const {side, panel} = this, shown = side.shown(), field = side.map.field(shown.field), raster = this.live?.raster(shown, pixels) ?? null, {looks} = panel;
        if (!field) return {scene: {x: panel.plot.made.scene.x, y: panel.plot.made.scene.y, window: shown.window, note: `no ${spaced(shown.field)} here`}, own: null};
        side.scaleOf ??= makeScaleOf(looks, side.map, () => side.map.blocks === 0 || this.page.isChanged());
        const own = sceneOf({looks, map: side.map, shown: this.scaled(shown), scaleOf: side.scaleOf, field: this.fieldOf(side.map, shown.field)}, ...pixels, raster);
        if (!raster && !side.map.blocks) Object.assign(own.scene, {note: this.failed || "computing …", bar: null, legend: null});
        const made = this.view.shown.difference && own.scene.note === undefined ? this.difference(own, field, pixels) : own;
        panel.markPicks(made.scene);
        return {...made, own: own.raster};
    }

    difference(own, field, pixels) {
        const {panel} = this, first = panel.plot.made, shown = this.side.shown();
        let pair = [first.raster, own.raster];
        // The preview of one side is compared with that of the other, even if one of them has its whole picture already.
        if (pair.some(({square}) => square)) pair = pair.map((one) => one.preview ?? one);
        const isPreview = pair.every(({square}) => square), sides = [this.firstName(), this.side.name];
        if (pair.some((one, i) => one !== this.pair?.[i])) { // a pointer that moves draws the same one again
            Object.assign(this, {pair, drawn: differenceOf(panel.looks, pair, [panel.map.field(shown.field), field], sides, isPreview ? this.found : null)});
        }
        const found = this.drawn;
        if (!isPreview) this.found = found;
        if (!found || first.scene.note !== undefined || !shown.y) return own;
        return sceneOf({looks: panel.looks, map: this.side.map, shown: {...shown, scale: {...found.asked}}, scaleOf: makeScaleOf(panel.looks, this.side.map, () => true), field: found.field}, ...pixels, found.raster);
    }

    draw(cursor) {
        if (!this.side) return;
        this.plot.draw(this.view.shown.window, cursor);
        const {scene, scale, raster} = this.plot.made;
        this.plot.canvas.setAttribute("aria-label", `The same map for ${byId("side2").textContent}${raster?.square ? "" : scene.note ? `: ${scene.note}` : scene.legend ? `. ${scene.legend.title}: ${scene.legend.entries.map(({text}) => text).join(", ")}` : scale ? `. ${scene.bar?.title ?? ""} from ${scale.text()}` : ""}.`);
    }

    isSolved() {
        return !this.side || !this.page.pool || (this.live !== null && (!this.live.can(this.side.shown()) || this.live.job?.ended === true));
    }

    // ---- the cell under the pointer ----

    async cellsAt(place) {
        const shown = this.side?.shown();
        if (!this.side || !this.live?.can({...shown, field: "outcome"})) return [];
        const {name} = this.side;
        return [await this.live.cellAt(place, shown).then((cell) => ({name, ...cell}), (error) => ({name, inputs: {}, outputs: {outcome: error.message}}))];
    }

    storedAt(place) {
        const cell = this.side?.map.blocks && place ? this.panel.storedCell(place, this.side.shown()) : null;
        return cell ? [{name: this.side.name, ...cell}] : [];
    }

    // The cell of the other side, for its history.
    besides(inputs) {
        if (!this.side || !this.live) return [];
        const {study} = this.side, shown = this.side.shown(), own = study.inputsAt(shown);
        for (const side of [shown.x, shown.y]) if (side in own && side in inputs) own[side] = inputs[side];
        return study.theory?.history ? [{name: this.side.name, inputs: own, trace: () => study.trace(own)}] : [];
    }
}
