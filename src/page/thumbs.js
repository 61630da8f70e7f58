// Small pictures of views, solved one after another while the menu is open.
import {inks} from "./inks.js";
import {Scale, categoryColours} from "./looks.js";
import {SOLVED, paintRaster, FAILURE} from "./raster.js";
import {Aside} from "./study.js";

const WIDTH = 72, HEIGHT = 45, SLOW = ["continuum", "compliant3d", "beam"];
const CURVES = ["energy_loss", "kinematic_restitution", "velocity_ratio_out", "total_time", "impacts", "duration"];

export class Thumbs {
    constructor(page) {
        Object.assign(this, {page, waiting: [], isBusy: false});
    }

    // Has a canvas filled with the picture of a view.
    ask(canvas, view) {
        if (canvas.dataset.state) return;
        canvas.dataset.state = "asked";
        this.waiting.push({canvas, view});
        this.work();
    }

    // What is no longer in sight need not be solved.
    stop() {
        for (const {canvas} of this.waiting) canvas.dataset.state = "";
        this.waiting = [];
    }

    async work() {
        if (this.isBusy) return;
        this.isBusy = true;
        while (this.waiting.length) {
            const {canvas, view} = this.waiting.shift();
            await this.solve(canvas, view).catch(() => {}); // without a picture the words remain
            canvas.dataset.state = "done";
        }
        this.isBusy = false;
    }

    async solve(canvas, view) {
        const {page} = this, theory = page.theories.find((one) => one.name === view.theory);
        const shown = {ranges: {}, ...view, field: view.field ?? "mode"}, study = new Aside(theory, {shown}), field = study.map.field(shown.field);
        const part = SLOW.includes(view.theory) ? 3 : 1, [w, h] = [WIDTH / part, HEIGHT / part];
        const [x, y] = [shown.x, shown.y].map((name) => study.map.axes.find((axis) => axis.name === name)), inputs = study.inputsAt(shown);
        if (!y) {
            await this.curve(canvas, study, x, inputs);
            return;
        }
        for (const name of [shown.x, shown.y]) delete inputs[name];
        const along = (axis, n, isDown) => Float64Array.from({length: n}, (_, i) => axis.inside((isDown ? n - i - 0.5 : i + 0.5) / n));
        const solved = await page.pool.call("map", theory.name, study.given(inputs), [{param: y.name, values: along(y, h, true)}, {param: x.name, values: along(x, w)}], [field.name].filter((name) => name !== "outcome"));
        const own = solved.outputs[field.name], values = Float32Array.from(solved.outcome, (_, i) => own[i * field.length + field.component]);
        const raster = {w, h, values, labels: Int16Array.from(solved.outcome, (one) => one === SOLVED ? 0 : FAILURE + one)};
        const other = field.isCategory && values.every((one) => one === values[0]) && CURVES.find((name) => study.map.fields.some(({key}) => key === name));
        if (other) await this.solve(canvas, {...view, field: other}); // one mode alone says nothing
        else paint(canvas, page.looks, raster, field);
    }

    // Over one axis: a curve of the first output that varies.
    async curve(canvas, study, x, inputs) {
        const {page} = this, {theory} = study, values = Float64Array.from({length: WIDTH}, (_, i) => x.inside((i + 0.5) / WIDTH));
        delete inputs[x.name];
        const outputs = CURVES.filter((name) => theory.outputs.some((one) => one.name === name));
        const [param, value] = Object.entries(study.given(inputs)).find(([, one]) => typeof one === "number");
        const given = study.given(inputs);
        delete given[param];
        const solved = await page.pool.call("map", theory.name, given, [{param, values: Float64Array.of(value)}, {param: x.name, values}], outputs);
        for (const name of outputs) {
            const own = Array.from(solved.outputs[name], (one, i) => solved.outcome[i] === SOLVED ? one : NaN), known = own.filter(Number.isFinite);
            const low = Math.min(...known), high = Math.max(...known);
            if (high - low > 1e-6 * Math.abs(high)) {
                drawCurve(canvas, own.map((one) => (one - low) / (high - low)));
                return;
            }
        }
    }
}

function drawCurve(canvas, places) {
    const pen = Object.assign(canvas, {width: WIDTH, height: HEIGHT}).getContext("2d");
    Object.assign(pen, {fillStyle: inks.paper, strokeStyle: inks.lines[0], lineWidth: 2}).fillRect(0, 0, WIDTH, HEIGHT);
    pen.beginPath();
    places.forEach((place, i) => Number.isFinite(place) && pen[Number.isFinite(places[i - 1]) ? "lineTo" : "moveTo"](i, HEIGHT - 4 - place * (HEIGHT - 8)));
    pen.stroke();
}

function paint(canvas, looks, raster, field) {
    const context = Object.assign(canvas, {width: raster.w, height: raster.h}).getContext("2d"), pixels = context.createImageData(raster.w, raster.h);
    const codes = field.kind === "sequence" ? null : categoryColours(looks, field.names);
    const palette = field.isCategory ? {colours: codes ?? []} : {scale: new Scale(looks, field.name, raster.values.filter((_, i) => raster.labels[i] < FAILURE))};
    paintRaster(looks, raster, field, palette, pixels.data);
    context.putImageData(pixels, 0, 0);
}
