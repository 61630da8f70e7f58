// A map of a theory of which nothing is stored: every parameter can be an axis.
import {Ruler} from "./axis.js";
import {fieldsOfOutput} from "./data.js";
import {parametersOf, rangeOfParameter} from "./theory.js";

export const OUTCOME = {name: "outcome", unit: "1", kind: "category", codes: ["pending", "solved", "outside", "no_convergence", "not_finite",
    "budget", "library_error", "guest_failed", "not_repeated"].map((name, code) => ({name, code}))};

export class LiveMap {
    // page: {theory, inputsAt, view}
    constructor(page) {
        Object.assign(this, {page, blocks: 0, size: 0, cells: null, fixed: [], sample: null, known: null});
    }

    get fields() {
        if (this.known !== this.page.theory) {
            this.known = this.page.theory;
            this.made = [...this.known.outputs, OUTCOME].flatMap((output) => fieldsOfOutput(this.known, output));
        }
        return this.made;
    }

    field(key) {
        return this.fields.find((field) => field.key === key);
    }

    get mode() {
        return this.field("mode");
    }

    // Asked for many times while a slider moves.
    get axes() {
        const {theory, view: {shown}} = this.page, key = JSON.stringify([theory.name, shown.inputs, shown.ranges]);
        if (key !== this.axesKey) Object.assign(this, {axesKey: key, rulers: this.rulersOf(theory, shown)});
        return this.rulers;
    }

    rulersOf(theory, shown) {
        const ranges = shown.ranges ?? {};
        return parametersOf(theory, this.page.inputsAt(shown)).map((parameter) => {
            const usual = rangeOfParameter(parameter, this.page.startOf(parameter));
            const {low: from, high: to, log} = ranges[parameter.name] ?? usual;
            return new Ruler({name: parameter.name, unit: parameter.unit, from, to, log: Boolean(log)});
        });
    }
}
