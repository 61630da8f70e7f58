// Menus and buttons of the picture.
import {byId, check, copy, folded, make, save, select} from "./dom.js";
import {scaleNames} from "./looks.js";
import {planeOf, zoomed} from "./view.js";
import {DEGREES, spaced} from "./words.js";

const COPIED = "Copied", REFUSED = "Not allowed here";

// The button says whether its text was copied.
export function told(button, done) {
    const text = button.textContent;
    if (text === COPIED || text === REFUSED) return;
    button.style.minWidth = `${button.offsetWidth}px`; // what stands beside it stays there
    byId("said").textContent = button.textContent = done ? COPIED : REFUSED;
    setTimeout(() => { button.textContent = text; }, 2500);
}

export const copyButton = (title, text) => make("button", {type: "button", onclick: async (event) => told(event.target, await copy(text()))}, title);

export class Controls {
    constructor(panel) {
        Object.assign(this, {panel, map: panel.map, view: panel.view, key: "", isOpen: false});
    }

    make() {
        const {map, view, panel} = this, shown = view.shown, set = (wanted) => view.set(wanted), {made} = panel.plot;
        const field = map.field(shown.field);
        const axes = map.axes.filter((axis) => axis.size > 1).map((axis) => [axis.name, spaced(axis.name)]);
        const {at, inputs, picks, story, ...choices} = shown, seen = made?.scale; // a slider that moves leaves all of them as they are
        const key = JSON.stringify([choices, axes, map.fields.map((one) => one.key), panel.live !== null, seen?.low, seen?.high]);
        if (key === this.key) return;
        this.key = key;
        const focus = document.activeElement?.id;
        const fold = folded("Scale and files", this.isOpen, (isOpen) => { this.isOpen = isOpen; },
            make("div", {className: "fold"}, make("div", {className: "controls"}, ...this.zooms(), check("Boundaries", shown.boundaries, (value) => set({boundaries: value})),
                panel.live && map.blocks ? check("Solve here", shown.live, (value) => set({live: value})) : null,
                field.isCategory ? check("Numbers", shown.numbers, (value) => set({numbers: value})) : null),
            field.isCategory ? "" : this.scale(field), this.files()));
        byId("controls").replaceChildren(make("div", {className: "controls"},
            select("Field", map.fields.map((one) => [one.key, one.label]), shown.field, (value) => set({field: value, scale: {}})),
            axes.length > 1 ? select("Horizontal", axes, shown.x, (x) => this.setAxis({x})) : null,
            axes.length > 0 ? select("Vertical", [["", "values of the field"], ...axes], shown.y ?? "", (y) => this.setAxis({y: y || null})) : null,
            this.whole(), fold), this.sliders());
        if (focus && byId(focus)) byId(focus).focus();
    }

    setAxis(wanted) {
        this.view.set({...planeOf(this.map.axes, wanted, this.view.shown), window: [0, 1, 0, 1]});
        this.key = ""; // a wish that cannot be fulfilled leaves the view, but not the menu, as it was
        this.make();
    }

    // Of the axes of a stored map that are on no side of the picture.
    sliders() {
        const shown = this.view.shown, further = this.map.axes.filter((axis) => axis.size > 1 && axis.name !== shown.x && axis.name !== shown.y);
        if (!this.map.blocks || !further.length) return "";
        return make("div", {className: "controls"}, ...further.map((axis) => {
            const text = make("output", {}, axis.textAt(shown.at[axis.name]));
            const slider = make("input", {type: "range", min: 0, max: axis.size - 1, step: axis.stride, value: shown.at[axis.name], id: `at-${axis.name}`,
                oninput: () => this.view.set({at: {[axis.name]: Number(slider.value)}})});
            slider.setAttribute("aria-valuetext", axis.textAt(shown.at[axis.name]));
            return make("label", {className: "control wide"}, make("span", {}, spaced(axis.name)), slider, text);
        }));
    }

    // Sliders follow the view.
    showAt() {
        for (const axis of this.map.axes) {
            const slider = byId(`at-${axis.name}`), index = this.view.shown.at[axis.name];
            if (!slider) continue;
            slider.value = index;
            slider.nextSibling.textContent = axis.textAt(index);
            slider.setAttribute("aria-valuetext", axis.textAt(index));
        }
    }

    // The boxes of the scale have what is drawn, except the one that somebody writes in.
    showScale() {
        const scale = this.panel.plot.made?.scale, factor = this.map.field(this.view.shown.field).unit === "rad" ? DEGREES : 1;
        for (const name of scale ? ["low", "high"] : []) {
            const box = byId(`scale-${name}`);
            if (box && box !== document.activeElement) box.value = Number((scale[name] * factor).toPrecision(6));
        }
    }

    scale(field) {
        const {panel, view} = this, scale = panel.scaleOf(field, view.shown.scale, panel.plot.made?.raster), asked = view.shown.scale;
        const change = (wanted) => view.set({scale: {...view.shown.scale, ...wanted}});
        const number = (label, name, value) => {
            const box = make("input", {type: "number", step: "any", value: Number((value * factor).toPrecision(6)), id: `scale-${name}`,
                onchange: () => change({[name]: box.value === "" ? undefined : Number(box.value) / factor})});
            return make("label", {className: "control"}, make("span", {}, label), box);
        };
        const unit = field.unit === "rad" ? " (deg)" : "", factor = field.unit === "rad" ? DEGREES : 1;
        const colours = view.shown.y === null ? [] : [check("Logarithmic", Boolean(asked.log), (log) => change({log, low: undefined, high: undefined})),
            select("Colours", scaleNames(panel.looks).map((name) => [name, name]), scale.name, (wanted) => change({colours: wanted}))];
        return make("div", {className: "controls"}, number(`Scale from${unit}`, "low", scale.low), number(`to${unit}`, "high", scale.high), ...colours,
            make("button", {type: "button", onclick: () => view.set({scale: {}})}, "Usual scale"));
    }

    zooms() {
        const button = (text, title, action) => make("button", {type: "button", title, onclick: action}, text);
        const middle = () => {
            const [x0, x1, y0, y1] = this.view.shown.window;
            return [(x0 + x1) / 2, (y0 + y1) / 2];
        };
        const zoom = (factor) => this.view.set({window: zoomed(this.view.shown.window, factor, middle())});
        return [button("+", "Zoom in", () => zoom(0.5)), button("−", "Zoom out", () => zoom(2))];
    }

    whole() {
        return make("button", {type: "button", title: "Show the whole map", onclick: () => this.view.set({window: [0, 1, 0, 1]})}, "Whole map");
    }

    files() {
        const {panel} = this, button = (text, title, action) => make("button", {type: "button", title, onclick: async ({target}) => {
            if (!panel.isSolved()) target.textContent = "Solving …"; // files are of the whole map
            await panel.whole();
            target.textContent = text;
            action();
        }}, text);
        return make("div", {className: "controls"},
            button("PNG", "Save the picture as PNG", () => panel.picture().toBlob((blob) => save("map.png", blob), "image/png")),
            button("SVG", "Save the picture as SVG", () => save("map.svg", new Blob([panel.svg()], {type: "image/svg+xml"}))));
    }
}
