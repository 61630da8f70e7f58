// One picture of a map on a canvas: its size, its scene, what is drawn, and files of it.
import {make} from "./dom.js";
import {explainLegend} from "./explain.js";
import {inks, onWhite} from "./inks.js";
import {CanvasPen, SvgPen} from "./pens.js";
import {drawPicture, layoutOf, roomBelow, toPlane, withWholeLegend} from "./picture.js";

const densityOf = () => Math.min(2, devicePixelRatio || 1);

export class Plot {
    // sceneOf: (pixels) => {scene, raster, scale}; ticksRoom: () => the width of the longest text beside the plane. The canvas
    // stands in an element that says with --fit whether it has a height of its own.
    // again: asks for another frame. twin: a plot beside this one, whose plane has the same pixels.
    constructor(canvas, sceneOf, ticksRoom, again) {
        Object.assign(this, {canvas, sceneOf, ticksRoom, again, host: canvas.parentElement, below: 0, twin: null});
        this.pen = new CanvasPen(canvas.getContext("2d"));
        this.more = make("button", {type: "button", className: "plain more", hidden: true, "aria-haspopup": "dialog", onclick: () => explainLegend(this.made.scene.legend, this.more)}, "and more");
        this.host.append(this.more);
    }

    size() {
        const boxes = [this, this.twin].filter(Boolean).map(({host}) => host.getBoundingClientRect()).filter(({width}) => width > 0), w = Math.max(160, Math.floor(Math.min(...boxes.map(({width}) => width))));
        const fits = getComputedStyle(this.host).getPropertyValue("--fit").trim() === "1";
        if (fits && boxes.length) return {w, h: Math.max(160, Math.floor(Math.min(...boxes.map(({height}) => height)))), fits};
        if (!boxes.length) return {w: 320, h: 320, fits: false};
        return {w, h: w < 640 ? Math.floor(w * 1.15) : Math.max(300, Math.min(Math.floor(w * 0.72), Math.floor(innerHeight * 0.8), 640)), fits};
    }

    // window: what is shown; cursor: a place, or null.
    draw(window, cursor) {
        const {w, h, fits} = this.size(), density = densityOf();
        this.layout = layoutOf(w, h - (fits ? Math.max(this.below, this.twin?.below ?? 0) : 0), this.ticksRoom(), w >= 640 || (fits && w >= 340 && w > 1.6 * h));
        this.layout.rows = fits ? Math.max(1, Math.floor((this.twin ? 0.3 : 0.4) * h / 22)) : Infinity;
        const {plane} = this.layout;
        this.pixels = [Math.round(plane.w * density), Math.round(plane.h * density)];
        this.made = this.sceneOf(this.pixels);
        // Beside a twin it only grows: a difference has another legend, and is there only where both pictures have one size.
        // A preview leaves the picture where it is.
        const below = this.made.raster?.square ? this.below : Math.max(roomBelow(this.pen, this.layout, this.made.scene), this.twin ? this.below : 0), height = fits ? h : h + below;
        if (below !== this.below && this.made.scene.note === undefined) {
            this.below = below;
            if (fits) this.again(); // the next frame has the room that this legend needs
        }
        this.height = height;
        if (document.body.classList.contains("prints")) this.fill(w, withWholeLegend(this.pen, this.layout, this.made.scene, height));
        else this.fill(w, {layout: this.layout, height});
        this.showMore(this.layout.more);
        this.drawCursor(window, cursor);
    }

    fill(w, {layout, height}) {
        const density = densityOf();
        Object.assign(this.canvas, {width: Math.round(w * density), height: Math.round(height * density)});
        this.canvas.style.height = `${height}px`;
        this.pen.context.setTransform(density, 0, 0, density, 0, 0);
        this.pen.rect(0, 0, w, height, {fill: inks.paper});
        drawPicture(this.pen, layout, this.made.scene);
    }

    // Names for which a legend has no room are behind a button in their place.
    showMore(more) {
        this.more.hidden = !more;
        if (!more) return;
        this.more.textContent = `and ${more.count} more`;
        Object.assign(this.more.style, {left: `${more.x}px`, top: `${more.y}px`});
    }

    drawCursor(window, place) {
        if (!place || !isWithin(window, place)) return;
        const [x, y] = toPlane(this.layout.plane, window, place);
        for (const [stroke, width] of [["#ffffff", 3], ["#000000", 1]]) {
            this.pen.line([[x - 9, y], [x + 9, y]], {stroke, width});
            this.pen.line([[x, y - 9], [x, y + 9]], {stroke, width});
        }
    }

    // The place on the map under a point of the canvas.
    placeAt(x, y, [x0, x1, y0, y1]) {
        const {plane} = this.layout;
        return [x0 + (x - plane.x) / plane.w * (x1 - x0), y0 + (plane.y + plane.h - y) / plane.h * (y1 - y0)];
    }

    // A canvas of the picture, twice as fine, on white.
    picture() {
        return onWhite(() => {
            const canvas = document.createElement("canvas"), w = this.canvas.width / densityOf(), {scene} = this.sceneOf(this.pixels), {layout, height: h} = withWholeLegend(this.pen, this.layout, scene, this.height);
            Object.assign(canvas, {width: w * 2, height: h * 2});
            const pen = new CanvasPen(canvas.getContext("2d"));
            pen.context.setTransform(2, 0, 0, 2, 0, 0);
            pen.rect(0, 0, w, h, {fill: "#ffffff"});
            drawPicture(pen, layout, scene);
            return canvas;
        });
    }

    svg() {
        return onWhite(() => {
            const {scene} = this.sceneOf(this.pixels), {layout, height} = withWholeLegend(this.pen, this.layout, scene, this.height);
            const pen = new SvgPen(this.canvas.width / densityOf(), height, this.pen);
            drawPicture(pen, layout, scene);
            return pen.toString();
        });
    }
}

const HEAD = 28; // room for the names of pictures

// Pictures beside each other, [picture, name above it].
export function sideBySide(named) {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    Object.assign(canvas, {width: named.reduce((sum, [one]) => sum + one.width, 0), height: Math.max(...named.map(([one]) => one.height)) + 2 * HEAD});
    Object.assign(pen, {fillStyle: "#ffffff", font: "bold 28px sans-serif"}).fillRect(0, 0, canvas.width, canvas.height);
    pen.fillStyle = "#1a1a1a";
    let x = 0;
    for (const [one, name] of named) {
        pen.fillText(name, x + 24, 38, one.width - 48);
        pen.drawImage(one, x, 2 * HEAD);
        x += one.width;
    }
    return canvas;
}

export function svgSideBySide(named) {
    const sizes = named.map(([one]) => /width="([\d.]+)" height="([\d.]+)"/.exec(one).slice(1).map(Number)), w = sizes.reduce((sum, [own]) => sum + own, 0), h = Math.max(...sizes.map(([, own]) => own)) + HEAD;
    const pen = new SvgPen(w, h, null);
    let x = 0;
    named.forEach(([one, name], i) => {
        pen.text(x + 12, HEAD / 2, name, {size: 14, bold: true});
        pen.parts.push(one.replace("<svg ", `<svg x="${x}" y="${HEAD}" `));
        x += sizes[i][0];
    });
    return pen.toString();
}

export const isWithin = ([x0, x1, y0, y1], [x, y]) => x >= x0 && x <= x1 && y >= y0 && y <= y1;
