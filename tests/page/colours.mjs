// Reads lists of names as JSON, and prints the colours that a page gives to the names of each list.
import {readFileSync} from "node:fs";
import {DASHES, LINE_COLOURS, categoryColours} from "../../src/page/looks.js";

const looks = JSON.parse(readFileSync(new URL("../../postprocess/impactsweep/display/looks.json", import.meta.url)));
const lists = JSON.parse(readFileSync(0));
console.log(JSON.stringify({lines: LINE_COLOURS, dashes: DASHES.length, colours: lists.map((names) => categoryColours(looks, names))}));
