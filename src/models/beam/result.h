/* The result of a collision, and the pieces and instants that an observer is shown. */
#ifndef IMP_MODELS_BEAM_RESULT_H
#define IMP_MODELS_BEAM_RESULT_H

#include "base/first.h"
#include "models/beam/beam.h"
#include "models/observer.h"
#include "impact.h"
#include "models/beam/problem.h"

/* The result. Energies are parts of the initial kinetic energy. */
typedef struct imp_beam_result {
    imp_outcome outcome;
    double velocity_in, velocity_out;    /* V_rel, positive on approach */
    double impulse_compression, impulse; /* up to the end of compression; in all */
    double compression_time, duration;
    int sub_impacts;
    double begin[IMP_BEAM_SUB_IMPACTS], end[IMP_BEAM_SUB_IMPACTS];
    double rigid_energy, vibration_energy, dissipated;
    double mode_energy[IMP_BEAM_MODE_ENERGIES]; /* of the first flexible modes; NaN: no such mode */
    double peak_force;
    double closeness;   /* of the closest call, see imp_beam_closeness */
    double uncertainty; /* of the restitution, from the errors of the integration; NaN: not known */
    double residual;
    double tolerance;    /* relative, of the integration that counted */
    int64_t steps, work; /* of the integrator; what was spent of the budget */
} imp_beam_result;

/* Phases and events of a history; files keep them: append only. */
enum { IMP_BEAM_IN_CONTACT = 1, IMP_BEAM_APART };
enum { IMP_BEAM_TOUCH = 1, IMP_BEAM_GREATEST_COMPRESSION, IMP_BEAM_SEPARATION };

/* An observer of a collision sees pieces, each from the end of the last one, and instants. */
typedef struct imp_beam_piece {
    int phase;
    double end;
    bool closed; /* whether its end is part of it */
    void *motion;
    /* The state at a time within the piece, valid until the next call; NULL: an error, which the
     * solver then returns. */
    const double *(*at)(const struct imp_beam_piece *piece, double time);
} imp_beam_piece;

typedef struct imp_beam_instant {
    double time;
    const double *state;
} imp_beam_instant;

/* A result without contact. */
void imp_beam_result_begin(const imp_beam_problem *problem, imp_beam_result *result);

/* Counts an interval of contact. */
void imp_beam_result_count(imp_beam_result *result, double begin, double end);

/* A separation at which the collision may end; state: see sums.h. */
void imp_beam_result_separate(const imp_beam_problem *problem, double time, const double *state,
                              imp_beam_result *result);

/* ---- history.c: its columns, and an observer that records them ---- */

enum { IMP_BEAM_COLUMNS = 14 };

extern const imp_history imp_beam_history;

typedef struct imp_beam_record {
    imp_observer observer;
    imp_sampler sampler;
    const imp_beam_problem *problem;
    const imp_beam_units *units;
    double last[IMP_BEAM_COLUMNS]; /* the row written last */
} imp_beam_record;
IMP_FIRST(imp_beam_record, observer);

/* An observer that records the events, and the recorder's samples evenly over the duration.
 * Infinite duration: events only. */
imp_beam_record imp_beam_record_open(const imp_beam_problem *problem, const imp_beam_units *units,
                                     double duration, imp_recorder *recorder);

/* Writes the samples that remain: they are at the last separation. */
void imp_beam_record_end(imp_beam_record *record);

#endif
