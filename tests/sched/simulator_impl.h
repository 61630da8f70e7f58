/* The state of the virtual world, shared by simulator.c (ranks and messages) and
 * simulator_disk.c. */
#ifndef TESTS_SUPPORT_SIMULATOR_IMPL_H
#define TESTS_SUPPORT_SIMULATOR_IMPL_H

#include <setjmp.h>

#include "sched/lead_impl.h"
#include "store/map_impl.h"
#include "support/random.h"
#include "sched/simulator.h"

enum { MOST_RANKS = 8, MOST_CELLS = 400, OUTPUTS = 2, INBOX = 8 };

/* A message to rank 0. */
typedef struct letter {
    struct letter *next;
    double arrives;
    size_t size;
    unsigned char bytes[];
} letter;

typedef struct virtual_rank {
    double dies, stops, resumes; /* times; INFINITY: never */
    double slowness;
    int64_t stuck_at; /* a cell that it never ends; -1: none */
    bool watched;     /* rank 0 sees its death by itself */
    bool dead, forgotten, left, stop_heard, dismissed, broken, signalled, told;
    struct {
        double arrives;
        int tag;
        imp_interval order;
    } inbox[INBOX];
    int n_inbox;
    double inbox_last, outbox_last;
    imp_interval task; /* count 0: none */
    bool has_share;    /* the task is its share, all of it */
    int64_t piece, given_away;
    double ready;         /* when the piece is done */
    double answered;      /* when it answered last, or began with an order */
    imp_map *map;         /* of a rank that writes */
    imp_interval written; /* by it since its last answer */
    imp_counts counts;
    letter *out, *out_end;
} virtual_rank;

typedef struct virtual_cell {
    int8_t mode;
    double value;
    bool has_mode, has_value, synced;
    unsigned writers;  /* bits: the ranks that wrote these values */
    int marks, marker; /* marker: the last rank that marked it, in this session */
} virtual_cell;

typedef struct world {
    random_source random;
    simulator_mutation mutation;
    bool trace;
    jmp_buf broken; /* the way out of a run that does not end */
    simulator_result result;
    imp_sweep sweep;
    imp_layout layout;
    imp_checkpoint checkpoint;
    imp_deal deal;
    double time, stop_at, frozen_at, cell_seconds, delay, give_up;
    int ranks, actor;    /* actor: the rank that uses the disk now */
    int64_t writes_left; /* before the disk fails; -1: it does not */
    bool disk_failed, stopped;
    virtual_rank rank[MOST_RANKS];
    virtual_cell cell[MOST_CELLS];
    int64_t cells;
} world;

extern world w;

/* Notes the first thing that is wrong. */
void violated(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* What a cell has to hold. */
int8_t mode_of(int64_t cell);
double value_of(int64_t cell);

/* The map of the virtual disk, as rank `actor` has it open. */
imp_map *virtual_map(void);

/* Values that were not synced are lost. */
void lose_power(void);

#endif
