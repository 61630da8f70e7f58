/* The greatest force of a collision, which is that of the greatest indentation. Between the places
 * of a step the indentation is much nearer to the motion than the polynomial of the force, which
 * misses the law of the contact by up to the error of the step. */
#include <math.h>

#include "models/beam/collocation_run.h"
#include "num/bracket.h"
#include "num/larger.h"

enum { N = IMP_BEAM_POINTS, PLACES = N + 2, NODES = N + 4 };

/* A step or a part of it. matrix and free as in a step; the ends are in the order of time. */
typedef struct stretch {
    imp_beam_manner kind;
    int index; /* of its length, if regular */
    double length;
    const imp_beam_motions *begin;
    const double *force, *free;
    double (*matrix)[N];
    double depth[2], rate[2];
} stretch;

/* The indentation at the ends and the places of a stretch, its slopes at both ends, and Newton's
 * polynomial through all of them. x is the place in the stretch; in a first or last step, where the
 * indentation is a series in half powers, it is the root of the distance from touch or break. */
typedef struct outline {
    double x[PLACES], depth[PLACES], first, last;
    double node[NODES], part[NODES];
} outline;

/* ---- the polynomial ---- */

static void set_places(const imp_beam_run *r, const stretch *s, outline *o) {
    bool regular = s->kind == IMP_BEAM_REGULAR, turned = s->kind == IMP_BEAM_BREAKS;
    const double *place = regular ? r->points->place : r->points->edge[s->kind].place;
    for (int k = 0; k < N; k++) {
        double x = turned ? 1 - place[k] : place[k], pushed = 0;
        for (int i = 0; i < N; i++) { /* the iteration leaves depths a round behind the forces */
            pushed += s->matrix[i][k] * s->force[i];
        }
        o->x[k + 1] = regular ? x : sqrt(x);
        o->depth[k + 1] = s->free[k] - pushed;
    }
    o->x[0] = 0;
    o->x[N + 1] = 1;
    o->depth[0] = s->depth[turned];
    o->depth[N + 1] = s->depth[!turned];
    o->first = regular ? s->length * s->rate[0] : 0;
    o->last = s->length * (regular ? s->rate[1] : 2 * (turned ? -s->rate[0] : s->rate[1]));
}

/* Divided differences; both ends are double nodes. */
static void set_polynomial(outline *o) {
    for (int k = 0; k < NODES; k++) {
        int at = k == 0 ? 0 : k < NODES - 1 ? k - 1 : N + 1;
        o->node[k] = o->x[at];
        o->part[k] = o->depth[at];
    }
    for (int order = 1; order < NODES; order++) {
        for (int k = NODES - 1; k >= order; k--) {
            double width = o->node[k] - o->node[k - order], slope = k == 1 ? o->first : o->last;
            o->part[k] = width > 0 ? (o->part[k] - o->part[k - 1]) / width : slope;
        }
    }
}

static double depth_at(const outline *o, double x, double *slope) {
    double depth = o->part[NODES - 1];
    *slope = 0;
    for (int k = NODES - 2; k >= 0; k--) {
        *slope = *slope * (x - o->node[k]) + depth;
        depth = depth * (x - o->node[k]) + o->part[k];
    }
    return depth;
}

/* ---- its tops ---- */

/* By how much the indentation may rise beside a place; less than 0: another one is higher. */
static double rise_beside(const outline *o, int k) {
    double before = k > 0 ? o->depth[k] - o->depth[k - 1] : o->first * o->x[1];
    double after = k <= N ? o->depth[k] - o->depth[k + 1] : -o->last * (1 - o->x[N]);
    return imp_smaller(before, after) < 0 ? -1 : imp_larger(before, after);
}

/* The top beside a place that has none higher beside it. */
static double top_beside(const outline *o, int k) {
    enum { MOST = 40 };
    const double rounding = 1e-14;
    double here, there, top = depth_at(o, o->x[k], &here);
    bool later = here > 0;
    int low = later ? k : k - 1;
    if (low < 0 || low > N) {
        return top;
    }
    depth_at(o, o->x[later ? low + 1 : low], &there);
    imp_chord c = {.ends = {.low = o->x[low], .high = o->x[low + 1]},
                   .low_value = later ? here : there,
                   .high_value = later ? there : here};
    for (int i = 0; i < MOST && c.low_value > 0 && c.high_value < 0; i++) {
        double slope, x = imp_bracket_next(&c.ends, imp_chord_next(&c));
        top = imp_larger(top, depth_at(o, x, &slope));
        imp_chord_cut(&c, x, slope);
        if (fabs(slope) * (c.ends.high - c.ends.low) <= rounding * top ||
            !imp_bracket_holds(&c.ends, imp_bracket_middle(&c.ends))) {
            break;
        }
    }
    return top;
}

/* The highest top, `least` if none is higher. The polynomial is there if one may be. */
static double top_of(outline *o, double least) {
    double top = least;
    bool known = false;
    for (int k = 0; k < PLACES; k++) {
        double rise = rise_beside(o, k);
        if (rise < 0 || o->depth[k] + rise <= top) {
            continue;
        }
        if (!known) {
            set_polynomial(o);
            known = true;
        }
        top = imp_larger(top, top_beside(o, k));
    }
    return top;
}

/* ---- halves of a step ---- */

/* Where the middle of a regular stretch is. */
typedef struct middle {
    const imp_beam_length *length; /* of the halves */
    imp_beam_motions motion;
    double depth, rate;
} middle;

static void take_half(const imp_beam_points *points, int second, const double *force,
                      double *half) {
    for (int k = 0; k < N; k++) {
        half[k] = 0;
        for (int i = 0; i < N; i++) {
            half[k] += points->half[second][k][i] * force[i];
        }
    }
}

/* False: memory ran out. */
static bool move_to_middle(imp_beam_run *r, const stretch *s, middle *m) {
    double force[N];
    m->length = imp_beam_tables_length(r->tables, r->points, s->index + 1);
    if (!m->length) {
        return r->memory = false;
    }
    take_half(r->points, 0, s->force, force);
    imp_beam_end_step(r->tables, m->length, r->shape, s->begin, force, &m->motion, &m->depth,
                      &m->rate);
    return true;
}

static double search(imp_beam_run *r, const stretch *s, int halvings, double least);

static double search_half(imp_beam_run *r, const stretch *s, const middle *m, int second,
                          int halvings, double least) {
    double force[N], free[N];
    stretch half = {.kind = IMP_BEAM_REGULAR,
                    .index = s->index + 1,
                    .length = m->length->step,
                    .begin = second ? &m->motion : s->begin,
                    .force = force,
                    .free = free,
                    .matrix = r->matrix[s->index + 1]};
    half.depth[second] = s->depth[second];
    half.rate[second] = s->rate[second];
    half.depth[!second] = m->depth;
    half.rate[!second] = m->rate;
    take_half(r->points, second, s->force, force);
    imp_beam_sum_free(r->tables, m->length, r->shape, half.begin, free);
    return search(r, &half, halvings, least);
}

/* The greatest indentation in a stretch, `least` if that is more. A polynomial that misses the
 * middle, because fast modes swing between the places, has no say: its halves are searched. First
 * and last steps are too short for these swings. */
static double search(imp_beam_run *r, const stretch *s, int halvings, double least) {
    const double part = 0.1, rounding = 1e-13;
    outline o;
    middle m;
    double slope, most = imp_larger(least, imp_larger(s->depth[0], s->depth[1]));
    set_places(r, s, &o);
    double top = top_of(&o, most);
    bool halved = top > most && s->kind == IMP_BEAM_REGULAR && halvings > 0 &&
                  s->index + 1 < IMP_BEAM_LENGTHS && move_to_middle(r, s, &m);
    double close = imp_larger(part * r->course.problem->tolerance, rounding) * top;
    if (!halved || fabs(depth_at(&o, 0.5, &slope) - m.depth) <= close ||
        !imp_beam_use_length(r, s->index + 1)) {
        return top;
    }
    most = search_half(r, s, &m, 0, halvings - 1, most);
    return search_half(r, s, &m, 1, halvings - 1, most);
}

/* ---- the step ---- */

/* Whether the indentation turns back from rising in the step. */
static bool turns_back(const imp_beam_run *r) {
    bool rises = r->rate > 0, turned = r->last.kind == IMP_BEAM_BREAKS;
    double before = r->depth;
    for (int i = 0; i <= N; i++) {
        double depth = i < N ? r->step.depth[turned ? N - 1 - i : i] : r->next_depth;
        if (rises && depth <= before) {
            return true;
        }
        rises = depth > before;
        before = depth;
    }
    return rises && r->next_rate < 0;
}

double imp_beam_greatest_depth(imp_beam_run *r) {
    enum { MOST_HALVINGS = 4 };
    if (!turns_back(r)) {
        return imp_larger(r->deepest, imp_larger(r->depth, r->next_depth));
    }
    stretch s = {.kind = r->last.kind,
                 .index = r->last.index,
                 .length = r->last.length,
                 .begin = r->now,
                 .force = r->step.force,
                 .free = r->step.free,
                 .matrix = r->step.matrix,
                 .depth = {r->depth, r->next_depth},
                 .rate = {r->rate, r->next_rate}};
    return search(r, &s, MOST_HALVINGS, r->deepest);
}
