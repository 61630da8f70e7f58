// Traces the cells of JSON on the standard input, [[theory, words, CSV]...], and compares every column with the CSV
// that the program printed. Prints how many rows it compared.
import {deepStrictEqual} from "node:assert";
import {readFileSync} from "node:fs";
import {given, load} from "./module.mjs";

const solver = await load();
let rows = 0;
for (const [theory, words, csv] of JSON.parse(readFileSync(0, "utf8"))) {
    const all = csv.trimEnd().split("\n"), about = all.filter((line) => line.startsWith("#"));
    const said = (what) => about.find((line) => line.startsWith(`# ${what} =`)).split("= ")[1];
    const [header, ...table] = all.slice(about.length).map((line) => line.split(","));
    const {outcome, units, columns} = solver.trace(theory, given(words));
    const text = (value) => typeof value === "string" ? value : Number.isFinite(value) ? value : "";
    deepStrictEqual([outcome, Object.values(units).join(", ")], [said("outcome"), said("units")]);
    deepStrictEqual(Object.keys(columns), header);
    header.forEach((name, c) => deepStrictEqual(Array.from(columns[name], text), table.map((row) =>
        ["phase", "event"].includes(name) || row[c] === "" ? row[c] : Number(row[c])), `${words} ${name}`));
    rows += table.length;
}
console.log(rows);
