// What differs between two pictures of one field: reals as the first minus the second, categories as pairs of names.
import {moreColours} from "./vision.js";
import {FAILURE, NO_CELL} from "./raster.js";
import {categoryColours, rangeOf} from "./looks.js";
import {spaced} from "./words.js";

const SAME = "#f2f2f0", MOST_PAIRS = 24; // pairs of names with colours of their own

const nameOf = (field, code) => (field.agreed ?? field).names[code] ?? `code ${code}`;

// {raster, field, asked: the scale} to draw; null where the pictures do not have the same pixels. sides: their names; before:
// for two previews what was found of the whole pictures before them, whose pairs keep their colours.
export function differenceOf(looks, [one, other], [field, second], sides, before = null) {
    if (!one || !other || one.w !== other.w || one.h !== other.h || JSON.stringify(one.window) !== JSON.stringify(other.window)) return null;
    const n = one.values.length, labels = new Int16Array(n), values = new Float32Array(n);
    for (let i = 0; i < n; i++) {
        const [a, b] = [one.labels[i], other.labels[i]];
        labels[i] = a === NO_CELL || b === NO_CELL ? NO_CELL : a >= FAILURE ? a : b >= FAILURE ? b : 0;
    }
    const known = before?.field.label === titleOf(field, sides) ? before : null;
    const raster = {w: one.w, h: one.h, values, labels, blocks: null, window: one.window, square: one.square, before: known?.raster};
    return field.isCategory ? pairsOf(looks, raster, [one, other], [field, second], sides, known) : minus(raster, one, other, field, sides);
}

const titleOf = (field, sides) => `${field.label}: ${sides.join(field.isCategory ? " | " : " − ")}`;

function minus(raster, one, other, field, sides) {
    const {values, labels} = raster, some = [], step = Math.max(1, Math.floor(values.length / 20000));
    for (let i = 0; i < values.length; i++) {
        values[i] = one.values[i] - other.values[i];
        if (i % step === 0 && labels[i] === 0 && values[i] === values[i]) some.push(values[i]);
    }
    const reach = Math.max(...rangeOf(some.length ? some : [0]).map(Math.abs)) || 1;
    return {raster, asked: {low: -reach, high: reach}, field: {key: field.key, name: "difference", label: titleOf(field, sides), unit: field.unit, isCategory: false, array: null}};
}

// The pairs that cover most come first, in colours that no mode of either side has; the rest are one entry.
function pairsOf(looks, raster, [one, other], [field, second], sides, known) {
    const {values, labels} = raster, keyAt = (i) => one.values[i] * 4096 + other.values[i], counts = new Map();
    for (let i = 0; i < values.length; i++) if (labels[i] === 0) counts.set(keyAt(i), (counts.get(keyAt(i)) ?? 0) + 1);
    const names = ["the same"], codes = new Map();
    const keys = [...new Set([...known?.keys ?? [], ...[...counts].sort((a, b) => b[1] - a[1]).map(([key]) => key)])];
    for (const key of keys) {
        const [a, b] = [nameOf(field, Math.floor(key / 4096)), nameOf(second, key % 4096)];
        codes.set(key, a === b ? 0 : Math.min(names.length, MOST_PAIRS));
        if (a !== b) names.push(`${spaced(a)} | ${spaced(b)}`);
    }
    if (names.length > MOST_PAIRS + 1) names.splice(MOST_PAIRS, Infinity, "other pairs");
    for (let i = 0; i < values.length; i++) if (labels[i] === 0) labels[i] = values[i] = codes.get(keyAt(i)); // boundaries are those of the pairs
    const taken = new Set([field, second].flatMap((side) => Object.values(categoryColours(looks, side.names))));
    const colours = [SAME, ...moreColours(looks, names.length - 1, [SAME, looks.undefined, ...taken])];
    return {raster, keys, asked: {}, field: {key: field.key, name: "difference", label: titleOf(field, sides), unit: "1", isCategory: true, names, colours, array: null}};
}
