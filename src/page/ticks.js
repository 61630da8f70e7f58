// Where the ticks of an axis are, and their texts.
import {numberText} from "./words.js";

// Steps of 1, 2, 2.5 and 5 times powers of ten.
export function linearTicks(low, high, most) {
    const span = high - low;
    if (!(span > 0) || !Number.isFinite(span)) return [{value: low, text: numberText(low)}];
    const raw = span / Math.max(1, most), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((part) => part * power).find((one) => one >= raw * (1 - 1e-9));
    return multiples(low, high, step);
}

function multiples(low, high, step) {
    const ticks = [], room = step * 1e-6;
    const digits = Math.max(1, Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high)) / step)) + 2);
    for (let k = Math.ceil((low - room) / step); k * step <= high + room; k++) {
        const value = k * step;
        ticks.push({value, text: numberText(value, Math.min(15, digits))});
    }
    return ticks;
}

// Parts of a right angle where at least two fit.
export function degreeTicks(low, high, most) {
    if (high - low < 45) return linearTicks(low, high, most);
    const step = [15, 30, 45, 90, 180].find((one) => (high - low) / one <= most) || 360;
    return multiples(low, high, step);
}

// Powers of ten; 1, 2, 5 times them or plain numbers where there are not two of these.
export function logTicks(low, high, most) {
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    if (last - first >= 1 && high / low > 50) {
        const step = Math.max(1, Math.ceil((last - first) / Math.max(1, most - 1)));
        const ticks = [];
        for (let k = first; k <= last; k += step) ticks.push({value: 10 ** k, text: numberText(10 ** k)});
        return ticks;
    }
    const ticks = [];
    for (let k = Math.floor(Math.log10(low)); k <= last + 1; k++) {
        for (const part of [1, 2, 5]) {
            const value = part * 10 ** k;
            if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9)) ticks.push({value, text: numberText(value)});
        }
    }
    return ticks.length >= 2 ? ticks : linearTicks(low, high, most);
}
