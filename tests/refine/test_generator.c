/* The generator of a refinement over two axes, with functions that compute its points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/labels.h"
#include "support/random.h"
#include "support/suite.h"

static double island(const double *x) {
    return hypot(x[0] - 0.47, x[1] - 0.53) < 0.3;
}

/* A wedge from the left side that ends at .7; its tail is a few of the smallest cells wide, and
 * passes between the nodes of larger ones. */
static double sliver(const double *x) {
    double middle = 0.3 + 0.21 * x[0];
    return x[0] < 0.7 && fabs(x[1] - middle) < fmax(0.25 * pow(0.7 - x[0], 4), 0.0012);
}

/* A third class along the line between two others: each edge across it has two crossings. */
static double between(const double *x) {
    double off = x[1] - 0.4 - 0.1 * x[0];
    return off < -0.002 ? 0 : off > 0.002 ? 2 : 1;
}

/* The same along a curve, narrower and narrower; and as it leaves through the corner of cells. */
static double bow(const double *x) {
    double off = x[1] - 0.3 - 0.2 * sin(3 * x[0]), half = 0.008 - 0.005 * x[0];
    return off < -half ? 0 : off > half ? 2 : 1;
}

static double diagonal(const double *x) {
    double off = x[1] - x[0] + 0.0007;
    return off < -0.006 ? 0 : off > 0.006 ? 2 : 1;
}

/* Two strips side by side, and one with the same class on both sides. */
static double pair(const double *x) {
    double off = x[1] - 0.3 - 0.2 * x[0];
    return off < -0.006 ? 0 : off < 0 ? 1 : off < 0.004 ? 2 : 3;
}

static double ribbon(const double *x) {
    return fabs(x[1] - 0.37 - 0.3 * x[0]) < 0.008;
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

/* ---- tests ---- */

static void maps(void) {
    static const struct {
        const char *name;
        label_at at;
        int lines, junctions;
    } all[] = {{"island", island, 1, 0},
               {"sliver", sliver, 1, 0},
               {"between", between, 2, 0},
               {"triple", label_triple, 3, 1},
               {"cusp", cusp, 1, 0},
               {"on nodes", on_nodes, 3, 1},
               {"line of nodes", line_of_nodes, 2, 0}};
    for (int i = 0; i < SUITE_COUNT(all); i++) {
        imp_refine_result result;
        imp_refine_plan plan = refine_plan(2, 5, 10, 1.0 / 16384);
        imp_refinement *r = label_run(all[i].at, &plan, &result);
        CHECK(imp_refine_state_of(r) == IMP_REFINE_DONE, "%s: not done", all[i].name);
        label_check_uniform(all[i].name, all[i].at, r, &result);
        label_check_curves(all[i].name, label_look, all[i].at, r, &result);
        label_check_brackets(all[i].name, all[i].at, r, &result);
        CHECK(result.n_junctions == all[i].junctions, "%s: %lld junctions", all[i].name,
              (long long)result.n_junctions);
        CHECK(result.n_boundaries == all[i].lines, "%s: %lld lines", all[i].name,
              (long long)result.n_boundaries);
        label_end(r, &result);
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

/* Cells with equal corners hide the tail of the sliver: it would end at the first of them, if the
 * refinement did not look beyond their sides. */
static void flood(void) {
    for (int base = 3; base <= 8; base++) {
        imp_refine_result result;
        imp_refine_plan plan = refine_plan(2, base, 11, 0);
        imp_refinement *r = label_run(sliver, &plan, &result);
        label_check_uniform("sliver", sliver, r, &result);
        int64_t few = 0;
        for (int i = 0; i < 1 << 2 * base; i++) {
            few += plain(sliver, base, 11, ldexp(i >> base, -base),
                         ldexp(i & ((1 << base) - 1), -base));
        }
        CHECK(few < result.n_cells, "base 2^%d: nothing is missed by halving alone", base);
        label_end(r, &result);
    }
}

/* Curves alone: cells stay at the base, shares are those of the areas. */
static void curves_alone(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 6, 1e-5);
    imp_refinement *r = label_run(island, &plan, &result);
    label_check_curves("island", label_look, island, r, &result);
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
    label_end(r, &result);
}

/* A boundary that is wider than the cells whose chords are checked: cells of its size are divided
 * by chords all the same. */
static void coarse_curves(void) {
    static const double boundaries[] = {0.3, 0.05, 0.02};
    for (int i = 0; i < 3; i++) {
        imp_refine_result result;
        imp_refine_plan plan = refine_plan(2, 3, 3, boundaries[i]);
        imp_refinement *r = label_run(island, &plan, &result);
        CHECK(result.n_boundaries == 1 && result.n_junctions == 0,
              "boundary %g: %lld lines, %lld junctions", boundaries[i],
              (long long)result.n_boundaries, (long long)result.n_junctions);
        label_check_curves("coarse", label_look, island, r, &result);
        label_end(r, &result);
        plan = refine_plan(3, 3, 3, boundaries[i]);
        r = label_run(label_ball, &plan, &result);
        CHECK(result.n_triangles > 50 && result.n_junctions == 0,
              "boundary %g: %lld triangles, %lld junctions", boundaries[i],
              (long long)result.n_triangles, (long long)result.n_junctions);
        label_end(r, &result);
    }
}

/* With bands cells are larger than the strip is wide, and both of its sides are as close. Between
 * regions of one class only cells that see it in the middle of an edge are. */
static void bands(void) {
    static const struct {
        const char *name;
        label_at at;
        double stretch; /* length over width, */
        int several;    /* and where it is counted */
        int lines;
        double within; /* what is found of the stretch */
        double times;  /* so many times fewer points */
    } all[] = {{"between", between, 252, 0, 2, 0.08, 3},
               {"bow", bow, 115, 0, 2, 0.08, 3},
               {"diagonal", diagonal, 167, 0, 2, 0.08, 3},
               {"pair", pair, 433, 1, 3, 0.08, 3},
               {"ribbon", ribbon, 68, 1, 2, 0.33, 1.5}};
    for (int i = 0; i < SUITE_COUNT(all); i++) {
        int64_t points[2];
        for (int with = 0; with < 2; with++) {
            imp_refine_result result;
            imp_refine_plan plan = refine_plan(2, 4, 4, 1.0 / 512);
            plan.first = 4;
            plan.bands = with;
            imp_refinement *r = label_run(all[i].at, &plan, &result);
            points[with] = imp_refine_statistics_of(r).points;
            label_check_curves(all[i].name, label_look, all[i].at, r, &result);
            label_check_brackets(all[i].name, all[i].at, r, &result);
            CHECK(result.n_boundaries == all[i].lines && result.n_junctions == 0,
                  "%s: %lld lines, %lld junctions", all[i].name, (long long)result.n_boundaries,
                  (long long)result.n_junctions);
            CHECK_NEAR(result.stretch[all[i].several], with * all[i].stretch,
                       all[i].within * all[i].stretch, "its stretch");
            label_end(r, &result);
        }
        CHECK(all[i].times * (double)points[1] < (double)points[0],
              "%s: %lld points, %lld without bands", all[i].name, (long long)points[1],
              (long long)points[0]);
    }
}

static void junction_of_three(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 6, 1.0 / 65536);
    imp_refinement *r = label_run(label_triple, &plan, &result);
    const imp_junction *j = &result.junctions[0];
    const double where[2] = {0.6181, 0.5 + 0.3 * sin(7 * 0.6181)};
    CHECK(result.n_junctions == 1 && j->n_classes == 3, "%lld junctions",
          (long long)result.n_junctions);
    for (int a = 0; a < 2; a++) {
        CHECK(ldexp(j->low[a], -31) <= where[a] && where[a] <= ldexp(j->high[a], -31),
              "the junction on axis %d", a);
        CHECK(j->high[a] - j->low[a] <= 4 * imp_refine_width(&plan), "a wide junction");
    }
    label_end(r, &result);
}

/* A class on a line of nodes takes no area, and is called thin. */
static void thin_class(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 8, 1e-5);
    imp_refinement *r = label_run(line_of_nodes, &plan, &result);
    int thin = 0;
    for (uint32_t c = 0; c < result.n_shares; c++) {
        thin += result.shares[c].thin;
        CHECK(result.shares[c].thin == (imp_refine_class_at(r, c)->value[0] == 2), "class %u", c);
        CHECK(!result.shares[c].thin || result.shares[c].share < 4e-5, "a share of %g",
              result.shares[c].share);
    }
    CHECK(thin == 1, "%d thin classes", thin);
    label_end(r, &result);
}

/* ---- budget, audit ---- */

static void budget(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 12, 1e-5);
    plan.budget = 100000;
    plan.audit = 500;
    imp_refinement *r = label_run(dust, &plan, &result);
    imp_refine_statistics s = imp_refine_statistics_of(r);
    CHECK(imp_refine_state_of(r) == IMP_REFINE_BUDGET, "the budget is not noticed");
    CHECK(s.points <= plan.budget && s.points > plan.budget / 8, "%lld points",
          (long long)s.points);
    CHECK(s.audit_points == 500 && result.audit.points == 500, "the audit");
    CHECK_NEAR(result.shares[0].share + result.shares[1].share, 1, 1e-9, "all shares");
    label_end(r, &result);
    /* More of it goes on with the same points. */
    label_at at = dust;
    int64_t fresh;
    imp_refinement *first = refine_run(&plan, label_look, &at, NULL, NULL);
    plan.budget = 400000;
    imp_refinement *second = refine_run(&plan, label_look, &at, first, &fresh);
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
    imp_refinement *r = label_run(hidden, &plan, &result);
    double area = acos(-1.0) * 0.028 * 0.028;
    CHECK(result.n_cells == 0, "the base is meant to miss the island");
    CHECK(result.audit.wrong > 0 && area < result.audit.bound && result.audit.bound < 3 * area,
          "%lld wrong, bound %g", (long long)result.audit.wrong, result.audit.bound);
    label_end(r, &result);
    plan.base = 6;
    r = label_run(hidden, &plan, &result);
    CHECK(result.audit.wrong == 0 && result.n_boundaries == 1, "base 2^6 finds it");
    CHECK_NEAR(result.audit.bound, 3.0 / 4000, 1e-5, "the bound of an audit without faults");
    label_end(r, &result);
}

SUITE("refine", maps, flood, curves_alone, coarse_curves, bands, junction_of_three, thin_class,
      budget, audit)
