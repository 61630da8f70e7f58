// Elements of the page. Text is set as text, never as HTML.

export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
        else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
        else element[name] = value;
    }
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
}

const NUMBER = /^(± )?[−<]?[\d,]+(\.\d+)?( %)?$/, LONG = /\S{24}/;

export const byId = (id) => document.getElementById(id);

// A table of rows of texts; the first column is a heading. Numbers below a head are set to the right; a long word
// may be broken anywhere.
export function table(rows, caption, heads) {
    const body = make("tbody", {}, ...rows.map((row) => make("tr", {}, ...row.map((text, i) =>
        i ? make("td", {className: heads && NUMBER.test(text) ? "number" : LONG.test(text) ? "long" : ""}, text) : make("th", {scope: "row"}, text)))));
    return make("table", {}, caption ? make("caption", {}, caption) : null,
        heads ? make("thead", {}, make("tr", {}, ...heads.map((head) => head ? make("th", {scope: "col"}, head) : make("td", {})))) : null, body);
}

export function select(label, options, value, change) {
    const box = make("select", {onchange: () => change(box.value)},
        ...options.map(([key, text]) => make("option", {value: key, textContent: text})));
    box.value = value;
    return make("label", {className: "control"}, make("span", {}, label), box);
}

// Options in groups, by their number among all; groups: [{group, entries: [{name}]}], one without a name is not set off.
export function groupedSelect(label, groups, chosen, change) {
    let number = 0;
    const optionOf = ({name}) => make("option", {value: String(number++), textContent: name});
    const box = make("select", {onchange: () => change(Number(box.value))}, ...groups.flatMap(({group, entries}) => group
        ? [make("optgroup", {label: group}, ...entries.map(optionOf))] : entries.map(optionOf)));
    box.value = String(chosen);
    return make("label", {className: "control"}, make("span", {}, label), box);
}

export function check(label, value, change) {
    const box = make("input", {type: "checkbox", checked: value, onchange: () => change(box.checked)});
    return make("label", {className: "control check"}, box, make("span", {}, label));
}

// What is seen only when it is asked for.
export function folded(title, isOpen, toggled, ...children) {
    const box = make("details", {open: isOpen, ontoggle: () => toggled(box.open)}, make("summary", {}, title), ...children);
    return box;
}

export function save(name, blob) {
    const link = make("a", {href: URL.createObjectURL(blob), download: name});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

export async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const box = make("textarea", {value: text, className: "hidden"});
        document.body.append(box);
        box.select();
        const done = document.execCommand("copy");
        box.remove();
        return done;
    }
}
