#!/usr/bin/python3
"""Milliseconds of a frame in a page: a map of the linear pendulum solved anew by two workers and drawn, in Chromium
without a window; and of the page that explore writes, from a slider that moves to the picture. The processor's time of
the whole browser for a frame varies less on a busy machine; two workers need at least half of it. IMPACTSWEEP and
IMPACT_BUILD name the program and its build folder.

With --drag a pointer drags the slider of several views: frames and milliseconds from the event to the first picture of
the new parameters and to the whole one, and milliseconds of script until the first: all of it, and within the solver.
Pages of other versions, given by --against, are measured in turn.

    tests/bench/frame.py [--cells 512] [--frames 40] [--workers 2]
    tests/bench/frame.py --drag [VIEW...] [--frames 40] [--size 1280 720] [--against before.html ...]"""
import argparse
import contextlib
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "page"))
import browser
import screens
import solver_page

FRAMES = """
const [cells, frames, workers] = given, pool = await impactsweep.Pool.open(await impactsweep.module, workers);
const canvas = document.querySelector("canvas"), drawing = Object.assign(canvas, {width: cells, height: cells}).getContext("2d");
const image = drawing.createImageData(cells, cells), pixels = new Uint32Array(image.data.buffer);
const colours = Uint32Array.from({length: 256}, (_, i) => 0xff000000 | i * 0x010203);
const axes = [{param: "friction", values: await impactsweep.spaced(0.01, 1.5, cells)},
              {param: "angle", values: await impactsweep.spaced(0.01, 1.5, cells)}];
const times = {frame: [], kernels: [], draw: []};
for (let frame = 0; frame < frames; frame++) {
    let kernels = 0;
    const start = performance.now();
    const job = pool.map({theory: "compliant", fixed: {body: "pendulum", law: "linear", stiffness_ratio: 0.5 + frame / frames},
                          axes, outputs: ["mode", "energy_loss"]}, (now, tile, milliseconds) => { kernels += milliseconds; });
    await job.done;
    const solved = performance.now(), values = job.outputs.energy_loss;
    for (let i = 0; i < pixels.length; i++) pixels[i] = colours[values[i] * 255 | 0];
    drawing.putImageData(image, 0, 0);
    const end = performance.now();
    times.frame.push(end - start);
    times.kernels.push(kernels / workers);
    times.draw.push(end - solved);
}
return times;
"""


# From a slider to the picture; what waits for a frame of the screen is part of it.
SLIDER = """
const [frames] = given, slider = document.getElementById("slider-stiffness_ratio"), times = {frame: []};
const frame = () => new Promise(requestAnimationFrame);
for (let i = 0; i < frames; i++) {
    const start = performance.now();
    slider.value = Number(slider.min) + (0.3 + 0.4 * i / frames) * (slider.max - slider.min);
    slider.dispatchEvent(new Event("input"));
    do await frame(); while (!impactsweep.isSolved);
    times.frame.push(performance.now() - start);
}
return times;
"""


# Views of the page that explore writes, and the slider that is dragged.
DRAGS = {
    "pendulum, modes": ("#story=wedge", "stiffness_ratio"),
    "rod, energy loss": ("#theory=rigid&field=energy_loss&x=angle&y=friction", "restitution"),
    "two laws": ("#story=tour-6&difference=false", "stiffness_ratio"),
    "their difference": ("#story=tour-6", "stiffness_ratio"),
    "capsule, hertz": ('#theory=compliant&x=angle&y=friction&inputs={"body":"capsule","law":"hertz"}', "slenderness"),
    "drops of a rod": ("#story=end", "friction"),
    "springs in space": ('#theory=compliant3d&x=angle&y=friction&inputs={"body":"rod3d"}', "stiffness_ratio"),
}
# Before the page: notes which new pictures the map draws, in which frame of the screen, and what the solver takes here.
WATCH = """
const {prototype} = CanvasRenderingContext2D, {drawImage} = prototype, {instantiate} = WebAssembly, ask = requestAnimationFrame;
let last = null, inputs = "", solving = 0, script = 0;
globalThis.watch = {frame: 0, start: null, pictures: []};
globalThis.requestAnimationFrame = (work) => ask((time) => {
    const start = performance.now();
    work(time);
    script += performance.now() - start;
});
prototype.drawImage = function (image, ...more) {
    if (["map", "map2"].at(document.body.classList.contains("compares") ? 1 : 0) === this.canvas.id && image !== last) {
        last = image;
        watch.pictures.push({frame: watch.frame, solving, script: () => script});
    }
    return drawImage.call(this, image, ...more);
};
WebAssembly.instantiate = async (...words) => {
    const {exports} = await instantiate.call(WebAssembly, ...words), timed = (work) => (...given) => {
        const start = performance.now(), result = work(...given);
        solving += performance.now() - start;
        return result;
    };
    return {exports: {...exports, window_open: timed(exports.window_open), window_solve: timed(exports.window_solve)}};
};
const tick = () => {
    watch.frame++;
    for (const picture of watch.pictures.filter((one) => one.time === undefined)) {
        Object.assign(picture, {time: performance.now(), script: picture.script()}); // what was drawn has gone to the screen
    }
    ask(tick);
};
ask(tick);
addEventListener("input", ({timeStamp}) => { // when the page has taken it; a browser may tell a move twice
    const now = JSON.stringify(impactsweep.view.inputs);
    if (now === inputs) return;
    [inputs, solving, script] = [now, 0, 0];
    Object.assign(watch, {start: {frame: watch.frame, time: timeStamp}, pictures: []});
});
"""
# What was seen since the last event: frames and milliseconds to the first picture, script and solver, and frames and
# milliseconds to the whole one, if it came within ten seconds.
SEEN = """
const frame = () => new Promise(requestAnimationFrame), {start} = watch;
do await frame(); while (!impactsweep.isSolved && performance.now() - start.time < 10000);
const isWhole = impactsweep.isSolved;
for (let i = 0; i < 3; i++) await frame();
const {pictures} = watch, first = pictures[0], whole = pictures.at(-1);
return first && [first.frame - start.frame, first.time - start.time, first.script, first.solving,
    ...isWhole ? [whole.frame - start.frame, whole.time - start.time] : [1e9, 1e9]];
"""


def drag(bench, page, address, name, moves, size):
    """Medians of what was seen of so many moves of a slider by the pointer."""
    seen = []
    with screens.screen(bench.browser, size, moving=True, density=1):
        bench.open(page, address)
        bench.run_script("await impactsweep.ready; while (!impactsweep.isSolved) await new Promise((next) => setTimeout(next, 20));")
        left, middle, width = bench.run_script("""
            const slider = document.getElementById(given[0]);
            slider.scrollIntoView({block: "nearest"});
            const box = slider.getBoundingClientRect();
            return [box.left, box.top + box.height / 2, box.width];""", f"slider-{name}")

        def mouse(kind, part, buttons):
            bench.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {
                "type": kind, "x": left + part * width, "y": middle, "button": "left", "buttons": buttons, "clickCount": 1})
        mouse("mousePressed", 0.4, 1)
        for move in range(moves):
            mouse("mouseMoved", 0.4 + 0.3 * (move + 1) / moves, 1)
            seen.append(bench.run_script(SEEN))
        mouse("mouseReleased", 0.7, 0)
    return [statistics.median(values) for values in zip(*filter(None, seen))]


def measure_drags(bench, pages, asked):
    bench.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": WATCH})
    print(f"{'medians of ' + str(asked.frames) + ' moves':39}first picture, its script and solver     whole picture")
    for title in asked.drag or DRAGS:
        address, name = DRAGS[title]
        for page in pages:
            found = drag(bench, page, address, name, asked.frames, asked.size)
            print(f"{title:17} {os.path.basename(page)[:20]:20}",
                  "{:2.0f} frames {:5.1f} ms {:5.1f} ms {:5.1f} ms".format(*found),
                  "{:4.0f} frames {:6.1f} ms".format(*found[4:]) if found[5] < 1e9 else "  later than 10 s", flush=True)


def processor_seconds(parent):
    """Of a process and all that it started."""
    started, seconds = {}, {}
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                fields = file.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        started.setdefault(int(fields[1]), []).append(int(entry))
        seconds[int(entry)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def total(process):
        return seconds[process] + sum(map(total, started.get(process, [])))
    return total(parent)


class Bench(browser.PageTest):
    density = 1

    def runTest(self):
        pass


def measure(bench, script, frames, *words):
    """Milliseconds of the browser's processes for a frame, and what a script returns."""
    bench.run_script(script, *words)  # until the engine has optimised the module
    driver = bench.browser.service.process.pid
    before = processor_seconds(driver)
    times = bench.run_script(script, *words)
    print(f"processor {1e3 * (processor_seconds(driver) - before) / frames:.1f} ms for a frame")
    for name, values in times.items():
        values.sort()
        print(f"{name:8} median {values[len(values) // 2]:6.1f} ms, least {values[0]:6.1f} ms, most {values[-1]:6.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cells", type=int, default=512)
    parser.add_argument("--frames", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--drag", nargs="*", choices=[*DRAGS], metavar="VIEW")
    parser.add_argument("--size", type=int, nargs=2, default=screens.DESKTOP)
    parser.add_argument("--against", nargs="*", default=[])
    asked = parser.parse_args()
    Bench.ending = contextlib.ExitStack()
    Bench.setup_class()
    try:
        bench = Bench()
        bench.browser.set_script_timeout(600)
        solver_page.write(Bench.path("frame.html"))
        browser.program("explore", "compliant", "-o", "explore.html", folder=Bench.folder.name)
        if asked.drag is not None:
            measure_drags(bench, [*map(os.path.abspath, asked.against), Bench.path("explore.html")], asked)
            return
        bench.open(Bench.path("frame.html"))
        print(f"{asked.cells} x {asked.cells} cells, {asked.workers} workers, and nothing else")
        measure(bench, FRAMES, asked.frames, asked.cells, asked.frames, asked.workers)
        bench.open(Bench.path("explore.html"))
        bench.run_script("await impactsweep.ready;")
        print("the page that explore writes,", bench.run_script("""
            const {w, h} = impactsweep.plane;
            return `${w} x ${h} cells, ${navigator.hardwareConcurrency} workers`;"""))
        measure(bench, SLIDER, asked.frames, asked.frames)
    finally:
        Bench.ending.close()


if __name__ == "__main__":
    main()
