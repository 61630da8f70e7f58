/* Smooth extremes, and boundaries that are straight along the second parameter: the boundary is
 * bracketed along the first one. */
#include <math.h>

#include "num/larger.h"
#include "solve/search/climb.h"

static const double farthest = 1.0 / 32; /* from where it is expected */
enum { NOWHERE = -2 };

/* The boundary at y is between the heights `inner` and `outer`; both are NOWHERE if it is not close
 * to where it was expected. */
typedef struct height {
    double y, inner, outer;
} height;

/* Brackets the boundary at y from where it is expected on, with steps that double. */
static height height_at(imp_flank *f, double y, double expected, double step) {
    height h = {.y = y, .inner = NOWHERE, .outer = NOWHERE};
    double last = expected, at = expected;
    bool inner = imp_is_in_plane(f->turn.sign * at) && imp_flank_is_inner(f, at, y), here = inner;
    for (; here == inner && step < farthest; step *= 2) {
        last = at;
        at += inner ? step : -step;
        if (!imp_is_in_plane(f->turn.sign * last) || !imp_is_in_plane(f->turn.sign * at)) {
            return h;
        }
        here = imp_flank_is_inner(f, at, y);
    }
    if (here != inner) {
        h.inner = inner ? last : at;
        h.outer = inner ? at : last;
    }
    return h;
}

static void narrow(imp_flank *f, height *h, double width) {
    while (h->outer - h->inner > width) {
        double middle = h->inner + 0.5 * (h->outer - h->inner);
        if (middle <= h->inner || middle >= h->outer) {
            break;
        }
        *(imp_flank_is_inner(f, middle, h->y) ? &h->inner : &h->outer) = middle;
    }
}

static double tighten(imp_flank *f, height *h) {
    narrow(f, h, f->turns->finest);
    return h->inner + 0.5 * (h->outer - h->inner);
}

enum { POINTS = 7 };

/* Newton's polynomial through values at these places has the coefficients c. */
static const double nodes[POINTS] = {0, 1, -1, 2, -2, 3, -3};

/* The next coefficient, of the polynomial through one more value. */
static void extend(double *c, int n, double value) {
    for (int i = 0; i < n; i++) {
        value = (value - c[i]) / (nodes[n] - nodes[i]);
    }
    c[n] = value;
}

/* Value, slope and curvature of the polynomial through the first n nodes. */
static void evaluate(const double *c, int n, double t, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int i = n - 1; i >= 0; i--) {
        out[2] = out[2] * (t - nodes[i]) + 2 * out[1];
        out[1] = out[1] * (t - nodes[i]) + out[0];
        out[0] = out[0] * (t - nodes[i]) + c[i];
    }
}

/* The maximum of the polynomial through the first n nodes; NaN if there is none close to 0. */
static double top_of(const double *c, int n, double *value) {
    double t = 0, out[3];
    for (int i = 0; i < 20; i++) {
        evaluate(c, n, t, out);
        double step = out[2] < 0 ? -out[1] / out[2] : NAN;
        t += step;
        if (!(fabs(t) < 2)) {
            return NAN;
        }
    }
    evaluate(c, n, t, out);
    *value = out[0];
    return t;
}

/* The coefficients of the boundary around a place; `step`: what it may change by from there to the
 * next. False if it is not there or no parabola. */
static bool sample(imp_flank *f, height *top, double h, double step, double *c) {
    for (int i = 0; i < POINTS; i++) {
        double expected[3], rougher[3];
        evaluate(c, i, nodes[i], expected);
        evaluate(c, i - 1, nodes[i], rougher);
        double close = i > 1 ? 0.25 * fabs(expected[0] - rougher[0]) : step;
        close = close > 4 * f->turns->finest ? close : 4 * f->turns->finest;
        height next = i ? height_at(f, top->y + nodes[i] * h, expected[0], close) : *top;
        if (next.inner == NOWHERE) {
            return false;
        }
        extend(c, i, tighten(f, &next));
        if (i == 3 && fabs(c[3]) > 0.15 * fabs(c[2])) {
            return false;
        }
    }
    return true;
}

bool imp_flank_fit(imp_flank *f, const imp_ladder *l) {
    double c[POINTS], value = NAN, rougher = NAN, h = imp_slice_width(&l->high) / 6;
    double y = imp_slice_middle(&l->high) + imp_ladder_lean(l) * l->gap;
    height top = height_at(f, y, l->high.x + l->gap, 0.25 * l->gap);
    if (y - 3 * h < 0 || y + 3 * h > 1 || top.inner == NOWHERE ||
        !sample(f, &top, h, 0.25 * l->gap, c)) {
        return false;
    }
    double t = top_of(c, POINTS, &value), near = top_of(c, POINTS - 2, &rougher);
    if (isnan(t) || isnan(near)) {
        return false;
    }
    height found = height_at(f, y + t * h, value, 4 * f->turns->finest);
    double truth = tighten(f, &found);
    double noise = 8 * f->turns->finest, miss = fabs(truth - value) + noise;
    f->turn.at[0] = f->turn.sign * value;
    f->turn.at[1] = found.y;
    f->turn.error[0] = miss;
    f->turn.error[1] = fabs(t - near) * h + h * noise / (fabs(2 * c[2]) + noise);
    return fabs(truth - value) < 64 * f->turns->finest &&
           fabs(value - rougher) < imp_larger(1e-10, 64 * f->turns->finest);
}

/* The stretch of the chain around its extreme that is as high, to within half of what an extreme
 * must stand out by. */
static imp_slice stretch_of(const imp_flank *f) {
    double at = f->turn.seen.at[1];
    imp_slice s = {.x = imp_flank_seen(f), .a = at, .b = at};
    for (int step = -1; step <= 1; step += 2) {
        for (int64_t i = f->top + step; imp_chain_has(f->chain, i, f->top); i += step) {
            const imp_spot *spot = imp_chain_spot(f->chain, i);
            if (s.x - f->turn.sign * spot->at[0] > 0.5 * imp_least_drop) {
                break;
            }
            s.a = imp_smaller(s.a, spot->at[1]);
            s.b = imp_larger(s.b, spot->at[1]);
        }
    }
    return s;
}

/* Whether a boundary passes between two heights at three places of a stretch. */
static bool is_between(imp_flank *f, const imp_slice *s, const height *h) {
    static const double parts[] = {0.5, 0.9, 0.1};
    bool between =
        imp_is_in_plane(f->turn.sign * h->inner) && imp_is_in_plane(f->turn.sign * h->outer);
    for (int i = 0; i < 3 && between; i++) {
        double y = s->a + parts[i] * imp_slice_width(s);
        between = imp_flank_is_inner(f, h->inner, y) && !imp_flank_is_inner(f, h->outer, y);
    }
    return between;
}

void imp_flank_note_line(imp_flank *f, double x) {
    imp_turns *turns = f->turns;
    if (imp_search_grow(turns->plane->work, &turns->lines, &turns->line_room, turns->n_lines + 1,
                        sizeof *turns->lines)) {
        turns->lines[turns->n_lines++] = f->turn.sign * x;
    }
}

/* Whether a stretch is on a line that is known. */
static bool is_on_line(imp_flank *f, const imp_slice *s) {
    static const double width = 1.0 / (1 << 20);
    for (size_t i = 0; i < f->turns->n_lines; i++) {
        double x = f->turn.sign * f->turns->lines[i];
        height around = {.inner = x - width, .outer = x + width};
        if (fabs(x - s->x) < 2 * imp_least_drop && is_between(f, s, &around)) {
            return true;
        }
    }
    return false;
}

bool imp_flank_is_line(imp_flank *f) {
    static const double least_stretch = 1.0 / 64, part = 0.25;
    static const double widths[] = {1.0 / (1 << 14), 1.0 / (1 << 23)};
    imp_slice s = stretch_of(f);
    double y = s.a + part * imp_slice_width(&s);
    if (is_on_line(f, &s)) {
        return true;
    }
    if (imp_slice_width(&s) < least_stretch) {
        return false;
    }
    height h = height_at(f, y, s.x, imp_least_drop);
    for (int i = 0; i < 2 && h.inner != NOWHERE; i++) {
        narrow(f, &h, widths[i]);
        height around = {.y = y, .inner = h.inner - widths[i], .outer = h.outer + widths[i]};
        h.inner = is_between(f, &s, &around) ? h.inner : NOWHERE;
    }
    if (h.inner != NOWHERE) {
        imp_flank_note_line(f, 0.5 * (h.inner + h.outer));
    }
    return h.inner != NOWHERE;
}
