// Prints the theories as JSON.
import {load} from "./module.mjs";

console.log(JSON.stringify((await load()).theories()));
