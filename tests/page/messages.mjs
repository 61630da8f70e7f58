// Prints what cell and trace say to the calls of JSON on the standard input, [[method, theory, words]...], as JSON.
import {readFileSync} from "node:fs";
import {given, load, resultOf} from "./module.mjs";

const solver = await load();
const calls = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(calls.map(([method, theory, words]) =>
    resultOf(() => solver[method](theory, given(words))))));
