// Histories of picked cells: forces with the friction cone, elongations, velocities, energy; two are compared.
import {byId, make} from "./dom.js";
import {inks} from "./inks.js";
import {dashesOf} from "./looks.js";
import {CanvasPen} from "./pens.js";
import {linearTicks} from "./ticks.js";
import {DEGREES, numberText, spaced, unitText, valueText} from "./words.js";

const QUANTITIES = [[/^gap_/, "Gaps"], [/force/, "Forces"], [/angular_velocity/, "Angular velocity"], [/velocity|speed|_rate$/, "Velocities"], [/^u\d|displacement/, "Elongations"],
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

// One chart for some histories on a canvas. now: the time of the animation of the last one.
function drawChart(canvas, {title, unit, along, alongUnit, sets}, now) {
    const w = Math.max(220, canvas.clientWidth), h = Math.max(96, canvas.clientHeight), density = Math.min(2, devicePixelRatio || 1), isLow = h < 200;
    Object.assign(canvas, {width: w * density, height: h * density});
    const pen = new CanvasPen(canvas.getContext("2d"));
    pen.context.setTransform(density, 0, 0, density, 0, 0);
    pen.rect(0, 0, w, h, {fill: inks.paper});
    const plane = {x: 58, y: 24, w: w - 68, h: h - (isLow ? 44 : 72)};
    const xs = extent(sets.map((set) => set.along)).map((end, k) => k ? end : Math.max(0, end));
    const ys = extent(sets.flatMap((set) => set.lines.map((line) => line.values)));
    const at = (x, y) => [plane.x + (x - xs[0]) / (xs[1] - xs[0]) * plane.w, plane.y + plane.h - (y - ys[0]) / (ys[1] - ys[0]) * plane.h];
    const alongText = unitText(alongUnit) ? `${spaced(along)} (${unitText(alongUnit)})` : spaced(along);
    const heading = `${title}${unitText(unit) ? ` (${unitText(unit)})` : ""}`, hasRoom = pen.widthOf(heading, 13) + pen.widthOf(`over ${alongText}`, 11.5) + 36 < w;
    pen.text(4, 10, heading, {bold: true, size: 13});
    if (isLow && hasRoom) pen.text(w - 10, 10, `over ${alongText}`, {size: 11.5, align: "right", fill: inks.soft});
    if (ys[0] < 0 && ys[1] > 0) pen.line([at(xs[0], 0), at(xs[1], 0)], {stroke: inks.faint});
    pen.clipped(plane.x, plane.y, plane.w, plane.h, () => sets.forEach((set, s) => {
        for (const {at: time} of set.events) pen.line([at(time, ys[0]), at(time, ys[1])], {stroke: inks.events[s % 3], width: 1});
        set.lines.forEach((line, k) => pen.line(Array.from(set.along, (x, i) => at(x, line.values[i])).filter(([, y]) => Number.isFinite(y)), lookOf(line, k, s, sets.length)));
        if (s === sets.length - 1 && now !== null) pen.line([at(now, ys[0]), at(now, ys[1])], {stroke: inks.ink, width: 1.2});
    }));
    pen.rect(plane.x, plane.y, plane.w, plane.h, {stroke: inks.edge});
    for (const {value, text} of linearTicks(xs[0], xs[1], Math.max(2, plane.w / 80))) {
        const [x] = at(value, ys[0]);
        pen.line([[x, plane.y + plane.h], [x, plane.y + plane.h + 4]], {stroke: inks.edge});
        pen.text(x, plane.y + plane.h + 12, text, {size: 11.5, align: "center"});
    }
    for (const {value, text} of linearTicks(ys[0], ys[1], isLow ? 4 : 5)) {
        const [, y] = at(xs[0], value);
        pen.line([[plane.x - 4, y], [plane.x, y]], {stroke: inks.edge});
        pen.text(plane.x - 7, y, text, {size: 11.5, align: "right"});
    }
    if (!isLow) pen.text(plane.x + plane.w / 2, plane.y + plane.h + 32, alongText, {size: 12, align: "center"});
    canvas.setAttribute("aria-label", `${title} over ${alongText}, from ${numberText(ys[0], 3)} to ${numberText(ys[1], 3)}`);
}

// Line k of the history s: lines of one history differ in colour and dashes, those of several in colour by the history.
const lookOf = (line, k, s, several) => ({stroke: line.isLimit ? inks.limit : inks.lines[(several > 1 ? s : k) % inks.lines.length],
    width: line.isLimit ? 1 : 1.8, dash: line.isLimit ? [4, 4] : dashesOf(k)});

// The key of the lines as HTML, so that it wraps and can be read aloud.
function keyOf(lines, several) {
    return make("p", {className: "key"}, ...lines.filter((line) => line.name).map((line) => {
        const k = lines.indexOf(line), svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line"), look = lookOf(line, k, 0, 1);
        svg.setAttribute("width", 26);
        svg.setAttribute("height", 8);
        svg.setAttribute("aria-hidden", true);
        for (const [name, value] of [["x1", 0], ["x2", 26], ["y1", 4], ["y2", 4], ["stroke-width", 2], ["stroke", several && !line.isLimit ? inks.ink : look.stroke],
            ["stroke-dasharray", look.dash.join(" ")]]) stroke.setAttribute(name, value);
        svg.append(stroke);
        return make("span", {}, svg, ` ${spaced(line.name).replace(/^u(\d)$/, "elongation u$1")}`);
    }));
}

export const AFTER_SLIDER = 100; // milliseconds until the cell follows

// The same cell, by any order of its inputs.
const sameCell = (one, other) => JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());

export class Histories {
    constructor(page) {
        Object.assign(this, {page, now: null, charts: [], pointed: null, asked: "", known: new Map(), head: make("div", {}), body: make("div", {className: "charts"})});
        page.view.listen((changed, by) => changed.some((name) => name !== "window" && name !== "scale") && this.showFor(by));
        new ResizeObserver(() => this.draw()).observe(byId("histories"));
        byId("histories").replaceChildren(this.body, this.head);
        document.addEventListener("scroll", () => this.draw(), {passive: true, capture: true}); // of the page, or of the panel
        this.show();
    }

    // While a slider moves the map comes first.
    showFor(by) {
        if (by !== "slider") this.show();
        else this.next ??= setTimeout(() => {
            this.next = null;
            this.show();
        }, AFTER_SLIDER);
    }

    // The cell under the pointer; null: there is none.
    point(inputs) {
        this.pointed = inputs;
        this.show();
    }

    // What is drawn: the cell under the pointer, or else the picked ones, and the last of them as the sliders are now.
    cells() {
        const {picks} = this.page.view.shown;
        if (this.isPointing()) return [{name: "", inputs: this.pointed}, ...this.page.besides(this.pointed)];
        const cells = this.picked(), now = this.pickedNow(picks.at(-1));
        return now ? [...cells, {name: "now", inputs: now}] : picks.length === 1 ? [...cells, ...this.page.besides(picks[0])] : cells;
    }

    picked() {
        return this.page.view.shown.picks.map((inputs, i) => ({name: "AB"[i], inputs}));
    }

    // Whether the pointer is at another cell than the one that was picked last.
    isPointing() {
        const last = this.page.view.shown.picks.at(-1);
        return Boolean(this.pointed) && !(last && sameCell(this.pointed, last));
    }

    pickedNow(pick) {
        const {x, y} = this.page.view.shown, sides = [x, y].filter(Boolean), inputs = pick && this.page.inputsAt(this.page.view.shown);
        if (!pick || !y || !sides.every((side) => typeof pick[side] === "number" && side in inputs)) return null;
        for (const side of sides) inputs[side] = pick[side];
        return sameCell(this.page.given(inputs), this.page.given(this.page.completedCell(pick))) ? null : inputs;
    }

    // Traces the cells, one set at a time, the newest next.
    async show() {
        this.wanted = this.cells();
        if (this.isTracing) return;
        this.isTracing = true;
        try {
            while (this.wanted) {
                const cells = this.wanted, asked = JSON.stringify([this.page.theoryName, cells]);
                this.wanted = null;
                if (asked !== this.asked) await this.trace(cells, asked);
            }
        } finally {
            this.isTracing = false;
        }
    }

    async trace(cells, asked) {
        const [traced, picked] = await Promise.all([cells, this.picked()].map((list) => Promise.all(list.map((cell) => this.traced(cell)))));
        if (this.page.theoryName !== JSON.parse(asked)[0]) return;
        this.asked = asked;
        const good = traced.filter(({history}) => history);
        this.head.replaceChildren(...this.heads(traced, picked));
        this.join(good);
        this.draw();
        this.page.animated(good.findLast((one) => !one.trace) ?? null);
    }

    // Of a cell, with its history or the message of the solver; the last ones are known.
    traced(cell) {
        const key = JSON.stringify([this.page.theoryName, cell.name.length > 1 && cell.name, cell.inputs]);
        if (!this.known.has(key)) {
            if (this.known.size > 12) this.known.delete(this.known.keys().next().value);
            this.known.set(key, (cell.trace?.() ?? this.page.trace(this.page.completedCell(cell.inputs))).then((history) => ({history}), (error) => ({message: error.message})));
        }
        return this.known.get(key).then((found) => ({...cell, ...found}));
    }

    heads(traced, picked) {
        if (!traced.length) return [make("p", {className: "hint"}, "Point at the map to see forces and velocities of a cell; a click keeps it.")];
        const several = traced.length > 1, place = traced.filter(({name}) => name.length !== 1);
        const title = this.isPointing() ? "Under the pointer" : picked.length > 1 ? "Two histories" : "History";
        const forget = picked.length ? make("button", {type: "button", className: "plain", onclick: () => this.page.view.set({picks: []})}, "Forget the picked cells") : "";
        return [make("h2", {}, title), ...place.map((cell) => this.headOf("p", cell, several && traced.indexOf(cell))),
            picked.length ? make("ul", {className: "picks"}, ...picked.map((cell) => this.headOf("li", cell, several && !this.isPointing() && traced.findIndex(({name}) => name === cell.name)))) : "",
            forget, this.page.theory.history ? "" : make("p", {}, "The theory has no history.")];
    }

    // A cell in words; set: the number of its lines, false where all lines are its own.
    headOf(tag, {name, inputs, history, message}, set) {
        const {x, y} = this.page.view.shown, swatch = set === false ? "" : make("span", {className: "swatch"});
        const words = [x, y].filter((one) => one in inputs).map((one) => [one, inputs[one]])
            .map(([one, value]) => `${spaced(one)} ${typeof value === "string" ? spaced(value) : valueText(value, this.page.unitOf(one), 5)}`).join(", ");
        const told = message ?? `${phasesOf(history).map(({phase}) => phase).filter(Boolean).join(", ")}; ${eventsOf(history).map((one) => `${spaced(one.name)} at ${valueText(one.at, Object.values(history.units)[0], 4)}`).join(", ")}`;
        if (swatch) swatch.style.background = inks.lines[set % inks.lines.length];
        return make(tag, {}, swatch, make("strong", {}, `${name}${name ? "  " : ""}${words}`), `: ${told}`);
    }

    // Charts of the same quantity side by side in one picture. Those that are there are drawn anew.
    join(good) {
        const charts = [];
        good.forEach(({history, inputs}) => {
            const {along, charts: own} = chartsOf(history, inputs), events = eventsOf(history);
            for (const {title, unit, lines} of own) {
                let chart = charts.find((one) => one.title === title && one.unit === unit);
                if (!chart) charts.push(chart = {title, unit, along, alongUnit: history.units[along], sets: []});
                chart.sets.push({along: history.columns[along], lines, events});
            }
        });
        const key = JSON.stringify([inks.ink, good.length > 1, charts.map(({title, unit, sets}) => [title, unit, sets[0].lines.map((line) => line.name)])]);
        if (key === this.key) {
            charts.forEach((chart, i) => { chart.canvas = this.charts[i].canvas; });
        } else {
            for (const chart of charts) chart.canvas = make("canvas", {role: "img", className: "chart"});
            this.body.replaceChildren(...charts.map((chart) => make("figure", {}, chart.canvas, keyOf(chart.sets[0].lines, good.length > 1))));
        }
        Object.assign(this, {key, charts});
    }

    // Those in sight; the others have a name.
    draw() {
        for (const chart of this.charts) {
            const {top, bottom} = chart.canvas.getBoundingClientRect();
            if (chart.canvas.isConnected && (!chart.canvas.ariaLabel || (bottom > 0 && top < innerHeight))) drawChart(chart.canvas, chart, this.now);
        }
    }

    // In other colours.
    again() {
        this.asked = this.key = "";
        this.show();
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
