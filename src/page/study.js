// A theory as a view shows it: what the solver is given, and the axes and fields that can be drawn.
import {LiveMap} from "./livemap.js";
import {completed, exampleInputs, givenInputs, parameterOf, unitUnder} from "./theory.js";

export class Study {
    get theoryName() {
        return this.theory.name;
    }

    baseInputs(shown) {
        const chosen = Object.fromEntries(this.theory.choices.map((choice) => [choice.name, shown.inputs[choice.name]]).filter(([, value]) => value));
        return exampleInputs(this.theory, chosen);
    }

    inputsAt(shown) {
        return completed(this.theory, {...this.baseInputs(shown), ...shown.inputs});
    }

    startOf(parameter) {
        return this.baseInputs(this.view.shown)[parameter.name] ?? parameter.default ?? parameter.example;
    }

    unitOfParameter(name) {
        const one = parameterOf(this.theory, name);
        return one ? unitUnder(one, this.inputsAt(this.view.shown)) : "1";
    }

    given(inputs) {
        return givenInputs(this.theory, inputs, true);
    }

    trace(inputs) {
        return this.pool.call("trace", this.theoryName, this.given(inputs));
    }

    isChanged() {
        return true;
    }
}

// Apart from the page: of a small picture, or of the second side of a comparison. view: {shown}.
export class Aside extends Study {
    constructor(theory, view, pool) {
        super();
        Object.assign(this, {theory, view, pool});
        this.map = new LiveMap(this);
    }
}

// Inputs without the options that a theory does not have.
export function fitting(theory, inputs) {
    const isKnown = ([name, value]) => typeof value !== "string" || theory.choices.some((choice) => choice.name === name && choice.options.some((one) => one.name === value));
    return Object.fromEntries(Object.entries(inputs).filter(isKnown));
}
