// The map as it is shown: one picture or two, one pointer, and what is said of the cell under it.
import {CellView} from "./cellview.js";
import {Compare} from "./compare.js";
import {Controls} from "./controls.js";
import {wordsOf} from "./describe.js";
import {byId} from "./dom.js";
import {explain, meaningOf} from "./explain.js";
import {listenTo} from "./gestures.js";
import {AFTER_SLIDER} from "./histories.js";
import {Plot, isWithin, sideBySide, svgSideBySide} from "./plot.js";
import {makeScaleOf, sceneOf} from "./scene.js";
import {fragmentOf} from "./view.js";
import {countText} from "./words.js";

const WORDS_AFTER = 500; // milliseconds until a picture that rests is put into words

export class MapPanel {
    constructor(page, map, view) {
        Object.assign(this, {page, map, view, looks: page.looks, live: null, cell: null, place: null, kept: null, read: null});
        this.scaleOf = makeScaleOf(page.looks, map, () => page.isChanged());
        this.canvas = byId("map");
        this.plot = new Plot(this.canvas, (pixels) => this.makeScene(pixels), () => this.ticksRoom(), () => this.redraw());
        this.compare = new Compare(this);
        this.listen(this.plot);
        view.listen((changed, by) => this.changed(changed, by));
        this.cellView = new CellView(this);
        this.controls = new Controls(this);
        this.forget();
        new ResizeObserver(() => this.redraw()).observe(byId("stages"));
        this.controls.make();
        this.redraw();
    }

    // One pointer for all pictures.
    listen(plot) {
        const {view} = this, at = (x, y) => plot.placeAt(x, y, view.shown.window);
        listenTo(plot.canvas, {
            place: at, window: () => view.shown.window, setWindow: (window) => view.set({window}),
            hover: (x, y) => {
                plot.canvas.style.cursor = x !== null && this.entryAt(plot, x, y) ? "help" : "";
                if (x === null) this.leave();
                else this.hover(at(x, y));
            }, hoverPlace: (place) => this.hover(place),
            pick: (x, y) => this.explainAt(plot, x, y) || this.pick(at(x, y)), pickPlace: (place) => this.pick(place),
        });
    }

    get layout() {
        return this.plot.layout;
    }

    // The cell that was picked last is read again where the view has it from elsewhere.
    readPick() {
        const {x, y, picks} = this.view.shown, pick = picks.at(-1), axisOf = (name) => this.map.axes.find((axis) => axis.name === name);
        if (this.place || this.kept || !pick || !y || [x, y].some((name) => typeof pick[name] !== "number" || !axisOf(name)?.isNumbers)) return;
        this.kept = [axisOf(x).placeOf(pick[x]), axisOf(y).placeOf(pick[y])];
        this.readAt([...this.kept]);
    }

    // The solver, when it is ready.
    setLive(live) {
        this.live = live;
        this.compare.ready();
        if (this.kept) this.readAt([...this.kept]);
        else this.readPick();
        this.controls.make();
        this.redraw();
    }

    changed(changed, by) {
        const has = (...names) => changed.some((name) => names.includes(name));
        if (has("at") && !has("field")) this.controls.showAt();
        if (has("theory", "inputs", "field", "x", "y", "scale", "live", "ranges", "boundaries", "numbers")) this.controls.make();
        if (has("theory", "x", "y") || (has("picks") && !this.view.shown.picks.length)) this.forget();
        else if (has("picks")) this.readPick();
        if (this.read && has("inputs", "at", "ranges", "beside")) this.readAgain(by);
        if (this.plot.pixels) this.live?.ask(this.view.shown, this.plot.pixels); // rather than with the next frame of the screen
        this.redraw();
        if (by !== "slider") this.keepAddress();
        else this.addressing ??= setTimeout(() => this.keepAddress(), AFTER_SLIDER);
    }

    // Browsers take a while for it, and refuse it when it is often.
    keepAddress() {
        clearTimeout(this.addressing);
        this.addressing = null;
        history.replaceState(null, "", `#${fragmentOf(this.view.shown, this.page.usualOf(this.view.shown))}`);
    }

    // The cell that is shown, with other inputs; while a slider moves the map comes first.
    readAgain(by) {
        if (by !== "slider") this.readAt([...this.read]);
        else this.reading ??= setTimeout(() => {
            this.reading = null;
            if (this.read) this.readAt([...this.read]);
        }, AFTER_SLIDER);
    }

    redraw() {
        if (this.waiting) return;
        this.waiting = requestAnimationFrame(() => {
            this.waiting = null;
            this.draw();
        });
    }

    draw() {
        const cursor = this.place ?? (this.view.shown.picks.length ? null : this.kept);
        this.compare.fit();
        this.plot.draw(this.view.shown.window, cursor);
        this.compare.draw(cursor);
        if (!this.plot.made.raster.square) this.controls.showScale();
        this.describe();
    }

    // The width of the longest name beside the picture; numbers are short.
    ticksRoom() {
        const {y, window} = this.view.shown, axis = this.map.axes.find((one) => one.name === y);
        return !axis || axis.isNumbers ? 0 : Math.max(0, ...axis.ticks(window[2], window[3], 9).map(({text}) => this.plot.pen.widthOf(text, 12.5)));
    }

    makeScene(pixels) {
        const shown = this.compare.scaled(this.view.shown), raster = this.live?.raster(this.view.shown, pixels) ?? null;
        const made = sceneOf({looks: this.looks, map: this.map, shown, field: this.compare.fieldOf(this.map, shown.field), scaleOf: this.scaleOf, hasCurves: this.page.hasCurves?.(this.view.shown)}, ...pixels, raster);
        if (!raster && !this.map.blocks) Object.assign(made.scene, {note: this.page.hasFailed ? "" : "computing …", bar: null, legend: null});
        this.markPicks(made.scene);
        this.page.decorate?.(made.scene, this.view.shown);
        return made;
    }

    markPicks(scene) {
        const {x, y, picks} = this.view.shown, axisOf = (name) => this.map.axes.find((axis) => axis.name === name);
        picks.forEach((inputs, i) => {
            const [ax, ay] = [axisOf(x), axisOf(y)];
            if (!ay || typeof inputs[x] !== "number" || typeof inputs[y] !== "number") return;
            scene.marks.push({place: [ax.placeOf(inputs[x]), ay.placeOf(inputs[y])], text: "AB"[i]});
        });
    }

    describe() {
        const {scene, scale, raster} = this.plot.made, {x, y} = scene, field = this.map.field(this.view.shown.field);
        const seen = raster.square ? "" : scene.note ? `: ${scene.note}` : scene.legend ? `: ${scene.legend.entries.map((entry) => entry.text).join(", ")}` : scale ? `, from ${scale.text()}` : "";
        this.canvas.setAttribute("aria-label", `Map of ${field.label} over ${x.label}${y && y.name ? ` and ${y.label}` : ""}${seen}. ` +
            "Arrow keys move the pointer, with Shift the window; plus and minus zoom, 0 shows all, Enter picks a cell.");
        if (raster === this.told && this.toldField === field) return;
        clearTimeout(this.telling);
        if (raster.square) return; // the whole picture is put into words, not its preview
        this.telling = setTimeout(() => {
            Object.assign(this, {told: raster, toldField: field});
            const axisOf = (name) => this.map.axes.find((axis) => axis.name === name) ?? null, shown = this.view.shown;
            byId("map-words").textContent = scene.note || !axisOf(shown.x) ? "" : wordsOf({field, x: axisOf(shown.x), y: axisOf(shown.y), window: raster.window ?? shown.window, raster});
        }, WORDS_AFTER);
    }

    // What is seen, with its names: both sides of a comparison, or what differs.
    seen() {
        const {isOn, plot, side} = this.compare;
        if (!isOn) return [[this.plot, ""]];
        return this.view.shown.difference ? [[plot, byId("side2").textContent]] : [[this.plot, this.sideName()], [plot, side.name]];
    }

    svg() {
        const seen = this.seen();
        return seen[0][1] ? svgSideBySide(seen.map(([plot, name]) => [plot.svg(), name])) : this.plot.svg();
    }

    picture() {
        const seen = this.seen();
        return seen[0][1] ? sideBySide(seen.map(([plot, name]) => [plot.picture(), name])) : this.plot.picture();
    }

    // Whether everything that is shown has been solved and drawn.
    isSolved() {
        return !this.waiting && (!this.live?.can(this.view.shown) || this.live.job?.ended === true) && this.compare.isSolved();
    }

    // When everything that is shown is the whole map.
    async whole() {
        while (!this.isSolved()) await new Promise((next) => setTimeout(next, 20));
    }

    sideName() {
        return this.compare.firstName();
    }

    // ---- the pointer ----

    // The stored block under a place; -1: none.
    blockAt(place, shown) {
        const indices = this.map.axes.map((axis) => axis.name === shown.x ? axis.blockAt(place[0])
            : axis.name === shown.y ? axis.blockAt(place[1]) : Math.floor((shown.at[axis.name] || 0) / axis.stride));
        return indices.includes(-1) ? -1 : this.map.blockAt(indices);
    }

    // The cell that was read or kept belongs to another picture.
    forget() {
        Object.assign(this, {kept: null, read: null, cell: null});
        this.cellView.forget();
        this.page.pointed(null);
        if (this.place) this.readAt([...this.place]);
        else this.readPick();
    }

    hover(place) {
        if (!isWithin(this.view.shown.window, place)) {
            this.leave();
            return;
        }
        this.place = place;
        this.redraw();
        this.readAt(place);
    }

    readAt(place) {
        this.read = place;
        this.showCell(this.page.isChanged() ? null : this.storedCell(place));
        this.solveAt(place);
    }

    // Solves the cell at the pointer, one at a time; the pointer may have moved on meanwhile.
    async solveAt(place) {
        if (!this.live?.can(this.view.shown) || this.solving) return;
        this.solving = true;
        try {
            const [cell, others] = await Promise.all([this.live.cellAt(place, this.view.shown), this.compare.cellsAt(place)]);
            if (this.read === place) this.showCell(cell, others);
        } catch (error) {
            if (this.read === place) this.showCell(null, [], error.message);
        }
        this.solving = false;
        if (this.read && this.read !== place) this.solveAt(this.read);
    }

    // Without the pointer the cell that was kept is read again, so that its commands can be reached and copied.
    leave() {
        const hadPlace = this.place;
        this.place = null;
        this.redraw();
        this.page.pointed(null);
        if (hadPlace && this.kept) this.readAt([...this.kept]);
    }

    // The stored cell at a place; null: none.
    storedCell(place, shown = this.view.shown) {
        const block = this.map.blocks ? this.blockAt(place, shown) : -1;
        if (block < 0) return null;
        const cell = this.map.cellOf(block), outputs = Object.create(null);
        for (const field of this.map.fields.filter((one) => one.array)) {
            outputs[field.key] = field.isCategory ? field.names[field.at(block)] ?? `code ${field.at(block)}` : field.at(block);
        }
        return {inputs: this.map.inputsOf(cell), outputs, from: `stored cell ${countText(cell + 1)} of ${countText(this.map.size)}`};
    }

    pick(place) {
        if (!isWithin(this.view.shown.window, place)) return;
        this.kept = place;
        const exact = this.live?.can(this.view.shown), shown = this.view.shown;
        const inputs = exact ? this.live.inputsAt(place, shown) : this.storedCell(place)?.inputs;
        if (inputs && this.page.pool) this.view.set({picks: [...shown.picks.slice(-1), inputs]});
    }

    // Another cell in place of the one that was picked last.
    pickInstead(inputs) {
        this.kept = null;
        this.view.set({picks: [...this.view.shown.picks.slice(0, -1), inputs]});
    }

    // A tap on a name in the legend explains it. Entries have the names of modes with spaces.
    explainAt(plot, x, y) {
        const entry = this.entryAt(plot, x, y), word = entry?.text.replace(/ /g, "_");
        if (!entry) return false;
        const box = plot.canvas.getBoundingClientRect();
        explain(word, plot.canvas, new DOMRect(box.left + entry.x, box.top + entry.y, entry.w, entry.h));
        return true;
    }

    // The entry of the legend at a point of the canvas, if something is known of it.
    entryAt(plot, x, y) {
        const entry = plot.layout.entries?.find((one) => plot.made.scene.legend && x >= one.x && x < one.x + one.w && y >= one.y && y < one.y + one.h);
        return entry && meaningOf(entry.text.replace(/ /g, "_")) ? entry : null;
    }

    showCell(cell, others = [], message = "No cell here.") {
        this.cell = cell;
        if (!cell) {
            if (!this.live || message !== "No cell here.") this.cellView.refuse(message);
            return;
        }
        if (this.place) this.page.pointed(cell.inputs);
        const region = this.page.regionAt?.(this.read, this.view.shown);
        this.cellView.show(region ? {...cell, outputs: {...cell.outputs, region}} : cell, others.length ? others : this.compare.storedAt(this.read));
    }
}
