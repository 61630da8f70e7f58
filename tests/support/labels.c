#include "support/labels.h"

#include <math.h>
#include <stdlib.h>

#include "refine/generator_impl.h"
#include "support/random.h"
#include "support/suite.h"

enum { SEVERAL = 2000 };

double label_ball(const double *x) {
    return hypot(hypot(x[0] - 0.47, x[1] - 0.53), x[2] - 0.41) < 0.3;
}

double label_triple(const double *x) {
    return x[1] > 0.5 + 0.3 * sin(7 * x[0]) ? 1 : x[0] > 0.6181 ? 2 : 0;
}

void label_look(void *context, size_t n, double *const *x, uint8_t *outcome, double *values) {
    label_at at = *(label_at *)context;
    for (size_t i = 0; i < n; i++) {
        double place[IMP_REFINE_AXES] = {0};
        for (int a = 0; a < IMP_REFINE_AXES && x[a]; a++) {
            place[a] = x[a][i];
        }
        outcome[i] = IMP_SOLVED;
        values[i] = at(place);
    }
}

imp_refinement *label_run(label_at at, const imp_refine_plan *plan, imp_refine_result *result) {
    imp_refinement *r = refine_run(plan, label_look, &at, NULL, NULL);
    CHECK(imp_refine_result_of(r, result) == IMP_OK, "%s", imp_last_error());
    return r;
}

void label_end(imp_refinement *r, imp_refine_result *result) {
    imp_refine_result_free(result);
    imp_refine_close(&r);
}

/* Whether a cell of a uniform grid begins at node i, and has corners with different labels. */
static bool is_mixed(const double *label, size_t side, int axes, size_t i) {
    bool cell = true, differs = false;
    size_t rest = i;
    for (int a = 0; a < axes; a++) {
        cell = cell && rest % side + 1 < side;
        rest /= side;
    }
    for (int c = 1; cell && c < 1 << axes; c++) {
        size_t other = i, stride = 1;
        for (int a = 0; a < axes; a++, stride *= side) {
            other += c >> a & 1 ? stride : 0;
        }
        differs = differs || label[other] != label[i];
    }
    return differs;
}

void label_check_uniform(const char *name, label_at at, const imp_refinement *r,
                         const imp_refine_result *result) {
    const imp_refine_plan *plan = &r->plan;
    int axes = plan->lattice.n_axes, shift = imp_lattice_bits(axes) - plan->depth;
    size_t side = ((size_t)1 << plan->depth) + 1, nodes = 1;
    for (int a = 0; a < axes; a++) {
        nodes *= side;
    }
    double *label = malloc(nodes * sizeof *label);
    uint32_t *point = malloc(nodes * sizeof *point);
    int64_t wrong = 0;
    CHECK(imp_refine_flatten(r, plan->depth, point) == IMP_OK, "%s: flat", name);
    for (size_t i = 0; i < nodes; i++) {
        double x[IMP_REFINE_AXES];
        size_t rest = i;
        for (int a = axes - 1; a >= 0; a--) {
            x[a] = imp_lattice_value(&plan->lattice, a, (double)(rest % side << shift));
            rest /= side;
        }
        label[i] = at(x);
        uint32_t class = r->class_of[point[i]];
        wrong += imp_refine_class_at(r, class)->value[0] != label[i];
    }
    CHECK(wrong == 0, "%s: %lld nodes differ from the uniform grid", name, (long long)wrong);
    int64_t mixed = 0;
    for (size_t i = 0; i < nodes; i++) {
        mixed += is_mixed(label, side, axes, i);
    }
    CHECK(mixed == result->n_cells, "%s: %lld mixed cells, of which %lld are found", name,
          (long long)mixed, (long long)result->n_cells);
    free(point);
    free(label);
}

void label_check_curves(const char *name, refine_look look, label_at at, const imp_refinement *r,
                        const imp_refine_result *result) {
    const imp_refine_plan *plan = &r->plan;
    refine_probe probe = {plan, look, &at};
    random_source random = {7};
    double scale = ldexp(1, imp_lattice_bits(2)), worst = 0;
    for (int n = 0; n < SEVERAL;) {
        double from[2], to[2], values[2], place[2];
        for (int a = 0; a < 2; a++) {
            from[a] = random_between(&random, 0, scale);
            to[a] = fmin(fmax(from[a] + random_between(&random, -0.002, 0.002) * scale, 0), scale);
        }
        refine_values(&probe, 1, from, &values[0]);
        refine_values(&probe, 1, to, &values[1]);
        if (values[0] != values[1]) {
            refine_bisect(&probe, from, to, place);
            worst = fmax(worst, refine_distance(result, place) / (plan->boundary * scale));
            n++;
        }
    }
    CHECK(worst <= 1.1, "%s: a crossing is %g tolerances from the curves", name, worst);
}

void label_check_brackets(const char *name, label_at at, const imp_refinement *r,
                          const imp_refine_result *result) {
    const imp_refine_plan *plan = &r->plan;
    int axes = plan->lattice.n_axes;
    uint32_t width = imp_refine_width(plan);
    for (int64_t i = 0; i < result->n_crossings; i++) {
        const imp_crossing *c = &result->crossings[i];
        double low[IMP_REFINE_AXES] = {0}, high[IMP_REFINE_AXES] = {0};
        int along = 0;
        for (int a = 0; a < axes; a++) {
            low[a] = imp_lattice_value(&plan->lattice, a, c->low[a]);
            high[a] = imp_lattice_value(&plan->lattice, a, c->high[a]);
            along += c->low[a] != c->high[a];
        }
        bool edge = along == 1;
        for (int a = 0; a < axes; a++) {
            CHECK(!edge || c->high[a] - c->low[a] <= width, "%s: a wide bracket", name);
        }
        CHECK(imp_refine_class_at(r, c->class_low)->value[0] == at(low) &&
                  imp_refine_class_at(r, c->class_high)->value[0] == at(high) &&
                  c->class_low != c->class_high,
              "%s: bracket %lld", name, (long long)i);
    }
    CHECK(result->n_crossings > 0, "%s: no bracket", name);
}
