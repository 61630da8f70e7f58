/* The generator of a refinement, with functions that compute its points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "grid/grid.h"
#include "support/random.h"
#include "support/refine.h"
#include "support/suite.h"

enum { SEVERAL = 2000 };

/* ---- maps over 0 .. 1 on each axis ---- */

typedef double (*label_at)(const double *x);

static double island(const double *x) {
    return hypot(x[0] - 0.47, x[1] - 0.53) < 0.3;
}

/* A wedge from the left side that ends at .7; its tail is a few of the smallest cells wide, and passes between the nodes of larger ones. */
static double sliver(const double *x) {
    double middle = 0.3 + 0.21 * x[0];
    return x[0] < 0.7 && fabs(x[1] - middle) < fmax(0.25 * pow(0.7 - x[0], 4), 0.0012);
}

/* A third class along the line between two others: each edge across it has two crossings. */
static double between(const double *x) {
    double off = x[1] - 0.4 - 0.1 * x[0];
    return off < -0.002 ? 0 : off > 0.002 ? 2 : 1;
}

static double triple(const double *x) {
    return x[1] > 0.5 + 0.3 * sin(7 * x[0]) ? 1 : x[0] > 0.6181 ? 2 : 0;
}

static double cusp(const double *x) {
    return x[0] > 0.25 && fabs(x[1] - 0.5) < pow(x[0] - 0.25, 1.5);
}

static double on_nodes(const double *x) {
    return x[0] < 0.5 ? 0 : x[1] < 0.25 ? 1 : 2;
}

/* A class that only the nodes on a line have. */
static double line_of_nodes(const double *x) {
    return x[0] == 0.5 ? 2 : x[0] < 0.5;
}

static double dust(const double *x) {
    uint64_t bits[2];
    memcpy(bits, x, sizeof bits);
    random_source source = {bits[0] * 3 + bits[1]};
    return random_index(&source, 2);
}

static double ball(const double *x) {
    return hypot(hypot(x[0] - 0.47, x[1] - 0.53), x[2] - 0.41) < 0.3;
}

static double ball_of_four(const double *x) {
    return hypot(hypot(x[0] - 0.47, x[1] - 0.53), hypot(x[2] - 0.41, x[3] - 0.5)) < 0.3;
}

static double stripes(const double *x) {
    return x[0] < 0.313 ? 0 : x[0] < 0.7001 ? 1 : x[0] < 0.7002 ? 2 : 3;
}

static void look_at_label(void *context, size_t n, double *const *x, uint8_t *outcome,
                          double *values) {
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

static imp_refinement *run(label_at at, const imp_refine_plan *plan, imp_refine_result *result) {
    imp_refinement *r = refine_run(plan, look_at_label, &at, NULL, NULL);
    CHECK(imp_refine_result_of(r, result) == IMP_OK, "%s", imp_last_error());
    return r;
}

static void end(imp_refinement *r, imp_refine_result *result) {
    imp_refine_result_free(result);
    imp_refine_close(&r);
}

/* ---- checks ---- */

/* The result has every mixed cell of a uniform grid, and every node of the flat grid is that of the uniform grid. */
static void check_uniform(const char *name, label_at at, const imp_refinement *r,
                          const imp_refine_result *result) {
    const imp_refine_plan *plan = imp_refine_plan_of(r);
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
        uint32_t class = imp_refine_class_of(r, point[i]);
        wrong += imp_refine_class_at(r, class)->value[0] != label[i];
    }
    CHECK(wrong == 0, "%s: %lld nodes differ from the uniform grid", name, (long long)wrong);
    int64_t mixed = 0;
    for (size_t i = 0; i < nodes; i++) {
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
        mixed += differs;
    }
    CHECK(mixed == result->n_cells, "%s: %lld mixed cells, of which %lld are found", name,
          (long long)mixed, (long long)result->n_cells);
    free(point);
    free(label);
}

/* Crossings of random short lines, where the function has two values, lie on the curves. */
static void check_curves(const char *name, refine_look look, label_at at, const imp_refinement *r,
                         const imp_refine_result *result) {
    const imp_refine_plan *plan = imp_refine_plan_of(r);
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

/* Every bracket is narrow, and its ends have the classes that it names. */
static void check_brackets(const char *name, label_at at, const imp_refinement *r,
                           const imp_refine_result *result) {
    const imp_refine_plan *plan = imp_refine_plan_of(r);
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

/* ---- two axes ---- */

static void maps(void) {
    static const struct {
        const char *name;
        label_at at;
        int lines, junctions;
    } all[] = {{"island", island, 1, 0},
               {"sliver", sliver, 1, 0},
               {"between", between, 2, 0},
               {"triple", triple, 3, 1},
               {"cusp", cusp, 1, 0},
               {"on nodes", on_nodes, 3, 1},
               {"line of nodes", line_of_nodes, 2, 0}};
    for (int i = 0; i < SUITE_COUNT(all); i++) {
        imp_refine_result result;
        imp_refine_plan plan = refine_plan(2, 5, 10, 1.0 / 16384);
        imp_refinement *r = run(all[i].at, &plan, &result);
        CHECK(imp_refine_state_of(r) == IMP_REFINE_DONE, "%s: not done", all[i].name);
        check_uniform(all[i].name, all[i].at, r, &result);
        check_curves(all[i].name, look_at_label, all[i].at, r, &result);
        check_brackets(all[i].name, all[i].at, r, &result);
        CHECK(result.n_junctions == all[i].junctions, "%s: %lld junctions", all[i].name,
              (long long)result.n_junctions);
        CHECK(result.n_boundaries == all[i].lines, "%s: %lld lines", all[i].name,
              (long long)result.n_boundaries);
        end(r, &result);
    }
}

/* The mixed cells of the last level that are found only by halving cells whose corners differ. */
static int64_t plain(label_at at, int level, int depth, double x, double y) {
    double size = ldexp(1, -level), first = at((double[]){x, y});
    bool mixed = false;
    int64_t sum = 0;
    for (int c = 1; c < 4; c++) {
        mixed = mixed || at((double[]){x + (c & 1) * size, y + (c >> 1) * size}) != first;
    }
    for (int c = 0; mixed && level < depth && c < 4; c++) {
        sum += plain(at, level + 1, depth, x + (c & 1) * size / 2, y + (c >> 1) * size / 2);
    }
    return level < depth ? sum : mixed;
}

/* Cells with equal corners hide the tail of the sliver: it would end at the first of them, if the refinement did not
 * look beyond their sides. */
static void flood(void) {
    for (int base = 3; base <= 8; base++) {
        imp_refine_result result;
        imp_refine_plan plan = refine_plan(2, base, 11, 0);
        imp_refinement *r = run(sliver, &plan, &result);
        check_uniform("sliver", sliver, r, &result);
        int64_t few = 0;
        for (int i = 0; i < 1 << 2 * base; i++) {
            few += plain(sliver, base, 11, ldexp(i >> base, -base),
                         ldexp(i & ((1 << base) - 1), -base));
        }
        CHECK(few < result.n_cells, "base 2^%d: nothing is missed by halving alone", base);
        end(r, &result);
    }
}

/* Curves alone: cells stay at the base, shares are those of the areas. */
static void curves_alone(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 6, 1e-5);
    imp_refinement *r = run(island, &plan, &result);
    check_curves("island", look_at_label, island, r, &result);
    const double area = 0.09 * acos(-1.0);
    uint32_t inside = imp_refine_class_at(r, 0)->value[0] == 1 ? 0 : 1;
    const imp_share *share = &result.shares[inside];
    CHECK(result.n_shares == 2, "%u shares", result.n_shares);
    CHECK_NEAR(share->share, area, share->bound, "the share of the island");
    CHECK(share->bound > 0 && share->bound < 1e-4, "its bound is %g", share->bound);
    CHECK_NEAR(result.shares[0].share + result.shares[1].share, 1, 1e-12, "all shares");
    const imp_boundary *line = &result.boundaries[0];
    const uint32_t *path = result.path + line->first;
    CHECK(path[0] == path[line->n - 1], "the island is closed");
    /* The class called left is to the left of each piece. */
    for (int64_t i = 0; i + 1 < line->n; i += 7) {
        const imp_crossing *p = &result.crossings[path[i]], *q = &result.crossings[path[i + 1]];
        double scale = ldexp(1, 31);
        double x = p->low[0] / scale, y = p->low[1] / scale;
        double turn = (q->low[0] / scale - x) * (0.53 - y) - (q->low[1] / scale - y) * (0.47 - x);
        double left = imp_refine_class_at(r, line->left)->value[0];
        CHECK((turn > 0) == (left == 1), "piece %lld: the sides", (long long)i);
    }
    imp_refine_statistics s = imp_refine_statistics_of(r);
    CHECK(s.points < 16000, "%lld points", (long long)s.points);
    end(r, &result);
}

/* A boundary that is wider than the cells whose chords are checked: cells of its size are divided by chords all the same. */
static void coarse_curves(void) {
    static const double boundaries[] = {0.3, 0.05, 0.02};
    for (int i = 0; i < 3; i++) {
        imp_refine_result result;
        imp_refine_plan plan = refine_plan(2, 3, 3, boundaries[i]);
        imp_refinement *r = run(island, &plan, &result);
        CHECK(result.n_boundaries == 1 && result.n_junctions == 0,
              "boundary %g: %lld lines, %lld junctions", boundaries[i],
              (long long)result.n_boundaries, (long long)result.n_junctions);
        check_curves("coarse", look_at_label, island, r, &result);
        end(r, &result);
        plan = refine_plan(3, 3, 3, boundaries[i]);
        r = run(ball, &plan, &result);
        CHECK(result.n_triangles > 50 && result.n_junctions == 0,
              "boundary %g: %lld triangles, %lld junctions", boundaries[i],
              (long long)result.n_triangles, (long long)result.n_junctions);
        end(r, &result);
    }
}

static void junction_of_three(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 6, 1.0 / 65536);
    imp_refinement *r = run(triple, &plan, &result);
    const imp_junction *j = &result.junctions[0];
    const double where[2] = {0.6181, 0.5 + 0.3 * sin(7 * 0.6181)};
    CHECK(result.n_junctions == 1 && j->n_classes == 3, "%lld junctions",
          (long long)result.n_junctions);
    for (int a = 0; a < 2; a++) {
        CHECK(ldexp(j->low[a], -31) <= where[a] && where[a] <= ldexp(j->high[a], -31),
              "the junction on axis %d", a);
        CHECK(j->high[a] - j->low[a] <= 4 * imp_refine_width(&plan), "a wide junction");
    }
    end(r, &result);
}

/* A class on a line of nodes takes no area, and is called thin. */
static void thin_class(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 8, 1e-5);
    imp_refinement *r = run(line_of_nodes, &plan, &result);
    int thin = 0;
    for (uint32_t c = 0; c < result.n_shares; c++) {
        thin += result.shares[c].thin;
        CHECK(result.shares[c].thin == (imp_refine_class_at(r, c)->value[0] == 2), "class %u", c);
        CHECK(!result.shares[c].thin || result.shares[c].share < 4e-5, "a share of %g",
              result.shares[c].share);
    }
    CHECK(thin == 1, "%d thin classes", thin);
    end(r, &result);
}

/* ---- budget, audit ---- */

static void budget(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 12, 1e-5);
    plan.budget = 100000;
    plan.audit = 500;
    imp_refinement *r = run(dust, &plan, &result);
    imp_refine_statistics s = imp_refine_statistics_of(r);
    CHECK(imp_refine_state_of(r) == IMP_REFINE_BUDGET, "the budget is not noticed");
    CHECK(s.points <= plan.budget && s.points > plan.budget / 8, "%lld points",
          (long long)s.points);
    CHECK(s.audit_points == 500 && result.audit.points == 500, "the audit");
    CHECK_NEAR(result.shares[0].share + result.shares[1].share, 1, 1e-9, "all shares");
    end(r, &result);
    /* More of it goes on with the same points. */
    label_at at = dust;
    int64_t fresh;
    imp_refinement *first = refine_run(&plan, look_at_label, &at, NULL, NULL);
    plan.budget = 400000;
    imp_refinement *second = refine_run(&plan, look_at_label, &at, first, &fresh);
    imp_refine_statistics more = imp_refine_statistics_of(second);
    CHECK(fresh == more.points - s.points, "%lld of %lld points are fresh", (long long)fresh,
          (long long)more.points);
    imp_refine_close(&first);
    imp_refine_close(&second);
}

/* The audit finds an island of a 400th of the whole that the base misses. */
static double hidden(const double *x) {
    return hypot(x[0] - 0.78125, x[1] - 0.28125) < 0.028;
}

static void audit(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 4, 10, 1e-4);
    plan.audit = 4000;
    imp_refinement *r = run(hidden, &plan, &result);
    double area = acos(-1.0) * 0.028 * 0.028;
    CHECK(result.n_cells == 0, "the base is meant to miss the island");
    CHECK(result.audit.wrong > 0 && area < result.audit.bound && result.audit.bound < 3 * area,
          "%lld wrong, bound %g", (long long)result.audit.wrong, result.audit.bound);
    end(r, &result);
    plan.base = 6;
    r = run(hidden, &plan, &result);
    CHECK(result.audit.wrong == 0 && result.n_boundaries == 1, "base 2^6 finds it");
    CHECK_NEAR(result.audit.bound, 3.0 / 4000, 1e-5, "the bound of an audit without faults");
    end(r, &result);
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
    look_at_label(context, n, x, outcome, values);
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
    check_curves("several rules", look_at_named, named, r, &result);
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
    imp_refinement *r = run(stripes, &plan, &result);
    static const double where[] = {0.313, 0.7001, 0.7002};
    check_uniform("stripes", stripes, r, &result);
    check_brackets("stripes", stripes, r, &result);
    CHECK(result.n_crossings == 3, "%lld crossings", (long long)result.n_crossings);
    for (int i = 0; i < 3 && i < result.n_crossings; i++) {
        double low = ldexp(result.crossings[i].low[0], -31);
        CHECK(low <= where[i] && where[i] <= low + 1e-9, "crossing %d at %.10f", i, low);
    }
    end(r, &result);
    /* The third class hides between two nodes of a first cell. */
    plan.depth = 6;
    r = run(stripes, &plan, &result);
    CHECK(result.n_crossings >= 2, "%lld crossings without depth", (long long)result.n_crossings);
    check_brackets("stripes", stripes, r, &result);
    end(r, &result);
}

static void three_axes(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(3, 4, 6, 1e-3);
    plan.audit = 2000;
    imp_refinement *r = run(ball, &plan, &result);
    check_uniform("ball", ball, r, &result);
    check_brackets("ball", ball, r, &result);
    CHECK(result.audit.wrong == 0 && result.n_junctions == 0, "audit, junctions");
    double area = 0, turned = 0, scale = ldexp(1, -21), worst = 0;
    for (int64_t i = 0; i < result.n_triangles; i++) {
        const imp_triangle *t = &result.triangles[i];
        double p[3][3], u[3], v[3], n[3], centre[3] = {0.47, 0.53, 0.41}, out = 0;
        for (int k = 0; k < 3; k++) {
            const imp_crossing *c = &result.crossings[t->corner[k]];
            for (int a = 0; a < 3; a++) {
                p[k][a] = 0.5 * ((double)c->low[a] + c->high[a]) * scale;
            }
            worst = fmax(worst,
                         fabs(hypot(hypot(p[k][0] - 0.47, p[k][1] - 0.53), p[k][2] - 0.41) - 0.3));
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
        area += part;
        turned += (out > 0) == (imp_refine_class_at(r, t->above)->value[0] == 0) ? 0 : part;
    }
    double sphere = 4 * acos(-1.0) * 0.09, volume = 4.0 / 3 * acos(-1.0) * 0.027;
    CHECK_NEAR(area, sphere, 0.01 * sphere, "the surface");
    CHECK(turned < 1e-4 * area, "triangles with their sides exchanged: %g of the surface",
          turned / area); /* only slivers thinner than the tolerance are turned */
    CHECK(worst <= 1.1 * plan.boundary, "a vertex is %g tolerances off", worst / plan.boundary);
    uint32_t inside = imp_refine_class_at(r, 0)->value[0] == 1 ? 0 : 1;
    CHECK_NEAR(result.shares[inside].share, volume, result.shares[inside].bound, "the volume");
    end(r, &result);
}

static void four_axes(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(4, 3, 4, 1e-3);
    imp_refinement *r = run(ball_of_four, &plan, &result);
    check_uniform("ball of four", ball_of_four, r, &result);
    check_brackets("ball of four", ball_of_four, r, &result);
    uint32_t inside = imp_refine_class_at(r, 0)->value[0] == 1 ? 0 : 1;
    double volume = 0.5 * acos(-1.0) * acos(-1.0) * 0.0081;
    CHECK_NEAR(result.shares[inside].share, volume, result.shares[inside].bound, "the volume");
    end(r, &result);
}

/* ---- order and replay ---- */

static void same_points(const char *what, const imp_refinement *one, const imp_refinement *other) {
    imp_refine_statistics s = imp_refine_statistics_of(one), t = imp_refine_statistics_of(other);
    int64_t n = s.points + s.audit_points, axes = imp_refine_plan_of(one)->lattice.n_axes;
    bool same = n == t.points + t.audit_points;
    for (int64_t i = 0; same && i < n; i++) {
        same = memcmp(imp_refine_key(one, i), imp_refine_key(other, i),
                      (size_t)axes * sizeof(uint32_t)) == 0 &&
               imp_refine_class_of(one, i) == imp_refine_class_of(other, i);
    }
    CHECK(same, "%s: other points, or in another order", what);
}

/* Answers come one by one, in any order and more than once. */
static void any_order(void) {
    imp_refine_plan plan = refine_plan(2, 5, 9, 1e-4);
    plan.audit = 100;
    label_at at = triple;
    imp_refinement *whole = refine_run(&plan, look_at_label, &at, NULL, NULL), *r;
    imp_refine_round round;
    random_source random = {11};
    imp_refine_open(&plan, &r);
    while (imp_refine_next(r, &round) == IMP_OK && round.n > 0) {
        size_t *order = malloc(round.n * sizeof *order);
        for (size_t i = 0; i < round.n; i++) {
            size_t k = (size_t)random_index(&random, (int)i + 1);
            order[i] = order[k];
            order[k] = i;
        }
        for (size_t i = 0; i < round.n; i++) {
            const uint32_t *key = round.keys + order[i] * 2;
            double x[2] = {imp_lattice_value(&plan.lattice, 0, key[0]),
                           imp_lattice_value(&plan.lattice, 1, key[1])};
            double value = at(x);
            uint8_t outcome = IMP_SOLVED;
            if (i == 0 && round.n > 1) {
                imp_refine_round early;
                CHECK(imp_refine_next(r, &early) == IMP_ERR_INPUT, "next before the round is told");
                imp_refine_tell(r, round.first + (int64_t)order[i], 1, &outcome, &value);
            }
            CHECK(imp_refine_tell(r, round.first + (int64_t)order[i], 1, &outcome, &value) ==
                      IMP_OK,
                  "%s", imp_last_error());
        }
        uint8_t outcome = IMP_SOLVED;
        double value = 0;
        CHECK(imp_refine_tell(r, round.first + (int64_t)round.n, 1, &outcome, &value) ==
                  IMP_ERR_INPUT,
              "a point of no round");
        free(order);
    }
    same_points("any order", whole, r);
    imp_refine_close(&whole);
    imp_refine_close(&r);
}

/* With a deeper depth and a smaller boundary all known points are used again, and the result is that of a run that
 * asked for both at once. */
static void goes_on(void) {
    imp_refine_plan plan = refine_plan(2, 5, 8, 1e-3), deeper = refine_plan(2, 5, 10, 1e-4);
    label_at at = triple;
    int64_t asked, fresh, again;
    imp_refinement *first = refine_run(&plan, look_at_label, &at, NULL, &asked);
    imp_refinement *second = refine_run(&deeper, look_at_label, &at, first, &fresh);
    imp_refinement *once = refine_run(&deeper, look_at_label, &at, NULL, NULL);
    same_points("deeper", second, once);
    imp_refine_statistics s = imp_refine_statistics_of(second);
    CHECK(fresh < s.points && fresh >= s.points - asked, "%lld fresh of %lld", (long long)fresh,
          (long long)s.points);
    imp_refinement *third = refine_run(&deeper, look_at_label, &at, second, &again);
    CHECK(again == 0, "%lld points are asked for that were known", (long long)again);
    imp_refine_plan cells = refine_plan(2, 5, 8, 0), deep_cells = refine_plan(2, 5, 10, 0);
    imp_refinement *flat = refine_run(&cells, look_at_label, &at, NULL, &asked);
    imp_refinement *flatter = refine_run(&deep_cells, look_at_label, &at, flat, &fresh);
    s = imp_refine_statistics_of(flatter);
    CHECK(fresh == s.points - asked, "cells: %lld fresh of %lld, %lld known", (long long)fresh,
          (long long)s.points, (long long)asked);
    for (int i = 0; i < 6; i++) {
        imp_refinement *all[] = {first, second, once, third, flat, flatter};
        imp_refine_close(&all[i]);
    }
}

/* ---- the lattice ---- */

/* Values at nodes are those of the grid with as many points, at every level, and in degrees. */
static void lattice(void) {
    imp_lattice l = {.n_axes = 2,
                     .axis = {{.from = 0.1, .to = 89.9, .degrees = true},
                              {.from = 1e-3, .to = 1.5, .logarithmic = true}}};
    for (int level = 1; level <= 12; level++) {
        int64_t n = (INT64_C(1) << level) + 1;
        double *flat = malloc((size_t)n * sizeof *flat);
        for (int axis = 0; axis < 2; axis++) {
            imp_spaced_values(l.axis[axis].from, l.axis[axis].to, n, l.axis[axis].logarithmic,
                              flat);
            for (int64_t i = 0; i < n; i++) {
                double si =
                    axis ? flat[i] : imp_quantity_si((imp_quantity){flat[i], IMP_UNIT_DEGREE});
                double value = imp_lattice_value(&l, axis, (double)(i << (31 - level)));
                CHECK(value == si, "axis %d, level %d, node %lld", axis, level, (long long)i);
            }
        }
        free(flat);
    }
}

static void keys(void) {
    enum { N = 100000 };
    for (int axes = 1; axes <= 4; axes++) {
        imp_key_set set = imp_key_set_of(axes);
        random_source random = {(uint64_t)axes};
        uint32_t *all = malloc((size_t)N * (size_t)axes * sizeof *all);
        for (int i = 0; i < N * axes; i++) {
            all[i] = (uint32_t)random_index(&random, 1 << 20) << 11;
        }
        for (int i = 0; i < N; i++) {
            uint32_t before = (uint32_t)set.n, number = imp_key_set_add(&set, all + i * axes);
            CHECK(number <= before && imp_key_set_add(&set, all + i * axes) == number, "key %d", i);
        }
        for (int i = 0; i < N; i++) {
            uint32_t number = imp_key_set_find(&set, all + i * axes);
            CHECK(number < set.n && memcmp(set.keys + number * (uint32_t)axes, all + i * axes,
                                           (size_t)axes * sizeof *all) == 0,
                  "key %d is lost", i);
            all[i * axes] |= 1;
            CHECK(imp_key_set_find(&set, all + i * axes) == IMP_KEY_NONE,
                  "a key that is not there");
        }
        imp_key_set_free(&set);
        free(all);
    }
}

int main(void) {
    static const suite_test tests[] = {
        SUITE_TEST(lattice),
        SUITE_TEST(keys),
        SUITE_TEST(maps),
        SUITE_TEST(flood),
        SUITE_TEST(curves_alone),
        SUITE_TEST(coarse_curves),
        SUITE_TEST(junction_of_three),
        SUITE_TEST(thin_class),
        SUITE_TEST(budget),
        SUITE_TEST(audit),
        SUITE_TEST(rules),
        SUITE_TEST(one_axis),
        SUITE_TEST(three_axes),
        SUITE_TEST(four_axes),
        SUITE_TEST(any_order),
        SUITE_TEST(goes_on),
    };
    return suite_run("refine", tests, SUITE_COUNT(tests));
}
