// How far colours are apart for every eye and in a grey print, and colours that are far enough from others: the rules
// of printed figures (postprocess/impactsweep/display/vision.py), with the numbers of looks.json.

export function rgb(hex) {
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

const hexOf = (colour) => "#" + colour.map((part) => Math.round(255 * part).toString(16).padStart(2, "0")).join("").toUpperCase();
const times = (matrix, [x, y, z]) => matrix.map(([a, b, c]) => a * x + b * y + c * z);
const linearOf = (coded) => coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4;
const rootOf = (ratio) => ratio > 216 / 24389 ? Math.cbrt(ratio) : (24389 / 27 * ratio + 16) / 116;

// CIE L*a*b* (D65) of a colour, whose parts are from 0 to 1, as an eye sees it.
function labOf({xyz}, colour, eye) {
    const seen = times(eye, colour.map(linearOf)).map((part) => Math.min(1, Math.max(0, part)));
    const [x, y, z] = times(xyz, seen).map((part, i) => rootOf(part / (xyz[i][0] + xyz[i][1] + xyz[i][2])));
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

const asEyesSee = (vision, colour) => Object.values(vision.eyes).map((eye) => labOf(vision, colour, eye));

// Colours on a grid, neither as dark as black lines nor as light as paper.
function manyColours(vision) {
    const parts = Array.from({length: vision.steps}, (_, i) => i * (1 / (vision.steps - 1)));
    const [darkest, lightest] = vision.lightness;
    return parts.flatMap((r) => parts.flatMap((g) => parts.map((b) => [r, g, b]))).filter((colour) => {
        const [lightness] = labOf(vision, colour, vision.eyes.normal);
        return lightness > darkest && lightness < lightest;
    });
}

// One search for each list of colours that are taken; a longer list of colours begins with a shorter one.
const searches = new Map();

function newSearch(looks, taken) {
    const {vision, palette} = looks;
    const candidates = [...palette.map((hex) => rgb(hex).map((part) => part / 255)), ...manyColours(vision)]
        .map((colour, i) => ({hex: hexOf(colour), seen: asEyesSee(vision, colour), isPreferred: i < palette.length,
            apart: Infinity, grey: Infinity}));
    const search = {vision, candidates, chosen: []};
    for (const hex of taken) keepAway(search, asEyesSee(vision, rgb(hex).map((part) => part / 255)));
    return search;
}

// The least distances of the candidates from the colours before and from one more, in multiples of those that can be
// told apart.
function keepAway({vision, candidates}, other) {
    for (const candidate of candidates) {
        const distance = Math.min(...candidate.seen.map((lab, eye) => Math.hypot(...lab.map((part, i) => part - other[eye][i]))));
        candidate.apart = Math.min(candidate.apart, distance / vision.apart);
        candidate.grey = Math.min(candidate.grey, Math.abs(candidate.seen[0][0] - other[0][0]) / vision.apart_in_grey);
    }
}

const largest = (candidates, measure) => candidates.reduce((best, one) => measure(one) > measure(best) ? one : best);

// The first preferred colour that serves, else the one that is farthest from all before it.
function chooseOne(search) {
    const {candidates, chosen} = search, both = ({apart, grey}) => Math.min(apart, grey);
    const serving = candidates.find((one) => one.isPreferred && both(one) >= 1);
    const farthest = largest(candidates, both);
    const best = serving || (both(farthest) >= 1 ? farthest : largest(candidates, ({apart}) => apart));
    chosen.push(best.hex);
    keepAway(search, best.seen);
}

// Colours, as many as asked for, that every eye can tell from those taken and from each other.
export function moreColours(looks, number, taken) {
    const key = taken.join();
    if (!searches.has(key)) searches.set(key, newSearch(looks, taken));
    const search = searches.get(key);
    while (search.chosen.length < number) chooseOne(search);
    return search.chosen.slice(0, number);
}
