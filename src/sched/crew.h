/* The other ranks as rank 0 sees them: what each was asked for, and when it was heard last. Only rank
 * 0 has a crew. */
#ifndef IMP_SCHED_CREW_H
#define IMP_SCHED_CREW_H

#include <mpi.h>

#include "sched/message.h"

/* An order on its way, with its points: more than what MPI sends without the help of the receiver, who may be
 * in a long cell. */
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
    bool reported;  /* as silent, since then */
    bool left;      /* it has said its last message */
    bool abandoned; /* given up: nothing is sent to it, and nothing that it says counts */
} imp_member;

/* Start with {0}. */
typedef struct imp_crew {
    imp_member *members; /* by rank; that of rank 0 itself stays unused */
    int ranks;
    int waiting;       /* orders under way at all of them */
    bool stopped;      /* they have been told to stop */
    bool dismissed;    /* they have been told that nothing is left to do */
    double asked;      /* MPI_Wtime of the last of these */
    double longest;    /* seconds that a rank with work let pass before it answered */
    int64_t abandoned; /* ranks given up */
} imp_crew;

/* IMP_ERR_MEMORY. imp_crew_close may be called all the same. */
imp_err imp_crew_open(imp_crew *crew, int ranks);
void imp_crew_close(imp_crew *crew);

/* Whether the rank has room for another order. */
bool imp_crew_has_room(const imp_crew *crew, int rank);

/* points: of the order's cells; NULL: cells of the grid. IMP_ERR_MEMORY: nothing was sent. */
imp_err imp_crew_order(imp_crew *crew, int rank, imp_order order, const imp_point *points);

/* A message of the rank is there; it answers to its oldest order, with `left` cells to come. */
void imp_crew_heard(imp_crew *crew, int rank);
void imp_crew_answered(imp_crew *crew, int rank, int64_t left);

/* Tells every rank, once: to stop; that nothing is left to do. */
void imp_crew_stop(imp_crew *crew);
void imp_crew_dismiss(imp_crew *crew);

/* Whether a rank has not left and is not given up. */
bool imp_crew_is_present(const imp_crew *crew);

/* A rank with work that has said nothing for so long, each once per silence; 0: none. */
int imp_crew_silent(imp_crew *crew, double seconds);

/* A rank that is to be given up; 0: none. It has something to say, and has been silent since it was
 * asked for so many seconds and twice as long as any rank ever was: cells may take long. */
int imp_crew_overdue(const imp_crew *crew, double patience);

/* Gives the rank up. Returns how many cells it had. */
int64_t imp_crew_abandon(imp_crew *crew, int rank);

#endif
