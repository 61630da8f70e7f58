// Small pictures of views, solved one after another while the menu is open.
import {Scale, categoryColours} from "./looks.js";
import {SOLVED, paintRaster, FAILURE} from "./raster.js";
import {Aside} from "./study.js";

const WIDTH = 72, HEIGHT = 45, SLOW = ["continuum", "compliant3d", "beam"];

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
        if (!y) return;
        for (const name of [shown.x, shown.y]) delete inputs[name];
        const along = (axis, n, isDown) => Float64Array.from({length: n}, (_, i) => axis.inside((isDown ? n - i - 0.5 : i + 0.5) / n));
        const solved = await page.pool.call("map", theory.name, study.given(inputs), [{param: y.name, values: along(y, h, true)}, {param: x.name, values: along(x, w)}], [field.name].filter((name) => name !== "outcome"));
        const own = solved.outputs[field.name], values = Float32Array.from(solved.outcome, (_, i) => own[i * field.length + field.component]);
        const raster = {w, h, values, labels: Int16Array.from(solved.outcome, (one) => one === SOLVED ? 0 : FAILURE + one)};
        paint(canvas, page.looks, raster, field);
    }
}

function paint(canvas, looks, raster, field) {
    const context = Object.assign(canvas, {width: raster.w, height: raster.h}).getContext("2d"), pixels = context.createImageData(raster.w, raster.h);
    const codes = field.kind === "sequence" ? null : categoryColours(looks, field.names);
    const palette = field.isCategory ? {colours: codes ?? []} : {scale: new Scale(looks, field.name, raster.values.filter((_, i) => raster.labels[i] < FAILURE))};
    paintRaster(looks, raster, field, palette, pixels.data);
    context.putImageData(pixels, 0, 0);
}
