// DART with the collision shapes of ODE.
// build: c++ -O2 dart.cpp -I/usr/include/eigen3 -ldart -ldart-collision-ode -lassimp
// Restitutions of the two shapes are multiplied, the smaller friction counts: the plane has 1 and the friction of the scene.
// The correction of penetration is off, the softness of constraints as small as it may be. Speeds below 0.1 m/s do not bounce.
#include <dart/collision/ode/OdeCollisionDetector.hpp>
#include <dart/dart.hpp>

#include "engine.hpp"

using namespace dart::dynamics;

static ShapePtr shape_for(const Scene &s) {
    if (s.body == DISC) {
        return std::make_shared<SphereShape>(s.radius);
    }
    if (s.body == CAPSULE) {
        return std::make_shared<CapsuleShape>(s.radius, 2 * s.half_length);
    }
    return std::make_shared<BoxShape>(2 * Eigen::Vector3d(s.half[0], s.half[1], s.half[2]));
}

static void give(ShapeNode *node, double friction, double restitution) {
    DynamicsAspect *aspect = node->getDynamicsAspect();
    aspect->setFrictionCoeff(friction);
    aspect->setRestitutionCoeff(restitution);
}

static SkeletonPtr ground_for(const Scene &s) {
    SkeletonPtr ground = Skeleton::create("ground");
    BodyNode *body = ground->createJointAndBodyNodePair<WeldJoint>().second;
    give(body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(
             std::make_shared<PlaneShape>(Eigen::Vector3d::UnitY(), 0.0)),
         s.friction, 1);
    return ground;
}

static SkeletonPtr body_for(const Scene &s) {
    SkeletonPtr skeleton = Skeleton::create("body");
    auto [joint, body] = skeleton->createJointAndBodyNodePair<FreeJoint>();
    ShapeNode *node = body->createShapeNodeWith<CollisionAspect, DynamicsAspect>(shape_for(s));
    give(node, s.friction, s.restitution);
    if (s.body == CAPSULE) { // along z of its shape
        node->setRelativeRotation(Eigen::AngleAxisd(M_PI / 2, Eigen::Vector3d::UnitY()).toRotationMatrix());
    }
    body->setInertia(Inertia(1, Eigen::Vector3d::Zero(), Eigen::Vector3d(s.inertia).asDiagonal()));
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = Eigen::Vector3d(s.centre);
    pose.linear() = Eigen::AngleAxisd(s.angle, Eigen::Vector3d::UnitZ()).toRotationMatrix();
    joint->setTransform(pose);
    joint->setLinearVelocity(Eigen::Vector3d(s.motion.v));
    joint->setAngularVelocity(Eigen::Vector3d(s.motion.w));
    return skeleton;
}

static bool strike(const Scene &s, double step, Motion &after) {
    auto world = dart::simulation::World::create();
    world->setGravity(Eigen::Vector3d::Zero());
    world->setTimeStep(step);
    world->getConstraintSolver()->setCollisionDetector(dart::collision::OdeCollisionDetector::create());
    dart::constraint::ContactConstraint::setErrorReductionParameter(0);
    dart::constraint::ContactConstraint::setConstraintForceMixing(1e-9);
    SkeletonPtr skeleton = body_for(s);
    world->addSkeleton(ground_for(s));
    world->addSkeleton(skeleton);
    const BodyNode *body = skeleton->getBodyNode(0);
    auto read = [&] {
        Eigen::Vector3d v = body->getCOMLinearVelocity(), w = body->getAngularVelocity();
        return Motion{{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    };
    return follow(
        read, [&] { world->step(); }, after);
}

int main() {
    return exam("dart", DART_VERSION, true, strike);
}
