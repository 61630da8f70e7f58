/* The other ranks as rank 0 sees them: the orders of each, and the time of its last message. Only
 * rank 0 has a crew. */
#ifndef IMP_SCHED_CREW_H
#define IMP_SCHED_CREW_H

#include <mpi.h>

#include "sched/message.h"

/* An order on its way, with its points. It is too long for MPI to send without the help of the
 * receiver, who may be in a long cell, so it is sent without waiting. */
typedef struct imp_letter {
    unsigned char *bytes;
    MPI_Request request;
} imp_letter;

typedef struct imp_member {
    imp_order orders[IMP_QUEUED]; /* under way, the oldest first */
    int n;
    imp_letter letters[IMP_QUEUED];
    int letter;     /* the next one to use */
    double heard;   /* MPI_Wtime of its last message, or of the first of its orders */
    bool reported;  /* as silent, since its last message */
    bool left;      /* it has sent its last message */
    bool abandoned; /* given up: nothing is sent to it, and its messages are ignored */
} imp_member;

/* Start with {0}. */
typedef struct imp_crew {
    imp_member *members; /* by rank; member 0 is unused */
    int ranks;
    int waiting;       /* orders under way, in all */
    bool stopped;      /* the ranks have been told to stop */
    bool dismissed;    /* the ranks have been told that nothing is left to do */
    double asked;      /* MPI_Wtime of the last of these */
    double longest;    /* seconds that a rank with work let pass before it answered */
    int64_t abandoned; /* ranks given up */
} imp_crew;

/* Error: IMP_ERR_MEMORY; imp_crew_close may be called even then. */
imp_err imp_crew_open(imp_crew *crew, int ranks);
void imp_crew_close(imp_crew *crew);

/* Whether the rank has room for another order. */
bool imp_crew_has_room(const imp_crew *crew, int rank);

/* Sends an order. points: of the order's cells; NULL: they are cells of the grid. IMP_ERR_MEMORY:
 * nothing was sent. */
imp_err imp_crew_order(imp_crew *crew, int rank, imp_order order, const imp_point *points);

/* imp_crew_heard notes a message of the rank; imp_crew_answered an answer to its oldest order, with
 * `left` cells to come. */
void imp_crew_heard(imp_crew *crew, int rank);
void imp_crew_answered(imp_crew *crew, int rank, int64_t left);

/* Tell every rank, once: to stop; that nothing is left to do. */
void imp_crew_stop(imp_crew *crew);
void imp_crew_dismiss(imp_crew *crew);

/* Whether a rank has not left and is not given up. */
bool imp_crew_is_present(const imp_crew *crew);

/* A rank with work that has been silent for `seconds`, each once per silence; 0: none. */
int imp_crew_silent(imp_crew *crew, double seconds);

/* A rank to be given up; 0: none. It owes an answer, and has been silent since it was asked for
 * `patience` seconds plus twice the longest silence of any rank, because cells may take long. */
int imp_crew_overdue(const imp_crew *crew, double patience);

/* Gives a rank up. Returns the number of its cells. */
int64_t imp_crew_abandon(imp_crew *crew, int rank);

#endif
