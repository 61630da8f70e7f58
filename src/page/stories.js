// What a page has to tell: questions with a first picture, and a tour. A story is a view and a few sentences; its name is
// in the address, and members of the address that differ from its view come on top. [word|shown] is explained by a tap.

const DEGREE = Math.PI / 180;
const range = (low, high) => ({low, high, log: false});

const PENDULUM = {body: "pendulum", law: "linear", stiffness_ratio: 1.21}, SPHERE = {body: "sphere", law: "linear", stiffness_ratio: 1.21};
const pendulum = (angle, friction) => ({...PENDULUM, angle: angle * DEGREE, friction});
const sphere = (velocity_ratio, friction) => ({...SPHERE, velocity_ratio, friction});
const WEDGING = {theory: "compliant", inputs: PENDULUM, x: "angle", y: "friction", ranges: {angle: range(0.5 * DEGREE, 45 * DEGREE), friction: range(0.01, 1.5)}};
const SLIDING = {theory: "compliant", inputs: SPHERE, x: "velocity_ratio", y: "friction", ranges: {velocity_ratio: range(0, 5), friction: range(0.01, 1.2)}};

const QUESTIONS = [
    {name: "wedge", title: "When does a pendulum wedge?",
        text: "The tip of a nearly upright pendulum strikes a rough surface. Left of the curve it [wedge|wedges]: [friction] holds the tip until the body rests, however elastic it is. With a stiffness ratio of 1.21 none wedges that leans more than 13.7°; move the slider and see.",
        view: {...WEDGING, picks: [pendulum(8, 0.6)]}},
    {name: "higher", title: "Where does a rod bounce higher than it fell?",
        text: "A rod strikes with its end, leaning by an angle and sliding along the surface. Where its [restitution] is above 1, friction turns some of its sliding and spinning into height.",
        view: {theory: "compliant", inputs: {body: "rod", law: "linear", stiffness_ratio: 1.21, friction: 0.5}, field: "kinematic_restitution", x: "angle", y: "velocity_ratio",
            ranges: {angle: range(-85 * DEGREE, 85 * DEGREE), velocity_ratio: range(-3, 3)},
            picks: [{body: "rod", law: "linear", stiffness_ratio: 1.21, friction: 0.5, angle: -12 * DEGREE, velocity_ratio: -1}]}},
    {name: "ball", title: "When does a sliding ball come back?",
        text: "A ball comes in with a tangential velocity some times as large as the normal one, without spin. Where it is [reversed], the tangential spring throws its contact point back the way it came.",
        view: {...SLIDING, field: "velocity_ratio_out", picks: [sphere(2, 0.6)]}},
    {name: "space", title: "How does slip turn in space?",
        text: "A leaning rod slides in some direction while it presses on the surface. Friction does not only slow the slip: it turns it, by up to half a turn.",
        view: {theory: "swerve", inputs: {body: "rod3d", law: "energetic", angle: 0.6, friction: 0.4, restitution: 0.8}, field: "swerve", x: "heading", y: "velocity_ratio",
            ranges: {heading: range(-180 * DEGREE, 180 * DEGREE), velocity_ratio: range(0.05, 3)},
            picks: [{body: "rod3d", law: "energetic", angle: 0.6, friction: 0.4, restitution: 0.8, heading: 120 * DEGREE, velocity_ratio: 1}]}},
    {name: "end", title: "Which end breaks?",
        text: "A rod falls with end 2 lower than end 1, and strikes again and again until it rests. Steeply, the first blow, at end 2, is the hardest; rather flat, the one that follows at end 1 is harder than the first.",
        view: {theory: "bounce", inputs: {body: "rod", law: "newton", friction: 0.3, velocity_t: 0, velocity_n: 0, spin: 0, drop: 1}, field: "largest_point", x: "tilt", y: "restitution",
            ranges: {tilt: range(0.5 * DEGREE, 80 * DEGREE), restitution: range(0.05, 0.9)},
            picks: [{body: "rod", law: "newton", friction: 0.3, velocity_t: 0, velocity_n: 0, spin: 0, drop: 1, tilt: 8 * DEGREE, restitution: 0.6}]}},
    {name: "gain", title: "Which law gains energy?",
        text: "Newton's [law] prescribes the rebound and does not ask where its energy comes from. Where the energy loss is below 0 the impact makes energy out of nothing. Compare it with other laws.",
        view: {theory: "rigid", inputs: {body: "rod", law: "newton", restitution: 0.9, velocity_ratio: 1}, field: "energy_loss", x: "angle", y: "friction",
            ranges: {angle: range(-85 * DEGREE, 85 * DEGREE), friction: range(0.01, 1.5)},
            picks: [{body: "rod", law: "newton", restitution: 0.9, velocity_ratio: 1, angle: -40 * DEGREE, friction: 1}]}},
];

// Six steps, each for a link that a teacher sends.
const TOUR = [
    {title: "What sticks", text: "A ball that hardly slides is held at once: it [stick|sticks] from the first touch, and slips only while it leaves. Watch the force: it stays inside the [friction cone].",
        view: {...SLIDING, picks: [sphere(0.4, 0.8)]}},
    {title: "What slips", text: "A ball that slides fast [slip|slips] all the time: the tangential force lies on the edge of the [friction cone], and is too weak to stop the ball.",
        view: {...SLIDING, picks: [sphere(4, 0.3)]}},
    {title: "What reverses", text: "In between the ball slips, sticks while its tangential spring is loaded, and slips back: it is [reversed]. A superball does this when it is thrown under a table.",
        view: {...SLIDING, picks: [sphere(2, 0.7)]}},
    {title: "What wedges", text: "A pendulum cannot roll away. When it stands steeply enough, the contact sticks until nothing moves: it [wedge|wedges], and its energy stays in the springs.",
        view: {...WEDGING, picks: [pendulum(8, 0.6)]}},
    {title: "What a boundary means", text: "A and B differ by one degree, but lie on two sides of a [boundary]. A wedges; B slips back just in time and leaves, slowly. Nothing jumps at a boundary but the story.",
        view: {...WEDGING, window: [0.2, 0.4, 0.25, 0.5], picks: [pendulum(13.2, 0.6), pendulum(14.2, 0.6)]}},
    {title: "What laws disagree about", text: "The same pendulum under two [law|laws] of contact: linear springs, and springs that stiffen as Hertz found. Grey: both tell the same story. In the left band it wedges under one law and leaves under the other.",
        view: {...WEDGING, beside: {inputs: {law: "hertz"}}, difference: true, picks: [pendulum(12.5, 0.6)]}},
];

export const STORIES = [...QUESTIONS, ...TOUR.map((step, i) => ({...step, name: `tour-${i + 1}`, step: i + 1}))];
export const STEPS_OF_TOUR = TOUR.length;
export const FIRST_STORY = QUESTIONS[0];
export const questions = () => QUESTIONS;
export const storyOf = (name) => STORIES.find((story) => story.name === name);
