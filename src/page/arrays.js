// Numbers in the page: one block of bytes, in which arrays are places {type, at, size}.

const TYPES = {f8: Float64Array, f4: Float32Array, i1: Int8Array, u2: Uint16Array, u4: Uint32Array};

// A block of bytes as the page holds it: base 85, digits from "(" on, "~" for "<".
export function bytesOf(text) {
    const bytes = new DataView(new ArrayBuffer(4 * Math.ceil(text.length / 5)));
    for (let i = 0; i < text.length; i += 5) {
        let four = 0;
        for (let k = i; k < i + 5; k++) {
            const code = k < text.length ? text.charCodeAt(k) : 124;
            four = 85 * four + (code === 126 ? 60 : code) - 40;
        }
        bytes.setUint32(4 * i / 5, four);
    }
    return new Uint8Array(bytes.buffer, 0, Math.floor(4 * text.length / 5));
}

export function arrayAt(place, buffer) {
    return new TYPES[place.type](buffer, place.at, place.size);
}
