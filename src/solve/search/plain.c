/* Boxes where no more labels meet than the survey shows. As many lines leave the square around such
 * a box as labels meet there: three that end there, or four, of which two and two go straight
 * through. A strip that the survey sees would be two lines more, and one that is too narrow for it
 * is in the bracket of a crossing. */
#include "solve/search/plain.h"

#include <math.h>

#include "solve/search/outline.h"

/* A line that leaves the square: its crossings on both sides of the edge, a bit for each label
 * beside it. */
typedef struct ray {
    imp_crossing in, out;
    uint64_t labels;
} ray;

enum { MOST_RAYS = 4, LABELS = 64 };

static imp_spot middle_of(const imp_crossing *c) {
    return imp_spots_middle(imp_survey_spot(c->low), imp_survey_spot(c->high));
}

static bool is_inside(const imp_square *square, const imp_crossing *c) {
    uint32_t size = (UINT32_C(1) << 31) >> square->halvings;
    bool in = true;
    for (int k = 0; k < 2; k++) {
        in = in && c->low[k] >= square->low[k] && c->high[k] <= square->low[k] + size;
    }
    return in;
}

/* Adds the rays of a line; false if they become too many, or all of it is in the square. */
static bool add_rays(const imp_survey *survey, const imp_square *square, const imp_boundary *line,
                     ray *rays, int *n) {
    const uint32_t *path = survey->result.path + line->first;
    const imp_crossing *all = survey->result.crossings, *last = all + path[0];
    bool beyond = !is_inside(square, last);
    for (int64_t k = 1; k < line->n; k++) {
        const imp_crossing *at = all + path[k];
        bool in = is_inside(square, at);
        if (in != is_inside(square, last)) {
            if (*n == MOST_RAYS || line->left >= LABELS || line->right >= LABELS) {
                return false;
            }
            rays[(*n)++] = (ray){.in = in ? *at : *last,
                                 .out = in ? *last : *at,
                                 .labels = UINT64_C(1) << line->left | UINT64_C(1) << line->right};
        }
        beyond = beyond || !in;
        last = at;
    }
    return beyond;
}

/* Whether the labels between the rays are as many as these, each of them between two. */
static bool is_ring(const ray *rays, int n) {
    uint64_t odd = 0;
    bool ring = n >= 3;
    for (int k = 0; k < n; k++) {
        int beside = 0;
        for (int i = 0; i < n; i++) {
            bool same = i != k && rays[i].labels == rays[k].labels;
            beside += i != k && (rays[i].labels & rays[k].labels) != 0;
            ring = ring && !same;
        }
        ring = ring && beside == 2;
        odd ^= rays[k].labels;
    }
    return ring && odd == 0;
}

/* Whether a place is on the straight line from a to b. */
static bool is_between(imp_spot a, imp_spot b, imp_spot at, double slack) {
    double dx = b.at[0] - a.at[0], dy = b.at[1] - a.at[1];
    double x = at.at[0] - a.at[0], y = at.at[1] - a.at[1];
    double part = (x * dx + y * dy) / (dx * dx + dy * dy);
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return fabs(x - part * dx) <= slack && fabs(y - part * dy) <= slack;
}

/* Whether every ray that has no label in common with another one goes straight on as that one. */
static bool goes_through(const ray *rays, int n, imp_spot box, double slack) {
    bool through = true;
    for (int k = 1; k < n; k++) {
        for (int i = 0; i < k; i++) {
            through =
                through && ((rays[i].labels & rays[k].labels) != 0 ||
                            is_between(middle_of(&rays[i].in), middle_of(&rays[k].in), box, slack));
        }
    }
    return through;
}

/* Whether rays are far from each other: a narrow sector may hide others. */
static bool are_apart(const ray *rays, int n, double least) {
    bool apart = true;
    for (int k = 1; k < n; k++) {
        for (int i = 0; i < k; i++) {
            imp_spot one = middle_of(&rays[i].out), other = middle_of(&rays[k].out);
            apart = apart && imp_spots_distance(one, other) >= least;
        }
    }
    return apart;
}

/* Whether the lines in the square are straight from the box to its edge. */
static bool are_straight(const imp_survey *survey, const imp_square *square, const ray *rays, int n,
                         imp_spot box) {
    bool straight = true;
    for (int64_t i = 0; i < survey->result.n_crossings && straight; i++) {
        const imp_crossing *at = &survey->result.crossings[i];
        straight = !is_inside(square, at);
        for (int k = 0; k < n && !straight; k++) {
            straight = is_between(box, middle_of(&rays[k].out), middle_of(at), survey->bracket);
        }
    }
    return straight;
}

/* Sharpens both crossings of a ray. True if they hide no label, and the ray is clearly inclined or
 * straight along the second parameter: between these the survey may miss an extreme at the box. */
static bool is_clear(imp_plane *plane, const imp_survey *survey, imp_spot box, ray *r) {
    double fine = plane->work->search->plan.kind->closer.bracket, rough = survey->bracket;
    if (!imp_crossing_sharpen(plane, survey, r->in.high[0] == r->in.low[0], &r->in) ||
        !imp_crossing_sharpen(plane, survey, r->out.high[0] == r->out.low[0], &r->out)) {
        return false;
    }
    double in = middle_of(&r->in).at[0] - box.at[0], out = middle_of(&r->out).at[0] - box.at[0];
    bool straight = fabs(in - out) <= fine && fabs(in) <= rough;
    return straight || fabs(in) >= 2 * rough || fabs(out) >= 8 * rough;
}

bool imp_survey_is_plain(imp_plane *plane, const imp_survey *survey, const imp_junction *box,
                         const imp_square *around) {
    ray rays[MOST_RAYS];
    int n = 0;
    bool plain = true;
    imp_spot middle = imp_spots_middle(imp_survey_spot(box->low), imp_survey_spot(box->high));
    for (int64_t i = 0; i < survey->result.n_boundaries && plain; i++) {
        plain = add_rays(survey, around, &survey->result.boundaries[i], rays, &n);
    }
    plain = plain && is_ring(rays, n) && goes_through(rays, n, middle, 2 * survey->bracket) &&
            are_apart(rays, n, 8 * survey->bracket) &&
            are_straight(survey, around, rays, n, middle);
    for (int k = 0; k < n && plain; k++) {
        plain = is_clear(plane, survey, middle, &rays[k]);
    }
    return plain;
}
