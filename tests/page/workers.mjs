// The pool of workers under node: windows are those of the solver, coarse to fine where cells are slow; a new window
// ends the old one. Prints the number of windows that it compared.
import {deepStrictEqual, ok, rejects, strictEqual} from "node:assert";
import {Worker} from "node:worker_threads";
import {Pool} from "../../src/page/workers.js";
import {load, moduleBytes} from "./module.mjs";

// What a worker of a page has, in a thread of node.
const SELF = `const {parentPort} = require("worker_threads");
    globalThis.self = {postMessage: (message, moved) => parentPort.postMessage(message, moved),
                     set onmessage(take) { parentPort.on("message", (data) => take({data})); }};`;

function makeWorker(source) {
    const thread = new Worker(SELF + source, {eval: true}), worker = {
        postMessage: (message) => thread.postMessage(message), terminate: () => thread.terminate()};
    thread.on("message", (data) => worker.onmessage({data}));
    thread.on("error", (error) => worker.onerror(error));
    return worker;
}

const solver = await load();
const fixed = {body: "pendulum", stiffness_ratio: 1.21};
const window = (rows, columns, outputs = ["mode", "energy_loss", "slip_loss", "sequence"], more = {}) => ({
    theory: "compliant", fixed: {...fixed, ...more}, outputs,
    axes: [{param: "friction", values: solver.spaced(0.01, 1.5, rows, "log")},
         {param: "angle", values: solver.spaced(0.01, 1.5, columns)}]});
let compared = 0;

// Solves a window in workers, compares it with the solver, and returns the sizes of squares in the order of tiles.
async function compare(pool, asked) {
    const sizes = [];
    const job = pool.map(asked, (now, tile) => {
        ok(sizes.length === 0 || tile.size <= sizes.at(-1), "a coarse tile after a finer one");
        sizes.push(tile.size);
    });
    strictEqual(await job.done, true);
    const {theory, fixed: given, axes, outputs} = asked, expected = solver.map(theory, given, axes, outputs);
    deepStrictEqual({outcome: job.outcome, outputs: job.outputs}, expected);
    compared++;
    return sizes;
}

async function check_windows(pool) {
    for (const [rows, columns] of [[1, 1], [1, 70], [70, 1], [33, 17], [96, 70]]) {
        await compare(pool, window(rows, columns));
    }
    await compare(pool, window(40, 50, ["mode"], {law: "hertz"}));
}

// An unknown kind of cell is looked at coarsely; one that is known to be quick is solved at once.
async function check_order(pool) {
    const asked = window(64, 64, ["mode"], {law: "coupled"});
    deepStrictEqual([...new Set(await compare(pool, asked))], [4, 2, 1]);
    pool.speeds.set("compliant pendulum coupled", 1e-9);
    deepStrictEqual([...new Set(await compare(pool, asked))], [1]);
}

// After the first tiles every cell has the value of a neighbour.
async function check_first_look(pool) {
    let seen = null;
    const asked = window(100, 75, ["mode"], {body: "rod", velocity_ratio: 1});
    await pool.map(asked, (now, tile) => {
        if (tile.size < now.coarsest && !seen) seen = now.outcome.slice();
    }).done;
    ok(seen?.every((outcome) => outcome > 0), "some cells are empty after the first look");
}

async function check_a_new_window_ends_the_old(pool) {
    let late = 0, ended = false;
    const old = pool.map(window(400, 400, ["mode"], {law: "hertz"}),
        () => { late += ended ? 1 : 0; });
    const next = window(30, 30);
    const sizes = compare(pool, next);
    ended = true;
    strictEqual(await old.done, false);
    await sizes;
    strictEqual(late, 0);
    const cancelled = pool.map(window(300, 300, ["mode"], {law: "hertz"}));
    cancelled.cancel();
    strictEqual(await cancelled.done, false);
}

// Of windows that come faster than they can be solved the last counts, also where they are quick.
async function check_that_the_last_window_counts() {
    const pool = await Pool.open(moduleBytes(), 2, makeWorker);
    pool.speeds.set("compliant pendulum", 1e-9);
    const jobs = [1, 2, 3, 4, 5].map((mass) => pool.map(window(64, 64, ["mode"], {mass})));
    deepStrictEqual(await Promise.all(jobs.map((job) => job.done)), [false, false, false, false, true]);
    pool.close();
}

async function check_calls(pool) {
    const given = {...fixed, angle: "30deg", friction: 0.3};
    const slow = pool.map(window(300, 300, ["mode"], {law: "hertz"}));
    const [cell, trace] = await Promise.all([pool.call("cell", "compliant", given),
                                           pool.call("trace", "compliant", given, {points: 50})]);
    deepStrictEqual(cell, solver.cell("compliant", given));
    deepStrictEqual(trace, solver.trace("compliant", given, {points: 50}));
    ok(!slow.ended, "calls waited for a map");
    await rejects(pool.call("cell", "compliant", {...given, angel: 1}), /did you mean 'angle'/);
    slow.cancel();
}

async function check_failures(pool) {
    await rejects(pool.map(window(20, 20, ["modes"])).done, /'modes' is no output of the theory compliant/);
    await rejects(pool.map(window(20, 20, ["mode"], {frction: 1})).done, /did you mean 'friction'/);
    await rejects(pool.call("cell", "compliant", {angle: () => 1}), /could not be cloned/);
    await compare(pool, window(20, 20));
    const broken = await Pool.open(moduleBytes(), 1, () => makeWorker("throw new Error('no worker')"));
    await rejects(broken.call("cell", "compliant", {}), /no worker/);
    await rejects(broken.call("cell", "compliant", {}), /no worker/);
    broken.close();
}

const pool = await Pool.open(moduleBytes(), 2, makeWorker);
for (const check of [check_windows, check_order, check_first_look, check_a_new_window_ends_the_old,
                     check_that_the_last_window_counts, check_calls,
                     check_failures]) await check(pool);
pool.close();
console.log(compared);
