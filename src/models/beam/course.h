/* The course of a collision, whatever solves its contacts: touches, separations and the exact
 * flights between them, with all that is noted and shown of them. */
#ifndef IMP_MODELS_BEAM_COURSE_H
#define IMP_MODELS_BEAM_COURSE_H

#include "models/beam/result.h"
#include "models/beam/workspace.h"

typedef struct imp_beam_course {
    const imp_beam_problem *problem;
    imp_beam_workspace *work; /* work->state is the state at `time`, at a touch or a separation */
    imp_beam_result *result;
    imp_observer *observer; /* NULL: none */
    int64_t *left;          /* of the budget */
    double time;
    double touch;    /* when the last contact began */
    bool compressed; /* whether compression has ended */
    double
        passed[IMP_BEAM_MOST_FREEDOMS]; /* parts of the displacements that the state leaves out */
    double shown[IMP_BEAM_MOST_STATE];
} imp_beam_course;

/* Begins result, flight and kicks. The caller sets the pointers before, and the state after. */
void imp_beam_course_begin(imp_beam_course *course);

/* A state with the parts of the displacements that it leaves out; valid until the next call. */
const double *imp_beam_course_shown(imp_beam_course *course, const double *state);

/* Shows the part up to `end` that has not been shown. */
void imp_beam_course_show(imp_beam_course *course, int phase, double end, void *motion,
                          const double *(*at)(const imp_beam_piece *piece, double time));
void imp_beam_course_show_event(imp_beam_course *course, int phase, int code, double time,
                                const double *state);

/* Notes the end of compression. */
void imp_beam_course_end_compression(imp_beam_course *course, double time, double impulse);

/* A contact begins, or has ended. */
void imp_beam_course_touch(imp_beam_course *course);
void imp_beam_course_separate(imp_beam_course *course);

/* Flies to the next touch; false: none follows, or the outcome says why it is not known. */
bool imp_beam_course_fly(imp_beam_course *course);

/* A collision whose compression has not ended is not solved. */
void imp_beam_course_end(imp_beam_course *course);

#endif
