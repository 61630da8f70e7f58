// The solver behind a picture: the window at full resolution, exact cells, and the check of stored cells.
import {FAILURE, SOLVED, enlarged} from "./raster.js";
import {cellsOf, coarsestOf} from "./workers.js";

const MILLISECONDS_OF_PREVIEW = 6, MILLISECONDS_OF_TWO = 4;

export const OUTCOMES = ["pending", "solved", "outside", "no_convergence", "not_finite", "budget", "library_error",
    "guest_failed", "not_repeated"];

export class Live {
    // page: {theory, map, inputsAt(shown)}; changed: called when there is more to draw; failed: with a message; solver: for
    // previews, in the thread of the page. twin: the solver behind a picture beside this one.
    constructor(pool, page, {changed, failed, solver = null}) {
        Object.assign(this, {pool, page, changed, failed, solver, twin: null, job: null, key: "", asked: null, ready: null, news: null, square: 0});
        this.sequences = new Map(); // numbers of sequences, in the order in which they appear
        this.texts = [];
    }

    axis(name) {
        return this.page.map.axes.find((axis) => axis.name === name);
    }

    // Whether the solver can compute what is shown.
    can(shown) {
        const isInput = (name) => {
            const axis = this.axis(name);
            return axis && axis.isNumbers && this.page.theory.parameters.some((one) => one.name === name);
        };
        const field = this.page.map.field(shown.field);
        const isOutput = field.name === "outcome" || this.page.theory.outputs.some((one) => one.name === field.name);
        return shown.live && isOutput && isInput(shown.x) && (shown.y === null || isInput(shown.y));
    }

    // Has a window of w x h pixels solved, unless it was the last one asked for.
    ask(shown, [w, h]) {
        if (!this.can(shown)) return;
        const {field, x, y, window, inputs, at, ranges} = shown, key = JSON.stringify([this.page.theory.name, field, x, y, window, inputs, at, ranges, w, h]);
        if (key !== this.key) {
            const rows = y === null ? 1 : h, request = this.request(shown, w, rows), of = this.nameOf(shown);
            this.key = key;
            this.asked = {of, window, inputs: JSON.stringify([of, request.fixed, ranges])};
            this.square = this.squareFor(request, w, rows);
            this.start(request, this.page.map.field(field), this.asked);
        }
    }

    // The raster of a window, or of what is known of it so far; null: nothing yet. A picture of other inputs gives way to a
    // preview of these.
    raster(shown, pixels) {
        if (!this.can(shown)) return null;
        this.ask(shown, pixels);
        if (this.news?.asked.inputs === this.asked.inputs) {
            const {job, field, asked} = this.news, known = this.ready?.inputs === asked.inputs ? this.ready : null;
            this.ready = {...this.rasterOf(job, field), ...asked, preview: known?.square ? known : known?.preview};
        }
        this.news = null;
        if (this.ready?.inputs !== this.asked.inputs && (this.ready || !this.page.map.blocks || this.page.isChanged?.())) this.preview(shown, pixels);
        return this.ready?.of === this.asked.of ? this.ready : null;
    }

    // ---- previews ----

    // Pixels along the squares of a preview: as small as its time allows, but of the size that they had while that nearly
    // fits, so that they rest while a slider moves; 0: no preview, because even the coarsest takes too long, or nothing is
    // known of its cells.
    squareFor(request, w, h) {
        const cost = this.solver && this.pool.speedOf(request);
        if (!cost) return 0;
        const most = this.twin ? MILLISECONDS_OF_TWO : MILLISECONDS_OF_PREVIEW, coarsest = coarsestOf(w, h), takes = (square) => cost * cellsOf(w, h, square);
        let square = Math.min(this.square || 1, coarsest);
        while (takes(square) > most && square < coarsest) square *= 2;
        while (square > 1 && takes(square / 2) < most / 2) square /= 2;
        return takes(square) < 2 * most ? square : 0;
    }

    // A picture of so few cells that the page solves them itself, within the frame that shows it, until the workers have
    // theirs. Each cell stands for a square; that of a twin has the same squares, so that the two can be compared. The
    // legend keeps what the whole picture before it had.
    preview(shown, [w, h]) {
        const square = Math.max(this.square, this.twin?.square ?? 0);
        if (!this.square || this.twin?.square === 0) return;
        const [columns, rows] = [w, shown.y === null ? 1 : h].map((pixels) => Math.ceil(pixels / square)), request = this.request(shown, columns, rows);
        const before = this.ready?.of !== this.asked.of ? null : this.ready.square ? this.ready.before : this.ready, {theory, fixed, axes, outputs} = request;
        try {
            const solved = this.solver.map(theory, fixed, axes, outputs), field = this.page.map.field(shown.field);
            const raster = this.rasterOf({request, width: columns, height: rows, ...solved}, field);
            if (before) before.preview = null; // of three pictures the oldest is forgotten
            this.ready = {...shown.y === null || square === 1 ? raster : enlarged(raster, w, h), ...this.asked, square, before};
        } catch {
            this.square = 0; // the workers say what is wrong
        }
    }

    // What a raster must have in common with a view to be shown in it until its own is solved.
    nameOf({field, x, y}) {
        return `${this.page.theory.name} ${field} ${x} ${y}`;
    }

    request(shown, w, h) {
        const [x0, x1, y0, y1] = shown.window, x = this.axis(shown.x), y = shown.y && this.axis(shown.y);
        const along = Float64Array.from({length: w}, (_, i) => x.inside(x0 + (i + 0.5) / w * (x1 - x0)));
        const inputs = this.page.inputsAt(shown);
        delete inputs[shown.x];
        let rows = {param: shown.y, values: y && Float64Array.from({length: h}, (_, j) => y.inside(y1 - (j + 0.5) / h * (y1 - y0)))};
        if (!y) rows = this.oneRow(inputs, shown.x);
        delete inputs[rows.param];
        const field = this.page.map.field(shown.field);
        const outputs = [...new Set(["mode", field.name])].filter((name) => this.page.theory.outputs.some((one) => one.name === name));
        return {theory: this.page.theory.name, fixed: this.page.given(inputs), axes: [rows, {param: shown.x, values: along}], outputs};
    }

    // A graph is a window of one row, over any other parameter.
    oneRow(inputs, x) {
        const [param, value] = Object.entries(inputs).find(([name, one]) => typeof one === "number" && name !== x
            && Object.hasOwn(this.page.given(inputs), name)) ?? Object.entries(inputs).find(([name, one]) => typeof one === "number" && name !== x);
        return {param, values: Float64Array.of(value)};
    }

    start(request, field, asked) {
        const started = performance.now();
        const show = (job) => {
            if (job !== this.job) return;
            this.news = {job, field, asked}; // for the next frame, which may show many tiles
            this.changed();
        };
        // A slow window is shown when something is known everywhere, and as finely as in the preview.
        const isFiner = ({coarsest}, {size}) => this.ready?.of !== asked.of || (size < coarsest && 2 * size <= (this.ready.square ?? Infinity));
        let job = null;
        try {
            job = this.pool.map(request, (now, tile) => !now.quick && isFiner(now, tile) && show(now));
        } catch (error) {
            this.failed(error.message);
            return;
        }
        this.job = job;
        job.done.then((whole) => {
            if (!whole) return;
            this.milliseconds = performance.now() - started;
            show(job);
            this.failed("");
        }, (error) => {
            if (job === this.job) {
                this.ready = this.news = null;
                this.failed(error.message);
                this.changed();
            }
        });
    }

    rasterOf(job, field) {
        const {width: w, height: h, outcome, outputs} = job, n = w * h;
        const labels = new Int16Array(n), mode = outputs.mode;
        for (let i = 0; i < n; i++) labels[i] = outcome[i] !== SOLVED ? FAILURE + outcome[i] : mode ? mode[i] : 0;
        const values = this.valuesOf(job, field, outputs[field.name] ?? outcome);
        return {w, h, values, labels, blocks: null};
    }

    valuesOf(job, field, own) {
        const {length = 1, component = 0} = field;
        if (field.kind === "sequence") return this.numbersOf(own, job, field);
        return length === 1 ? new Float32Array(own) : Float32Array.from(job.outcome, (_, i) => own[i * length + component]);
    }

    // Sequences as numbers of names; a sequence that is new gets its name from the program.
    numbersOf(codes, job, field) {
        return Float32Array.from(codes, (code, i) => {
            if (!this.sequences.has(code)) {
                this.sequences.set(code, field.names.length);
                field.names.push("…");
                this.name(code, i, job, field);
            }
            return this.sequences.get(code);
        });
    }

    async name(code, i, job, field) {
        const {theory, fixed, axes: [rows, along]} = job.request, number = this.sequences.get(code);
        const inputs = {...fixed, [rows.param]: rows.values[Math.floor(i / job.width)], [along.param]: along.values[i % job.width]};
        const cell = await this.pool.call("cell", theory, inputs);
        const known = field.names.indexOf(cell.sequence ?? "none");
        if (known >= 0 && known < number) this.sequences.set(code, known);
        field.names[number] = cell.sequence ?? "none";
        this.key = ""; // draw again, with the names
        this.changed();
    }

    // The cell at a place, solved; the inputs are those of the place itself.
    cellAt(place, shown) {
        return this.cell(this.inputsAt(place, shown));
    }

    // Numbers of nine digits: what is read can be typed.
    inputsAt(place, shown) {
        const inputs = this.page.inputsAt(shown), short = (value) => Number(value.toPrecision(9));
        inputs[shown.x] = short(this.axis(shown.x).inside(place[0]));
        if (shown.y) inputs[shown.y] = short(this.axis(shown.y).inside(place[1]));
        return inputs;
    }

    async cell(inputs) {
        const outputs = {}, solved = await this.pool.call("cell", this.page.theory.name, this.page.given(inputs));
        for (const [name, value] of Object.entries(solved)) {
            if (Array.isArray(value)) value.forEach((one, k) => { outputs[`${name}:${k + 1}`] = one ?? NaN; });
            else outputs[name] = value ?? NaN;
        }
        return {inputs, outputs, from: "solved in this page"};
    }
}

// Whether a value that was solved here has the bits of a stored one.
function isSame(solved, stored, field) {
    if (field.isCategory) return (solved ?? "none") === (stored || "none");
    const value = solved ?? NaN;
    return Object.is(field.single ? Math.fround(value) : value, stored) || (value === 0 && stored === 0 && Object.is(value, stored));
}

// Solves the sample of a stored map again: {same, all, first: the first cell that differs}.
export async function checkSample({pool, theory, map, given}) {
    const {cells, values, texts} = map.sample;
    const fields = map.fields.filter((field) => Object.hasOwn(values, field.name) || Object.hasOwn(texts, field.name));
    const results = await Promise.all(Array.from(cells, async (cell, k) => {
        const solved = await pool.call("cell", theory.name, given(map.inputsOf(cell))).catch((error) => ({error: error.message}));
        if (solved.error) return false;
        return fields.every((field) => isSame(solved[field.name], Object.hasOwn(texts, field.name) ? texts[field.name][k]
            : field.isCategory ? field.names[values[field.name][k]] : values[field.name][k], field));
    }));
    return {same: results.filter(Boolean).length, all: results.length, first: cells[results.indexOf(false)]};
}
