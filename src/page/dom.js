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
        heads ? make("thead", {}, make("tr", {}, ...heads.map((head) => make("th", {scope: "col"}, head)))) : null, body);
}

export function select(label, options, value, change) {
    const box = make("select", {onchange: () => change(box.value)},
        ...options.map(([key, text]) => make("option", {value: key, textContent: text})));
    box.value = value;
    return make("label", {className: "control"}, make("span", {}, label), box);
}

export function check(label, value, change) {
    const box = make("input", {type: "checkbox", checked: value, onchange: () => change(box.checked)});
    return make("label", {className: "control check"}, box, make("span", {}, label));
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
