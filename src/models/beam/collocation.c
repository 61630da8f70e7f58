#include "models/beam/collocation.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/beam/collocation_run.h"
#include "models/beam/sums.h"
#include "num/exponential.h"
#include "num/larger.h"

enum { N = IMP_BEAM_POINTS, KEPT = 4 };

struct imp_beam_collocation {
    imp_beam_points points;
    imp_beam_tables *kept[KEPT]; /* the latest first */
    double matrix[IMP_BEAM_LENGTHS][N][N];
};

/* Takes what the rigid modes and the striker have moved together off their displacements at a
 * touch: in a long collision the indentation would otherwise be a small difference of large
 * numbers. No force depends on these displacements but by the indentation, which is 0. */
static void draw_near(imp_beam_run *r) {
    const imp_beam_problem *p = r->course.problem;
    int last =
        p->n > p->beam ? p->beam : 0; /* which has the remaining one: the striker or mode 0 */
    double bent = 0;
    for (int j = p->rigid; j < p->beam; j++) {
        bent += p->shape[j] * r->now->place[j];
    }
    for (int j = 0; j < p->n; j++) {
        if (j < p->rigid || j >= p->beam) {
            double left = j == last ? -bent / p->shape[j] : 0;
            r->course.passed[j] += r->now->place[j] - left;
            r->now->place[j] = left;
        }
    }
}

static void collide(imp_beam_run *r) {
    const size_t size = (size_t)r->course.problem->n * sizeof(double);
    const double *state = r->course.work->state, *loss = state + 2 * r->course.problem->n;
    bool touches = true;
    while (touches) {
        draw_near(r);
        imp_beam_sum_contact(r->tables, r->shape, r->now, &r->depth, &r->rate);
        r->depth = 0;
        imp_beam_pack(r, r->now, r->course.work->state);
        imp_beam_course_touch(&r->course);
        imp_beam_touch_and_break(r);
        if (!r->memory || r->course.result->outcome != IMP_SOLVED) {
            break;
        }
        imp_beam_pack(r, r->now, r->course.work->state);
        imp_beam_course_separate(&r->course);
        touches = imp_beam_course_fly(&r->course);
        memcpy(r->now->place, state, size);
        memcpy(r->now->rate, state + r->course.problem->n, size);
        r->dissipated = loss[1];
        if (touches) {
            imp_beam_give_up(r);
        }
        touches = touches && r->course.result->outcome == IMP_SOLVED;
    }
    imp_beam_course_end(&r->course);
}

/* The tables of a problem; NULL: out of memory. */
static imp_beam_tables *find_tables(imp_beam_collocation *c, const imp_beam_problem *problem) {
    int k = 0;
    while (k < KEPT && c->kept[k] && !imp_beam_tables_serve(c->kept[k], problem)) {
        k++;
    }
    imp_beam_tables *found = k < KEPT ? c->kept[k] : NULL;
    if (!found && !(found = imp_beam_tables_create(problem))) {
        return NULL;
    }
    if (k == KEPT) {
        imp_beam_tables_destroy(&c->kept[--k]);
    }
    memmove(c->kept + 1, c->kept, (size_t)k * sizeof *c->kept);
    return c->kept[0] = found;
}

imp_beam_collocation *imp_beam_collocation_create(void) {
    imp_beam_collocation *made = calloc(1, sizeof *made);
    if (made) {
        imp_beam_points_make(&made->points);
    }
    return made;
}

void imp_beam_collocation_destroy(imp_beam_collocation **collocation) {
    for (int k = 0; *collocation && k < KEPT; k++) {
        imp_beam_tables_destroy(&(*collocation)->kept[k]);
    }
    free(*collocation);
    *collocation = NULL;
}

/* Scales of the contact: of a collision in which every mode took part at once. */
static void set_units(imp_beam_run *r, double tolerance) {
    const imp_beam_problem *p = r->course.problem;
    const double part = 1e-3;
    double sum = 0;
    for (int j = 0; j < p->n; j++) {
        sum += p->shape[j] * p->shape[j];
    }
    double slow = p->stiffness * sum;
    r->time_unit = imp_power(1 / (slow * slow * p->approach), 0.2);
    r->length_unit = p->approach * r->time_unit;
    r->compliance = sum;
    r->step.stiffness = p->stiffness;
    r->step.settled = part * tolerance * imp_beam_force(r->course.problem, r->length_unit);
    r->most_error = tolerance * p->effective_mass * p->approach;
}

/* Solves once, with steps whose estimate of errors is within a tolerance. */
static imp_err solve(imp_beam_collocation *collocation, imp_beam_workspace *work,
                     const imp_beam_problem *problem, double tolerance, int64_t budget,
                     imp_observer *observer, imp_beam_result *result) {
    size_t size = (size_t)problem->n * sizeof(double);
    imp_beam_run r = {
        .course = {.problem = problem, .work = work, .result = result, .observer = observer},
        .points = &collocation->points,
        .matrix = collocation->matrix,
        .tables = find_tables(collocation, problem),
        .left = budget,
        .memory = true,
        .last = {.kind = IMP_BEAM_BREAKS}};
    r.course.left = &r.left;
    imp_beam_course_begin(&r.course);
    if (r.tables) {
        r.now = &r.motions[0];
        r.next = &r.motions[1];
        memcpy(r.shape, problem->shape, size);
        memcpy(r.now->rate, problem->speed, size);
        set_units(&r, tolerance);
        imp_beam_sum_answer(r.tables, r.shape, r.answer);
        collide(&r);
        result->work = budget - r.left;
    }
    if (!r.tables || !r.memory || work->kicks.lost) {
        return imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
    }
    return IMP_OK;
}

imp_err imp_beam_collocate(imp_beam_collocation *collocation, imp_beam_workspace *work,
                           const imp_beam_problem *problem, double tolerance, int64_t budget,
                           imp_observer *observer, imp_beam_result *result) {
    /* The estimate of a step's error is a hundred times the error of the worst steps, and 20,000
     * times that of most. */
    const double safe = 100, most = 1e-2;
    imp_err error = solve(collocation, work, problem, imp_smaller(most, safe * tolerance), budget,
                          observer, result);
    result->tolerance = tolerance;
    if (!error && result->outcome == IMP_SOLVED) {
        result->uncertainty = result->residual +
                              imp_beam_uncertainty(&work->kicks, problem, tolerance, &work->slopes);
    }
    return error;
}
