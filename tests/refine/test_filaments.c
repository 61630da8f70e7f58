/* Strips that are narrower than the smallest cells are followed, and all nodes of the flat grid are
 * those of the uniform map. */
#include <math.h>

#include "refine/generator_impl.h"
#include "support/labels.h"
#include "support/random_maps.h"
#include "support/suite.h"

enum { BASE = 6, DEPTH = 10 };

#define LOOK(one, other) .axis = {one, other}, .n_axes = 2, .output = {"mode"}, .n_outputs = 1

/* Three of 53 random maps that once lacked 27, 22 and one node of tails. */
static random_map maps[] = {
    {.theory = "compliant",
     .choices = "body=general law=linear",
     .look = {LOOK("angle", "friction"),
              .fixed = {"inertia_coupling", "stiffness_ratio", "restitution", "velocity_ratio"},
              .value = {0.9053322456013643, 2.293979564407266, 0.6958175859351557,
                        2.867747672389436},
              .n_fixed = 4},
     .from = {-1.5, 0.11223370762315743},
     .to = {1.5, 1.9529851090739818}},
    {.theory = "compliant",
     .choices = "body=capsule law=linear",
     .look = {LOOK("velocity_ratio", "angle"),
              .fixed = {"slenderness", "stiffness_ratio", "friction"},
              .value = {9.168636345133214, 2.3345716692946095, 0.9156446686845212}, .n_fixed = 3},
     .from = {-4, -1.5},
     .to = {4, 1.5}},
    {.theory = "compliant",
     .choices = "body=rod law=linear",
     .look = {LOOK("angle", "velocity_ratio"), .fixed = {"stiffness_ratio", "friction"},
              .value = {1.0085632109140847, 0.7204923674274527}, .n_fixed = 2},
     .from = {-1.5, -2.9514105879721333},
     .to = {1.5, 3.280136450524452}},
};

static void tails(void) {
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        int places[1][2];
        random_map_open(&maps[i]);
        imp_refine_plan plan = random_map_plan(&maps[i], BASE, DEPTH);
        imp_refinement *r = refine_run(&plan, refine_look_at_theory, &maps[i].look, NULL, NULL);
        int64_t differ = random_map_differ(&maps[i], r, places, 1);
        CHECK(differ == 0, "map %zu: %lld nodes differ, one at (%d, %d)", i, (long long)differ,
              places[0][0], places[0][1]);
        imp_refine_close(&r);
        random_map_close(&maps[i]);
    }
}

/* ---- strips of known shape ---- */

/* Half as wide at every 16th of the range. */
static double tail_width(double x) {
    return 0.02 * pow(2, -16 * x);
}

static double tail(const double *x) {
    return fabs(x[1] - 0.3 - 0.2137 * x[0]) < 0.5 * tail_width(x[0]);
}

/* The tail is followed to 2^-20 of the range; its width and length are those of the function. */
static void a_tail(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 5, 8, 0);
    plan.filaments = true;
    imp_refinement *r = label_run(tail, &plan, &result);
    label_check_uniform("tail", tail, r, &result);
    const imp_filament *f = result.filaments;
    for (int64_t i = 1; i < result.n_filaments; i++) {
        f = result.filaments[i].width[1] < f->width[1] ? &result.filaments[i] : f;
    }
    CHECK(result.all_followed, "not all filaments were followed");
    double from = ldexp(f->place[0][0], -31), to = ldexp(f->place[1][0], -31);
    double slope = sqrt(1 + 0.2137 * 0.2137), end = log2(0.02 / slope * 0x1p20) / 16;
    CHECK(from < 0.22 && to > end - 0.02 && to < 1.01 * end, "from %g to %g, not %g", from, to,
          end);
    CHECK_NEAR(f->length, slope * (to - from), 1e-3, "the length");
    for (int e = 0; e < 2; e++) {
        double x = ldexp(f->place[e][0], -31), width = tail_width(x) / slope;
        CHECK_NEAR(f->width[e], width, 0.15 * width, "the width at the end %d", e);
        CHECK_NEAR(ldexp(f->place[e][1], -31), 0.3 + 0.2137 * x, 0.5 * tail_width(x), "its middle");
    }
    label_end(r, &result);
    plan.filaments = false;
    r = label_run(tail, &plan, &result);
    CHECK(result.n_filaments == 0, "filaments without a request");
    label_end(r, &result);
}

/* From edge to edge, a quarter of a cell wide, and steep in its middle. */
static double hidden_middle(double x) {
    return 0.2137 + 0.6 * x * x * (3 - 2 * x);
}

static double hidden(const double *x) {
    return fabs(x[0] - hidden_middle(x[1])) < 0.0005;
}

static void a_hidden_strip(void) {
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 5, 8, 0);
    plan.filaments = true;
    imp_refinement *r = label_run(hidden, &plan, &result);
    CHECK(result.n_filaments == 0 && result.n_shares == 1, "corners are meant to miss the strip");
    label_end(r, &result);
    plan.lines = 20;
    r = label_run(hidden, &plan, &result);
    CHECK(result.n_filaments == 1, "%lld filaments with lines", (long long)result.n_filaments);
    label_check_uniform("hidden strip", hidden, r, &result);
    double length = 0;
    for (int i = 0; i < 4096; i++) {
        double along = hidden_middle((i + 1) / 4096.0) - hidden_middle(i / 4096.0);
        length += sqrt(along * along + 1 / 4096.0 / 4096);
    }
    CHECK_NEAR(result.filaments[0].length, length, 0.02 * length, "its length");
    label_end(r, &result);
}

/* A straight strip of one width that ends on both sides, or at the edges. */
static struct { double angle, width, from, to; } bar;

static double straight(const double *x) {
    double along = x[0] * cos(bar.angle) + x[1] * sin(bar.angle);
    double across = x[1] * cos(bar.angle) - x[0] * sin(bar.angle) - 0.2;
    return fabs(across) < bar.width / 2 && along > bar.from && along < bar.to;
}

/* Of straight filaments the length is the distance of the ends, however many walks they are made
 * of; one that is seen by a line alone is whole. */
static void check_bar(void) {
    const double cells = 2 * 0x1p-8, whole = bar.to - bar.from;
    imp_refine_result result;
    imp_refine_plan plan = refine_plan(2, 6, 8, 1e-4);
    plan.filaments = true;
    plan.lines = 12;
    double sum = 0;
    imp_refinement *r = label_run(straight, &plan, &result);
    for (int64_t i = 0; i < result.n_filaments; i++) {
        const imp_filament *f = &result.filaments[i];
        double along = ldexp(f->place[1][0] - f->place[0][0], -31);
        double across = ldexp(f->place[1][1] - f->place[0][1], -31);
        CHECK_NEAR(f->length, sqrt(along * along + across * across), cells,
                   "the length of filament %lld of a strip %g wide at %g", (long long)i, bar.width,
                   bar.angle);
        sum += f->length;
    }
    CHECK(sum <= whole + cells, "%g of %g, %g wide, at %g", sum, whole, bar.width, bar.angle);
    CHECK(result.n_filaments != 1 || bar.width > 6e-4 || sum > whole - cells,
          "%g of %g, %g wide, at %g", sum, whole, bar.width, bar.angle);
    label_end(r, &result);
}

static void straight_strips(void) {
    static const double widths[] = {2e-3, 1e-3, 5e-4};
    for (int w = 0; w < SUITE_COUNT(widths); w++) {
        for (int i = 0; i < 12; i++) {
            bar.angle = 0.05 + 0.06 * i;
            bar.width = widths[w];
            bar.from = 0.35 + 0.01 * i;
            bar.to = 0.9 - 0.02 * w;
            check_bar();
        }
    }
}

SUITE("filaments", tails, a_tail, a_hidden_strip, straight_strips)
