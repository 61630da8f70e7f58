#include "models/compliant3d/contact_impl.h"

#include <math.h>

#include "num/larger.h"
#include "num/trigonometry.h"

typedef imp_compliant3d_slip_passage passage;

/* See contact_impl.h; inlined, because the passages below ask for it a hundred times in each
 * step. */
static inline double distance(const contact *a, event which, const imp_compliant3d_slip_step *step,
                              int i) {
    bool end = i == IMP_COMPLIANT3D_SLIP_STAGES;
    switch (which) {
    case HALT:
        return end ? step->speed : step->stage_speed[i];
    case TURN:
        return -(end ? step->end.v3 : step->stage_v3[i]);
    case FLIP:
        return end ? step->force : step->stage_force[i];
    case RELOAD:
        return imp_compliant3d_reload_at(a) - (end ? step->end.w : step->stage_w[i]);
    default:
        if (a->damped && !a->p->by_elongation) {
            return end ? step->force : step->stage_force[i];
        }
        return end ? step->end.w : step->stage_w[i];
    }
}

double imp_compliant3d_slip_distance(const contact *a, event which,
                                     const imp_compliant3d_slip_step *step, int i) {
    return distance(a, which, step, i);
}

double imp_compliant3d_slip_rate(const contact *a, event which,
                                 const imp_compliant3d_slip_step *step) {
    switch (which) {
    case HALT:
        return step->speed_rate;
    case TURN:
        return -step->v3_rate;
    case RELOAD:
        return step->end.v3;
    case FLIP:
        return step->force_rate;
    default:
        return a->damped && !a->p->by_elongation ? step->force_rate : -step->end.v3;
    }
}

/* Stage i as a part of the step; before the first stage is its beginning, behind the last one its
 * end. */
static double part_of(int i) {
    return i < 0 ? 0 : i < IMP_COMPLIANT3D_SLIP_STAGES ? imp_compliant3d_slip_point[i] : 1;
}

/* The polynomial through the distances at the stages, of the part of the step; in divided
 * differences. */
typedef struct polynomial {
    double c[IMP_COMPLIANT3D_SLIP_STAGES];
} polynomial;

static polynomial through_stages(const contact *a, event which,
                                 const imp_compliant3d_slip_step *step) {
    polynomial p;
    for (int i = 0; i < IMP_COMPLIANT3D_SLIP_STAGES; i++) {
        p.c[i] = distance(a, which, step, i);
    }
    for (int k = 1; k < IMP_COMPLIANT3D_SLIP_STAGES; k++) {
        for (int i = IMP_COMPLIANT3D_SLIP_STAGES - 1; i >= k; i--) {
            p.c[i] = (p.c[i] - p.c[i - 1]) /
                     (imp_compliant3d_slip_point[i] - imp_compliant3d_slip_point[i - k]);
        }
    }
    return p;
}

/* Its value, slope, and half its second derivative. */
typedef struct course {
    double value, slope, bend;
} course;

static course course_at(const polynomial *p, double x) {
    course y = {.value = p->c[IMP_COMPLIANT3D_SLIP_STAGES - 1]};
    for (int k = IMP_COMPLIANT3D_SLIP_STAGES - 2; k >= 0; k--) {
        double past = x - imp_compliant3d_slip_point[k];
        y.bend = y.bend * past + y.slope;
        y.slope = y.slope * past + y.value;
        y.value = y.value * past + p->c[k];
    }
    return y;
}

/* Where it falls to 0, near x. */
static double zero_near(const polynomial *p, double x, double low, double high) {
    for (int round = 0; round < 3; round++) {
        course y = course_at(p, x);
        x = imp_larger(low, imp_smaller(x - y.value / y.slope, high));
    }
    return x;
}

/* Where it is least, near x. */
static double least_near(const polynomial *p, double x, double low, double high) {
    for (int round = 0; round < 3; round++) {
        course y = course_at(p, x);
        x = imp_larger(low, imp_smaller(x - y.slope / (2 * y.bend), high));
    }
    return x;
}

/* Whether an event has been passed at a stage of a step, or at its end. */
static bool has_passed(const contact *a, event which, const imp_compliant3d_slip_step *step,
                       int i) {
    double v3 = i == IMP_COMPLIANT3D_SLIP_STAGES ? step->end.v3 : step->stage_v3[i];
    bool applies = which == HALT     ? a->friction > 0
                   : which == TURN   ? a->now.v3 < 0
                   : which == RELOAD ? v3 < 0
                   : which == FLIP   ? a->p->by_elongation && a->side > 0
                                     : true;
    return applies && distance(a, which, step, i) < 0;
}

double imp_compliant3d_slip_speed_at_start(const contact *a) {
    if (a->damped) {
        imp_sincos e = imp_sine_cosine(a->phi);
        return a->lag > 0
                   ? a->now.speed
                   : imp_compliant3d_driven_speed(a, (direction){.c = e.cosine, .s = e.sine});
    }
    imp_sincos turn = imp_sine_cosine(a->phi);
    return a->now.v1 * turn.cosine + a->now.v2 * turn.sine + a->kappa * a->now.v3;
}

/* The distance from a halt or a turn where the step begins. */
static double distance_at_start(const contact *a, event which) {
    return which == HALT ? imp_compliant3d_slip_speed_at_start(a) : -a->now.v3;
}

/* Whether the distance from a halt or a turn is least at stage i, and so small that it may fall
 * below 0 beside it. */
static bool dips(const contact *a, event which, const imp_compliant3d_slip_step *step, int i) {
    double here = distance(a, which, step, i);
    double behind = distance(a, which, step, i + 1);
    if (!(here < behind)) {
        return false;
    }
    double before = i > 0 ? distance(a, which, step, i - 1) : distance_at_start(a, which);
    return here < before && here < imp_larger(before, behind) - here;
}

/* Beside stage i the distance may fall below 0 and rise again: an event that no stage shows. Where
 * it is least at the stage before, or where the step begins, rounding alone is below 0. */
static bool is_hidden(const contact *a, event which, const imp_compliant3d_slip_step *step, int i,
                      passage *found) {
    double before = part_of(i - 1);
    polynomial left = through_stages(a, which, step);
    double least = least_near(&left, part_of(i), before, part_of(i + 1));
    *found =
        (passage){.which = which, .near = zero_near(&left, before, before, least), .behind = least};
    return least > before && course_at(&left, least).value < 0;
}

/* Slip speed may fall to 0 and rise again between two stages, and so may the speed of approach: a
 * halt, or a greatest indentation before which and behind which the contact compresses. */
static bool hides(const contact *a, const imp_compliant3d_slip_step *step, event known, int i,
                  passage *found) {
    bool halts = known != HALT && a->friction > 0 && dips(a, HALT, step, i) &&
                 is_hidden(a, HALT, step, i, found);
    return halts || (known != TURN && a->now.v3 < 0 && dips(a, TURN, step, i) &&
                     is_hidden(a, TURN, step, i, found));
}

static passage passage_before(const contact *a, event which, const imp_compliant3d_slip_step *step,
                              int i) {
    double before = part_of(i - 1), behind = part_of(i);
    polynomial left = through_stages(a, which, step);
    return (passage){
        .which = which, .near = zero_near(&left, behind, before, behind), .behind = behind};
}

passage imp_compliant3d_slip_passage_in(const contact *a, const imp_compliant3d_slip_step *step,
                                        event known) {
    const bool flips = a->p->by_elongation && known != FLIP;
    passage hidden;
    for (int i = 0; i <= IMP_COMPLIANT3D_SLIP_STAGES; i++) {
        if (i > 0 && hides(a, step, known, i - 1, &hidden)) {
            return hidden;
        }
        for (event e = HALT; e <= LEAVE; e++) {
            if (e != known && has_passed(a, e, step, i)) {
                return passage_before(a, e, step, i);
            }
        }
        if (flips && has_passed(a, FLIP, step, i)) {
            return passage_before(a, FLIP, step, i);
        }
    }
    return (passage){.which = NONE};
}
