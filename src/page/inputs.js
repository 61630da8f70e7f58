// Sliders and lists for everything that the solver takes: bodies, laws, and every parameter that is on no axis.
import {byId, folded, make, select} from "./dom.js";
import {wordButton} from "./explain.js";
import {Histories} from "./histories.js";
import {Sketch} from "./sketch.js";
import {Study} from "./study.js";
import {parametersOf, rangeOfParameter} from "./theory.js";
import {DEGREES, spaced, unitText} from "./words.js";

const STEPS = 1000, TOLD = 4;

// Parameters that change a picture most, the most telling first; TOLD of them are in sight.
const TELLING = ["stiffness_ratio", "restitution", "velocity_ratio", "friction", "angle", "slenderness", "damping", "normal_damping_ratio", "heading", "tilt", "drop", "swerve_ratio",
    "angular_velocity", "position", "tangential_damping_ratio", "azimuth", "gyration_radius", "yield_speed"];

const rankOf = ({name}) => (TELLING.indexOf(name) + 1) || Infinity;

// One parameter: a slider, logarithmic where that fits, and a box for any number. Angles are shown in degrees.
function control(parameter, start, value, change) {
    const range = rangeOfParameter(parameter, start), factor = parameter.unit === "rad" ? DEGREES : 1;
    const toPart = (one) => range.log ? Math.log(one / range.low) / Math.log(range.high / range.low) : (one - range.low) / (range.high - range.low);
    const fromPart = (part) => range.log ? range.low * (range.high / range.low) ** part : range.low + part * (range.high - range.low);
    const digits = (one) => Number((one * factor).toPrecision(5));
    const box = make("input", {type: "number", step: "any", value: digits(value), id: `number-${parameter.name}`, onchange: () => {
        const one = Number(box.value) / factor;
        if (box.value !== "" && Number.isFinite(one)) {
            slider.value = STEPS * toPart(one);
            change(one);
        }
    }});
    const slider = make("input", {type: "range", min: 0, max: STEPS, step: "any", value: STEPS * toPart(value), id: `slider-${parameter.name}`, oninput: () => {
        const one = Number((fromPart(slider.value / STEPS) * factor).toPrecision(4)) / factor;
        box.value = digits(one);
        slider.setAttribute("aria-valuetext", box.value);
        change(one);
    }, onkeydown: (event) => {
        const step = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
        if (!step) return;
        event.preventDefault();
        slider.value = Number(slider.value) + step * STEPS / 100;
        slider.dispatchEvent(new Event("input"));
    }});
    box.setAttribute("aria-label", spaced(parameter.name));
    const unit = unitText(parameter.unit);
    slider.setAttribute("aria-label", spaced(parameter.name));
    return make("div", {className: "control wide", title: parameter.meaning}, make("span", {}, wordButton(spaced(parameter.name), parameter.name)), slider, box, make("span", {className: "unit"}, unit));
}

export class InputPanel {
    // page: {theory, inputsAt(shown), startOf(name), view}; those on the axes of the picture have no slider.
    constructor(page) {
        this.page = page;
        this.made = "";
        page.view.listen((changed, by) => by === "slider" || this.show());
        this.show();
    }

    show() {
        const {page} = this, shown = page.view.shown, inputs = page.inputsAt(shown);
        const made = JSON.stringify([shown.x, shown.y, inputs]);
        if (made === this.made) return;
        this.made = made;
        const set = (wanted, by) => page.view.set({inputs: {...page.view.shown.inputs, ...wanted}}, by);
        const choices = page.theory.choices.map((choice) => {
            const box = select(spaced(choice.name), choice.options.map((option) => [option.name, spaced(option.name)]), inputs[choice.name], (value) => {
                page.choose(choice.name, value);
            });
            box.title = choice.meaning;
            return box;
        });
        const stand = page.theory.parameters.filter((one) => one.stands_for && one.name in inputs);
        const parameters = [...parametersOf(page.theory, inputs).filter((one) => !stand.some((other) => other.stands_for === one.name)), ...stand]
            .filter((one) => one.name !== shown.x && one.name !== shown.y);
        parameters.sort((one, other) => rankOf(one) - rankOf(other) || 0);
        const focus = document.activeElement?.id, sliders = parameters.map((one) => control(one, page.startOf(one), inputs[one.name] ?? page.startOf(one), (value) => set({[one.name]: value}, "slider")));
        const isFew = sliders.length <= TOLD + 1, told = isFew ? sliders : sliders.slice(0, TOLD), rest = isFew ? [] : sliders.slice(TOLD);
        byId("inputs").replaceChildren(make("h2", {}, page.map.blocks ? "Change the physics" : "Parameters"), make("div", {className: "controls choices"}, ...choices,
            make("button", {type: "button", onclick: () => page.view.set({inputs: page.firstInputs()})}, page.map.blocks ? "As in the map" : "As at first")), this.chooser(parameters, sliders),
        make("div", {className: "sliders"}, ...told),
        rest.length ? folded(`${rest.length} more parameters`, this.isOpen, (isOpen) => { this.isOpen = isOpen; }, make("div", {className: "sliders"}, ...rest)) : "");
        if (focus && byId(focus)) byId(focus).focus();
    }

    // On a telephone one slider stands below the map: this one.
    chooser(parameters, sliders) {
        const choose = (name) => {
            this.chosen = name;
            sliders.forEach((slider, i) => slider.classList.toggle("chosen", parameters[i].name === name));
            const chosen = sliders.find((slider) => slider.classList.contains("chosen"));
            if (chosen.closest("details")) sliders[0].parentElement.append(chosen); // out of those that are folded
        };
        const names = parameters.map(({name}) => name);
        if (!names.length) return "";
        choose(names.includes(this.chosen) ? this.chosen : names[0]);
        const box = select("Slider", names.map((name) => [name, spaced(name)]), this.chosen, choose);
        box.classList.add("chooser");
        box.querySelector("select").setAttribute("aria-label", "Slider below the map");
        return box;
    }
}

// A page that the solver serves: what it knows of inputs. Base: of the map, or of the theory's example.
export class Inputs extends Study {
    // Sliders, the sketch of the body, and histories.
    startLab() {
        this.inputs = new InputPanel(this);
        this.sketch = new Sketch(this, (now) => this.histories?.setNow(now));
        this.histories = new Histories(this);
        this.view.listen(() => this.showSketch());
        this.sketch.show(this.inputsAt(this.view.shown));
    }

    // Once for a frame of the screen.
    showSketch() {
        this.sketching ??= requestAnimationFrame(() => {
            this.sketching = null;
            this.sketch.show(this.inputsAt(this.view.shown));
        });
    }

    // The cell under the pointer; null: there is none.
    pointed(inputs) {
        this.histories?.point(inputs);
    }

    animated(traced) {
        this.sketch?.animate(traced);
        if (!traced) this.histories?.setNow(null);
    }

    besides(inputs) {
        return this.panel.compare.besides(inputs);
    }

    // In other colours.
    again(isAtOnce) {
        if (isAtOnce) this.panel.draw();
        else this.panel.redraw();
        this.sketch?.again();
        this.histories?.again();
    }

    // What the commands of a cell say.
    command(inputs) {
        return {theory: this.theoryName, inputs: this.given(inputs), variables: this.theory?.variables};
    }

    // The view to which the address is relative.
    usualOf() {
        return this.usual;
    }

    choose(name, option) {
        this.view.set({inputs: {...this.view.shown.inputs, [name]: option}});
    }
}
