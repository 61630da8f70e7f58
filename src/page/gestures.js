// Mouse, touch and keys on the picture: zoom, pan, hover, pick. Calls {place(x, y), window(), setWindow(w),
// hover(x, y | null), pick(x, y)}, where x and y are pixels of the canvas.
import {checkedWindow, zoomed} from "./view.js";

const CLICK = 5; // pixels that a click may move

export function listenTo(canvas, calls) {
    listenToPointers(canvas, calls);
    canvas.addEventListener("wheel", (event) => {
        event.preventDefault();
        const step = event.deltaY * (event.deltaMode === 1 ? 16 : 1);
        const axes = event.shiftKey ? "x" : event.altKey ? "y" : "xy";
        calls.setWindow(zoomed(calls.window(), Math.exp(Math.max(-0.5, Math.min(0.5, step * 0.0015))), calls.place(...placeOf(canvas, event)), axes));
    }, {passive: false});
    canvas.addEventListener("dblclick", () => calls.setWindow([0, 1, 0, 1]));
    canvas.addEventListener("keydown", (event) => keyed(canvas, calls, event));
}

// Where an event is, in pixels of the canvas.
function placeOf(canvas, event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
}

function listenToPointers(canvas, calls) {
    const pointers = new Map(), at = (event) => placeOf(canvas, event);
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
        if (event.button !== 0) return;
        pointers.set(event.pointerId, at(event));
        capture(canvas, event.pointerId);
        moved = pointers.size > 1 ? CLICK + 1 : 0;
    });
    canvas.addEventListener("pointermove", (event) => {
        const [x, y] = at(event);
        const old = pointers.get(event.pointerId);
        if (!old) {
            calls.hover(x, y);
            return;
        }
        moved += Math.hypot(x - old[0], y - old[1]);
        const others = [...pointers].filter(([id]) => id !== event.pointerId);
        if (others.length === 0 && moved > CLICK) pan(calls, old, [x, y]);
        if (others.length === 1) pinch(calls, old, [x, y], others[0][1]);
        if (others.length > 0 || moved > CLICK) pointers.set(event.pointerId, [x, y]);
    });
    const end = (event) => {
        const held = pointers.delete(event.pointerId);
        if (held && event.type === "pointerup" && moved <= CLICK && pointers.size === 0) {
            calls.hover(...at(event));
            calls.pick(...at(event));
        }
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => pointers.size || calls.hover(null));
}

// Moves beyond the canvas belong to it too, unless the finger has been lifted by now.
function capture(canvas, pointer) {
    try {
        canvas.setPointerCapture(pointer);
    } catch (error) {
        if (error.name !== "NotFoundError") throw error;
    }
}

function pan(calls, from, to) {
    const [x0, x1, y0, y1] = calls.window();
    const [ax, ay] = calls.place(...from), [bx, by] = calls.place(...to);
    calls.setWindow(checkedWindow([x0 + ax - bx, x1 + ax - bx, y0 + ay - by, y1 + ay - by]));
}

function pinch(calls, from, to, still) {
    const distance = (point) => Math.hypot(point[0] - still[0], point[1] - still[1]);
    if (distance(to) < 8) return;
    calls.setWindow(zoomed(calls.window(), distance(from) / distance(to), calls.place(...still)));
}

// The pointer of the keyboard starts in the middle of the picture.
let cursor = [0.5, 0.5];

const MOVES = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]};

function keyed(canvas, calls, event) {
    const window = calls.window(), [x0, x1, y0, y1] = window;
    const place = () => [x0 + cursor[0] * (x1 - x0), y0 + cursor[1] * (y1 - y0)];
    const move = MOVES[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (move && event.shiftKey) {
        const dx = 0.1 * (x1 - x0) * move[0], dy = 0.1 * (y1 - y0) * move[1];
        calls.setWindow(checkedWindow([x0 + dx, x1 + dx, y0 + dy, y1 + dy]));
    } else if (move) {
        cursor = cursor.map((part, k) => Math.min(1, Math.max(0, part + 0.02 * move[k])));
        calls.hoverPlace(place());
    } else if (event.key === "+" || event.key === "=") {
        calls.setWindow(zoomed(window, 1 / 1.5, place()));
    } else if (event.key === "-") {
        calls.setWindow(zoomed(window, 1.5, place()));
    } else if (event.key === "0" || event.key === "Home") {
        calls.setWindow([0, 1, 0, 1]);
    } else if (event.key === "Enter" || event.key === " ") {
        calls.pickPlace(place());
    } else {
        return;
    }
    event.preventDefault();
}
