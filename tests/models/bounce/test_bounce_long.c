/* A million rods that clatter against the closed form of their impacts, and a million drops whose
 * energy never grows. */
#include <math.h>

#include "models/bounce/state.h"
#include "models/bounce/watch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { MANY = 1000000 };

/* A rod without gravity and friction, almost flat: floor or ceil of pi / acos((1 + e) / (4 sqrt e))
 * impacts, and no end from 7 - 4 sqrt 3 down. */
static void clatter(void) {
    random_source source = {61};
    const double sizes[] = {1, 1}, endless = 7 - 4 * sqrt(3);
    imp_bounce_problem p = {
        .law = IMP_BOUNCE_ENERGETIC, .velocity_n = -1, .tilt = 1e-11, .budget = 1000000};
    CHECK(imp_bounce_body_of(1, sizes, &p.body), "body");
    for (int i = 0; i < MANY; i++) {
        double above =
            i % 3 ? random_between(&source, 2e-5, 1 - endless) : random_log(&source, 2e-5, 1e-2);
        double e = i % 10 ? endless + above : endless * random_between(&source, 0, 1);
        p.restitution = e;
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        if (e > endless) {
            double n = (double)c.tally.impacts, law = pi / acos((1 + e) / (4 * sqrt(e)));
            CHECK(c.mode == IMP_BOUNCE_LEAVES && (n == floor(law) || n == ceil(law)),
                  "e %.17g: %g impacts, %g", e, n, law);
        } else {
            CHECK(c.mode == IMP_BOUNCE_REST, "e %.17g", e);
        }
    }
}

/* What is lost at each event. */
typedef struct losses {
    imp_observer observer; /* first */
    double lost;
    bool grows;
} losses;

static void see_piece(imp_observer *observer, const void *piece) {
    (void)observer;
    (void)piece;
}

static void see_event(imp_observer *observer, int event, int phase, const void *state) {
    const imp_bounce_cell *c = ((const imp_bounce_shown *)state)->cell;
    losses *l = (losses *)observer;
    double lost = c->tally.normal_loss + c->tally.friction_loss;
    (void)event;
    (void)phase;
    l->grows |= lost < l->lost - 1e-15 * c->initial_energy;
    l->lost = lost;
}

static void energy(void) {
    random_source source = {62};
    imp_bounce_problem p = {.gravity = 1, .count_above = 1e-6, .budget = 200000};
    int rest = 0;
    for (int i = 0; i < MANY; i++) {
        double sizes[] = {random_between(&source, .2, 2), 1, 1};
        CHECK(imp_bounce_body_of(1 + i % 3, sizes, &p.body), "body");
        p.law = i / 3 % 2 ? IMP_BOUNCE_ENERGETIC : IMP_BOUNCE_POISSON;
        p.restitution = random_between(&source, 0, .6);
        p.friction = random_between(&source, 0, 1.5);
        p.tilt = random_between(&source, -3, 3);
        p.drop = random_between(&source, 0, 3);
        p.velocity_t = random_between(&source, -3, 3);
        p.velocity_n = random_between(&source, -3, 1);
        p.spin = random_between(&source, -3, 3);
        losses l = {.observer = {.see_piece = see_piece, .see_event = see_event}};
        p.observer = &l.observer;
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        double balance = c.initial_energy - imp_bounce_energy(&c) - l.lost;
        CHECK(!l.grows, "drop %d gains energy", i);
        CHECK(c.outcome != IMP_SOLVED || fabs(balance) < 1e-12 * c.initial_energy,
              "drop %d: balance %g of %g", i, balance, c.initial_energy);
        rest += c.outcome == IMP_SOLVED;
    }
    CHECK(rest > MANY - MANY / 1000, "%d drops end", rest);
}

SUITE("bounce_long", clatter, energy)
