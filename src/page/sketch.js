// The body at the contact, drawn from the inputs of a cell, and the contact in slow motion from its history.
import {byId, make} from "./dom.js";
import {CanvasPen, INK} from "./pens.js";
import {numberText, spaced, valueText} from "./words.js";

const W = 400, H = 300, GROUND = 215, SECONDS = 6, BODY = "#dfe7ee";

// Each body: the outline in metres of a unit length around the contact point at (0, 0), t to the right and n up.
// Angles lean toward -t, as the theories count them.
const ring = (cx, cy, r) => Array.from({length: 49}, (_, i) => [cx + r * Math.cos(i * Math.PI / 24), cy + r * Math.sin(i * Math.PI / 24)]);
const along = (angle, length) => [-length * Math.sin(angle), length * Math.cos(angle)];

function capsule({angle, slenderness = 5}) {
    const r = 1 / (slenderness + 2), [ax, ay] = along(angle, 1), points = [];
    for (let i = 0; i <= 48; i++) {
        const turn = i * Math.PI / 24, upper = i <= 24 ? slenderness * r : 0;
        const across = r * Math.cos(turn), up = r * Math.sin(turn) + upper;
        points.push([across * ay + up * ax, r - across * ax + up * ay]);
    }
    return points;
}

const SHAPES = {
    sphere: () => ({outline: ring(0, 0.5, 0.5), centre: [0, 0.5]}),
    rod: ({angle}) => ({lines: [[[0, 0], along(angle, 1.2)]], centre: along(angle, 0.6), angle}),
    pendulum: ({angle}) => ({lines: [[[0, 0], along(angle, 1.2)]], outline: ring(...along(angle, 0.14), 0.14), pivot: along(angle, 1.2), angle}),
    capsule: (inputs) => ({outline: [...capsule(inputs), capsule(inputs)[0]], angle: inputs.angle, centre: along(inputs.angle, 0.5)}),
    lamina: ({offset_t: t, offset_n: n}) => {
        const size = Math.hypot(t, n) || 1, centre = [-t / size * 0.7, -n / size * 0.7];
        const points = Array.from({length: 49}, (_, i) => {
            const turn = i * Math.PI / 24, r = 0.34 + 0.06 * Math.cos(3 * turn);
            return [centre[0] + r * Math.cos(turn), centre[1] + r * Math.sin(turn)];
        });
        return {outline: points, lines: [[[0, 0], centre]], centre};
    },
    double_pendulum: ({q1, q2, l1, l2}) => {
        const size = 1.2 / (l1 + l2), joint = [-l2 * size * Math.sin(q2), l2 * size * Math.cos(q2)];
        const pivot = [joint[0] - l1 * size * Math.sin(q1), joint[1] + l1 * size * Math.cos(q1)];
        return {lines: [[[0, 0], joint], [joint, pivot]], joint, pivot};
    },
};
const ANY = () => ({outline: Array.from({length: 49}, (_, i) => {
    const turn = i * Math.PI / 24, r = 0.42 + 0.07 * Math.cos(2 * turn + 1) + 0.04 * Math.sin(3 * turn);
    return [-0.12 + r * Math.cos(turn), 0.44 + r * Math.sin(turn)];
}), centre: [-0.12, 0.46]});

// The initial velocity of the contact point along t and n, the normal one of magnitude 1.
export function velocityOf({body, angle, velocity_ratio: ratio, q1, q2, l1, l2, w1, w2}) {
    if (body === "pendulum") return [-Math.cos(angle) / Math.sin(angle), -1];
    if (body === "double_pendulum") {
        const t = l1 * w1 * Math.cos(q1) + l2 * w2 * Math.cos(q2), n = l1 * w1 * Math.sin(q1) + l2 * w2 * Math.sin(q2);
        return [t / Math.abs(n), n / Math.abs(n)];
    }
    return [ratio ?? 0, -1];
}

export const canSketch = (theory, inputs) => theory.parameters.some((one) => one.name === "velocity_ratio") && typeof inputs.body === "string"
    && !inputs.body.endsWith("3d");

const toPixel = ([t, n], shift = [0, 0]) => [W / 2 + 150 * t + shift[0], GROUND - 150 * n - shift[1]];

function arrow(pen, from, to, style) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy);
    if (length < 3) return;
    const [ux, uy] = [dx / length, dy / length], head = Math.min(9, length / 2);
    pen.line([from, to], style);
    pen.line([[to[0] - head * (ux + 0.45 * uy), to[1] - head * (uy - 0.45 * ux)], to, [to[0] - head * (ux - 0.45 * uy), to[1] - head * (uy + 0.45 * ux)]], style);
}

function drawBody(pen, inputs, shift) {
    const shape = (SHAPES[inputs.body] || ANY)(inputs), reach = shape.pivot ? Math.hypot(...shape.pivot) : Infinity;
    // The pivot rests, and what is near it moves less.
    const px = (point) => toPixel(point, shift.map((part) => part * Math.max(0, 1 - Math.hypot(...point) / reach)));
    if (shape.outline) pen.line(shape.outline.map(px), {stroke: INK, width: 1.6, fill: BODY});
    for (const line of shape.lines || []) pen.line(line.map(px), {stroke: INK, width: 3});
    if (shape.joint) pen.circle(...px(shape.joint), 4, {fill: "#fff", stroke: INK, width: 1.5});
    if (shape.pivot) {
        const [x, y] = toPixel(shape.pivot);
        pen.line([[x - 14, y - 14], [x, y], [x + 14, y - 14], [x - 14, y - 14]], {stroke: INK, fill: "#e8e8e8"});
        pen.circle(x, y, 5, {fill: "#fff", stroke: INK, width: 1.5});
    }
    if (shape.centre) {
        const [x, y] = px(shape.centre);
        pen.circle(x, y, 4, {fill: "#fff", stroke: INK, width: 1.4});
        pen.line([[x - 4, y], [x + 4, y]], {stroke: INK});
        pen.line([[x, y - 4], [x, y + 4]], {stroke: INK});
    }
    if (Number.isFinite(shape.angle)) drawAngle(pen, shape.angle, shift);
}

function drawAngle(pen, angle, shift) {
    const [x, y] = toPixel([0, 0], shift);
    pen.line([[x, y], [x, y - 120]], {stroke: "#8a8a8a", dash: [5, 4]});
    pen.line(Array.from({length: 25}, (_, i) => [x - 70 * Math.sin(angle * i / 24), y - 70 * Math.cos(angle * i / 24)]), {stroke: "#8a8a8a"});
    pen.text(x - 86 * Math.sin(angle / 2), y - 86 * Math.cos(angle / 2), valueText(angle, "rad", 3), {align: "center", size: 12, halo: "#ffffff"});
}

function drawGround(pen) {
    pen.rect(0, GROUND, W, H - GROUND, {fill: "#f1efe9"});
    pen.line([[0, GROUND], [W, GROUND]], {stroke: INK, width: 1.6});
    arrow(pen, [20, GROUND + 60], [64, GROUND + 60], {stroke: INK, width: 1.2});
    arrow(pen, [20, GROUND + 60], [20, GROUND + 20], {stroke: INK, width: 1.2});
    pen.text(70, GROUND + 60, "t", {size: 13});
    pen.text(16, GROUND + 12, "n", {size: 13});
}

// A zigzag between two points.
function spring(pen, [ax, ay], [bx, by], stroke) {
    const length = Math.hypot(bx - ax, by - ay), points = [[ax, ay]];
    if (length < 1) return;
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    for (let i = 1; i < 10; i++) {
        const side = i % 2 ? 5 : -5;
        points.push([ax + (bx - ax) * i / 10 - side * uy, ay + (by - ay) * i / 10 + side * ux]);
    }
    pen.line([...points, [bx, by]], {stroke, width: 1.4});
}

export class Sketch {
    // moved: called with the time that is shown.
    constructor(page, moved) {
        Object.assign(this, {page, moved, traced: null, part: 0, playing: false});
        this.canvas = make("canvas", {role: "img", className: "sketch", width: 2 * W, height: 2 * H});
        this.pen = new CanvasPen(this.canvas.getContext("2d"));
        this.pen.context.setTransform(2, 0, 0, 2, 0, 0);
        this.text = make("p", {className: "hint"});
        this.button = make("button", {type: "button", onclick: () => this.play(!this.playing)}, "Slow motion");
        this.slider = make("input", {type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time of the contact", oninput: () => {
            this.play(false);
            this.go(Number(this.slider.value));
        }});
        this.controls = make("div", {className: "controls", hidden: true}, this.button, this.slider);
        byId("sketch").replaceChildren(make("h2", {}, "The contact"), this.canvas, this.controls, this.text);
    }

    // The initial state of a cell.
    show(inputs) {
        if (this.traced) return;
        byId("sketch").hidden = !canSketch(this.page.theory, inputs);
        if (byId("sketch").hidden) return;
        this.start();
        drawBody(this.pen, inputs, [0, 0]);
        const [t, n] = velocityOf(inputs), size = 70 / Math.hypot(t, n), [x, y] = toPixel([0, 0]);
        arrow(this.pen, [x - t * size, y + n * size], [x, y], {stroke: "#0072B2", width: 2.4});
        this.pen.circle(x, y, 4, {fill: INK});
        const angle = Number.isFinite(inputs.angle) ? `, angle ${valueText(inputs.angle, "rad", 4)}` : "";
        this.tell(`${spaced(inputs.body)}${angle}; the arrow is the velocity of the contact point before the impact, tangential over normal ${numberText(t, 4)}.`);
    }

    start() {
        this.pen.rect(0, 0, W, H, {fill: "#ffffff"});
        drawGround(this.pen);
    }

    tell(text) {
        if (this.text.textContent !== text) this.text.textContent = text;
        this.canvas.setAttribute("aria-label", text);
    }

    // The history of a cell in slow motion; null: back to the initial state.
    animate(traced) {
        this.play(false);
        const known = traced && traced.history.columns.time && traced.history.columns.u3 && canSketch(this.page.theory, traced.inputs);
        this.traced = known ? traced : null;
        this.controls.hidden = !known;
        if (!known) {
            this.show(this.page.inputsAt(this.page.view.shown));
            return;
        }
        byId("sketch").hidden = false;
        const {u1, u3, normal_force: n} = traced.history.columns;
        const most = (list) => list.reduce((size, one) => Math.max(size, Math.abs(one)), 0);
        this.scale = 34 / (Math.max(most(u3), most(u1)) || 1);
        this.force = 80 / (most(n) || 1);
        this.feet = this.pathOf(traced.history.columns);
        this.go(0);
        this.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    }

    // The displacement of the contact point along t at each row: the integral of its velocity.
    pathOf({time, tangential_velocity: v}) {
        const path = new Float64Array(time.length);
        for (let i = 1; i < time.length; i++) path[i] = path[i - 1] + (v[i] + v[i - 1]) / 2 * (time[i] - time[i - 1]);
        return path;
    }

    play(playing) {
        this.playing = playing;
        this.button.textContent = playing ? "Pause" : "Slow motion";
        if (playing) {
            this.began = performance.now() - 1000 * SECONDS * (this.part >= 1 ? 0 : this.part);
            requestAnimationFrame(() => this.step());
        }
    }

    step() {
        if (!this.playing || !this.traced) return;
        const part = (performance.now() - this.began) / (1000 * SECONDS);
        this.go(part % 1.15);
        requestAnimationFrame(() => this.step());
    }

    go(part) {
        const {history, inputs} = this.traced, {columns} = history, time = columns.time;
        this.part = Math.min(1, part);
        this.slider.value = this.part;
        const now = time[0] + this.part * (time[time.length - 1] - time[0]);
        let row = time.findIndex((one) => one >= now);
        row = row < 0 ? time.length - 1 : row;
        const at = (name) => columns[name][row];
        // Where the contact point is, enlarged; the plane is drawn where the foot of the spring is.
        const shift = [this.scale * this.feet[row], this.scale * at("u3")];
        this.start();
        drawBody(this.pen, inputs, shift);
        this.drawContact(at, shift, inputs);
        this.moved(now);
        const phase = columns.phase?.[row] || "separated";
        this.tell(`${phase} at ${valueText(now, history.units.time, 4)}: normal force ${valueText(at("normal_force"), history.units.normal_force, 4)}, tangential force ${valueText(at("tangential_force"), history.units.tangential_force, 4)}. Displacements are enlarged; the body moves with its contact point.`);
    }

    drawContact(at, shift, inputs) {
        const contact = toPixel([0, 0], shift), foot = [contact[0] - this.scale * at("u1"), GROUND + 44];
        spring(this.pen, [contact[0], GROUND + 44], contact, "#0072B2");
        spring(this.pen, foot, [contact[0], GROUND + 44], "#D55E00");
        this.pen.rect(foot[0] - 6, foot[1] - 6, 12, 12, {fill: "#332288"});
        const [t, n] = [at("tangential_force") * this.force, at("normal_force") * this.force];
        const reach = 1.2 * n;
        for (const side of [-1, 1]) {
            this.pen.line([contact, [contact[0] + side * inputs.friction * reach, contact[1] - reach]], {stroke: "#8a8a8a", dash: [4, 4]});
        }
        arrow(this.pen, contact, [contact[0] + t, contact[1] - n], {stroke: "#D55E00", width: 2.6});
        this.pen.circle(...contact, 4, {fill: INK});
    }
}
