// Calls the solver with values that nobody should pass: each ends in an Error with a message, the cell after it has
// the same bits as before, and the memory of the module does not grow. Prints the number of calls.
import {deepStrictEqual, strictEqual, throws} from "node:assert";
import {load} from "./module.mjs";

const solver = await load(), good = {body: "pendulum", angle: 0.7, friction: 0.4, stiffness_ratio: 1.21};
const values = [null, undefined, true, [], [1, 2], {}, NaN, Infinity, -Infinity, -0, 1e309, 5e-324, "", " ", "0x10",
                "1e", "1,5", "\0", "\ud800", "ä".repeat(5000), "</script>", "%s%n", () => 1];
const keys = ["angle", "body", "law", "friction", "mass", "a=b", "", "=", "\0", "__proto__", "constructor",
              "x".repeat(1e5)];
const expected = solver.cell("compliant", good);
let calls = 0;

function refuses(call) {
    calls++;
    throws(call, (error) => error instanceof Error && error.message && !(error instanceof WebAssembly.RuntimeError));
    deepStrictEqual(solver.cell("compliant", good), expected);
}

function everything() {
    for (const key of keys) {
        for (const value of values) {
            const fits = ["angle", "friction", "mass"].includes(key) && [0, 5e-324].includes(value);
            const given = {...good, [key]: value};
            if (!fits) refuses(() => solver.cell("compliant", given));
        }
    }
    const axes = [{param: "angle", values: [0.1, 0.2]}];
    const {angle, ...rest} = good;
    strictEqual(solver.map("compliant", rest, axes, ["mode"]).outcome.length, 2);
    for (const [theory, fixed, along, outputs] of [
        ["compliant", rest, [], ["mode"]], ["compliant", rest, axes, ["modes"]],
        ["compliant", rest, axes, ["mode", "mode"]], ["compliant", rest, [...axes, ...axes], ["mode"]],
        ["compliant", rest, [{param: "law", values: [0, 1]}], ["mode"]], ["beam", rest, axes, ["mode"]],
        ["compliant", rest, [{param: "angle", values: []}], ["mode"]],
        ["compliant", rest, Array(100).fill(axes[0]), ["mode"]]]) {
        refuses(() => solver.map(theory, fixed, along, outputs));
    }
    for (const points of [0, 1, 1.5, -1, NaN, 1e9, "many"]) refuses(() => solver.trace("compliant", good, {points}));
    refuses(() => solver.trace("compliant", rest));
}

const sizes = [];
for (let round = 0; round < 40; round++) {
    everything();
    solver.trace("compliant", good);
    sizes.push(solver.wasm.memory.buffer.byteLength);
}
deepStrictEqual(sizes.slice(20), Array(20).fill(sizes[19])); // until then fragments add a page now and then
console.log(calls);
