/* The linear law with an energetic coefficient e of restitution below 1 (Stronge 1994): the normal
 * spring gives back e^2 of the energy that it stored. Loading F3 = delta; unloading F3 = w / e^2
 * with w = delta - (1 - e^2) delta_max. A second compression reloads along that line up to
 * delta_max.
 *
 * Either side is a linear problem of its own. Scaled so that its stiffness is 1 again, time and
 * normal lengths shrink by e and the tangential velocity with them, u keeps its unit (the collapse
 * of the stiffness ratio, eta -> eta / e^2). So every phase is solved as in the linear law; it is
 * only cut where the side changes, which adds nothing to the sequence. */
#include <math.h>

#include "models/compliant/bilinear_impl.h"
#include "num/larger.h"

/* ---- slip ---- */

/* Normal impulse until the spring is compressed to the limit again; infinite if it never is. */
static double impulse_to_reload(double v, double delta, double q, double limit) {
    double room = (limit - delta) * (limit + delta), square = v * v - q * room;
    if (!(square >= 0) || !(v < 0 || q < 0)) {
        return INFINITY;
    }
    return v < 0 ? imp_larger(0, room) / (sqrt(square) - v) : (sqrt(square) + v) / -q;
}

static double impulse_to_halt(const imp_compliant_problem *p, const state *now, double s,
                              double speed) {
    double rate = slip_rate(p, s), q = 1 - p->mu * s * p->c;
    if (p->constrained) {
        /* The slip speed is a multiple of v_n: both vanish together. */
        return -now->v_n / q > 0 ? -now->v_n / q : INFINITY;
    }
    return p->mu > 0 && rate < 0 ? speed / -rate : INFINITY;
}

/* Moves the state by the impulse `end`; the event at its end sets exact values afterwards.
 * released: no compression is left. */
static void slide(const contact *k, state *now, double s, double end, double speed, bool released) {
    const imp_compliant_problem *p = side_of(k);
    double q = 1 - p->mu * s * p->c, v_n = now->v_n + q * end;
    double work = end * (now->v_n + v_n) / 2;
    double delta = released ? 0 : sqrt(imp_larger(0, now->delta * now->delta - 2 * work));
    double after = imp_larger(0, speed + slip_rate(p, s) * end);
    now->loss += p->mu * end * (speed + after) / 2;
    if (p->want_time) {
        /* If v_n changes sign on the way, the time has two parts. */
        double least = sqrt(imp_larger(0, now->delta * now->delta + now->v_n * now->v_n / q));
        double middle = -now->v_n / q;
        double time = middle > 0 && middle < end ? slip_time(middle, now->delta + least, q) +
                                                       slip_time(end - middle, least + delta, q)
                                                 : slip_time(end, now->delta + delta, q);
        if (p->observer) {
            linear_path path = path_of(k, now);
            path.slip = s;
            imp_show_linear(&path, time);
        }
        now->time += time;
    }
    now->v_t += (p->constrained ? p->c * q : p->c - p->mu * s * p->a) * end;
    now->v_n = v_n;
    now->delta = delta;
    now->u = s * p->mu * delta;
    now->p_n += end;
    now->p_t -= p->mu * s * end;
    now->work += work;
}

/* Nothing sticks once the spring is released. */
static phase_end end_slip(const imp_compliant_problem *p, state *now, double s, bool halts) {
    bool sticks = halts && (p->constrained || now->delta > 0);
    now->v_n = p->constrained && sticks ? 0 : now->v_n;
    now->v_t = sticks ? -s * p->mu * now->v_n : now->v_t;
    return sticks ? TO_STICK : SEPARATED;
}

static phase_end slip(contact *k, state *now, double s) {
    note_phase(now, s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH);
    while (--k->budget > 0) {
        const imp_compliant_problem *p = side_of(k);
        double q = 1 - p->mu * s * p->c;
        double speed = imp_larger(0, s * now->v_t + p->mu * now->v_n);
        double halt = impulse_to_halt(p, now, s, speed), release = INFINITY, change;
        if (k->unloads) {
            release = impulse_to_separation(now->v_n, now->delta, q);
            change = impulse_to_reload(now->v_n, now->delta, q, k->e * k->greatest);
        } else {
            change = q > 0 ? imp_larger(0, -now->v_n / q) : INFINITY;
        }
        /* A constrained slip ends together with the compression, whose end is handled first. */
        double end = imp_smaller(change, imp_smaller(release, halt));
        bool changes = change <= end * (1 + 1e-13);
        if (!(end < INFINITY)) {
            return LOST;
        }
        slide(k, now, s, end, speed, !changes && halt > end);
        if (!changes) {
            return end_slip(p, now, s, halt == end);
        }
        if (k->unloads) {
            reload(k, now);
            continue;
        }
        turn(k, now);
        if (p->constrained) {
            now->v_t = 0;
            if (slip_rate(&k->unloading, s) < 0) {
                return TO_STICK;
            }
        }
    }
    return OUT_OF_BUDGET;
}

/* ---- the whole contact ---- */

static phase_end run_phases(contact *k, state *now) {
    double s = k->loading.v_t < 0 ? -1 : 1;
    phase_end end = TO_SLIP;
    if (sticks_at_start(&k->loading, s)) {
        s = 0;
        end = TO_STICK;
    }
    while (end == TO_STICK || end == TO_SLIP) {
        end = end == TO_SLIP           ? slip(k, now, s)
              : k->loading.constrained ? imp_bilinear_constrained_stick(k, now, &s)
                                       : imp_bilinear_free_stick(k, now, &s);
    }
    return end;
}

/* The unloading spring is stiffer by 1 / e^2: the stiffness ratio grows by as much. */
static contact contact_of(const imp_compliant_problem *p, imp_compliant_memory *memory) {
    double e = p->restitution;
    contact k = {.loading = *p,
                 .unloading = *p,
                 .loading_modes = &memory->loading,
                 .unloading_modes = &memory->unloading,
                 .e = e,
                 .budget = p->budget};
    k.unloading.a *= e * e;
    k.unloading.c *= e;
    k.unloading.determinant *= e * e;
    k.unloading.mu /= e;
    return k;
}

/* Below this coefficient the energy that comes back is lost in rounding. */
static const double least_coefficient = 1e-12;

imp_compliant_result imp_bilinear_solve(const imp_compliant_problem *problem,
                                        imp_compliant_memory *memory) {
    if (problem->restitution < least_coefficient) {
        return (imp_compliant_result){.outcome = IMP_OUTSIDE};
    }
    contact k = contact_of(problem, memory);
    state now = {.v_t = problem->v_t, .v_n = -1};
    phase_end end = run_phases(&k, &now);
    if (is_unfinished(end)) {
        return unfinished(end);
    }
    double elastic = (now.delta * now.delta + now.u * now.u) / 2;
    if (k.unloads) {
        reload(&k, &now);
    }
    double crushed = (1 - k.e) * (1 + k.e) * k.greatest * k.greatest / 2;
    imp_compliant_result result = result_of(problem, &now, end, now.loss + crushed, elastic);
    /* Impulse and work have been summed anew since the turn. */
    result.p_n = now.greatest.p_n + now.p_n;
    result.p_n_rebound = now.p_n;
    result.work_rebound = now.work;
    return result;
}
