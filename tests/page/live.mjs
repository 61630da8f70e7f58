// What the picture shows while windows are being solved, with a pool whose jobs end when the test says so.
import {strictEqual} from "node:assert";
import {Live} from "../../src/page/live.js";

const jobs = [], pool = {
    map(request) {
        const job = {request, width: 2, height: 1, quick: true, outcome: Uint8Array.of(1, 1),
            outputs: Object.fromEntries(request.outputs.map((name) => [name, Float64Array.of(jobs.length, jobs.length)]))};
        job.done = new Promise((resolve) => { job.end = resolve; });
        jobs.push(job);
        return job;
    }};
const axis = (name) => ({name, isNumbers: true, inside: (place) => place});
const field = (name) => ({name, key: name, kind: "real", length: 1, component: 0});
const page = {
    theory: {name: "any", parameters: [{name: "a"}, {name: "b"}, {name: "c"}], outputs: [{name: "e"}, {name: "f"}]},
    map: {axes: [axis("a"), axis("b")], field}, inputsAt: (shown) => ({...shown.inputs}), given: (inputs) => inputs};
const live = new Live(pool, page, {changed: () => {}, failed: () => {}});
const shown = (c, name = "e") => ({live: true, field: name, x: "a", y: "b", window: [0, 1, 0, 1], inputs: {c}});
const seen = (view) => live.raster(view, [2, 1])?.values[0] ?? null;
const end = async (job) => {
    job.end(true);
    await job.done;
    await null;
};

strictEqual(seen(shown(0)), null);
strictEqual(seen(shown(1)), null); // the slider moved on before the first window was solved
await end(jobs[0]);
strictEqual(seen(shown(1)), 0, "the window that is solved is not shown");
await end(jobs[1]);
strictEqual(seen(shown(1)), 1);
strictEqual(jobs.length, 2);
strictEqual(seen(shown(1, "f")), null, "values of one field are shown as those of another");
await end(jobs[2]);
strictEqual(seen(shown(1, "f")), 2);
console.log(jobs.length);
