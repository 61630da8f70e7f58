/* Quantiles and histogram of a real output. Its values are dealt once into equal parts of their
 * range, each replicate by itself; the parts that contain a quantile of the whole or of a replicate
 * are collected, and only within these values are put in order. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/distribution.h"
#include "solve/uncertain/uncertain_impl.h"

enum { PARTS = 16 * IMP_BINS };

/* The part of each quantile of a replicate, and its rank within the part. */
typedef struct target {
    int part[IMP_MAX_QUANTILES];
    int64_t rank[IMP_MAX_QUANTILES];
} target;

struct imp_spread_room {
    int32_t (*count)[PARTS]; /* of each replicate; the last one of all together */
    target *aim;             /* of each replicate and of all together */
    uint16_t *part;          /* of each value */
    double *collected, *own; /* values of wanted parts; quantiles of replicates */
};

imp_spread_room *imp_spread_open(const imp_uncertain_plan *plan, size_t draws) {
    imp_spread_room *room = calloc(1, sizeof *room);
    size_t replicates = (size_t)plan->replicates;
    if (room) {
        room->count = malloc((replicates + 1) * sizeof *room->count);
        room->aim = malloc((replicates + 1) * sizeof *room->aim);
        room->part = malloc((draws + 1) * sizeof *room->part);
        room->collected = malloc((2 * draws + 1) * sizeof *room->collected);
        room->own = malloc((replicates * IMP_MAX_QUANTILES + 1) * sizeof *room->own);
    }
    if (room && !(room->count && room->aim && room->part && room->collected && room->own)) {
        imp_spread_close(&room);
    }
    return room;
}

void imp_spread_close(imp_spread_room **room) {
    if (*room) {
        free((*room)->count);
        free((*room)->aim);
        free((*room)->part);
        free((*room)->collected);
        free((*room)->own);
    }
    free(*room);
    *room = NULL;
}

static int64_t begin_of(const imp_draw_tally *t, int replicate) {
    return replicate > 0 ? t->end[replicate - 1] : 0;
}

/* Deals all values; where the range has no width, or one that is no ordinary number, they are all
 * in one part. */
static void deal(imp_spread_room *room, const imp_draw_tally *t, int replicates) {
    double per_width = PARTS / (t->greatest - t->least);
    bool wide = t->greatest > t->least && isfinite(per_width) && per_width > 0;
    memset(room->count, 0, (size_t)(replicates + 1) * sizeof *room->count);
    for (int r = 0; r < replicates; r++) {
        int32_t *count = room->count[r];
        for (int64_t i = begin_of(t, r); i < t->end[r]; i++) {
            double at = wide ? (t->kept[i] - t->least) * per_width : 0;
            int part = at < PARTS - 1 ? (int)at : PARTS - 1;
            room->part[i] = (uint16_t)part;
            count[part]++;
        }
        for (int p = 0; p < PARTS; p++) {
            room->count[replicates][p] += count[p];
        }
    }
}

static target aim(const imp_uncertain_plan *plan, const int32_t *count, int64_t n) {
    target t = {{0}, {0}};
    for (int q = 0; q < plan->n_quantiles; q++) {
        int64_t rank = (int64_t)ceil(plan->quantile[q] * (double)n) - 1;
        rank = rank < 0 ? 0 : rank < n ? rank : n - 1;
        int part = 0;
        for (; rank >= count[part]; part++) {
            rank -= count[part];
        }
        t.part[q] = part;
        t.rank[q] = rank;
    }
    return t;
}

/* Collects the values of the wanted parts, those of a part together and in the order of the draws;
 * start: of each part, -1 where it is not wanted. Returns their number. */
static int64_t collect(imp_spread_room *room, const imp_draw_tally *t, int replicates,
                       int64_t start[PARTS]) {
    int64_t all = 0, at[PARTS];
    for (int p = 0; p < PARTS; p++) {
        bool wanted = start[p] == 0;
        start[p] = wanted ? all : -1;
        all += wanted ? room->count[replicates][p] : 0;
        at[p] = start[p];
    }
    for (int64_t i = 0; i < t->n_kept; i++) {
        int part = room->part[i];
        if (at[part] >= 0) {
            room->collected[at[part]++] = t->kept[i];
        }
    }
    return all;
}

/* Values of a replicate in one part: they follow those of the replicates before. */
static int64_t offset_of(const imp_spread_room *room, int replicate, int part) {
    int64_t offset = 0;
    for (int r = 0; r < replicate; r++) {
        offset += room->count[r][part];
    }
    return offset;
}

static double pick(const imp_spread_room *room, const int64_t *start, int64_t all, int replicate,
                   int of, int part, int64_t rank) {
    double *scratch = room->collected + all;
    size_t n = (size_t)room->count[of][part];
    int64_t from = start[part] + (of == replicate ? offset_of(room, replicate, part) : 0);
    memcpy(scratch, room->collected + from, n * sizeof *scratch);
    return imp_select(scratch, (int64_t)n, rank);
}

static void put_quantiles(imp_spread_room *room, const imp_uncertain_plan *plan,
                          const imp_draw_tally *t, imp_value_spread *spread) {
    int64_t start[PARTS];
    int replicates = plan->replicates, known = 0;
    memset(start, 0xFF, sizeof start);
    for (int r = 0; r <= replicates; r++) {
        int64_t n = r < replicates ? t->end[r] - begin_of(t, r) : t->n_kept;
        if (n > 0) {
            room->aim[r] = aim(plan, room->count[r], n);
        }
        for (int q = 0; n > 0 && q < plan->n_quantiles; q++) {
            start[room->aim[r].part[q]] = 0;
        }
    }
    int64_t all = collect(room, t, replicates, start);
    for (int r = 0; r < replicates; r++) {
        const target *own = &room->aim[r];
        bool any = t->end[r] > begin_of(t, r);
        for (int q = 0; any && q < plan->n_quantiles; q++) {
            room->own[q * replicates + known] =
                pick(room, start, all, r, r, own->part[q], own->rank[q]);
        }
        known += any;
    }
    const target *whole = &room->aim[replicates];
    for (int q = 0; q < plan->n_quantiles; q++) {
        spread->quantile[q] =
            pick(room, start, all, -1, replicates, whole->part[q], whole->rank[q]);
        spread->error[q] = imp_standard_error(room->own + q * replicates, known);
    }
}

void imp_spread_of(imp_spread_room *room, const imp_uncertain_plan *plan, const imp_draw_tally *t,
                   int64_t draws, imp_value_spread *spread) {
    *spread = (imp_value_spread){.known = true};
    for (int q = 0; q < plan->n_quantiles; q++) {
        spread->quantile[q] = spread->error[q] = NAN;
    }
    if (t->n_kept == 0) {
        return;
    }
    deal(room, t, plan->replicates);
    put_quantiles(room, plan, t, spread);
    for (int p = 0; p < PARTS; p++) {
        spread->bin[p / (PARTS / IMP_BINS)] += room->count[plan->replicates][p];
    }
    for (int b = 0; b < IMP_BINS; b++) {
        spread->bin[b] /= (double)draws;
    }
}
