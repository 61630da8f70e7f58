// Cases of a map, or the options of another axis of a few choices, as tabs above the picture.
import {byId, make} from "./dom.js";
import {spaced} from "./words.js";

const MOST_TABS = 8;

export class Tabs {
    constructor(page) {
        Object.assign(this, {page, key: ""});
        page.view.listen(() => this.show());
        this.show();
    }

    // The axis whose places are tabs: the cases, or else the first one of a few choices.
    axis() {
        const {x, y} = this.page.view.shown, axes = this.page.map.axes.filter((axis) => axis.name !== x && axis.name !== y && axis.size > 1 && axis.size <= MOST_TABS && axis.stride === 1
            && axis.columns.length === 1 && axis.columns[0].isChoice);
        return axes.find((axis) => axis.name === "case") ?? axes[0];
    }

    show() {
        const axis = this.axis(), at = axis && this.page.view.shown.at[axis.name], key = `${axis?.name} ${at}`;
        if (key === this.key) return;
        this.key = key;
        const hadFocus = byId("tabs").contains(document.activeElement);
        byId("stages").toggleAttribute("role", false);
        if (!axis) {
            byId("tabs").replaceChildren();
            return;
        }
        const choose = (index) => this.page.view.set({at: {[axis.name]: (index + axis.size) % axis.size}});
        const tabs = Array.from({length: axis.size}, (_, index) => make("button", {type: "button", role: "tab", id: `tab-${index}`, tabIndex: index === at ? 0 : -1, "aria-selected": String(index === at), "aria-controls": "stages",
            onclick: () => choose(index), onkeydown: (event) => {
                const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
                if (step) choose(at + step);
            }}, axis.textAt(index)));
        byId("tabs").replaceChildren(make("div", {role: "tablist", "aria-label": spaced(axis.name)}, ...tabs));
        byId("stages").setAttribute("role", "tabpanel");
        byId("stages").setAttribute("aria-labelledby", `tab-${at}`);
        if (hadFocus) tabs[at].focus();
    }
}
