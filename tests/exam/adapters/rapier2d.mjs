/* Rapier in the plane. Coefficients of the two colliders are combined by a rule, here the larger one; prediction of
 * contacts and their slop are lengths. */
import {createRequire} from "node:module";
import {exam, follow} from "./engine.js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const RAPIER = require("@dimforge/rapier2d-compat");
await RAPIER.init();

function strike(scene, step) {
    const world = new RAPIER.World({x: 0, y: 0});
    world.timestep = step;
    world.numSolverIterations = 20;
    const max = RAPIER.CoefficientCombineRule.Max;
    const of = desc => desc.setFriction(scene.friction).setRestitution(scene.restitution).setFrictionCombineRule(max)
        .setRestitutionCombineRule(max);
    world.createCollider(of(RAPIER.ColliderDesc.halfspace({x: 0, y: 1})));
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(scene.centre[0], scene.centre[1])
        .setRotation(scene.angle).setLinvel(scene.v[0], scene.v[1]).setAngvel(scene.w[2]).setCanSleep(false)
        .setAdditionalMassProperties(1, {x: 0, y: 0}, scene.inertia[2]));
    const shape = scene.half ? RAPIER.ColliderDesc.cuboid(scene.half[0], scene.half[1]) : RAPIER.ColliderDesc.ball(scene.radius);
    world.createCollider(of(shape.setDensity(0)), body);
    const read = () => ({v: [body.linvel().x, body.linvel().y, 0], w: [0, 0, body.angvel()]});
    const after = follow(read, () => world.step(), 40, 1);
    world.free();
    return after;
}

exam({name: "rapier2d", version: RAPIER.version(), space: false, strike});
