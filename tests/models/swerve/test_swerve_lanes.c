/* The same bits for every width of registers, every number of legs and every place among them. */
#include <math.h>
#include <string.h>

#include "models/swerve/leg.h"
#include "num/lanes/width.h"
#include "support/random.h"
#include "support/suite.h"

enum { LEGS = 64, MOST = IMP_MOST_LANES };

typedef void solve_legs(imp_swerve_leg *const *legs, int n);
typedef void read_curve(const imp_swerve_leg *leg, double impulse, imp_swerve_state *at);
#define DECLARE(lanes)                                                                             \
    solve_legs imp_swerve_step_##lanes, imp_swerve_seek_goal_##lanes;                              \
    read_curve imp_swerve_along_curve_##lanes;
IMP_WIDTHS(DECLARE)

typedef enum task { STEP, SEEK_GOAL, TASKS } task;

typedef struct width {
    int lanes;
    solve_legs *solve[TASKS];
    read_curve *along_curve;
} width;

#define WIDTH(lanes)                                                                               \
    {lanes,                                                                                        \
     {imp_swerve_step_##lanes, imp_swerve_seek_goal_##lanes},                                      \
     imp_swerve_along_curve_##lanes},
static const width widths[] = {IMP_WIDTHS(WIDTH)};

static imp_swerve_rates draw_rates(random_source *source) {
    double b11 = random_log(source, 0.3, 3), b22 = random_log(source, 0.3, 3);
    double mu = random_between(source, 0.05, 1.5), unit = 1 / (mu * (b11 + b22) + 1);
    return (imp_swerve_rates){.unit = unit,
                              .m11 = unit * mu * b11,
                              .m12 = unit * mu * random_between(source, -0.3, 0.3),
                              .m22 = unit * mu * b22,
                              .d1 = unit * random_between(source, -0.5, 0.5),
                              .d2 = unit * random_between(source, -0.5, 0.5),
                              .n1 = unit * random_between(source, -0.5, 0.5),
                              .n2 = unit * random_between(source, -0.5, 0.5),
                              .n3 = unit,
                              .friction = unit * mu,
                              .loss = unit * mu};
}

/* A leg of restitution with a goal of any kind. */
static void draw(random_source *source, bool curved, imp_swerve_leg *leg) {
    bool slow = random_between(source, 0, 1) < 0.3;
    double speed = slow ? random_log(source, 1e-30, 1e-3) : random_log(source, 1e-3, 5);
    double heading = random_between(source, -3, 3), value = random_log(source, 1e-3, 3);
    leg->curved = curved;
    leg->rates = draw_rates(source);
    leg->from.v1 = speed * cos(heading);
    leg->from.v2 = speed * sin(heading);
    leg->from.v3 = random_between(source, 0, 1);
    leg->way.lift = random_between(source, -0.5, 2);
    leg->to.of = (imp_swerve_quantity)random_between(source, 0, 4);
    leg->to.value = value;
    leg->to.work = value * random_log(source, 0.1, 10);
    leg->to.weight[0] = random_between(source, 0.1, 1);
    leg->to.weight[1] = 1;
}

static bool runs(const width *w) {
    return w->lanes <= imp_lane_width();
}

/* Solves the legs in groups of n and compares them with the same legs, solved before. */
static void check_groups(task what, const width *w, int n, const imp_swerve_leg *legs,
                         const imp_swerve_leg *solved) {
    for (int first = 0; first < LEGS; first += n) {
        imp_swerve_leg group[MOST], *of[MOST];
        int size = first + n < LEGS ? n : LEGS - first;
        for (int i = 0; i < size; i++) {
            memcpy(&group[i], &legs[first + i], sizeof *group);
            of[i] = &group[i];
        }
        w->solve[what](of, size);
        for (int i = 0; i < size; i++) {
            CHECK(memcmp(&group[i], &solved[first + i], sizeof *group) == 0,
                  "task %d, %d lanes, leg %d of %d", what, w->lanes, i, size);
        }
    }
}

/* Solves each leg by itself, and compares with groups of every size. */
static void check_task(task what, imp_swerve_leg *legs) {
    imp_swerve_leg start[LEGS];
    memcpy(start, legs, sizeof start);
    for (int i = 0; i < LEGS; i++) {
        imp_swerve_leg *one = &legs[i];
        widths[0].solve[what](&one, 1);
    }
    for (int k = 0; k < SUITE_COUNT(widths); k++) {
        for (int n = 1; runs(&widths[k]) && n <= widths[k].lanes; n++) {
            check_groups(what, &widths[k], n, start, legs);
        }
    }
}

static void steps(void) {
    random_source source = {7601};
    int near = 0;
    for (int round = 0; round < 40; round++) {
        imp_swerve_leg legs[LEGS];
        memset(legs, 0, sizeof legs);
        for (int i = 0; i < LEGS; i++) {
            draw(&source, true, &legs[i]);
        }
        check_task(STEP, legs);
        for (int i = 0; i < LEGS; i++) {
            near += legs[i].near;
        }
    }
    CHECK(near > 200, "only %d legs come near their goal", near);
}

/* Draws a leg on which its goal may lie: straight ones with a compromise. */
static void draw_near(random_source *source, bool curved, imp_swerve_leg *leg) {
    bool near;
    do {
        draw(source, curved, leg);
        if (curved) {
            imp_swerve_step(&leg, 1);
            near = leg->near;
        } else {
            leg->to.of = IMP_SWERVE_OF_COMPROMISE;
            imp_swerve_find_goal(leg);
            near = imp_swerve_may_compromise(leg);
        }
    } while (!near);
}

static void check_goals(bool curved) {
    random_source source = {7602};
    int found = 0, compromises = 0;
    for (int round = 0; round < 40; round++) {
        imp_swerve_leg legs[LEGS];
        memset(legs, 0, sizeof legs);
        for (int i = 0; i < LEGS; i++) {
            draw_near(&source, curved, &legs[i]);
        }
        check_task(SEEK_GOAL, legs);
        for (int i = 0; i < LEGS; i++) {
            bool finds = legs[i].goal < INFINITY;
            found += finds;
            compromises += finds && legs[i].to.of == IMP_SWERVE_OF_COMPROMISE;
        }
    }
    CHECK(found > 200 && compromises > 200, "only %d found, %d compromises", found, compromises);
}

static void goals(void) {
    check_goals(false);
    check_goals(true);
}

static void places(void) {
    random_source source = {7603};
    for (int i = 0; i < 500; i++) {
        imp_swerve_leg leg, *one = &leg;
        memset(&leg, 0, sizeof leg);
        draw(&source, true, &leg);
        imp_swerve_step(&one, 1);
        double impulse = leg.next.p * random_between(&source, 0, 1);
        imp_swerve_state first, other;
        widths[0].along_curve(&leg, impulse, &first);
        CHECK_NEAR(first.p, impulse, 1e-15 * (impulse + leg.next.p), "impulse");
        for (int k = 1; k < SUITE_COUNT(widths); k++) {
            if (runs(&widths[k])) {
                widths[k].along_curve(&leg, impulse, &other);
                CHECK(memcmp(&first, &other, sizeof first) == 0, "%d lanes", widths[k].lanes);
            }
        }
    }
}

SUITE("swerve lanes", steps, goals, places)
