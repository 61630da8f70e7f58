#include "solve/search/outline.h"

#include <stdlib.h>

/* Ends of lines that are closer belong together: boxes without a line are as wide as four
 * brackets. */
static const double gap = 8.0 / 4096;

/* A line of the survey in the direction that has the label to its left. */
typedef struct piece {
    const imp_boundary *line;
    bool backward;
    size_t next; /* the piece that begins where this one ends; NONE */
    bool follows, used;
} piece;

static const size_t NONE = (size_t)-1;

static imp_spot spot_of(const imp_survey *survey, const piece *p, int64_t i) {
    int64_t at = p->line->first + (p->backward ? p->line->n - 1 - i : i);
    const imp_crossing *c = &survey->result.crossings[survey->result.path[at]];
    imp_spot spot;
    for (int k = 0; k < 2; k++) {
        spot.at[k] = 0.5 * (imp_survey_place(c->low[k]) + imp_survey_place(c->high[k]));
    }
    return spot;
}

static double distance(imp_spot one, imp_spot other) {
    double du = one.at[0] - other.at[0], dv = one.at[1] - other.at[1];
    du = du < 0 ? -du : du;
    dv = dv < 0 ? -dv : dv;
    return du > dv ? du : dv;
}

static bool is_closed(const imp_survey *survey, const piece *p) {
    return distance(spot_of(survey, p, 0), spot_of(survey, p, p->line->n - 1)) == 0;
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

/* Joins each end with the nearest beginning. */
static void join(const imp_survey *survey, piece *pieces, size_t n) {
    for (size_t i = 0; i < n; i++) {
        piece *p = &pieces[i];
        double nearest = gap;
        imp_spot end = spot_of(survey, p, p->line->n - 1);
        for (size_t k = 0; k < n && !is_closed(survey, p); k++) {
            double d = distance(end, spot_of(survey, &pieces[k], 0));
            if (d < nearest && !pieces[k].follows && !is_closed(survey, &pieces[k])) {
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
