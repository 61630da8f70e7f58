// The boundaries and junctions of a refined map as lines and marks of a picture.
import {arrayAt} from "./arrays.js";

const CURVE = {stroke: "#000000", width: 1.3, halo: 2.6};

// Places on the sides of a triangle at which the height is 0.
function crossings(corners, heightOf, placeOf) {
    return corners.flatMap((from, k) => {
        const to = corners[(k + 1) % 3], [low, high] = [heightOf(from), heightOf(to)];
        if ((low < 0) === (high < 0)) return [];
        const [a, b] = [placeOf(from), placeOf(to)], part = low / (low - high);
        return [a.map((one, side) => one + part * (b[side] - one))];
    });
}

export class Found {
    // written: {boundaries, junctions, triangles: {column: place}, labels}; map: its axes.
    constructor(written, buffer, map) {
        const read = (table) => Object.fromEntries(Object.entries(table ?? {}).map(([name, place]) => [name, arrayAt(place, buffer)]));
        this.boundaries = read(written.boundaries);
        this.junctions = read(written.junctions);
        this.triangles = read(written.triangles);
        this.map = map;
        this.axes = map.axes.filter((axis) => `boundary_${axis.name}` in this.boundaries);
    }

    // The number of the refinement at a view: one for each cell of the other axes.
    refinementAt(shown) {
        return this.map.axes.filter((axis) => !this.axes.includes(axis))
            .reduce((number, axis) => number * axis.size + (shown.at[axis.name] || 0), 0);
    }

    // Whether the picture is over the two refined axes, or over two of three with surfaces between modes.
    fits(shown) {
        const further = this.axes.filter((axis) => axis.name !== shown.x && axis.name !== shown.y);
        return this.axes.length === further.length + 2 && (further.length === 0 || (further.length === 1 && "triangle_corner_1" in this.triangles));
    }

    places(table, prefix, shown, use) {
        const refinement = table[`${prefix}_refinement`], wanted = this.refinementAt(shown);
        const [x, y] = [shown.x, shown.y].map((name) => ({axis: this.map.axes.find((axis) => axis.name === name), values: table[`${prefix}_${name}`]}));
        for (let i = 0; x.values && y.values && i < x.values.length; i++) {
            if (!refinement || refinement[i] === wanted) use(i, [x.axis.placeOf(x.values[i]), y.axis.placeOf(y.values[i])]);
        }
    }

    decorate(scene, shown) {
        if (!this.fits(shown)) return;
        if (this.axes.length === 2) this.curves(scene, shown);
        else scene.lines.push(...this.slices(shown).map((places) => ({places, ...CURVE})));
    }

    // Where the triangles of surfaces meet the plane of the picture.
    slices(shown) {
        const column = (name) => ({axis: this.map.axes.find((axis) => axis.name === name), values: this.boundaries[`boundary_${name}`]});
        const [x, y] = [column(shown.x), column(shown.y)], z = column(this.axes.find((axis) => axis !== x.axis && axis !== y.axis).name);
        const level = z.axis.values[shown.at[z.axis.name] || 0], wanted = this.refinementAt(shown), refinement = this.boundaries.boundary_refinement;
        const placeOf = (i) => [x.axis.placeOf(x.values[i]), y.axis.placeOf(y.values[i])], heightOf = (i) => z.values[i] - level;
        const [first, second, third] = [1, 2, 3].map((corner) => this.triangles[`triangle_corner_${corner}`]);
        const lines = [];
        first.forEach((corner, row) => {
            if (refinement && refinement[corner] !== wanted) return;
            const crossed = crossings([corner, second[row], third[row]], heightOf, placeOf);
            if (crossed.length === 2) lines.push(crossed);
        });
        return lines;
    }

    curves(scene, shown) {
        const number = this.boundaries.boundary_number, lines = new Map();
        this.places(this.boundaries, "boundary", shown, (i, place) => {
            if (!lines.has(number[i])) lines.set(number[i], []);
            lines.get(number[i]).push(place);
        });
        for (const places of lines.values()) scene.lines.push({places, ...CURVE});
        this.places(this.junctions, "junction", shown, (_, place) => scene.marks.unshift({place, radius: 3.2}));
    }
}
