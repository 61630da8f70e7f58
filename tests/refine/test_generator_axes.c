/* Refinements with several rules, and over one, three and four axes. */
#include <math.h>
#include <string.h>

#include "support/labels.h"
#include "support/suite.h"

static double ball_of_four(const double *x) {
    return hypot(hypot(x[0] - 0.47, x[1] - 0.53), hypot(x[2] - 0.41, x[3] - 0.5)) < 0.3;
}

static double stripes(const double *x) {
    return x[0] < 0.313 ? 0 : x[0] < 0.7001 ? 1 : x[0] < 0.7002 ? 2 : 3;
}

/* ---- rules ---- */

/* x is the energy of a map whose cells fail beyond a line and are undefined in a corner. */
static void look_at_values(void *context, size_t n, double *const *x, uint8_t *outcome,
                           double *values) {
    size_t rules = *(size_t *)context;
    for (size_t i = 0; i < n; i++) {
        double u = x[0][i], v = x[1][i];
        outcome[i] = u + v > 1.7 ? IMP_NO_CONVERGENCE : u + v > 1.6 ? IMP_OUTSIDE : IMP_SOLVED;
        bool undefined = u < 0.2 && v < 0.3;
        double row[3] = {u < 0.4 ? 1 : 2, undefined ? NAN : sin(u + v), v < 0.61 ? 0.1 * u : 0.5};
        memcpy(values + i * rules, row, rules * sizeof *row);
    }
}

static double named(const double *x) {
    double row[3];
    uint8_t outcome;
    size_t rules = 3;
    double u = x[0], v = x[1];
    look_at_values(&rules, 1, (double *const[]){&u, &v}, &outcome, row);
    bool undefined = isnan(row[1]);
    return outcome != IMP_SOLVED
               ? -outcome
               : row[0] + 10 * (undefined ? 2 : row[1] >= 0.7) + 100 * (v >= 0.61);
}

static void look_at_named(void *context, size_t n, double *const *x, uint8_t *outcome,
                          double *values) {
    label_look(context, n, x, outcome, values);
}

static void rules(void) {
    imp_refine_plan plan = refine_plan(2, 5, 9, 1.0 / 8192);
    size_t n = 3;
    plan.n_rules = 3;
    plan.rules[1] = (imp_rule){.kind = IMP_RULE_LEVEL, .number = 0.7};
    plan.rules[2] = (imp_rule){.kind = IMP_RULE_JUMP, .number = 0.05};
    imp_refinement *r = refine_run(&plan, look_at_values, &n, NULL, NULL);
    imp_refine_result result;
    imp_refine_result_of(r, &result);
    /* The same map as one category: each of its crossings is on a curve. */
    label_check_curves("several rules", look_at_named, named, r, &result);
    bool failed = false, undefined = false;
    for (uint32_t c = 0; c < imp_refine_classes(r); c++) {
        const imp_refine_class *class = imp_refine_class_at(r, c);
        failed = failed || class->outcome == IMP_NO_CONVERGENCE;
        undefined = undefined || isnan(class->value[1]);
    }
    CHECK(failed && undefined, "failing and undefined cells are classes");
    imp_refine_result_free(&result);
    imp_refine_close(&r);
}

/* ---- one, three and four axes ---- */

static void one_axis(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(1, 6, 14, 1e-9);
    imp_refinement *r = label_run(stripes, &plan, &result);
    static const double where[] = {0.313, 0.7001, 0.7002};
    label_check_uniform("stripes", stripes, r, &result);
    label_check_brackets("stripes", stripes, r, &result);
    CHECK(result.n_crossings == 3, "%lld crossings", (long long)result.n_crossings);
    for (int i = 0; i < 3 && i < result.n_crossings; i++) {
        double low = ldexp(result.crossings[i].low[0], -31);
        CHECK(low <= where[i] && where[i] <= low + 1e-9, "crossing %d at %.10f", i, low);
    }
    label_end(r, &result);
    /* The third class hides between two nodes of a first cell. */
    plan.depth = 6;
    r = label_run(stripes, &plan, &result);
    CHECK(result.n_crossings >= 2, "%lld crossings without depth", (long long)result.n_crossings);
    label_check_brackets("stripes", stripes, r, &result);
    label_end(r, &result);
}

/* Triangles that have been summed: their area, that of triangles whose sides are exchanged, and the
 * largest distance of a vertex from the ball. */
typedef struct surface {
    double area, turned, worst;
} surface;

static void add_triangle(surface *whole, const imp_refine_result *result, const imp_refinement *r,
                         const imp_triangle *t) {
    double p[3][3], u[3], v[3], n[3], centre[3] = {0.47, 0.53, 0.41}, out = 0;
    for (int k = 0; k < 3; k++) {
        const imp_crossing *c = &result->crossings[t->corner[k]];
        for (int a = 0; a < 3; a++) {
            p[k][a] = 0.5 * ((double)c->low[a] + c->high[a]) * ldexp(1, -21);
        }
        double distance =
            hypot(hypot(p[k][0] - centre[0], p[k][1] - centre[1]), p[k][2] - centre[2]);
        whole->worst = fmax(whole->worst, fabs(distance - 0.3));
    }
    for (int a = 0; a < 3; a++) {
        u[a] = p[1][a] - p[0][a];
        v[a] = p[2][a] - p[0][a];
    }
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        n[a] = u[b] * v[c] - u[c] * v[b];
        out += n[a] * (p[0][a] - centre[a]);
    }
    double part = 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    whole->area += part;
    whole->turned += (out > 0) == (imp_refine_class_at(r, t->above)->value[0] == 0) ? 0 : part;
}

static void three_axes(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(3, 4, 6, 1e-3);
    plan.audit = 2000;
    imp_refinement *r = label_run(label_ball, &plan, &result);
    label_check_uniform("ball", label_ball, r, &result);
    label_check_brackets("ball", label_ball, r, &result);
    CHECK(result.audit.wrong == 0 && result.n_junctions == 0, "audit, junctions");
    surface whole = {0};
    for (int64_t i = 0; i < result.n_triangles; i++) {
        add_triangle(&whole, &result, r, &result.triangles[i]);
    }
    double sphere = 4 * acos(-1.0) * 0.09, volume = 4.0 / 3 * acos(-1.0) * 0.027;
    CHECK_NEAR(whole.area, sphere, 0.01 * sphere, "the surface");
    CHECK(whole.turned < 1e-4 * whole.area,
          "triangles with their sides exchanged: %g of the surface",
          whole.turned / whole.area); /* only slivers thinner than the tolerance are turned */
    CHECK(whole.worst <= 1.1 * plan.boundary, "a vertex is %g tolerances off",
          whole.worst / plan.boundary);
    uint32_t inside = imp_refine_class_at(r, 0)->value[0] == 1 ? 0 : 1;
    CHECK_NEAR(result.shares[inside].share, volume, result.shares[inside].bound, "the volume");
    label_end(r, &result);
}

static void four_axes(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(4, 3, 4, 1e-3);
    imp_refinement *r = label_run(ball_of_four, &plan, &result);
    label_check_uniform("ball of four", ball_of_four, r, &result);
    label_check_brackets("ball of four", ball_of_four, r, &result);
    uint32_t inside = imp_refine_class_at(r, 0)->value[0] == 1 ? 0 : 1;
    double volume = 0.5 * acos(-1.0) * acos(-1.0) * 0.0081;
    CHECK_NEAR(result.shares[inside].share, volume, result.shares[inside].bound, "the volume");
    label_end(r, &result);
}

SUITE("refine_axes", rules, one_axis, three_axes, four_axes)
