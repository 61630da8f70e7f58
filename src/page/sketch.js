// The body at the contact, drawn from the inputs of a cell, and the contact in slow motion from its history.
import {BEAM} from "./beam.js";
import {byId, make} from "./dom.js";
import {DROP} from "./drop.js";
import {inks} from "./inks.js";
import {CanvasPen, arrow, drawPivot} from "./pens.js";
import {areTwo, bodyOf, isInSpace, shapeOf, velocityOf} from "./shapes.js";
import {numberText, spaced, valueText} from "./words.js";

const W = 400, H = 300, SECONDS = 6;
const FOOT = -0.29; // where springs end below the plane

// How a sketch is seen: basis has the directions in space that go to the right and up; unit: pixels of a length of 1.
const viewOf = (basis, ground, axes, unit = 150) => ({basis, axes, toPixel: (point) => {
    const [right, up] = basis.map((row) => row.reduce((sum, one, k) => sum + one * point[k], 0));
    return [W / 2 + unit * right, ground - unit * up];
}});
const [ASIDE, ABOVE] = [0.45, 0.42]; // angles from which bodies in space are seen
const PLANE = [[1, 0, 0], [0, 0, 1]], PLANE_AXES = [["t", [1, 0, 0]], ["n", [0, 0, 1]]];
const IN_PLANE = viewOf(PLANE, 215, PLANE_AXES), BETWEEN_BODIES = viewOf(PLANE, H / 2, PLANE_AXES, 120);
const IN_SPACE = viewOf([[Math.cos(ASIDE), Math.sin(ASIDE), 0],
    [-Math.sin(ASIDE) * Math.sin(ABOVE), Math.cos(ASIDE) * Math.sin(ABOVE), Math.cos(ABOVE)]], 205, [["1", [1, 0, 0]], ["2", [0, 1, 0]], ["3", [0, 0, 1]]]);

// Theories with pictures of their own: heading, isOf(theory), knows(columns) of a history, make(inputs, columns, w, h) of a scene
// (columns: null before a history is known), draw(pen, scene, row), which returns what to say, and drag(x, w): the inputs at x.
const OWN = [DROP, BEAM];

export const canSketch = (theory) => theory.parameters.some((one) => one.name === "velocity_ratio");

const added = (a, b, factor = 1) => a.map((one, k) => one + factor * b[k]);

// The body that is struck stays where it is, as motions are relative to it.
function drawBodies(pen, view, inputs, shift) {
    const shape = shapeOf(inputs, view.basis);
    if (shape.struck) drawBody(pen, view, shape.struck, [0, 0, 0]);
    drawBody(pen, view, shape, shift);
}

function drawBody(pen, view, shape, shift) {
    const reach = shape.pivot ? Math.hypot(...shape.pivot) : Infinity;
    // The pivot rests, and what is near it moves less.
    const px = (point) => view.toPixel(added(point, shift, Math.max(0, 1 - Math.hypot(...point) / reach)));
    if (shape.outline) pen.line(shape.outline.map(px), {stroke: inks.ink, width: 1.6, fill: inks.body});
    for (const line of shape.thin || []) pen.line(line.map(px), {stroke: inks.soft});
    for (const line of shape.lines || []) pen.line(line.map(px), {stroke: inks.ink, width: 3});
    if (shape.joint) pen.circle(...px(shape.joint), 4, {fill: inks.paper, stroke: inks.ink, width: 1.5});
    if (shape.pivot) {
        drawPivot(pen, ...view.toPixel(shape.pivot));
    }
    if (shape.centre) {
        const [x, y] = px(shape.centre);
        pen.circle(x, y, 4, {fill: inks.paper, stroke: inks.ink, width: 1.4});
        pen.line([[x - 4, y], [x + 4, y]], {stroke: inks.ink});
        pen.line([[x, y - 4], [x, y + 4]], {stroke: inks.ink});
    }
    if (Number.isFinite(shape.angle)) drawAngle(pen, view, shape, shift);
}

// Between the normal of the plane and the body.
function drawAngle(pen, view, {angle, azimuth = 0}, shift) {
    const at = (turn, length) => view.toPixel(added(shift, [-length * Math.sin(turn) * Math.cos(azimuth), -length * Math.sin(turn) * Math.sin(azimuth), length * Math.cos(turn)]));
    pen.line([at(0, 0), at(0, 0.8)], {stroke: inks.soft, dash: [5, 4]});
    pen.line(Array.from({length: 25}, (_, i) => at(angle * i / 24, 0.47)), {stroke: inks.soft});
    const [x, y] = at(0, 0.84), side = angle < 0 ? -1 : 1; // the body leans to the other side
    pen.text(x + 7 * side, y, valueText(angle, "rad", 3), {align: side < 0 ? "right" : "left", size: 17, halo: inks.paper, fill: inks.ink});
}

function drawGround(pen, view) {
    const [, level] = view.toPixel([0, 0, 0]);
    if (view === IN_PLANE) {
        pen.rect(0, level, W, H - level, {fill: inks.ground});
        pen.line([[0, level], [W, level]], {stroke: inks.ink, width: 1.6});
    } else if (view === BETWEEN_BODIES) {
        pen.line([[0, level], [W, level]], {stroke: inks.soft, dash: [5, 4]});
    } else {
        const corners = [[-0.75, -0.75, 0], [0.75, -0.75, 0], [0.75, 0.75, 0], [-0.75, 0.75, 0], [-0.75, -0.75, 0]];
        pen.line(corners.map(view.toPixel), {stroke: inks.soft, fill: inks.ground});
    }
    const origin = [24, H - 26], zero = view.toPixel([0, 0, 0]);
    for (const [name, direction] of view.axes) {
        const to = view.toPixel(direction.map((part) => 0.28 * part)).map((part, k) => part - zero[k] + origin[k]);
        arrow(pen, origin, to, {stroke: inks.ink, width: 1.2});
        pen.text(...to.map((part, k) => part + 0.2 * (part - origin[k])), name, {size: 18, align: "center"});
    }
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

// The velocity of the contact point before the impact, and its part along the plane.
function drawVelocity(pen, view, velocity) {
    const size = 0.47 / Math.hypot(...velocity), from = velocity.map((part) => -size * part), contact = view.toPixel([0, 0, 0]);
    if (view === IN_SPACE) {
        const below = view.toPixel([from[0], from[1], 0]);
        pen.line([view.toPixel(from), below, contact], {stroke: inks.normal, dash: [3, 3]});
    }
    arrow(pen, view.toPixel(from), contact, {stroke: inks.normal, width: 2.4});
    pen.circle(...contact, 4, {fill: inks.ink});
}

// Vectors of a history by rows: (row) => [along 1, along 2, along 3].
function vectorsOf(columns, [first, second, third]) {
    const lists = [first, second, third].map((names) => names.map((name) => columns[name]).find(Boolean));
    return (row) => lists.map((list) => list ? list[row] : 0);
}

export class Sketch {
    // moved: called with the time that is shown.
    constructor(page, moved) {
        Object.assign(this, {page, moved, traced: null, part: 0, playing: false, isHeld: matchMedia("(prefers-reduced-motion: reduce)").matches});
        this.canvas = make("canvas", {role: "img", className: "sketch", width: 2 * W, height: 2 * H,
            onpointerdown: (event) => this.drag(event), onpointermove: (event) => this.drag(event)});
        this.pen = new CanvasPen(this.canvas.getContext("2d"));
        this.pen.context.setTransform(2, 0, 0, 2, 0, 0);
        [this.told, this.timed] = [make("span", {}), make("span", {})];
        this.button = make("button", {type: "button", onclick: () => this.hold(this.playing)}, "Slow motion");
        this.slider = make("input", {type: "range", min: 0, max: 1, step: "any", value: 0, "aria-label": "Time of the contact", oninput: () => {
            this.hold(true);
            this.go(Number(this.slider.value));
        }});
        this.controls = make("div", {className: "controls", hidden: true}, this.button, this.slider);
        this.heading = make("h2", {}, "The contact");
        byId("sketch").replaceChildren(this.heading, this.canvas, this.controls, make("p", {className: "hint"}, this.told, " ", this.timed));
    }

    // The initial state of the cell of which no motion is known, or else of one within the picture.
    show(around) {
        if (this.traced) return;
        const inputs = this.cell ?? around, {own} = this;
        byId("sketch").hidden = !own && !canSketch(this.page.theory);
        if (byId("sketch").hidden) return;
        this.entitle();
        this.time("");
        if (own) {
            this.tell(own.draw(this.pen, own.make(inputs, null, W, H), 0));
            return;
        }
        this.start(inputs);
        drawBodies(this.pen, this.view, inputs, [0, 0, 0]);
        drawVelocity(this.pen, this.view, velocityOf(inputs));
        this.tell(`${this.nameOf(inputs)}.`);
    }

    get own() {
        return OWN.find((one) => one.isOf(this.page.theory));
    }

    entitle() {
        this.heading.textContent = this.own?.heading ?? "The contact";
        this.canvas.classList.toggle("drags", Boolean(this.own?.drag));
    }

    // What a reader drags in the picture: an input of the cell, if it is on an axis, or else of the map.
    drag(event) {
        const {own, page} = this, {shown} = page.view;
        if (!own?.drag || !event.buttons) return;
        const {left, width} = this.canvas.getBoundingClientRect(), wanted = own.drag((event.clientX - left) * W / width, W);
        const isAxis = Object.keys(wanted).some((name) => name === shown.x || name === shown.y);
        if (isAxis) page.panel.pickInstead({...this.cell ?? page.inputsAt(shown), ...wanted});
        else page.view.set({inputs: {...shown.inputs, ...wanted}});
    }

    nameOf(inputs) {
        const velocity = velocityOf(inputs);
        const angle = Number.isFinite(inputs.angle) ? `, angle ${valueText(inputs.angle, "rad", 4)}` : "";
        const ratio = this.view === IN_SPACE ? Math.hypot(velocity[0], velocity[1]) : velocity[0];
        const point = areTwo(inputs) ? "the contact point relative to that of the second body" : "the contact point";
        const how = this.traced ? `${point} came with a tangential velocity ${numberText(ratio, 4)} times the normal one`
            : `the arrow is the velocity of ${point} before the impact, tangential over normal ${numberText(ratio, 4)}`;
        return `${spaced(bodyOf(inputs))}${angle}; ${how}`;
    }

    start(inputs) {
        this.view = isInSpace(inputs) ? IN_SPACE : areTwo(inputs) ? BETWEEN_BODIES : IN_PLANE;
        this.pen.rect(0, 0, W, H, {fill: inks.paper});
        drawGround(this.pen, this.view);
    }

    tell(text) {
        if (this.told.textContent === text) return;
        this.told.textContent = text;
        this.canvas.setAttribute("aria-label", text);
    }

    time(text) {
        if (this.timed.textContent !== text) this.timed.textContent = text;
    }

    // The history of a cell in slow motion; null: back to the initial state. The cell under the pointer changes while the
    // motion goes on.
    animate(traced) {
        const shown = traced?.history.columns, {own} = this, before = this.traced;
        const known = shown && (own ? own.knows(shown) : shown.time && shown.u3 && canSketch(this.page.theory));
        this.traced = known ? traced : null;
        this.cell = traced ? this.page.completedCell(traced.inputs) : null;
        this.controls.hidden = !known;
        if (!known) {
            this.play(false);
            this.show(this.page.inputsAt(this.page.view.shown));
            return;
        }
        byId("sketch").hidden = false;
        this.entitle();
        // The motion goes on for a frame or two after another theory has been chosen.
        const scene = own?.make(this.cell, shown, W, H);
        this.drawScene = own && ((row) => own.draw(this.pen, scene, row));
        if (!own) this.measure(shown);
        this.go(before ? this.part : 0);
        if (!this.isHeld && !this.playing) this.play(true);
    }

    // How far forces and elongations reach in the picture.
    measure(columns) {
        const rows = Array.from(columns.time.keys());
        this.forceAt = vectorsOf(columns, [["tangential_force", "force_1"], ["force_2"], ["normal_force"]]);
        this.elongationAt = vectorsOf(columns, [["u1"], ["u2"], ["u3"]]);
        const most = (vectorAt) => Math.max(...rows.map((row) => Math.hypot(...vectorAt(row)))) || 1;
        this.path = this.pathOf(columns);
        this.scale = Math.min(0.23 / most(this.elongationAt), 0.6 / most((row) => this.path[row]));
        this.force = 0.53 / most(this.forceAt);
    }

    // Drawn again, in other colours.
    again() {
        if (this.traced) this.go(this.part);
        else this.show(this.page.inputsAt(this.page.view.shown));
    }

    // The displacement of the contact point along the plane at each row: the integral of its velocity.
    pathOf(columns) {
        const velocityAt = vectorsOf(columns, [["tangential_velocity", "velocity_1"], ["velocity_2"], []]), path = [[0, 0, 0]];
        for (let i = 1; i < columns.time.length; i++) {
            path.push(added(path[i - 1], added(velocityAt(i), velocityAt(i - 1)), (columns.time[i] - columns.time[i - 1]) / 2));
        }
        return path;
    }

    // Stops, or goes on, as the reader asks.
    hold(isHeld) {
        this.isHeld = isHeld;
        this.play(!isHeld);
    }

    play(playing) {
        const began = playing && !this.stepping;
        this.playing = playing;
        this.button.textContent = playing ? "Pause" : "Slow motion";
        if (!playing) return;
        this.began = performance.now() - 1000 * SECONDS * (this.part >= 1 ? 0 : this.part);
        if (began) requestAnimationFrame(() => this.step());
        this.stepping = true;
    }

    step() {
        this.stepping = false;
        if (!this.playing || !this.traced) return;
        const part = (performance.now() - this.began) / (1000 * SECONDS);
        this.go(part % 1.15);
        this.stepping = true;
        requestAnimationFrame(() => this.step());
    }

    go(part) {
        const {history: {columns, units}, inputs} = this.traced, time = columns.time;
        this.part = Math.min(1, part);
        this.slider.value = this.part;
        const now = time[0] + this.part * (time[time.length - 1] - time[0]);
        let row = time.findIndex((one) => one >= now);
        row = row < 0 ? time.length - 1 : row;
        if (this.drawScene) {
            this.tell(this.drawScene(row));
            this.moved(now);
            return;
        }
        const body = columns.rod_angle ? {...inputs, angle: columns.rod_angle[row]} : inputs;
        // Where the contact point is, enlarged; the plane is drawn where the foot of the spring is.
        const [along, across] = this.path[row], shift = [along, across, this.elongationAt(row)[2]].map((one) => this.scale * one);
        this.start(body);
        drawBodies(this.pen, this.view, body, shift);
        this.drawContact(row, shift, inputs);
        this.moved(now);
        const force = this.forceAt(row), tangential = this.view === IN_SPACE ? Math.hypot(force[0], force[1]) : force[0];
        const text = (value) => valueText(value, units.normal_force, 4);
        this.tell(`${this.nameOf(inputs)}. Drawn enlarged.`);
        this.time(`${columns.phase?.[row] || "separated"} at ${valueText(now, units.time, 4)}: normal force ${text(force[2])}, tangential force ${text(tangential)}.`);
    }

    drawContact(row, shift, inputs) {
        const {toPixel} = this.view, [u1, u2] = this.elongationAt(row), force = this.forceAt(row);
        const below = [shift[0], shift[1], FOOT], foot = toPixel(added(below, [u1, u2, 0], -this.scale)), contact = toPixel(shift);
        spring(this.pen, toPixel(below), contact, inks.normal);
        spring(this.pen, foot, toPixel(below), inks.tangential);
        this.pen.rect(foot[0] - 6, foot[1] - 6, 12, 12, {fill: inks.foot});
        this.drawCone(shift, 1.2 * force[2] * this.force, inputs.friction);
        arrow(this.pen, contact, toPixel(added(shift, force, this.force)), {stroke: inks.tangential, width: 2.6});
        this.pen.circle(...contact, 4, {fill: inks.ink});
    }

    // The cone of friction up to a height, in space with its rim.
    drawCone(tip, height, friction) {
        const at = (turn) => this.view.toPixel(added(tip, [friction * Math.cos(turn), friction * Math.sin(turn), 1], height)), style = {stroke: inks.soft, dash: [4, 4]};
        const contact = this.view.toPixel(tip), rim = Array.from({length: 33}, (_, i) => at(i * Math.PI / 16));
        const outer = this.view === IN_SPACE ? [Math.min, Math.max].map((end) => rim.find(([x]) => x === end(...rim.map(([one]) => one)))) : [at(0), at(Math.PI)];
        for (const side of outer) this.pen.line([contact, side], style);
        if (this.view === IN_SPACE) this.pen.line(rim, style);
    }
}
