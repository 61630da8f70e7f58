#!/usr/bin/python3
"""Milliseconds of a frame in a page: a map of the linear pendulum solved anew by two workers and drawn, in Chromium
without a window; and of the page that explore writes, from a slider that moves to the picture. The processor's time of the whole browser for a frame varies less on a busy machine; two workers need
at least half of it. IMPACTSWEEP and IMPACT_BUILD name the program and its build folder.

    tests/bench/frame.py [--cells 512] [--frames 40] [--workers 2]"""
import argparse
import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "page"))
import browser
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
    asked = parser.parse_args()
    Bench.ending = contextlib.ExitStack()
    Bench.setup_class()
    try:
        bench = Bench()
        bench.browser.set_script_timeout(600)
        solver_page.write(Bench.path("frame.html"))
        browser.program("explore", "compliant", "-o", "explore.html", folder=Bench.folder.name)
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
