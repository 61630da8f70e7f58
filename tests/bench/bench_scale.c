/* Efficiency against the number of ranks, in a simulation with the real ledger and measured costs of
 * messages and cells. Rows on the standard output, for bench/scale.py.
 *
 * gather, parallel: rank 0 hands chunks to every rank, and receives values or counts. nodes: rank 0
 * hands batches to a leader on each node, which hands chunks to the ranks of its node; these write
 * values and marks themselves. The program does not do the last. grown: parallel, with more and more
 * cells. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/ledger.h"
#include "sched/message.h"
#include "support/random.h"

/* Seconds of rank 0 for an answer and the next order (17,000 to 49,000 a second were measured), for
 * a byte that it receives and writes (bench_gather: 0.86 GB/s), and on the way. */
static const double message_seconds = 30e-6, byte_seconds = 1 / 0.86e9, latency = 5e-6;

/* Seconds of a cell vary from chunk to chunk between these, as over the maps in tests/README.md. */
typedef struct theory {
    const char *name;
    double least, most;
} theory;

typedef struct way {
    const char *name;
    int node;     /* ranks of a node that has a leader; 0: flat */
    double bytes; /* of a cell, to rank 0 or a leader */
} way;

/* COUNTS: bytes of an answer with counts. CHUNKS: of the longest size, most for each rank. */
enum { QUEUED = 2, COUNTS = 640, CHUNKS = 40 };

/* Hands out cells and hears of their ends, one message at a time. */
typedef struct boss {
    imp_ledger *ledger;
    double busy; /* until then */
    int asked;   /* batches on their way to this leader */
    int *parked, n_parked;
} boss;

typedef struct worker {
    double ready[QUEUED]; /* when the order arrives */
    int64_t cells[QUEUED];
    int n;
    bool parked; /* the boss had nothing for it */
    boss *boss;
} worker;

typedef struct event {
    double time;
    int worker;    /* its chunk ends; below 0: a batch arrives at leader -1 - worker */
    int64_t cells; /* 0: the first offer to this worker is due */
    double seconds;
} event;

typedef struct simulation {
    const theory *theory;
    const way *way;
    random_source random;
    event *heap;
    size_t n, room;
    worker *workers;
    boss top, *leaders;
    int n_workers, n_leaders;
    double work, end;
    long messages; /* to rank 0 */
} simulation;

/* ---- events, the earliest first ---- */

static void push(simulation *s, event e) {
    if (s->n == s->room) {
        s->room = 2 * s->room + 1024;
        s->heap = realloc(s->heap, s->room * sizeof e);
    }
    size_t i = s->n++;
    for (; i > 0 && s->heap[(i - 1) / 2].time > e.time; i = (i - 1) / 2) {
        s->heap[i] = s->heap[(i - 1) / 2];
    }
    s->heap[i] = e;
}

static event pop(simulation *s) {
    event first = s->heap[0], last = s->heap[--s->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < s->n; i = child) {
        child += child + 1 < s->n && s->heap[child + 1].time < s->heap[child].time;
        if (s->heap[child].time >= last.time) {
            break;
        }
        s->heap[i] = s->heap[child];
    }
    s->heap[i] = last;
    return first;
}

/* ---- messages ---- */

/* The boss handles a message that comes at this time, and is done with it at the time returned. */
static double handle(simulation *s, boss *b, double time, double bytes, double messages) {
    b->busy = fmax(b->busy, time + latency) + messages * message_seconds + bytes * byte_seconds;
    s->messages += b == &s->top;
    return b->busy + latency;
}

static double cell_seconds(simulation *s) {
    return random_log(&s->random, s->theory->least, s->theory->most);
}

static void start_chunk(simulation *s, int number, double time) {
    worker *w = &s->workers[number];
    double seconds = (double)w->cells[0] * cell_seconds(s), begin = fmax(time, w->ready[0]);
    s->work += seconds;
    push(s, (event){begin + seconds, number, w->cells[0], seconds});
}

static void ask_for_batches(simulation *s, boss *b, double time) {
    while (s->way->node && b->asked < QUEUED) {
        double there = handle(s, &s->top, time, 0, 1);
        imp_chunk batch = imp_ledger_take(s->top.ledger, INFINITY);
        if (batch.count == 0) {
            return;
        }
        b->asked++;
        push(s, (event){there, -1 - (int)(b - s->leaders), batch.count, 0});
    }
}

/* Fills the worker's queue. */
static void offer(simulation *s, int number, double time) {
    worker *w = &s->workers[number];
    while (w->n < QUEUED) {
        imp_chunk chunk = imp_ledger_take(w->boss->ledger, INFINITY);
        if (chunk.count == 0) {
            if (!w->parked) {
                w->boss->parked[w->boss->n_parked++] = number;
            }
            w->parked = true;
            return;
        }
        w->ready[w->n] = time;
        w->cells[w->n++] = chunk.count;
        if (w->n == 1) {
            start_chunk(s, number, time);
        }
    }
}

/* Seconds after which a rank answers with a part of its chunk (sched/slice.h). */
static double longest_wait(const simulation *s) {
    return fmax(1, 60e-6 * (s->way->node ? s->way->node : s->n_workers));
}

static void end_chunk(simulation *s, event e) {
    worker *w = &s->workers[e.worker];
    double answers = 1 + floor(e.seconds / longest_wait(s));
    double bytes = (double)e.cells * s->way->bytes + answers * COUNTS;
    w->n--;
    w->ready[0] = w->ready[1];
    w->cells[0] = w->cells[1];
    if (w->n > 0) {
        start_chunk(s, e.worker, e.time);
    }
    double there = handle(s, w->boss, e.time, bytes, answers);
    s->end = fmax(s->end, w->boss->busy);
    imp_ledger_measured(w->boss->ledger, e.cells, e.seconds);
    offer(s, e.worker, there);
}

static void take_batch(simulation *s, event e) {
    static int64_t first; /* cells of batches need no place of their own */
    boss *b = &s->leaders[-1 - e.worker];
    double mean = sqrt(s->theory->least * s->theory->most);
    b->asked--;
    imp_ledger_add(b->ledger, first, e.cells);
    first += e.cells + 1;
    imp_ledger_measured(s->top.ledger, e.cells, (double)e.cells * mean / s->way->node);
    ask_for_batches(s, b, e.time);
    for (int n = b->n_parked; n > 0; n--) { /* in turn; those that get nothing wait again */
        int number = b->parked[0];
        memmove(b->parked, b->parked + 1, (size_t)--b->n_parked * sizeof *b->parked);
        s->workers[number].parked = false;
        offer(s, number, handle(s, b, e.time, 0, 1));
    }
}

/* ---- a run ---- */

static void open(simulation *s, int ranks, int64_t cells) {
    int per = s->way->node ? s->way->node : ranks;
    int64_t most = s->way->bytes > 0 ? (int64_t)(IMP_BLOCK_BYTES / s->way->bytes) : INT64_MAX;
    s->n_leaders = s->way->node ? (ranks + per - 1) / per : 1;
    s->n_workers = ranks - (s->way->node ? s->n_leaders + 1 : 1); /* a leader does not compute */
    s->workers = calloc((size_t)s->n_workers, sizeof *s->workers);
    s->leaders = calloc((size_t)s->n_leaders, sizeof *s->leaders);
    s->top.ledger = imp_ledger_new((imp_chunking){0, s->n_leaders, INT64_MAX});
    imp_ledger_add(s->top.ledger, 0, cells);
    for (int l = 0; l < s->n_leaders; l++) {
        s->leaders[l].parked = malloc((size_t)ranks * sizeof(int));
        s->leaders[l].ledger = imp_ledger_new((imp_chunking){0, per, most});
    }
    if (!s->way->node) {
        imp_ledger_add(s->leaders[0].ledger, 0, cells);
    }
    for (int w = 0; w < s->n_workers; w++) {
        s->workers[w].boss = &s->leaders[w % s->n_leaders];
    }
}

static void close(simulation *s) {
    for (int l = 0; l < s->n_leaders; l++) {
        imp_ledger_free(&s->leaders[l].ledger);
        free(s->leaders[l].parked);
    }
    imp_ledger_free(&s->top.ledger);
    free(s->leaders);
    free(s->workers);
    free(s->heap);
}

static double efficiency(const theory *t, const way *kind, int ranks, int64_t cells) {
    simulation s = {.theory = t, .way = kind, .random = {1}};
    open(&s, ranks, cells);
    /* Between two offers a boss takes the answers that have come. */
    for (int w = 0; w < s.n_workers; w++) {
        push(&s, (event){w / s.n_leaders * message_seconds, w, 0, 0});
    }
    for (int l = 0; l < s.n_leaders; l++) {
        ask_for_batches(&s, &s.leaders[l], 0);
    }
    while (s.n > 0) {
        event e = pop(&s);
        if (e.worker >= 0 && e.cells == 0) {
            offer(&s, e.worker, handle(&s, s.workers[e.worker].boss, e.time, 0, 1));
        } else {
            (e.worker < 0 ? take_batch : end_chunk)(&s, e);
        }
    }
    double found = s.work / (s.end * ranks);
    close(&s);
    return found;
}

static void print(const theory *t, const way *kind, int ranks, double cells) {
    double each = cells * sqrt(t->least * t->most) / ranks;
    printf("%s,%s,%d,%.3g,%.3g,%.4f\n", t->name, kind->name, ranks, cells, each,
           efficiency(t, kind, ranks, (int64_t)cells));
    fflush(stdout);
}

int main(void) {
    static const theory theories[] = {
        {"linear", 0.18e-6, 0.28e-6}, {"hertz", 16e-6, 32e-6}, {"beam", 2.4e-3, 4.7e-3}};
    static const way ways[] = {{"gather", 0, 10}, {"parallel", 0, 0}, {"nodes", 128, 0}};
    static const way grown = {"grown", 0, 0};
    static const int ranks[] = {10, 100, 1000, 10000, 100000};
    static const double most_cells = 1e12;
    static const double times[] = {1, 3, 10, 30, 100, 300}; /* seconds of each rank */
    printf("theory,way,ranks,cells,seconds,efficiency\n");
    for (int t = 0; t < 3; t++) {
        for (int w = 0; w < 3; w++) {
            for (int r = 0; r < 5; r++) {
                double longest = fmax(50e-3, 300e-6 * (ways[w].node ? 1 : ranks[r]));
                double fitting = CHUNKS * ranks[r] * longest / theories[t].most;
                print(&theories[t], &ways[w], ranks[r], fmin(most_cells, fitting));
            }
        }
        for (int i = 0; i < 6; i++) {
            double mean = sqrt(theories[t].least * theories[t].most);
            print(&theories[t], &grown, 100000, times[i] * 100000 / mean);
        }
    }
    return 0;
}
