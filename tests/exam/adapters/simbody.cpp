// Simbody, rigid contact of SemiExplicitEulerTimeStepper with its default, Poisson's restitution.
// build: c++ -O2 simbody.cpp -I/usr/include/simbody -lSimTKsimbody -lSimTKmath -lSimTKcommon
// A contact has its own coefficients; friction at rest and in slip are the same. The coefficient of restitution is reached
// at the speed of minCOR, which is put below every impact here. Bodies have a contact at each corner or end.
#include <Simbody.h>

#include "engine.hpp"

#ifndef SOLVER // simbody_pgs.cpp has the other one
#define SOLVER PLUS
#define NAME "simbody"
#endif

using SimTK::Vec3, SimTK::State, SimTK::SpatialVec, SimTK::MobilizedBody;

/* The contacts of a body with the plane y = 0. */
static void add_contacts(SimTK::SimbodyMatterSubsystem &matter, MobilizedBody &body, const Scene &s) {
    const SimTK::UnitVec3 up(0, 1, 0);
    int ends = s.body == DISC ? 1 : s.body == CAPSULE ? 2 : 4;
    for (int k = 0; k < ends; k++) {
        double side = k & 1 ? 1 : -1;
        Vec3 at(s.body == CAPSULE ? side * s.half_length : side * s.half[0], (k & 2 ? 1 : -1) * s.half[1], 0);
        SimTK::UnilateralContact *contact;
        if (s.radius > 0) {
            contact = new SimTK::SpherePlaneContact(matter.Ground(), up, 0, body, at, s.radius, s.restitution,
                                                    s.friction, s.friction, 0);
        } else {
            contact = new SimTK::PointPlaneContact(matter.Ground(), up, 0, body, at, s.restitution, s.friction,
                                                   s.friction, 0);
        }
        matter.adoptUnilateralContact(contact);
    }
}

static bool strike(const Scene &s, double step, Motion &after) {
    SimTK::MultibodySystem system;
    SimTK::SimbodyMatterSubsystem matter(system);
    SimTK::Body::Rigid rigid(
        SimTK::MassProperties(1, Vec3(0), SimTK::Inertia(s.inertia[0], s.inertia[1], s.inertia[2])));
    MobilizedBody::Free body(matter.Ground(), SimTK::Transform(), rigid, SimTK::Transform());
    add_contacts(matter, body, s);
    State state = system.realizeTopology();
    system.realizeModel(state);
    body.setQToFitTransform(
        state, SimTK::Transform(SimTK::Rotation(s.angle, SimTK::ZAxis), Vec3(s.centre[0], s.centre[1], s.centre[2])));
    body.setUToFitVelocity(state, SpatialVec(Vec3(s.motion.w[0], s.motion.w[1], s.motion.w[2]),
                                             Vec3(s.motion.v[0], s.motion.v[1], s.motion.v[2])));
    SimTK::SemiExplicitEulerTimeStepper stepper(system);
    stepper.setConstraintTolerance(1e-6);
    stepper.setDefaultImpactCaptureVelocity(1e-4);
    stepper.setDefaultImpactMinCORVelocity(1e-4);
    stepper.setDefaultFrictionTransitionVelocity(1e-4);
    stepper.setImpulseSolverType(SimTK::SemiExplicitEulerTimeStepper::SOLVER);
    stepper.setPositionProjectionMethod(SimTK::SemiExplicitEulerTimeStepper::NoPositionProjection);
    stepper.initialize(state);
    auto read = [&] {
        const State &now = stepper.getState();
        system.realize(now, SimTK::Stage::Velocity);
        SpatialVec motion = body.getBodyVelocity(now);
        return Motion{{motion[1][0], motion[1][1], motion[1][2]}, {motion[0][0], motion[0][1], motion[0][2]}};
    };
    int steps = 0;
    return follow(
        read, [&] { stepper.stepTo(++steps * step); }, after);
}

static bool try_to_strike(const Scene &s, double step, Motion &after) {
    try {
        return strike(s, step, after);
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return false;
    }
}

int main() {
    int major, minor, build;
    SimTK_version_simbody(&major, &minor, &build);
    char version[40];
    std::snprintf(version, sizeof version, "%d.%d.%d", major, minor, build);
    return exam(NAME, version, true, try_to_strike);
}
