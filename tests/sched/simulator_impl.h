/* The state of the virtual world, shared by simulator.c (ranks and clock), simulator_port.c
 * (messages), simulator_disk.c and simulator_feed.c (rounds). */
#ifndef TESTS_SCHED_SIMULATOR_IMPL_H
#define TESTS_SCHED_SIMULATOR_IMPL_H

#include <setjmp.h>
#include <ucontext.h>

#include "sched/lead_impl.h"
#include "sched/simulator.h"
#include "store/map_impl.h"
#include "support/random.h"

/* Seconds that a session may take where rank 0 gives no rank up before a stop. */
#define TIME_LIMIT 300.0

enum { MOST_RANKS = 8, MOST_CELLS = 400, OUTPUTS = 2 };

typedef struct letter {
    struct letter *next;
    double arrives;
    int tag;
    size_t size;
    unsigned char bytes[];
} letter;

/* Letters on one way, in the order in which they were sent, which is that of their arrival. */
typedef struct post {
    letter *first, **end;
    int n;
    double latest;
} post;

typedef struct virtual_rank {
    double dies, stops, resumes; /* times; INFINITY: never */
    double signalled;            /* a stop signal comes to it */
    double stop_arrives;         /* the stop of rank 0 */
    double began;                /* with its last cells */
    double slowness;
    int64_t stuck_at; /* a cell that it never ends; -1: none */
    bool watched;     /* rank 0 sees its death by itself */
    /* ended: its process has ended. Its code then runs to its end outside of the world, in which
     * nothing happens any more, so that it frees its memory. */
    bool ended, dead, forgotten;
    bool tells;  /* it has told of its signal while it had no order */
    int told_by; /* the rank that was told of its death; 0: none */
    post in, out;
    unsigned char *opened; /* the last letter that it has received */
    ucontext_t context;
    double wakes;  /* not before */
    double slept;  /* it has slept since then, and letters wake it; INFINITY: they do not */
    double looked; /* in vain for a letter */
    bool blocked;  /* until rank 0 takes one of its letters */
    imp_map *map;  /* of a rank that writes */
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
    imp_run_options options;
    imp_deal deal;
    double time, stop_at, frozen_at, cell_seconds, delay;
    double first_left;   /* when the first rank left that looks for deaths */
    int ranks, actor;    /* actor: the rank whose code runs now */
    int64_t writes_left; /* before the disk fails; -1: it does not */
    bool disk_failed, stopped;
    bool eager; /* a letter is sent at once; otherwise rank 0 has to take it */
    ucontext_t lead;
    virtual_rank rank[MOST_RANKS];
    virtual_cell cell[MOST_CELLS];
    double numbers[MOST_CELLS]; /* of the cells */
    int64_t cells;
} world;

extern world w;

/* Notes the first thing that is wrong. */
void violated(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints what happens, if that is wanted. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool chance(double probability);

/* What a cell has to hold. */
int8_t mode_of(int64_t cell);
double value_of(int64_t cell);

/* The map of the virtual disk, as rank `actor` has it open. */
imp_map *virtual_map(void);

/* Values that were not synced are lost. */
void lose_power(void);

/* Lets time pass for the rank whose code runs. To a rank that has ended nothing happens. */
void pass(double seconds);

/* Sleeps until a letter arrives, or something else may be due. */
void doze(double seconds);

/* Waits until rank 0 has taken a letter. */
void wait_for_lead(void);

/* Whether the code of a rank that has ended runs. */
bool is_outside(void);

/* The port of a rank. */
imp_port virtual_port(int rank);

/* The time of the next arrival at a rank, after this time; at rank 0: from any rank that is not
 * forgotten. INFINITY: none. */
double next_arrival(int rank, double after);

void drop_letters(post *letters);

#endif
