/* cannon-es. Friction and restitution belong to a pair of materials. Contacts are equations with a stiffness and a relaxation in
 * steps; the relaxation is so long that an impact does not correct the penetration, too, and has its whole change of velocity
 * in one step. The limit of friction is mu times mass times gravity, and gravity is 0 here (see README.md). */
import {createRequire} from "node:module";
import {exam, follow} from "./engine.js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const CANNON = require("cannon-es");

function shapeOf(scene) {
    if (scene.half) return [[new CANNON.Box(new CANNON.Vec3(...scene.half)), [0, 0, 0]]];
    const ball = new CANNON.Sphere(scene.radius);
    return scene.half_length ? [[ball, [-scene.half_length, 0, 0]], [ball, [scene.half_length, 0, 0]]] : [[ball, [0, 0, 0]]];
}

function strike(scene, step) {
    const world = new CANNON.World({gravity: new CANNON.Vec3(0, 0, 0), allowSleep: false});
    world.solver.iterations = 100;
    world.solver.tolerance = 1e-12;
    const material = new CANNON.Material();
    world.addContactMaterial(new CANNON.ContactMaterial(material, material, {friction: scene.friction,
        restitution: scene.restitution, contactEquationStiffness: 1e10, contactEquationRelaxation: 1e6,
        frictionEquationStiffness: 1e10, frictionEquationRelaxation: 1e6}));
    const ground = new CANNON.Body({mass: 0, material, shape: new CANNON.Plane()});
    ground.quaternion.setFromEuler(-Math.PI / 2, 0, 0);
    world.addBody(ground);
    const body = new CANNON.Body({mass: 1, material, linearDamping: 0, angularDamping: 0});
    for (const [shape, at] of shapeOf(scene)) body.addShape(shape, new CANNON.Vec3(...at));
    body.position.set(...scene.centre);
    body.quaternion.setFromAxisAngle(new CANNON.Vec3(0, 0, 1), scene.angle);
    body.velocity.set(...scene.v);
    body.angularVelocity.set(...scene.w);
    body.updateMassProperties = () => {};
    world.addBody(body);
    body.inertia.set(...scene.inertia);
    body.invInertia.set(...scene.inertia.map(one => 1 / one));
    body.updateInertiaWorld(true);
    const read = () => ({v: body.velocity.toArray(), w: body.angularVelocity.toArray()});
    return follow(read, () => world.step(step));
}

exam({name: "cannon", version: require("cannon-es/package.json").version, space: true, strike});
