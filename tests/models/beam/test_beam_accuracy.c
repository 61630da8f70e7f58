/* How exact the beam is: two tolerances, every method, steep places of the restitution, and
 * `uncertainty`, which says by how much a cell may be wrong. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/batch.h"
#include "support/beams.h"
#include "support/random.h"
#include "support/suite.h"

/* ---- tolerances and methods ---- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Median and largest difference of the kinematic restitutions; positions where the number of
 * sub-impacts differs. */
typedef struct spread {
    double median, most;
    size_t other_count;
} spread;

static spread differences(const batch *a, const batch *b) {
    double *d = calloc(a->n, sizeof *d);
    spread s = {0, 0, 0};
    for (size_t i = 0; d && i < a->n; i++) {
        d[i] = fabs(batch_out(a, "kinematic_restitution")[i] -
                    batch_out(b, "kinematic_restitution")[i]);
        s.other_count += batch_out(a, "sub_impacts")[i] != batch_out(b, "sub_impacts")[i];
    }
    if (d) {
        qsort(d, a->n, sizeof *d, compare);
        s.median = d[a->n / 2];
        s.most = d[a->n - 1];
    }
    free(d);
    return s;
}

static void two_tolerances(void) {
    batch a = beams_along("", 100, 0.2, 1), b = beams_along("", 100, 0.2, 1);
    beams_solve(&a, 1e-8);
    beams_solve(&b, 1e-9);
    spread s = differences(&a, &b);
    CHECK(s.median < 1e-7 && s.most < 5e-5, "median %g, most %g", s.median, s.most);
    CHECK(s.other_count <= 1, "%zu other numbers of sub-impacts", s.other_count);
    BATCH_CLOSE(&a, &b);
    a = beams_along("", 10, 0.2, 1);
    b = beams_along("", 10, 0.2, 1);
    batch_set(&a, "internal_damping", 1e6);
    batch_set(&b, "internal_damping", 1e6);
    beams_solve(&a, 1e-8);
    beams_solve(&b, 1e-9);
    s = differences(&a, &b);
    CHECK(s.most < 2e-6, "damped: most %g", s.most);
    BATCH_CLOSE(&a, &b);
}

/* More than the default, which ends after a second: steps of the unreduced system are slow. */
enum { WHOLE_BUDGET = 10000000 };

/* Every method at the default position: explicit ones agree to their tolerance, the unreduced
 * system in 2e-5 steps with all modes to its error of second order. */
static void methods(void) {
    static const struct {
        const char *choices;
        double damping, modes, expected, tolerance;
    } rows[] = {{"solver=modal_rk8", 0, 25, 0.6373934, 1e-7},
                {"solver=modal_rk5", 0, 25, 0.6373934, 1e-7},
                {"solver=modal_arkimex", 0, 25, 0.6373934, 2e-7},
                {"solver=modal_rk8", 1e6, 25, 0.4949698, 1e-7},
                {"solver=modal_rk5", 1e6, 25, 0.4949698, 1e-7},
                {"solver=modal_arkimex", 1e6, 25, 0.4949698, 1e-7},
                {"solver=full", 0, 25, 0.6372137, 1e-4}};
    for (int i = 0; i < SUITE_COUNT(rows); i++) {
        batch b = batch_open("beam", rows[i].choices, 1);
        BATCH_SET(&b, {"internal_damping", rows[i].damping}, {"mode_count", rows[i].modes});
        if (strstr(rows[i].choices, "full")) {
            batch_set(&b, "full_step", 2e-5);
            imp_set_budget(b.solver, WHOLE_BUDGET);
        }
        batch_solve(&b);
        CHECK_NEAR(batch_out(&b, "kinematic_restitution")[0], rows[i].expected, rows[i].tolerance,
                   "%s c_i=%g", rows[i].choices, rows[i].damping);
        batch_close(&b);
    }
}

/* The unreduced system, which is of second order, comes nearer with its step. */
static void unreduced_converges(void) {
    static const char *const boundaries[] = {"boundary=pinned", "boundary=clamped"};
    for (int i = 0; i < SUITE_COUNT(boundaries); i++) {
        char choices[80] = "striker=free ";
        double error[2];
        strcat(choices, boundaries[i]);
        batch modal = batch_open("beam", choices, 1);
        strcat(choices, " solver=full");
        batch whole = batch_open("beam", choices, 2);
        batch both[] = {modal, whole};
        for (int k = 0; k < 2; k++) {
            BATCH_SET(&both[k], {"elements", 20}, {"mode_count", 21}, {"striker_mass", 0.05},
                      {"speed", 1});
        }
        /* 20 elements have about 40 modes, of which the modal solution takes 21; the others are the
         * remaining difference. */
        batch_in(&whole, "full_step")[0] = 2e-4;
        batch_in(&whole, "full_step")[1] = 5e-5;
        imp_set_budget(whole.solver, WHOLE_BUDGET);
        BATCH_SOLVE(&modal, &whole);
        for (int k = 0; k < 2; k++) {
            error[k] = fabs(batch_out(&whole, "impulse_compression")[k] /
                                batch_out(&modal, "impulse_compression")[0] -
                            1);
        }
        CHECK(error[1] < 1e-3, "%s: %g", choices, error[1]);
        CHECK(error[1] <= error[0], "%s: %g after %g", choices, error[1], error[0]);
        BATCH_CLOSE(&modal, &whole);
    }
}

/* ---- delicate positions ---- */

/* Steep places of e(xi), where a sub-impact has only just appeared or vanished: a cell is flagged,
 * or has the same answer at two tolerances. */
static void grazing(void) {
    static const double places[] = {0.848750,       0.852408772435, 0.856799847222, 0.957089049565,
                                    0.967234375228, 0.971582581520, 0.505642839324};
    size_t n = SUITE_COUNT(places);
    batch a = batch_open("beam", "", n), b = batch_open("beam", "", n);
    for (size_t i = 0; i < n; i++) {
        batch_in(&a, "position")[i] = batch_in(&b, "position")[i] = places[i];
    }
    beams_solve(&a, 1e-8);
    beams_solve(&b, 1e-10);
    for (size_t i = 0; i < n; i++) {
        double difference = fabs(batch_out(&a, "kinematic_restitution")[i] -
                                 batch_out(&b, "kinematic_restitution")[i]);
        CHECK(batch_out(&a, "grazing")[i] == 1 || difference <= 1e-5, "%g at %.12g", difference,
              places[i]);
    }
    BATCH_CLOSE(&a, &b);
}

/* Restitutions at tolerances 1e-8 and 1e-10 agree to 1e-5 and to four times the `uncertainty`, or
 * the cell is flagged as grazing. Returns the number of flagged cells. */
static int check_uncertainty(const batch *a, const batch *b) {
    int flagged = 0;
    beams_solve(a, 1e-8);
    beams_solve(b, 1e-10);
    for (size_t i = 0; i < a->n; i++) {
        double difference = fabs(batch_out(a, "kinematic_restitution")[i] -
                                 batch_out(b, "kinematic_restitution")[i]);
        double uncertainty = batch_out(a, "uncertainty")[i];
        bool grazing = batch_out(a, "grazing")[i] == 1;
        CHECK(grazing || difference <= 1e-5, "%g: %s", difference, batch_text(a, i));
        CHECK(grazing || difference <= 4 * uncertainty, "%g, uncertain by %g: %s", difference,
              uncertainty, batch_text(a, i));
        CHECK(grazing || (uncertainty > 0 && uncertainty <= 1e-5), "%g: %s", uncertainty,
              batch_text(a, i));
        CHECK(batch_out(a, "residual")[i] <= 1e-6, "%g: %s", batch_out(a, "residual")[i],
              batch_text(a, i));
        flagged += grazing;
    }
    return flagged;
}

/* Near the tip later sub-impacts amplify errors most. */
static void amplified_errors(void) {
    enum { PLACES = 160 };
    batch a = batch_open("beam", "", PLACES), b = batch_open("beam", "", PLACES);
    for (size_t i = 0; i < a.n; i++) {
        double place = i < PLACES / 2 ? 0.92 + 0.001 * (double)i : 0.2 + 0.009 * (double)(i - 80);
        batch_in(&a, "position")[i] = batch_in(&b, "position")[i] = place;
    }
    int flagged = check_uncertainty(&a, &b);
    CHECK(flagged <= PLACES / 50, "%d flagged", flagged);
    BATCH_CLOSE(&a, &b);
}

/* Draws the same values of a parameter for both. */
static void draw(const batch *a, const batch *b, const char *parameter, double low, double high,
                 random_source *source) {
    for (size_t i = 0; imp_input(a->solver, parameter) >= 0 && i < a->n; i++) {
        batch_in(a, parameter)[i] = batch_in(b, parameter)[i] = random_between(source, low, high);
    }
}

static void random_beams(void) {
    enum { CELLS = 40 };
    static const struct {
        const char *choices;
        double turning; /* rad/s at most */
    } cases[] = {{"boundary=pinned", -10},
                 {"boundary=pinned striker=free", -10},
                 {"boundary=free striker=free", 0},
                 {"boundary=clamped striker=free", 0},
                 {"boundary=pinned_pinned striker=free", 0}};
    random_source source = {81};
    for (int k = 0; k < SUITE_COUNT(cases); k++) {
        batch a = batch_open("beam", cases[k].choices, CELLS);
        batch b = batch_open("beam", cases[k].choices, CELLS);
        draw(&a, &b, "position", 0.15, 0.95, &source);
        draw(&a, &b, "length", 0.3, 1.2, &source);
        draw(&a, &b, "radius", 0.004, 0.02, &source);
        draw(&a, &b, "angular_velocity", cases[k].turning, cases[k].turning / 10, &source);
        draw(&a, &b, "striker_mass", 0.01, 1, &source);
        draw(&a, &b, "speed", 0.2, 3, &source);
        draw(&a, &b, "internal_damping", 0, 2e4, &source);
        for (size_t i = 0; i < CELLS / 2; i++) {
            batch_in(&a, "internal_damping")[i] = batch_in(&b, "internal_damping")[i] = 0;
        }
        check_uncertainty(&a, &b);
        BATCH_CLOSE(&a, &b);
    }
}

SUITE("beam_accuracy", two_tolerances, methods, unreduced_converges, grazing, amplified_errors,
      random_beams)
