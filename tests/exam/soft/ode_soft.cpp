// Prints the restitution of a sphere on a plane in ODE: STEP SOFT_ERP SOFT_CFM MASS SPEED. build: c++ -O2 ode_soft.cpp -lode
#include <ode/ode.h>

#include <cstdio>
#include <cstdlib>

static dWorldID world;
static dJointGroupID joints;
static double erp, cfm;

static void meet(void *, dGeomID a, dGeomID b) {
    dContact contact = {};
    if (dCollide(a, b, 1, &contact.geom, sizeof contact) > 0) {
        contact.surface.mode = dContactSoftERP | dContactSoftCFM | dContactApprox1;
        contact.surface.soft_erp = erp;
        contact.surface.soft_cfm = cfm;
        dJointAttach(dJointCreateContact(world, joints, &contact), dGeomGetBody(a), dGeomGetBody(b));
    }
}

int main(int, char **word) {
    double step = std::atof(word[1]), mass = std::atof(word[4]), speed = std::atof(word[5]);
    erp = std::atof(word[2]);
    cfm = std::atof(word[3]);
    dInitODE();
    world = dWorldCreate();
    dSpaceID space = dSimpleSpaceCreate(0);
    joints = dJointGroupCreate(0);
    dWorldSetContactSurfaceLayer(world, 0);
    dCreatePlane(space, 0, 1, 0, 0);
    dBodyID body = dBodyCreate(world);
    dGeomSetBody(dCreateSphere(space, 0.5), body);
    dMass inertia;
    dMassSetSphereTotal(&inertia, mass, 0.5);
    dBodySetMass(body, &inertia);
    dBodySetPosition(body, 0, 0.5, 0);
    dBodySetLinearVel(body, 0, -speed, 0);
    do {
        dSpaceCollide(space, nullptr, meet);
        dWorldStep(world, step);
        dJointGroupEmpty(joints);
    } while (dBodyGetPosition(body)[1] < 0.5 && dBodyGetLinearVel(body)[1] < 1e9);
    std::printf("%.9g\n", dBodyGetLinearVel(body)[1] / speed);
    return 0;
}
