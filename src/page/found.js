// The boundaries and junctions of a refined map as lines and marks of a picture, and the regions of its cells.
import {arrayAt} from "./arrays.js";
import {countText, percentText} from "./words.js";

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
    // written: {boundaries, junctions, triangles, regions: {column: place}, labels}; map: its axes and cells.
    constructor(written, buffer, map) {
        const read = (table) => Object.fromEntries(Object.entries(table ?? {}).map(([name, place]) => [name, arrayAt(place, buffer)]));
        this.boundaries = read(written.boundaries);
        this.junctions = read(written.junctions);
        this.triangles = read(written.triangles);
        this.regions = read(written.regions);
        this.spread = {}; // by refinement
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

    // ---- regions ----

    // "number 3, 3.88 % of the map, one of 33": the region of a block of the stored map; "": none is known.
    regionText(block, shown) {
        const {region_number: numbers, region_area: areas} = this.regions, refinement = this.refinementAt(shown);
        if (!numbers || this.map.cells || block < 0) return "";
        const {rowOf, count} = this.spread[refinement] ??= this.spreadOf(refinement), row = rowOf[block] - 1;
        return row >= 0 ? `number ${numbers[row]}, ${percentText(areas[row])} of the map, one of ${countText(count)}` : "";
    }

    // {rowOf: by block the row of its region + 1, 0 where it is not known; count} of a refinement: each region spreads from its place
    // well inside over neighbours with its outputs.
    spreadOf(refinement) {
        const rowOf = new Int32Array(this.map.blocks), {region_number: numbers, region_refinement: refinements} = this.regions;
        let count = 0;
        numbers.forEach((_, row) => {
            if (refinements && refinements[row] !== refinement) return;
            count++;
            this.spreadFrom(this.insideOf(row, refinement), row + 1, rowOf);
        });
        return {rowOf, count};
    }

    // The block of the place well inside a region.
    insideOf(row, refinement) {
        let rest = refinement;
        return this.map.blockAt(this.map.axes.map((axis) => {
            if (this.axes.includes(axis)) return axis.blockAt(axis.placeOf(this.regions[`region_${axis.name}`][row]));
            const size = this.map.axes.slice(this.map.axes.indexOf(axis) + 1).filter((one) => !this.axes.includes(one)).reduce((n, one) => n * one.size, 1);
            const index = Math.floor(rest / size);
            rest -= index * size;
            return index;
        }));
    }

    spreadFrom(start, mark, rowOf) {
        const {map} = this, fields = map.fields.filter((field) => field.isCategory && field.array), todo = [start];
        const steps = this.axes.map((axis) => ({stride: map.strides[map.axes.indexOf(axis)], size: axis.blocks}));
        const isSame = (block) => fields.every((field) => field.at(block) === field.at(start));
        if (rowOf[start]) return; // two regions that the stored outputs do not tell apart
        rowOf[start] = mark;
        while (todo.length) {
            const block = todo.pop();
            for (const {stride, size} of steps) {
                const at = Math.floor(block / stride) % size;
                for (const next of [at > 0 ? block - stride : -1, at < size - 1 ? block + stride : -1]) {
                    if (next < 0 || rowOf[next] || !isSame(next)) continue;
                    rowOf[next] = mark;
                    todo.push(next);
                }
            }
        }
    }
}
