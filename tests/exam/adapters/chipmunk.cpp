// Chipmunk. build: c++ -O2 chipmunk.cpp -lchipmunk
// Coefficients of the two shapes are multiplied: the plane has 1 and 1. The slop is 0.
#include <chipmunk/chipmunk.h>

#include "engine.hpp"

static bool strike(const Scene &s, double step, Motion &after) {
    cpSpace *space = cpSpaceNew();
    cpSpaceSetIterations(space, 50);
    cpSpaceSetCollisionSlop(space, 0);
    cpShape *ground = cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-1000, 0), cpv(1000, 0), 0);
    cpBody *body = cpBodyNew(1, s.inertia[2]);
    cpShape *shape = s.body == DISC ? cpCircleShapeNew(body, s.radius, cpvzero)
                                    : cpBoxShapeNew(body, 2 * s.half[0], 2 * s.half[1], 0);
    cpBodySetPosition(body, cpv(s.centre[0], s.centre[1]));
    cpBodySetAngle(body, s.angle);
    cpBodySetVelocity(body, cpv(s.motion.v[0], s.motion.v[1]));
    cpBodySetAngularVelocity(body, s.motion.w[2]);
    cpShapeSetElasticity(ground, 1);
    cpShapeSetFriction(ground, 1);
    cpShapeSetElasticity(shape, s.restitution);
    cpShapeSetFriction(shape, s.friction);
    cpSpaceAddShape(space, ground);
    cpSpaceAddBody(space, body);
    cpSpaceAddShape(space, shape);
    auto read = [&] {
        cpVect v = cpBodyGetVelocity(body);
        return Motion{{v.x, v.y, 0}, {0, 0, cpBodyGetAngularVelocity(body)}};
    };
    bool found = follow(read, [&] { cpSpaceStep(space, step); }, after);
    cpSpaceRemoveShape(space, shape);
    cpSpaceRemoveShape(space, ground);
    cpSpaceRemoveBody(space, body);
    cpShapeFree(shape);
    cpShapeFree(ground);
    cpBodyFree(body);
    cpSpaceFree(space);
    return found;
}

int main() {
    return exam("chipmunk", cpVersionString, false, strike);
}
