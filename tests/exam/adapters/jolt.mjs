/* Jolt Physics in WebAssembly. Friction is the root of the product, restitution the larger one; below
 * mMinVelocityForRestitution nothing bounces. A contact without bounce first closes the gap, and stops the body one step later. */
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import {exam, follow} from "./engine.js";
const require = createRequire(process.env.EXAM_MODULES + "/");
const root = process.env.EXAM_MODULES + "/node_modules/jolt-physics";
const Jolt = await (await import(pathToFileURL(root + "/dist/jolt-physics.wasm-compat.js"))).default();
const MOVING = 1, FIXED = 0;

function makeWorld() {
    const settings = new Jolt.JoltSettings(), pairs = new Jolt.ObjectLayerPairFilterTable(2);
    pairs.EnableCollision(MOVING, FIXED);
    const layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    [FIXED, MOVING].forEach(one => layers.MapObjectToBroadPhaseLayer(one, new Jolt.BroadPhaseLayer(one)));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    return new Jolt.JoltInterface(settings);
}

const jolt = makeWorld(), system = jolt.GetPhysicsSystem(), bodies = system.GetBodyInterface();
system.SetGravity(new Jolt.Vec3(0, 0, 0));
const physics = system.GetPhysicsSettings();
physics.mNumVelocitySteps = 20;
physics.mMinVelocityForRestitution = 0;
physics.mAllowSleeping = false;
system.SetPhysicsSettings(physics);

function shapeOf(scene) {
    if (scene.half) return new Jolt.BoxShape(new Jolt.Vec3(...scene.half), 0.001);
    if (!scene.half_length) return new Jolt.SphereShape(scene.radius);
    const turn = new Jolt.Quat(0, 0, -Math.SQRT1_2, Math.SQRT1_2), none = new Jolt.Vec3(0, 0, 0);
    return new Jolt.RotatedTranslatedShapeSettings(none, turn,
        new Jolt.CapsuleShapeSettings(scene.half_length, scene.radius)).Create().Get();
}

function add(shape, at, angle, kind, layer, scene) {
    const settings = new Jolt.BodyCreationSettings(shape, new Jolt.RVec3(...at),
        new Jolt.Quat(0, 0, Math.sin(angle / 2), Math.cos(angle / 2)), kind, layer);
    settings.mFriction = scene.friction;
    settings.mRestitution = scene.restitution;
    settings.mLinearDamping = settings.mAngularDamping = 0;
    settings.mMaxLinearVelocity = settings.mMaxAngularVelocity = 1e6;
    if (kind === Jolt.EMotionType_Dynamic) {
        settings.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
        settings.mMassPropertiesOverride.mMass = 1;
        const inertia = settings.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sIdentity();
        scene.inertia.forEach((one, k) => inertia["SetColumn4"](k, new Jolt.Vec4(...[0, 1, 2].map(m => m === k ? one : 0), 0)));
        settings.mMassPropertiesOverride.mInertia = inertia;
    }
    const body = bodies.CreateBody(settings);
    bodies.AddBody(body.GetID(), Jolt.EActivation_Activate);
    Jolt.destroy(settings);
    return body;
}

function strike(scene, step) {
    const ground = add(new Jolt.BoxShape(new Jolt.Vec3(50, 10, 50), 0), [0, -10, 0], 0, Jolt.EMotionType_Static, FIXED, scene);
    const body = add(shapeOf(scene), scene.centre, scene.angle, Jolt.EMotionType_Dynamic, MOVING, scene);
    body.SetLinearVelocity(new Jolt.Vec3(...scene.v));
    body.SetAngularVelocity(new Jolt.Vec3(...scene.w));
    const read = () => {
        const v = body.GetLinearVelocity(), w = body.GetAngularVelocity();
        return {v: [v.GetX(), v.GetY(), v.GetZ()], w: [w.GetX(), w.GetY(), w.GetZ()]};
    };
    const after = follow(read, () => jolt.Step(step, 1), 40, 1);
    for (const one of [ground, body]) {
        bodies.RemoveBody(one.GetID());
        bodies.DestroyBody(one.GetID());
    }
    return after;
}

exam({name: "jolt", version: require(root + "/package.json").version, space: true, strike});
