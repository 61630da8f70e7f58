// Solves every cell that `cells` printed and compares what the program made of it: the whole object with the order of
// its keys and the bits of its numbers, or the messages. Prints how many cells and messages it compared.
import {deepStrictEqual} from "node:assert";
import {given, lines, load, resultOf} from "./module.mjs";

const solver = await load();
let cells = 0, messages = 0;
for await (const line of lines()) {
    const [theory, ...words] = line.split("\t"), expected = words.pop();
    const found = resultOf(() => solver.cell(theory, given(words)));
    if (expected.startsWith("{")) {
        deepStrictEqual(found, JSON.parse(expected), words.join(" "));
        deepStrictEqual(Object.keys(found), Object.keys(JSON.parse(expected)));
        cells++;
    } else {
        deepStrictEqual(`${found}\n`.replaceAll("\n", "|"), expected, words.join(" "));
        messages++;
    }
}
console.log(cells, messages);
