/* Drops up to their fifth impact by an independent method: impacts followed phase by phase in the
 * normal impulse; see support/falls.h. */
#include <math.h>

#include "support/falls.h"
#include "support/suite.h"

enum { DROPS = 2000 };
enum { NEWTON, POISSON, ENERGETIC };

/* ---- one impact ---- */

/* Velocities of the contact and work of the normal impulse p. */
typedef struct contact {
    double b11, b12, b22, friction;
    double v_t, v_n, p, p_t, work;
} contact;

/* Tangential impulse per normal impulse. */
static double traction(const contact *c) {
    if (c->v_t != 0) {
        return c->v_t > 0 ? -c->friction : c->friction;
    }
    double hold = -c->b12 / c->b11;
    return fabs(hold) <= c->friction ? hold : hold > 0 ? c->friction : -c->friction;
}

/* Follows the contact by an impulse p on which the traction is one. */
static void press(contact *c, double p, bool halts) {
    double pull = traction(c), rate = c->b22 + pull * c->b12;
    c->work += p * (c->v_n + rate * p / 2);
    c->v_t = halts ? 0 : c->v_t + p * (c->b12 + pull * c->b11);
    c->v_n += rate * p;
    c->p += p;
    c->p_t += pull * p;
}

/* The normal impulse up to the end of the slip. */
static double to_halt(const contact *c) {
    double rate = c->b12 + traction(c) * c->b11;
    bool brakes = c->v_t != 0 && c->v_t * rate < 0;
    return brakes ? -c->v_t / rate : INFINITY;
}

/* The impulse from now on to the end of the restitution. */
static double to_end(const contact *c, int law, double e, double v_n, double p_c, double work_c) {
    double rate = c->b22 + traction(c) * c->b12;
    if (law == POISSON) {
        return (1 + e) * p_c - c->p;
    }
    if (law == NEWTON) {
        return (-e * v_n - c->v_n) / rate;
    }
    double left = (1 - e * e) * work_c - c->work; /* of the work */
    return 2 * left / (c->v_n + sqrt(c->v_n * c->v_n + 2 * rate * left));
}

static void collide(contact *c, int law, double e) {
    double v_n = c->v_n;
    for (bool done = false; !done;) {
        double rate = c->b22 + traction(c) * c->b12, halt = to_halt(c), turn = -c->v_n / rate;
        done = rate > 0 && turn <= halt;
        press(c, done ? turn : halt, !done);
    }
    c->v_n = 0;
    double p_c = c->p, work_c = c->work;
    for (bool done = false; !done;) {
        double halt = to_halt(c), end = to_end(c, law, e, v_n, p_c, work_c);
        done = end <= halt;
        press(c, done ? (end > 0 ? end : 0) : halt, !done);
    }
}

static bool strike(falls_impact *impact, const falls_drop *drop, void *law) {
    contact c = {.b11 = impact->b11,
                 .b12 = impact->b12,
                 .b22 = impact->b22,
                 .friction = drop->friction,
                 .v_t = impact->v_t,
                 .v_n = impact->v_n};
    collide(&c, *(int *)law, drop->restitution);
    impact->p_t = c.p_t;
    impact->p_n = c.p;
    return true;
}

static void drops(void) {
    static const char *const laws[] = {"newton", "poisson", "energetic"};
    random_source source = {55};
    int compared = 0;
    for (int i = 0; i < DROPS; i++) {
        int law = i / 4 % 3;
        falls_drop drop = falls_draw(i, laws[law], &source);
        compared += falls_compare(i, &drop, strike, &law);
    }
    CHECK(compared > DROPS * (FALLS_IMPACTS - 1), "%d impacts", compared);
}

SUITE("bounce_independent", drops)
