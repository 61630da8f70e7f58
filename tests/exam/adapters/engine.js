/* The protocol of guests for engines in JavaScript, and the scenes of the exam. An adapter calls
 *     exam({name, version, space, strike})
 * with strike(scene, step): the motion {v: [x, y, z], w: [x, y, z]} after the impact, or null if there was none.
 * Scenes: y points out of the plane y = 0 into the body; see README.md beside. */
import {readSync, writeSync} from "node:fs";

export const PARAMETERS = ["angle", "velocity_ratio", "side_ratio", "spin", "friction", "restitution", "time_step"];
const RANGES = {angle: [-1.6, 1.6], velocity_ratio: [-50, 50], side_ratio: [-50, 50], spin: [-50, 50], friction: [0, 5],
    restitution: [0, 1], time_step: [1e-6, 0.1]};
const DEFAULTS = {angle: 0, velocity_ratio: 0, side_ratio: 0, spin: 0, time_step: 0.001};
export const OUTPUTS = ["normal_velocity", "velocity_t", "velocity_s", "spin_out", "energy_kept"];
const BODIES = ["disc", "rod", "box", "capsule"];
const SPEED = 10; // m/s, of the contact point toward the plane

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const plus = (a, b) => a.map((one, k) => one + b[k]);

/* Bodies of 1 kg: half sizes or radius, and the moment of inertia about each axis of the body. */
const SHAPES = {
    disc: {radius: 0.5, inertia: [0.1, 0.1, 0.1]},
    rod: {half: [0.5, 0.01, 0.002], inertia: [1 / 12, 1 / 12, 1 / 12]},
    box: {half: [0.5, 0.25, 0.002], inertia: [0.12, 0.12, 5 / 48]},
    capsule: {radius: 0.1, half_length: 0.4, inertia: [0.006, 0.08, 0.08]},
};

/* The place of the contact point relative to the mass centre. */
export function contactOf(body, angle) {
    const c = Math.cos(angle), s = Math.sin(angle), shape = SHAPES[body];
    if (body === "disc") return [0, -shape.radius, 0];
    const corners = body === "capsule" ? [[-shape.half_length, 0], [shape.half_length, 0]]
        : [-1, 1].flatMap(x => [-1, 1].map(y => [x * shape.half[0], y * shape.half[1]]));
    const turned = corners.map(([x, y]) => [c * x - s * y, s * x + c * y, 0]);
    const lowest = turned.reduce((a, b) => b[1] < a[1] ? b : a);
    return body === "capsule" ? plus(lowest, [0, -shape.radius, 0]) : lowest;
}

/* A scene: the body a little above the plane, with the motion whose contact point has the given velocity. */
function sceneOf(body, p) {
    const r = contactOf(body, p.angle), w = [0, 0, p.spin];
    const point = [p.velocity_ratio * SPEED, -SPEED, p.side_ratio * SPEED];
    const v = plus(point, cross(w, r).map(one => -one));
    const ahead = 0.3137 * p.time_step; // not at a special time
    return {body, ...SHAPES[body], angle: p.angle - p.spin * ahead, r, v, w, mass: 1, friction: p.friction,
        restitution: p.restitution, centre: plus(r.map(one => -one), v.map(one => -one * ahead))};
}

function energy(scene, v, w) {
    const [i, j, k] = scene.inertia, c = Math.cos(scene.angle), s = Math.sin(scene.angle);
    const x = c * w[0] + s * w[1], y = -s * w[0] + c * w[1];
    return 0.5 * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2 + i * x * x + j * y * y + k * w[2] ** 2);
}

function answer(scene, after) {
    const point = plus(after.v, cross(after.w, scene.r)).map(one => one / SPEED);
    return [point[1], point[0], point[2], after.w[2], energy(scene, after.v, after.w) / energy(scene, scene.v, scene.w)];
}

/* Lets an engine take steps until the motion has changed, and a few more; read(): its motion {v, w}. */
export function follow(read, advance, steps = 40, more = 0) {
    const before = read();
    const changed = now => [0, 1, 2].some(k => Math.abs(now.v[k] - before.v[k]) > 1e-6);
    for (let k = 0; k < steps; k++) {
        advance();
        if (changed(read())) {
            for (let m = 0; m < more; m++) advance();
            return read();
        }
    }
    return null;
}

function read(bytes) {
    const into = new Uint8Array(bytes);
    for (let got = 0; got < bytes;) {
        let more = 0;
        try {
            more = readSync(0, into, got, bytes - got);
        } catch (problem) {
            if (problem.code === "EAGAIN") continue;
            if (problem.code !== "EOF") throw problem;
        }
        if (more === 0) return null;
        got += more;
    }
    return new Float64Array(into.buffer);
}

function write(bytes) {
    for (let put = 0; put < bytes.length;) {
        try {
            put += writeSync(1, bytes, put);
        } catch (problem) {
            if (problem.code !== "EAGAIN") throw problem;
        }
    }
}

export function exam({name, version, space, strike}) {
    console.log = console.warn = console.info = console.error; // the standard output belongs to the protocol
    const bodies = space ? BODIES : BODIES.slice(0, 3);
    write(new TextEncoder().encode(JSON.stringify({impactsweep_guest: 1, name, title: version, version, batch: 256,
        choices: [{name: "body", options: bodies.map(one => ({name: one})), default: "rod"}],
        parameters: PARAMETERS.map(one => ({name: one, low: RANGES[one][0], high: RANGES[one][1],
            unit: {angle: "rad", spin: "rad/s", time_step: "s"}[one] ?? "1", default: DEFAULTS[one] ?? null, example: 0.01})),
        outputs: OUTPUTS.map(one => ({name: one, unit: one === "spin_out" ? "rad/s" : "1"}))}) + "\n"));
    for (let head; (head = read(24)) !== null;) {
        const n = head[1], columns = read(8 * n * PARAMETERS.length), out = new Float64Array(n * (1 + OUTPUTS.length));
        for (let i = 0; i < n; i++) {
            const p = Object.fromEntries(PARAMETERS.map((one, k) => [one, columns[k * n + i]]));
            const scene = sceneOf(bodies[head[2]], p), after = strike(scene, p.time_step);
            out[i] = after ? 1 : 3;
            (after ? answer(scene, after) : []).forEach((value, o) => out[(1 + o) * n + i] = value);
        }
        write(new Uint8Array(Float64Array.of(head[0], n, out.length).buffer));
        write(new Uint8Array(out.buffer));
    }
}
