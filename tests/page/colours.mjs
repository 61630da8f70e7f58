// Reads lists of names as JSON, and prints the colours that a page gives to the names of each list.
import {readFileSync} from "node:fs";
import {differenceOf} from "../../src/page/difference.js";
import {DASHES, LINE_COLOURS, categoryColours} from "../../src/page/looks.js";

const looks = JSON.parse(readFileSync(new URL("../../postprocess/impactsweep/display/looks.json", import.meta.url)));
const lists = JSON.parse(readFileSync(0));
// Two pictures of 6 modes each, in which every pair of them is met.
const names = Object.keys(looks.modes).filter((name, i, all) => all.findIndex((one) => looks.modes[one] === looks.modes[name]) === i).slice(0, 6);
const side = (codeAt) => ({w: 36, h: 1, window: [0, 1, 0, 1], values: Float32Array.from({length: 36}, (_, i) => codeAt(i)), labels: new Int16Array(36)});
const field = {key: "mode", label: "mode", isCategory: true, names};
const {field: pairs} = differenceOf(looks, [side((i) => i % 6), side((i) => Math.floor(i / 6))], [field, field], ["linear", "Hertz"]);
console.log(JSON.stringify({pairs, modes: categoryColours(looks, names), lines: LINE_COLOURS, dashes: DASHES.length, colours: lists.map((names) => categoryColours(looks, names))}));
