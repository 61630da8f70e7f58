// The picture of a map as a pen draws it: raster, boundaries, axes, legend or colour bar.
import {inks} from "./inks.js";
import {numberText, unitText} from "./words.js";

// Room for ticks and labels: where the plane of the map is, and where its legend; below the plane of a narrow picture
// there is as much room as roomBelow says. ticks: the width of the longest text beside the plane.
export function layoutOf(w, h, ticks, beside = w >= 640) {
    const left = 26 + Math.min(Math.max(40, ticks), w / 5), right = w >= 640 ? 222 : beside ? 150 : 14, top = 12, bottom = 52;
    const plane = {x: left, y: top, w: Math.max(40, w - left - right), h: Math.max(40, h - top - bottom)};
    return {plane, beside, legend: beside ? {x: plane.x + plane.w + 16, y: top, w: right - 22, h: plane.h}
        : {x: 14, y: plane.y + plane.h + bottom, w: w - 28, h: 0}};
}

export function roomBelow(pen, layout, {legend, bar}) {
    if (layout.beside) return 0;
    return legend ? 22 * Math.min(layout.rows ?? Infinity, Math.ceil(legend.entries.length / columnsOf(pen, layout, legend.entries).across)) + 6 : bar ? 44 : 0;
}

const textOf = (entry) => entry.number ? `${entry.number}  ${entry.text}` : entry.text;

// Columns of a legend: their width, and how many are side by side.
function columnsOf(pen, {legend, beside}, entries) {
    if (beside) return {width: legend.w, across: 1};
    const longest = 32 + Math.max(...entries.map((entry) => pen.widthOf(textOf(entry), 12.5)));
    const across = Math.max(1, Math.floor(legend.w / longest));
    return {width: legend.w / across, across};
}

// scene: {x, y: axes (y null: values), window, image, lines, legend, bar, marks, names, note: a text in the middle}.
export function drawPicture(pen, layout, scene) {
    const {plane} = layout;
    pen.rect(plane.x, plane.y, plane.w, plane.h, {fill: inks.paper});
    pen.clipped(plane.x, plane.y, plane.w, plane.h, () => {
        if (scene.image) drawImage(pen, plane, scene);
        drawLines(pen, plane, scene);
        for (const mark of scene.marks || []) drawMark(pen, plane, scene.window, mark);
        for (const {place, text} of scene.names || []) {
            pen.text(...toPlane(plane, scene.window, place), text, {size: 14, bold: true, align: "center", halo: "#ffffff"});
        }
    });
    if (scene.note) pen.text(plane.x + plane.w / 2, plane.y + plane.h / 2, scene.note, {size: 16, align: "center"});
    pen.rect(plane.x, plane.y, plane.w, plane.h, {stroke: inks.edge});
    drawAxes(pen, plane, scene);
    if (scene.legend) drawLegend(pen, layout, scene.legend);
    if (scene.bar) drawBar(pen, layout, scene.bar);
}

export function toPlane(plane, window, place) {
    const [x0, x1, y0, y1] = window;
    return [plane.x + (place[0] - x0) / (x1 - x0) * plane.w, plane.y + plane.h - (place[1] - y0) / (y1 - y0) * plane.h];
}

function drawImage(pen, plane, {image, imageWindow: [x0, x1, y0, y1], window}) {
    const [left, top] = toPlane(plane, window, [x0, y1]), [right, bottom] = toPlane(plane, window, [x1, y0]);
    pen.image(image, left, top, right - left, bottom - top);
}

// Halos first, so that none covers the end of another line.
function drawLines(pen, plane, scene) {
    const lines = (scene.lines || []).map((line) => ({...line, points: line.places.map((place) => toPlane(plane, scene.window, place))}));
    for (const {points, halo} of lines) if (halo) pen.line(points, {stroke: "#ffffff", width: halo});
    for (const {points, stroke = "#000000", width = 1.2, dash = []} of lines) pen.line(points, {stroke, width, dash});
}

// A picked cell has a letter, because numbers name modes; a junction is a small circle.
function drawMark(pen, plane, window, {place, text, radius = 5}) {
    const [x, y] = toPlane(plane, window, place);
    pen.circle(x, y, radius, {fill: "#ffffff", stroke: "#000000", width: 1.6});
    if (text) pen.text(x, y - 14, text, {size: 13, bold: true, align: "center", halo: "#ffffff"});
}

function drawAxes(pen, plane, {x, y, window}) {
    const [x0, x1, y0, y1] = window;
    for (const {place, text} of withoutOverlap(pen, x.ticks(x0, x1, Math.min(9, Math.max(2, plane.w / 75))), (place) => (place - x0) / (x1 - x0) * plane.w)) {
        const at = plane.x + (place - x0) / (x1 - x0) * plane.w;
        pen.line([[at, plane.y + plane.h], [at, plane.y + plane.h + 5]], {stroke: inks.edge});
        pen.text(at, plane.y + plane.h + 16, text, {align: "center", size: 12.5});
    }
    pen.text(plane.x + plane.w / 2, plane.y + plane.h + 38, x.label, {align: "center", size: 13.5});
    if (!y) return;
    for (const {place, text} of y.ticks(y0, y1, Math.min(9, Math.max(2, plane.h / 45)))) {
        const at = plane.y + plane.h - (place - y0) / (y1 - y0) * plane.h;
        pen.line([[plane.x - 5, at], [plane.x, at]], {stroke: inks.edge});
        pen.text(plane.x - 8, at, shortened(pen, text, plane.x - 26), {align: "right", size: 12.5});
    }
    pen.text(13, plane.y + plane.h / 2, y.label, {align: "center", size: 13.5, turn: -Math.PI / 2});
}

// Ticks whose texts do not touch the one before.
function withoutOverlap(pen, ticks, toPixels) {
    let end = -Infinity;
    return ticks.filter(({place, text}) => {
        const half = pen.widthOf(text, 12.5) / 2, at = toPixels(place);
        if (at - half < end + 6) return false;
        end = at + half;
        return true;
    });
}

export function shortened(pen, text, room, size = 12.5) {
    if (pen.widthOf(text, size) <= room) return text;
    let short = text;
    while (short.length > 1 && pen.widthOf(`${short}…`, size) > room) short = short.slice(0, -1);
    return `${short}…`;
}

function drawLegend(pen, layout, {title, entries}) {
    const {legend, beside} = layout;
    const {width, across} = columnsOf(pen, layout, entries);
    const room = beside ? Math.floor((legend.h - 24) / 22) : (layout.rows ?? Infinity) * across, most = entries.length > room ? room - 1 : room;
    layout.entries = []; // where they are, for those who ask for their meaning
    if (beside) pen.text(legend.x, legend.y + 8, shortened(pen, title, legend.w, 13), {size: 13, bold: true});
    entries.slice(0, most).forEach((entry, i) => {
        const x = legend.x + (i % across) * width, y = legend.y + (beside ? 34 : 8) + Math.floor(i / across) * 22;
        if (entry.isLine) pen.line([[x - 2, y], [x + 18, y]], {stroke: entry.colour, width: entry.width, dash: entry.dash});
        else pen.rect(x, y - 8, 16, 16, {fill: entry.colour, stroke: inks.edge});
        if (entry.hatched) pen.line([[x, y + 8], [x + 16, y - 8]], {stroke: inks.edge, width: 1.5});
        pen.text(x + 23, y, shortened(pen, textOf(entry), width - 26), {size: 12.5});
        layout.entries.push({x, y: y - 11, w: width, h: 22, text: entry.text});
    });
    // For the others the page has a button.
    if (entries.length > most) layout.more = {x: legend.x + (most % across) * width, y: legend.y + (beside ? 34 : 8) + Math.floor(most / across) * 22, count: entries.length - most};
}

// The layout with room for a whole legend, and its height.
export function withWholeLegend(pen, layout, {legend}, height) {
    if (!legend) return {layout, height};
    const all = {...layout, rows: Infinity, legend: {...layout.legend, h: layout.beside ? Infinity : 0}};
    return {layout: all, height: Math.max(height, layout.beside ? layout.legend.y + 34 + 22 * legend.entries.length : layout.legend.y + roomBelow(pen, all, {legend}))};
}

function drawBar(pen, layout, {title, unit, scale, extras}) {
    const {legend, beside} = layout;
    const n = 128, colours = scale.colours(n);
    const shown = unitText(unit) ? `${title} (${unitText(unit)})` : title;
    if (beside) {
        const h = Math.min(legend.h - 30, 320), x = legend.x, y = legend.y + 26;
        wrap(pen, shown, legend.w).slice(0, 1).forEach((line) => pen.text(x, legend.y + 8, line, {size: 13, bold: true}));
        colours.forEach((colour, i) => pen.rect(x, y + h - (i + 1) * h / n - 0.5, 20, h / n + 0.8, {fill: colour}));
        pen.rect(x, y, 20, h, {stroke: inks.edge});
        barTicks(scale, unit).forEach(({part, text}) => {
            pen.line([[x + 20, y + h - part * h], [x + 25, y + h - part * h]], {stroke: inks.edge});
            pen.text(x + 29, y + h - part * h, text, {size: 12.5});
        });
        (extras || []).forEach(({colour, text}, i) => {
            pen.rect(x, y + h + 12 + 22 * i, 16, 16, {fill: colour, stroke: inks.edge});
            pen.text(x + 23, y + h + 20 + 22 * i, text, {size: 12.5});
        });
        return;
    }
    const w = legend.w - 20, x = legend.x + 10, y = legend.y;
    colours.forEach((colour, i) => pen.rect(x + i * w / n, y, w / n + 0.8, 12, {fill: colour}));
    pen.rect(x, y, w, 12, {stroke: inks.edge});
    pen.text(x, y + 24, barText(scale.low, unit), {size: 12});
    pen.text(x + w, y + 24, barText(scale.high, unit), {size: 12, align: "right"});
    pen.text(x + w / 2, y + 24, shown, {size: 12, align: "center", bold: true});
}

const barText = (value, unit) => numberText(unit === "rad" ? value * 180 / Math.PI : value, 4);

function barTicks(scale, unit) {
    return [0, 0.25, 0.5, 0.75, 1].map((part) => ({part, text: barText(scale.valueAt(part), unit)}));
}

function wrap(pen, text, room) {
    return [shortened(pen, text, room, 13)];
}
