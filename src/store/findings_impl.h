/* Shared by the files that add rows to the tables of findings. Private to them. */
#ifndef IMP_STORE_FINDINGS_IMPL_H
#define IMP_STORE_FINDINGS_IMPL_H

#include "store/findings.h"

/* A refinement while its findings are added. */
typedef struct imp_adder {
    imp_findings *f;
    int64_t cell;
    const imp_refinement *refinement;
    imp_refine_result result;
    uint32_t *labels; /* by class */
    bool several;     /* more than one refinement */
} imp_adder;

/* Adds a row of zeros. Where memory is out, findings->failed says so, and the row is lost. */
double *imp_findings_row(imp_findings *findings, int table);

/* Begins a row, with the number of the refinement if there are several; returns its next column. */
double *imp_adder_row(const imp_adder *a, int table);

/* Finds the labels of the classes; false: out of memory, as findings->failed says. */
bool imp_adder_labels(imp_adder *a);

/* The place of a region's inner node, and the ends of its box, on each axis. */
void imp_adder_place(const imp_adder *a, const imp_region *region, double *row);

/* Compares the regions with those at the value before of the outer axis, and adds the events.
 * label: of the nodes of the flat grid. Errors: of memory, and those of findings->between. */
imp_err imp_events_add(const imp_adder *a, const uint32_t *label);

#endif
