#include "solve/search/outline.h"

#include <stdlib.h>

/* Ends of lines that are closer, in brackets, belong together: boxes without a line are as wide as
 * four. */
static const double gap = 8;
static const uint32_t sharp = UINT32_C(1) << 19; /* 2^-12 of the range */

/* A line of the survey in the direction that has the label to its left. */
typedef struct piece {
    const imp_boundary *line;
    bool backward;
    size_t next; /* the piece that begins where this one ends; NONE */
    bool follows, used;
} piece;

static const size_t NONE = (size_t)-1;

/* ---- crossings ---- */

/* Crossing k of a line. */
static imp_crossing *crossing_at(const imp_survey *survey, const imp_boundary *line, int64_t k) {
    return &survey->result.crossings[survey->result.path[line->first + k]];
}

/* Whether the first crossing before or after k (step -1, 1) that is clearly at another value of the
 * first parameter is below or above it (-1, 1); 0: there is none. */
static int beside(const imp_survey *survey, const imp_boundary *line, int64_t k, int step) {
    const imp_crossing *here = crossing_at(survey, line, k);
    for (int64_t i = k + step; i >= 0 && i < line->n; i += step) {
        const imp_crossing *there = crossing_at(survey, line, i);
        int above = there->low[0] >= here->high[0], below = there->high[0] <= here->low[0];
        if (above != below) {
            return above - below;
        }
    }
    return 0;
}

static bool may_turn(const imp_survey *survey, const imp_boundary *line, int64_t k) {
    return beside(survey, line, k, -1) * beside(survey, line, k, 1) >= 0;
}

bool imp_crossing_sharpen(imp_plane *plane, const imp_survey *survey, int axis,
                          imp_crossing *crossing) {
    int low = imp_survey_label(survey, crossing->class_low);
    int high = imp_survey_label(survey, crossing->class_high), label = low;
    uint32_t *from = &crossing->low[axis], *to = &crossing->high[axis];
    uint32_t key[2] = {crossing->low[0], crossing->low[1]};
    while (*to - *from > sharp && (label == low || label == high)) {
        key[axis] = *from + (*to - *from) / 2;
        imp_plane_node_labels(plane, 1, key, &label);
        *from = label == low ? key[axis] : *from;
        *to = label == high ? key[axis] : *to;
    }
    return label == low || label == high;
}

/* Takes a crossing to be level with two others of its line if these are level with each other, and
 * it may be. */
static bool bring_level(const imp_crossing *one, const imp_crossing *other, imp_crossing *between) {
    bool level = one->high[0] - one->low[0] <= sharp && one->low[0] == other->low[0] &&
                 one->high[0] == other->high[0] && between->low[0] <= one->low[0] &&
                 between->high[0] >= one->high[0];
    between->low[0] = level ? one->low[0] : between->low[0];
    between->high[0] = level ? one->high[0] : between->high[0];
    return level;
}

/* A boundary along the second parameter may turn at each of its crossings: of these every eighth
 * comes first. */
static void sharpen(imp_plane *plane, const imp_survey *survey, const imp_boundary *line) {
    enum { STEP = 8 };
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t k = 0; k < line->n && !plane->work->error; k++) {
            int64_t low = k - k % STEP, high = low + STEP;
            imp_crossing *at = crossing_at(survey, line, k);
            bool level =
                pass == 1 && k > low && high < line->n &&
                bring_level(crossing_at(survey, line, low), crossing_at(survey, line, high), at);
            if ((k == low) == (pass == 0) && !level && may_turn(survey, line, k)) {
                imp_crossing_sharpen(plane, survey, 0, at);
            }
        }
    }
}

void imp_survey_sharpen(imp_plane *plane, const imp_survey *survey) {
    for (int64_t i = 0; i < survey->result.n_boundaries; i++) {
        sharpen(plane, survey, &survey->result.boundaries[i]);
    }
}

/* ---- outlines ---- */

static imp_spot spot_of(const imp_survey *survey, const piece *p, int64_t i) {
    const imp_crossing *c = crossing_at(survey, p->line, p->backward ? p->line->n - 1 - i : i);
    return imp_spots_middle(imp_survey_spot(c->low), imp_survey_spot(c->high));
}

static bool is_closed(const imp_survey *survey, const piece *p) {
    return imp_spots_distance(spot_of(survey, p, 0), spot_of(survey, p, p->line->n - 1)) == 0;
}

static size_t collect(const imp_survey *survey, int label, piece *pieces) {
    size_t n = 0;
    for (int64_t i = 0; i < survey->result.n_boundaries; i++) {
        const imp_boundary *line = &survey->result.boundaries[i];
        bool left = imp_survey_label(survey, line->left) == label;
        if (left || imp_survey_label(survey, line->right) == label) {
            pieces[n++] = (piece){.line = line, .backward = !left, .next = NONE};
        }
    }
    return n;
}

/* Joins each end with the nearest beginning; a line that ends at the edge does not go on. */
static void join(const imp_survey *survey, piece *pieces, size_t n) {
    for (size_t i = 0; i < n; i++) {
        piece *p = &pieces[i];
        double nearest = gap * survey->bracket;
        imp_spot end = spot_of(survey, p, p->line->n - 1);
        bool ends = is_closed(survey, p) || imp_survey_is_edge(survey, end);
        for (size_t k = 0; k < n && !ends; k++) {
            imp_spot other = spot_of(survey, &pieces[k], 0);
            double d = imp_spots_distance(end, other);
            if (d < nearest && !pieces[k].follows && !is_closed(survey, &pieces[k]) &&
                !imp_survey_is_edge(survey, other)) {
                nearest = d;
                p->next = k;
            }
        }
        if (p->next != NONE) {
            pieces[p->next].follows = true;
        }
    }
}

static void add_chain(const imp_survey *survey, piece *pieces, size_t first, imp_outline *outline,
                      size_t *room) {
    imp_chain *chain = &outline->chains[outline->n++];
    *chain = (imp_chain){.spots = outline->spots + *room};
    size_t i = first;
    for (; i != NONE && !pieces[i].used; i = pieces[i].next) {
        pieces[i].used = true;
        for (int64_t k = 0; k < pieces[i].line->n; k++) {
            chain->spots[chain->n++] = spot_of(survey, &pieces[i], k);
        }
    }
    chain->closed = i == first || is_closed(survey, &pieces[first]);
    if (i == first) {
        chain->spots[chain->n++] = chain->spots[0];
    }
    *room += chain->n;
}

const imp_spot *imp_chain_spot(const imp_chain *chain, int64_t i) {
    int64_t n = (int64_t)chain->n - 1;
    return &chain->spots[chain->closed ? (i % n + n) % n : i];
}

bool imp_chain_has(const imp_chain *chain, int64_t i, int64_t from) {
    int64_t n = (int64_t)chain->n;
    return chain->closed ? i - from < n && from - i < n : i >= 0 && i < n;
}

bool imp_outline_of(const imp_survey *survey, int label, imp_outline *outline) {
    size_t lines = (size_t)survey->result.n_boundaries, room = 0;
    piece *pieces = malloc((lines + 1) * sizeof *pieces);
    *outline = (imp_outline){.chains = malloc((lines + 1) * sizeof *outline->chains)};
    outline->spots = malloc(((size_t)survey->result.n_path + lines + 1) * sizeof *outline->spots);
    bool good = pieces && outline->chains && outline->spots;
    size_t n = good ? collect(survey, label, pieces) : 0;
    join(survey, pieces, n);
    for (int rings = 0; rings < 2; rings++) {
        for (size_t i = 0; i < n; i++) {
            if (!pieces[i].used && (rings || !pieces[i].follows)) {
                add_chain(survey, pieces, i, outline, &room);
            }
        }
    }
    free(pieces);
    return good;
}

void imp_outline_free(imp_outline *outline) {
    free(outline->chains);
    free(outline->spots);
    *outline = (imp_outline){.n = 0};
}
