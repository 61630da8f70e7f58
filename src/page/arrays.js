// Numbers in the page: one block of bytes, in which arrays are places {type, at, size}.

const TYPES = {f8: Float64Array, f4: Float32Array, i1: Int8Array, u2: Uint16Array, u4: Uint32Array};

export function bytesOfBase64(text) {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
}

export function arrayAt(place, buffer) {
    return new TYPES[place.type](buffer, place.at, place.size);
}
