// The cell under the pointer: what came out, in a few lines and in full, and commands to copy.
import {copyButton} from "./controls.js";
import {byId, make, table} from "./dom.js";
import {wordButton} from "./explain.js";
import {cellCommand, configText, traceCommand} from "./snippets.js";
import {spaced, valueText} from "./words.js";

const HINT = "Point at the map to read a cell.";

// What tells most of a cell, where its theory has it.
const FACTS = ["tangential_end", "kinematic_restitution", "energetic_restitution", "energy_loss", "tangential_restitution", "turn", "count_impacts", "duration"];

export class CellView {
    // panel: {page, map, view}
    constructor(panel) {
        this.panel = panel;
        this.forget();
    }

    forget() {
        byId("cell").replaceChildren(make("p", {}, HINT));
        byId("facts").replaceChildren(make("p", {className: "hint"}, HINT));
    }

    refuse(message) {
        byId("cell").replaceChildren(make("p", {}, message));
        byId("facts").replaceChildren(make("p", {className: "hint"}, message));
    }

    textOf(name, value) {
        return typeof value === "string" ? spaced(value) : valueText(value, this.panel.page.unitOf(name.replace(/:.*/, "")), 8);
    }

    // others: [{name, outputs}] of the sides of a comparison.
    show({inputs, outputs, from}, others = []) {
        const {page, map, view} = this.panel, command = page.command(inputs);
        const first = ["outcome", "mode", "region", "sequence"].filter((name) => name in outputs), rest = Object.keys(outputs).filter((name) => !first.includes(name));
        const {uncertain, search} = page.about?.info ?? {}; // a command would lack what is drawn or searched over, or the program of a guest
        const snippets = uncertain || search || command.theory === "guest" ? [] : [["cell", "This cell", cellCommand(command.theory, command.inputs)], ["trace", "Its history", traceCommand(command.theory, command.inputs)],
            ["config", "Config of the window", this.config(inputs)]];
        byId("cell").replaceChildren(
            make("p", {className: "from"}, from),
            make("div", {className: "controls"}, ...snippets.map(([name, , text]) => copyButton(`Copy ${name}`, () => text))),
            ...this.histograms(outputs), ...this.spreads(outputs),
            table([...first, ...rest].map((name) => [map.field(name)?.label ?? spaced(name), this.textOf(name, outputs[name])]), "Outputs"),
            table(Object.entries(inputs).map(([name, value]) => [spaced(name), this.textOf(name, value)]), "Parameters"),
            ...snippets.map(([, title, text]) => make("div", {className: "snippet"}, make("p", {}, title), make("pre", {tabIndex: 0}, text))));
        this.showFacts(inputs, outputs, others);
        byId("said").textContent = [...first, view.shown.field].map((name) => `${spaced(name)} ${this.textOf(name, outputs[name])}`).join(", ");
    }

    // A few lines, with explanations; a column for each side of a comparison.
    showFacts(inputs, outputs, others) {
        const {map, view} = this.panel, names = [...new Set(["mode", "region", ...("mode" in outputs ? [] : ["outcome"]), view.shown.field, ...FACTS])].filter((name) => name in outputs && (name === "mode" || outputs[name] === outputs[name])).slice(0, 5);
        const cellOf = (name, all) => {
            const value = all[name];
            const text = typeof value === "number" ? this.short(name, value) : value === undefined ? "–" : spaced(value);
            return name === "mode" && typeof value === "string" ? wordButton(text, value) : text;
        };
        const heads = others.length ? make("thead", {}, make("tr", {}, make("td", {}), ...[this.panel.sideName(), ...others.map(({name}) => name)].map((name) => make("th", {scope: "col"}, name)))) : null;
        byId("facts").replaceChildren(make("table", {}, make("caption", {}, [view.shown.x, view.shown.y].filter((name) => name in inputs).map((name) => `${spaced(name)} ${typeof inputs[name] === "number" ? this.short(name, inputs[name]) : spaced(inputs[name])}`).join(", ") || "The cell"), heads, make("tbody", {}, ...names.map((name) => make("tr", {},
            make("th", {scope: "row"}, wordButton(map.field(name)?.label ?? spaced(name), name)), ...[{outputs}, ...others].map((one) => make("td", {}, cellOf(name, one.outputs))))))));
    }

    short(name, value) {
        return valueText(value, this.panel.page.unitOf(name.replace(/:.*/, "")), 4);
    }

    // Bars of the draws of a cell with uncertain parameters: the share of each value of a category.
    histograms(outputs) {
        const shares = this.panel.map.fields.filter((field) => field.member && field.name.endsWith("_share") && outputs[field.key] > 0);
        return [...new Set(shares.map((field) => field.name))].map((name) => make("div", {className: "bars"},
            make("p", {}, `${spaced(name.replace(/_share$/, ""))} of the draws`),
            ...shares.filter((field) => field.name === name).map((field) => {
                const percent = 100 * outputs[field.key], text = `${spaced(field.member)} ${percent.toPrecision(3)} %`;
                const bar = make("span", {className: "bar"});
                bar.style.width = `${percent}%`;
                return make("div", {className: "share"}, bar, make("span", {}, text));
            })));
    }

    // Of a real output: how often it falls into each part between its least and its greatest value.
    spreads(outputs) {
        const {map, page} = this.panel, bins = map.fields.filter((field) => field.name.endsWith("_histogram"));
        return [...new Set(bins.map((field) => field.name))].map((name) => {
            const of = name.replace(/_histogram$/, ""), parts = bins.filter((field) => field.name === name).map((field) => outputs[field.key]);
            const most = Math.max(...parts), ends = ["least", "greatest"].map((end) => valueText(outputs[`${of}_${end}`], page.unitOf(`${of}_${end}`), 4));
            return !(most > 0) ? "" : make("div", {className: "bars"}, make("p", {}, `${spaced(of)} of the draws, ${ends.join(" to ")}`),
                make("div", {className: "spread", role: "img", ariaLabel: `histogram of ${spaced(of)}: ${parts.map((part) => `${(100 * part).toPrecision(2)} %`).join(", ")}`},
                    ...parts.map((part) => {
                        const bar = make("span", {});
                        bar.style.height = `${100 * part / most}%`;
                        return bar;
                    })));
        });
    }

    config(inputs) {
        const {page, map, view: {shown}} = this.panel, [x0, x1, y0, y1] = shown.window;
        const range = (name, from, to) => {
            const axis = map.axes.find((one) => one.name === name);
            if (!axis || !axis.isNumbers) return null;
            const short = (value) => value === axis.first || value === axis.last ? value : Number(value.toPrecision(12));
            return {name, from: short(axis.inside(from)), to: short(axis.inside(to)), log: axis.log};
        };
        const ranges = [range(shown.x, x0, x1), range(shown.y, y0, y1)].filter(Boolean), command = page.command(inputs);
        return configText(command.theory, command.inputs, ranges, (name) => page.isChoice(name), command.variables);
    }
}
