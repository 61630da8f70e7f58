/* The law `dashpot`: a contact from phase to phase. */
#include <math.h>

#include "models/compliant/block.h"
#include "models/compliant/dashpot_impl.h"
#include "num/lanes/width.h"

/* Whether a start on the rim of the cone stays on it, in stick and in slip alike: both elongations
 * swing as one. Then T = s mu F, u'' = g F and delta'' = -q F all hold if u = s mu delta. */
static bool keeps_to_rim(const imp_compliant_problem *p) {
    const double rounding = 1e-13;
    double s = p->v_t < 0 ? -1 : 1, mu = s * p->mu, q = 1 - mu * p->c;
    double g = p->constrained ? p->c * q : p->c - mu * p->a;
    double size = p->mu * (1 + p->a) + fabs(p->c) * (1 + mu * mu);
    return fabs(p->drag - p->damping) <= rounding * p->damping &&
           fabs(p->v_t - mu) <= rounding * p->mu && fabs(g + mu * q) <= rounding * size;
}

static bool sticks_first(const imp_compliant_problem *p) {
    double speed = fabs(p->v_t);
    if (speed == 0 || p->drag == 0) { /* the dashpot's force comes at once, the spring's does not */
        return p->mu > 0;
    }
    double pull = p->drag * speed, held = p->mu * p->damping;
    if (pull != held || p->constrained) {
        return pull < held;
    }
    /* On the rim the body sticks if slip would slow down. */
    double s = p->v_t < 0 ? -1 : 1, q = 1 - p->mu * s * p->c, g = p->c - p->mu * s * p->a;
    double force_rate = 1 - p->damping * q * p->damping;
    return s * g * p->damping < (p->mu * force_rate - speed) / p->drag;
}

/* Whether slip begins with the speed 0, but for rounding. */
static bool hardly_slips(const dashpot_contact *k) {
    const double rounding = 1e-15;
    double speed = fabs(k->p->v_t);
    return k->p->drag > 0 && fabs(speed - fabs(k->u_rate)) <= rounding * speed;
}

static dashpot_contact begin(const imp_compliant_problem *p, imp_compliant_memory *memory) {
    dashpot_contact k = {
        .p = p, .roots = &memory->roots, .now = first_touch(p), .side = 1, .budget = p->budget};
    k.s = p->v_t < 0 ? -1 : 1;
    k.u_rate = p->drag > 0 ? k.s * p->mu * p->damping / p->drag : 0;
    k.along_rim = keeps_to_rim(p);
    return k;
}

/* Where the turn is lost in rounding the contact ends with it. */
static void turn_at_the_end(state *now) {
    if (!(now->greatest.delta > 0)) {
        double work_t = -(now->loss + now->u * now->u / 2);
        now->greatest = peak_in(now, work_t);
    }
}

static imp_compliant_result result_at(dashpot_contact *k, phase_end end) {
    const imp_compliant_problem *p = k->p;
    state *now = &k->now;
    if (end == SEPARATED) {
        turn_at_the_end(now);
    }
    double elastic = (now->u * now->u + now->delta * now->delta) / 2;
    double spent = now->loss + k->normal_loss, loss = end == WEDGED ? spent : spent + elastic;
    imp_compliant_result result = result_of(p, now, end, loss, elastic);
    result.trapped = elastic;
    /* With extreme numbers work is lost in rounding, and on the rim of the cone a halt. */
    bool turned =
        end == WEDGED || (now->time > 0 && now->greatest.p_n > 0 && now->greatest.work < 0);
    result.outcome = turned || result.outcome != IMP_SOLVED ? result.outcome : IMP_NOT_FINITE;
    if (p->account) {
        imp_compliant_account *account = p->account;
        account->normal_loss = k->normal_loss;
        account->tangential_loss = k->tangential_loss;
        account->work_t_approach = now->greatest.work_t;
        account->work_t_rebound = -(now->loss + now->u * now->u / 2) - now->greatest.work_t;
    }
    return result;
}

/* A body that is pulled may creep toward its release for ever, while it sticks and slips. */
static bool creeps(const dashpot_contact *k) {
    const double least = 1e-30;
    return k->side < 0 && fabs(k->now.v_n) < least && fabs(k->now.delta) < least;
}

/* Behind a strong dashpot the force may fade away in rounding, before it changes its sign. */
static bool fades(const dashpot_contact *k) {
    const double strong = 1000, rounding = 1e-13;
    double force = imp_compliant_dashpot_force(k), most = k->p->damping;
    return most > strong && k->p->by_elongation == 0 && k->now.v_n >= 0 && force <= rounding * most;
}

imp_compliant_result imp_compliant_dashpot_solve(const imp_compliant_problem *problem,
                                                 imp_compliant_memory *memory) {
    if (problem->damping == 0 && problem->drag == 0) {
        return imp_compliant_linear_solve(problem, memory);
    }
    dashpot_contact k = begin(problem, memory);
    phase_end end = !k.along_rim && sticks_first(problem) ? TO_STICK : TO_SLIP;
    k.s = end == TO_STICK ? 0 : k.s;
    k.slip = end == TO_SLIP && hardly_slips(&k) ? AT_ROOT : ABOVE;
    while (end == TO_STICK || end == TO_SLIP) {
        if (creeps(&k)) {
            end = BLURRED;
        } else if (fades(&k)) {
            end = SEPARATED;
        } else if ((k.budget -= IMP_COMPLIANT_DASHPOT_PHASE) <= 0) {
            end = OUT_OF_BUDGET;
        } else {
            end =
                end == TO_STICK ? imp_compliant_dashpot_stick(&k) : imp_compliant_dashpot_slip(&k);
        }
    }
    return result_at(&k, end);
}

IMP_EACH_WIDTH(imp_compliant_dashpot_solve_block, (imp_compliant_block * block, size_t n),
               imp_lane_width(), (block, n))

/* Solves a cell that lanes left, or finds its peak forces. */
static void solve_left(imp_compliant_block *block, size_t i, imp_compliant_memory *memory) {
    imp_compliant_account account;
    imp_compliant_problem problem = imp_compliant_problem_at(block, i, &account);
    imp_compliant_result result = imp_compliant_dashpot_solve(&problem, memory);
    if (block->result.outcome[i] == IMP_COMPLIANT_LEFT) {
        imp_compliant_store(block, i, &result, &account);
        return;
    }
    block->account.normal.size[i] = account.normal.size;
    block->account.normal.time[i] = account.normal.time;
    block->account.tangential.size[i] = account.tangential.size;
    block->account.tangential.time[i] = account.tangential.time;
}

void imp_compliant_dashpot_solve_blocks(imp_compliant_block *block, size_t n, void *room) {
    imp_compliant_memory memory = {.loading = {.a = 0}};
    (void)room;
    imp_compliant_dashpot_solve_block(block, n);
    for (size_t i = 0; i < n; i++) {
        bool peaks_left = block->want_peaks && isnan(block->account.normal.size[i]);
        if (block->result.outcome[i] == IMP_COMPLIANT_LEFT || peaks_left) {
            solve_left(block, i, &memory);
        }
    }
}
