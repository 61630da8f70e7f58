/* Searches for the halt of slip that end without one: contacts in states that a wrong trial would
 * leave behind. Slip goes on, by a step on this side of the supposed halt, or by a shorter one. */
#include <math.h>

#include "models/compliant3d/contact_impl.h"
#include "support/suite.h"

static const imp_spatial_contact body = {.b = {.b11 = 3.5, .b22 = 3, .b33 = 1, .b13 = 0.3},
                                         .mass = 1,
                                         .v1 = 1.5,
                                         .v2 = 0.5,
                                         .energy = 1};

static const imp_compliant3d_problem problem = {
    .contact = &body, .friction = 0.2, .stiffness_ratio = 1.2, .restitution = 0.8, .budget = 1000};

/* A contact that has taken its first trial of a step of slip, far from any event. */
static contact first_trial(void) {
    contact a;
    imp_compliant3d_touch(&a, &problem);
    a.slip.length = 0.01;
    imp_compliant3d_slip_advance(&(imp_compliant3d_slip_trial *){&a.slip}, 1);
    CHECK(a.wait == FOR_SLIP && a.slip.step.solved && a.slip.step.speed > 0.5, "no step of slip");
    return a;
}

static void check_slips_on(const contact *a, const char *what) {
    CHECK(a->motion == SLIPS && a->phases == 1, "%s: a phase has ended", what);
}

/* Trials approach the upper end of the bracket, where one had passed a halt that shorter ones do
 * not come near. */
static void closes_on_the_upper_end(void) {
    contact a = first_trial();
    double h = a.slip.length;
    a.search = (search){.which = HALT, .bracket = {h / 2, nextafter(h, 1)}, .farthest = 2 * h};
    imp_compliant3d_slip_on(&a);
    check_slips_on(&a, "before");
    CHECK(a.now.time == h, "the step is lost");
}

/* The same, ended by a trial beyond the supposed halt. */
static void ends_beyond(void) {
    contact a = first_trial();
    double h = a.slip.length;
    a.slip.step.speed = -0.5;
    a.search = (search){.which = HALT, .bracket = {nextafter(h, 0), 2 * h}, .farthest = 2 * h};
    imp_compliant3d_slip_on(&a);
    check_slips_on(&a, "beyond");
    CHECK(a.now.time == 0 && a.step <= h / 2, "the step is kept");
}

/* A trial without a solution stood for the far side. */
static void closes_on_no_solution(void) {
    contact a = first_trial();
    double h = a.slip.length;
    a.slip.step.solved = false;
    a.search = (search){.which = HALT, .bracket = {nextafter(h, 0), 2 * h}, .farthest = 2 * h};
    imp_compliant3d_slip_on(&a);
    check_slips_on(&a, "no solution");
    CHECK(a.now.time == 0 && a.step <= h / 2, "the step is kept");
}

/* One halt before another, too often for searches in one step. */
static void searches_too_often(void) {
    contact a = first_trial();
    a.slip.step.stage_speed[3] = -0.5;
    a.search = (search){.which = NONE, .searches = 4};
    imp_compliant3d_slip_on(&a);
    check_slips_on(&a, "too often");
    CHECK(a.now.time == 0 && a.step <= a.slip.length / 2, "the step is kept");
}

/* A slip whose speed is below 0 from the beginning halts at once: every trial passes the halt. */
static void halts_at_once(void) {
    contact a = first_trial();
    double h = a.slip.length;
    a.slip.step.speed = -0.5;
    a.search = (search){.which = HALT, .bracket = {0, 2 * h}, .farthest = 2 * h, .trials = 59};
    imp_compliant3d_slip_on(&a);
    CHECK(a.motion == STICKS && a.phases == 2, "no halt");
}

/* A bracket that closes at a halt ends there. */
static void halts(void) {
    contact a = first_trial();
    double h = a.slip.length;
    a.slip.step.speed = 1e-11;
    a.search = (search){.which = HALT, .bracket = {h / 2, nextafter(h, 1)}, .farthest = 2 * h};
    imp_compliant3d_slip_on(&a);
    CHECK(a.motion == STICKS && a.phases == 2, "no halt");
}

SUITE("searches in slip of compliant3d", closes_on_the_upper_end, ends_beyond,
      closes_on_no_solution, searches_too_often, halts, halts_at_once)
