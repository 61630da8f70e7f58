/* Cells of a batch in progress. A cell waits for a step of one kind after another, and takes each
 * together with other cells that wait for the same, one in each lane. So many cells are in progress
 * that some kind always fills the lanes, as long as the batch lasts; the results do not depend on
 * who went along. A cell stays in its place of the room while it is in progress: where all wait for
 * the same kind there is a place for each lane, and the next cell takes that of one that has
 * ended. */
#ifndef IMP_MODELS_CROWD_H
#define IMP_MODELS_CROWD_H

#include <stddef.h>

#include "impact.h"
#include "num/lanes/width.h"

enum { IMP_CROWD_KINDS = 5 };
/* The most cells that are in progress where there are so many kinds of steps. */
#define IMP_CROWD_CELLS(kinds) ((kinds) * (IMP_MOST_LANES - 1) + 1)

/* What a theory does with a cell. It has an int that says for which kind of step it waits, from 1
 * on, or 0 once it has ended. */
typedef struct imp_crowd_rules {
    size_t size, wait; /* of a cell, and where in it that int lies */
    int kinds;         /* of steps, at most IMP_CROWD_KINDS */
    /* Begins cell i of the batch and follows it until it waits, or ends. Returns false if it is
     * outside. */
    bool (*begin)(void *cell, const imp_instance *instance, const double *const *in, size_t i);
    /* Gives n cells, at most imp_lane_width(), that wait for the same their steps, and follows each
     * until it waits again, or ends. */
    void (*go_on)(void *const *cells, int n);
    /* Writes the outputs of a cell that has ended, if it is solved. */
    imp_outcome (*end)(void *cell, double *const *out, size_t i);
} imp_crowd_rules;

/* The rules of a theory whose structure for a cell is `cell`, with its functions begin, go_on and
 * end; wait: the member that says what the cell waits for. */
#define IMP_CROWD_RULES(cell, wait, n_kinds)                                                       \
    {sizeof(cell), offsetof(cell, wait), n_kinds, begin, go_on, end};                              \
    _Static_assert(_Generic(((cell *)NULL)->wait, int                                              \
                            : true, default                                                        \
                            : false),                                                              \
                   "the crowd reads an int");                                                      \
    _Static_assert((n_kinds) <= IMP_CROWD_KINDS, "a crowd has room for every kind of step")

/* Solves a batch as imp_theory.solve does; room: for IMP_CROWD_CELLS(rules->kinds) cells. */
imp_err imp_crowd_solve(const imp_crowd_rules *rules, void *room, const imp_instance *instance,
                        size_t n, const double *const *in, double *const *out, uint8_t *outcome);

#endif
