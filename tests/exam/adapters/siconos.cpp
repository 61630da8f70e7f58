// Siconos: the time stepping of Moreau and Jean with Newton's law of impact and Coulomb's friction.
// build: c++ -O2 siconos.cpp -I/usr/include/siconos -I/usr/include/siconos/kernel -I/usr/include/siconos/numerics -lsiconos_kernel -lsiconos_numerics
// A law has its own coefficients. Bodies have a relation at each corner or end; its distance to the plane is that of a
// sphere whose centre is fixed in the body.
#include <SiconosKernel.hpp>
#include <SolverOptions.h>

#include "engine.hpp"

/* A sphere (of radius 0: a point) of the body and the plane y = 0. */
class Touch : public NewtonEuler3DR {
    double radius, at[3];

  public:
    Touch(double r, double x, double y) : radius(r), at{x, y, 0} {}

    void computeh(double, const BlockVector &q, SiconosVector &y) override {
        /* q: centre, unit quaternion (scalar first) */
        const double *a = at, u[3] = {q.getValue(4), q.getValue(5), q.getValue(6)};
        double w = q.getValue(3), once[3], twice[3];
        cross(u, a, once);
        cross(u, once, twice);
        for (int k = 0; k < 3; k++) {
            double place = q.getValue(k) + a[k] + 2 * (w * once[k] + twice[k]) - (k == 1 ? radius : 0);
            _Pc1->setValue(k, place);
            _Pc2->setValue(k, k == 1 ? 0 : place);
            _Nc->setValue(k, k == 1);
        }
        y.setValue(0, _Pc1->getValue(1));
    }
};

static SP::NewtonEulerDS body_of(const Scene &s) {
    auto place = std::make_shared<SiconosVector>(7), motion = std::make_shared<SiconosVector>(6);
    auto inertia = std::make_shared<SimpleMatrix>(3, 3);
    for (int k = 0; k < 3; k++) {
        place->setValue(k, s.centre[k]);
        motion->setValue(k, s.motion.v[k]);
        inertia->setValue(k, k, s.inertia[k]);
    }
    place->setValue(3, std::cos(s.angle / 2));
    place->setValue(6, std::sin(s.angle / 2));
    motion->setValue(5, s.motion.w[2]); // in the axes of the body, which share z
    return std::make_shared<NewtonEulerDS>(place, motion, 1, inertia);
}

static void add_contacts(NonSmoothDynamicalSystem &system, SP::NewtonEulerDS body, const Scene &s) {
    auto law = std::make_shared<NewtonImpactFrictionNSL>(s.restitution, 0, s.friction, 3);
    int ends = s.body == DISC ? 1 : s.body == CAPSULE ? 2 : 4;
    for (int k = 0; k < ends; k++) {
        double x = s.body == CAPSULE ? s.half_length : s.half[0];
        auto touch = std::make_shared<Touch>(s.radius, k & 1 ? x : -x, k & 2 ? s.half[1] : -s.half[1]);
        system.link(std::make_shared<Interaction>(law, touch), body);
    }
}

static bool strike(const Scene &s, double step, Motion &after) {
    auto body = body_of(s);
    auto system = std::make_shared<NonSmoothDynamicalSystem>(0, 100 * step);
    system->insertDynamicalSystem(body);
    add_contacts(*system, body, s);
    auto friction = std::make_shared<FrictionContact>(3);
    friction->numericsSolverOptions()->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
    friction->numericsSolverOptions()->dparam[SICONOS_DPARAM_TOL] = 1e-12;
    auto simulation = std::make_shared<TimeStepping>(system, std::make_shared<TimeDiscretisation>(0, step),
                                                     std::make_shared<MoreauJeanOSI>(0.5), friction);
    auto read = [&] {
        auto v = body->linearVelocity(true), w = body->angularVelocity(true);
        return Motion{{v->getValue(0), v->getValue(1), v->getValue(2)},
                      {w->getValue(0), w->getValue(1), w->getValue(2)}};
    };
    auto advance = [&] {
        simulation->computeOneStep();
        simulation->nextStep();
    };
    return follow(read, advance, after);
}

int main() {
    return exam("siconos", "4.4.0", true, strike);
}
