// Words and numbers as a reader sees them, as in the printed figures: names without underscores, units,
// angles in degrees.

const PERSONS = /\b(coulomb|hertz|maw|newmark|newton|poisson)\b/g;
const SUPERSCRIPT = {"-": "⁻", ".": "·", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹"};
export const DEGREES = 180 / Math.PI;

export function spaced(name) {
    return String(name).replace(/_/g, " ").replace(PERSONS, (word) => word[0].toUpperCase() + word.slice(1));
}

function raised(text) {
    return [...text].map((one) => SUPERSCRIPT[one] || one).join("");
}

// A unit of the file as a figure shows it; nothing for 1.
export function unitText(unit) {
    if (unit === "1" || unit === "") return "";
    return unit === "rad" ? "deg" : unit.replace(/\^(-?\d+(\.\d+)?)/g, (_, power) => raised(power));
}

// A number with so many significant digits: −1, 6.8×10¹⁰.
export function numberText(value, digits = 6) {
    if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
    let text = String(Number(value.toPrecision(digits)));
    const size = Math.abs(value);
    if (size !== 0 && (size < 1e-4 || size >= 1e6) && !(Number.isInteger(value) && size < 1e9)) {
        text = Number(value.toPrecision(digits)).toExponential();
    }
    return text.replace(/^-/, "−").replace(/e\+?(-?\d+)$/, (_, power) => `×10${raised(power)}`)
        .replace(/^(−?)1×/, "$1");
}

// A value with its unit, `unit` as in the file: 30°, 0.1 N/m.
export function valueText(value, unit, digits = 6) {
    if (!Number.isFinite(value)) return numberText(value);
    if (unit === "rad") return `${numberText(value * DEGREES, digits)}°`;
    return `${numberText(value, digits)} ${unitText(unit)}`.trim();
}

export function labelOf(name, unit) {
    const shown = unitText(unit);
    return shown ? `${spaced(name)} (${shown})` : spaced(name);
}

// 1234567 as 1,234,567.
export function countText(count) {
    return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function percentText(part) {
    const percent = 100 * part;
    return `${percent > 0 && percent < 0.01 ? "<0.01" : percent.toFixed(2)} %`;
}
