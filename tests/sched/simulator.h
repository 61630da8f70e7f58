/* Rank 0 in a virtual world: its code, its ledger and the marks of the map are the real ones, but
 * other ranks, messages, clock and disk are virtual, and all that happens follows from a seed. */
#ifndef TESTS_SUPPORT_SIMULATOR_H
#define TESTS_SUPPORT_SIMULATOR_H

#include <stdbool.h>
#include <stdint.h>

/* What goes wrong on purpose, so that the simulator has to find it. */
typedef enum simulator_mutation {
    NO_MUTATION,
    FORGET_ORDERS,   /* of a rank that is lost */
    FORGET_WRITTEN,  /* the values that a lost rank has not synced */
    COUNT_WRITTEN,   /* them, although they are computed again */
    MARK_FIRST,      /* before the values are written */
    MARK_UNSYNCED,   /* marks without a sync before them */
    HAND_OUT_TWICE,  /* a chunk now and then */
    SEND_TO_LOST,    /* ranks that are lost get more orders */
    FORGET_RETURNED, /* the cells of a share that its rank gives away */
    DEAL_TWICE,      /* shares overlap */
    N_MUTATIONS
} simulator_mutation;

typedef struct simulator_result {
    char violation[200]; /* "": none */
    int sessions, deaths, given_up, stops, failures;
    int shares, divided; /* shares that ranks took; that they gave a part of away */
    long events;
} simulator_result;

/* Computes one map, in as many sessions as it needs. trace: prints what happens. */
simulator_result simulate(uint64_t seed, simulator_mutation mutation, bool trace);

#endif
