// The beam, its supports and the striker, which a reader may drag along the beam.
import {inks} from "./inks.js";
import {arrow, drawPivot} from "./pens.js";
import {spaced, valueText} from "./words.js";

const BEAM_SIDE = 34, BEAM_LEVEL = 120, BALL = 15, FORCE = 90;

const alongOf = (scene, part) => BEAM_SIDE + part * (scene.w - 2 * BEAM_SIDE);

function drawSupports(pen, scene) {
    const {inputs: {boundary, pin_position: pin, length}} = scene, [start, end] = [0, 1].map((part) => alongOf(scene, part));
    if (boundary === "clamped") pen.rect(start - 14, BEAM_LEVEL - 30, 14, 60, {fill: inks.pivot, stroke: inks.ink});
    if (boundary === "pinned") drawPivot(pen, alongOf(scene, Math.min(1, pin / length)), BEAM_LEVEL);
    if (boundary === "pinned_pinned") [start, end].forEach((x) => drawPivot(pen, x, BEAM_LEVEL));
}

const isTouching = ({columns}, row) => columns?.phase?.[row] === "contact";

// Returns what to say about it.
function drawBeam(pen, scene, row) {
    const {w, h, inputs, columns} = scene, x = alongOf(scene, inputs.position), touches = isTouching(scene, row);
    const ball = BEAM_LEVEL + BALL + 4 + (touches ? 0 : 7);
    pen.rect(0, 0, w, h, {fill: inks.paper});
    pen.rect(alongOf(scene, 0), BEAM_LEVEL - 4, w - 2 * BEAM_SIDE, 8, {fill: inks.body, stroke: inks.ink});
    drawSupports(pen, scene);
    pen.circle(x, ball, BALL, {fill: touches ? inks.tangential : inks.ground, stroke: inks.ink, width: 1.6});
    if (inputs.striker !== "free") pen.rect(x - BALL, ball + BALL, 2 * BALL, 8, {fill: inks.pivot});
    if (columns) arrow(pen, [x, BEAM_LEVEL - 6], [x, BEAM_LEVEL - 6 - FORCE * columns.force[row] / scene.most], {stroke: inks.normal, width: 2.6});
    pen.text(x, ball + BALL + 30, valueText(inputs.position, "1", 4), {align: "center", size: 17, fill: inks.ink});
    const name = `${spaced(inputs.boundary)} beam, struck at ${valueText(inputs.position, "1", 4)} of its length`;
    if (!columns) return `${name}. Drag the striker along the beam.`;
    const touch = columns.event.slice(0, row + 1).filter((event) => event === "touch").length;
    return `${name}: ${columns.phase[row] || "the end"} at ${valueText(columns.time_si[row], "s", 4)}, touch ${touch}, force ${valueText(columns.force_si[row], "N", 4)}.`;
}

export const BEAM = {
    heading: "The beam",
    isOf: (theory) => theory.parameters.some((one) => one.name === "pin_position"),
    knows: (columns) => Boolean(columns.force_si),
    make: (inputs, columns, w, h) => ({inputs, columns, w, h, most: columns ? Math.max(...columns.force) || 1 : 1}),
    draw: drawBeam,
    // The inputs that a place of the picture means.
    drag: (x, w) => ({position: Number(Math.min(1, Math.max(0, (x - BEAM_SIDE) / (w - 2 * BEAM_SIDE))).toPrecision(4))}),
};
