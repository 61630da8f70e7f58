/* Rapier in space, as rapier2d. */
import {createRequire} from "node:module";
import {exam, follow} from "./engine.js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const RAPIER = require("@dimforge/rapier3d-compat");
await RAPIER.init();

function shapeOf(scene) {
    if (scene.half) return RAPIER.ColliderDesc.cuboid(...scene.half);
    if (!scene.half_length) return RAPIER.ColliderDesc.ball(scene.radius);
    const turn = Math.SQRT1_2; // a capsule of Rapier stands along y
    return RAPIER.ColliderDesc.capsule(scene.half_length, scene.radius).setRotation({x: 0, y: 0, z: -turn, w: turn});
}

function strike(scene, step) {
    const world = new RAPIER.World({x: 0, y: 0, z: 0});
    world.timestep = step;
    world.numSolverIterations = 20;
    const max = RAPIER.CoefficientCombineRule.Max, none = {x: 0, y: 0, z: 0}, [i, j, k] = scene.inertia;
    const of = desc => desc.setFriction(scene.friction).setRestitution(scene.restitution).setFrictionCombineRule(max)
        .setRestitutionCombineRule(max);
    const [x, y, z] = scene.v, half = scene.angle / 2;
    world.createCollider(of(RAPIER.ColliderDesc.cuboid(50, 10, 50).setTranslation(0, -10, 0)));
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(...scene.centre).setLinvel(x, y, z)
        .setRotation({x: 0, y: 0, z: Math.sin(half), w: Math.cos(half)}).setCanSleep(false)
        .setAngvel({x: scene.w[0], y: scene.w[1], z: scene.w[2]})
        .setAdditionalMassProperties(1, none, {x: i, y: j, z: k}, {...none, w: 1}));
    world.createCollider(of(shapeOf(scene).setDensity(0)), body);
    const read = () => {
        const v = body.linvel(), w = body.angvel();
        return {v: [v.x, v.y, v.z], w: [w.x, w.y, w.z]};
    };
    const after = follow(read, () => world.step(), 40, 1);
    world.free();
    return after;
}

exam({name: "rapier3d", version: RAPIER.version(), space: true, strike});
