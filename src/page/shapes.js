// Bodies at the contact as points in space: axes 1 and 2 in the plane (1 is t of bodies in a plane), axis 3 out of it.
// The contact point is at the origin, and a body about 1 long. Angles lean toward -t, as the theories count them.

const TURN = Array.from({length: 49}, (_, i) => i * Math.PI / 24);
const ring = (x, z, r) => TURN.map((turn) => [x + r * Math.cos(turn), 0, z + r * Math.sin(turn)]);
const along = (angle, length, azimuth = 0) =>
    [-length * Math.sin(angle) * Math.cos(azimuth), -length * Math.sin(angle) * Math.sin(azimuth), length * Math.cos(angle)];

function capsule({angle, slenderness = 5}) {
    const r = 1 / (slenderness + 2), [ax, , az] = along(angle, 1);
    return TURN.map((turn, i) => {
        const upper = i <= 24 ? slenderness * r : 0, across = r * Math.cos(turn), up = r * Math.sin(turn) + upper;
        return [across * az + up * ax, 0, r - across * ax + up * az];
    });
}

// A body of no known outline about a mass centre, with its lever.
function lump(centre) {
    const outline = TURN.map((turn) => {
        const r = 0.34 + 0.06 * Math.cos(3 * turn);
        return [centre[0] + r * Math.cos(turn), centre[1], centre[2] + r * Math.sin(turn)];
    });
    return {outline, lines: [[[0, 0, 0], centre]], centre};
}

const scaledTo = (size, vector) => vector.map((part) => -part / (Math.hypot(...vector) || 1) * size);
const lamina = ({offset_t: t, offset_n: n}) => lump(scaledTo(0.7, [t, 0, n]));
const twoLaminae = (inputs) => ({...lamina(inputs), struck: lamina({offset_t: inputs.offset_t_2, offset_n: inputs.offset_n_2})});
const solid = ({offset_1: x, offset_2: y, offset_3: z, azimuth = 0}) => lump(applied(turnAbout(2, azimuth), scaledTo(0.7, [x, y, z])));

function doublePendulum({q1, q2, l1, l2}) {
    const size = 1.2 / (l1 + l2), joint = along(q2, l2 * size), upper = along(q1, l1 * size);
    const pivot = joint.map((part, k) => part + upper[k]);
    return {lines: [[[0, 0, 0], joint], [joint, pivot]], joint, pivot};
}

const blob = () => ({outline: TURN.map((turn) => {
    const r = 0.42 + 0.07 * Math.cos(2 * turn + 1) + 0.04 * Math.sin(3 * turn);
    return [-0.12 + r * Math.cos(turn), 0, 0.44 + r * Math.sin(turn)];
}), centre: [-0.12, 0, 0.46]});

const rod = ({angle, azimuth = 0}) => ({lines: [[[0, 0, 0], along(angle, 1.2, azimuth)]], centre: along(angle, 0.6, azimuth), angle, azimuth});

// ---- in space ----

const turnAbout = (k, angle) => {
    const [c, s] = [Math.cos(angle), Math.sin(angle)], rows = [[0, 0, 0], [0, 0, 0], [0, 0, 0]], [i, j] = [(k + 1) % 3, (k + 2) % 3];
    rows[k][k] = 1;
    [rows[i][i], rows[i][j], rows[j][i], rows[j][j]] = [c, -s, s, c];
    return rows;
};
const product = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, one, k) => sum + one * b[k][j], 0)));
const applied = (matrix, vector) => matrix.map((row) => row.reduce((sum, one, k) => sum + one * vector[k], 0));
const transposed = (matrix) => matrix[0].map((_, j) => matrix.map((row) => row[j]));

// A solid ellipsoid on the plane: its outline as it is seen, and its equator. basis: rows of the picture in space.
function ellipsoid(semiAxes, turns, basis) {
    const size = 0.55 / Math.max(...semiAxes), shape = turns.map((row) => row.map((one, k) => one * semiAxes[k] * size));
    const square = product(shape, transposed(shape)), depth = Math.sqrt(square[2][2]);
    const centre = square.map((row) => row[2] / depth), seen = transposed(product(basis, shape));
    const at = (unit) => applied(shape, unit).map((part, k) => part + centre[k]);
    const outline = TURN.map((turn) => {
        const towards = applied(seen, [Math.cos(turn), Math.sin(turn)]), length = Math.hypot(...towards);
        return at(towards.map((part) => part / length));
    });
    return {outline, thin: [TURN.map((turn) => at([Math.cos(turn), Math.sin(turn), 0])), TURN.map((turn) => at([Math.cos(turn), 0, Math.sin(turn)]))], centre};
}

const orientation = ({azimuth = 0, angle = 0, spin = 0}) =>
    product(product(turnAbout(2, azimuth), turnAbout(0, angle)), turnAbout(2, spin));

const withPivot = (shape, inputs) => ({...shape, centre: null, pivot: along(inputs.angle, 1.2, inputs.azimuth)});

// By names that a map or an address states, and so not an object, whose prototype has names of its own.
const SHAPES = new Map([
    ["sphere", () => ({outline: ring(0, 0.5, 0.5), centre: [0, 0, 0.5]})],
    ["rod", rod],
    ["pendulum", (inputs) => withPivot({...rod(inputs), outline: ring(0, 0.14, 0.14)}, inputs)],
    ["capsule", (inputs) => ({outline: [...capsule(inputs), capsule(inputs)[0]], angle: inputs.angle, centre: along(inputs.angle, 0.5)})],
    ["lamina", lamina],
    ["two_laminae", twoLaminae],
    ["double_pendulum", doublePendulum],
    ["sphere3d", (inputs, basis) => ellipsoid([1, 1, 1], orientation({}), basis)],
    ["rod3d", rod],
    ["ellipsoid3d", (inputs, basis) => ellipsoid([inputs.semi_axis_a, inputs.semi_axis_b, inputs.semi_axis_c], orientation(inputs), basis)],
    ["inertia3d", solid],
    ["pendulum3d", (inputs) => withPivot(rod(inputs), inputs)],
    ["matrix3d", (inputs, basis) => ellipsoid([1, 0.7, 0.8], orientation({azimuth: 0.4, angle: 0.6, spin: 0.3}), basis)],
]);

// The body of a cell; a theory without a choice of bodies is one of a rod.
export const bodyOf = (inputs) => inputs.body ?? "rod";
export const isInSpace = (inputs) => "heading" in inputs || "swerve_ratio" in inputs;
export const areTwo = (inputs) => bodyOf(inputs) === "two_laminae";
export const shapeOf = (inputs, basis) => (SHAPES.get(bodyOf(inputs)) ?? blob)(inputs, basis);

// The initial velocity of the contact point, the normal one of magnitude 1.
export function velocityOf(inputs) {
    const {angle, velocity_ratio: ratio = 0, heading = 0, azimuth = 0, swerve_ratio: across = 0, q1, q2, l1, l2, w1, w2} = inputs;
    const body = bodyOf(inputs), cotangent = Math.cos(angle) / Math.sin(angle);
    if (body === "pendulum") return [-cotangent, 0, -1];
    if (body === "pendulum3d") return applied(turnAbout(2, azimuth), [-cotangent, across, -1]);
    if (body === "double_pendulum") {
        const t = l1 * w1 * Math.cos(q1) + l2 * w2 * Math.cos(q2), n = l1 * w1 * Math.sin(q1) + l2 * w2 * Math.sin(q2);
        return [t / Math.abs(n), 0, n / Math.abs(n)];
    }
    return [ratio * Math.cos(heading), ratio * Math.sin(heading), -1];
}
