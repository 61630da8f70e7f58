/* Cells of a batch in progress. A cell waits for a step of one kind after another, and takes each
 * together with other cells that wait for the same, one in each lane. So many cells are in progress
 * that some kind always fills the lanes, as long as the batch lasts; the results do not depend on
 * who went along. */
#ifndef IMP_MODELS_CROWD_H
#define IMP_MODELS_CROWD_H

#include "impact.h"
#include "num/lanes/width.h"

enum { IMP_CROWD_KINDS = 3, IMP_CROWD_CELLS = IMP_CROWD_KINDS * (IMP_MOST_LANES - 1) + 1 };

/* What a theory does with a cell, which is a structure of its own. */
typedef struct imp_crowd_rules {
    size_t size; /* of a cell */
    int kinds;   /* of steps, at most IMP_CROWD_KINDS */
    /* Begins cell i of the batch and follows it until it waits, or ends. Returns false if it is
     * outside. */
    bool (*begin)(void *cell, const imp_instance *instance, const double *const *in, size_t i);
    /* What a cell waits for: 1 to `kinds`; 0 if it has ended. */
    int (*wait_of)(const void *cell);
    /* Gives n cells, at most imp_lane_width(), that wait for the same their steps, and follows each
     * until it waits again, or ends. */
    void (*go_on)(void *const *cells, int n);
    /* Writes the outputs of a cell that has ended, if it is solved. */
    imp_outcome (*end)(void *cell, double *const *out, size_t i);
} imp_crowd_rules;

/* Solves a batch as imp_theory.solve does; cells: room for IMP_CROWD_CELLS. */
imp_err imp_crowd_solve(const imp_crowd_rules *rules, void *cells, const imp_instance *instance,
                        size_t n, const double *const *in, double *const *out, uint8_t *outcome);

#endif
