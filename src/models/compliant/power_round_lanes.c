/* Rounds of a block of marches, in lanes. Compiled once for each width; see num/lanes/lanes.h. */
#include "models/compliant/power_instants_lanes.h"

CODE void store_sights(const sights *seen, imp_compliant_power_points *to) {
    for (int k = 0; k < IMP_COMPLIANT_POWER_SIGHTS; k++) {
        imp_lanes_store(to->value[k], seen->of[k].value);
        imp_lanes_store(to->slope[k], seen->of[k].slope);
        imp_lanes_store(to->bend[k], seen->of[k].bend);
    }
    imp_lanes_store(to->speed, seen->speed);
}

CODE sight load_sight(const imp_compliant_power_points *from, int which) {
    return (sight){.value = load(from->value[which]),
                   .slope = load(from->slope[which]),
                   .bend = load(from->bend[which])};
}

/* Where the stretch in which roots are sought begins. A quantity that is 0 as the phase begins is
 * no event. */
CODE sight begin_of(const imp_compliant_power_block *b, const step *s, int which) {
    sight before = {.value = load(b->value_from[which]),
                    .slope = load(b->slope_from[which]),
                    .bend = load(b->bend_from[which])};
    sight a = sight_by(load_sight(&b->start, which), s->from);
    truth touches = (load(b->touches[which]) != 0) & (s->m.sticks | (a.value <= 0));
    a.value = pick(touches, number(0), a.value);
    a.slope = pick(touches, positive(a.slope), a.slope);
    return pick_sight(load(b->whole) != 0, a, before);
}

/* Whether a stick of a constrained body ends where both springs are released. */
CODE truth released_in(const imp_compliant_power_block *b, const step *s) {
    const double rounding = 1e-12;
    const row *end = &s->end.y;
    return (load(b->rest) != 0) & (end->x[DELTA] == 0) & (size_of(end->x[U]) <= rounding);
}

/* Whether a step begins at first touch, or a phase begins in it so soon after that u and delta are
 * still in proportion. */
CODE truth begins_at_touch(const step *s, truth touches) {
    real delta = s->y.x[DELTA];
    truth soon = touches & (delta <= imp_compliant_power_least_delta) & (s->y.x[V_N] < 0);
    return (delta == 0) | soon;
}

/* Counts the roots of a quantity in the stretch that ends at the point `at`. */
CODE real roots_of(const imp_compliant_power_block *b, const step *s, int which, sight a,
                   sight end) {
    sight start = load_sight(&b->start, which), to = sight_by(end, s->to);
    truth touches = load(b->touches[which]) != 0, whole = load(b->whole) != 0;
    real roots = roots_between(a, to, s->h - load(b->from));
    /* From first touch, and until both springs are released together, u and delta are in
     * proportion: signs are enough. */
    real by_sign = pick(to.value > 0, number(NONE), number(ONE));
    roots = pick(whole & (begins_at_touch(s, touches) | released_in(b, s)), by_sign, roots);
    roots = pick(whole & (start.value <= 0) & ~touches, number(AT_START), roots);
    truth far = is_far(&s->m, start, end, s->from.pace, s->to.pace, s->h) & ~touches;
    return pick(whole & far, number(NONE), roots);
}

/* Looks for events; returns where the march can go on without a closer look. */
CODE truth look(imp_compliant_power_block *b, const step *s, const sights *seen) {
    truth none = imp_lanes_all(true);
    for (int which = FIRST; which <= SECOND; which++) {
        sight a = begin_of(b, s, which), to = sight_by(seen->of[which], s->to);
        real roots = roots_of(b, s, which, a, seen->of[which]);
        imp_lanes_store(b->value_from[which], a.value);
        imp_lanes_store(b->slope_from[which], a.slope);
        imp_lanes_store(b->bend_from[which], a.bend);
        imp_lanes_store(b->slope_by[which], to.slope);
        imp_lanes_store(b->bend_by[which], to.bend);
        imp_lanes_store(b->roots[which], roots);
        none &= roots == NONE;
    }
    imp_lanes_store(b->slope_by[TURN], seen->of[TURN].slope * s->to.pace);
    imp_lanes_store(b->at.pace, s->to.pace);
    imp_lanes_store(b->pace_from, s->from.pace);
    truth turns = (load(b->start.value[TURN]) > 0) & (seen->of[TURN].value <= 0);
    return none & ~turns & (load(b->shown) == 0);
}

/* Moves marches to the ends of their steps. */
CODE void take(imp_compliant_power_block *b, truth taken) {
    imp_lane_column *to = (imp_lane_column *)&b->start, *from = (imp_lane_column *)&b->at;
    for (size_t k = 0; k < sizeof b->start / sizeof *to; k++) {
        imp_lanes_store(to[k], pick(taken, load(from[k]), load(to[k])));
    }
    for (int which = FIRST; which <= SECOND; which++) {
        imp_lanes_store(b->touches[which], pick(taken, number(0), load(b->touches[which])));
    }
}

CODE void store_variable(imp_compliant_power_block *b, const phase *m) {
    imp_lanes_store(b->by_u, pick(m->by_u, number(1), number(0)));
    imp_lanes_store(b->by_delta, pick(m->by_delta, number(1), number(0)));
    imp_lanes_store(b->sense, m->sense);
}

/* Sees in which direction the bodies move whose stick begins. */
CODE void see_rest(imp_compliant_power_block *b, const row *y, const row *rate) {
    real rest = load(b->rest), v = pick(y->x[V_N] != 0, y->x[V_N], rate->x[V_N]);
    real side = pick(v < 0, number(-1), number(1));
    imp_lanes_store(b->rest, pick(rest == RESTS_UNDECIDED, side, rest));
}

/* Makes the rates and quantities known where marches begin; elsewhere they are found as they
 * were. */
CODE void enter(imp_compliant_power_block *b) {
    if (!any(load(b->begins) != 0)) {
        return;
    }
    phase m;
    load_phase(b, &m);
    row y = imp_rk_lanes_load(b->start.y), rate;
    rates_in_time(&m, &y, &rate);
    see_rest(b, &y, &rate);
    sights seen = sights_at(b, &m, &y, &rate);
    imp_rk_lanes_store(b->start.rate, &rate);
    store_sights(&seen, &b->start);
    if (any(load(b->accounts) != 0)) {
        imp_compliant_instant now;
        forces_at(&m, &y, &rate, &now);
        store_forces(&now, &b->start);
        imp_lanes_store(b->start.stored, tangential_energy(&m, &y));
    }
    imp_lanes_store(b->begins, number(0));
}

CODE void begin(imp_compliant_power_block *b, step *s) {
    enter(b);
    load_phase(b, &s->m);
    s->y = imp_rk_lanes_load(b->start.y);
    s->rate = imp_rk_lanes_load(b->start.rate);
    s->tries = load(b->tries) != 0;
    s->most = load(b->time_step);
    truth by_u = s->m.by_u, by_delta = s->m.by_delta;
    choose_variable(&s->m, &s->y, s->tries);
    truth same = (by_u == s->m.by_u) & (by_delta == s->m.by_delta);
    s->best = pick(same, load(b->best), number(0));
    s->root = root_at(&s->m, &s->y);
    s->h = pick(s->tries, length_of(&s->m, &s->y, s->root, s->most), load(b->at.h));
}

/* Stores the end of a step, and takes the march there or stops it. */
CODE void end(imp_compliant_power_block *b, step *s) {
    real most = s->most, best = s->best;
    truth good = is_good(s, &most, &best);
    sights seen = sights_at(b, &s->m, &s->end.y, &s->end_rate);
    for (int which = FIRST; which <= SECOND; which++) {
        seen.of[which].value = pick(released_in(b, s), number(0), seen.of[which].value);
    }
    imp_lanes_store(b->at.h, s->h);
    imp_rk_lanes_store(b->at.y, &s->end.y);
    imp_rk_lanes_store(b->at.rate, &s->end_rate);
    store_sights(&seen, &b->at);
    store_variable(b, &s->m);
    imp_lanes_store(b->time_step, pick(s->tries, most, s->most));
    imp_lanes_store(b->best, pick(s->tries, best, s->best));
    truth plain = s->tries & good & look(b, s, &seen);
    if (any(load(b->accounts) != 0)) {
        plain &= weigh(b, s, seen.speed);
        add_steps(b, plain);
    }
    real came = pick(s->tries & ~good, number(REFUSED), number(STOPPED));
    imp_lanes_store(b->came, pick(plain, number(TAKEN), came));
    take(b, plain);
}

IMP_IN_LANES(imp_compliant_power_round, (imp_compliant_power_block * b)) {
    step s;
    begin(b, &s);
    take_step(&s);
    end(b, &s);
}

IMP_IN_LANES(imp_compliant_power_add, (imp_compliant_power_block * b)) {
    add_steps(b, load(b->came) == ENDED);
}

#if IMP_LANES == IMP_LEAST_LANES
void imp_compliant_power_go_to(imp_compliant_power_block *b) {
    step s;
    load_phase(b, &s.m);
    s.y = imp_rk_lanes_load(b->start.y);
    s.rate = imp_rk_lanes_load(b->start.rate);
    s.h = load(b->at.h);
    s.root = root_at(&s.m, &s.y);
    take_step(&s);
    imp_rk_lanes_store(b->at.y, &s.end.y);
    imp_rk_lanes_store(b->at.rate, &s.end_rate);
    imp_lanes_store(b->at.pace, s.to.pace);
    imp_lanes_store(b->at.speed, any(~s.m.sticks) ? slip_speed(&s.m, &s.end.y).value : number(0));
}

void imp_compliant_power_find_instant(imp_compliant_power_block *b) {
    phase m;
    load_phase(b, &m);
    place from = {.y = imp_rk_lanes_load(b->start.y), .speed = load(b->start.speed)};
    place at = {.y = imp_rk_lanes_load(b->at.y), .speed = load(b->at.speed)};
    row rate = imp_rk_lanes_load(b->at.rate);
    from.stored = tangential_energy(&m, &from.y);
    at.stored = tangential_energy(&m, &at.y);
    imp_compliant_instant now = instant_at(&m, &from, &at, &rate);
    const real *number_of = (const real *)&now;
    for (int k = 0; k < IMP_COMPLIANT_POWER_INSTANT; k++) {
        imp_lanes_store(b->instant[k], number_of[k]);
    }
}
#endif
