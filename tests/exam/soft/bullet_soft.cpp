// Prints the restitution of a sphere on a plane in Bullet: STEP STIFFNESS DAMPING MASS SPEED.
// build: c++ -O2 bullet_soft.cpp -I/usr/include/bullet -lBulletDynamics -lBulletCollision -lLinearMath
#include <btBulletDynamicsCommon.h>

#include <cstdio>
#include <cstdlib>

int main(int, char **word) {
    double step = std::atof(word[1]), stiffness = std::atof(word[2]), damping = std::atof(word[3]), mass = std::atof(word[4]),
           speed = std::atof(word[5]);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, 0));
    world.getSolverInfo().m_splitImpulse = 0;
    btStaticPlaneShape plane(btVector3(0, 1, 0), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
    btSphereShape shape(0.5);
    btRigidBody body(btRigidBody::btRigidBodyConstructionInfo((btScalar)mass, nullptr, &shape, btVector3(1, 1, 1)));
    ground.setContactStiffnessAndDamping(1e18f, 0);
    body.setContactStiffnessAndDamping((btScalar)stiffness, (btScalar)damping);
    body.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, 0.5, 0)));
    body.setLinearVelocity(btVector3(0, (btScalar)-speed, 0));
    body.setDamping(0, 0);
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setContactProcessingThreshold(0);
    ground.setContactProcessingThreshold(0);
    world.addRigidBody(&ground);
    world.addRigidBody(&body);
    do {
        world.stepSimulation((btScalar)step, 0);
    } while (body.getCenterOfMassPosition().y() < 0.5);
    std::printf("%.9g\n", body.getLinearVelocity().y() / speed);
    world.removeRigidBody(&body);
    world.removeRigidBody(&ground);
    return 0;
}
