// Prints the commands of cells of a map of cases, one a line. Text: {info, theories, units, all, cells: [inputs]}.
import {readFileSync} from "node:fs";
import {ofCase} from "../../src/page/cases.js";
import {cellCommand} from "../../src/page/snippets.js";

const {info, theories, units, all, cells} = JSON.parse(readFileSync(0, "utf8"));
for (const inputs of cells) {
    const one = ofCase(info, theories, inputs, units, all);
    console.log(cellCommand(one.theory, one.inputs));
}
