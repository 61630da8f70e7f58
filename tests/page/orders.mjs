// Maps whose axes come in either order have the same cells, which are those of single cells. Prints how many it compared.
import {strictEqual} from "node:assert";
import {load} from "./module.mjs";

const solver = await load(), fixed = {body: "pendulum", stiffness_ratio: 0.7}, outputs = ["mode", "energy_loss", "slip_loss"];
const friction = {param: "friction", values: solver.spaced(0.01, 1.5, 7)}, angle = {param: "angle", values: solver.spaced(0.01, 1.5, 5)};
const one = solver.map("compliant", fixed, [friction, angle], outputs), other = solver.map("compliant", fixed, [angle, friction], outputs);
const {length} = one.outcome;
strictEqual(length, 35);
friction.values.forEach((mu, row) => angle.values.forEach((tilt, column) => {
    const at = row * angle.values.length + column, across = column * friction.values.length + row;
    const cell = solver.cell("compliant", {...fixed, friction: mu, angle: tilt}), about = `friction ${mu}, angle ${tilt}`;
    strictEqual(one.outcome[at], other.outcome[across], about);
    strictEqual(one.outputs.mode[at], other.outputs.mode[across], about);
    strictEqual(one.outputs.energy_loss[at], cell.energy_loss, about);
    strictEqual(other.outputs.energy_loss[across], cell.energy_loss, about);
    const slips = one.outputs.slip_loss.length / length;
    for (let k = 0; k < slips; k++) {
        strictEqual(one.outputs.slip_loss[at * slips + k], cell.slip_loss[k] ?? NaN, about);
        strictEqual(other.outputs.slip_loss[across * slips + k], cell.slip_loss[k] ?? NaN, about);
    }
}));
console.log(length);
