// What the picture shows while windows are being solved, with a pool whose jobs end when the test says so.
import {deepStrictEqual, ok, strictEqual} from "node:assert";
import {Live} from "../../src/page/live.js";

const EDGE = 256; // pixels along a side of the picture
const jobs = [], asked = [];
let speed; // of cells, as the workers found it
const mapOf = (value, cells, outputs) => ({outcome: new Uint8Array(cells).fill(1), outputs: Object.fromEntries(outputs.map((name) => [name, new Float64Array(cells).fill(value)]))});
const pool = {
    speedOf: () => speed,
    map(request, progress) {
        const job = {request, progress, width: EDGE, height: EDGE, quick: true, ...mapOf(request.fixed.c, EDGE * EDGE, request.outputs)};
        job.done = new Promise((resolve) => { job.end = resolve; });
        jobs.push(job);
        return job;
    }};
const solver = {map(theory, fixed, axes, outputs) {
    const cells = axes[0].values.length * axes[1].values.length;
    asked.push(cells);
    if (fixed.c < 0) throw new Error("c is negative");
    return mapOf(fixed.c + 0.5, cells, outputs); // which tells a preview from what a job has
}};
const axis = (name) => ({name, isNumbers: true, inside: (place) => place});
const field = (name) => ({name, key: name, kind: "real", length: 1, component: 0});
const page = {
    theory: {name: "any", parameters: [{name: "a"}, {name: "b"}, {name: "c"}], outputs: [{name: "e"}, {name: "f"}]},
    map: {axes: [axis("a"), axis("b")], field}, inputsAt: (shown) => ({...shown.inputs}), given: (inputs) => inputs};
const make = (one = solver) => new Live(pool, page, {changed: () => {}, failed: () => {}, solver: one});
const shown = (c, {name = "e", law = "first", window = [0, 1, 0, 1]} = {}) => ({live: true, field: name, x: "a", y: "b", window, inputs: {c, law}});
const rasterOf = (live, view) => live.raster(view, [EDGE, EDGE]);
const seen = (live, view) => rasterOf(live, view)?.values[0] ?? null;
const end = async (job) => {
    job.end(true);
    await job.done;
    await null;
};

// Where nothing is known of the cells, or the page has no solver, the picture before stays until the next one is solved.
for (const live of [make(), make(null)]) {
    speed = live.solver ? undefined : 1e-6;
    strictEqual(seen(live, shown(0)), null);
    strictEqual(seen(live, shown(1)), null);
    await end(jobs.at(-2)); // the slider moved on before this one was solved
    strictEqual(seen(live, shown(1)), null);
    await end(jobs.at(-1));
    strictEqual(seen(live, shown(1)), 1);
    strictEqual(seen(live, shown(2)), 1);
    strictEqual(seen(live, shown(1, {name: "f"})), null, "values of one field are shown as those of another");
    await end(jobs.at(-1));
    strictEqual(seen(live, shown(1, {name: "f"})), 1);
}
deepStrictEqual(asked, []);

// New inputs are seen at once, in a preview; what was asked for before does not replace it.
speed = 1e-6;
const live = make();
strictEqual(seen(live, shown(0)), 0.5);
await end(jobs.at(-1));
strictEqual(seen(live, shown(0)), 0);
const whole = rasterOf(live, shown(0));
ok(!whole.square && whole.preview.square);
strictEqual(seen(live, shown(1)), 1.5);
strictEqual(seen(live, shown(2)), 2.5);
strictEqual(rasterOf(live, shown(2)).before, whole, "the legend is not that of the last whole picture");
await end(jobs.at(-2));
strictEqual(seen(live, shown(2)), 2.5, "a picture of former inputs is shown");
await end(jobs.at(-1));
strictEqual(seen(live, shown(2)), 2);
const previews = asked.length;
strictEqual(seen(live, shown(2, {window: [0, 0.5, 0, 0.5]})), 2, "another window of the same inputs needs no preview");
strictEqual(asked.length, previews);
strictEqual(seen(live, shown(-1)), 2, "a refused input leaves the picture");

// A preview has as many cells as fit into a few milliseconds; its squares rest while that nearly holds; and there is none of
// cells that are too slow.
[[1e-5, 256 * 256], [4e-3, 32 * 32], [0.04, 16 * 16], [9e-3, 16 * 16], [2e-3, 32 * 32], [1, null]].forEach(([milliseconds, cells], i) => {
    const before = asked.length;
    speed = milliseconds;
    rasterOf(live, shown(3 + i));
    strictEqual(asked[before] ?? null, cells, `cells of ${milliseconds} ms`);
});

// Of a slow window only what is finer than its preview replaces it. Beside a twin both have the same squares.
speed = 1e-2;
const [one, other] = [make(), make()];
Object.assign(one, {twin: other});
Object.assign(other, {twin: one});
for (const each of [one, other]) each.ask(shown(4, {law: each === one ? "slower" : "slow still"}), [EDGE, EDGE]);
const [first, second] = [one, other].map((each) => rasterOf(each, shown(4, {law: each === one ? "slower" : "slow still"})));
strictEqual(first.square, second.square);
const slow = jobs.at(-2);
Object.assign(slow, {quick: false, coarsest: 32});
slow.progress(slow, {size: first.square});
strictEqual(seen(one, shown(4, {law: "slower"})), 4.5);
slow.progress(slow, {size: first.square / 2});
strictEqual(seen(one, shown(4, {law: "slower"})), 4);
console.log(jobs.length);
