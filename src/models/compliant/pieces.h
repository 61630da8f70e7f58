/* Stretches of a contact with linear springs as functions of time, for an observer. */
#ifndef IMP_MODELS_COMPLIANT_PIECES_H
#define IMP_MODELS_COMPLIANT_PIECES_H

#include "models/compliant/stick_impl.h"

/* A piece in the units of the normal spring of `problem`. An unloading spring swings 1 / e times as
 * fast as the loading one, and its unloaded length is shorter by `set`. Loading: e = 1, set = 0. */
typedef struct linear_path {
    const imp_compliant_problem *problem;
    state start;
    double e, set;
    double slip;    /* direction -1, 1; stick: 0 */
    const modes *m; /* free stick */
    motion x;
} linear_path;

/* Shows the piece of `duration` that begins at path->start. */
void imp_show_linear(const linear_path *path, double duration);

/* Shows one period of a constrained stick that never ends. */
void imp_show_wedge(const linear_path *path);

#endif
