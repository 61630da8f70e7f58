// Two pens with the same strokes: one draws on a canvas, the other writes SVG.
import {inks} from "./inks.js";

const ON_DATA = "#1a1a1a"; // on the white halo of a text that lies on data
const FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif";

export class CanvasPen {
    constructor(context) {
        this.context = context;
    }

    rect(x, y, w, h, {fill, stroke, width = 1}) {
        if (fill) {
            this.context.fillStyle = fill;
            this.context.fillRect(x, y, w, h);
        }
        if (stroke) {
            Object.assign(this.context, {strokeStyle: stroke, lineWidth: width});
            this.context.strokeRect(x, y, w, h);
        }
    }

    line(points, {stroke = "#000", width = 1, dash = [], fill = null} = {}) {
        this.context.beginPath();
        points.forEach(([x, y], i) => i ? this.context.lineTo(x, y) : this.context.moveTo(x, y));
        if (fill) {
            this.context.fillStyle = fill;
            this.context.fill();
        }
        Object.assign(this.context, {strokeStyle: stroke, lineWidth: width, lineJoin: "round"});
        this.context.setLineDash(dash);
        this.context.stroke();
        this.context.setLineDash([]);
    }

    circle(x, y, radius, {fill, stroke, width = 1}) {
        this.context.beginPath();
        this.context.arc(x, y, radius, 0, 2 * Math.PI);
        if (fill) {
            this.context.fillStyle = fill;
            this.context.fill();
        }
        if (stroke) {
            Object.assign(this.context, {strokeStyle: stroke, lineWidth: width});
            this.context.stroke();
        }
    }

    text(x, y, text, {size = 13, halo = null, fill = halo ? ON_DATA : inks.ink, align = "left", baseline = "middle", turn = 0, bold = false} = {}) {
        const c = this.context;
        c.save();
        c.translate(x, y);
        c.rotate(turn);
        Object.assign(c, {font: `${bold ? "bold " : ""}${size}px ${FONT}`, textAlign: align, textBaseline: baseline});
        if (halo) {
            Object.assign(c, {strokeStyle: halo, lineWidth: 3, lineJoin: "round"});
            c.strokeText(text, 0, 0);
        }
        c.fillStyle = fill;
        c.fillText(text, 0, 0);
        c.restore();
    }

    image(canvas, x, y, w, h) {
        this.context.imageSmoothingEnabled = false;
        this.context.drawImage(canvas, x, y, w, h);
    }

    clipped(x, y, w, h, draw) {
        this.context.save();
        this.context.beginPath();
        this.context.rect(x, y, w, h);
        this.context.clip();
        draw();
        this.context.restore();
    }

    widthOf(text, size = 13) {
        this.context.font = `${size}px ${FONT}`;
        return this.context.measureText(text).width;
    }
}

export function escaped(text) {
    return String(text).replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
        .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?");
}

export class SvgPen {
    constructor(w, h, measure) {
        this.size = [w, h];
        this.parts = [];
        this.clips = 0;
        this.measure = measure; // a canvas pen
    }

    put(tag, attributes, content = "") {
        const written = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined)
            .map(([name, value]) => ` ${name}="${escaped(typeof value === "number" ? +value.toFixed(2) : value)}"`).join("");
        this.parts.push(`<${tag}${written}${content ? `>${content}</${tag}>` : "/>"}`);
    }

    rect(x, y, width, height, {fill, stroke, width: line = 1}) {
        this.put("rect", {x, y, width, height, fill: fill || "none", stroke: stroke || "none", "stroke-width": line});
    }

    line(points, {stroke = "#000", width = 1, dash = [], fill = null} = {}) {
        const path = points.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");
        this.put("polyline", {points: path, fill: fill || "none", stroke, "stroke-width": width,
            "stroke-dasharray": dash.length ? dash.join(" ") : null, "stroke-linejoin": "round"});
    }

    circle(cx, cy, r, {fill, stroke, width = 1}) {
        this.put("circle", {cx, cy, r, fill: fill || "none", stroke: stroke || "none", "stroke-width": width});
    }

    text(x, y, text, {size = 13, halo = null, fill = halo ? ON_DATA : inks.ink, align = "left", baseline = "middle", turn = 0, bold = false} = {}) {
        const anchor = {left: "start", center: "middle", right: "end"}[align];
        const shift = {middle: 0.35, top: 0.8, bottom: -0.2, alphabetic: 0}[baseline] * size;
        const degrees = turn * 180 / Math.PI;
        this.put("text", {transform: `translate(${x.toFixed(2)} ${y.toFixed(2)}) rotate(${degrees.toFixed(1)})`, dy: shift,
            "font-size": size, "font-family": FONT, "font-weight": bold ? "bold" : null, fill, "text-anchor": anchor,
            stroke: halo, "stroke-width": halo ? 3 : null, "paint-order": halo ? "stroke" : null}, escaped(text));
    }

    image(canvas, x, y, width, height) {
        this.put("image", {x, y, width, height, href: canvas.toDataURL("image/png"), preserveAspectRatio: "none",
            "image-rendering": "pixelated"});
    }

    clipped(x, y, w, h, draw) {
        const name = `clip${++this.clips}`;
        this.parts.push(`<clipPath id="${name}"><rect x="${x}" y="${y}" width="${w}" height="${h}"/></clipPath><g clip-path="url(#${name})">`);
        draw();
        this.parts.push("</g>");
    }

    widthOf(text, size) {
        return this.measure.widthOf(text, size);
    }

    toString() {
        const [w, h] = this.size;
        return `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">\n` +
            `<rect width="${w}" height="${h}" fill="#fff"/>\n${this.parts.join("\n")}\n</svg>\n`;
    }
}

// ---- what several pictures have ----

export function arrow(pen, from, to, style) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]], length = Math.hypot(dx, dy);
    if (length < 3) return;
    const [ux, uy] = [dx / length, dy / length], head = Math.min(9, length / 2);
    pen.line([from, to], style);
    pen.line([[to[0] - head * (ux + 0.45 * uy), to[1] - head * (uy - 0.45 * ux)], to, [to[0] - head * (ux - 0.45 * uy), to[1] - head * (uy + 0.45 * ux)]], style);
}

// What a body turns about.
export function drawPivot(pen, x, y) {
    pen.line([[x - 14, y - 14], [x, y], [x + 14, y - 14], [x - 14, y - 14]], {stroke: inks.ink, fill: inks.pivot});
    pen.circle(x, y, 5, {fill: inks.paper, stroke: inks.ink, width: 1.5});
}
