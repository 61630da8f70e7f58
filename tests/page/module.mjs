// What the tests under node share: the solver of a module, and cells as the program has them.
//   IMPACT_MODULE: the module, compressed by gzip
import {readFileSync} from "node:fs";
import {createInterface} from "node:readline";
import {gunzipSync} from "node:zlib";
import {loadSolver} from "../../src/page/solver.js";

export const moduleBytes = () => gunzipSync(readFileSync(process.env.IMPACT_MODULE));
export const load = () => loadSolver(moduleBytes());

// key=value as a page gives it: a number where the program reads one.
export function given(words) {
    return Object.fromEntries(words.map((word) => {
        const [key, value] = word.split(/=(.*)/s);
        return [key, value !== "" && Number.isFinite(Number(value)) ? Number(value) : value];
    }));
}

// Lines of the standard input.
export const lines = () => createInterface({input: process.stdin, crlfDelay: Infinity});

// The result of a call, or the message of its error.
export function resultOf(call) {
    try {
        return call();
    } catch (error) {
        return error.message;
    }
}
