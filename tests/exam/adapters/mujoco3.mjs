/* MuJoCo 3 in WebAssembly. As mujoco.cpp, but friction has a damping of its own: `solreffriction` of the pair has the shortest
 * time constant that the steps allow, so that it stops the slip as fast as the cone lets it. */
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import {exam} from "./engine.js";
const root = process.env.EXAM_MODULES + "/node_modules/mujoco-js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const mujoco = await (await import(pathToFileURL(root + "/dist/mujoco_wasm.js"))).default({print: console.error, printErr: console.error});

/* The restitution of a spring and a dashpot that do not pull. */
function restitutionOf(zeta) {
    const root = Math.sqrt(Math.abs(1 - zeta * zeta));
    return Math.exp(-2 * zeta * (zeta < 1 ? Math.acos(zeta) / root : zeta > 1 ? Math.acosh(zeta) / root : 1));
}

function dampingRatio(restitution) {
    let low = 0, high = 8; // a restitution of .003
    for (let k = 0; k < 60; k++) {
        const middle = (low + high) / 2;
        if (restitutionOf(middle) > restitution) low = middle;
        else high = middle;
    }
    return high;
}

function geometry({radius, half, half_length: reach}) {
    if (half) return `type='box' size='${half.join(" ")}'`;
    return reach ? `type='capsule' size='${radius} ${reach}' euler='0 1.5707963267948966 0'` : `type='sphere' size='${radius}'`;
}

function modelOf(scene, step) {
    const zeta = dampingRatio(scene.restitution), omega = Math.min(0.25, 0.5 / zeta) / step, mu = scene.friction;
    return `<mujoco><compiler angle='radian'/><option timestep='${step}' gravity='0 0 0' cone='elliptic' integrator='Euler'
        tolerance='1e-14' iterations='200' impratio='10'/><worldbody>
        <geom name='plane' type='plane' size='500 500 1' quat='0.70710678118654757 -0.70710678118654757 0 0'/>
        <body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='${scene.inertia.join(" ")}'/>
        <geom name='body' ${geometry(scene)}/></body></worldbody><contact><pair geom1='plane' geom2='body' condim='3'
        friction='${mu} ${mu} 0 0 0' solref='${-omega * omega} ${-2 * zeta * omega}' solreffriction='${2 * step} 1'
        solimp='0.9999 0.9999 0.001'/></contact></mujoco>`;
}

function follow(model, data) {
    let pressed = false;
    for (let k = 0; k < 400; k++) {
        mujoco.mj_step(model, data);
        const force = data.ncon > 0 ? data.efc_force[0] : 0; // the first row of a contact is the normal one
        if (pressed && force === 0) return true;
        pressed = force > 0;
    }
    return false;
}

function strike(scene, step) {
    mujoco.FS.writeFile("/scene.xml", modelOf(scene, step));
    const model = mujoco.MjModel.loadFromXML("/scene.xml"), data = new mujoco.MjData(model);
    data.qpos.set([...scene.centre, Math.cos(scene.angle / 2), 0, 0, Math.sin(scene.angle / 2)]);
    data.qvel.set([...scene.v, 0, 0, scene.w[2]]); // rotation in the axes of the body, which share z
    const apart = follow(model, data), q = [...data.qvel], turned = 2 * Math.atan2(data.qpos[6], data.qpos[3]);
    const c = Math.cos(turned), s = Math.sin(turned);
    data.delete();
    model.delete();
    return apart ? {v: q.slice(0, 3), w: [c * q[3] - s * q[4], s * q[3] + c * q[4], q[5]]} : null;
}

exam({name: "mujoco3", version: mujoco.mj_versionString?.() ?? require("mujoco-js/package.json").version, space: true, strike});
