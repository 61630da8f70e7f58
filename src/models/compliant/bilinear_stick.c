/* Stick under the linear law with restitution below 1, cut where the side of the normal spring changes. */
#include <math.h>

#include "models/compliant/bilinear_impl.h"
#include "num/bracket.h"
#include "num/larger.h"

/* After a piece a phase ends, or goes on along the other side of the spring. */
typedef enum piece_end { PHASE_ENDS, GOES_ON } piece_end;

/* ---- stick of a constrained body: one mode ---- */

/* The oscillation along (c, 1): x is the displacement of the contact along n, and oscillates about
 * `middle` with the angular frequency w. */
typedef struct swinging {
    double middle, w, speed;
} swinging;

static swinging swinging_of(const imp_compliant_problem *p, const state *now) {
    double square = 1 + p->c * p->c;
    return (swinging){(now->delta - p->c * now->u) / square, sqrt(square), now->v_n};
}

static double reach_of(const swinging *m) {
    double swing = m->speed / m->w;
    return sqrt(m->middle * m->middle + swing * swing);
}

/* Phase of the oscillation at x, where v_n has the given sign; 0 at the lowest x. */
static double phase_angle(const swinging *m, double x, double sign) {
    double reach = reach_of(m), y = x - m->middle;
    double across = sqrt(imp_larger(0, (reach - y) * (reach + y)));
    double angle = imp_half_turn(across, -y);
    return sign < 0 ? 2 * IMP_PI - angle : angle;
}

/* Time until x is reached; infinite if v_n vanishes before. */
static double time_to(const swinging *m, double x) {
    double reach = reach_of(m), sign = m->speed;
    if (m->speed == 0) {
        double lift = x / m->middle;
        bool within = lift >= 0 && lift <= 2;
        return within ? 2 * imp_angle(sqrt(lift), sqrt(2 - lift)) / m->w : INFINITY;
    }
    if (!(sign * x >= 0 && sign * (x - m->middle) <= reach)) {
        return INFINITY;
    }
    double from = phase_angle(m, 0, sign), to = phase_angle(m, x, sign);
    return imp_larger(0, to - from) / m->w;
}

static void swing_for(const contact *k, const swinging *m, state *now, double x, double time) {
    const imp_compliant_problem *p = side_of(k);
    if (p->observer) {
        linear_path path = path_of(k, now);
        imp_show_linear(&path, time);
    }
    double delta = imp_larger(0, now->delta - x), square = m->w * m->w;
    imp_sincos angle = imp_sine_cosine(m->w * time);
    double v_n = m->w * m->middle * angle.sine + m->speed * angle.cosine;
    double area = m->middle * time - (v_n - m->speed) / square; /* of x in time */
    now->p_n += now->delta * time - area;
    now->p_t -= now->u * time + p->c * area;
    now->work += (now->delta - delta) * (now->delta + delta) / 2;
    now->time += time;
    now->u += p->c * x;
    now->delta = delta;
    now->v_n = v_n;
    now->v_t = p->c * v_n;
}

/* Finds the face of the cone that the oscillation reaches first, other than the face `from` that it
 * leaves. Returns x there, NaN without one. */
static double first_face(const imp_compliant_problem *p, const swinging *m, const state *now,
                         double from, double *face) {
    double first = INFINITY, x = 0;
    /* From the plane the motion runs along a line through the apex of the cone. */
    for (double s = now->delta > 0 ? -1 : 2; s <= 1; s += 2) {
        double at = (p->mu * now->delta - s * now->u) / (p->mu + s * p->c);
        double time = s == from ? INFINITY : time_to(m, at);
        if (time < first) {
            first = time;
            x = at;
            *face = s;
        }
    }
    return first < INFINITY ? x : NAN;
}

static phase_end wedge(const contact *k, const state *now) {
    if (side_of(k)->observer) {
        linear_path path = path_of(k, now);
        imp_show_wedge(&path);
    }
    return WEDGED;
}

/* One piece of the oscillation, until v_n = 0 at the latest. */
static piece_end constrained_piece(contact *k, state *now, double *s, bool begins, phase_end *end) {
    const imp_compliant_problem *p = side_of(k);
    swinging m = swinging_of(p, now);
    double face = 0, x = first_face(p, &m, now, begins ? *s : 0, &face);
    double bottom = now->delta - k->e * k->greatest;
    double still = m.middle - reach_of(&m);
    double exit = isnan(x) ? INFINITY : time_to(&m, x);
    bool rises = now->v_n > 0 || (now->v_n == 0 && m.middle >= 0);
    double change = rises ? INFINITY : time_to(&m, k->unloads ? bottom : still);
    if (change < exit) {
        swing_for(k, &m, now, k->unloads ? bottom : still, change);
        k->unloads ? reload(k, now) : turn(k, now);
        return GOES_ON;
    }
    if (!(exit < INFINITY)) {
        *end = wedge(k, now);
        return PHASE_ENDS;
    }
    swing_for(k, &m, now, x, exit);
    *s = face;
    now->u = face * p->mu * now->delta;
    *end = now->delta > 0 ? TO_SLIP : SEPARATED;
    return PHASE_ENDS;
}

phase_end imp_bilinear_constrained_stick(contact *k, state *now, double *s) {
    phase_end end = OUT_OF_BUDGET;
    note_phase(now, IMP_STICK);
    for (bool begins = true; --k->budget > 0; begins = false) {
        if (constrained_piece(k, now, s, begins, &end) == PHASE_ENDS) {
            return end;
        }
    }
    return OUT_OF_BUDGET;
}

/* ---- stick of a free body ---- */

/* A motion of two modes that ends as a phase at `end`, and its piece until the side changes. */
typedef struct stretch {
    const modes *m;
    motion x;
    event end;
    state after; /* at the end */
} stretch;

/* Zeros of v_n, one after another. */
typedef struct turns {
    double sign, time;
    sample from;
} turns;

static turns turns_from(const imp_compliant_problem *p, const state *now) {
    sample f = {now->v_n, normal_acceleration(p, now)};
    double sign = f.value < 0 || (f.value == 0 && f.slope < 0) ? -1 : 1;
    return (turns){sign, 0, {sign * f.value, sign * f.slope}};
}

static event turn_after(const imp_compliant_problem *p, const stretch *w, const turns *t,
                        int64_t *budget) {
    double acceleration = normal_acceleration(p, &w->after);
    sample back = {t->sign * w->after.v_n, -t->sign * acceleration};
    return next_turn(w->m, &w->x, t->sign, t->time, t->from, w->end.time, back, budget);
}

/* The instant at which the indentation, which grows between the two times, passes the limit. */
static event passage(const stretch *w, double from, double to, double limit) {
    enum { MOST = 200 };
    imp_bracket b = {from, to};
    instant now;
    double time = to;
    for (int i = 0; i < MOST; i++) {
        now = at_time(w->m, &w->x, time);
        double excess = -imp_pair_sum(w->m->n * now.y) - limit;
        double rate = -imp_pair_sum(w->m->n * now.v);
        imp_bracket_cut(&b, time, excess < 0);
        double next = imp_bracket_next(&b, time - excess / rate);
        if (fabs(next - time) <= 1e-16 * (1 + fabs(time)) || !imp_bracket_holds(&b, next)) {
            break;
        }
        time = next;
    }
    return event_at(w->m, &w->x, time, &now);
}

/* The instant before the end of the stick at which the side changes; infinite if it does not. */
static event side_change(const contact *k, const state *now, const stretch *w, int64_t *budget) {
    const imp_compliant_problem *p = side_of(k);
    turns t = turns_from(p, now);
    const event none = {.time = INFINITY};
    double limit = k->e * k->greatest;
    for (;;) {
        event next = turn_after(p, w, &t, budget);
        bool found = next.time > t.time && next.time < w->end.time;
        if (isnan(next.time) || (!k->unloads && t.sign < 0)) {
            return found || isnan(next.time) ? next : none;
        }
        double until = found ? next.time : w->end.time;
        double delta = found ? -imp_pair_sum(w->m->n * next.y) : w->after.delta;
        if (k->unloads && t.sign < 0 && delta > limit) {
            return passage(w, t.time, until, limit);
        }
        if (!found) {
            return none;
        }
        state there = *now;
        swing(w->m, &next, &there);
        t = (turns){-t.sign, next.time, {0, fabs(normal_acceleration(p, &there))}};
    }
}

static const modes *modes_of(contact *k) {
    const imp_compliant_problem *p = side_of(k);
    modes *m = k->unloads ? k->unloading_modes : k->loading_modes;
    if (!(m->a == p->a && m->c == p->c && m->determinant == p->determinant)) {
        *m = normal_modes(p);
    }
    return m;
}

static void show_stick(const contact *k, const state *start, const stretch *w, double duration) {
    if (side_of(k)->observer) {
        linear_path path = path_of(k, start);
        path.m = w->m;
        path.x = w->x;
        imp_show_linear(&path, duration);
    }
}

static piece_end free_piece(contact *k, state *now, double *s, bool begins, phase_end *end) {
    const imp_compliant_problem *p = side_of(k);
    stretch w = {.m = modes_of(k)};
    w.x = motion_from(w.m, now);
    cone faces = cone_of(p, w.m, &w.x);
    int face = 0;
    double start = begins ? first_step(w.m, &w.x, &faces, *s) : 0;
    w.end = cone_exit(w.m, &w.x, &faces, start, &k->budget, &face);
    *end = isnan(w.end.time) ? OUT_OF_BUDGET : LOST;
    if (!(w.end.time < INFINITY)) {
        return PHASE_ENDS;
    }
    w.after = *now;
    swing(w.m, &w.end, &w.after);
    event change = side_change(k, now, &w, &k->budget);
    if (isnan(change.time)) {
        *end = OUT_OF_BUDGET;
        return PHASE_ENDS;
    }
    bool changes = change.time < w.end.time;
    show_stick(k, now, &w, changes ? change.time : w.end.time);
    if (changes) {
        swing(w.m, &change, now);
        k->unloads ? reload(k, now) : turn(k, now);
        return GOES_ON;
    }
    *now = w.after;
    *end = leave_stick(p, w.m, &w.x, face, now, s);
    return PHASE_ENDS;
}

phase_end imp_bilinear_free_stick(contact *k, state *now, double *s) {
    phase_end end = OUT_OF_BUDGET;
    note_phase(now, IMP_STICK);
    for (bool begins = true; --k->budget > 0; begins = false) {
        if (free_piece(k, now, s, begins, &end) == PHASE_ENDS) {
            return end;
        }
    }
    return OUT_OF_BUDGET;
}
