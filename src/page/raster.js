// Pixels of a map: what each shows, and its colour.
import {rgb} from "./vision.js";

export const SOLVED = 1, NO_CELL = -1, FAILURE = 200;

// A raster has w x h pixels, rows from the top: `values` of the field (codes of a category) and `labels`, the
// mode of a solved cell or FAILURE + its outcome; `blocks` of the stored map. view: {x, y, window, at}.
export function storedRaster(map, field, view, w, h) {
    const [x, y] = [view.x, view.y].map((name) => map.axes.findIndex((axis) => axis.name === name));
    const [x0, x1, y0, y1] = view.window;
    let base = 0;
    map.axes.forEach((axis, a) => {
        if (a !== x && a !== y) base += Math.floor((view.at[axis.name] || 0) / axis.stride) * map.strides[a];
    });
    const columns = Array.from({length: w}, (_, i) => map.axes[x].blockAt(x0 + (i + 0.5) / w * (x1 - x0)));
    const blocks = new Int32Array(w * h).fill(NO_CELL);
    for (let j = 0; j < h; j++) {
        const row = y < 0 ? 0 : map.axes[y].blockAt(y1 - (j + 0.5) / h * (y1 - y0));
        if (row < 0) continue;
        const start = base + (y < 0 ? 0 : row * map.strides[y]);
        for (let i = 0; i < w; i++) {
            if (columns[i] >= 0) blocks[j * w + i] = start + columns[i] * map.strides[x];
        }
    }
    return fillRaster(map, field, blocks, w, h);
}

// A raster over w x h pixels, each of which shows the cell of a smaller one that covers it.
export function enlarged({w: columns, h: rows, values, labels}, w, h) {
    const large = {w, h, values: new Float32Array(w * h), labels: new Int16Array(w * h), blocks: null};
    const column = Int32Array.from({length: w}, (_, i) => Math.floor(i * columns / w)), pairs = [[values, large.values], [labels, large.labels]];
    for (let j = 0, last = -1; j < h; j++) {
        const row = Math.floor(j * rows / h);
        for (const [from, to] of pairs) {
            if (row === last) to.copyWithin(j * w, (j - 1) * w, j * w);
            else for (let i = 0; i < w; i++) to[j * w + i] = from[row * columns + column[i]];
        }
        last = row;
    }
    return large;
}

export function emptyRaster(w, h) {
    return {w, h, values: new Float32Array(w * h).fill(NaN), labels: new Int16Array(w * h).fill(NO_CELL), blocks: null};
}

function fillRaster(map, field, blocks, w, h) {
    const values = new Float32Array(w * h).fill(NaN), labels = new Int16Array(w * h).fill(NO_CELL);
    for (let i = 0; i < blocks.length; i++) {
        const block = blocks[i];
        if (block < 0) continue;
        const outcome = map.outcome.at(block);
        const label = map.mode ? map.mode : field.isCategory ? field : null;
        values[i] = field.at(block);
        labels[i] = outcome !== SOLVED ? FAILURE + outcome : label ? label.at(block) : 0;
    }
    return {w, h, values, labels, blocks};
}

const HATCH = {0: (i, j) => (i % 6 < 2) && (j % 6 < 2), 3: (i, j) => (i + j) % 8 < 2,
    4: (i, j) => (i + j) % 8 < 2 || (i - j + 8000) % 8 < 2, 5: (i, j) => (i - j + 8000) % 8 < 2,
    6: (i, j) => i % 8 < 2 || j % 8 < 2};

// A colour as one number, which has its bytes r, g, b and full opacity in memory.
const pixelOf = ([r, g, b]) => new Uint32Array(new Uint8ClampedArray([r, g, b, 255]).buffer)[0];

// Writes the colours of a raster into RGBA bytes. scale: of a real field; colours: [code] of a category.
export function paintRaster(looks, raster, field, {scale, colours}, bytes) {
    const {w, values, labels} = raster, pixels = new Uint32Array(bytes.buffer, bytes.byteOffset, values.length);
    const isOutcome = field.name === "outcome", dark = pixelOf([80, 80, 80]), ofUndefined = pixelOf(rgb(looks.undefined));
    const ofOutcome = Object.fromEntries(Object.entries(looks.outcomes).map(([code, [colour]]) => [code, pixelOf(rgb(colour))]));
    const ofCode = colours ? colours.map((colour) => pixelOf(rgb(colour))) : null;
    const ofPart = scale && Uint32Array.from({length: 256}, (_, i) => pixelOf(scale.bytes.subarray(3 * i, 3 * i + 3)));
    const ofFailure = (outcome, i) => HATCH[outcome]?.(i % w, Math.floor(i / w)) ? dark : ofOutcome[outcome] ?? ofUndefined;
    for (let i = 0; i < values.length; i++) {
        const label = labels[i], value = values[i];
        if (value === values[i - 1] && label === labels[i - 1] && label < FAILURE && !isOutcome) pixels[i] = pixels[i - 1];
        else if (label === NO_CELL) pixels[i] = 0;
        else if (label >= FAILURE || isOutcome) pixels[i] = ofFailure(isOutcome ? value : label - FAILURE, i);
        else if (ofCode) pixels[i] = ofCode[value] ?? ofUndefined;
        else pixels[i] = value === value ? ofPart[scale.indexOf(value)] : ofUndefined;
    }
}

// Darkens the pixels at which one label ends: the boundaries between modes.
export function drawBoundaries(raster, bytes, strength = 0.65) {
    const {w, h, labels} = raster;
    for (let j = 0; j < h; j++) {
        for (let i = 0; i < w; i++) {
            const at = j * w + i, here = labels[at];
            const differs = (other) => other !== here && other !== NO_CELL;
            if (here !== NO_CELL && ((i + 1 < w && differs(labels[at + 1])) || (j + 1 < h && differs(labels[at + w])))) {
                for (let k = 0; k < 3; k++) bytes[4 * at + k] = bytes[4 * at + k] * (1 - strength);
            }
        }
    }
}

// Where each code of a category has most room, for a number that names it without colour: [{code, x, y, room}],
// in pixels; room: to the next other code.
export function roomiest(raster, step = 6) {
    const w = Math.floor(raster.w / step), h = Math.floor(raster.h / step);
    if (w < 3 || h < 3) return [];
    const code = new Int16Array(w * h), room = new Int16Array(w * h);
    for (let j = 0; j < h; j++) {
        for (let i = 0; i < w; i++) {
            const at = (j * step + (step >> 1)) * raster.w + i * step + (step >> 1);
            code[j * w + i] = raster.labels[at] >= FAILURE ? raster.labels[at] : raster.values[at];
        }
    }
    const grow = (i, j, di, dj) => {
        const at = j * w + i, other = (j + dj) * w + i + di;
        const inside = i + di >= 0 && i + di < w && j + dj >= 0 && j + dj < h && code[other] === code[at];
        return inside ? room[other] + 1 : 1;
    };
    for (let j = 0; j < h; j++) {
        for (let i = 0; i < w; i++) room[j * w + i] = Math.min(grow(i, j, -1, 0), grow(i, j, 0, -1), grow(i, j, -1, -1), grow(i, j, 1, -1));
    }
    const best = new Map();
    for (let j = h - 1; j >= 0; j--) {
        for (let i = w - 1; i >= 0; i--) {
            const at = j * w + i;
            room[at] = Math.min(room[at], grow(i, j, 1, 0), grow(i, j, 0, 1), grow(i, j, 1, 1), grow(i, j, -1, 1));
            const known = best.get(code[at]);
            if (!known || room[at] > known.room) best.set(code[at], {code: code[at], i, j, room: room[at]});
        }
    }
    return [...best.values()].map(({code: one, i, j, room: steps}) =>
        ({code: one, x: (i + 0.5) * step, y: (j + 0.5) * step, room: steps * step}));
}
