/* All ranks in a virtual world: the code of rank 0, of the workers, of ledger and marks is the real
 * one, but messages, clock and disk are virtual, and all that happens follows from a seed. */
#ifndef TESTS_SCHED_SIMULATOR_H
#define TESTS_SCHED_SIMULATOR_H

#include <stdbool.h>
#include <stdint.h>

/* What messages and the disk do wrong on purpose, so that the simulator has to find it. */
typedef enum simulator_mutation {
    NO_MUTATION,
    LOSE_ORDER,      /* now and then */
    LOSE_ANSWER,     /* now and then */
    LOSE_STOP,       /* every one */
    LOSE_DEATH,      /* news of deaths on other nodes */
    FORGET_WRITTEN,  /* answers hide that values are not synced */
    COUNT_TWICE,     /* the cells of an answer */
    LOSE_VALUES,     /* a write of values, now and then */
    MARK_UNSYNCED,   /* a sync does nothing */
    HAND_OUT_TWICE,  /* a chunk now and then, in place of another */
    FORGET_RETURNED, /* the cells of a share that its rank gives away */
    DEAL_TWICE,      /* the other ranks have other shares than rank 0 knows */
    N_MUTATIONS
} simulator_mutation;

typedef struct simulator_result {
    char violation[200]; /* "": none */
    int sessions, deaths, given_up, stops, failures;
    int shares, divided; /* shares that ranks took; that they gave a part of away */
    int rounds;          /* of refined maps */
    long events;
} simulator_result;

/* Computes one map, in as many sessions as it needs. trace: prints what happens. */
simulator_result simulate(uint64_t seed, simulator_mutation mutation, bool trace);

#endif
