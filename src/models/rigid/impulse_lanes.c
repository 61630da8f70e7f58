/* The laws of restitution applied to a block of cells, in lanes. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include "models/impulse_lanes.h"
#include "models/rigid/block.h"
#include "models/rigid/laws.h"
#include "models/theory.h"
#include "num/lanes/gather.h"

/* With a prescribed ratio of the impulses, in the place of friction: no break. */
CODE path prescribed_path(const problem *p) {
    real v_n = 1 + p->friction * p->c;
    phase only = {.v_n = v_n,
                  .v_t = pick(is_constrained(p), p->c * v_n, p->c + p->friction * p->a),
                  .p_t = p->friction,
                  .code = number(0)};
    return (path){.mode = pick(only.v_n > 0, number(IMP_RIGID_PRESCRIBED), number(IMP_RIGID_NONE)),
                  .phase = {only, only},
                  .halt = number(INFINITY),
                  .compression = 1 / only.v_n,
                  .work = -(1 / only.v_n) / 2};
}

/* Between the laws poisson and energetic; see laws.h. */
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

/* Whether the account of the energy closes. */
CODE truth conserves(const imp_rigid_block *b, size_t i, const result *r) {
    real most = IMP_ENERGY_TOLERANCE * imp_lanes_load(&b->initial[i]);
    return imp_lanes_abs(r->work - r->change) <= most;
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
    default:
        return;
    }
    truth solved = r.outcome == IMP_SOLVED;
    put(solved & not(conserves(b, i, &r)), &r.outcome, number(IMP_NO_CONVERGENCE));
    put(solved & not(representable(b, i, &r)), &r.outcome, number(IMP_NOT_FINITE));
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
