// Workers that solve for a page, so that it never waits: single calls of the solver, and windows of a map tile by
// tile. A window whose cells are slow appears coarse first and then becomes finer.
import {Solver} from "./solver.js";

const MILLISECONDS_OF_TILE = 12, MILLISECONDS_AT_ONCE = 120, CALLS_AHEAD = 2;
const LEAST_CELLS = 100; // of a first look, so that it is a picture

export const cellsOf = (width, height, square) => Math.ceil(width / square) * Math.ceil(height / square);

// Pixels along the squares of the coarsest look at a window.
export function coarsestOf(width, height) {
    let square = 1;
    while (cellsOf(width, height, 2 * square) >= LEAST_CELLS) square *= 2;
    return square;
}

// The program of a worker, which has no files: the text of this function and of the class Solver.
function serve() {
    let solver;
    self.onmessage = async ({data: {id, module, method, words}}) => {
        try {
            solver ??= Solver.load(module);
            const called = await solver, start = performance.now();
            const result = method ? called[method](...words) : null;
            const milliseconds = performance.now() - start;
            const moved = [result?.outcome, ...Object.values(result?.outputs ?? {})].filter(ArrayBuffer.isView);
            self.postMessage({id, result, milliseconds}, moved.map((array) => array.buffer));
        } catch (error) {
            self.postMessage({id, message: error.message});
        }
    };
}

export function workerSource() {
    return `"use strict";\n${Solver}\n(${serve})();\n`;
}

function workerOfPage(source) {
    const url = URL.createObjectURL(new Blob([source], {type: "text/javascript"}));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    return worker;
}

// ---- a window ----

// The lattices that cover a window, each at every `step` cells from x, y on: a coarse one, then three for each
// halving, which leave out the cells before them. A cell stands for a square of `size` until finer ones come.
function latticesOf(coarsest) {
    const lattices = [{x: 0, y: 0, step: coarsest, size: coarsest}];
    for (let size = coarsest / 2; size >= 1; size /= 2) {
        for (const [x, y] of [[size, 0], [0, size], [size, size]]) {
            lattices.push({x, y, step: 2 * size, size});
        }
    }
    return lattices;
}

// A lattice as tiles of whole rows with about so many cells.
function tilesOf({x, y, step, size}, width, height, cells) {
    const columns = Math.ceil((width - x) / step), rows = Math.ceil((height - y) / step);
    const each = Math.max(1, Math.ceil(cells / columns));
    const tiles = [];
    for (let row = 0; row < rows; row += each) {
        tiles.push({x, y: y + row * step, step, size, columns, rows: Math.min(each, rows - row)});
    }
    return tiles;
}

// Writes the values of a tile into a window of a width and height, each over its square.
export function fillSquares({x, y, step, size, columns, rows}, from, to, width, height) {
    const length = from.length / (columns * rows);
    if (step === 1) {
        to.set(from, y * width * length);
        return;
    }
    for (let row = 0; row < rows; row++) {
        const top = y + row * step, bottom = Math.min(top + size, height);
        for (let column = 0; column < columns; column++) {
            const left = x + column * step, right = Math.min(left + size, width);
            const values = from.subarray((row * columns + column) * length, (row * columns + column + 1) * length);
            for (let line = top; line < bottom; line++) {
                for (let at = left; at < right; at++) to.set(values, (line * width + at) * length);
            }
        }
    }
}

// A window that is being solved: `outcome` and `outputs` hold all cells, row by row. `done` becomes true when all
// are solved, and false after cancel.
export class Job {
    constructor(request, progress) {
        const [rows, columns] = request.axes;
        this.request = request;
        this.progress = progress;
        this.width = columns.values.length;
        this.height = rows.values.length;
        this.lattices = [];
        this.tiles = [];
        this.running = 0;
        this.ended = false;
        this.outcome = new Uint8Array(this.width * this.height);
        this.outputs = {};
        this.done = new Promise((resolve, reject) => Object.assign(this, {resolve, reject}));
    }

    // Quick ones at once, from one lattice; others from a coarse lattice on.
    start(quick) {
        this.quick = quick;
        this.coarsest = quick ? 1 : coarsestOf(this.width, this.height);
        this.lattices = latticesOf(this.coarsest).filter(({x, y}) => x < this.width && y < this.height);
    }

    cancel() {
        this.ended = true;
        this.resolve(false);
    }

    fail(error) {
        this.ended = true;
        this.reject(error);
    }

    // The next tile; nothing while the tiles of a coarser lattice are being solved, which would cover finer ones.
    take(cells) {
        while (!this.tiles.length && !this.running && this.lattices.length) {
            this.tiles = tilesOf(this.lattices.shift(), this.width, this.height, cells);
        }
        const tile = this.ended ? undefined : this.tiles.shift();
        this.running += tile ? 1 : 0;
        return tile;
    }

    // The arguments of Solver.map for a tile.
    words({x, y, step, columns, rows}) {
        const {theory, fixed, axes: [slow, fast], outputs} = this.request;
        const along = ({param, values}, first, n) =>
            ({param, values: Float64Array.from({length: n}, (_, i) => values[first + i * step])});
        return [theory, fixed, [along(slow, y, rows), along(fast, x, columns)], outputs];
    }

    put(tile, {outcome, outputs}, milliseconds) {
        this.running--;
        if (this.ended) return;
        fillSquares(tile, outcome, this.outcome, this.width, this.height);
        for (const [name, values] of Object.entries(outputs)) {
            this.outputs[name] ??= new values.constructor(this.outcome.length * values.length / outcome.length);
            fillSquares(tile, values, this.outputs[name], this.width, this.height);
        }
        this.progress?.(this, tile, milliseconds);
        if (!this.tiles.length && !this.running && !this.lattices.length) {
            this.ended = true;
            this.resolve(true);
        }
    }
}

// ---- the workers ----

export class Pool {
    // The module as for Solver.load; makeWorker turns the source of a worker into one.
    static async open(module, count = navigator.hardwareConcurrency || 2, makeWorker = workerOfPage) {
        const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
        return new Pool(Array.from({length: count}, () => makeWorker(workerSource())), compiled);
    }

    constructor(workers, module) {
        this.crew = workers.map((worker) => ({worker, asked: new Map()}));
        this.calls = [];
        this.job = null;
        this.speeds = new Map(); // milliseconds per cell
        this.number = 0;
        for (const member of this.crew) {
            member.worker.onmessage = ({data}) => this.#receive(member, data);
            member.worker.onerror = (event) => this.#fail(member, new Error(event.message || "a worker failed"));
            this.#send(member, {module}, () => {}, () => {});
        }
    }

    // A method of Solver in a worker: await pool.call("trace", theory, given).
    call(method, ...words) {
        return new Promise((resolve, reject) => {
            this.calls.push({method, words, resolve, reject});
            this.#pump();
        });
    }

    // Solves a window, {theory, fixed, axes: [{param, values}, {param, values}], outputs}; the first axis counts rows.
    // progress(job, tile, milliseconds) is called after every tile. The window before is given up.
    map(request, progress) {
        const job = new Job(request, progress), speed = this.speedOf(request) ?? Infinity;
        this.job?.cancel();
        this.job = job;
        job.start(speed * job.width * job.height / this.crew.length <= MILLISECONDS_AT_ONCE);
        this.#pump();
        return job;
    }

    // Milliseconds per cell, where they are known.
    speedOf(request) {
        return this.speeds.get(this.#kind(request));
    }

    close() {
        this.job?.cancel();
        for (const {worker} of this.crew) worker.terminate();
    }

    // Windows of one kind take about as long per cell: the theory and its choices.
    #kind({theory, fixed}) {
        return [theory, ...Object.values(fixed).filter((value) => typeof value === "string")].join(" ");
    }

    // A few cells take most of their time to begin, and say no more than that cells are at least as quick. A worker may have
    // waited for the processor, so that one tile alone does not say that cells are ten times slower.
    #learn(request, cells, milliseconds) {
        const speed = milliseconds / cells, known = this.speedOf(request) ?? Infinity;
        if (cells >= 64 || speed < known) this.speeds.set(this.#kind(request), Math.min(speed, 4 * known));
    }

    #send(member, message, take, refuse) {
        const id = this.number++;
        member.asked.set(id, {take, refuse});
        try {
            if (member.error) throw member.error;
            member.worker.postMessage({id, ...message});
        } catch (error) { // also of a value that no message can carry, such as a function
            member.asked.delete(id);
            refuse(error);
        }
    }

    #receive(member, {id, result, milliseconds, message}) {
        const {take, refuse} = member.asked.get(id);
        member.asked.delete(id);
        if (message === undefined) take(result, milliseconds);
        else refuse(new Error(message));
        this.#pump();
    }

    #fail(member, error) {
        member.error = error;
        for (const {refuse} of member.asked.values()) refuse(error);
        member.asked.clear();
    }

    // Gives every worker something to do, and something to go on with.
    #pump() {
        for (let ahead = 1; ahead <= CALLS_AHEAD; ahead++) {
            for (const member of this.crew) {
                if (member.asked.size < ahead) this.#give(member);
            }
        }
    }

    #give(member) {
        const call = this.calls.shift();
        if (call) {
            this.#send(member, {method: call.method, words: call.words}, call.resolve, call.reject);
            return;
        }
        const {job} = this, tile = job && job.take(this.#cellsOfTile(job));
        if (!tile) return;
        this.#send(member, {method: "map", words: job.words(tile)}, (result, milliseconds) => {
            this.#learn(job.request, tile.columns * tile.rows, milliseconds);
            job.put(tile, result, milliseconds);
        }, (error) => job.fail(error));
    }

    // As many as take a short while; the same number for each worker, so that none waits for another at the end.
    #cellsOfTile({request, width, height}) {
        const speed = this.speedOf(request) ?? 0.02, cells = width * height;
        const rounds = Math.ceil(cells * speed / (MILLISECONDS_OF_TILE * this.crew.length));
        return cells / (Math.max(CALLS_AHEAD, rounds) * this.crew.length);
    }
}
