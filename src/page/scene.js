// The scene of a picture: raster, colours, legend and lines, from a map and what is to be shown of it.
import {inks} from "./inks.js";
import {DASHES, Scale, categoryColours} from "./looks.js";
import {FAILURE, NO_CELL, SOLVED, drawBoundaries, emptyRaster, paintRaster, roomiest, storedRaster} from "./raster.js";
import {OUTCOMES} from "./live.js";
import {linearTicks} from "./ticks.js";
import {DEGREES, labelOf, spaced} from "./words.js";

// Values from the bottom to the top of a graph, with a little room around those of the scale.
function graphSpan({low, high}) {
    const room = 0.04 * (high - low);
    return {low: low - room, high: high + room};
}

// The vertical axis of a graph: values of the field.
function valueAxis(field, scale) {
    const factor = field.unit === "rad" ? DEGREES : 1;
    return {name: null, label: labelOf(field.name, field.unit), ticks: (from, to, most) => {
        const at = (place) => (scale.low + place * (scale.high - scale.low)) * factor;
        return linearTicks(at(from), at(to), most)
            .map(({value, text}) => ({place: (value / factor - scale.low) / (scale.high - scale.low), text}));
    }};
}

const canvasOf = (raster) => {
    const canvas = document.createElement("canvas");
    canvas.width = raster.w;
    canvas.height = raster.h;
    return canvas;
};

// Values that set the scale: all of the field that are stored, a part of many.
export function valuesOf(map, field) {
    const step = Math.max(1, Math.floor(map.blocks / 200000)), values = [];
    for (let block = 0; block < map.blocks; block += step) values.push(field.at(block));
    return values;
}

// map: axes, fields; shown: a view; raster: null for the stored one. Returns {scene, raster, scale, colours}.
// field: another one than that of the view, with colours of its own.
export function sceneOf({looks, map, shown, scaleOf, hasCurves, field = map.field(shown.field)}, w, h, liveRaster) {
    const [x, y] = [shown.x, shown.y].map((name) => map.axes.find((axis) => axis.name === name) || null);
    const raster = liveRaster || (map.blocks ? keptRaster(map, field, shown, w, y ? h : 1) : emptyRaster(w, y ? h : 1));
    const colours = field.isCategory ? field.colours ?? categoryColours(looks, field.names) : null;
    const scale = colours ? null : scaleOf(field, shown.scale, raster);
    // A raster that was solved for another window shows its part of this one.
    const window = raster.window ?? shown.window;
    const scene = {x, y, window: shown.window, lines: [], marks: [], names: [], imageWindow: window};
    if (!y && scale) {
        const span = graphSpan(scale);
        scene.y = valueAxis(field, span);
        Object.assign(scene, liveRaster || !map.blocks ? {lines: graphOf(raster, window, span)} : familyOf(map, field, shown, span));
    } else {
        scene.image = imageOf(looks, raster, field, {scale, colours}, shown.boundaries && !hasCurves);
    }
    if (colours) {
        Object.assign(scene, categoryLegend(looks, raster, field, colours, shown, window));
    } else {
        scene.bar = {title: field.label, unit: field.unit, scale, extras: failureEntries(looks, raster, field)};
        if (!y) scene.bar = null;
    }
    return {scene, raster, scale, colours};
}

// The last raster of each map: a pointer that moves draws the same one again and again.
const rasters = new WeakMap();

function keptRaster(map, field, shown, w, h) {
    const key = JSON.stringify([field.key, shown.x, shown.y, shown.at, shown.window, w, h]);
    if (rasters.get(map)?.key !== key) rasters.set(map, {key, raster: storedRaster(map, field, shown, w, h)});
    return rasters.get(map).raster;
}

// The last image of each raster.
const images = new WeakMap();

function imageOf(looks, raster, field, {scale, colours}, boundaries) {
    const key = JSON.stringify([field.key, colours ?? [scale.low, scale.high, scale.log, scale.name], boundaries]);
    if (images.get(raster)?.key !== key) images.set(raster, {key, canvas: paintedImage(looks, raster, field, {scale, colours}, boundaries)});
    return images.get(raster).canvas;
}

function paintedImage(looks, raster, field, palette, boundaries) {
    const canvas = canvasOf(raster), context = canvas.getContext("2d");
    const pixels = context.createImageData(raster.w, raster.h);
    paintRaster(looks, raster, field, palette, pixels.data);
    if (boundaries && raster.h > 1) drawBoundaries(raster, pixels.data);
    context.putImageData(pixels, 0, 0);
    return canvas;
}

// One curve for each value of a further axis with few values, else one alone.
function familyOf(map, field, shown, scale) {
    const axis = map.axes.find((one) => one.name !== shown.x && one.size > 1 && one.size <= 8);
    if (!axis) return {lines: curveOf(map, field, shown, scale)};
    const lines = [], entries = [];
    for (let index = 0; index < axis.size; index += axis.stride) {
        const look = {stroke: inks.lines[entries.length % inks.lines.length], width: 1.8, dash: DASHES[entries.length % DASHES.length]};
        const curve = curveOf(map, field, {...shown, at: {...shown.at, [axis.name]: index}}, scale);
        lines.push(...curve.map((line) => ({...line, ...look})));
        entries.push({...look, colour: look.stroke, text: axis.textAt(index), isLine: true});
    }
    return {lines, legend: {title: axis.label, entries}};
}

// The stored cells along the horizontal axis, joined.
function curveOf(map, field, shown, scale) {
    const axis = map.axes.find((one) => one.name === shown.x);
    const points = Array.from({length: axis.blocks}, (_, block) => {
        const number = map.blockAt(map.axes.map((one) => one === axis ? block : Math.floor((shown.at[one.name] || 0) / one.stride)));
        const value = map.outcome.at(number) === SOLVED ? field.at(number) : NaN;
        return [axis.placeOf(axis.values[map.indicesOf(map.cellOf(number))[map.axes.indexOf(axis)]]), value];
    });
    return joined(points, scale);
}

function graphOf(raster, [x0, x1], scale) {
    return joined(Array.from(raster.values, (value, i) => [x0 + (i + 0.5) / raster.w * (x1 - x0), value]), scale);
}

// Lines through points of places and values; a value that is undefined ends a line.
function joined(points, scale) {
    const lines = [];
    let places = [];
    for (const [place, value] of [...points, [NaN, NaN]]) {
        if (Number.isFinite(value)) {
            places.push([place, (value - scale.low) / (scale.high - scale.low)]);
        } else if (places.length) {
            lines.push({places, stroke: inks.lines[0], width: 1.8});
            places = [];
        }
    }
    return lines;
}

// What can be seen of a raster: codes of a category, outcomes of cells that were not solved, and whether values are undefined.
const sights = new WeakMap();

function sightOf(raster, field) {
    if (!sights.has(raster)) sights.set(raster, sightIn(raster, field));
    return sights.get(raster);
}

function sightIn({labels, values}, field) {
    const codes = new Set(), failures = new Set(), isOutcome = field.name === "outcome";
    let isUndefined = false, lastLabel = NO_CELL, lastValue = NaN;
    for (let i = 0; i < labels.length; i++) {
        const label = labels[i], value = values[i];
        if (label === NO_CELL || (label === lastLabel && value === lastValue)) continue;
        if (label >= FAILURE) failures.add(label - FAILURE);
        if (field.isCategory && value === value && (label < FAILURE || isOutcome)) codes.add(value);
        if (value !== value && label < FAILURE) isUndefined = !field.isCategory;
        [lastLabel, lastValue] = [label, value];
    }
    return {codes: [...codes], failures: [...failures], isUndefined};
}

// A legend keeps in a preview what it had in the whole picture before.
const sightsOf = (raster, field) => [raster, raster.before].filter(Boolean).map((one) => sightOf(one, field));

function failureEntries(looks, raster, field) {
    const entries = [], sights = sightsOf(raster, field), seen = new Set(sights.flatMap(({failures}) => failures));
    if (sights.some(({isUndefined}) => isUndefined)) entries.push({colour: looks.undefined, text: "undefined here"});
    for (const code of [...seen].sort()) {
        const [colour, hatch] = looks.outcomes[code] || [looks.undefined, ""];
        entries.push({colour, hatched: hatch !== "", text: spaced(OUTCOMES[code] || `outcome ${code}`)});
    }
    return entries;
}

const placeIn = ([x0, x1, y0, y1], x, y) => [x0 + x * (x1 - x0), y0 + y * (y1 - y0)];

// The codes that can be seen, with numbers in the picture so that colours are not needed.
function categoryLegend(looks, raster, field, colours, shown, window) {
    const codes = [...new Set(sightsOf(raster, field).flatMap((one) => one.codes))].sort((a, b) => a - b);
    const entries = codes.map((code, i) => ({code, number: String(i + 1), colour: colours[code] || looks.undefined,
        text: spaced(field.names[code] ?? `code ${code}`)}));
    const names = !shown.numbers || raster.h < 2 ? [] : roomiest(raster)
        .filter(({code, room}) => room >= 12 && entries.some((entry) => entry.code === code))
        .map(({code, x, y}) => ({place: placeIn(window, x / raster.w, 1 - y / raster.h), text: entries.find((entry) => entry.code === code).number}));
    return {names, legend: {title: field.label, entries: [...entries, ...failureEntries(looks, raster, field)]}};
}

// Scales of the whole stored map, so that they stay while one looks around; where nothing is stored, those of
// what is seen.
export function makeScaleOf(looks, map, isChanged) {
    const known = new Map(); // values of a field are gathered once
    return (field, asked, raster) => {
        const stored = field.array && !isChanged();
        if (stored && !known.has(field.key)) known.set(field.key, valuesOf(map, field));
        return new Scale(looks, field.name, stored ? known.get(field.key) : solvedValues(raster), asked);
    };
}

// Values that are seen: their ends, and every few of many, whose order is enough for a scale.
function solvedValues(raster) {
    if (!raster) return [];
    const {labels, values} = raster, step = Math.max(1, Math.floor(values.length / 20000)), some = [];
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < values.length; i++) {
        if (labels[i] >= FAILURE || values[i] !== values[i]) continue;
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
        if (i % step === 0) some.push(values[i]);
    }
    return low > high ? some : [low, high, ...some];
}
