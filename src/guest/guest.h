/* A guest: a program of the user that solves cells, as a theory. README.md has the protocol. */
#ifndef IMP_GUEST_GUEST_H
#define IMP_GUEST_GUEST_H

#include "guest/process.h"
#include "impact.h"
#include "solve/owned.h"

typedef struct imp_guest_order {
    imp_process_order process; /* copied with its texts */
    double cell_time;          /* seconds that one cell may take */
} imp_guest_order;

#define IMP_GUEST_CELL_TIME 10.0

/* Starts a guest and makes a theory of its description. The caller ends *owned with imp_owned_end
 * when the theory is used no more. A guest belongs to one thread at a time. Errors: IMP_ERR_INPUT
 * (it did not start, or what it says is no description: lines are appended to `why`),
 * IMP_ERR_MEMORY. */
imp_err imp_guest_open(const imp_guest_order *order, const imp_theory **theory, imp_owned **owned,
                       imp_text *why);

/* The same for a guest that lives as long as this process: asked for again, it is the same one,
 * unless a file that its command names has changed. Several threads may use it. */
imp_err imp_guest_keep(const imp_guest_order *order, const imp_theory **theory, imp_text *why);

#endif
