/* matter-js. Units are its own: a step of 1000/60 ms, velocities per step of that; restitution is the larger one of the
 * two bodies, friction the smaller one, both of the bodies. There is no static part of the friction here. */
import {createRequire} from "node:module";
import {exam, follow} from "./engine.js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const {Engine, Bodies, Body, Composite} = require("matter-js");
const SCALE = 100; // pixels in a metre: tolerances of the engine are in pixels
const FRAME = 1000 / 60;

function strike(scene, step) {
    const engine = Engine.create({gravity: {x: 0, y: 0}, positionIterations: 20, velocityIterations: 20});
    const of = {friction: scene.friction, restitution: scene.restitution, frictionAir: 0, frictionStatic: 0, slop: 0};
    const ground = Bodies.rectangle(0, -500, 20000, 1000, {...of, isStatic: true});
    const at = [scene.centre[0] * SCALE, scene.centre[1] * SCALE];
    const body = scene.half ? Bodies.rectangle(...at, 2 * SCALE * scene.half[0], 2 * SCALE * scene.half[1], of)
        : Bodies.circle(...at, SCALE * scene.radius, of, 100);
    Body.setMass(body, 1);
    Body.setInertia(body, scene.inertia[2] * SCALE ** 2);
    Body.setAngle(body, scene.angle);
    Composite.add(engine.world, [ground, body]);
    Body.setVelocity(body, {x: scene.v[0] * SCALE * FRAME / 1000, y: scene.v[1] * SCALE * FRAME / 1000});
    Body.setAngularVelocity(body, scene.w[2] * FRAME / 1000);
    const read = () => {
        const v = Body.getVelocity(body), each = 1000 / FRAME;
        return {v: [v.x * each / SCALE, v.y * each / SCALE, 0], w: [0, 0, Body.getAngularVelocity(body) * each]};
    };
    return follow(read, () => Engine.update(engine, step * 1000), 40, 2);
}

exam({name: "matter", version: require("matter-js/package.json").version, space: false, strike});
