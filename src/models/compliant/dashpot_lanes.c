/* The law `dashpot` for a block of cells. Compiled once for each width; see num/lanes/lanes.h.
 *
 * Lanes take ordinary contacts; those that need more digits than a sum of motions has, or a phase
 * that is rare, are left to the code for one cell: dashpots that are very strong, modes of stick
 * and relaxations that are nearly alike, forces that pull. The choice depends on the numbers of a
 * cell alone. */
#include "models/compliant/block_impl.h"
#include "models/compliant/dashpot_slip_lanes.h"
#include "models/compliant/dashpot_stick_lanes.h"

/* Cells whose numbers are far from extreme. */
CODE truth is_ordinary(const imp_compliant_problem *p) {
    const double most = 1e3, least = 1e-3, strong = 300, stiff = 900, of_guided = 900;
    /* A guided body that hardly moves along the plane hardly feels the dashpot there. */
    real share = larger(smaller(size_of(p->c), number(1)), number(least));
    real hold = p->drag * pick(p->constrained, share, number(1));
    truth even =
        p->constrained | ((p->a > least) & (p->a < most) & (p->determinant > 0.1 * least * p->a));
    truth damps = (p->damping > 1e-6) | (p->drag > 1e-6);
    truth rubs = (p->mu == 0) | (p->mu > 1e-6);
    return even & damps & rubs & (p->damping < strong) &
           (hold < pick(p->constrained, number(of_guided), number(stiff))) & (p->mu < most) &
           (size_of(p->v_t) < most) & (size_of(p->c) < most);
}

/* As first_touch. Member by member: to set a structure as a whole takes longer. */
CODE void touch(state *now, const imp_compliant_problem *p) {
    const real none = number(0);
    now->u = now->delta = now->p_t = now->p_n = now->work = now->loss = now->time = none;
    now->greatest.delta = now->greatest.p_n = now->greatest.time = none;
    now->greatest.work = now->greatest.work_t = now->sequence = now->phases = none;
    now->v_t = p->v_t;
    now->v_n = number(-1);
    now->weight = number(1);
}

/* As sticks_first of dashpot.c, but for rims. */
CODE void begin(contacts *k, const imp_compliant_problem *p, truth here) {
    real speed = size_of(p->v_t), pull = p->drag * speed, held = p->mu * p->damping;
    truth plain = (speed == 0) | (p->drag == 0), none = not(here) & here;
    truth sticks = (plain & (p->mu > 0)) | (not(plain) & (pull < held));
    truth rim = not(plain) & (size_of(pull - held) <= 1e-12 * held);
    real s = pick(p->v_t < 0, number(-1), number(1));
    k->p = p;
    touch(&k->now, p);
    k->here = here;
    k->hard = here & (not(is_ordinary(p)) | rim);
    k->s = pick(sticks, number(0), s);
    k->u_rate = pick(p->drag > 0, s * held / p->drag, number(0));
    k->halted = k->on_face = k->turns_over = k->peaks_hard = none;
    k->side = number(1);
    k->face_force = k->normal_loss = k->tangential_loss = k->spent = number(0);
    k->ending = pick(sticks, number(TO_STICK), number(TO_SLIP));
}

/* Several groups pass through a phase one after the other: one group need not wait for another, and
 * the code of a phase is read once for all. */
CODE void follow(contacts *all, int n, known_roots *known) {
    enum { MOST_PHASES = 60 };
    bool open = true;
    for (int phase = 0; open && phase < MOST_PHASES; phase++) {
        slips(all, n);
        sticks(all, n, known);
        open = false;
        for (int i = 0; i < n; i++) {
            const contacts *k = &all[i];
            open |= any(k->here & not(k->hard) & (k->ending == TO_SLIP));
        }
    }
    for (int i = 0; i < n; i++) {
        contacts *k = &all[i];
        k->hard = k->hard | (k->ending == TO_SLIP) | (k->ending == TO_STICK);
    }
}

CODE imp_compliant_result result_in_lanes(const contacts *k) {
    const state *now = &k->now;
    truth wedged = k->ending == WEDGED;
    real elastic = (now->u * now->u + now->delta * now->delta) / 2;
    real spent = now->loss + k->normal_loss, loss = pick(wedged, spent, spent + elastic);
    imp_compliant_result result = result_of(k->p, now, k->ending, loss, elastic);
    truth turned_round =
        wedged | ((now->greatest.p_n > 0) & (now->greatest.work < 0) & (now->greatest.delta > 0));
    truth paid = k->spent < (double)k->p->budget;
    result.trapped = elastic;
    put(k->hard | not(turned_round & paid) | (result.outcome != IMP_SOLVED), &result.outcome,
        number(IMP_COMPLIANT_LEFT));
    put(not(k->here), &result.outcome, number(IMP_OUTSIDE));
    return result;
}

/* Its peaks are noted on the way; those that are left have no number. */
CODE void close_losses(const contacts *k) {
    const state *now = &k->now;
    imp_compliant_account *account = k->p->account;
    account->normal_loss = k->normal_loss;
    account->tangential_loss = k->tangential_loss;
    account->work_t_approach = now->greatest.work_t;
    put(k->peaks_hard, &account->normal.size, number(NAN));
    account->work_t_rebound = -(now->loss + now->u * now->u / 2) - now->greatest.work_t;
}

IMP_IN_LANES(imp_compliant_dashpot_solve_block, (imp_compliant_block * b, size_t n)) {
    known_roots known = {.given = {number(0)}};
    for (size_t at = 0; at < n; at += IN_TURN * IMP_LANES) {
        imp_compliant_problem p[IN_TURN];
        imp_compliant_account account[IN_TURN];
        contacts all[IN_TURN];
        size_t cell[IN_TURN];
        int count = 0;
        for (size_t i = at; count < IN_TURN && i < n; i += IMP_LANES) {
            cell[count] = i;
            load_problem(b, &i, false, &p[count], &account[count]);
            begin(&all[count], &p[count], take(b->exists, &i, false) != 0);
            count++;
        }
        follow(all, count, &known);
        for (int i = 0; i < count; i++) {
            imp_compliant_result result = result_in_lanes(&all[i]);
            if (p[i].account) {
                close_losses(&all[i]);
            }
            store_cells(b, &cell[i], false, &result, &account[i]);
        }
    }
}
