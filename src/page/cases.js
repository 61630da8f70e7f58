// Cells of a map of several theories: each is one of the theory of its case.
import {applies, givenInputs, parameterOf, withVariables} from "./theory.js";

// A value of the words of a case: a number, or the name of an option.
const wordValue = (text) => text !== "" && Number.isFinite(Number(text)) ? Number(text) : text;

// {theory, inputs, variables} of a cell: the name of its theory, the inputs that it takes, the variables among them. info.cases: {case: words of the
// command cell}; theories: those of the cases; units: {name: {value, unit}} of what the map gives.
export function ofCase(info, theories, inputs, units, all) {
    const [name, ...words] = info.cases[inputs.case].split(" ");
    const own = Object.fromEntries(words.map((word) => [word.slice(0, word.indexOf("=")), wordValue(word.slice(word.indexOf("=") + 1))]));
    const isOf = (theory, one) => parameterOf(theory, one) || theory.choices.some((choice) => choice.name === one);
    const isVariable = (one) => one !== "case" && !theories.some((theory) => isOf(theory, one));
    const theory = theories.find((one) => one.name === name);
    if (!theory) return {theory: name, inputs: own}; // of another version of the program
    const variables = Object.fromEntries(Object.entries(units).filter(([one]) => isVariable(one)));
    const known = withVariables(theory, variables);
    const isChoice = (one) => known.choices.some((choice) => choice.name === one);
    // What the cell takes: options of axes and of the case, and the parameters that apply with them.
    const isTaken = (one) => {
        const parameter = parameterOf(known, one);
        return isChoice(one) || (parameter && applies(parameter, {...inputs, ...own}));
    };
    const left = Object.entries(inputs).filter(([one]) => !(one in own) && isTaken(one));
    const given = Object.fromEntries(Object.entries(own).filter(([one]) => isTaken(one)));
    return {theory: name, variables: known.variables, inputs: {...given, ...givenInputs(known, {...inputs, ...given, ...Object.fromEntries(left)}, all)}};
}
