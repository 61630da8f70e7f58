// The commands and the config of a cell, to copy. Values come from a map and may be hostile: words of the shell
// are quoted unless they are plain, and so are words of YAML.
import {isFormula} from "./theory.js";

export function shellWord(text) {
    return /^[\w.,:=+/@%-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;
}

export function yamlWord(text) {
    return /^[A-Za-z_]\w*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text) ? text : JSON.stringify(text);
}

// The shortest text that reads back to the same bits, angles in radians, so that the cell is exactly this one.
const exact = (value) => typeof value === "number" ? String(value) : value;

function words(inputs) {
    return Object.entries(inputs).filter(([, value]) => typeof value === "string" || Number.isFinite(value))
        .map(([name, value]) => shellWord(`${name}=${exact(value)}`));
}

export function cellCommand(theory, inputs) {
    return ["impactsweep cell", shellWord(theory), ...words(inputs)].join(" ");
}

export function traceCommand(theory, inputs) {
    return ["impactsweep trace", shellWord(theory), ...words(inputs), "-o history.csv"].join(" ");
}

// A config of the window: ranges for what is on its axes, everything else fixed. ranges: [{name, from, to, log}].
export function configText(theory, inputs, ranges, isChoice, variables = []) {
    const list = Object.entries(inputs).filter(([name]) => !ranges.some((range) => range.name === name));
    const choices = list.filter(([name]) => isChoice(name));
    const fixed = list.filter(([name, value]) => !isChoice(name) && (Number.isFinite(value) || isFormula(value)));
    const lines = [`model: ${yamlWord(theory)}`];
    const flow = (pairs) => `{${pairs.map(([name, value]) => `${yamlWord(name)}: ${typeof value === "number" ? value : yamlWord(value)}`).join(", ")}}`;
    if (variables.length) lines.push(`variables: ${flow(variables.map(({name, unit}) => [name, unit]))}`);
    if (choices.length) lines.push(`choose: ${flow(choices)}`);
    lines.push("axes:");
    for (const {name, from, to, log} of ranges) {
        lines.push(`  - {param: ${yamlWord(name)}, from: ${from}, to: ${to}, points: 500${log ? ", spacing: log" : ""}}`);
    }
    if (fixed.length) lines.push(`fixed: ${flow(fixed)}`);
    return lines.join("\n") + "\n";
}
