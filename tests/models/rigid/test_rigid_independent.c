/* The rigid theory against a march in small steps of normal impulse. Each step takes the friction
 * impulse that stops the contact, as far as the cone lets it: no phases, no modes, no events. Its
 * error is of the first order in the step. Nothing is shared with the product; B is given. */
#include <math.h>
#include <stdio.h>

#include "support/batch.h"
#include "support/random.h"
#include "support/suite.h"

enum { CELLS = 300, MOST_STEPS = 4000000 };

typedef struct state {
    double p_n, p_t, v_n, v_t, work; /* work of the normal impulse */
} state;

typedef struct march {
    double b11, b12, b22, mu, step;
    state now, turn; /* turn: at the end of compression */
} march;

static state stepped(const march *m, double dp) {
    state s = m->now;
    double limit = m->mu * dp, wanted = -(s.v_t + m->b12 * dp) / m->b11;
    double dp_t = fmax(-limit, fmin(limit, wanted));
    double v_n = s.v_n + m->b12 * dp_t + m->b22 * dp;
    return (state){s.p_n + dp, s.p_t + dp_t, v_n, s.v_t + m->b11 * dp_t + m->b12 * dp,
                   s.work + (s.v_n + v_n) * dp / 2};
}

static state between(const state *a, const state *b, double part) {
    return (state){a->p_n + part * (b->p_n - a->p_n), a->p_t + part * (b->p_t - a->p_t),
                   a->v_n + part * (b->v_n - a->v_n), a->v_t + part * (b->v_t - a->v_t),
                   a->work + part * (b->work - a->work)};
}

/* A quantity that grows along the path to 1 at separation, for each law: newton, poisson,
 * energetic. */
static double progress(int law, const march *m, const state *s, double e) {
    switch (law) {
    case 0:
        return s->v_n / e;
    case 1:
        return (s->p_n - m->turn.p_n) / (e * m->turn.p_n);
    default:
        return sqrt(fmax(0, s->work - m->turn.work) / -m->turn.work) / e;
    }
}

/* Marches to the end of compression. Returns false if that takes too many steps. */
static bool compress(march *m) {
    for (int i = 0; i < MOST_STEPS; i++) {
        state next = stepped(m, m->step);
        if (next.v_n >= 0) {
            m->now = m->turn = between(&m->now, &next, m->now.v_n / (m->now.v_n - next.v_n));
            return true;
        }
        m->now = next;
    }
    return false;
}

static bool restitute(march *m, int law, double e) {
    for (int i = 0; i < MOST_STEPS; i++) {
        state next = stepped(m, m->step);
        double before = progress(law, m, &m->now, e), after = progress(law, m, &next, e);
        if (after >= 1) {
            m->now = between(&m->now, &next, (1 - before) / (after - before));
            return true;
        }
        m->now = next;
    }
    return false;
}

/* The compromise: the best of all steps until both laws have ended. */
static bool compromise(march *m, double e, const double *weight) {
    state best = m->now;
    double least = INFINITY;
    for (int i = 0; i < MOST_STEPS; i++) {
        double poisson = progress(1, m, &m->now, e) - 1, energetic = progress(2, m, &m->now, e) - 1;
        double misfit = weight[0] * poisson * poisson + weight[1] * energetic * energetic;
        if (misfit < least) {
            least = misfit;
            best = m->now;
        }
        if (poisson >= 0 && energetic >= 0) {
            m->now = best;
            return true;
        }
        m->now = stepped(m, m->step);
    }
    return false;
}

static const char *const laws[] = {"newton", "poisson", "energetic", "compromise"};

static void draw(const batch *b, int law) {
    random_source source = {521};
    for (size_t i = 0; i < CELLS; i++) {
        double b11 = random_log(&source, 0.3, 3), b22 = random_log(&source, 0.3, 3);
        batch_in(b, "b11")[i] = b11;
        batch_in(b, "b22")[i] = b22;
        batch_in(b, "b12")[i] = random_between(&source, -0.9, 0.9) * sqrt(b11 * b22);
        batch_in(b, "velocity_ratio")[i] = i % 8 ? random_between(&source, -2, 2) : 0;
        batch_in(b, "friction")[i] = i % 8 == 1 ? 4 : random_between(&source, 0, 1.5);
        batch_in(b, "restitution")[i] = random_between(&source, 0.2, 1);
        double weight[2] = {random_between(&source, 0, 2), random_between(&source, 0.1, 2)};
        if (law == 3) {
            batch_in(b, "weight_poisson")[i] = weight[0];
            batch_in(b, "weight_energetic")[i] = weight[1];
        }
    }
}

static void check(const batch *b, size_t i, const char *output, double expected) {
    double found = batch_out(b, output)[i];
    CHECK_NEAR(found, expected, 2e-4 * fmax(1, fabs(expected)), "%s of %s", output,
               batch_text(b, i));
}

/* Returns whether the cell could be compared. */
static bool compare(const batch *b, size_t i, int law) {
    march m = {.b11 = batch_in(b, "b11")[i],
               .b12 = batch_in(b, "b12")[i],
               .b22 = batch_in(b, "b22")[i],
               .mu = batch_in(b, "friction")[i],
               .step = 2e-5 / batch_in(b, "b22")[i],
               .now = {.v_n = -1, .v_t = batch_in(b, "velocity_ratio")[i]}};
    double e = batch_in(b, "restitution")[i];
    double weight[2] = {0};
    if (law == 3) {
        weight[0] = batch_in(b, "weight_poisson")[i];
        weight[1] = batch_in(b, "weight_energetic")[i];
    }
    bool ended = compress(&m) && (law == 3 ? compromise(&m, e, weight) : restitute(&m, law, e));
    if (!ended) {
        return false;
    }
    CHECK_CELL(b, i, b->outcome[i] == IMP_SOLVED);
    check(b, i, "kinematic_restitution", m.now.v_n);
    check(b, i, "kinetic_restitution", (m.now.p_n - m.turn.p_n) / m.turn.p_n);
    check(b, i, "energetic_restitution", sqrt((m.now.work - m.turn.work) / -m.turn.work));
    check(b, i, "velocity_ratio_out", m.now.v_t);
    check(b, i, "normal_impulse", m.now.p_n);
    check(b, i, "tangential_impulse", m.now.p_t);
    check(b, i, "approach_impulse_ratio", m.turn.p_t / m.turn.p_n);
    return true;
}

static void march_of_all_laws(void) {
    for (int law = 0; law < SUITE_COUNT(laws); law++) {
        char choices[64] = "";
        int compared = 0;
        snprintf(choices, sizeof choices, "body=matrix law=%s", laws[law]);
        batch b = batch_open("rigid", choices, CELLS);
        draw(&b, law);
        batch_solve(&b);
        for (size_t i = 0; i < CELLS; i++) {
            compared += compare(&b, i, law);
        }
        CHECK(compared > CELLS - 10, "%s: only %d cells compared", laws[law], compared);
        batch_close(&b);
    }
}

SUITE("rigid_independent", march_of_all_laws)
