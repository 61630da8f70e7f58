/* The same bits for every width of registers and every lane: each step that contacts take together
 * is repeated two by two, four by four, and by each contact alone. */
#include <stddef.h>
#include <string.h>

#include "models/compliant3d/contact_impl.h"
#include "num/lanes/width.h"
#include "support/random.h"
#include "support/suite.h"

typedef void slip_steps(imp_compliant3d_slip_trial *const *trials, int n);
typedef void stick_steps(imp_compliant3d_stick_trial *const *trials, int n);
#define DECLARE(lanes)                                                                             \
    slip_steps imp_compliant3d_slip_advance_##lanes;                                               \
    stick_steps imp_compliant3d_stick_advance_##lanes;
IMP_WIDTHS(DECLARE)

typedef struct width {
    int lanes;
    slip_steps *slip;
    stick_steps *stick;
} width;

#define WIDTH(lanes)                                                                               \
    {lanes, imp_compliant3d_slip_advance_##lanes, imp_compliant3d_stick_advance_##lanes},
static const width widths[] = {IMP_WIDTHS(WIDTH)};

/* Bodies whose B is far from diagonal; one in eight without friction. */
static void draw(random_source *source, imp_spatial_contact *body,
                 imp_compliant3d_problem *problem) {
    *body = (imp_spatial_contact){.b = {.b11 = random_between(source, 2, 4),
                                        .b12 = random_between(source, -0.5, 0.5),
                                        .b13 = random_between(source, -1, 1),
                                        .b22 = random_between(source, 2, 4),
                                        .b23 = random_between(source, -1, 1),
                                        .b33 = random_between(source, 1.5, 3)},
                                  .mass = 1,
                                  .v1 = random_between(source, -2, 2),
                                  .v2 = random_between(source, -2, 2),
                                  .energy = 1};
    double friction = random_between(source, -0.125, 0.875);
    *problem = (imp_compliant3d_problem){.contact = body,
                                         .friction = friction > 0 ? friction : 0,
                                         .stiffness_ratio = random_log(source, 0.5, 50),
                                         .restitution = random_between(source, 0.3, 1),
                                         .budget = 100000};
}

static bool same_slip(const imp_compliant3d_slip_step *a, const imp_compliant3d_slip_step *b) {
    return a->solved == b->solved &&
           (!a->solved || memcmp(a, b, offsetof(imp_compliant3d_slip_step, solved)) == 0);
}

/* Trials in reverse order, n at a time, end as together. */
static void check_slips(const width *w, int at_a_time, const imp_compliant3d_slip_trial *trials,
                        int n) {
    for (int first = 0; first < n; first += at_a_time) {
        int some = n - first < at_a_time ? n - first : at_a_time;
        imp_compliant3d_slip_trial copy[IMP_MOST_LANES], *taken[IMP_MOST_LANES] = {NULL};
        for (int k = 0; k < some; k++) {
            copy[k] = trials[first + some - 1 - k];
            taken[k] = &copy[k];
        }
        w->slip(taken, some);
        for (int k = 0; k < some; k++) {
            CHECK(same_slip(&copy[k].step, &trials[first + some - 1 - k].step), "%d of %d lanes", k,
                  w->lanes);
        }
    }
}

static void check_sticks(const width *w, int at_a_time, const imp_compliant3d_stick_trial *trials,
                         int n) {
    for (int first = 0; first < n; first += at_a_time) {
        int some = n - first < at_a_time ? n - first : at_a_time;
        imp_compliant3d_stick_trial copy[IMP_MOST_LANES], *taken[IMP_MOST_LANES] = {NULL};
        for (int k = 0; k < some; k++) {
            copy[k] = trials[first + some - 1 - k];
            taken[k] = &copy[k];
        }
        w->stick(taken, some);
        for (int k = 0; k < some; k++) {
            CHECK(memcmp(&copy[k].step, &trials[first + some - 1 - k].step, sizeof copy[k].step) ==
                      0,
                  "%d of %d lanes", k, w->lanes);
        }
    }
}

/* Repeats the steps that n contacts wait for; known steps are those of the contacts, before they
 * are replaced. */
static void check_steps(contact *const *contacts, int n) {
    imp_compliant3d_slip_trial slips[IMP_MOST_LANES], *slip[IMP_MOST_LANES];
    imp_compliant3d_stick_trial sticks[IMP_MOST_LANES], *stick[IMP_MOST_LANES];
    bool slides = contacts[0]->wait == FOR_SLIP;
    for (int i = 0; i < n; i++) {
        slips[i] = contacts[i]->slip;
        sticks[i] = contacts[i]->stick;
        slip[i] = &slips[i];
        stick[i] = &sticks[i];
    }
    if (slides) {
        imp_compliant3d_slip_advance(slip, n);
    } else {
        imp_compliant3d_stick_advance(stick, n);
    }
    for (int w = 0; w < SUITE_COUNT(widths); w++) {
        for (int some = 1; some <= widths[w].lanes && widths[w].lanes <= imp_lane_width(); some++) {
            if (slides) {
                check_slips(&widths[w], some, slips, n);
            } else {
                check_sticks(&widths[w], some, sticks, n);
            }
        }
    }
}

/* Of some contacts in progress, those that wait for the same as the first. */
static int alike(contact *all, contact **waiting) {
    int n = 0;
    for (int i = 0; i < imp_lane_width(); i++) {
        if (all[i].wait != FOR_NOTHING && (n == 0 || all[i].wait == waiting[0]->wait)) {
            waiting[n++] = &all[i];
        }
    }
    return n;
}

static int march_together(random_source *source, int *steps) {
    imp_spatial_contact body[IMP_MOST_LANES];
    imp_compliant3d_problem problem[IMP_MOST_LANES];
    contact all[IMP_MOST_LANES], *waiting[IMP_MOST_LANES] = {NULL};
    int separated = 0;
    for (int i = 0; i < imp_lane_width(); i++) {
        draw(source, &body[i], &problem[i]);
        imp_compliant3d_touch(&all[i], &problem[i]);
    }
    for (int n = alike(all, waiting); n > 0; n = alike(all, waiting)) {
        steps[waiting[0]->wait] += n;
        check_steps(waiting, n);
        imp_compliant3d_go_on(waiting, n);
    }
    for (int i = 0; i < imp_lane_width(); i++) {
        separated += all[i].motion == SEPARATED;
    }
    return separated;
}

static void steps(void) {
    enum { GROUPS = 20 };
    random_source source = {7702};
    int separated = 0, taken[WAITS] = {0};
    for (int group = 0; group < GROUPS; group++) {
        separated += march_together(&source, taken);
    }
    CHECK(separated == GROUPS * imp_lane_width(), "only %d contacts separate", separated);
    CHECK(taken[FOR_STICK] > GROUPS && taken[FOR_SLIP] > 10 * GROUPS,
          "steps: %d of stick, %d of slip", taken[FOR_STICK], taken[FOR_SLIP]);
}

SUITE("compliant3d lanes", steps)
