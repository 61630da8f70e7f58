// A picture of a map in words, for those who do not see it: shares, and where one looks along three lines.
import {FAILURE, NO_CELL} from "./raster.js";
import {percentText, spaced, valueText} from "./words.js";

const LINES = [0.25, 0.5, 0.75]; // from the bottom of the picture

const percent = (part) => percentText(part).replace(/\.00/, "");

// {text: share} of what is seen, the largest first.
function sharesOf({values, labels}, nameOf) {
    const counts = new Map();
    let all = 0;
    for (let i = 0; i < values.length; i++) {
        if (labels[i] === NO_CELL) continue;
        const name = labels[i] >= FAILURE ? "not solved" : nameOf(values[i]);
        counts.set(name, (counts.get(name) ?? 0) + 1);
        all++;
    }
    return [...counts].sort((one, other) => other[1] - one[1]).map(([name, count]) => `${name} ${percent(count / all)}`);
}

// The intervals of one row: "wedge below 13°, slip from 13° to 40°, stick above".
function alongRow(raster, row, nameOf, valueAt) {
    const runs = [], first = row * raster.w;
    for (let i = 0; i < raster.w; i++) {
        const at = first + i, name = raster.labels[at] === NO_CELL ? "" : raster.labels[at] >= FAILURE ? "not solved" : nameOf(raster.values[at]);
        if (runs.at(-1)?.name === name) runs.at(-1).to = i + 1;
        else runs.push({name, from: i, to: i + 1});
    }
    const wide = runs.filter(({name, from, to}) => name && to - from >= raster.w / 100);
    if (wide.length === 1) return `${wide[0].name} throughout`;
    return wide.map(({name, from, to}, k) => k === 0 ? `${name} below ${valueAt(to / raster.w)}` : k === wide.length - 1 ? `${name} above ${valueAt(from / raster.w)}`
        : `${name} from ${valueAt(from / raster.w)} to ${valueAt(to / raster.w)}`).join(", ");
}

// Three values of a row of a real field.
const ofRow = (raster, row, field, valueAt) => LINES.map((part) => {
    const value = raster.values[row * raster.w + Math.floor(part * raster.w)];
    return `${valueText(value, field.unit, 3)} at ${valueAt(part)}`;
}).join(", ");

// field, x and y (axes, y null of a graph) of a picture over a window; raster: what is seen.
export function wordsOf({field, x, y, window: [x0, x1, y0, y1], raster}) {
    if (!raster) return "";
    const nameOf = (code) => spaced(field.names[code] ?? `code ${code}`);
    const textAt = (axis, place) => axis.isNumbers ? valueText(axis.inside(place), axis.unit, 3) : axis.textAt(axis.indexAt(Math.min(0.9999, Math.max(0, place))));
    const xAt = (part) => textAt(x, x0 + part * (x1 - x0));
    const ends = (axis, from, to) => `${spaced(axis.name)} from ${textAt(axis, from)} to ${textAt(axis, to)}`;
    const sentences = [`${field.label} over ${ends(x, x0, x1)}${y ? ` and ${ends(y, y0, y1)}` : ""}.`];
    if (field.isCategory) sentences.push(`${sharesOf(raster, nameOf).join(", ")}.`);
    else sentences.push(rangeText(raster, field));
    const rows = y && raster.h > 3 ? LINES : [0];
    for (const part of rows) {
        const row = y ? Math.min(raster.h - 1, Math.floor((1 - part) * raster.h)) : 0;
        const words = field.isCategory ? alongRow(raster, row, nameOf, xAt) : ofRow(raster, row, field, xAt);
        if (words) sentences.push(`${y ? `At ${spaced(y.name)} ${textAt(y, y0 + part * (y1 - y0))}, along ${spaced(x.name)}` : `Along ${spaced(x.name)}`}: ${words}.`);
    }
    return sentences.join(" ");
}

function rangeText(raster, field) {
    let low = Infinity, high = -Infinity;
    raster.values.forEach((value, i) => {
        if (raster.labels[i] < FAILURE && value === value) [low, high] = [Math.min(low, value), Math.max(high, value)];
    });
    return low > high ? "No value here is defined." : `From ${valueText(low, field.unit, 3)} to ${valueText(high, field.unit, 3)}.`;
}
