// A map as the program wrote it into the page.
import {arrayAt} from "./arrays.js";
import {Axis} from "./axis.js";
import {spaced} from "./words.js";

// An output that can be drawn; one with several values per cell is several fields.
class Field {
    constructor(written, component, array) {
        const several = written.length > 1;
        this.name = written.name;
        this.component = component;
        this.key = several ? `${written.name}:${component + 1}` : written.name;
        this.member = written.members?.[component] ?? ""; // the name of its place along the dimension
        this.label = spaced(written.name) + (!several ? "" : this.member ? `, ${spaced(this.member)}` : `, ${spaced(written.dimension)} ${component + 1}`);
        this.unit = written.unit;
        this.kind = written.kind;
        this.isCategory = written.kind !== "real";
        this.single = written.single;
        this.names = written.kind === "sequence" ? written.texts.map((text) => text || "none")
            : Object.assign([], written.flags);
        this.array = array;
        this.length = written.length;
        this.common = written.common ?? {};
    }

    // The same field with the names of modes by which theories agree.
    get agreed() {
        return Object.assign(Object.create(this), {names: this.names.map((name) => this.common[name] ?? name)});
    }

    // The value in a block of the stored map; of a category its code.
    at(block) {
        return this.array ? this.array[block * this.length + this.component] : NaN;
    }
}

// Fields of an output of a theory that is solved, not stored.
export function fieldsOfOutput(theory, output, hasUnits = true) {
    const codes = output.name === "mode" ? theory.modes : output.codes || [];
    const written = {name: output.name, unit: hasUnits || output.unit === "rad" ? output.unit : "1", kind: output.kind, single: false, length: output.length || 1, dimension: output.dimension || "",
        texts: [], flags: Object.fromEntries([[0, "none"], ...codes.map(({code, name}) => [code, name])]), common: theory.common_names};
    return Array.from({length: written.length}, (_, component) => new Field(written, component, null));
}

export class StoredMap {
    constructor(written, buffer) {
        this.axes = written.axes.map((axis) => new Axis(axis, buffer));
        this.fixed = written.fixed.map((one) => {
            const value = arrayAt(one.values, buffer)[0];
            const flag = one.flags[value];
            return {name: one.name, unit: one.unit, value: flag === undefined ? value : flag, isChoice: flag !== undefined};
        });
        this.formulas = Object.fromEntries((written.formulas || []).map((one) => [one.name, `= ${one.formula}`]));
        this.following = written.formulas || [];
        this.fields = written.fields.flatMap((field) => {
            const array = arrayAt(field.values, buffer);
            return Array.from({length: field.length}, (_, component) => new Field(field, component, array));
        });
        this.outcome = this.fields.find((field) => field.name === "outcome");
        this.mode = this.fields.find((field) => field.name === "mode");
        this.cells = written.cells ? arrayAt(written.cells, buffer) : null;
        this.blocks = this.axes.reduce((n, axis) => n * axis.blocks, 1);
        this.size = this.axes.reduce((n, axis) => n * axis.size, 1);
        this.strides = this.axes.map((_, a) => this.axes.slice(a + 1).reduce((n, axis) => n * axis.blocks, 1));
        this.sample = written.sample && written.sample.cells ? {
            cells: arrayAt(written.sample.cells, buffer),
            texts: written.sample.texts,
            values: Object.fromEntries(Object.entries(written.sample.values)
                .map(([name, place]) => [name, arrayAt(place, buffer)])),
        } : null;
    }

    field(key) {
        return this.fields.find((field) => field.key === key);
    }

    // The cell of the map, by its number, that stands for a block.
    cellOf(block) {
        return this.cells ? this.cells[block] : block;
    }

    // Index of a cell on every axis of the whole map.
    indicesOf(cell) {
        const indices = [];
        for (let a = this.axes.length - 1; a >= 0; a--) {
            indices[a] = cell % this.axes[a].size;
            cell = Math.floor(cell / this.axes[a].size);
        }
        return indices;
    }

    blockAt(blockIndices) {
        return blockIndices.reduce((block, index, a) => block + index * this.strides[a], 0);
    }

    // The units of everything swept and fixed, with a value of each: {name: {unit, value}}. Numbers of rows are no inputs.
    givenUnits() {
        const units = Object.create(null), columns = this.axes.flatMap((axis) => axis.columns.filter(({name}) => axis.columns.length === 1 || name !== axis.name));
        for (const {name, unit} of this.following) units[name] = {unit, value: 0};
        for (const {name, unit} of [...columns, ...this.fixed]) units[name] = {unit, value: 0};
        return units;
    }

    // Inputs of a cell: {name: number, option or formula} of everything swept and fixed.
    inputsOf(cell) {
        const inputs = Object.create(null);
        for (const one of this.fixed) inputs[one.name] = one.value;
        Object.assign(inputs, this.formulas);
        this.indicesOf(cell).forEach((index, a) => Object.assign(inputs, this.axes[a].inputsAt(index)));
        return inputs;
    }
}
