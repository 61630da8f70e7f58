/* Shared by the files of a guest. Private to this folder. */
#ifndef IMP_GUEST_GUEST_IMPL_H
#define IMP_GUEST_GUEST_IMPL_H

#include <pthread.h>

#include "base/buffer.h"
#include "base/first.h"
#include "guest/description.h"
#include "guest/guest.h"

typedef struct imp_guest {
    imp_owned owned;
    pthread_mutex_t lock; /* held by the thread that talks to it */
    imp_guest_order order;
    imp_guest_tables *tables;
    imp_process *process; /* NULL: to be started before the next request */
    imp_text description; /* the line of the first start */
    imp_text identity;
    imp_text said; /* lines about cells that failed */
    int n_said;
    double number;        /* of the last request */
    size_t piece;         /* cells of a request, by the time that they took */
    double least_seconds; /* of a cell, since a request was too long */
    double cell_seconds;  /* mean of all requests so far */
    double cells;         /* that it is the mean of */
    int64_t failures, starts, audited, unlike;
    imp_buffer request, answer; /* of doubles */
} imp_guest;
IMP_FIRST(imp_guest, owned);

/* ---- wake.c ---- */

/* Starts the process for the first time and keeps its description; again if a signal ends it before
 * it has described itself, because others may end processes of theirs at random. False: the reason
 * is in `why`; *stopped: because the run is to stop. */
bool imp_guest_begin(imp_guest *guest, imp_text *why, bool *stopped);

/* Starts the process if there is none. Errors: IMP_ERR_LIBRARY if it does not start in several
 * attempts, or describes itself in another way than before; IMP_ERR_STOPPED. */
imp_err imp_guest_wake(imp_guest *guest);

/* ---- talk.c ---- */

/* Some cells of a call of solve. */
typedef struct imp_guest_job {
    imp_guest *guest;
    const imp_instance *instance;
    const double
        *in[IMP_MAX_PARAMETERS]; /* by parameter of the description; NULL: does not apply */
    double *const *out;
    uint8_t *outcome;
} imp_guest_job;

/* Asks for the cells first .. first+n-1. IMP_OK: they have their outcomes and outputs, or *failed
 * is set, the reason is appended to `why`, and the process is gone. *hung: it was too slow. Errors:
 * IMP_ERR_MEMORY, IMP_ERR_STOPPED, those of imp_guest_wake. */
imp_err imp_guest_ask(const imp_guest_job *job, size_t first, size_t n, bool *failed, bool *hung,
                      imp_text *why);

/* ---- cells.c ---- */

/* imp_theory.solve */
imp_err imp_guest_solve(const imp_instance *instance, size_t n, const double *const *in,
                        double *const *out, uint8_t *outcome);

/* imp_owned.say */
void imp_guest_say(imp_owned *owned, imp_text *text);

#endif
