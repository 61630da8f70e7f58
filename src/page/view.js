// What is shown: one plain object, checked whenever it is set, kept in the fragment of the address.

// The axes of the first picture: the first two long ones, else the first two with several values. With one long
// axis a real field is a graph over it, without a second axis.
export function defaultAxes(axes, isReal) {
    const free = axes.filter((axis) => axis.size > 1);
    const long = free.filter((axis) => axis.size > 8 && axis.isNumbers);
    const chosen = [...long, ...free.filter((axis) => !long.includes(axis))].slice(0, 2);
    chosen.sort((one, other) => long.includes(one) === long.includes(other) ? axes.indexOf(one) - axes.indexOf(other)
        : long.includes(one) ? -1 : 1);
    return [chosen[0] || axes[0], long.length === 1 && isReal ? null : chosen[1] || null];
}

// The axes of the picture after a wish for one side, {x} or {y}: a side that asks for the axis of the other one changes
// places with it. Where it has no axis to give, the other side takes the next one; without a next one nothing changes.
export function planeOf(axes, wanted, {x, y}) {
    const plane = {x, y, ...wanted};
    if (plane.x !== plane.y) return plane;
    const given = "x" in wanted ? x : y ?? axes.find((axis) => axis.size > 1 && axis.name !== x)?.name;
    return given === undefined ? {x, y} : "x" in wanted ? {...plane, y: given} : {...plane, x: given};
}

// A view that states the horizontal axis alone, and the one that is vertical: the two change places.
export function withBothAxes(stated, {x, y}) {
    return stated.x !== undefined && stated.x === y && stated.y === undefined ? {...stated, y: x} : stated;
}

export class View {
    // rules: {name: (value, shown) => checked value, or undefined to keep the old one}; `fitted`, if there is one, makes the
    // members of a wish fit each other first.
    constructor(shown, rules) {
        this.shown = shown;
        this.rules = rules;
        this.listeners = [];
    }

    listen(listener) {
        this.listeners.push(listener);
    }

    // Takes the known members of an object of any origin; returns the names of those that changed.
    set(wanted, by = "") {
        const changed = [];
        if (typeof wanted !== "object" || wanted === null) return changed;
        const {fitted, ...rules} = this.rules;
        wanted = fitted ? fitted(wanted, this.shown) : wanted;
        for (const name of Object.keys(rules)) {
            if (!Object.hasOwn(wanted, name)) continue;
            const value = this.rules[name](wanted[name], this.shown);
            if (value === undefined || JSON.stringify(value) === JSON.stringify(this.shown[name])) continue;
            this.shown[name] = value;
            changed.push(name);
        }
        if (changed.length) this.listeners.forEach((listener) => listener(changed, by));
        return changed;
    }

    get() {
        return structuredClone(this.shown);
    }
}

// #field=mode&x=angle&window=[0,1,0,1]: texts as they are, everything else as JSON.
export function fragmentOf(shown, usual) {
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(shown)) {
        if (JSON.stringify(value) !== JSON.stringify(usual[name])) {
            words.set(name, typeof value === "string" ? value : JSON.stringify(value));
        }
    }
    return words.toString();
}

export function readFragment(fragment) {
    const wanted = Object.create(null);
    for (const [name, text] of new URLSearchParams(fragment.replace(/^#/, ""))) {
        try {
            wanted[name] = JSON.parse(text);
        } catch {
            wanted[name] = text;
        }
    }
    return wanted;
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

// The window of the picture, at least 1e-12 and at most the whole plane wide.
export function checkedWindow(value) {
    if (!Array.isArray(value) || value.length !== 4 || !value.every(isNumber)) return undefined;
    const [x0, x1] = checkedSpan(value[0], value[1]), [y0, y1] = checkedSpan(value[2], value[3]);
    return [x0, x1, y0, y1];
}

function checkedSpan(from, to) {
    const span = Math.min(1, Math.max(1e-12, to - from));
    const start = Math.min(1 - span, Math.max(0, from));
    return [start, start + span];
}

export function zoomed([x0, x1, y0, y1], factor, place, axes = "xy") {
    const [cx, cy] = place;
    const fx = axes.includes("x") ? factor : 1, fy = axes.includes("y") ? factor : 1;
    return checkedWindow([cx - (cx - x0) * fx, cx + (x1 - cx) * fx, cy - (cy - y0) * fy, cy + (y1 - cy) * fy]);
}

export function rulesFor(map) {
    const truth = (value) => typeof value === "boolean" ? value : undefined;
    const has = (name) => map.axes.some((axis) => axis.name === name);
    return {
        fitted: (wanted, shown) => {
            const x = has(wanted.x) ? wanted.x : shown.x, y = wanted.y === null || has(wanted.y) ? wanted.y : shown.y;
            return {...wanted, ...x === y ? {x: shown.x, y: shown.y} : {x, y}};
        },
        field: (value) => typeof value === "string" && map.field(value) ? value : undefined,
        x: (value) => value,
        y: (value) => value,
        at: (value, shown) => checkedPlaces(map, value, shown.at),
        window: checkedWindow,
        scale: checkedScale,
        boundaries: truth,
        numbers: truth,
        live: truth,
        beside: (value) => value === null ? null : checkedBeside(map, value),
        difference: truth,
        inputs: checkedInputs,
        picks: (value) => Array.isArray(value) && value.length <= 2 ? value.map(checkedInputs).filter(Boolean) : undefined,
    };
}

function checkedPlaces(map, value, old) {
    if (typeof value !== "object" || value === null) return undefined;
    const at = {...old};
    for (const axis of map.axes) {
        const index = value[axis.name];
        if (Number.isInteger(index) && index >= 0 && index < axis.size) at[axis.name] = index;
    }
    return at;
}

export function checkedScale(value) {
    if (typeof value !== "object" || value === null) return undefined;
    const scale = {};
    for (const name of ["low", "high"]) if (isNumber(value[name])) scale[name] = value[name];
    if (value.log === true) scale.log = true;
    if (typeof value.colours === "string") scale.colours = value.colours;
    return scale;
}

// What stands beside in a comparison: another theory, other inputs, or another place of an axis.
function checkedBeside(map, value) {
    if (typeof value !== "object" || Array.isArray(value)) return undefined;
    const beside = {};
    if (typeof value.theory === "string" && /^\w+$/.test(value.theory)) beside.theory = value.theory;
    if (value.inputs) beside.inputs = checkedInputs(value.inputs) ?? {};
    if (value.at) beside.at = checkedPlaces(map, value.at, {});
    return Object.keys(beside).length ? beside : undefined;
}

// Inputs of cells: numbers and words by name.
export function checkedInputs(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    return Object.fromEntries(Object.entries(value)
        .filter(([name, one]) => /^\w+$/.test(name) && (isNumber(one) || (typeof one === "string" && /^\w*$/.test(one)))));
}
