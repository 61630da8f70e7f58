// The theories in a page: calls the module of WebAssembly that module.c describes. It needs no document, so that
// workers and node use it too. The source of the class, as text, is all that a worker needs (workers.js).

export class Solver {
    // The module: bytes, or a WebAssembly.Module.
    static async load(module) {
        const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
        const nothing = () => 52; // ENOSYS: the module reads and prints nothing
        const imports = {};
        for (const {module: room, name} of WebAssembly.Module.imports(compiled)) {
            imports[room] = {...imports[room], [name]: nothing};
        }
        return new Solver(await WebAssembly.instantiate(compiled, imports));
    }

    constructor(instance) {
        this.wasm = instance.exports;
        this.wasm._initialize();
    }

    // ---- what the program prints ----

    // `impactsweep models --json`
    theories() {
        this.known ??= JSON.parse(this.#text(this.wasm.theories()));
        return this.known;
    }

    // `impactsweep cell THEORY key=value... --json`. Angles are numbers in radians, or texts such as "30deg".
    // An Error has the message of the program.
    cell(theory, given = {}) {
        return JSON.parse(this.#withWords(theory, given, [], (words, n) => this.#text(this.wasm.cell(words, n))));
    }

    // `impactsweep trace THEORY key=value...`: {outcome, units, columns}, the columns by name in the order of the
    // program: Float64Array for reals, lists of names for `phase` and `event`.
    trace(theory, given = {}, {points = 401} = {}) {
        if (!Number.isInteger(points) || points < 2 || points > 1e7) {
            throw new Error(`points: ${points} is not a whole number from 2 to 10000000`);
        }
        const about = JSON.parse(this.#withWords(theory, given, [],
            (words, n) => this.#text(this.wasm.trace(words, n, points))));
        const names = Object.keys(about.units), n = this.wasm.row_count();
        const rows = new Float64Array(this.wasm.memory.buffer, this.wasm.row_values(), n * names.length);
        const columns = {};
        names.forEach((name, c) => {
            columns[name] = Float64Array.from({length: n}, (_, row) => rows[row * names.length + c]);
        });
        return {outcome: about.outcome, units: about.units,
            columns: {...columns, phase: about.phase, event: about.event}};
    }

    // ---- maps ----

    // Values along an axis with both ends, placed as by a sweep. Spacing: "linear" or "log".
    spaced(from, to, points, spacing = "linear") {
        const room = this.#makeRoom(8 * points);
        this.wasm.space(from, to, points, spacing === "log", room);
        const values = this.#view(Float64Array, room, points).slice();
        this.wasm.free_room(room);
        return values;
    }

    // All cells of a grid. axes: [{param, values}], the first is the slowest; outputs: names. The result is
    // {outcome: Uint8Array, outputs: {name: Float64Array, or Int8Array of codes for a category}}, with NaN and 0
    // where an output is undefined. An output with several values per cell has them one after another.
    map(theory, fixed, axes, outputs) {
        const isTurned = this.#isQuickerTurned(theory, axes), ordered = isTurned ? [...axes].reverse() : axes;
        const opened = this.#withWords(theory, fixed, axes.map((axis) => axis.param),
            (words, n) => this.#checked(this.wasm.window_open(words, n)));
        try {
            ordered.forEach((axis) => this.#addAxis(opened, axis));
            const wanted = outputs.map((name) => this.#addOutput(opened, name));
            const result = this.#solve(opened, wanted, axes.reduce((cells, axis) => cells * axis.values.length, 1));
            return isTurned ? this.#turned(result, ordered.map((axis) => axis.values.length)) : result;
        } finally {
            this.wasm.window_close(opened);
        }
    }

    // A body takes long to describe: cells that share theirs, and those with the same law, had better follow each other.
    #isQuickerTurned(theory, axes) {
        const {parameters = []} = this.theories().find(({name}) => name === theory) ?? {};
        const ofOption = axes.map(({param}) => Boolean(parameters.find(({name}) => name === param)?.applies_to));
        return axes.length === 2 && ofOption[1] && !ofOption[0];
    }

    // Columns as rows.
    #turned({outcome, outputs}, [rows, columns]) {
        const turn = (values) => {
            const length = values.length / (rows * columns), result = new values.constructor(values.length);
            for (let row = 0, from = 0; row < rows; row++) {
                for (let column = 0; column < columns; column++) {
                    for (let k = 0; k < length; k++) result[(column * rows + row) * length + k] = values[from++];
                }
            }
            return result;
        };
        return {outcome: turn(outcome), outputs: Object.fromEntries(Object.entries(outputs).map(([name, values]) => [name, turn(values)]))};
    }

    #addAxis(opened, {param, values}) {
        const room = this.#withText(param,
            (name) => this.#checked(this.wasm.window_axis(opened, name, values.length)));
        new Float64Array(this.wasm.memory.buffer, room, values.length).set(values);
    }

    #addOutput(opened, name) {
        const length = this.#withText(name, (text) => this.#checked(this.wasm.window_output(opened, text)));
        return {name, length: Math.abs(length), type: length < 0 ? Int8Array : Float64Array};
    }

    #solve(opened, wanted, cells) {
        const outcome = new Uint8Array(cells), block = this.wasm.window_block();
        const results = wanted.map(({length, type}) => new type(cells * length));
        for (let first = 0; first < cells; first += block) {
            const n = Math.min(block, cells - first);
            this.#checked(this.wasm.window_solve(opened, first, n));
            outcome.set(this.#view(Uint8Array, this.wasm.window_outcomes(opened), n), first);
            wanted.forEach(({length}, k) => {
                const values = this.#view(Float64Array, this.wasm.window_values(opened, k), n * length);
                results[k].set(values, first * length);
            });
        }
        return {outcome, outputs: Object.fromEntries(wanted.map(({name}, k) => [name, results[k]]))};
    }

    // ---- the memory of the module ----

    // Growth of the memory ends every view, so that each is made where it is used.
    #view(type, at, n) {
        return new type(this.wasm.memory.buffer, at, n);
    }

    #said() {
        return new TextDecoder().decode(this.#view(Uint8Array, this.wasm.text(), this.wasm.text_length()));
    }

    // The result of a call; 0 is a failure.
    #checked(result) {
        if (!result) {
            throw new Error(this.#said().trimEnd());
        }
        return result;
    }

    #text(good) {
        this.#checked(good);
        return this.#said();
    }

    #makeRoom(bytes) {
        const room = this.wasm.make_room(bytes);
        if (!room) {
            throw new Error("out of memory");
        }
        return room;
    }

    // Calls `work` with a place in the memory that holds a text and its final 0.
    #withText(text, work) {
        const bytes = new TextEncoder().encode(`${String(text).replaceAll("\0", "\ufffd")}\0`);
        const room = this.#makeRoom(bytes.length);
        this.#view(Uint8Array, room, bytes.length).set(bytes);
        try {
            return work(room);
        } finally {
            this.wasm.free_room(room);
        }
    }

    // Calls `work` with a table of the words THEORY key=value... name..., and their number.
    #withWords(theory, given, names, work) {
        const exact = (value) => Object.is(value, -0) ? "-0" : value;
        const words = [theory, ...Object.entries(given).map(([key, value]) => `${key}=${exact(value)}`), ...names];
        const table = this.#makeRoom(4 * words.length);
        const withRest = (at) => at === words.length ? work(table, words.length) : this.#withText(words[at], (room) => {
            this.#view(Uint32Array, table, words.length)[at] = room;
            return withRest(at + 1);
        });
        try {
            return withRest(0);
        } finally {
            this.wasm.free_room(table);
        }
    }
}

// The module as pages hold it, the bytes of a gzip file, which no server has to unpack.
export async function unpack(bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
}

export const loadSolver = (module) => Solver.load(module);

// What scripts call in a page: the methods of a solver that is being loaded, each as a promise.
export function scripting(loading) {
    const call = (name) => async (...words) => (await loading)[name](...words);
    return Object.fromEntries(["theories", "cell", "trace", "spaced", "map"].map((name) => [name, call(name)]));
}
