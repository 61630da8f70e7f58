/* Drops with closed forms, tables of whole drops, the two identities, mirror images, bad input. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/bounce/state.h"
#include "models/bounce/outputs.h"
#include "models/bounce/watch.h"
#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/starts.h"
#include "support/suite.h"

/* One cell of a body: names and values in pairs, up to NULL. */
typedef struct given {
    const char *name;
    double value;
} given;

static batch cell(const char *choices, const given *values) {
    batch b = batch_open("bounce", choices, 1);
    for (; values->name; values++) {
        batch_set(&b, values->name, values->value);
    }
    batch_solve(&b);
    return b;
}

static double out(const batch *b, const char *name) {
    return batch_out(b, name)[0];
}

/* ---- closed forms ---- */

/* A ball rests 2 v e / (g (1 - e)) after the first impact. */
static void ball(void) {
    for (double e = 0.1; e < 0.95; e += 0.1) {
        given values[] = {{"restitution", e}, {"friction", 0}, {"drop", 1}, {"spin", 0}, {NULL, 0}};
        batch b = cell("body=sphere", values);
        double fall = out(&b, "first_time"), rest = out(&b, "rest_time");
        CHECK(b.outcome[0] == IMP_SOLVED, "e %g", e);
        CHECK_NEAR(fall, sqrt(2), 2e-15, "fall, e %g", e);
        CHECK_NEAR(rest - fall, 2 * fall * e / (1 - e), 1e-13 * rest, "chatter, e %g", e);
        batch_close(&b);
    }
}

/* A sphere that slips throughout the chatter rolls at 5/7 of its velocity, whatever e. */
static void rolling(void) {
    const double u = 3, mu = 0.05, expected[] = {0.5, 0.8};
    for (int k = 0; k < 2; k++) {
        given values[] = {{"restitution", expected[k]},
                          {"friction", mu},
                          {"drop", 1},
                          {"gravity", 1},
                          {"velocity_t", u},
                          {"spin", 0},
                          {NULL, 0}};
        batch b = cell("body=sphere", values);
        CHECK(out(&b, "mode") == IMP_BOUNCE_ROLL, "mode");
        double t = 2 * u / (7 * mu);
        CHECK_NEAR(out(&b, "rest_time"), t, 2e-12, "time, e %g", expected[k]);
        CHECK_NEAR(out(&b, "rest_velocity_t"), 5 * u / 7, 1e-13, "velocity");
        CHECK_NEAR(out(&b, "rest_x"), u * t - mu * (t * t / 2 - 1), 1e-11, "way");
        batch_close(&b);
    }
    given hard[] = {{"restitution", 0.9}, {"friction", mu}, {"drop", 1}, {"gravity", 1},
                    {"velocity_t", u},    {"spin", 0},      {NULL, 0}};
    batch b = cell("body=sphere", hard);
    CHECK_NEAR(out(&b, "rest_time"), 26.870057685089, 3e-12, "rolls before the chatter ends");
    batch_close(&b);
}

/* Housner's block: stick, no rebound. */
static void housner(void) {
    const double after[] = {.954769465589, .824533332339, .625, .380236133250};
    for (int k = 0; k < 4; k++) {
        double alpha = (10 + 10 * k) * pi / 180, height = cos(alpha), width = sin(alpha);
        /* The block pivots on corner 1, with a spin, and its corner 2 is about to touch. */
        imp_bounce_problem p = {.law = IMP_BOUNCE_ENERGETIC, .friction = 1e3, .gravity = 0};
        double values[] = {width, height, 1};
        CHECK(imp_bounce_body_of(2, values, &p.body), "body");
        p.spin = -1;
        p.velocity_t = p.spin * -height / 2;
        p.velocity_n = -p.spin * -width / 2;
        p.count_above = 0.01;
        p.budget = 1000;
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        CHECK_NEAR(-c.m.spin, after[k], 1e-12, "spin after, %d degrees", 10 + 10 * k);
        CHECK_NEAR(-c.m.spin, 1 - 1.5 * width * width, 1e-15, "spin after, %d degrees",
                   10 + 10 * k);
    }
}

/* ---- a rod without gravity and friction ---- */

/* Impacts of a rod that falls almost flat: endless up to the restitution 7 - 4 sqrt 3. */
static void clatter(void) {
    static const struct {
        double e;
        int impacts;
    } rows[] = {{1, 3},     {.9, 3},    {.7, 3},    {.5, 3},     {.4, 3},     {.3, 4},
                {.2, 4},    {.15, 5},   {.12, 5},   {.1, 6},     {.09, 8},    {.08, 11},
                {.075, 17}, {.073, 27}, {.072, 64}, {.0719, 89}, {.0718, 504}};
    for (int k = 0; k < SUITE_COUNT(rows); k++) {
        double e = rows[k].e, law = pi / acos((1 + e) / (4 * sqrt(e))), length = 1, mass = 1;
        const double sizes[] = {length, mass};
        imp_bounce_problem p = {.law = IMP_BOUNCE_ENERGETIC,
                                .restitution = e,
                                .velocity_n = -1,
                                .tilt = 1e-10,
                                .budget = 50000};
        CHECK(imp_bounce_body_of(1, sizes, &p.body), "body");
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        double n = (double)c.tally.impacts, ratio = c.tally.second.impulse / c.tally.first.impulse;
        CHECK(c.outcome == IMP_SOLVED && c.mode == IMP_BOUNCE_LEAVES, "e %g", e);
        CHECK(n == floor(law) || n == ceil(law), "e %g: %g impacts, %g", e, n, law);
        CHECK(n == rows[k].impacts, "e %g: %g impacts", e, n);
        CHECK_NEAR(ratio, 1 + (1 + e) / 2, 1e-8, "e %g", e);
    }
}

/* Below 7 - 4 sqrt 3 the rod lies down at the end of infinitely many impacts. */
static void endless_clatter(void) {
    const double least = 7 - 4 * sqrt(3), below[] = {0, 1e-6, .01, .05, .0717, least - 1e-10};
    for (int k = 0; k < SUITE_COUNT(below); k++) {
        given values[] = {{"restitution", below[k]},
                          {"friction", 0},
                          {"gravity", 0},
                          {"drop", 0},
                          {"tilt", 1e-10},
                          {"velocity_n", -1},
                          {"spin", 0},
                          {"count_above", 0.5},
                          {NULL, 0}};
        batch b = cell("body=rod", values);
        CHECK(out(&b, "mode") == IMP_BOUNCE_REST, "e %g: mode %g", below[k], out(&b, "mode"));
        CHECK(out(&b, "settle_point") == IMP_BOUNCE_BOTH, "e %g", below[k]);
        CHECK_NEAR(out(&b, "energy_loss"), 1, 1e-14, "e %g", below[k]);
        batch_set(&b, "restitution", least + 1e-10);
        batch_solve(&b);
        CHECK(out(&b, "mode") == IMP_BOUNCE_LEAVES, "mode %g", out(&b, "mode"));
        batch_close(&b);
    }
}

static void second_impacts_over_tilt(void) {
    static const double tilt[] = {.1, .3, .6};
    static const double ratio[] = {1.73752055574, 1.64005609999, 1.34081864101};
    for (int k = 0; k < 3; k++) {
        given values[] = {{"restitution", .5}, {"friction", 0},   {"gravity", 0},
                          {"drop", 0},         {"tilt", tilt[k]}, {"velocity_n", -1},
                          {"spin", 0},         {"length", 1},     {NULL, 0}};
        batch b = cell("body=rod", values);
        CHECK_NEAR(out(&b, "second_ratio"), ratio[k], 6e-12, "tilt %g", tilt[k]);
        batch_close(&b);
    }
}

/* ---- tables ---- */

/* The second end of a rod from 20 lengths is struck harder: largest over first impulse. */
static void hardest(void) {
    static const double tilt[] = {.02, .1, .2, .4, .6, .8, 1};
    static const double smooth[] = {1.6998, 1.6892, 1.6540, 1.5160, 1.3031, 1.0417, 1};
    static const double rough[] = {1.6980, 1.6442, 1.5633, 1.3459, 1.0534, 1, 1};
    for (int k = 0; k < 7; k++) {
        for (int m = 0; m < 2; m++) {
            given values[] = {{"restitution", .4}, {"friction", m ? .3 : 0},
                              {"gravity", 1},      {"drop", 20},
                              {"tilt", tilt[k]},   {"spin", 0},
                              {"length", 1},       {NULL, 0}};
            batch b = cell("body=rod", values);
            CHECK_NEAR(out(&b, "largest_ratio"), m ? rough[k] : smooth[k], 2e-4, "tilt %g, %d",
                       tilt[k], m);
            batch_close(&b);
        }
    }
}

/* Whole drops: mass centre at 1.5, tilt .5. */
static void drops(void) {
    static const struct {
        bool block;
        double e, mu, impacts, index, largest, settles, rests, x;
    } rows[] = {
        {0, .3, .3, 11, 2, .8773863683, 2.437984387, 2.47028673810, .03877786313},
        {0, .5, .3, 16, 2, 1.074966627, 3.733848437, 3.75607229188, .007095087179},
        {0, .7, .3, 32, 2, 1.278813473, 6.484862058, 6.71861038292, -.06874638183},
        {0, 0, .8, 9, 1, .6705944181, 1.622501060, 1.82117278855, .1156202929},
        {1, .3, .3, 11, 1, 1.787068443, 2.705392776, 3.67778324037, -.4781591949},
        {1, .5, .5, 16, 1, 2.06200205, 4.582835316, 4.58283531570, -.6434197665},
    };
    for (int k = 0; k < SUITE_COUNT(rows); k++) {
        double low =
            .5 * sin(.5) + (rows[k].block ? .5 * cos(.5) + .2 * sin(.5) - .5 * sin(.5) : 0);
        given values[] = {{"restitution", rows[k].e},
                          {"friction", rows[k].mu},
                          {"gravity", 1},
                          {"drop", 1.5 - low},
                          {"tilt", .5},
                          {"spin", 0},
                          {rows[k].block ? "width" : "length", rows[k].block ? .4 : 1},
                          {rows[k].block ? "height" : "mass", 1},
                          {NULL, 0}};
        batch b = cell(rows[k].block ? "body=block" : "body=rod", values);
        CHECK(out(&b, "impacts") == rows[k].impacts, "row %d: %g impacts", k, out(&b, "impacts"));
        CHECK(out(&b, "largest_index") == rows[k].index, "row %d", k);
        CHECK_NEAR(out(&b, "largest_impulse"), rows[k].largest, 1e-8, "row %d: impulse", k);
        CHECK_NEAR(out(&b, "settle_time"), rows[k].settles, 1e-8, "row %d: settles", k);
        CHECK_NEAR(out(&b, "rest_time"), rows[k].rests, 1e-10, "row %d: rests", k);
        CHECK_NEAR(out(&b, "rest_x"), rows[k].x, 1e-10, "row %d: place", k);
        batch_close(&b);
    }
}

/* A rod that starts in sliding contact; at high friction the point jams at once. */
static void sliding_start(void) {
    static const struct {
        double mu, u, rests;
    } rows[] = {{1.3, -1, 1.571004571}, {1.3, 1, 1.167385962}, {1.4, 1, 1.162495045}, {1.4, -1, 0}};
    for (int k = 0; k < 4; k++) {
        given values[] = {{"restitution", .2},
                          {"friction", rows[k].mu},
                          {"gravity", 1},
                          {"drop", 0},
                          {"tilt", pi / 2 - atan(.5)},
                          {"velocity_t", rows[k].u},
                          {"spin", 0},
                          {"length", 1},
                          {NULL, 0}};
        batch b = cell("body=rod", values);
        bool jams = rows[k].rests == 0;
        CHECK(out(&b, "mode") == (jams ? IMP_BOUNCE_JAM : IMP_BOUNCE_REST), "row %d", k);
        CHECK(jams || fabs(out(&b, "rest_time") - rows[k].rests) < 1e-9, "row %d: %.12g", k,
              out(&b, "rest_time"));
        batch_close(&b);
    }
}

/* ---- random drops ---- */

/* The choices of body k, with values of its sizes. */
static const char *const bodies[] = {"body=sphere", "body=rod", "body=block", "body=capsule",
                                     "body=points"};

static void set_random(const batch *b, random_source *source, double most_restitution) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "restitution")[i] = random_between(source, 0, most_restitution);
        batch_in(b, "friction")[i] = i % 5 ? random_between(source, 0, 1.2) : 0;
        batch_in(b, "gravity")[i] = 1;
        batch_in(b, "tilt")[i] = random_between(source, -3, 3);
        batch_in(b, "drop")[i] = random_between(source, 0, 3);
        batch_in(b, "velocity_t")[i] = random_between(source, -2, 2);
        batch_in(b, "velocity_n")[i] = random_between(source, -2, 1);
        batch_in(b, "spin")[i] = random_between(source, -3, 3);
    }
}

enum { RANDOM_DROPS = 400 };

/* The energy balances; under energetic and poisson impacts no energy is gained. */
static void energy(void) {
    random_source source = {17};
    static const char *const laws[] = {"newton", "poisson", "energetic"};
    for (int k = 0; k < 15; k++) {
        char choices[64];
        snprintf(choices, sizeof choices, "%s law=%s", bodies[k % 5], laws[k / 5]);
        batch b = batch_open("bounce", choices, RANDOM_DROPS);
        set_random(&b, &source, 0.7);
        batch_solve(&b);
        int solved = 0;
        for (size_t i = 0; i < b.n; i++) {
            bool good = b.outcome[i] == IMP_SOLVED;
            solved += good;
            CHECK_CELL(&b, i, !good || batch_out(&b, "residual")[i] < 1e-12);
            CHECK_CELL(&b, i,
                       !good || k < 5 ||
                           (batch_out(&b, "restitution_loss")[i] >= 0 &&
                            batch_out(&b, "friction_loss")[i] >= -1e-15));
        }
        CHECK(solved > RANDOM_DROPS * 99 / 100, "%s: %d solved", choices, solved);
        batch_close(&b);
    }
}

/* A rod that stands almost upright on a point that friction holds falls on its side with the
 * speed sqrt(3 g length sine of its tilt). The least normal force is (cosine of the tilt / 2)^2 of
 * the weight, where the point leaves the cone of any friction below 1e9 and turns back. */
static void falls_over(void) {
    for (double mu = 1e3; mu < 2e8; mu *= 10) {
        for (int side = -1; side < 2; side += 2) {
            double tilt = side * (pi / 2 - 1e-5), speed = sqrt(3 * 9.81 * sin(fabs(tilt)));
            given values[] = {{"friction", mu}, {"drop", 0},       {"tilt", tilt},
                              {"spin", 0},      {"velocity_t", 0}, {"velocity_n", 0},
                              {"length", 1},    {"gravity", 9.81}, {NULL, 0}};
            batch b = cell("body=rod", values);
            CHECK_NEAR(out(&b, "first_speed"), speed, 2e-6 * speed, "friction %g", mu);
            batch_close(&b);
        }
    }
}

/* The time that a rod of length 1 takes to fall over on its end from rest at an angle, under
 * gravity 1, by Simpson's rule; the fallen angle is s^2. */
static double time_to_fall(double tilt) {
    enum { PARTS = 2000 };
    double sum = 0, step = sqrt(tilt) / PARTS;
    for (int k = 0; k <= PARTS; k++) {
        double s = k * step, speed = sqrt(6 * cos(tilt - s * s / 2) * sin(s * s / 2));
        double part = k == 0 ? 2 / sqrt(3 * cos(tilt)) : 2 * s / speed;
        sum += (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2) * part;
    }
    return sum * step / 3;
}

/* A rod falls over on an end that friction holds: at these angles, in degrees, the derivatives of
 * order 6, 8, 10, 14, 16 and 18 of its angle are 0. At 60 also those of order 12 and 18. */
static void no_early_end(void) {
    static const double degrees[] = {60,
                                     80.12503860217872,
                                     38.192172747421914,
                                     27.689383411941886,
                                     46.84758814368998,
                                     21.67396713692207};
    for (int k = 0; k < 6; k++) {
        for (int ulps = -8; ulps <= 8; ulps++) {
            double tilt = degrees[k] * (pi / 180) * (1 + ulps * 0x1p-53);
            given values[] = {
                {"friction", 1e6}, {"drop", 0},   {"restitution", 0}, {"tilt", tilt}, {"spin", 0},
                {"velocity_t", 0}, {"length", 1}, {"velocity_n", 0},  {"gravity", 1}, {NULL, 0}};
            batch b = cell("body=rod", values);
            CHECK(b.outcome[0] == IMP_SOLVED, "%g degrees", degrees[k]);
            CHECK_NEAR(out(&b, "rest_time"), time_to_fall(tilt), 2e-13, "%g degrees", degrees[k]);
            CHECK_NEAR(fabs(out(&b, "rest_x")), (1 - cos(tilt)) / 2, 1e-13, "%g degrees",
                       degrees[k]);
            CHECK_NEAR(out(&b, "energy_loss"), 1, 1e-13, "%g degrees", degrees[k]);
            batch_close(&b);
        }
    }
}

/* Whether friction has given energy, at any event of a drop. */
typedef struct account {
    imp_observer observer; /* first */
    double lost, gained;
} account;

static void see_no_piece(imp_observer *observer, const void *piece) {
    (void)observer;
    (void)piece;
}

static void see_loss(imp_observer *observer, int event, int phase, const void *state) {
    account *a = (account *)observer;
    double lost = ((const imp_bounce_shown *)state)->cell->tally.friction_loss;
    (void)event;
    (void)phase;
    a->gained = a->lost - lost > a->gained ? a->lost - lost : a->gained;
    a->lost = lost;
}

/* A drop of a rod, block or capsule with a large friction; flat: almost flat and slow. */
static imp_bounce_problem draw_hard(random_source *source, int i, bool flat) {
    double thin = i % 3 == 1 && flat ? random_log(source, 1e-4, 1) : 1;
    double values[] = {random_between(source, .2, 2), thin, 1};
    imp_bounce_problem p = {.law = (imp_bounce_law)(i / 3 % 4),
                            .gravity = 9.81,
                            .stiffness_ratio = 1.2,
                            .count_above = .01,
                            .budget = 5000};
    CHECK(imp_bounce_body_of(1 + i % 3, values, &p.body), "body");
    double side = random_index(source, 2) ? 1 : -1;
    p.restitution = random_between(source, .05, .7);
    p.friction = random_log(source, 1e3, 1e8);
    p.tilt = side * (flat ? random_log(source, 1e-12, 1) : random_between(source, 1.4, 1.7));
    p.drop = flat ? random_log(source, 1e-12, 1e-3) : random_between(source, 0, 2);
    p.velocity_t = flat ? side * random_log(source, 1e-9, 1) : 0;
    p.velocity_n = flat ? -random_log(source, 1e-10, 1e-3) : 0;
    return p;
}

static void follow_loss(imp_bounce_problem p, int i) {
    account a = {.observer = {.see_piece = see_no_piece, .see_event = see_loss}};
    p.observer = &a.observer;
    imp_bounce_cell c;
    imp_bounce_run(&p, &c);
    CHECK(c.outcome != IMP_SOLVED || a.gained <= 1e-12 * c.initial_energy,
          "drop %d: friction %g gives %g of %g", i, p.friction, a.gained, c.initial_energy);
}

/* Friction gives no energy, however large it is. */
static void hard_friction(void) {
    random_source source = {24};
    for (int i = 0; i < 6000; i++) {
        follow_loss(draw_hard(&source, i, i % 2), i);
    }
    /* A slip that is fast beside the hops ends within their chatter. */
    imp_bounce_problem p = draw_hard(&source, 0, true);
    const double sizes[] = {1.6, 1};
    CHECK(imp_bounce_body_of(1, sizes, &p.body), "body");
    p.law = IMP_BOUNCE_ENERGETIC;
    p.restitution = .28;
    p.friction = 3e6;
    p.tilt = 5e-11;
    p.drop = 0;
    p.velocity_n = -2e-10;
    for (int i = 0; i < 300; i++) {
        p.velocity_t = 2.5e-4 + 1e-7 * i;
        follow_loss(p, 10000 + i);
    }
}

/* The sum of the normal impulses is m (v - v(0) + g t), through chatter and lasting contact. */
static void upward(void) {
    random_source source = {18};
    for (int i = 0; i < 500; i++) {
        double values[] = {random_between(&source, .2, 1), 1, 1};
        imp_bounce_problem p = {
            .law = (imp_bounce_law)(i % 3), .gravity = 1, .count_above = .01, .budget = 50000};
        CHECK(imp_bounce_body_of(2, values, &p.body), "body");
        p.restitution = random_between(&source, 0, .7);
        p.friction = random_between(&source, 0, 1);
        p.tilt = random_between(&source, -3, 3);
        p.drop = random_between(&source, .1, 3);
        p.velocity_n = random_between(&source, -2, 1);
        p.spin = random_between(&source, -3, 3);
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        double gained = imp_bounce_velocity_n(&c) - p.velocity_n + p.gravity * c.m.time;
        CHECK(c.outcome != IMP_SOLVED || fabs(c.tally.upward - gained) < 1e-11 * gained,
              "drop %d: %.15g, %.15g", i, c.tally.upward, gained);
    }
}

/* The mirror image of a drop. */
static void mirror(void) {
    random_source source = {19};
    static const char *const names[] = {"tilt", "velocity_t", "spin"};
    batch a = batch_open("bounce", "body=block", RANDOM_DROPS);
    set_random(&a, &source, 0.6);
    batch b = batch_again(&a, "body=block");
    for (size_t i = 0; i < a.n; i++) {
        for (int k = 0; k < 3; k++) {
            batch_in(&b, names[k])[i] = -batch_in(&a, names[k])[i];
        }
    }
    BATCH_SOLVE(&a, &b);
    for (size_t i = 0; i < a.n; i++) {
        double error = 10 * batch_out(&a, "uncertainty")[i];
        if (a.outcome[i] != IMP_SOLVED || !(error < 1e-6)) {
            continue;
        }
        CHECK_CELL(&a, i, batch_out(&a, "impacts")[i] == batch_out(&b, "impacts")[i]);
        double x = batch_out(&a, "rest_x")[i], t = batch_out(&a, "rest_time")[i];
        CHECK_CELL(&a, i, fabs(x + batch_out(&b, "rest_x")[i]) <= error * (1 + fabs(x)));
        CHECK_CELL(&a, i, fabs(t - batch_out(&b, "rest_time")[i]) <= error * (1 + t));
    }
    BATCH_CLOSE(&a, &b);
}

/* ---- histories ---- */

typedef struct watch {
    imp_recorder recorder;
    const imp_history *history;
    double energy, lowest, impulse; /* of the first row; of all rows; of the impacts */
    int impacts;
} watch;

static double column(const watch *w, const double *row, const char *name) {
    for (int k = 0; k < w->history->n_columns; k++) {
        if (strcmp(w->history->columns[k].name, name) == 0) {
            return row[k];
        }
    }
    CHECK(false, "no column %s", name);
    return NAN;
}

static void see(imp_recorder *recorder, const double *row, int phase, int event) {
    watch *w = (watch *)recorder;
    double energy = column(w, row, "kinetic_energy") + column(w, row, "potential_energy") +
                    column(w, row, "friction_loss") + column(w, row, "restitution_loss");
    (void)phase;
    w->energy = w->energy > 0 ? w->energy : energy;
    CHECK_NEAR(energy, w->energy, 1e-13 * w->energy, "energy at %g", row[0]);
    for (int k = 1; k <= 8; k++) {
        char name[8];
        snprintf(name, sizeof name, "gap_%d", k);
        double gap = column(w, row, name);
        w->lowest = gap < w->lowest ? gap : w->lowest;
    }
    w->impacts += event == 1;
    w->impulse += column(w, row, "normal_impulse");
}

/* Energy is kept in every row, no point is below the plane, and every impact has its row. */
static void histories(void) {
    random_source source = {23};
    for (int k = 0; k < 5; k++) {
        batch b = batch_open("bounce", bodies[k], 40);
        set_random(&b, &source, 0.6);
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            watch w = {.recorder = {201, see}, .history = b.theory->history};
            batch_trace(&b, i, &w.recorder);
            CHECK(w.impacts == batch_out(&b, "impacts")[i], "%d impacts", w.impacts);
            CHECK(w.lowest >= -1e-12, "gap %g", w.lowest);
            CHECK(w.impulse >= batch_out(&b, "first_impulse")[i], "impulse %g", w.impulse);
        }
        batch_close(&b);
    }
}

/* ---- the theory `rigid` ---- */

static const char *const rigid_laws[] = {"newton", "poisson", "energetic"};

/* A drop from no height, whose first impact has one of these laws. */
static imp_bounce_problem draw_start(random_source *source, int law) {
    double values[] = {random_between(source, .2, 1), 1, 1};
    imp_bounce_problem p = {.law = (imp_bounce_law)law, .count_above = .01, .budget = 50000};
    CHECK(imp_bounce_body_of(2, values, &p.body), "body");
    p.restitution = random_between(source, 0, 1);
    p.friction = random_between(source, 0, 1);
    p.tilt = random_between(source, -3, 3);
    p.velocity_t = random_between(source, -2, 2);
    /* Where the speed is 1 the velocity ratio is exact. */
    double speed = random_between(source, .1, 2);
    p.velocity_n = random_index(source, 2) ? -1 : -speed;
    return p;
}

/* A drop from no height begins with the impact that `rigid` solves, bit for bit. */
static void as_rigid(void) {
    random_source source = {20};
    for (int i = 0; i < 3000; i++) {
        imp_bounce_problem p = draw_start(&source, i % SUITE_COUNT(rigid_laws));
        imp_bounce_cell c;
        imp_bounce_run(&p, &c);
        char choices[32];
        snprintf(choices, sizeof choices, "body=lamina law=%s", rigid_laws[p.law]);
        batch b = starts_impact(&p, &c, "rigid", choices);
        batch_solve(&b);
        CHECK(out(&b, "normal_impulse") == c.tally.first.impulse, "impulse %d: %.17g %.17g", i,
              out(&b, "normal_impulse"), c.tally.first.impulse);
        if (c.tally.impacts == 1 && c.mode == IMP_BOUNCE_LEAVES) {
            CHECK(out(&b, "angular_velocity") == c.m.spin, "spin %d", i);
            double error = p.velocity_n == -1 ? 0 : 1e-15;
            CHECK(fabs(out(&b, "body_velocity_t") - c.m.velocity_t) <= error, "velocity %d", i);
        }
        batch_close(&b);
    }
}

/* ---- corners of the input ---- */

static const struct {
    const char *choices;
    given values[6];
    int outcome, mode; /* mode 0: any */
} corner_rows[] = {
    {"body=block", {{"drop", -1e-9}, {NULL, 0}}, IMP_OUTSIDE, 0},
    {"body=rod",
     {{"drop", 0}, {"tilt", .4}, {"velocity_n", 0}, {"spin", 0}, {NULL, 0}},
     IMP_SOLVED,
     IMP_BOUNCE_REST},
    {"body=sphere", {{"drop", 0}, {"spin", 0}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_ROLL},
    {"body=block", {{"spin", -1e5}, {"restitution", .3}, {"tilt", .4}, {NULL, 0}}, IMP_SOLVED, 0},
    /* 1e10 turns in the air: rounding of the angle decides more than 1e-6 of the energy. */
    {"body=block",
     {{"spin", -1e6}, {"restitution", .3}, {"tilt", .4}, {NULL, 0}},
     IMP_NO_CONVERGENCE,
     0},
    {"body=block", {{"drop", 0}, {"spin", 0}, {"tilt", 0}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_REST},
    {"body=block",
     {{"drop", 1}, {"spin", 0}, {"tilt", 0}, {NULL, 0}},
     IMP_SOLVED,
     IMP_BOUNCE_AMBIGUOUS},
    {"body=rod", {{"gravity", 0}, {"velocity_n", 1}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_LEAVES},
    {"body=rod", {{"gravity", 0}, {"spin", 2}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_LEAVES},
    {"body=rod", {{"gravity", 0}, {"spin", 0}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_LEAVES},
    {"body=sphere",
     {{"gravity", 0}, {"restitution", 0}, {"velocity_n", -1}, {"spin", -1}, {NULL, 0}},
     IMP_SOLVED,
     IMP_BOUNCE_LEAVES},
    {"body=sphere",
     {{"gravity", 0}, {"drop", 0}, {"velocity_n", 0}, {"spin", 1}, {NULL, 0}},
     IMP_SOLVED,
     IMP_BOUNCE_LEAVES},
    {"body=rod", {{"spin", 1e5}, {"restitution", .3}, {"tilt", .4}, {NULL, 0}}, IMP_SOLVED, 0},
    {"body=rod",
     {{"spin", 1e6}, {"restitution", .3}, {"tilt", .4}, {NULL, 0}},
     IMP_NO_CONVERGENCE,
     0},
    {"body=rod", {{"restitution", 0}, {"tilt", .4}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_REST},
    {"body=rod", {{"friction", 1e6}, {"tilt", .4}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_REST},
    {"body=rod",
     {{"friction", 0}, {"velocity_t", 1}, {"tilt", .4}, {NULL, 0}},
     IMP_SOLVED,
     IMP_BOUNCE_SLIDE},
    {"body=rod", {{"friction", 0}, {"restitution", 1}, {"tilt", .4}, {NULL, 0}}, IMP_BUDGET, 0},
    {"body=block", {{"height", 0}, {"tilt", .4}, {NULL, 0}}, IMP_SOLVED, IMP_BOUNCE_REST},
    {"body=block", {{"height", 0}, {"width", 0}, {NULL, 0}}, IMP_OUTSIDE, 0},
    {"body=points", {{"corner_distance_2", 1}, {"corner_angle_2", .2}, {NULL, 0}}, IMP_OUTSIDE, 0},
    {"body=points",
     {{"corner_distance_4", 1.1}, {"corner_angle_4", 4.1}, {NULL, 0}},
     IMP_SOLVED,
     IMP_BOUNCE_REST},
    {"body=points", {{"corner_angle_3", 1.5}, {"corner_angle_4", 1}, {NULL, 0}}, IMP_OUTSIDE, 0},
};

static void corners(void) {
    for (int k = 0; k < SUITE_COUNT(corner_rows); k++) {
        batch b = cell(corner_rows[k].choices, corner_rows[k].values);
        CHECK(b.outcome[0] == corner_rows[k].outcome, "row %d: outcome %d", k, b.outcome[0]);
        CHECK(corner_rows[k].mode == 0 || out(&b, "mode") == corner_rows[k].mode, "row %d: mode %g",
              k, out(&b, "mode"));
        batch_close(&b);
    }
}

/* A flat block falls flat: a tilt of 1e-9 to either side gives the two orders, mirror images. */
static void almost_flat(void) {
    for (int side = -1; side < 2; side += 2) {
        given values[] = {{"restitution", .5}, {"friction", .4},      {"gravity", 1},
                          {"drop", 1},         {"tilt", side * 1e-9}, {"spin", 0},
                          {"width", .5},       {"height", 1},         {NULL, 0}};
        batch b = cell("body=block", values);
        CHECK_NEAR(fabs(out(&b, "rest_x")), .890509, 1e-6, "side %d", side);
        batch_close(&b);
    }
}

SUITE("bounce", ball, rolling, housner, clatter, endless_clatter, second_impacts_over_tilt, hardest,
      drops, sliding_start, falls_over, hard_friction, energy, upward, mirror, histories, as_rigid,
      corners, almost_flat, no_early_end)
