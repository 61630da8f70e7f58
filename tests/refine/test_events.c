/* What happens to regions from one flat grid to the next. */
#include <math.h>
#include <stdlib.h>

#include "refine/events.h"
#include "support/suite.h"

enum { LEVEL = 6, SIDE = (1 << LEVEL) + 1, NODES = SIDE * SIDE };

/* The label at a place, -1 .. 1 on both axes, at a value of the outer parameter. */
typedef uint32_t (*label_of)(double x, double y, double at);

static imp_cores cores_of(label_of of, double at) {
    static uint32_t label[NODES];
    imp_cores found;
    for (int i = 0; i < NODES; i++) {
        double x = 2.0 * (i / SIDE) / (SIDE - 1) - 1, y = 2.0 * (i % SIDE) / (SIDE - 1) - 1;
        label[i] = of(x, y, at);
    }
    CHECK(imp_cores_find(2, LEVEL, label, &found) == IMP_OK, "cores");
    return found;
}

static uint32_t disk(double x, double y, double at) {
    return hypot(x - 0.3, y + 0.2) < at;
}

/* Two disks that a bar connects. */
static uint32_t dumbbell(double x, double y, double at) {
    return hypot(x - 0.5, y) < 0.3 || hypot(x + 0.5, y) < 0.3 || (fabs(x) < 0.5 && fabs(y) < at);
}

/* Left and right meet at negative values, top and bottom at positive ones. */
static uint32_t quarters(double x, double y, double at) {
    return fabs(x) - fabs(y) > at ? (x > 0 ? 1 : 2) : (y > 0 ? 3 : 4);
}

/* A square that moves toward another one, within a third label. */
static uint32_t squares(double x, double y, double at) {
    return fabs(x + 0.5) < 0.25 && fabs(y) < 0.5         ? 1
           : x >= -0.25 + at && x < 0.5 && fabs(y) < 0.5 ? 2
                                                         : 0;
}

/* A line of one node's width. */
static uint32_t line(double x, double y, double at) {
    return fabs(x - 0.25) < at && fabs(y) < 0.5;
}

static uint32_t moving(double x, double y, double at) {
    return hypot(x - at, y) < 0.3 ? 7 : 5;
}

typedef struct expected {
    const char *name;
    label_of of;
    double from, to;
    imp_event_kind kind; /* 0: no event */
    uint32_t label, other, before, after;
} expected;

static void kinds(void) {
    static const expected all[] = {
        {"born", disk, 0, 0.3, IMP_EVENT_BORN, 1, 1, 0, 1},
        {"vanished", disk, 0.3, 0, IMP_EVENT_VANISHED, 1, 1, 1, 0},
        {"split", dumbbell, 0.1, 0, IMP_EVENT_SPLIT, 1, 1, 1, 2},
        {"merged", dumbbell, 0, 0.1, IMP_EVENT_MERGED, 1, 1, 2, 1},
        {"exchanged", quarters, -0.2, 0.2, IMP_EVENT_EXCHANGED, 4, 3, 2, 2},
        {"exchanged back", quarters, 0.2, -0.2, IMP_EVENT_EXCHANGED, 2, 1, 2, 2},
        {"met", squares, 0.2, 0, IMP_EVENT_MET, 1, 2, 2, 2},
        {"parted", squares, 0, 0.2, IMP_EVENT_PARTED, 1, 2, 2, 2},
        {"too narrow to count", line, 0, 0.01, 0, 0, 0, 0, 0},
        {"moved", moving, -0.1, 0.2, 0, 0, 0, 0, 0},
        {"grown", disk, 0.2, 0.6, 0, 0, 0, 0, 0},
    };
    for (int i = 0; i < SUITE_COUNT(all); i++) {
        const expected *e = &all[i];
        imp_cores before = cores_of(e->of, e->from), after = cores_of(e->of, e->to);
        imp_events found = {.n = 0};
        CHECK(imp_events_find(&before, &after, &found) == IMP_OK, "%s", e->name);
        CHECK(found.n == (e->kind != 0), "%s: %zu events", e->name, found.n);
        if (found.n == 1) {
            const imp_event *event = found.events;
            bool pair = (event->label == e->label && event->other == e->other) ||
                        (event->label == e->other && event->other == e->label);
            CHECK(event->kind == e->kind && pair, "%s: kind %d of %u and %u", e->name,
                  (int)event->kind, event->label, event->other);
            CHECK(event->before == e->before && event->after == e->after, "%s: %u to %u", e->name,
                  event->before, event->after);
            CHECK(event->share > 0 && event->inside >= 0 && event->inside < NODES, "%s: share %g",
                  e->name, event->share);
        }
        free(found.events);
        imp_regions_free(&before.of);
        imp_regions_free(&after.of);
    }
}

SUITE("events", kinds)
