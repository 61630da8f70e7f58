/* The path of a rigid impact and its end, in lanes or, in a file that is compiled for one lane, for
 * one cell. */
#ifndef IMP_MODELS_IMPULSE_LANES_H
#define IMP_MODELS_IMPULSE_LANES_H

#include "models/impulse.h"
#include "num/lanes/words.h"

/* Friction that is too small by this part still holds the contact, so that rounding does not decide
 * a cell exactly at the limit. */
static const double slack = 1e-12;

typedef struct problem {
    IMP_RIGID_PROBLEM(real)
} problem;
typedef struct phase {
    IMP_RIGID_PHASE(real)
} phase;
typedef struct path {
    IMP_RIGID_PATH(real, phase)
} path;
typedef struct result {
    IMP_RIGID_RESULT(real)
} result;

CODE truth is_constrained(const problem *p) {
    return p->constrained != 0;
}

/* ---- phases ---- */

/* Slip in direction s. Where friction cannot halt the slip (s c > mu a), 1 - mu s c would lose its
 * digits; there v_n is a sum of positive parts. A constrained body can only move along (c, 1). */
CODE phase slip_phase(const problem *p, real s) {
    real along = s * p->c, gain = along - p->friction * p->a;
    real v_n = pick((gain > 0) & not(is_constrained(p)), (p->determinant + along * gain) / p->a,
                    1 - p->friction * along);
    return (phase){.v_n = v_n,
                   .v_t = pick(is_constrained(p), p->c * v_n, s * gain),
                   .p_t = -s * p->friction,
                   .code = pick(s < 0, number(IMP_SLIP_BACK), number(IMP_SLIP_FORTH))};
}

/* A body guided along the normal (a = c = 0) sticks without friction. */
CODE phase stick_phase(const problem *p) {
    truth guided = p->a == 0;
    real v_n = pick(is_constrained(p), number(0), p->determinant / p->a);
    return (phase){.v_n = pick(guided, number(1), v_n),
                   .v_t = number(0),
                   .p_t = pick(guided, number(0), -p->c / p->a),
                   .code = number(IMP_STICK)};
}

CODE phase pick_phase(truth mask, phase a, phase b) {
    return (phase){.v_n = pick(mask, a.v_n, b.v_n),
                   .v_t = pick(mask, a.v_t, b.v_t),
                   .p_t = pick(mask, a.p_t, b.p_t),
                   .code = pick(mask, a.code, b.code)};
}

/* ---- the path up to the end of compression ---- */

/* Modes of a contact that starts with slip, from the earliest halt to none. The slip speed of a
 * constrained body is a multiple of v_n: both vanish together. */
CODE void slip_first(const problem *p, truth sticks, truth wedges, real s, path *x) {
    const phase *first = &x->phase[0], *second = &x->phase[1];
    real turn = pick(first->v_n > 0, 1 / first->v_n, number(INFINITY));
    real braking = p->friction * p->a - s * p->c;
    x->halt = pick(braking > 0, imp_lanes_abs(p->v_t) / braking, number(INFINITY));
    x->halt = pick(is_constrained(p), turn, x->halt);
    truth early = x->halt < turn, slides = x->halt >= (1 + p->e) * turn;
    /* Only rounding could make v_n positive. */
    real v_n = imp_lanes_smaller(number(0), first->v_n * x->halt - 1);
    x->compression = pick(early, x->halt - v_n / second->v_n, turn);
    x->work = pick(early, ((v_n - 1) * x->halt + v_n * (x->compression - x->halt)) / 2, -turn / 2);
    real halted =
        pick(sticks, number(IMP_RIGID_RESTITUTION_STICK), number(IMP_RIGID_RESTITUTION_REVERSE));
    real late = pick(slides, number(IMP_RIGID_SLIDE), halted);
    late = pick(turn < INFINITY, late, number(IMP_RIGID_NONE));
    late = pick(wedges, number(IMP_RIGID_WEDGE), late);
    x->mode = pick(
        early,
        pick(sticks, number(IMP_RIGID_COMPRESSION_STICK), number(IMP_RIGID_COMPRESSION_REVERSE)),
        late);
}

/* A contact without initial slip has only one phase. */
CODE void rest_first(truth rests, truth sticks, truth wedges, path *x) {
    phase only = x->phase[1], none = only;
    none.code = number(0);
    real compression = pick(wedges, number(0), 1 / only.v_n);
    real mode = pick(sticks, number(IMP_RIGID_GROSS_STICK), number(IMP_RIGID_SLIP_FROM_REST));
    x->mode = pick(rests, pick(wedges, number(IMP_RIGID_WEDGE), mode), x->mode);
    x->phase[0] = pick_phase(rests, only, x->phase[0]);
    x->phase[1] = pick_phase(rests, none, x->phase[1]);
    x->halt = pick(rests, number(0), x->halt);
    x->compression = pick(rests, compression, x->compression);
    x->work = pick(rests, -compression / 2, x->work);
}

/* Under Coulomb friction. */
CODE path coulomb_path(const problem *p) {
    real s = pick(p->v_t < 0, number(-1), number(1));
    real reversed = pick(p->c < 0, number(-1), number(1));
    truth sticks = imp_lanes_abs(p->c) <= p->friction * p->a * (1 + slack);
    truth wedges = is_constrained(p) & sticks & (p->a > 0);
    path x = {
        .phase = {slip_phase(p, s), pick_phase(sticks, stick_phase(p), slip_phase(p, reversed))}};
    slip_first(p, sticks, wedges, s, &x);
    rest_first(p->v_t == 0, sticks, wedges, &x);
    return x;
}

CODE truth halts_in_compression(const path *x) {
    return (x->mode == IMP_RIGID_COMPRESSION_STICK) | (x->mode == IMP_RIGID_COMPRESSION_REVERSE);
}

CODE truth halts_in_restitution(const path *x) {
    return (x->mode == IMP_RIGID_RESTITUTION_STICK) | (x->mode == IMP_RIGID_RESTITUTION_REVERSE);
}

/* ---- laws of restitution: the normal impulse after the end of compression, for a path that breaks
 * before separation. (On a path without a break every law gives e times the impulse of
 * compression.) ---- */

/* Normal impulse from the end of compression to the halt, 0 if that was before. */
CODE real before_halt(const path *x) {
    return imp_lanes_larger(number(0), x->halt - x->compression);
}

CODE real newton(const problem *p, const path *x) {
    real first = before_halt(x), v_n = x->phase[0].v_n * first, k2 = x->phase[1].v_n;
    return pick(first > 0, first + imp_lanes_larger(number(0), p->e - v_n) / k2, p->e / k2);
}

CODE real poisson(const problem *p, const path *x) {
    return p->e * x->compression;
}

CODE real energetic(const problem *p, const path *x) {
    real k2 = x->phase[1].v_n;
    /* Twice the work that is left at the halt. */
    real first = before_halt(x), v_n = x->phase[0].v_n * first, full = p->e * x->compression;
    real left = x->phase[0].v_n * imp_lanes_larger(number(0), full - first) * (full + first);
    return pick(halts_in_compression(x), p->e * imp_lanes_sqrt(-2 * x->work / k2),
                first + left / (v_n + imp_lanes_sqrt(v_n * v_n + k2 * left)));
}

/* ---- the result ---- */

CODE void end_wedged(const problem *p, const path *x, result *r) {
    r->p_n = x->halt;
    r->p_t = r->p_t_c = x->phase[0].p_t * x->halt;
    r->v_n = r->v_t = r->rebound = r->p_t_r = r->work_r = number(0);
    r->work_c = x->work;
    r->work_t = r->p_t * p->v_t / 2;
    r->work = r->work_c + r->work_t;
    r->change = (r->p_t * p->v_t - x->halt) / 2;
}

CODE void end_straight(const path *x, real v_t, result *r) {
    const phase *only = &x->phase[0];
    r->p_t = only->p_t * r->p_n;
    r->p_t_c = only->p_t * x->compression;
    r->p_t_r = only->p_t * r->rebound;
    r->v_n = only->v_n * r->rebound;
    r->v_t = v_t + only->v_t * r->p_n;
    r->work_r = only->v_n * r->rebound * r->rebound / 2;
    r->work_t = r->p_t * (v_t + r->v_t) / 2;
}

CODE void end_broken(const path *x, real v_t, result *r) {
    const phase *first = &x->phase[0], *second = &x->phase[1];
    truth early = halts_in_compression(x);
    real rebound_first = pick(early, number(0), x->halt - x->compression);
    real compression_second = pick(early, x->compression - x->halt, number(0));
    real rebound_second = imp_lanes_larger(number(0), r->rebound - rebound_first);
    real second_impulse = compression_second + rebound_second;
    real slip = first->p_t * x->halt, v_n = first->v_n * rebound_first;
    r->p_t = slip + second->p_t * second_impulse;
    r->p_t_c = pick(early, slip + second->p_t * compression_second, first->p_t * x->compression);
    r->p_t_r = first->p_t * rebound_first + second->p_t * rebound_second;
    r->v_n = v_n + second->v_n * rebound_second;
    r->v_t = second->v_t * second_impulse;
    r->work_r = (v_n * rebound_first + (v_n + r->v_n) * rebound_second) / 2;
    r->work_t = (slip * v_t + second->p_t * second_impulse * r->v_t) / 2;
}

CODE void pick_result(truth mask, const result *a, result *r) {
    real *to = (real *)r;
    const real *from = (const real *)a;
    for (size_t k = 0; k < sizeof *r / sizeof *to; k++) {
        to[k] = pick(mask, from[k], to[k]);
    }
}

/* Both works. The velocity of a constrained body is (c, 1) times v_n: the normal impulse does the
 * work of both as v_n times its rate, and there are no great works of either kind that cancel, as
 * there are near a wedge. */
CODE void account(const problem *p, const path *x, truth broken, real v_t, result *r) {
    real rate = pick(broken, x->phase[1].v_n, x->phase[0].v_n);
    real along = (rate * r->rebound * r->v_n - x->phase[0].v_n * x->compression) / 2;
    r->work = pick(is_constrained(p), along, r->work_c + r->work_r + r->work_t);
    r->change = pick(is_constrained(p), (r->v_n * r->v_n - 1) / 2,
                     (r->p_t * (v_t + r->v_t) + r->p_n * (r->v_n - 1)) / 2);
}

/* rebound: by the law, where the path breaks. */
CODE result end_of(const problem *p, const path *x, real rebound) {
    truth broken = halts_in_compression(x) | halts_in_restitution(x);
    truth never = x->mode == IMP_RIGID_NONE, ends = not(never | (x->mode == IMP_RIGID_WEDGE));
    real both = x->phase[0].code + 4 * x->phase[1].code;
    real v_t = pick(x->halt == 0, number(0), p->v_t);
    result r = {.rebound = pick(broken, rebound, p->e * x->compression)}, straight, wedged;
    r.p_n = x->compression + r.rebound;
    straight = r;
    end_broken(x, v_t, &r);
    end_straight(x, v_t, &straight);
    pick_result(not(broken), &straight, &r);
    r.work_c = x->work;
    account(p, x, broken, v_t, &r);
    end_wedged(p, x, &wedged);
    pick_result(not(ends), &wedged, &r);
    r.mode = x->mode;
    r.compression = x->compression;
    r.sequence = pick(broken | not(ends), both, x->phase[0].code);
    r.outcome = pick(r.rebound == r.rebound, number(IMP_SOLVED), number(IMP_NO_CONVERGENCE));
    r.outcome = pick(never, number(IMP_OUTSIDE), r.outcome);
    return r;
}

#endif
