/* The other ranks as a leading rank sees them: the orders of each, and the time of its last
 * message. */
#ifndef IMP_SCHED_CREW_H
#define IMP_SCHED_CREW_H

#include "sched/message.h"
#include "sched/port.h"

typedef struct imp_member {
    imp_interval orders[IMP_QUEUED]; /* under way, the oldest first */
    int n;
    bool dealt;   /* its only order is its share, which it took by itself */
    double heard; /* imp_crew_now when its last message came, or the first of its orders was sent */
    double at;    /* the same as imp_seconds_elapsed */
    bool reported; /* as silent, since its last message */
    bool left;     /* it has sent its last message */
    bool gone;     /* dead or given up: nothing is sent to it, and its messages are ignored */
} imp_member;

/* Start with {0}. */
typedef struct imp_crew {
    const imp_port *port;
    imp_buffer message;  /* the next one */
    imp_member *members; /* by rank; member 0 is unused */
    int ranks;
    int waiting;       /* orders under way, in all */
    int present;       /* other ranks that have not left and are not gone */
    bool stopped;      /* the ranks have been told to stop */
    bool dismissed;    /* the ranks have been told that nothing is left to do */
    double asked;      /* when the ranks were last told one of the two; 0: not yet */
    double longest;    /* seconds that a rank with work let pass between two messages */
    double deaf;       /* seconds in which the leading rank could not hear */
    int64_t abandoned; /* ranks given up after a stop */
} imp_crew;

/* The port must outlive the crew. Error: IMP_ERR_MEMORY; imp_crew_close may be called even then. */
imp_err imp_crew_open(imp_crew *crew, const imp_port *port);
void imp_crew_close(imp_crew *crew);

/* The clock by which silence is measured: it stands still while the leading rank is deaf. */
double imp_crew_now(const imp_crew *crew);

/* Whether the rank has room for another order. */
bool imp_crew_has_room(const imp_crew *crew, int rank);

/* Sends an order. points: of the order's cells; NULL: they are cells of the grid. IMP_ERR_MEMORY:
 * nothing was sent. */
imp_err imp_crew_order(imp_crew *crew, int rank, imp_interval order, const imp_point *points);

/* Notes that a rank has begun with its share, for which it needs no order. */
void imp_crew_deal(imp_crew *crew, int rank, imp_interval share);

/* imp_crew_heard notes a message of the rank. imp_crew_answered notes an answer to its oldest
 * order: the worker still owes `left` cells of the order, and gives the last `returned` ones back;
 * the function returns the interval of these. */
void imp_crew_heard(imp_crew *crew, int rank);
imp_interval imp_crew_answered(imp_crew *crew, int rank, int64_t left, int64_t returned);

/* Notes that the last message of a rank has come. */
void imp_crew_left(imp_crew *crew, int rank);

/* imp_crew_stop tells every rank to stop, at its first call; imp_crew_dismiss, that nothing is left
 * to do. IMP_ERR_MEMORY. */
imp_err imp_crew_stop(imp_crew *crew);
imp_err imp_crew_dismiss(imp_crew *crew);

/* A rank with work that has been silent for `seconds`, each once per silence; 0: none. */
int imp_crew_silent(imp_crew *crew, double seconds);

/* A rank that owes an answer, and has been silent for `seconds` since it was last asked for one; 0:
 * none. */
int imp_crew_overdue(const imp_crew *crew, double seconds);

/* A rank that is not known to be gone, and whose process has ended; 0: none. */
int imp_crew_dead(const imp_crew *crew);

/* Notes that a rank is gone. Returns the number of its orders, which are copied to `orders`. */
int imp_crew_lose(imp_crew *crew, int rank, imp_loss why, imp_interval orders[IMP_QUEUED]);

#endif
