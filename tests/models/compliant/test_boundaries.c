/* Cells beside the boundaries between sequences of phases, from neighbouring doubles on. They have
 * one of the two sequences that meet there, each a possible one, and their outputs are continuous.
 * At a boundary a slip or a stick vanishes, so that two events coincide. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/pi.h"
#include "support/random.h"
#include "support/suite.h"

enum { STICK = 1, BOUNDARIES = 1500 };

static const char *const moved[] = {"friction", "velocity_ratio", "angle", "stiffness_ratio"};

/* Pairs of cells that differ in one parameter, from low to high. */
typedef struct pair {
    double *value; /* of the batch's cell */
    double low, high;
    double low_sequence, high_sequence;
    bool thin; /* of dashpots: another boundary is nearer than 1e-8, as rounding can make them */
} pair;

/* Parameters of a law. */
typedef void draw_law(const batch *b, size_t i, random_source *source);

static void draw_cells(const batch *b, random_source *source, draw_law *law) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, "inertia_coupling")[i] = random_between(source, 0, 0.9);
        batch_in(b, "angle")[i] = random_between(source, -pi / 2, pi / 2);
        batch_in(b, "friction")[i] = random_log(source, 0.02, 2);
        batch_in(b, "stiffness_ratio")[i] = random_log(source, 0.05, 10);
        batch_in(b, "velocity_ratio")[i] = random_between(source, -6, 6);
        law(b, i, source);
    }
}

static void elastic(const batch *b, size_t i, random_source *source) {
    (void)source;
    batch_in(b, "restitution")[i] = 1;
}

static void inelastic(const batch *b, size_t i, random_source *source) {
    batch_in(b, "restitution")[i] = random_between(source, 0.1, 1);
}

/* Dashpots of every size, and one direction without. */
static void damped(const batch *b, size_t i, random_source *source) {
    int kind = random_index(source, 4);
    batch_in(b, "normal_damping_ratio")[i] = kind == 0 ? 0 : random_log(source, 0.01, 2);
    batch_in(b, "tangential_damping_ratio")[i] = kind == 1 ? 0 : random_log(source, 0.01, 2);
}

/* The parameter of the other end of a pair, anywhere in the box. */
static double drawn(random_source *source, int parameter) {
    const double low[] = {0.02, -6, -pi / 2, 0.05}, high[] = {2, 6, pi / 2, 10};
    return random_between(source, low[parameter], high[parameter]);
}

static void solve_at(const batch *b, pair *pairs, const double *at, double *sequence) {
    for (size_t i = 0; i < b->n; i++) {
        *pairs[i].value = at[i];
    }
    batch_solve(b);
    memcpy(sequence, batch_out(b, "sequence"), b->n * sizeof *sequence);
}

/* A contact with dashpots ends in stick only where the slip at its end vanishes: there force and
 * pull are 0 together. */
static bool ends_in_stick(double sequence) {
    uint64_t phases = (uint64_t)sequence;
    while (phases >> 2) {
        phases >>= 2;
    }
    return phases == STICK;
}

/* Halves the interval of every pair until its ends are neighbours. Where the slip after a first
 * stick turns its direction, that slip vanishes: in a few doubles the sequence is `stick` alone. */
static void close_in(const batch *b, pair *pairs) {
    static double at[BOUNDARIES], found[BOUNDARIES];
    bool any = true, damps = imp_input(b->solver, "contact_end") >= 0;
    while (any) {
        any = false;
        for (size_t i = 0; i < b->n; i++) {
            at[i] = pairs[i].low + (pairs[i].high - pairs[i].low) / 2;
        }
        solve_at(b, pairs, at, found);
        for (size_t i = 0; i < b->n; i++) {
            pair *p = &pairs[i];
            if (at[i] == p->low || at[i] == p->high) {
                continue;
            }
            any = true;
            bool vanishes = damps && ends_in_stick(found[i]);
            if (found[i] == p->low_sequence || found[i] == STICK || vanishes) {
                p->low = at[i];
            } else {
                p->high = at[i];
                p->high_sequence = found[i];
            }
        }
    }
}

static pair *boundaries_of(const batch *b, random_source *source) {
    static double at[BOUNDARIES], found[BOUNDARIES];
    pair *pairs = calloc(b->n, sizeof *pairs);
    for (size_t i = 0; i < b->n; i++) {
        int parameter = random_index(source, SUITE_COUNT(moved));
        pairs[i].value = &batch_in(b, moved[parameter])[i];
        pairs[i].low = *pairs[i].value;
        at[i] = pairs[i].high = drawn(source, parameter);
    }
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        pairs[i].low_sequence = batch_out(b, "sequence")[i];
    }
    solve_at(b, pairs, at, found);
    for (size_t i = 0; i < b->n; i++) {
        pairs[i].high_sequence = found[i];
    }
    close_in(b, pairs);
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i < b->n; i++) {
            at[i] = end ? pairs[i].high : pairs[i].low;
        }
        solve_at(b, pairs, at, found);
        for (size_t i = 0; i < b->n; i++) {
            if (imp_input(b->solver, "contact_end") >= 0 && ends_in_stick(found[i])) {
                pairs[i].low_sequence = pairs[i].high_sequence; /* several boundaries meet */
            }
        }
    }
    return pairs;
}

/* ---- checks of a cell beside a boundary ---- */

/* Stick and slip alternate. Springs are released together only in a contact that never slipped. */
static bool is_possible(double sequence) {
    uint64_t phases = (uint64_t)sequence;
    int last = 0, n = 0;
    for (; phases; phases >>= 2, n++) {
        int phase = (int)(phases & 3);
        if (n > 0 && (phase == STICK) == (last == STICK)) {
            return false;
        }
        last = phase;
    }
    return n == 1 || n == IMP_SEQUENCE_PHASES || last != STICK;
}

static const char *const continuous[] = {"kinematic_restitution", "velocity_ratio_out",
                                         "normal_impulse", "energy_loss", "duration"};

static void check_beside(const batch *b, const pair *pairs, double off, double sequence_is_low,
                         double reference[][SUITE_COUNT(continuous)]) {
    for (size_t i = 0; i < b->n; i++) {
        const pair *p = &pairs[i];
        if (p->low_sequence == p->high_sequence) {
            continue;
        }
        double sequence = batch_out(b, "sequence")[i];
        double own = sequence_is_low > 0 ? p->low_sequence : p->high_sequence;
        double other = sequence_is_low > 0 ? p->high_sequence : p->low_sequence;
        CHECK(b->outcome[i] == IMP_SOLVED, "off by %g: %s", off, batch_text(b, i));
        CHECK_NEAR(batch_out(b, "residual")[i], 0, 1e-10, "off by %g: %s", off, batch_text(b, i));
        bool vanishes =
            imp_input(b->solver, "contact_end") >= 0 && off < 1e-12 && ends_in_stick(sequence);
        CHECK(vanishes || is_possible(sequence), "%s, off by %g: %s", batch_sequence(b, i), off,
              batch_text(b, i));
        /* Between two sequences rounding may add phases without length. */
        bool repeats = imp_input(b->solver, "contact_end") >= 0 && (p->thin || off < 1e-11);
        CHECK(sequence == own || vanishes || repeats || (sequence == STICK && off < 1e-9) ||
                  (sequence == other && off < 1e-14),
              "a third sequence, %s, off by %g: %s", batch_sequence(b, i), off, batch_text(b, i));
        /* Where a body nearly leaves and is pressed down again, the outputs do jump. */
        bool grazes = batch_out(b, "kinematic_restitution")[i] < 1e-3 || reference[i][0] < 1e-3;
        for (int o = 0; o < SUITE_COUNT(continuous); o++) {
            double value = batch_out(b, continuous[o])[i];
            if (off == 0 && sequence_is_low > 0) {
                reference[i][o] = value;
            }
            double tolerance = grazes ? INFINITY : 1e-9 + 30 * sqrt(off);
            CHECK_NEAR(value, reference[i][o], tolerance * (1 + fabs(reference[i][o])),
                       "%s, off by %g: %s", continuous[o], off, batch_text(b, i));
        }
    }
}

static void check_boundaries(const char *choices, draw_law *law, uint64_t seed) {
    static const double offs[] = {0,     2e-16, 4e-16, 1e-15, 1e-14, 1e-13,
                                  1e-12, 1e-11, 1e-10, 1e-9,  1e-8};
    static double at[BOUNDARIES], found[BOUNDARIES];
    static double reference[BOUNDARIES][SUITE_COUNT(continuous)];
    batch b = batch_open("compliant", choices, BOUNDARIES);
    random_source source = {seed};
    draw_cells(&b, &source, law);
    pair *pairs = boundaries_of(&b, &source);
    int known = 0;
    for (size_t i = 0; i < b.n; i++) {
        known += pairs[i].low_sequence != pairs[i].high_sequence;
    }
    CHECK(known > BOUNDARIES / 5, "%s: %d boundaries", choices, known);
    for (int k = -2; k < 2 * SUITE_COUNT(offs); k++) {
        double off = k < 0 ? 1e-8 : offs[k / 2], sign = k % 2 ? -1 : 1;
        for (size_t i = 0; i < b.n; i++) {
            const pair *p = &pairs[i];
            double end = sign > 0 ? p->low : p->high, away = p->low < p->high ? -sign : sign;
            at[i] = end + away * off * fabs(end);
        }
        solve_at(&b, pairs, at, found);
        for (size_t i = 0; k < 0 && i < b.n; i++) {
            double own = sign > 0 ? pairs[i].low_sequence : pairs[i].high_sequence;
            pairs[i].thin = pairs[i].thin || found[i] != own;
        }
        if (k >= 0) {
            check_beside(&b, pairs, off, sign, reference);
        }
    }
    free(pairs);
    batch_close(&b);
}

static void linear_boundaries(void) {
    check_boundaries("body=general law=linear", elastic, 81);
}

static void bilinear_boundaries(void) {
    check_boundaries("body=general law=linear", inelastic, 82);
}

static void damped_boundaries(void) {
    check_boundaries("body=general law=dashpot", damped, 83);
}

/* ---- beside gross slip ---- */

/* The slip ends just before the spring is released; then the contact sticks for 1e-5 of its
 * duration, and slips back for a billionth of that. */
static void final_slip(void) {
    batch b = batch_open("compliant", "body=general law=linear", 1);
    BATCH_SET(&b, {"inertia_coupling", 0.6785410530905215}, {"friction", 0.15056500722987548},
              {"stiffness_ratio", 0.05490781042750455}, {"velocity_ratio", -2.238196927433149},
              {"angle", 0.11869436069651046});
    batch_solve(&b);
    CHECK(strcmp(batch_sequence(&b, 0), "slip- stick slip+") == 0, "%s", batch_sequence(&b, 0));
    CHECK(batch_has_mode(&b, 0, "slip_stick_slip_reversed"), "%s", batch_mode(&b, 0));
    batch_close(&b);
}

/* ---- where the last slip turns its direction ---- */

/* A long stick ends where the springs are all but released, on either side of this velocity ratio
 * by another face of the cone. Taylor series of the equations of motion in 45 digits place it
 * there. */
static void last_slip(void) {
    const double place = -1.1524418692942;
    batch b = batch_open("compliant", "body=rod law=linear", 1);
    BATCH_SET(&b, {"angle", -0.26941693323248028}, {"friction", 0.54573160064726645},
              {"stiffness_ratio", 0.42024938146003299}, {"restitution", 0.81684495650363576});
    for (double off = 1e-11; off < 1e-5; off *= 10) {
        batch_set(&b, "velocity_ratio", place - off);
        batch_solve(&b);
        CHECK_CELL(&b, 0, strcmp(batch_sequence(&b, 0), "slip- stick slip+") == 0);
        batch_set(&b, "velocity_ratio", place + off);
        batch_solve(&b);
        CHECK_CELL(&b, 0, strcmp(batch_sequence(&b, 0), "slip- stick slip-") == 0);
    }
    batch_close(&b);
}

SUITE("boundaries", final_slip, last_slip, linear_boundaries, bilinear_boundaries,
      damped_boundaries)
