// Open Dynamics Engine: a contact joint with bounce and a friction pyramid scaled by the normal force (dContactApprox1).
#include <ode/ode.h>

#include "engine.hpp"

struct Meeting {
    dWorldID world;
    dJointGroupID joints;
    const Scene *scene;
};

static void meet(void *data, dGeomID a, dGeomID b) {
    Meeting *m = (Meeting *)data;
    dContact contact[8] = {};
    int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int k = 0; k < n; k++) {
        contact[k].surface.mode = dContactBounce | dContactApprox1;
        contact[k].surface.mu = m->scene->friction;
        contact[k].surface.bounce = m->scene->restitution;
        contact[k].surface.bounce_vel = 0;
        dJointAttach(dJointCreateContact(m->world, m->joints, &contact[k]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static dGeomID shape_for(dSpaceID space, const Scene &s) {
    return s.body == DISC      ? dCreateSphere(space, s.radius)
           : s.body == CAPSULE ? dCreateCapsule(space, s.radius, 2 * s.half_length)
                               : dCreateBox(space, 2 * s.half[0], 2 * s.half[1], 2 * s.half[2]);
}

template <int (*take_step)(dWorldID, dReal)>
static bool strike_with(const Scene &s, double step, Motion &after) {
    dRandSetSeed(1); // the iterative solver shuffles its rows
    dWorldID world = dWorldCreate();
    dSpaceID space = dSimpleSpaceCreate(0);
    Meeting m = {world, dJointGroupCreate(0), &s};
    dWorldSetERP(world, 0);
    dWorldSetCFM(world, 1e-12);
    dWorldSetContactSurfaceLayer(world, 0);
    dWorldSetQuickStepNumIterations(world, 200);
    dCreatePlane(space, 0, 1, 0, 0);
    dBodyID body = dBodyCreate(world);
    dGeomID shape = shape_for(space, s);
    dGeomSetBody(shape, body);
    dMatrix3 turn, along;
    dRFromAxisAndAngle(turn, 0, 0, 1, s.angle);
    if (s.body == CAPSULE) { // along z of its geometry
        dRFromAxisAndAngle(along, 0, 1, 0, M_PI / 2);
        dGeomSetOffsetRotation(shape, along);
    }
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, s.inertia[0], s.inertia[1], s.inertia[2], 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, s.centre[0], s.centre[1], s.centre[2]);
    dBodySetRotation(body, turn);
    dBodySetLinearVel(body, s.motion.v[0], s.motion.v[1], s.motion.v[2]);
    dBodySetAngularVel(body, s.motion.w[0], s.motion.w[1], s.motion.w[2]);
    auto read = [&] {
        const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body);
        return Motion{{v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
    };
    auto advance = [&] {
        dSpaceCollide(space, &m, meet);
        take_step(world, step);
        dJointGroupEmpty(m.joints);
    };
    bool found = follow(read, advance, after);
    dJointGroupDestroy(m.joints);
    dSpaceDestroy(space);
    dWorldDestroy(world);
    return found;
}
