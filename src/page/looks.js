// Colours of modes, outcomes and scales, from looks.json, which the printed figures read too.
import {moreColours} from "./vision.js";
import {numberText} from "./words.js";

// Lines differ in colour and in dashes.
export const LINE_COLOURS = ["#0072B2", "#D55E00", "#000000", "#009E73", "#332288", "#661100"];
export const DASHES = [[], [7, 3], [2, 2], [8, 3, 2, 3]];

// The dashes of line k. Colours and dashes repeat together after twelve lines; the next twelve have other pairs.
export const dashesOf = (k) => DASHES[(k + Math.floor(k / 12)) % DASHES.length];

// Colours [code] of a category with the names [code]. A name without a colour of its own, or with one that the category
// already has, takes another, as in printed figures.
export function categoryColours(looks, names) {
    const colours = [];
    names.forEach((name, code) => {
        const own = name === "none" ? looks.none : Object.hasOwn(looks.modes, name) ? looks.modes[name] : undefined;
        if (own !== undefined && !colours.includes(own)) colours[code] = own;
    });
    const others = [...names.keys()].filter((code) => code in names && colours[code] === undefined);
    const taken = [looks.none, looks.undefined, ...Object.values(colours)];
    moreColours(looks, others.length, taken).forEach((colour, i) => { colours[others[i]] = colour; });
    return colours;
}

export function scaleNames(looks) {
    return Object.keys(looks.scales);
}

// 256 colours as bytes r, g, b.
export function scaleColours(looks, name) {
    const hex = looks.scales[name], bytes = new Uint8Array(768);
    for (let i = 0; i < 768; i++) bytes[i] = parseInt(hex.slice(2 * i, 2 * i + 2), 16);
    return bytes;
}

function percentile(sorted, part, up) {
    const at = part * (sorted.length - 1);
    return sorted[up ? Math.ceil(at) : Math.floor(at)];
}

// Low and high without rare extremes: a field that diverges must not flatten the rest.
export function rangeOf(values) {
    const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
    if (sorted.length === 0) return [0, 1];
    let low = sorted[0], high = sorted[sorted.length - 1];
    const innerLow = percentile(sorted, 0.005, true), innerHigh = percentile(sorted, 0.995, false);
    const inner = innerHigh - innerLow;
    if (innerLow - low > 2 * inner && inner > 0) low = innerLow;
    if (high - innerHigh > 2 * inner && inner > 0) high = innerHigh;
    if (high - low <= 1e-6 * Math.max(Math.abs(low), Math.abs(high))) {
        return [low - 0.1 * (Math.abs(low) || 1), high + 0.1 * (Math.abs(high) || 1)];
    }
    return [low, high];
}

const hasBothSigns = (low, high) => low < 0 && high > 0 && Math.min(-low, high) > 0.01 * Math.max(-low, high);

// White is 0 among values of both signs, 1 among ratios on both sides of it; null: no centre.
export function centerOf(name, low, high) {
    if (hasBothSigns(low, high)) return 0;
    const isRatio = name.startsWith("lambda_") || name.endsWith("_restitution");
    return isRatio && low >= 0 && hasBothSigns(low - 1, high - 1) ? 1 : null;
}

// A scale of a real field: from values to the index 0 .. 255 of a colour. asked: {low, high, log, colours}, each
// of which may be missing.
export class Scale {
    constructor(looks, name, values, asked = {}) {
        const log = Boolean(asked.log);
        const [low, high] = rangeOf(log ? Float64Array.from(values).filter((value) => value > 0) : values);
        this.low = Number.isFinite(asked.low) && !(log && asked.low <= 0) ? asked.low : low;
        this.high = Number.isFinite(asked.high) && asked.high > this.low ? asked.high : Math.max(high, this.low);
        if (!(this.high > this.low)) this.high = this.low + (Math.abs(this.low) || 1);
        this.log = log && this.low > 0;
        this.center = this.log ? null : centerOf(name, this.low, this.high);
        this.name = Object.hasOwn(looks.scales, asked.colours || "") ? asked.colours
            : this.center === null ? looks.sequential : looks.diverging;
        this.bytes = scaleColours(looks, this.name);
        this.reach = this.center === null || this.name !== looks.diverging ? null
            : Math.max(Math.abs(this.low - this.center), Math.abs(this.high - this.center));
    }

    // 0 .. 1 along the bar.
    partOf(value) {
        const part = this.log ? Math.log(value / this.low) / Math.log(this.high / this.low)
            : (value - this.low) / (this.high - this.low);
        return value > 0 || !this.log ? Math.min(1, Math.max(0, part)) : 0;
    }

    valueAt(part) {
        return this.log ? this.low * (this.high / this.low) ** part : this.low + part * (this.high - this.low);
    }

    indexOf(value) {
        const clipped = Math.min(this.high, Math.max(this.low, value));
        const part = this.reach === null ? this.partOf(value) : 0.5 + (clipped - this.center) / (2 * this.reach);
        return Math.min(255, Math.floor(256 * part));
    }

    // A bar of so many colours from low to high, as css colours.
    colours(n) {
        return Array.from({length: n}, (_, i) => {
            const at = 3 * this.indexOf(this.valueAt((i + 0.5) / n));
            return `rgb(${this.bytes[at]},${this.bytes[at + 1]},${this.bytes[at + 2]})`;
        });
    }

    text() {
        return `${numberText(this.low)} to ${numberText(this.high)}`;
    }
}
