/* Sections of the inner side of a boundary, and what three of them tell of its extreme. */
#include <math.h>

#include "num/exponential.h"
#include "num/larger.h"
#include "solve/search/climb.h"

const double imp_least_drop = 2.0 / 4096;
enum { DOUBLINGS = 6 };

bool imp_flank_is_inner(imp_flank *f, double x, double y) {
    imp_spot spot = {{f->turn.sign * x, y}};
    int label;
    imp_plane_labels(f->turns->plane, 1, &spot, &label);
    return (label == f->turn.label) == f->turn.within;
}

double imp_flank_chain_at(const imp_flank *f, int step, double x) {
    const imp_spot *last = imp_chain_spot(f->chain, f->top), *spot = last;
    for (int64_t i = f->top + step;
         imp_chain_has(f->chain, i, f->top) && f->turn.sign * spot->at[0] > x; i += step) {
        last = spot;
        spot = imp_chain_spot(f->chain, i);
    }
    double way = f->turn.sign * (last->at[0] - spot->at[0]);
    double part = way > 0 ? (f->turn.sign * last->at[0] - x) / way : 0;
    part = part < 0 ? 0 : part > 1 ? 1 : part;
    return last->at[1] + part * (spot->at[1] - last->at[1]);
}

imp_slice imp_flank_slice(const imp_flank *f, double x) {
    double before = imp_flank_chain_at(f, -1, x), after = imp_flank_chain_at(f, 1, x);
    return (imp_slice){.x = x, .a = imp_smaller(before, after), .b = imp_larger(before, after)};
}

/* Finds an end of a section, before or after (way -1, 1) a place inside: from where it is expected
 * on with steps that double, to a part `close` of its distance. False if it is not there. */
static bool find_end(imp_flank *f, double x, double inside, int way, double step, double close,
                     double *end) {
    step = imp_larger(step, f->turns->finest);
    double in = inside, out = way * (*end - inside) > 0 ? *end : inside + way * step;
    bool inner = imp_is_in_plane(out) && imp_flank_is_inner(f, x, out), ends = !inner;
    for (int i = 0; inner && i < DOUBLINGS; i++, step *= 2) {
        in = out;
        out += way * step;
        inner = imp_is_in_plane(out) && imp_flank_is_inner(f, x, out);
    }
    for (; ends && way * (out - way * step - inside) > 0; step *= 2) {
        double at = out - way * step;
        ends = !imp_flank_is_inner(f, x, at);
        *(ends ? &out : &in) = at;
    }
    while (fabs(out - in) > imp_larger(close * fabs(out - inside), f->turns->finest)) {
        double middle = in + 0.5 * (out - in);
        *(imp_flank_is_inner(f, x, middle) ? &in : &out) = middle;
    }
    *end = in + 0.5 * (out - in);
    return !inner && imp_is_in_plane(out);
}

bool imp_flank_find(imp_flank *f, const imp_slice *expected, double step, double close,
                    imp_slice *found) {
    double inside = imp_slice_middle(expected);
    imp_slice s = *expected;
    bool good = imp_is_in_plane(f->turn.sign * s.x) && imp_flank_is_inner(f, s.x, inside) &&
                find_end(f, s.x, inside, -1, step, close, &s.a) &&
                find_end(f, s.x, inside, 1, step, close, &s.b);
    *found = good ? s : *found;
    return good;
}

/* Whether the widths narrow along a straight line, as closely as brackets of their ends tell. */
static bool is_straight(const imp_ladder *l) {
    static const double noise = 1.0 / 128;
    double low = imp_slice_width(&l->low), high = imp_slice_width(&l->high);
    double part = (l->middle.x - l->low.x) / (l->high.x - l->low.x);
    double width = imp_slice_width(&l->middle), straight = low + part * (high - low);
    return fabs(width - straight) < noise * (width + part * high + (1 - part) * low);
}

void imp_ladder_extrapolate(imp_ladder *l) {
    static const double least_power = 0.25, most_power = 1.5, least_narrowing = 0.03;
    double high = l->high.x - l->middle.x, low = l->high.x - l->low.x;
    double closing = imp_log(imp_slice_width(&l->middle) / imp_slice_width(&l->high));
    double before = imp_log(imp_slice_width(&l->low) / imp_slice_width(&l->middle));
    double least = high / (UINT64_C(1) << 20), most = 64 * low;
    for (int i = 0; i < 40; i++) {
        double gap = sqrt(least * most);
        double one = imp_log1p(high / gap), other = imp_log((gap + low) / (gap + high));
        *(before * one > closing * other ? &least : &most) = gap;
    }
    bool narrows = closing > 0 && before > 0 && closing + before > least_narrowing;
    double steep = high / (imp_exp(imp_larger(closing, 0) / least_power) - 1);
    l->gap = narrows ? imp_larger(sqrt(least * most), steep) : 4 * low;
    bool far = !narrows || closing > most_power * imp_log1p(high / l->gap);
    l->gap = far ? imp_smaller(l->gap, 4 * low) : l->gap;
    l->power = narrows ? closing / imp_log1p(high / l->gap) : 0;
    l->bends = far || is_straight(l);
    if (narrows && is_straight(l)) {
        l->power = 1;
        l->gap = low / (imp_slice_width(&l->low) / imp_slice_width(&l->high) - 1);
    }
    double shift = imp_slice_middle(&l->high) - imp_slice_middle(&l->middle);
    double shift_before = imp_slice_middle(&l->middle) - imp_slice_middle(&l->low);
    double bent = fabs(shift - shift_before * high / (low - high));
    l->smooth = fabs(l->power - 0.5) < 0.125 && bent < 0.125 * imp_slice_width(&l->high);
}

double imp_ladder_lean(const imp_ladder *l) {
    return (imp_slice_middle(&l->high) - imp_slice_middle(&l->middle)) / (l->high.x - l->middle.x);
}
