// A picture of a map in words, for those who do not see it: shares and ranges of modes or the extremes of values, and what one
// meets along three lines.
import {FAILURE, NO_CELL} from "./raster.js";
import {percentText, spaced, valueText} from "./words.js";

const LINES = [0.25, 0.5, 0.75]; // from the bottom of the picture

const percent = (part) => percentText(part).replace(/\.00/, "");

// What is seen with its share and its range along each axis, the largest first.
function sharesOf({values, labels, w}, nameOf, between) {
    const found = new Map();
    let all = 0;
    for (let i = 0; i < values.length; i++) {
        if (labels[i] === NO_CELL) continue;
        const name = labels[i] >= FAILURE ? "not solved" : nameOf(values[i]), x = i % w, y = Math.floor(i / w);
        if (!found.has(name)) found.set(name, {count: 0, x0: x, x1: x, y0: y, y1: y});
        const one = found.get(name);
        [one.x0, one.x1, one.y1] = [Math.min(one.x0, x), Math.max(one.x1, x), y];
        one.count++;
        all++;
    }
    return [...found].sort(([, one], [, other]) => other.count - one.count).map(([name, one]) => `${name} ${percent(one.count / all)} (${between(one)})`);
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
    const yAt = (part) => textAt(y, y0 + part * (y1 - y0)), {w, h} = raster;
    const at = (i) => `${spaced(x.name)} ${xAt((i % w + 0.5) / w)}${y ? `, ${spaced(y.name)} ${yAt(1 - (Math.floor(i / w) + 0.5) / h)}` : ""}`;
    const between = (one) => `${spaced(x.name)} ${xAt(one.x0 / w)} to ${xAt((one.x1 + 1) / w)}${y ? `, ${spaced(y.name)} ${yAt(1 - (one.y1 + 1) / h)} to ${yAt(1 - one.y0 / h)}` : ""}`;
    if (field.isCategory) sentences.push(`${sharesOf(raster, nameOf, between).join("; ")}.`);
    else sentences.push(rangeText(raster, field, at));
    const rows = y && raster.h > 3 ? LINES : [0];
    for (const part of rows) {
        const row = y ? Math.min(raster.h - 1, Math.floor((1 - part) * raster.h)) : 0;
        const words = field.isCategory ? alongRow(raster, row, nameOf, xAt) : ofRow(raster, row, field, xAt);
        if (words) sentences.push(`${y ? `At ${spaced(y.name)} ${textAt(y, y0 + part * (y1 - y0))}, along ${spaced(x.name)}` : `Along ${spaced(x.name)}`}: ${words}.`);
    }
    return sentences.join(" ");
}

// The extremes and where they are.
function rangeText({values, labels}, field, at) {
    let low = -1, high = -1;
    values.forEach((value, i) => {
        if (labels[i] >= FAILURE || labels[i] === NO_CELL || value !== value) return;
        if (low < 0 || value < values[low]) low = i;
        if (high < 0 || value > values[high]) high = i;
    });
    return low < 0 ? "No value here is defined." : `From ${valueText(values[low], field.unit, 3)} at ${at(low)} to ${valueText(values[high], field.unit, 3)} at ${at(high)}.`;
}
