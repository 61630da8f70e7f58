// node run_wasm.mjs PROGRAM.wasm [ARGUMENT...]: runs a program that was built for WASI.
import {readFile} from "node:fs/promises";
import {WASI} from "node:wasi";

const wasi = new WASI({version: "preview1", args: process.argv.slice(2), returnOnExit: true});
const module = await WebAssembly.compile(await readFile(process.argv[2]));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
