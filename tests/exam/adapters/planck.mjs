/* planck, Box2D in JavaScript. The restitution of a contact is the larger one, the friction the root of the product;
 * contacts below velocityThreshold do not bounce. */
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {exam, follow} from "./engine.js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const planck = require("planck");

planck.Settings.maxTranslation = planck.Settings.maxRotation = 1e6;

function strike(scene, step) {
    const world = new planck.World({gravity: planck.Vec2(0, 0), allowSleep: false});
    const of = {friction: scene.friction, restitution: scene.restitution};
    world.createBody().createFixture(planck.Edge(planck.Vec2(-50, 0), planck.Vec2(50, 0)), of);
    const body = world.createBody({type: "dynamic", bullet: true, position: planck.Vec2(scene.centre[0], scene.centre[1]),
        angle: scene.angle, linearVelocity: planck.Vec2(scene.v[0], scene.v[1]), angularVelocity: scene.w[2]});
    body.createFixture(scene.half ? planck.Box(scene.half[0], scene.half[1]) : planck.Circle(scene.radius),
        {...of, density: 1});
    body.setMassData({mass: 1, center: planck.Vec2(0, 0), I: scene.inertia[2]});
    const read = () => ({v: [body.getLinearVelocity().x, body.getLinearVelocity().y, 0], w: [0, 0, body.getAngularVelocity()]});
    return follow(read, () => world.step(step, 20, 10));
}

exam({name: "planck", version: JSON.parse(readFileSync(process.env.EXAM_MODULES + "/node_modules/planck/package.json")).version, space: false, strike});
