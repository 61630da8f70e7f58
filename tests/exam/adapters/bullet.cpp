// Bullet. build: c++ -O2 bullet.cpp -I/usr/include/bullet -lBulletDynamics -lBulletCollision -lLinearMath
// Coefficients of the two bodies are multiplied: the plane has 1 and 1. Split impulses keep the correction of penetration
// out of velocities; margins are 0 where a shape allows it. Friction has two directions (by default it has one, that of the slip
// before, and nothing opposes the slip across it).
#include <btBulletDynamicsCommon.h>

#include <memory>
#include <string>

#include "engine.hpp"

static btCollisionShape *shape_for(const Scene &s) {
    if (s.body == DISC) {
        return new btSphereShape((btScalar)s.radius);
    }
    if (s.body == CAPSULE) {
        return new btCapsuleShapeX((btScalar)s.radius, (btScalar)(2 * s.half_length));
    }
    btBoxShape *box = new btBoxShape(btVector3((btScalar)s.half[0], (btScalar)s.half[1], (btScalar)s.half[2]));
    box->setMargin((btScalar)0.001);
    return box;
}

static bool strike(const Scene &s, double step, Motion &after) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, 0));
    world.getSolverInfo().m_numIterations = 100;
    world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    world.getSolverInfo().m_splitImpulse = 1;
    world.getSolverInfo().m_splitImpulsePenetrationThreshold = 0; // for every depth
    world.getSolverInfo().m_restitutionVelocityThreshold = 0;
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
    std::unique_ptr<btCollisionShape> shape(shape_for(s));
    btVector3 inertia((btScalar)s.inertia[0], (btScalar)s.inertia[1], (btScalar)s.inertia[2]);
    btRigidBody body(btRigidBody::btRigidBodyConstructionInfo(1, nullptr, shape.get(), inertia));
    btTransform pose(btQuaternion(btVector3(0, 0, 1), (btScalar)s.angle),
                     btVector3((btScalar)s.centre[0], (btScalar)s.centre[1], (btScalar)s.centre[2]));
    body.setWorldTransform(pose);
    body.setInterpolationWorldTransform(pose);
    body.setLinearVelocity(btVector3((btScalar)s.motion.v[0], (btScalar)s.motion.v[1], (btScalar)s.motion.v[2]));
    body.setAngularVelocity(btVector3((btScalar)s.motion.w[0], (btScalar)s.motion.w[1], (btScalar)s.motion.w[2]));
    body.setContactProcessingThreshold(0); // a gap would be taken off the bounce
    ground.setContactProcessingThreshold(0);
    body.setDamping(0, 0);
    body.setActivationState(DISABLE_DEACTIVATION);
    ground.setFriction(1);
    ground.setRestitution(1);
    body.setFriction((btScalar)s.friction);
    body.setRestitution((btScalar)s.restitution);
    world.addRigidBody(&ground);
    world.addRigidBody(&body);
    auto read = [&] {
        btVector3 v = body.getLinearVelocity(), w = body.getAngularVelocity();
        return Motion{{v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}};
    };
    bool found = follow(read, [&] { world.stepSimulation((btScalar)step, 0); }, after);
    world.removeRigidBody(&body);
    world.removeRigidBody(&ground);
    return found;
}

int main() {
    std::string version = std::to_string(btGetVersion());
    return exam("bullet", version.c_str(), true, strike);
}
