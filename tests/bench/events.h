/* What happens to virtual ranks, the earliest first. */
#ifndef IMP_TESTS_BENCH_EVENTS_H
#define IMP_TESTS_BENCH_EVENTS_H

#include <stdlib.h>

typedef struct event {
    double time;
    int rank;
} event;

/* A heap. Start with {0}; its memory is freed by the owner. */
typedef struct events {
    event *heap;
    size_t n, room;
} events;

static inline void events_add(events *all, event e) {
    if (all->n == all->room) {
        all->room = 2 * all->room + 1024;
        all->heap = realloc(all->heap, all->room * sizeof e);
    }
    size_t i = all->n++;
    for (; i > 0 && all->heap[(i - 1) / 2].time > e.time; i = (i - 1) / 2) {
        all->heap[i] = all->heap[(i - 1) / 2];
    }
    all->heap[i] = e;
}

static inline event events_take(events *all) {
    event *heap = all->heap, first = heap[0], last = heap[--all->n];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < all->n; i = child) {
        child += child + 1 < all->n && heap[child + 1].time < heap[child].time;
        if (heap[child].time >= last.time) {
            break;
        }
        heap[i] = heap[child];
    }
    heap[i] = last;
    return first;
}

#endif
