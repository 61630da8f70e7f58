// One dimension of a map, and the way between values, places on the axis and cells. A place runs from 0 to 1
// over the whole axis; along a logarithmic axis it is even in the logarithm.
import {arrayAt} from "./arrays.js";
import {DEGREES, labelOf, numberText, spaced, valueText} from "./words.js";
import {degreeTicks, linearTicks, logTicks} from "./ticks.js";

// Whether listed values grow by factors rather than by steps, as in the printed figures.
export function isLogSpaced(values) {
    if (values.length < 4 || !(values[0] > 0)) return false;
    const steps = [], factors = [];
    for (let i = 1; i < values.length; i++) {
        steps.push(values[i] - values[i - 1]);
        factors.push(Math.log(values[i] / values[i - 1]));
    }
    const spread = (list) => Math.max(...list) / Math.min(...list);
    return Math.min(...steps) > 0 && spread(steps) > 3 && spread(factors) < 1.5;
}

// Limits of n neighbouring cells around their values: halfway between them, on the scale of the axis.
export function edgesOf(scaled) {
    const n = scaled.length, edges = new Float64Array(n + 1);
    for (let i = 1; i < n; i++) edges[i] = (scaled[i - 1] + scaled[i]) / 2;
    edges[0] = n > 1 ? scaled[0] - (scaled[1] - scaled[0]) / 2 : scaled[0] - 0.5;
    edges[n] = n > 1 ? scaled[n - 1] + (scaled[n - 1] - scaled[n - 2]) / 2 : scaled[0] + 0.5;
    return edges;
}

// Numbers along one side of a picture.
export class Ruler {
    constructor({name, unit, from, to, log}) {
        Object.assign(this, {name, unit, log, isNumbers: true, size: Infinity, stride: 1, columns: []});
        this.label = labelOf(name, unit);
        [this.first, this.last] = [from, to];
        [this.low, this.high] = [this.scaled(from), this.scaled(to)];
    }

    scaled(value) {
        return this.log ? Math.log10(value) : value;
    }

    placeOf(value) {
        return (this.scaled(value) - this.low) / (this.high - this.low);
    }

    valueAt(place) {
        const scaled = this.low + place * (this.high - this.low);
        return this.log ? 10 ** scaled : scaled;
    }

    // The value at a place, but none beyond the first and last one, around which cells reach.
    inside(place) {
        return Math.min(this.last, Math.max(this.first, this.valueAt(place)));
    }

    // Ticks {place, text} between two places.
    ticks(from, to, most) {
        const low = this.valueAt(from), high = this.valueAt(to);
        const factor = this.unit === "rad" ? DEGREES : 1;
        const find = this.log ? logTicks : this.unit === "rad" ? degreeTicks : linearTicks;
        return find(low * factor, high * factor, most)
            .map(({value, text}) => ({place: this.placeOf(value / factor), text}));
    }
}

export class Axis extends Ruler {
    constructor(written, buffer) {
        super({name: written.name, unit: "1", from: 0, to: 1, log: false});
        this.name = written.name;
        this.size = written.size;
        this.stride = written.stride;
        this.blocks = written.blocks;
        this.columns = written.columns.map((column) => ({
            name: column.name, unit: column.unit, flags: column.flags, isChoice: column.kind === "category",
            spacing: column.spacing, values: arrayAt(column.values, buffer)}));
        const own = this.columns.length === 1 ? this.columns[0] : null;
        this.isNumbers = Boolean(own) && !own.isChoice && own.name === this.name;
        this.unit = this.isNumbers ? own.unit : "1";
        this.label = this.isNumbers ? labelOf(this.name, this.unit) : spaced(this.name);
        const values = this.isNumbers ? Array.from(own.values) : Array.from({length: this.size}, (_, i) => i);
        this.ascends = values.every((value, i) => i === 0 || value > values[i - 1]);
        const isList = own?.spacing === "" && this.size <= 12;
        if (!this.ascends || isList) {
            this.isNumbers = false; // rows in the order of the file
        }
        this.values = this.isNumbers ? values : values.map((_, i) => i);
        this.log = this.isNumbers && this.values[0] > 0
            && (own.spacing === "log" || (own.spacing === "" && isLogSpaced(this.values)));
        this.isRange = this.isNumbers && own.spacing !== "";
        this.edges = edgesOf(this.values.map((value) => this.scaled(value)));
        [this.low, this.high] = [this.edges[0], this.edges[this.size]];
        [this.first, this.last] = [this.values[0], this.values[this.size - 1]];
    }

    // The index of the cell at a place; -1 outside.
    indexAt(place) {
        const scaled = this.low + place * (this.high - this.low);
        if (!(scaled >= this.low && scaled <= this.high)) return -1;
        let first = 0, last = this.size - 1;
        while (first < last) {
            const middle = (first + last) >> 1;
            if (scaled < this.edges[middle + 1]) last = middle; else first = middle + 1;
        }
        return first;
    }

    blockAt(place) {
        const index = this.indexAt(place);
        return index < 0 ? -1 : Math.floor(index / this.stride);
    }

    // {name: number or option} of one index.
    inputsAt(index) {
        const inputs = Object.create(null);
        for (const column of this.columns) {
            const value = column.values[index];
            inputs[column.name] = column.isChoice ? column.flags[value] : value;
        }
        return inputs;
    }

    // One point as words: 30°, linear, or the columns of a row.
    textAt(index) {
        const text = (column) => column.isChoice ? spaced(column.flags[column.values[index]] ?? column.values[index])
            : valueText(column.values[index], column.unit);
        if (this.columns.length === 1) return text(this.columns[0]);
        return `${index + 1}: ` + this.columns.map((column) => `${spaced(column.name)} ${text(column)}`).join(", ");
    }

    ticks(from, to, most) {
        if (this.isNumbers) return super.ticks(from, to, most);
        const step = Math.max(1, Math.ceil(this.size * (to - from) / most));
        return this.values.filter((index) => index % step === 0)
            .map((index) => ({place: this.placeOf(index), text: this.shortAt(index)}))
            .filter((tick) => tick.place >= from && tick.place <= to);
    }

    // The unit, which the label has, is left out.
    shortAt(index) {
        const [column] = this.columns;
        if (this.columns.length > 1) return String(index + 1);
        return column.isChoice ? this.textAt(index) : numberText(column.values[index] * (column.unit === "rad" ? DEGREES : 1));
    }
}
