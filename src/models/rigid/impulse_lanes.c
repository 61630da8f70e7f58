/* The path of a rigid impact and its end, in lanes. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include "models/rigid/block.h"
#include "models/rigid/compromise.h"
#include "models/rigid/laws.h"
#include "num/lanes/gather.h"

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

/* With a prescribed ratio of the impulses, in the place of friction: no break. */
CODE path prescribed_path(const problem *p) {
    phase only = {.v_n = 1 + p->friction * p->c,
                  .v_t = p->c + p->friction * p->a,
                  .p_t = p->friction,
                  .code = number(0)};
    return (path){.mode = pick(only.v_n > 0, number(IMP_RIGID_PRESCRIBED), number(IMP_RIGID_NONE)),
                  .phase = {only, only},
                  .halt = number(INFINITY),
                  .compression = 1 / only.v_n,
                  .work = -(1 / only.v_n) / 2};
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

/* Between the laws poisson and energetic; see compromise.h. */
CODE real compromise(const problem *p, const path *x) {
    real most = imp_lanes_larger(p->weight[0], p->weight[1]);
    real w1 = p->weight[0] / most, w2 = p->weight[1] / most;
    real by_poisson = poisson(p, x), by_energetic = energetic(p, x);
    real l = by_energetic / by_poisson, guess = l * (w1 * l + w2) / (w1 * l * l + w2);
    truth one = (w1 == 0) | (w2 == 0) | (p->e == 0);
    unsigned open = imp_lanes_where(halts_in_restitution(x) & ~one);
    real d = before_halt(x) / by_poisson, k = x->phase[1].v_n / x->phase[0].v_n;
    for (int i = 0; open && i < IMP_LANES; i++) {
        if (open >> i & 1) {
            imp_rigid_compromise at = {.d = d[i], .k = k[i], .w1 = w1[i], .w2 = w2[i]};
            guess[i] = imp_rigid_compromise_minimum(&at, 1, l[i], guess[i]);
        }
    }
    /* The guess is exact where the slip halts in compression: there lambda_energetic = x / l. */
    return pick(one, pick(w1 == 0, by_energetic, by_poisson), guess * by_poisson);
}

/* ---- the result ---- */

CODE void end_wedged(const problem *p, const path *x, result *r) {
    r->p_n = x->halt;
    r->p_t = r->p_t_c = x->phase[0].p_t * x->halt;
    r->v_n = r->v_t = r->rebound = r->p_t_r = r->work_r = number(0);
    r->work_t = r->p_t * p->v_t / 2;
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

/* rebound: by the law, where the path breaks. */
CODE result end_of(const problem *p, const path *x, real rebound) {
    truth broken = halts_in_compression(x) | halts_in_restitution(x);
    truth never = x->mode == IMP_RIGID_NONE, ends = ~(never | (x->mode == IMP_RIGID_WEDGE));
    real both = x->phase[0].code + 4 * x->phase[1].code;
    real v_t = pick(x->halt == 0, number(0), p->v_t);
    result r = {.rebound = pick(broken, rebound, p->e * x->compression)}, straight, wedged;
    r.p_n = x->compression + r.rebound;
    straight = r;
    end_broken(x, v_t, &r);
    end_straight(x, v_t, &straight);
    pick_result(~broken, &straight, &r);
    r.change = (r.p_t * (v_t + r.v_t) + r.p_n * (r.v_n - 1)) / 2;
    end_wedged(p, x, &wedged);
    pick_result(~ends, &wedged, &r);
    r.mode = x->mode;
    r.compression = x->compression;
    r.work_c = x->work;
    r.sequence = pick(broken | ~ends, both, x->phase[0].code);
    r.outcome = pick(r.rebound == r.rebound, number(IMP_SOLVED), number(IMP_NO_CONVERGENCE));
    r.outcome = pick(never, number(IMP_OUTSIDE), r.outcome);
    return r;
}

/* Whether every output is finite in the cell's units, and the impulses have all digits. */
CODE truth representable(const imp_rigid_block *b, size_t i, const result *r) {
    const double largest = 1e150, least = 1e-150, smallest = 1e-290;
    real unit = imp_lanes_load(&b->impulse[i]), p_t = imp_lanes_abs(r->p_t);
    truth units = (unit < largest) & (imp_lanes_load(&b->initial[i]) < largest) &
                  (imp_lanes_load(&b->speed[i]) < largest) &
                  (imp_lanes_abs(imp_lanes_load(&b->problem.friction[i])) < largest);
    truth impulses = (r->p_n < largest) & (p_t < largest) & (r->p_n * unit < largest) &
                     (p_t * unit < largest) & ((r->p_n * unit > smallest) | (r->p_n == 0)) &
                     ((r->compression > least) | (r->mode == IMP_RIGID_WEDGE));
    return units & impulses & (r->v_n < largest) & (imp_lanes_abs(r->v_t) < largest) &
           (r->work_c > -largest) & (r->work_r < largest) & (imp_lanes_abs(r->change) < largest);
}

/* Solves the cells from cell i on, one in each lane. */
CODE void solve_under(int law, imp_rigid_block *b, size_t i) {
    problem p;
    path x;
    result r;
    IMP_LOAD_COLUMNS(&b->problem, IMP_RIGID_BLOCK, i, &p);
    switch (law) {
#define LAW(name, meaning, parameters, path_by, rebound_by, more)                                  \
    case IMP_RIGID_LAW_##name:                                                                     \
        x = path_by(&p);                                                                           \
        r = end_of(&p, &x, rebound_by(&p, &x));                                                    \
        break;
#include "models/rigid/laws.def"
#undef LAW
    default:
        return;
    }
    put((r.outcome == IMP_SOLVED) & not(representable(b, i, &r)), &r.outcome,
        number(IMP_NOT_FINITE));
    IMP_STORE_COLUMNS(&r, IMP_RIGID_BLOCK, i, &b->result);
    if (b->want_path) {
        IMP_STORE_COLUMNS(&x, IMP_RIGID_BLOCK, i, &b->path);
    }
}

IMP_IN_LANES(imp_rigid_solve, (int law, imp_rigid_block *b, size_t n)) {
    for (size_t i = 0; i < n; i += IMP_LANES) {
        solve_under(law, b, i);
    }
}
