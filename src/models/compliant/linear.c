#include <math.h>

#include "models/compliant/pieces.h"

/* Shows a phase from the state at its start. The code for observers is kept out of line: it runs
 * only when one is set. */
__attribute__((noinline, cold)) static void
show_phase(const imp_compliant_problem *p, const state *start, double s, double duration) {
    imp_show_linear(&(linear_path){.problem = p, .start = *start, .e = 1, .slip = s}, duration);
}

__attribute__((noinline, cold)) static void show_stick(const imp_compliant_problem *p,
                                                       const state *start, const modes *m,
                                                       const motion *x, double duration) {
    linear_path path = {.problem = p, .start = *start, .e = 1, .m = m, .x = *x};
    imp_show_linear(&path, duration);
}

__attribute__((noinline, cold)) static void show_last(const imp_compliant_problem *p,
                                                      const state *start) {
    imp_show_wedge(&(linear_path){.problem = p, .start = *start, .e = 1});
}

static inline void show(const imp_compliant_problem *p, const state *start, double s,
                        double duration) {
    if (p->observer) {
        show_phase(p, start, s, duration);
    }
}

static phase_end slip(const imp_compliant_problem *p, state *now, double s) {
    note_phase(now, s < 0 ? IMP_SLIP_BACK : IMP_SLIP_FORTH);
    double q = 1 - p->mu * s * p->c;
    double rate = slip_rate(p, s);
    double speed = imp_larger(0, s * now->v_t + p->mu * now->v_n);
    double separation = impulse_to_separation(now->v_n, now->delta, q);
    double halt = INFINITY;
    if (p->constrained) {
        /* The slip speed is a multiple of v_n: both vanish together. */
        halt = -now->v_n / q > 0 ? -now->v_n / q : INFINITY;
    } else if (p->mu > 0 && rate < 0) {
        halt = speed / -rate;
    }
    double end = halt <= separation ? halt : separation;
    if (!(end < INFINITY)) {
        return LOST;
    }
    note_slip_turn(p, now, q, end);
    double v_n = p->constrained && halt <= separation ? 0 : now->v_n + q * end;
    double work = end * (now->v_n + v_n) / 2;
    double square = halt <= separation ? now->delta * now->delta - 2 * work : 0;
    /* Nothing sticks once the spring is released. */
    bool sticks = p->constrained ? halt <= separation : square > 0;
    double delta = sqrt(imp_larger(0, square));
    now->loss += p->mu * end * (speed + (sticks ? 0 : imp_larger(0, speed + rate * end))) / 2;
    if (p->want_time) {
        double time = slip_time(end, now->delta + delta, q);
        show(p, now, s, time);
        now->time += time;
    }
    now->v_t = sticks ? -s * p->mu * v_n
                      : now->v_t + (p->constrained ? p->c * q : p->c - p->mu * s * p->a) * end;
    now->v_n = v_n;
    now->delta = delta;
    now->u = s * p->mu * delta;
    now->p_n += end;
    now->p_t -= p->mu * s * end;
    now->work += work;
    return sticks ? TO_STICK : SEPARATED;
}

/* ---- stick of a constrained body: one mode, closed form ---- */

/* The whole contact in stick: half a period of the only motion that the constraint allows. */
static phase_end gross_stick(const imp_compliant_problem *p, state *now) {
    note_phase(now, IMP_STICK);
    double stiffness = 1 + p->c * p->c, w = sqrt(stiffness);
    note_turn(now, (peak){1 / w, 1 / stiffness, IMP_PI / (2 * w), -1 / (2 * stiffness)});
    show(p, now, 0, IMP_PI / w);
    now->time = IMP_PI / w;
    now->p_n = 2 / stiffness;
    now->p_t = 2 * p->c / stiffness;
    now->v_t = -now->v_t;
    now->v_n = -now->v_n;
    return SEPARATED;
}

/* Stick from rest (a constrained slip ends where v_n = 0). The body swings to the other face of the
 * cone or, if it does not reach that face within half a period, swings forever: it wedges. s:
 * direction of the slip before; lift = 1 - cos(phase), 0 at the start and 2 after half a period. */
static phase_end constrained_stick(const imp_compliant_problem *p, state *now, double *s) {
    note_phase(now, IMP_STICK);
    double c = p->c, stiffness = 1 + c * c, q = 1 - p->mu * *s * c;
    double lift = 2 * p->mu * stiffness / (q * (p->mu - *s * c));
    if (!(lift >= 0 && lift <= 2)) {
        if (p->observer) {
            show_last(p, now);
        }
        return WEDGED;
    }
    double w = sqrt(stiffness), swing = -now->delta * q / stiffness;
    double sine = sqrt(lift * (2 - lift)), phase = 2 * imp_angle(sqrt(lift), sqrt(2 - lift));
    double shortfall = (phase - sine) / w, time = phase / w;
    double delta = imp_larger(0, now->delta + swing * lift);
    show(p, now, 0, time);
    now->p_n += now->delta * time + swing * shortfall;
    now->p_t -= now->u * time - c * swing * shortfall;
    now->work += (now->delta - delta) * (now->delta + delta) / 2;
    now->time += time;
    now->v_n = -swing * w * sine;
    now->v_t = c * now->v_n;
    now->delta = delta;
    *s = -*s;
    now->u = *s * p->mu * delta;
    return TO_SLIP;
}

/* Notes every local maximum of the indentation before `end`, at which the state is `after`. It
 * visits all zeros of v_n, because the body can be compressed more than once. */
static bool note_stick_turns(const imp_compliant_problem *p, const modes *m, const motion *x,
                             double end, const state *after, int64_t *budget, state *now) {
    sample f = {now->v_n, normal_acceleration(p, now)};
    sample back = {after->v_n, -normal_acceleration(p, after)};
    double sign = f.value < 0 || (f.value == 0 && f.slope < 0) ? -1 : 1, time = 0;
    f = (sample){sign * f.value, sign * f.slope};
    for (;;) {
        sample from_end = {sign * back.value, sign * back.slope};
        event next = next_turn(m, x, sign, time, f, end, from_end, budget);
        if (!(next.time > time && next.time < end)) {
            return !isnan(next.time);
        }
        state turn = *now;
        swing(m, &next, &turn);
        if (sign < 0) {
            note_turn(now, (peak){turn.delta, turn.p_n, turn.time, turn.work});
        }
        time = next.time;
        sign = -sign;
        f = (sample){0, fabs(normal_acceleration(p, &turn))};
    }
}

/* *s: direction of the slip before, 0 at the start; on return the direction of the slip that
 * follows. */
static phase_end free_stick(const imp_compliant_problem *p, const modes *m, int64_t *budget,
                            state *now, double *s) {
    note_phase(now, IMP_STICK);
    motion x = motion_from(m, now);
    cone k = cone_of(p, m, &x);
    int face = 0;
    event end = cone_exit(m, &x, &k, first_step(m, &x, &k, *s), budget, &face);
    if (!(end.time < INFINITY)) {
        return isnan(end.time) ? OUT_OF_BUDGET : LOST;
    }
    state after = *now;
    swing(m, &end, &after);
    /* The outcome must not depend on whether turns are wanted. Turns are few and do not count
     * against the budget, unless one mode is much faster: then they are always sought, and
     * count. */
    bool many = m->w[0] > 1e3 * m->w[1];
    int64_t enough = INT64_C(1) << 24;
    if ((p->want_turn || many) &&
        !note_stick_turns(p, m, &x, end.time, &after, many ? budget : &enough, now)) {
        return OUT_OF_BUDGET;
    }
    if (p->observer) {
        show_stick(p, now, m, &x, end.time);
    }
    after.greatest = now->greatest;
    *now = after;
    return leave_stick(p, m, &x, face, now, s);
}

/* ---- the whole contact ---- */

static phase_end run_phases(const imp_compliant_problem *p, modes *m, state *now) {
    int64_t budget = p->budget;
    double s = p->v_t < 0 ? -1 : 1;
    phase_end end = TO_SLIP;
    if (sticks_at_start(p, s)) {
        if (p->constrained) {
            return gross_stick(p, now);
        }
        s = 0;
        end = TO_STICK;
    }
    while (end == TO_STICK || end == TO_SLIP) {
        if (--budget <= 0) {
            return OUT_OF_BUDGET;
        }
        if (end == TO_SLIP) {
            end = slip(p, now, s);
        } else if (p->constrained) {
            end = constrained_stick(p, now, &s);
        } else {
            if (!(m->a == p->a && m->c == p->c && m->determinant == p->determinant)) {
                *m = normal_modes(p);
            }
            end = free_stick(p, m, &budget, now, &s);
        }
    }
    return end;
}

imp_compliant_result imp_linear_solve(const imp_compliant_problem *problem,
                                      imp_compliant_memory *memory) {
    state now = {.v_t = problem->v_t, .v_n = -1};
    phase_end end = run_phases(problem, &memory->loading, &now);
    if (is_unfinished(end)) {
        return unfinished(end);
    }
    double elastic = (now.delta * now.delta + now.u * now.u) / 2;
    return result_of(problem, &now, end, now.loss, elastic);
}
