// The boundaries and junctions of a refined map as lines and marks of a picture.
import {arrayAt} from "./arrays.js";

export class Found {
    // written: {boundaries, junctions: {column: place}, labels}; map: its axes.
    constructor(written, buffer, map) {
        const read = (table) => Object.fromEntries(Object.entries(table ?? {}).map(([name, place]) => [name, arrayAt(place, buffer)]));
        this.boundaries = read(written.boundaries);
        this.junctions = read(written.junctions);
        this.map = map;
        this.axes = map.axes.filter((axis) => `boundary_${axis.name}` in this.boundaries);
    }

    // The number of the refinement at a view: one for each cell of the other axes.
    refinementAt(shown) {
        return this.map.axes.filter((axis) => !this.axes.includes(axis))
            .reduce((number, axis) => number * axis.size + (shown.at[axis.name] || 0), 0);
    }

    // Whether the picture is over the two refined axes.
    fits(shown) {
        return this.axes.length === 2 && this.axes.every((axis) => axis.name === shown.x || axis.name === shown.y);
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
        const number = this.boundaries.boundary_number, lines = new Map();
        this.places(this.boundaries, "boundary", shown, (i, place) => {
            if (!lines.has(number[i])) lines.set(number[i], []);
            lines.get(number[i]).push(place);
        });
        for (const places of lines.values()) scene.lines.push({places, stroke: "#000000", width: 1.3, halo: 2.6});
        this.places(this.junctions, "junction", shown, (_, place) => scene.marks.unshift({place, radius: 3.2}));
    }
}
