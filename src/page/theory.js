// A theory as `impactsweep models --json` describes it.

// Whether a parameter exists for the chosen options; the inputs name them.
export function applies(parameter, inputs) {
    const options = parameter.applies_to ? parameter.applies_to.split(" ") : [];
    return options.length === 0 || Object.values(inputs).some((value) => options.includes(value));
}

// The theory with the options that pages have: those without PETSc.
export function inPages(theory) {
    const choices = theory.choices.map((choice) => {
        const usual = choice.options.find((one) => one.name === choice.default);
        return {...choice, default: usual?.without_petsc ?? choice.default, options: choice.options.filter((one) => !one.without_petsc)};
    });
    return {...theory, choices};
}

export function parameterOf(theory, name) {
    return theory?.parameters.find((one) => one.name === name);
}

// The unit of a parameter under the chosen options.
export function unitUnder(parameter, inputs) {
    return (parameter.variants?.find((one) => applies(one, inputs)) ?? parameter).unit;
}

// Of each theory what parametersOf has found, by the options: one picture asks hundreds of times.
const parametersFound = new WeakMap();

// The parameters of the chosen options, without those that stand for another one.
export function parametersOf(theory, inputs) {
    const options = Object.values(inputs).filter((value) => typeof value === "string" && !isFormula(value)).join(" ");
    const found = parametersFound.get(theory) ?? new Map(), isMeant = (one) => applies(one, inputs) && !one.stands_for;
    parametersFound.set(theory, found);
    if (!found.has(options)) found.set(options, theory.parameters.filter(isMeant).map((one) => ({...one, unit: unitUnder(one, inputs)})));
    return found.get(options);
}

// The theory with the variables of a map: inputs that it does not know, but formulas of the map read.
export function withVariables(theory, inputs) {
    const isOwn = (name) => parameterOf(theory, name) || theory.choices.some((choice) => choice.name === name);
    const variables = Object.entries(inputs).filter(([name]) => !isOwn(name)).map(([name, {value, unit}]) => (
        {name, unit, low: null, high: null, low_open: true, high_open: true, default: null, example: value, meaning: "variable that formulas read"}));
    return {...theory, variables, parameters: [...theory.parameters, ...variables]};
}

// A value that is "= FORMULA".
export const isFormula = (value) => typeof value === "string" && value.startsWith("=");
const isName = (word) => /^[A-Za-z_]/.test(word);
const namesIn = (formula) => formula.match(/[\w.]+/g)?.filter(isName) ?? [];

// A formula with values in the place of inputs that the theory does not take with the chosen options. left: how many are replaced at most,
// because formulas of a foreign map may follow one another without end.
function withValues(formula, inputs, isTaken, left = {names: 200}) {
    const valueOf = (value) => isFormula(value) ? withValues(value.slice(1), inputs, isTaken, left) : value;
    const isReplaced = (name) => isName(name) && name in inputs && !isTaken(name) && (isFormula(inputs[name]) || Number.isFinite(inputs[name])) && left.names-- > 0;
    return formula.replace(/[\w.]+/g, (name) => isReplaced(name) ? `(${valueOf(inputs[name])})` : name);
}

// The names of the variables that formulas read, and those that the formulas of these read.
function readBy(formulas, variables, inputs) {
    const read = new Set(), look = (formula) => namesIn(formula).filter((name) => variables.includes(name) && !read.has(name)).forEach((name) => {
        read.add(name);
        if (isFormula(inputs[name])) look(inputs[name]);
    });
    formulas.forEach(look);
    return variables.filter((name) => read.has(name));
}

// Inputs as the program takes them: choices first, without parameters that do not apply and variables that nothing reads. Those that
// have their default are left out too, unless they are all given, so that outputs have units.
export function givenInputs(theory, inputs, all = false) {
    const entries = Object.entries(inputs).filter(([, value]) => typeof value === "string" || Number.isFinite(value));
    const isTaken = (name) => !theory || Boolean(parameterOf(theory, name)) && applies(parameterOf(theory, name), inputs);
    const isChoice = (name) => !theory || theory.choices.some((one) => one.name === name);
    const variables = theory?.variables?.map((one) => one.name) ?? [], isVariable = (name) => variables.includes(name);
    const followers = entries.filter(([name, value]) => isFormula(value) && isTaken(name)).map(([name, value]) => [name, withValues(value, inputs, isTaken)]);
    const read = readBy(followers.filter(([name]) => !isVariable(name)).map(([, formula]) => formula), variables, inputs);
    const isRead = ([name]) => !isVariable(name) || read.includes(name);
    const isGiven = ([name, value]) => isTaken(name) && (all || value !== parameterOf(theory, name)?.default);
    return Object.fromEntries([
        ...read.length ? [["variables", read.join(",")]] : [],
        ...entries.filter(([name, value]) => typeof value === "string" && !isFormula(value) && isChoice(name)),
        ...followers.filter(isRead),
        ...entries.filter(([, value]) => typeof value !== "string").filter(isGiven).filter(isRead)]);
}

// A cell of the theory: its default options, and of every parameter its default or its example.
export function exampleInputs(theory, chosen = {}) {
    const inputs = {};
    for (const choice of theory.choices) {
        inputs[choice.name] = chosen[choice.name] ?? choice.default ?? choice.options[0].name;
    }
    for (const parameter of parametersOf(theory, inputs)) inputs[parameter.name] = parameter.default ?? parameter.example;
    return inputs;
}

// Inputs with the parameters that the chosen options need, and without those that they do not have.
export function completed(theory, inputs) {
    const chosen = Object.fromEntries(theory.choices.map((choice) => [choice.name, inputs[choice.name]]));
    const all = exampleInputs(theory, chosen), given = Object.keys(inputs);
    const replaced = theory.parameters.filter((one) => one.stands_for && given.includes(one.name) && applies(one, inputs));
    for (const one of replaced) {
        delete all[one.stands_for];
        all[one.name] = inputs[one.name];
    }
    return Object.fromEntries(Object.keys(all).map((name) => [name, inputs[name] ?? all[name]]));
}

// The range of a slider: {low, high, log}. Positive parameters without a bound run over four decades around the
// value with which they began.
export function rangeOfParameter(parameter, start) {
    const {low = null, high = null} = parameter; // pages leave out what is null
    if (low !== null && high !== null) {
        const inset = (high - low) / 1000;
        return {low: parameter.low_open ? low + inset : low, high: parameter.high_open ? high - inset : high, log: false};
    }
    const size = Math.abs(start) || Math.abs(parameter.example) || 1;
    if (low === 0) {
        return start === 0 ? {low: 0, high: 2 * size, log: false} : {low: size / 100, high: size * 100, log: true};
    }
    if (low !== null) return {low, high: low + 4 * Math.max(size, Math.abs(low)), log: false};
    return {low: -4 * size, high: 4 * size, log: false};
}
