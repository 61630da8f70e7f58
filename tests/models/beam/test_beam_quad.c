/* The modes, and collisions, against modes in quad precision: sub-impacts must not amplify rounding
 * in the eigenproblem to an error of the restitution that exceeds `uncertainty`. */
#include <math.h>

#include "models/beam/petsc/collision.h"
#include "models/beam/problem.h"
#include "models/petsc.h"
#include "support/batch.h"
#include "support/quad.h"
#include "support/random.h"
#include "support/suite.h"

/* Number of beams; test_beam_quad_long.c has more. */
#ifndef BEAMS
#define BEAMS 20
#endif

enum { MOST_MODES = 25, MOST_FREEDOMS = 514 };

static imp_beam_mode_cache *cache;
static imp_beam_problem problem;
static imp_beam_workspace work;

/* The modes of one mesh in both precisions. */
typedef struct both {
    const imp_beam_modes *modes;
    quad_beam beam;
    int first, n; /* the flexible ones among all modes */
    quad lambda[MOST_MODES], shape[MOST_MODES * MOST_FREEDOMS];
} both;

static both of;

static bool compute(imp_beam_boundary boundary, int elements, double pin, int count) {
    imp_beam_mesh mesh = {boundary, elements, pin};
    imp_outcome outcome;
    bool made = !imp_beam_mode_cache_find(cache, &mesh, count, &of.modes, &outcome) && of.modes;
    CHECK(made, "no modes of boundary %d, %d elements, pin %g", (int)boundary, elements, pin);
    if (!made) {
        return false;
    }
    of.beam.elements = elements;
    of.first = of.modes->rigid;
    of.n = count - of.first;
    for (int f = 0; f < 2 * elements + 2; f++) {
        of.beam.node[f / 2] = of.modes->node[f / 2];
        of.beam.held[f] = true;
    }
    for (int i = 0; i < of.modes->n; i++) {
        of.beam.held[of.modes->free[i]] = false;
    }
    double residual = (double)quad_modes(&of.beam, of.first, of.n, of.lambda, of.shape);
    CHECK(residual < 1e-25, "residual %g", residual);
    return true;
}

static double quad_at(int j, double position) {
    return (double)quad_value(&of.beam, of.shape + j * (2 * of.beam.elements + 2), position);
}

/* ---- modes ---- */

static const struct {
    imp_beam_boundary boundary;
    int elements;
    double pin;
} meshes[] = {{IMP_BEAM_CLAMPED, 80, 0},        {IMP_BEAM_CLAMPED, 256, 0},
              {IMP_BEAM_FREE, 80, 0},           {IMP_BEAM_PINNED, 80, 0.0375},
              {IMP_BEAM_PINNED, 40, 0},         {IMP_BEAM_PINNED, 80, 0.00013},
              {IMP_BEAM_PINNED, 33, 0.4142135}, {IMP_BEAM_PINNED_PINNED, 80, 0}};

static void modes_to_the_last_digit(void) {
    static double value[IMP_BEAM_MOST_FREEDOMS];
    for (int i = 0; i < SUITE_COUNT(meshes); i++) {
        double square = 0, shape = 0;
        if (!compute(meshes[i].boundary, meshes[i].elements, meshes[i].pin, 16)) {
            continue;
        }
        for (int x = 0; x <= 40; x++) {
            imp_beam_modes_at(of.modes, x / 40.0, value);
            for (int j = 0; j < of.n; j++) {
                /* A mode may point either way; at the free end it is never 0. */
                double a = value[of.first + j], b = quad_at(j, x / 40.0);
                shape = fmax(shape, fmin(fabs(a - b), fabs(a + b)));
            }
        }
        for (int j = 0; j < of.n; j++) {
            double lambda = of.modes->lambda[of.first + j];
            square = fmax(square, fabs((double)((quad)lambda / of.lambda[j] - 1)));
        }
        CHECK_NEAR(square, 0, 2.3e-16, "squares of frequencies, mesh %d", i);
        CHECK_NEAR(shape, 0, 1e-13, "shapes, mesh %d", i);
    }
}

/* ---- collisions ---- */

/* Replaces the modes of the problem by those in quad precision. */
static void replace_modes(double position) {
    for (int j = 0; j < of.n; j++) {
        int to = of.first + j;
        problem.lambda[to] = (double)of.lambda[j];
        problem.omega[to] = sqrt(problem.lambda[to]);
        problem.damping[to] = problem.external + problem.internal * problem.lambda[to];
        problem.shape[to] = quad_at(j, position);
    }
}

/* Restitution with the modes in quad precision, to a tolerance of 1e-12. */
static double reference(const imp_beam_case *c, double *uncertainty) {
    const imp_beam_modes *modes;
    imp_beam_units units;
    imp_beam_result result = {.outcome = IMP_PENDING};
    CHECK(!imp_beam_problem_make(c, cache, false, &problem, &units, &modes, &result.outcome), "%s",
          imp_last_error());
    replace_modes(c->position);
    PetscErrorCode error =
        imp_beam_collide(&work, &problem, IMP_BEAM_MODAL, 1e-12, 1000000, NULL, &result);
    CHECK(!error && result.outcome == IMP_SOLVED, "reference: %s",
          imp_outcome_name(result.outcome));
    *uncertainty = result.uncertainty;
    return -result.velocity_out / result.velocity_in;
}

/* The case of a cell; these cells differ from the defaults in no other parameter. */
static imp_beam_case case_of(const batch *b, size_t i, imp_beam_boundary boundary) {
    imp_beam_case c = {
        .boundary = boundary,
        .position = batch_in(b, "position")[i],
        .length = batch_in(b, "length")[i],
        .radius = batch_in(b, "radius")[i],
        .striker_radius = batch_in(b, "striker_radius")[i],
        .modulus = batch_in(b, "modulus")[i],
        .striker_modulus = batch_in(b, "striker_modulus")[i],
        .poisson_ratio = batch_in(b, "poisson_ratio")[i],
        .striker_poisson_ratio = batch_in(b, "striker_poisson_ratio")[i],
        .second_moment = batch_in(b, "second_moment")[i],
        .mass_per_length = batch_in(b, "mass_per_length")[i],
        .striker_mass = INFINITY,
        .elements = batch_in(b, "elements")[i],
        .mode_count = batch_in(b, "mode_count")[i],
        .tolerance = batch_in(b, "tolerance")[i],
    };
    if (boundary == IMP_BEAM_PINNED) {
        c.pin = batch_in(b, "pin_position")[i];
    }
    if (boundary == IMP_BEAM_PINNED || boundary == IMP_BEAM_FREE) {
        c.angular_velocity = batch_in(b, "angular_velocity")[i];
    }
    if (imp_input(b->solver, "striker_mass") >= 0) {
        c.striker_mass = batch_in(b, "striker_mass")[i];
        c.striker_speed = batch_in(b, "speed")[i];
    }
    return c;
}

/* Every solved cell is flagged, or off by at most twice its uncertainty. The modes are those of
 * `of`. */
static void compare(const batch *b, imp_beam_boundary boundary) {
    int flagged = 0;
    batch_solve(b);
    for (size_t i = 0; i < b->n; i++) {
        imp_beam_case c = case_of(b, i, boundary);
        if (b->outcome[i] != IMP_SOLVED) {
            CHECK_CELL(b, i, b->outcome[i] == IMP_BUDGET);
            continue;
        }
        double of_reference, right = reference(&c, &of_reference);
        double off = fabs(batch_out(b, "kinematic_restitution")[i] - right);
        double uncertainty = batch_out(b, "uncertainty")[i];
        bool grazing = batch_out(b, "grazing")[i] == 1;
        flagged += grazing;
        CHECK(grazing || off <= 2 * uncertainty, "off by %g, uncertain by %g (reference: %g): %s",
              off, uncertainty, of_reference, batch_text(b, i));
    }
    CHECK(flagged <= 1 + (int)b->n / 10, "%d of %d flagged", flagged, (int)b->n);
}

static void draw(const batch *b, const char *parameter, double low, double high,
                 random_source *source) {
    for (size_t i = 0; i < b->n; i++) {
        batch_in(b, parameter)[i] = random_log(source, low, high);
    }
}

static void struck_beams(void) {
    static const struct {
        const char *choices;
        imp_beam_boundary boundary;
    } cases[] = {{"boundary=clamped striker=free", IMP_BEAM_CLAMPED},
                 {"boundary=pinned_pinned striker=free", IMP_BEAM_PINNED_PINNED},
                 {"boundary=free striker=free", IMP_BEAM_FREE}};
    random_source source = {14};
    for (int k = 0; k < SUITE_COUNT(cases); k++) {
        batch b = batch_open("beam", cases[k].choices, k == 0 ? BEAMS : BEAMS / 2);
        compute(cases[k].boundary, 80, 0, MOST_MODES);
        draw(&b, "position", 0.2, 0.95, &source);
        draw(&b, "striker_mass", 0.01, 1, &source);
        draw(&b, "speed", 0.02, 5, &source);
        if (k == 0) {
            batch_in(&b, "position")[0] = 0.8066446896030548;
            batch_in(&b, "striker_mass")[0] = 0.16630466330386046;
            batch_in(&b, "speed")[0] = 0.06257002010950638;
        }
        if (k == 2) {
            batch_set(&b, "angular_velocity", 0);
        }
        compare(&b, cases[k].boundary);
        if (k == 0) {
            /* The same finite elements in an independent program with quad eigenpairs. */
            CHECK_NEAR(batch_out(&b, "kinematic_restitution")[0], 0.82521, 2e-5, "clamped");
        }
        batch_close(&b);
    }
}

/* About a pin, slow and fast. */
static void turning_beams(void) {
    static const double pins[] = {0.01905, 0.0889, 0};
    random_source source = {41};
    for (int k = 0; k < SUITE_COUNT(pins); k++) {
        batch b = batch_open("beam", "", BEAMS / 2);
        compute(IMP_BEAM_PINNED, 80, pins[k] / 0.508, MOST_MODES);
        batch_set(&b, "pin_position", pins[k]);
        draw(&b, "position", 0.25, 0.99, &source);
        for (size_t i = 0; i < b.n; i++) {
            batch_in(&b, "angular_velocity")[i] =
                i % 2 == 0 ? -5000 : -random_log(&source, 0.5, 1e4);
        }
        compare(&b, IMP_BEAM_PINNED);
        batch_close(&b);
    }
}

/* `uncertainty` includes the errors of the modes: with squares of frequencies that are wrong by
 * 1e-8 either way, no restitution is off by more, and the bound is not far above the largest
 * error. */
static void wrong_modes(void) {
    const double wrong = 1e-8;
    random_source source = {8};
    double closest = INFINITY;
    batch b = batch_open("beam", "boundary=clamped striker=free", BEAMS);
    compute(IMP_BEAM_CLAMPED, 80, 0, MOST_MODES);
    draw(&b, "position", 0.2, 0.95, &source);
    draw(&b, "striker_mass", 0.01, 1, &source);
    draw(&b, "speed", 0.02, 5, &source);
    for (size_t i = 0; i < b.n; i++) {
        imp_beam_case c = case_of(&b, i, IMP_BEAM_CLAMPED);
        double uncertainty, right = reference(&c, &uncertainty);
        imp_beam_result result;
        problem.mode_error = wrong;
        for (int j = 0; j < of.n; j++) {
            problem.lambda[j] *= random_bits(&source) % 2 == 0 ? 1 + wrong : 1 - wrong;
            problem.omega[j] = sqrt(problem.lambda[j]);
        }
        CHECK_CELL(
            &b, i,
            !imp_beam_collide(&work, &problem, IMP_BEAM_MODAL, 1e-12, 1000000, NULL, &result));
        double off = fabs(-result.velocity_out / result.velocity_in - right);
        CHECK(off <= result.uncertainty || result.uncertainty > 1e-3, "%g of %g: %s", off,
              result.uncertainty, batch_text(&b, i));
        closest = fmin(closest, result.uncertainty / off);
    }
    CHECK(closest < 100, "the bound is at least %g times too wide", closest);
    batch_close(&b);
}

static void begin(void) {
    cache = imp_beam_mode_cache_create();
    CHECK(cache && !imp_petsc_start(), "a cache, and PETSc");
}

static void end(void) {
    imp_beam_mode_cache_destroy(&cache);
    imp_beam_kicks_free(&work.kicks);
    CHECK(!cache, "the cache");
}

SUITE("beam, quad precision", begin, modes_to_the_last_digit, struck_beams, turning_beams,
      wrong_modes, end)
