// Histories of picked cells: forces with the friction cone, elongations, velocities, energy; two are compared.
import {byId, make} from "./dom.js";
import {DASHES, LINE_COLOURS} from "./looks.js";
import {CanvasPen} from "./pens.js";
import {linearTicks} from "./ticks.js";
import {DEGREES, numberText, spaced, unitText, valueText} from "./words.js";

const QUANTITIES = [[/^gap_/, "Gaps"], [/force/, "Forces"], [/^u\d|displacement/, "Elongations"], [/angular_velocity/, "Angular velocity"], [/velocity|speed/, "Velocities"],
    [/impulse/, "Impulses"], [/work|energy|loss/, "Energy"]];

// The work of a force on the body up to each row.
function workOf(time, force, velocity) {
    const work = new Float64Array(time.length);
    for (let i = 1; i < time.length; i++) {
        work[i] = work[i - 1] + (force[i] * velocity[i] + force[i - 1] * velocity[i - 1]) / 2 * (time[i] - time[i - 1]);
    }
    return work;
}

// The charts of a history: [{title, unit, lines: [{name, values}]}], and the cone where forces are known.
export function chartsOf({units, columns}, inputs) {
    const [first, ...names] = Object.keys(units);
    const charts = new Map();
    const add = (title, unit, line) => {
        const key = `${title} ${unit}`;
        if (!charts.has(key)) charts.set(key, {title, unit, lines: []});
        charts.get(key).lines.push(line);
    };
    // A point that the body does not have is at the mass centre.
    const isAbsent = (name) => name.startsWith("gap_") && columns.body_y && columns[name].every((one, i) => one === columns.body_y[i]);
    for (const name of names.filter((one) => !isAbsent(one))) {
        const isAngle = units[name] === "rad", title = QUANTITIES.find(([pattern]) => pattern.test(name))?.[1] ?? spaced(name);
        add(title, units[name], {name, values: isAngle ? columns[name].map((one) => one * DEGREES) : columns[name]});
    }
    const {time, tangential_force: t, normal_force: n, tangential_velocity: vt, normal_velocity: vn} = columns;
    if ((t || columns.force_1) && n && Number.isFinite(inputs.friction)) {
        const limit = n.map((one) => inputs.friction * one);
        add("Forces", units.normal_force, {name: "friction cone", values: limit, isLimit: true});
        add("Forces", units.normal_force, {name: "", values: limit.map((one) => -one), isLimit: true});
    }
    if (time && t && n && vt && vn && !("kinetic_energy" in columns)) {
        const [normal, tangential] = [workOf(time, n, vn), workOf(time, t, vt)];
        const unit = units.normal_force === "N" ? "J" : "1";
        add("Energy of the body", unit, {name: "work of the normal force", values: normal});
        add("Energy of the body", unit, {name: "work of the tangential force", values: tangential});
        add("Energy of the body", unit, {name: "change of the kinetic energy", values: normal.map((one, i) => one + tangential[i])});
    }
    const order = (chart) => (QUANTITIES.findIndex(([, title]) => chart.title.startsWith(title)) + 1) || Infinity;
    return {along: first, charts: [...charts.values()].sort((one, other) => order(one) - order(other))};
}

export function eventsOf({units, columns}) {
    const along = columns[Object.keys(units)[0]], events = [];
    columns.event?.forEach((name, i) => {
        if (name) events.push({name, at: along[i]});
    });
    return events;
}

// Intervals of the same phase: [{phase, from, to}].
export function phasesOf({units, columns}) {
    const along = columns[Object.keys(units)[0]], phases = [];
    columns.phase?.forEach((phase, i) => {
        const last = phases[phases.length - 1];
        if (last && last.phase === phase) last.to = along[i];
        else phases.push({phase, from: last ? last.to : along[i], to: along[i]});
    });
    return phases;
}

function extent(lists) {
    let low = Infinity, high = -Infinity;
    for (const list of lists) {
        for (const value of list) {
            if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
        }
    }
    if (!(low <= high)) return [0, 1];
    const room = 0.05 * (high - low || Math.abs(high) || 1);
    return [low - room, high + room];
}

// One chart for one or two histories on a canvas. now: the time of the animation of the first one.
function drawChart(canvas, {title, unit, along, alongUnit, sets}, now) {
    const w = Math.max(240, canvas.clientWidth), h = 230, density = Math.min(2, devicePixelRatio || 1);
    Object.assign(canvas, {width: w * density, height: h * density});
    const pen = new CanvasPen(canvas.getContext("2d"));
    pen.context.setTransform(density, 0, 0, density, 0, 0);
    pen.rect(0, 0, w, h, {fill: "#ffffff"});
    const plane = {x: 62, y: 26, w: w - 74, h: h - 74};
    const xs = extent(sets.map((set) => set.along)).map((end, k) => k ? end : Math.max(0, end));
    const ys = extent(sets.flatMap((set) => set.lines.map((line) => line.values)));
    const at = (x, y) => [plane.x + (x - xs[0]) / (xs[1] - xs[0]) * plane.w, plane.y + plane.h - (y - ys[0]) / (ys[1] - ys[0]) * plane.h];
    pen.text(6, 11, unitText(unit) ? `${title} (${unitText(unit)})` : title, {bold: true, size: 13});
    if (ys[0] < 0 && ys[1] > 0) pen.line([at(xs[0], 0), at(xs[1], 0)], {stroke: "#b0b0b0"});
    pen.clipped(plane.x, plane.y, plane.w, plane.h, () => sets.forEach((set, s) => {
        for (const {at: time} of set.events) pen.line([at(time, ys[0]), at(time, ys[1])], {stroke: s ? "#d9b38c" : "#b9cfe0", width: 1});
        set.lines.forEach((line, k) => {
            const points = Array.from(set.along, (x, i) => at(x, line.values[i])).filter(([, y]) => Number.isFinite(y));
            pen.line(points, {stroke: line.isLimit ? "#7a7a7a" : sets.length > 1 ? LINE_COLOURS[s] : LINE_COLOURS[k % LINE_COLOURS.length],
                width: line.isLimit ? 1 : 1.8, dash: line.isLimit ? [4, 4] : DASHES[k % DASHES.length]});
        });
        if (s === 0 && now !== null) pen.line([at(now, ys[0]), at(now, ys[1])], {stroke: "#000000", width: 1.2});
    }));
    pen.rect(plane.x, plane.y, plane.w, plane.h, {stroke: "#505050"});
    for (const {value, text} of linearTicks(xs[0], xs[1], Math.max(2, plane.w / 80))) {
        const [x] = at(value, ys[0]);
        pen.line([[x, plane.y + plane.h], [x, plane.y + plane.h + 4]], {stroke: "#505050"});
        pen.text(x, plane.y + plane.h + 13, text, {size: 11.5, align: "center"});
    }
    for (const {value, text} of linearTicks(ys[0], ys[1], 5)) {
        const [, y] = at(xs[0], value);
        pen.line([[plane.x - 4, y], [plane.x, y]], {stroke: "#505050"});
        pen.text(plane.x - 7, y, text, {size: 11.5, align: "right"});
    }
    const alongText = unitText(alongUnit) ? `${spaced(along)} (${unitText(alongUnit)})` : spaced(along);
    pen.text(plane.x + plane.w / 2, plane.y + plane.h + 32, alongText, {size: 12, align: "center"});
    canvas.setAttribute("aria-label", `${title} over ${alongText}, from ${numberText(ys[0], 3)} to ${numberText(ys[1], 3)}`);
}

// The key of the lines as HTML, so that it wraps and can be read aloud.
function keyOf(lines, several) {
    return make("p", {className: "key"}, ...lines.filter((line) => line.name).map((line) => {
        const k = lines.indexOf(line), svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
        svg.setAttribute("width", 26);
        svg.setAttribute("height", 8);
        for (const [name, value] of [["x1", 0], ["x2", 26], ["y1", 4], ["y2", 4], ["stroke-width", 2], ["stroke", line.isLimit ? "#7a7a7a" : several ? "#1a1a1a" : LINE_COLOURS[k % LINE_COLOURS.length]],
            ["stroke-dasharray", (line.isLimit ? [4, 4] : DASHES[k % DASHES.length]).join(" ")]]) stroke.setAttribute(name, value);
        svg.append(stroke);
        return make("span", {}, svg, ` ${spaced(line.name).replace(/^u(\d)$/, "elongation u$1")}`);
    }));
}

export class Histories {
    constructor(page) {
        this.page = page;
        this.shown = [];
        this.now = null;
        this.charts = [];
        page.view.listen((changed) => changed.includes("picks") && this.show());
        new ResizeObserver(() => this.draw()).observe(byId("histories"));
        this.show();
    }

    // Traces the picked cells and draws them.
    async show() {
        const picks = this.page.view.shown.picks, theory = this.page.theory;
        const asked = this.asked = JSON.stringify(picks);
        const histories = await Promise.all(picks.map((inputs) => this.page.trace(inputs).then((history) => ({inputs, history}),
            (error) => ({inputs, message: error.message}))));
        if (asked !== this.asked) return;
        this.shown = histories;
        const box = byId("histories");
        if (!picks.length) {
            box.replaceChildren();
            this.charts = [];
            this.page.animated(null);
            return;
        }
        const words = (inputs) => Object.entries(inputs).filter(([name]) => name === this.page.view.shown.x || name === this.page.view.shown.y)
            .map(([name, value]) => `${spaced(name)} ${typeof value === "string" ? spaced(value) : valueText(value, this.page.unitOf(name), 5)}`).join(", ");
        const heads = histories.map(({inputs, history, message}, s) => make("li", {}, make("strong", {}, `${"AB"[s]}  ${words(inputs)}`), message ? `: ${message}`
            : `: ${phasesOf(history).map(({phase}) => phase).filter(Boolean).join(", ")}; ${eventsOf(history).map(({name, at}) => `${spaced(name)} at ${valueText(at, Object.values(history.units)[0], 4)}`).join(", ")}`));
        const good = histories.filter(({history}) => history);
        this.charts = this.join(good);
        box.replaceChildren(make("h2", {}, picks.length > 1 ? "Two histories" : "History"), make("ul", {className: "picks"}, ...heads),
            make("div", {className: "controls"}, make("button", {type: "button", onclick: () => this.page.view.set({picks: []})}, "Forget the picked cells")),
            theory.history ? make("div", {className: "charts"}, ...this.charts.map((chart) => make("figure", {}, chart.canvas, keyOf(chart.sets[0].lines, good.length > 1)))) : make("p", {}, "The theory has no history."));
        this.draw();
        this.page.animated(good[0] || null);
    }

    // Charts of the same quantity side by side in one picture.
    join(good) {
        const charts = [];
        good.forEach(({history, inputs}) => {
            const {along, charts: own} = chartsOf(history, inputs), events = eventsOf(history);
            for (const {title, unit, lines} of own) {
                let chart = charts.find((one) => one.title === title && one.unit === unit);
                if (!chart) {
                    chart = {title, unit, along, alongUnit: history.units[along], sets: [], canvas: make("canvas", {role: "img", className: "chart"})};
                    charts.push(chart);
                }
                chart.sets.push({along: history.columns[along], lines, events});
            }
        });
        return charts;
    }

    draw() {
        for (const chart of this.charts || []) if (chart.canvas.isConnected) drawChart(chart.canvas, chart, this.now);
    }

    // Follows the animation, a dozen times in a second.
    setNow(now) {
        this.now = now;
        this.later ??= setTimeout(() => {
            this.later = null;
            this.draw();
        }, 80);
    }
}

