/* The same bits for every width of registers and every lane: each round of contacts that march
 * together is repeated two by two, four by four, and by each contact alone. */
#include <string.h>

#include "models/viscoelastic/rod.h"
#include "num/lanes/width.h"
#include "support/random.h"
#include "support/suite.h"

typedef void solve_block(imp_viscoelastic_block *block);
#define DECLARE(lanes) solve_block imp_viscoelastic_enter_##lanes, imp_viscoelastic_round_##lanes;
IMP_WIDTHS(DECLARE)

typedef struct width {
    int lanes;
    solve_block *enter, *round;
} width;

#define WIDTH(lanes) {lanes, imp_viscoelastic_enter_##lanes, imp_viscoelastic_round_##lanes},
static const width widths[] = {IMP_WIDTHS(WIDTH)};

/* Exponents with a way of their own, and others; stick that lasts and that breaks. */
static imp_viscoelastic_problem draw(random_source *source) {
    static const double exponents[] = {1, 1.5, 2, 2.7};
    return (imp_viscoelastic_problem){.lever = 0.5,
                                      .lightness = 12,
                                      .angle = random_between(source, -1.2, 1.2),
                                      .v_t = random_index(source, 4) ? random_between(source, -2, 2)
                                                                     : 0,
                                      .spin = random_between(source, -1, 1),
                                      .friction = random_between(source, 0, 1),
                                      .stiffness = random_log(source, 100, 1e6),
                                      .exponent = exponents[(int)random_between(source, 0, 4)],
                                      .damping = random_between(source, 0, 0.5),
                                      .latched = random_between(source, 0, 1) < 0.5,
                                      .budget = 100000};
}

static void copy_lane(const imp_viscoelastic_block *from, int lane, imp_viscoelastic_block *to,
                      int to_lane) {
    const double *values = (const double *)from;
    double *copies = (double *)to;
    for (size_t k = 0; k < sizeof *from / sizeof(double); k += IMP_MOST_LANES) {
        copies[k + (size_t)to_lane] = values[k + (size_t)lane];
    }
}

static bool same_lane(const imp_viscoelastic_block *a, int lane, const imp_viscoelastic_block *b,
                      int other) {
    imp_viscoelastic_block one, two;
    memset(&one, 0, sizeof one);
    memset(&two, 0, sizeof two);
    copy_lane(a, lane, &one, 0);
    copy_lane(b, other, &two, 0);
    return memcmp(&one, &two, sizeof one) == 0;
}

/* Groups of n lanes of `before`, solved in a width, end as in `after`. */
static void check_groups(solve_block *solve, int lanes, int n, const imp_viscoelastic_block *before,
                         const imp_viscoelastic_block *after) {
    for (int first = 0; first + n <= imp_lane_width(); first += n) {
        imp_viscoelastic_block group;
        memset(&group, 0, sizeof group);
        for (int k = 0; k < n; k++) {
            copy_lane(before, first + k, &group, n - 1 - k);
        }
        solve(&group);
        for (int k = 0; k < n; k++) {
            CHECK(same_lane(&group, n - 1 - k, after, first + k), "%d of %d lanes", k, lanes);
        }
    }
}

static void check_widths(const imp_viscoelastic_block *before, const imp_viscoelastic_block *after,
                         bool enters) {
    for (int w = 0; w < SUITE_COUNT(widths); w++) {
        if (widths[w].lanes <= imp_lane_width()) {
            solve_block *solve = enters ? widths[w].enter : widths[w].round;
            check_groups(solve, widths[w].lanes, 1, before, after);
            check_groups(solve, widths[w].lanes, widths[w].lanes, before, after);
        }
    }
}

static int march_together(random_source *source, int *came) {
    imp_viscoelastic_problem problem[IMP_MOST_LANES];
    imp_viscoelastic_march march[IMP_MOST_LANES];
    imp_viscoelastic_block block, before;
    int lanes = imp_lane_width(), busy = lanes, solved = 0;
    bool goes_on[IMP_MOST_LANES];
    memset(&block, 0, sizeof block);
    for (int lane = 0; lane < lanes; lane++) {
        problem[lane] = draw(source);
        imp_viscoelastic_begin(&march[lane], &problem[lane], &block, lane);
        goes_on[lane] = true;
    }
    while (busy > 0) {
        before = block;
        imp_viscoelastic_round(&block);
        check_widths(&before, &block, false);
        before = block;
        imp_viscoelastic_enter(&block);
        check_widths(&before, &block, true);
        CHECK(memcmp(&before, &block, sizeof block) == 0, "a point that was known has moved");
        for (int lane = 0; lane < lanes; lane++) {
            came[(int)block.came[lane]] += goes_on[lane];
            if (goes_on[lane] && !imp_viscoelastic_go_on(&march[lane])) {
                goes_on[lane] = false;
                busy--;
                solved += march[lane].result.outcome == IMP_SOLVED;
            }
        }
    }
    return solved;
}

static void rounds(void) {
    enum { GROUPS = 20 };
    random_source source = {7701};
    int solved = 0, came[3] = {0, 0, 0};
    for (int group = 0; group < GROUPS; group++) {
        solved += march_together(&source, came);
    }
    CHECK(solved > GROUPS * imp_lane_width() / 2, "only %d contacts end", solved);
    CHECK(came[IMP_VISCOELASTIC_REFUSED] > 0 && came[IMP_VISCOELASTIC_TAKEN] > 1000 &&
              came[IMP_VISCOELASTIC_STOPPED] > 100,
          "steps: %d %d %d", came[0], came[1], came[2]);
}

SUITE("viscoelastic lanes", rounds)
