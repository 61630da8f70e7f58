// A body of the theory bounce above the plane, and its way to rest.
import {inks} from "./inks.js";
import {spaced, valueText} from "./words.js";

const BORDER = 28;
const CIRCLE = Array.from({length: 49}, (_, i) => i * Math.PI / 24);

const isDrop = (theory) => theory.parameters.some((one) => one.name === "count_above");

const sizeOf = (inputs, name, otherwise = 1) => Number.isFinite(inputs[name]) ? inputs[name] : otherwise;

function cornersOf(inputs) {
    const corners = [];
    for (let k = 1; k <= 8; k++) {
        const r = sizeOf(inputs, `corner_distance_${k}`, 0), beta = sizeOf(inputs, `corner_angle_${k}`, 0);
        if (r > 0) corners.push([r * Math.cos(beta), r * Math.sin(beta), k]);
    }
    return corners;
}

// The points of a body that can touch, about its mass centre at tilt 0: {number: [x, y]}, and the radius of their discs.
function pointsOf(inputs) {
    const length = sizeOf(inputs, "length"), x = sizeOf(inputs, "width") / 2, y = sizeOf(inputs, "height") / 2, radius = sizeOf(inputs, "radius");
    const half = sizeOf(inputs, "slenderness") * radius / 2;
    switch (inputs.body) {
    case "sphere": return {points: [[0, 0]], radius};
    case "block": return {points: [[-x, -y], [x, -y], [x, y], [-x, y]], radius: 0};
    case "capsule": return {points: [[half, 0], [-half, 0]], radius};
    case "points": {
        const points = [];
        for (const [px, py, k] of cornersOf(inputs)) points[k - 1] = [px, py];
        return {points, radius: 0};
    }
    default: return {points: [[length / 2, 0], [-length / 2, 0]], radius: 0};
    }
}

// The convex hull, counter-clockwise.
function hullOf(points) {
    const sorted = [...points].sort((one, other) => one[0] - other[0] || one[1] - other[1]), hull = [];
    for (const order of [sorted, [...sorted].reverse()]) {
        const half = [];
        for (const p of order) {
            while (half.length > 1) {
                const [[ax, ay], [bx, by]] = half.slice(-2);
                if ((bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0) break;
                half.pop();
            }
            half.push(p);
        }
        hull.push(...half.slice(0, -1));
    }
    return hull;
}

function outlineOf({points, radius}) {
    const all = points.filter(Boolean).flatMap(([x, y]) => radius > 0 ? CIRCLE.map((turn) => [x + radius * Math.cos(turn), y + radius * Math.sin(turn)]) : [[x, y]]);
    const hull = all.length > 2 ? hullOf(all) : all;
    return [...hull, hull[0]];
}

const turned = ([x, y], angle) => [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];

// What is drawn of a drop, in a picture of w by h; columns: of its history, or the start alone.
function dropOf(inputs, columns, w, h) {
    const body = pointsOf(inputs), outline = outlineOf(body), reach = Math.max(...outline.map(([x, y]) => Math.hypot(x, y)));
    const least = Math.min(...columns.body_x) - reach, most = Math.max(...columns.body_x) + reach, top = Math.max(...columns.body_y) + reach;
    const unit = Math.min((w - BORDER) / (most - least), (h - 2 * BORDER) / top) || 1;
    const toPixel = ([x, y]) => [w / 2 + unit * (x - (least + most) / 2), h - BORDER - unit * y];
    return {inputs, columns, body, outline, toPixel, w, h};
}

// The columns of the start of a drop.
function startOf(inputs) {
    const tilt = sizeOf(inputs, "tilt", 0), body = pointsOf(inputs);
    const lowest = Math.min(...body.points.filter(Boolean).map((point) => turned(point, tilt)[1])) - body.radius;
    return {body_x: [0], body_y: [sizeOf(inputs, "drop") - lowest], body_angle: [tilt]};
}

// Where the points strike up to a row: the larger the harder.
function drawImpacts(pen, drop, row) {
    const {columns: {event, point, normal_impulse: impulse, body_x: x, body_angle: angle}, body, toPixel} = drop;
    const most = Math.max(...impulse);
    let number = 0;
    for (let i = 0; i <= row; i++) {
        if (event[i] !== "impact") continue;
        const [across] = turned(body.points[point[i] - 1], angle[i]), [px, py] = toPixel([x[i] + across, 0]);
        pen.circle(px, py, 2 + 7 * Math.sqrt(impulse[i] / most), {fill: `${inks.tangential}99`, stroke: inks.tangential, width: 1});
        number++;
    }
    return number;
}

// Draws the drop at a row, and returns what to say about it.
function drawDrop(pen, drop, row) {
    const {columns, outline, toPixel, w, h, inputs, body} = drop, {body_x: x, body_y: height, body_angle: angle} = columns, [, level] = toPixel([0, 0]);
    pen.rect(0, 0, w, h, {fill: inks.paper});
    pen.rect(0, level, w, h - level, {fill: inks.ground});
    pen.line([[0, level], [w, level]], {stroke: inks.ink, width: 1.6});
    if (row > 0) pen.line(Array.from({length: row + 1}, (_, i) => toPixel([x[i], height[i]])), {stroke: inks.soft, dash: [3, 3]});
    const place = (point) => {
        const [px, py] = turned(point, angle[row]);
        return toPixel([x[row] + px, height[row] + py]);
    };
    pen.line(outline.map(place), {stroke: inks.ink, width: 2, fill: inks.body});
    if (body.radius > 0) pen.line([place([0, 0]), place(outline[0])], {stroke: inks.soft});
    pen.circle(...place([0, 0]), 3.5, {fill: inks.paper, stroke: inks.ink, width: 1.3});
    const name = spaced(inputs.body ?? "rod");
    if (!columns.event) return `${name}, ${valueText(sizeOf(inputs, "drop"), "m", 4)} above the plane, tilt ${valueText(angle[0], "rad", 4)}; a click on the map drops it.`;
    const struck = drawImpacts(pen, drop, row);
    return `${name} at ${valueText(columns.time[row], "s", 4)}: ${columns.phase[row] || "the end"}, ${struck} impact${struck === 1 ? "" : "s"} so far; the dots are as large as the impulses.`;
}

export const DROP = {
    heading: "The drop",
    isOf: isDrop,
    knows: (columns) => Boolean(columns.gap_1),
    make: (inputs, columns, w, h) => dropOf(inputs, columns ?? startOf(inputs), w, h),
    draw: drawDrop,
};
