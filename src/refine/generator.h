/* The generator of a refinement. From the plan and the results of the points asked so far it finds
 * the points to solve next. Points are numbered from 0 in the order in which they are asked for.
 * The numbers depend on the plan and the values only, so an interrupted run starts again from the
 * beginning: the points that are in the file are told at once and cost nothing. With a larger
 * depth, a smaller boundary or a larger budget the generator asks for the same points and more, in
 * another order; only of narrow strips a deeper refinement needs other points.
 *
 *     imp_refinement *r;
 *     imp_refine_open(&plan, &r);
 *     imp_refine_round round;
 *     while (!imp_refine_next(r, &round) && round.n > 0) {
 *         ... solve round.keys ...
 *         imp_refine_tell(r, round.first, round.n, outcome, values);
 *     }
 *
 * No thread, no clock, no input or output. */
#ifndef IMP_REFINE_GENERATOR_H
#define IMP_REFINE_GENERATOR_H

#include "impact.h"
#include "refine/plan.h"

typedef struct imp_refinement imp_refinement;

/* The plan is copied and must be within the bounds of plan.h. The caller closes *refinement.
 * Errors: IMP_ERR_MEMORY; *refinement is NULL then. */
imp_err imp_refine_open(const imp_refine_plan *plan, imp_refinement **refinement);
void imp_refine_close(imp_refinement **refinement); /* accepts NULL */

/* The points first .. first+n-1, none of which was asked for before. */
typedef struct imp_refine_round {
    int64_t first;
    size_t n;
    const uint32_t
        *keys;  /* n * n_axes positions, owned by the refinement until the next call of next */
    bool audit; /* the last round: fresh random points, which change nothing */
} imp_refine_round;

/* The next round: points that are independent of each other. n = 0: there are no more, and the
 * state says why. Errors: IMP_ERR_INPUT (a point of an earlier round has not been told),
 * IMP_ERR_MEMORY. */
imp_err imp_refine_next(imp_refinement *refinement, imp_refine_round *round);

/* Tells the points first .. first+n-1, in any order and batches, each at least once. outcome: n
 * codes, none of them pending. values: n * n_rules, point by point: the output of each rule as it
 * is stored, so that a run that reads the file sees the same bits; ignored where the outcome is not
 * solved. Errors: IMP_ERR_INPUT (no such points), IMP_ERR_MEMORY. */
imp_err imp_refine_tell(imp_refinement *refinement, int64_t first, size_t n, const uint8_t *outcome,
                        const double *values);

typedef enum imp_refine_state {
    IMP_REFINE_RUNNING,
    IMP_REFINE_DONE,
    IMP_REFINE_BUDGET /* the round that would have followed does not fit into the budget */
} imp_refine_state;

imp_refine_state imp_refine_state_of(const imp_refinement *refinement);

typedef struct imp_refine_statistics {
    int64_t points;       /* asked so far, without the audit */
    int64_t audit_points; /* asked so far; they are the last */
    int64_t rounds;       /* handed out so far */
    int level;            /* of the cells under examination */
    bool tracing;         /* brackets and chords are searched for now */
    int64_t mixed[32];    /* cells found to be mixed, by level */
} imp_refine_statistics;

imp_refine_statistics imp_refine_statistics_of(const imp_refinement *refinement);

/* The n_axes positions of a point. */
const uint32_t *imp_refine_key(const imp_refinement *refinement, int64_t point);

#endif
