// What was swept, where it comes from, what came out, and what failed.
import {byId, make, table} from "./dom.js";
import {countText, percentText, spaced, unitText, valueText} from "./words.js";

const REASONS = new Map([
    ["pending", "not computed yet"],
    ["outside", "the combination of parameters is outside the domain of the body or the theory"],
    ["no_convergence", "an iteration did not converge"],
    ["not_finite", "a result was not a finite number"],
    ["budget", "the cell needed more work, in steps, events or evaluations, than it may spend"],
    ["library_error", "a library reported an error"],
    ["guest_failed", "the guest died, hung or gave no proper answer"],
    ["not_repeated", "the guest gave two different answers when asked twice"],
]);

const section = (title, ...content) => make("section", {}, make("h2", {}, title), ...content);

function swept(info, map) {
    const rows = map.axes.flatMap((axis) => axis.columns.map((column) => {
        const ends = [0, axis.size - 1].map((index) => column.isChoice ? spaced(column.flags[column.values[index]] ?? "") : valueText(column.values[index], column.unit));
        return [spaced(column.name), countText(axis.size), axis.size > 1 ? ends.join(" to ") : ends[0], column.spacing];
    }));
    const fixed = map.fixed.map((one) => [spaced(one.name), typeof one.value === "string" ? spaced(one.value) : valueText(one.value, one.unit)]);
    fixed.push(...Object.entries(map.formulas).map(([name, formula]) => [spaced(name), formula]));
    return section("What was swept", table(rows, "Axes, the first is the slowest", ["axis", "values", "range", "spacing"]),
        fixed.length ? table(fixed, Object.keys(map.formulas).length ? "Fixed, or following others" : "The same in every cell") : "");
}

// What was swept, in a sentence.
export function sweptText(info, map) {
    const axes = map.axes.filter((axis) => axis.size > 1).map((axis) => {
        const [column] = axis.columns, ends = axis.columns.length > 1 || !column ? `${countText(axis.size)} rows`
            : column.isChoice ? Array.from({length: Math.min(axis.size, 4)}, (_, i) => axis.textAt(i)).join(", ") + (axis.size > 4 ? ", …" : "")
            : `${valueText(column.values[0], column.unit, 4)} to ${valueText(column.values[axis.size - 1], column.unit, 4)}`;
        return `${spaced(axis.name)} (${ends})`;
    });
    const fixed = map.fixed.slice(0, 6).map((one) => `${spaced(one.name)} ${typeof one.value === "string" ? spaced(one.value) : valueText(one.value, one.unit, 4)}`);
    return `Swept: ${axes.join(", ") || "one cell"}.${fixed.length ? ` Fixed: ${fixed.join(", ")}${map.fixed.length > 6 ? ` and ${map.fixed.length - 6} more` : ""}.` : ""}`;
}

// What was found, in a sentence: the shares of modes, and what failed.
export function foundText(info) {
    const all = info.cells ?? Object.values(info.outcomes || {}).reduce((sum, n) => sum + n, 0);
    const shares = (counts) => Object.entries(counts).filter(([, n]) => n > 0).sort((one, other) => other[1] - one[1]).slice(0, 6).map(([name, n]) => `${spaced(name)} ${percentText(n / all)}`);
    const failed = Object.entries(info.outcomes || {}).filter(([name, n]) => name !== "solved" && n > 0);
    const modes = shares(info.modes || {});
    return `${modes.length ? `Found: ${modes.join(", ")}. ` : ""}${failed.length ? `Not solved: ${failed.map(([name, n]) => `${countText(n)} ${spaced(name)}`).join(", ")}.` : "Every cell was solved."}`;
}

function census(title, counts, all, reasons) {
    const rows = Object.entries(counts).filter(([, n]) => n > 0).sort((one, other) => other[1] - one[1])
        .map(([name, n]) => [spaced(name), countText(n), percentText(n / all), ...(reasons ? [reasons.get(name) ?? ""] : [])]);
    return rows.length ? table(rows, title, ["", "cells", "share", ...(reasons ? ["reason"] : [])]) : "";
}

function outcomes(info) {
    const all = info.cells ?? Object.values(info.outcomes || {}).reduce((sum, n) => sum + n, 0);
    return section("What came out", census("Outcomes", info.outcomes || {}, all, REASONS), census("Modes", info.modes || {}, all),
        ...Object.entries(info.categories || {}).map(([name, counts]) => census(spaced(name), counts, all)));
}

const time = (seconds) => seconds > 0 ? new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ") : "?";

function provenance(info) {
    const kept = [["file", "file"], ["theory", "theory"], ["search", "search"], ["program_version", "program version"], ["source_revision", "source revision"],
        ["digest", "digest of the values (SHA-256)"], ["created", "created"], ["host", "host"], ["processor", "processor"], ["compiler", "compiler"],
        ["libraries", "libraries"], ["config_path", "config"], ["overrides", "changed by --set"], ["residual_identity", "residual checks"]];
    const rows = kept.filter(([name]) => info[name]).map(([name, label]) => [label, String(info[name])]);
    const sessions = (info.sessions || []).map((one) => [time(one.start), time(one.end), `${one.seconds?.toPrecision(3) ?? "?"} s`, String(one.ranks ?? "?")]);
    return make("details", {className: "provenance"}, make("summary", {}, "Where it comes from"), table(rows, "Provenance"),
        sessions.length ? table(sessions, "Sessions", ["start (UTC)", "end (UTC)", "computing", "ranks"]) : "");
}

function refined(info) {
    if (!info.refine || !info.refinements?.length) return "";
    const one = info.refinements[0];
    const shares = Object.entries(one.shares || {}).map(([name, share]) => [spaced(name), `${(100 * share.share).toFixed(4)} %`, `± ${(100 * share.bound).toPrecision(2)} %`, countText(share.points)]);
    const audit = one.audit?.points ? `Of ${countText(one.audit.points)} random points ${countText(one.audit.wrong)} were wrong: less than ${(100 * one.audit.bound).toPrecision(2)} % of the whole is wrong, with 95 % confidence.` : "";
    return section("Refinement", make("p", {}, `${countText(one.points)} points in ${one.rounds} rounds; a base of ${countText(info.refine.base)} cells per axis, cells to 2^−${info.refine.depth} of the range, ` +
        `boundaries to ${Number(info.refine.boundary).toPrecision(3)} of it. Islands smaller than the base can be missed. ${audit}`),
    table(shares, info.refinements.length > 1 ? "Shares of the first refinement" : "Shares", ["", "share", "bound", "points"]));
}

export function reducedText(map) {
    if (!map.cells) return "";
    const blocks = map.axes.filter((axis) => axis.stride > 1).map((axis) => `${axis.stride} along ${spaced(axis.name)}`).join(", ");
    return `This page holds ${countText(map.blocks)} of the ${countText(map.size)} cells: one of each block (${blocks}), of the rarest mode in it, so that thin regions stay visible but look up to one block too wide. The counts below are those of all cells.`;
}

function meanings(theory) {
    if (!theory) return "";
    const modes = theory.modes?.length ? table(theory.modes.map((mode) => [spaced(mode.name), mode.meaning]), "Modes") : "";
    const rows = (list) => list.map((one) => [spaced(one.name), unitText(one.unit), one.meaning]);
    return make("details", {}, make("summary", {}, `Meanings: ${theory.title}`), make("p", {}, `Source: ${theory.source}`),
        theory.symbols ? make("p", {}, theory.symbols) : "", modes, table(rows(theory.parameters), "Parameters", ["", "unit", "meaning"]),
        table(rows(theory.outputs), "Outputs", ["", "unit", "meaning"]));
}

export function showAbout(about, map) {
    const info = about.info;
    const config = about.map.config ? make("details", {}, make("summary", {}, "The config"), make("pre", {tabIndex: 0}, about.map.config)) : "";
    byId("about").replaceChildren(swept(info, map), outcomes(info), refined(info), provenance(info), config, ...(about.theories || [about.theory]).map(meanings));
}
