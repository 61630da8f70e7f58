// The interactive map: canvas, controls, the cell under the pointer.
import {byId, check, copy, make, save, select, table} from "./dom.js";
import {listenTo} from "./gestures.js";
import {scaleNames} from "./looks.js";
import {CanvasPen, SvgPen} from "./pens.js";
import {drawPicture, layoutOf, roomBelow, toPlane} from "./picture.js";
import {makeScaleOf, sceneOf} from "./scene.js";
import {cellCommand, configText, traceCommand} from "./snippets.js";
import {fragmentOf, planeOf, zoomed} from "./view.js";
import {DEGREES, countText, spaced, valueText} from "./words.js";

const COPIED = "Copied", REFUSED = "Not allowed here", HINT = "Point at the map to read a cell.";

export class MapPanel {
    constructor(page, map, view) {
        Object.assign(this, {page, map, view, looks: page.looks, live: null, cell: null, place: null, kept: null, read: null});
        this.scaleOf = makeScaleOf(page.looks, map, () => page.isChanged());
        this.usual = view.get();
        this.canvas = byId("map");
        this.pen = new CanvasPen(this.canvas.getContext("2d"));
        listenTo(this.canvas, {
            place: (x, y) => this.placeAt(x, y), window: () => view.shown.window, setWindow: (window) => view.set({window}),
            hover: (x, y) => x === null ? this.leave() : this.hover(this.placeAt(x, y)), hoverPlace: (place) => this.hover(place),
            pick: (x, y) => this.pick(this.placeAt(x, y)), pickPlace: (place) => this.pick(place),
        });
        view.listen((changed) => this.changed(changed));
        this.forget();
        new ResizeObserver(() => this.redraw()).observe(byId("stage"));
        this.makeControls();
        this.redraw();
    }

    // The solver, when it is ready.
    setLive(live) {
        this.live = live;
        this.makeControls();
        this.redraw();
    }

    changed(changed) {
        if (changed.includes("at") && !changed.some((name) => name === "field")) this.showAt();
        if (changed.some((name) => ["theory", "inputs", "field", "x", "y", "scale", "live", "ranges"].includes(name))) this.makeControls();
        if (changed.some((name) => ["theory", "x", "y"].includes(name)) || (changed.includes("picks") && !this.view.shown.picks.length)) this.forget();
        else if (this.read && changed.some((name) => ["inputs", "at", "ranges"].includes(name))) this.readAt([...this.read]);
        history.replaceState(null, "", `#${fragmentOf(this.view.shown, this.usual)}`);
        if (this.pixels) this.live?.ask(this.view.shown, this.pixels); // rather than with the next frame of the screen
        this.redraw();
    }

    redraw() {
        if (this.waiting) return;
        this.waiting = requestAnimationFrame(() => {
            this.waiting = null;
            this.draw();
        });
    }

    draw() {
        const box = byId("stage").getBoundingClientRect();
        const w = Math.max(260, Math.floor(box.width));
        const h = w < 640 ? Math.floor(w * 1.15) : Math.max(300, Math.min(Math.floor(w * 0.72), Math.floor(innerHeight * 0.8), 640));
        const density = Math.min(2, devicePixelRatio || 1);
        this.layout = layoutOf(w, h, this.ticksRoom());
        const {plane} = this.layout;
        this.pixels = [Math.round(plane.w * density), Math.round(plane.h * density)];
        this.made = this.makeScene();
        const height = h + roomBelow(this.pen, this.layout, this.made.scene);
        this.canvas.width = Math.round(w * density);
        this.canvas.height = Math.round(height * density);
        this.canvas.style.height = `${height}px`;
        this.pen.context.setTransform(density, 0, 0, density, 0, 0);
        this.pen.rect(0, 0, w, height, {fill: "#ffffff"});
        drawPicture(this.pen, this.layout, this.made.scene);
        this.drawCursor();
        this.describe();
    }

    // The width of the longest name beside the picture; numbers are short.
    ticksRoom() {
        const {y, window} = this.view.shown, axis = this.map.axes.find((one) => one.name === y);
        return !axis || axis.isNumbers ? 0 : Math.max(0, ...axis.ticks(window[2], window[3], 9).map(({text}) => this.pen.widthOf(text, 12.5)));
    }

    makeScene() {
        const raster = this.live?.raster(this.view.shown, this.pixels) ?? null;
        const made = sceneOf({looks: this.looks, map: this.map, shown: this.view.shown, scaleOf: this.scaleOf, hasCurves: this.page.hasCurves?.(this.view.shown)}, ...this.pixels, raster);
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
        const {x, y} = this.made.scene, field = this.map.field(this.view.shown.field);
        const seen = this.made.scene.note ? `: ${this.made.scene.note}` : this.made.scene.legend ? `: ${this.made.scene.legend.entries.map((entry) => entry.text).join(", ")}`
            : this.made.scale ? `, from ${this.made.scale.text()}` : "";
        this.canvas.setAttribute("aria-label", `Map of ${field.label} over ${x.label}${y && y.name ? ` and ${y.label}` : ""}${seen}. ` +
            "Arrow keys move the pointer, with Shift the window; plus and minus zoom, 0 shows all, Enter picks a cell.");
    }

    // Whether everything that is shown has been solved and drawn.
    isSolved() {
        return !this.waiting && (!this.live?.can(this.view.shown) || this.live.job?.ended === true);
    }

    // ---- controls ----

    makeControls() {
        const shown = this.view.shown, map = this.map, set = (wanted) => this.view.set(wanted);
        const field = map.field(shown.field);
        const axes = map.axes.filter((axis) => axis.size > 1).map((axis) => [axis.name, spaced(axis.name)]);
        const {at, inputs, picks, ...choices} = shown, seen = this.made?.scale; // a slider that moves leaves all of them as they are
        const key = JSON.stringify([choices, axes, map.fields.map((one) => one.key), this.live !== null, seen?.low, seen?.high]);
        if (key === this.controlsKey) return;
        this.controlsKey = key;
        const focus = document.activeElement?.id;
        const choose = make("div", {className: "controls"},
            select("Field", map.fields.map((one) => [one.key, one.label]), shown.field, (value) => set({field: value, scale: {}})),
            axes.length > 1 ? select("Horizontal", axes, shown.x, (x) => this.setAxis({x})) : null,
            axes.length > 0 ? select("Vertical", [["", "values of the field"], ...axes], shown.y ?? "", (y) => this.setAxis({y: y || null})) : null,
            check("Boundaries", shown.boundaries, (value) => set({boundaries: value})),
            this.live && this.map.blocks ? check("Solve here", shown.live, (value) => set({live: value})) : null,
            field.isCategory ? check("Numbers", shown.numbers, (value) => set({numbers: value})) : null);
        byId("controls").replaceChildren(choose, this.sliders(), field.isCategory ? "" : this.scaleControls(field), this.buttons());
        if (focus && byId(focus)) byId(focus).focus();
    }

    setAxis(wanted) {
        this.view.set({...planeOf(this.map.axes, wanted, this.view.shown), window: [0, 1, 0, 1]});
        this.controlsKey = ""; // a wish that cannot be fulfilled leaves the view, but not the menu, as it was
        this.makeControls();
    }

    sliders() {
        const shown = this.view.shown;
        const further = this.map.axes.filter((axis) => axis.size > 1 && axis.name !== shown.x && axis.name !== shown.y);
        if (!this.map.blocks) return "";
        return make("div", {className: "controls"}, ...further.map((axis) => {
            const text = make("output", {}, axis.textAt(shown.at[axis.name]));
            const slider = make("input", {type: "range", min: 0, max: axis.size - 1, step: axis.stride, value: shown.at[axis.name], id: `at-${axis.name}`,
                oninput: () => this.view.set({at: {[axis.name]: Number(slider.value)}})});
            slider.setAttribute("aria-valuetext", axis.textAt(shown.at[axis.name]));
            return make("label", {className: "control wide"}, make("span", {}, spaced(axis.name)), slider, text);
        }));
    }

    // Sliders follow the view.
    showAt() {
        for (const axis of this.map.axes) {
            const slider = byId(`at-${axis.name}`), index = this.view.shown.at[axis.name];
            if (!slider) continue;
            slider.value = index;
            slider.nextSibling.textContent = axis.textAt(index);
            slider.setAttribute("aria-valuetext", axis.textAt(index));
        }
    }

    scaleControls(field) {
        const scale = this.scaleOf(field, this.view.shown.scale, this.made?.raster), asked = this.view.shown.scale;
        const change = (wanted) => this.view.set({scale: {...this.view.shown.scale, ...wanted}});
        const number = (label, name, value) => {
            const box = make("input", {type: "number", step: "any", value: Number((value * factor).toPrecision(6)), id: `scale-${name}`,
                onchange: () => change({[name]: box.value === "" ? undefined : Number(box.value) / factor})});
            return make("label", {className: "control"}, make("span", {}, label), box);
        };
        const unit = field.unit === "rad" ? " (deg)" : "", factor = field.unit === "rad" ? DEGREES : 1;
        const colours = this.view.shown.y === null ? [] : [check("Logarithmic", Boolean(asked.log), (log) => change({log, low: undefined, high: undefined})),
            select("Colours", scaleNames(this.looks).map((name) => [name, name]), scale.name, (wanted) => change({colours: wanted}))];
        return make("div", {className: "controls"}, number(`Scale from${unit}`, "low", scale.low), number(`to${unit}`, "high", scale.high), ...colours,
            make("button", {type: "button", onclick: () => this.view.set({scale: {}})}, "Usual scale"));
    }

    buttons() {
        const button = (text, title, action) => make("button", {type: "button", title, onclick: action}, text);
        const middle = () => {
            const [x0, x1, y0, y1] = this.view.shown.window;
            return [(x0 + x1) / 2, (y0 + y1) / 2];
        };
        const zoom = (factor) => this.view.set({window: zoomed(this.view.shown.window, factor, middle())});
        return make("div", {className: "controls"},
            button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2)),
            button("Whole map", "Show the whole map", () => this.view.set({window: [0, 1, 0, 1]})),
            button("PNG", "Save the picture as PNG", () => this.savePng()), button("SVG", "Save the picture as SVG", () => save("map.svg", new Blob([this.svg()], {type: "image/svg+xml"}))),
            button("Copy link", "Copy the address of this view", async (event) => this.told(event.target, await copy(location.href))));
    }

    told(button, done) {
        const text = button.textContent;
        if (text === COPIED || text === REFUSED) return;
        byId("said").textContent = button.textContent = done ? COPIED : REFUSED;
        setTimeout(() => { button.textContent = text; }, 1500);
    }

    savePng() {
        const {canvas, pen} = this.blank(2);
        drawPicture(pen, this.layout, this.made.scene);
        canvas.toBlob((blob) => save("map.png", blob), "image/png");
    }

    blank(density) {
        const canvas = document.createElement("canvas");
        const [w, h] = [this.canvas.width, this.canvas.height].map((n) => n / Math.min(2, devicePixelRatio || 1));
        Object.assign(canvas, {width: w * density, height: h * density});
        const pen = new CanvasPen(canvas.getContext("2d"));
        pen.context.setTransform(density, 0, 0, density, 0, 0);
        pen.rect(0, 0, w, h, {fill: "#ffffff"});
        return {canvas, pen};
    }

    svg() {
        const density = Math.min(2, devicePixelRatio || 1);
        const pen = new SvgPen(this.canvas.width / density, this.canvas.height / density, this.pen);
        drawPicture(pen, this.layout, this.made.scene);
        return pen.toString();
    }

    // ---- the pointer ----

    placeAt(x, y) {
        const {plane} = this.layout, [x0, x1, y0, y1] = this.view.shown.window;
        return [x0 + (x - plane.x) / plane.w * (x1 - x0), y0 + (plane.y + plane.h - y) / plane.h * (y1 - y0)];
    }

    isInside([x, y]) {
        const [x0, x1, y0, y1] = this.view.shown.window;
        return x >= x0 && x <= x1 && y >= y0 && y <= y1;
    }

    // The stored block under a place; -1: none.
    blockAt(place) {
        const shown = this.view.shown;
        const indices = this.map.axes.map((axis) => axis.name === shown.x ? axis.blockAt(place[0])
            : axis.name === shown.y ? axis.blockAt(place[1]) : Math.floor((shown.at[axis.name] || 0) / axis.stride));
        return indices.includes(-1) ? -1 : this.map.blockAt(indices);
    }

    // The cell that was read or kept belongs to another picture.
    forget() {
        Object.assign(this, {kept: null, read: null, cell: null});
        byId("cell").replaceChildren(make("p", {}, HINT));
        if (this.place) this.readAt([...this.place]);
    }

    hover(place) {
        if (!this.isInside(place)) {
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
            const cell = await this.live.cellAt(place, this.view.shown);
            if (this.read === place) this.showCell(cell);
        } catch (error) {
            if (this.read === place) this.showCell(null, error.message);
        }
        this.solving = false;
        if (this.read && this.read !== place) this.solveAt(this.read);
    }

    // Without the pointer the cell that was kept is read again, so that its commands can be reached and copied.
    leave() {
        const hadPlace = this.place;
        this.place = null;
        this.redraw();
        if (hadPlace && this.kept) this.readAt([...this.kept]);
    }

    // The stored cell at a place; null: none.
    storedCell(place) {
        const block = this.map.blocks ? this.blockAt(place) : -1;
        if (block < 0) return null;
        const cell = this.map.cellOf(block), outputs = Object.create(null);
        for (const field of this.map.fields.filter((one) => one.array)) {
            outputs[field.key] = field.isCategory ? field.names[field.at(block)] ?? `code ${field.at(block)}` : field.at(block);
        }
        return {inputs: this.map.inputsOf(cell), outputs, from: `stored cell ${countText(cell + 1)} of ${countText(this.map.size)}`};
    }

    pick(place) {
        if (!this.isInside(place)) return;
        this.kept = place;
        const exact = this.live?.can(this.view.shown), shown = this.view.shown;
        const inputs = exact ? this.live.inputsAt(place, shown) : this.storedCell(place)?.inputs;
        if (inputs && this.page.pool) this.view.set({picks: [...shown.picks.slice(-1), inputs]});
    }

    drawCursor() {
        const place = this.place ?? this.kept;
        if (!place || !this.isInside(place)) return;
        const [x, y] = toPlane(this.layout.plane, this.view.shown.window, place);
        for (const [stroke, width] of [["#ffffff", 3], ["#000000", 1]]) {
            this.pen.line([[x - 9, y], [x + 9, y]], {stroke, width});
            this.pen.line([[x, y - 9], [x, y + 9]], {stroke, width});
        }
    }

    showCell(cell, message = "No cell here.") {
        const box = byId("cell");
        this.cell = cell;
        if (!cell) {
            if (!this.live) box.replaceChildren(make("p", {}, message));
            return;
        }
        this.page.pointed(cell.inputs);
        const {inputs, outputs, from} = cell, command = this.page.command(inputs);
        const unitOf = (name) => this.page.unitOf(name);
        const shownValue = (name, value) => typeof value === "string" ? spaced(value) : valueText(value, unitOf(name), 8);
        const first = ["outcome", "mode", "sequence"].filter((name) => name in outputs);
        const rest = Object.keys(outputs).filter((name) => !first.includes(name));
        const drawn = Boolean(this.page.about?.info?.uncertain); // a command would lack the uncertain parameters
        const snippets = drawn ? [] : [["cell", "This cell", cellCommand(command.theory, command.inputs)], ["trace", "Its history", traceCommand(command.theory, command.inputs)],
            ["config", "Config of the window", this.config(inputs)]];
        box.replaceChildren(
            make("p", {className: "from"}, from),
            make("div", {className: "controls"}, ...snippets.map(([name, , text]) => this.copyButton(`Copy ${name}`, text))),
            ...this.histograms(outputs), ...this.spreads(outputs),
            table([...first, ...rest].map((name) => [this.map.field(name)?.label ?? spaced(name), shownValue(name.replace(/:.*/, ""), outputs[name])]), "Outputs"),
            table(Object.entries(inputs).map(([name, value]) => [spaced(name), shownValue(name, value)]), "Parameters"),
            ...snippets.map(([, title, text]) => make("div", {className: "snippet"}, make("p", {}, title), make("pre", {tabIndex: 0}, text))));
        byId("said").textContent = [...first, this.view.shown.field].map((name) => `${spaced(name)} ${shownValue(name, outputs[name])}`).join(", ");
    }

    // Bars of the draws of a cell with uncertain parameters: the share of each value of a category.
    histograms(outputs) {
        const shares = this.map.fields.filter((field) => field.member && field.name.endsWith("_share") && outputs[field.key] > 0);
        return [...new Set(shares.map((field) => field.name))].map((name) => make("div", {className: "bars"},
            make("p", {}, `${spaced(name.replace(/_share$/, ""))} of the draws`),
            ...shares.filter((field) => field.name === name).map((field) => {
                const percent = 100 * outputs[field.key], text = `${spaced(field.member)} ${percent.toPrecision(3)} %`;
                const bar = make("span", {className: "bar"});
                bar.style.width = `${percent}%`;
                return make("div", {className: "share"}, bar, make("span", {}, text));
            })));
    }

    // Of a real output: how often it falls into each part between its least and its greatest value.
    spreads(outputs) {
        const bins = this.map.fields.filter((field) => field.name.endsWith("_histogram"));
        return [...new Set(bins.map((field) => field.name))].map((name) => {
            const of = name.replace(/_histogram$/, ""), parts = bins.filter((field) => field.name === name).map((field) => outputs[field.key]);
            const most = Math.max(...parts), ends = ["least", "greatest"].map((end) => valueText(outputs[`${of}_${end}`], this.page.unitOf(`${of}_${end}`), 4));
            return !(most > 0) ? "" : make("div", {className: "bars"}, make("p", {}, `${spaced(of)} of the draws, ${ends.join(" to ")}`),
                make("div", {className: "spread", role: "img", ariaLabel: `histogram of ${spaced(of)}: ${parts.map((part) => `${(100 * part).toPrecision(2)} %`).join(", ")}`},
                    ...parts.map((part) => {
                        const bar = make("span", {});
                        bar.style.height = `${100 * part / most}%`;
                        return bar;
                    })));
        });
    }

    config(inputs) {
        const shown = this.view.shown, [x0, x1, y0, y1] = shown.window;
        const range = (name, from, to) => {
            const axis = this.map.axes.find((one) => one.name === name);
            if (!axis || !axis.isNumbers) return null;
            const short = (value) => value === axis.first || value === axis.last ? value : Number(value.toPrecision(12));
            return {name, from: short(axis.inside(from)), to: short(axis.inside(to)), log: axis.log};
        };
        const ranges = [range(shown.x, x0, x1), range(shown.y, y0, y1)].filter(Boolean);
        const command = this.page.command(inputs);
        return configText(command.theory, command.inputs, ranges, (name) => this.page.isChoice(name), command.variables);
    }

    copyButton(title, text) {
        return make("button", {type: "button", onclick: async (event) => this.told(event.target, await copy(text))}, title);
    }
}
