/* What happens to the regions of a flat grid from one value of an outer axis to the next. */
#ifndef IMP_REFINE_EVENTS_H
#define IMP_REFINE_EVENTS_H

#include "refine/regions.h"

/* Regions are compared by their cores: connected nodes all of whose neighbours along the axes have
 * their label, four of them or more. So a strip, or a neck of a region, of one or two nodes, of
 * which the grid does not show whether it is whole, makes no event as it comes and goes. A core
 * goes on as the one of its label with which it shares the most nodes. */
typedef struct imp_cores {
    imp_regions of; /* cores, and what is left: those of the label IMP_NO_CORE */
    int64_t nodes;  /* of the grid */
} imp_cores;

#define IMP_NO_CORE UINT32_MAX

/* label: as for imp_regions_find. Nodes beside a core belong to it; borders are those of at least
 * four pairs of neighbouring nodes, and shares are parts of the nodes. The caller frees *found with
 * imp_regions_free(&found->of), also after an error. Errors: IMP_ERR_MEMORY. */
imp_err imp_cores_find(int n_axes, int level, const uint32_t *label, imp_cores *found);

typedef enum imp_event_kind {
    IMP_EVENT_BORN = 1,
    IMP_EVENT_VANISHED,
    IMP_EVENT_MERGED,
    IMP_EVENT_SPLIT,
    IMP_EVENT_MET,      /* two regions became neighbours */
    IMP_EVENT_PARTED,   /* two regions are neighbours no more */
    IMP_EVENT_EXCHANGED /* two regions became neighbours, and two between them parted */
} imp_event_kind;

/* Names of the kinds, from the code 1 on. */
#define IMP_EVENT_KINDS(X) X(born) X(vanished) X(merged) X(split) X(met) X(parted) X(exchanged)

typedef struct imp_event {
    imp_event_kind kind;
    uint32_t label, other;  /* other: of the second region of a pair; else the same label */
    uint32_t before, after; /* numbers of regions that go over into each other; of pairs 2 and 2 */
    double share;           /* of the largest of these regions */
    int64_t inside;         /* a node well inside that region; of pairs inside the smaller region */
} imp_event;

typedef struct imp_events {
    imp_event *events;
    size_t n, room;
} imp_events;

/* Adds what happens between two grids of the same size; the caller frees found->events, also after
 * an error. Errors: IMP_ERR_MEMORY. */
imp_err imp_events_find(const imp_cores *before, const imp_cores *after, imp_events *found);

#endif
