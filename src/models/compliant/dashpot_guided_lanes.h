/* Stick of bodies that a constraint guides, and that swing, under the law `dashpot` in lanes: one
 * motion, along (c, 1), around a place where the springs balance each other. */
#ifndef IMP_MODELS_COMPLIANT_DASHPOT_GUIDED_LANES_H
#define IMP_MODELS_COMPLIANT_DASHPOT_GUIDED_LANES_H

#include "models/compliant/dashpot_contacts_lanes.h"
#include "models/compliant/dashpot_swings_lanes.h"

/* Sights of an end: both faces of the cone, and the elongation where it ends the contact. */
enum { FACE_BACK, FACE_FORTH, RELEASE };

/* u is rest + c z, and -delta is z - c rest. v: the rate of z. */
typedef struct guided_motion {
    damped d;
    real rest, z, v;
} guided_motion;

CODE void set_guided(const contacts *k, guided_motion *g) {
    const imp_compliant_problem *p = k->p;
    real square = p->c * p->c;
    set_damped(&g->d, p->damping + square * p->drag, 1 + square);
    g->d.over_p = 1 / g->d.p;
    g->rest = (k->now.u + p->c * k->now.delta) * g->d.over_q;
    g->z = p->c * g->rest - k->now.delta;
    g->v = k->now.v_n;
}

/* ---- its end ---- */

CODE void set_guided_faces(const contacts *k, const guided_motion *g, swing face[2]) {
    const imp_compliant_problem *p = k->p;
    const damped *d = &g->d;
    real c = p->c, mu = p->mu, bend = -(d->p * g->v + d->q * g->z);
    real force = g->z + p->damping * g->v, force_rate = g->v + p->damping * bend;
    real pull = c * (g->z + p->drag * g->v), pull_rate = c * (g->v + p->drag * bend);
    truth start = (k->now.time == 0) & (p->damping == 0);
    for (int i = FACE_BACK; i <= FACE_FORTH; i++) {
        const double sign = i == FACE_BACK ? 1 : -1;
        truth halted = not(start) & (sign * k->s < 0);
        face[i] = (swing){.d = d,
                          .level = g->rest * (mu * c + sign),
                          .z = sign * pull - mu * force,
                          .rate = sign * pull_rate - mu * force_rate,
                          .leaves = start | halted,
                          .halted = halted};
    }
}

/* Whether the body should reach the face FORTH of the cone first. Mostly it does: a body that comes
 * from a face reaches the other one, and after a start in stick the pull is on one side when the
 * force vanishes. */
CODE truth goes_forth(const contacts *k) {
    const imp_compliant_problem *p = k->p;
    return (k->s < 0) | ((k->s == 0) & (p->c * (p->drag - p->damping) > 0));
}

CODE void swap_faces(truth here, swing face[2]) {
    truth leaves = face[0].leaves, halted = face[0].halted;
    swap_where(here, &face[0].level, &face[1].level);
    swap_where(here, &face[0].z, &face[1].z);
    swap_where(here, &face[0].rate, &face[1].rate);
    face[0].leaves = (here & face[1].leaves) | (not(here) & leaves);
    face[1].leaves = (here & leaves) | (not(here) & face[1].leaves);
    face[0].halted = (here & face[1].halted) | (not(here) & halted);
    face[1].halted = (here & halted) | (not(here) & face[1].halted);
}

/* Whether a face that is above 0 at a time was above 0 all the way: it has not turned upward
 * before. now: the motion then. */
CODE truth stays_above(const swing *face, real time, const moved *now) {
    const double clearly = 1e-12;
    real value = swing_by(face, now), rate = rate_of_swing(face, now);
    truth above = value > clearly * (size_of(face->level) + size_of(face->z));
    truth starts =
        (face->leaves & (face->rate > 0)) | (not(face->leaves) & (face->level + face->z > 0));
    return above & starts & (time * face->d->size < IMP_PI) & not((face->rate <= 0) & (rate > 0));
}

/* A stick on its way to the face that it reaches first. */
typedef struct guided_stick {
    contacts *k;
    guided_motion g;
    swing face[2]; /* the first: the one that it should reach first */
    foresight foresight;
    descent fall; /* of that */
    pursuit way;
    real which;
    truth here, still; /* still: nothing moves along the plane */
} guided_stick;

CODE void enter_guided(guided_stick *w, contacts *k, truth here) {
    const double looks = 3;
    w->k = k;
    set_guided(k, &w->g);
    k->hard = k->hard | (here & (k->now.time > 0) & not(force_of(k) > 0));
    w->here = here & not(k->hard);
    put(w->here, &k->spent, k->spent + looks);
    truth forth = goes_forth(k);
    set_guided_faces(k, &w->g, w->face);
    swap_faces(forth, w->face);
    w->which = pick(forth, number(FACE_FORTH), number(FACE_BACK));
}

/* Where nothing moves along the plane both faces fall to 0 with the normal force. */
CODE void fall_with_force(guided_stick *w) {
    const contacts *k = w->k;
    w->still = w->here & (k->p->c == 0) & (w->g.rest == 0);
    if (any(w->still)) {
        real force = force_of(k), speed = -k->now.v_n, rate = speed - k->p->damping * force;
        real end = flat_of(&w->g.d, k->now.delta, speed, force, rate, w->still);
        w->still = w->still & w->fall.falls & (end < INFINITY);
        put(w->still, &w->fall.about, end);
        w->fall.exact = w->fall.exact | w->still;
    }
}

CODE void near_face(guided_stick *w) {
    come_to_descent(&w->face[0], &w->foresight, w->here, &w->fall);
    fall_with_force(w);
    w->k->hard = w->k->hard | w->fall.hard;
    truth falls = w->fall.falls & not(w->fall.hard);
    begin_pursuit(&w->face[0], &w->fall, falls, &w->way);
}

/* Sets *which and *now, the motion then, where the other face falls to 0 before `time`. Returns the
 * time of the earlier fall. */
CODE real first_face(const guided_stick *w, real time, real *which, moved *now, truth open) {
    contacts *k = w->k;
    descent fall;
    pursuit way;
    find_descent(&w->face[1], open, &fall);
    k->hard = k->hard | fall.hard;
    truth falls = fall.falls & not(fall.hard);
    real other = pick(falls, fall.about, number(INFINITY));
    truth earlier = falls & ((other < time) | (swing_by(&w->face[1], now) < 0));
    k->hard = k->hard | find_on_descent(&w->face[1], &fall, earlier, &way);
    earlier = earlier & (way.time < time);
    put_moved(earlier, now, &way.now);
    put(earlier, which, number(FACE_BACK + FACE_FORTH) - *which);
    return pick(earlier, way.time, time);
}

/* When the first of both faces falls to 0; infinite if none does within a whole swing. *which: that
 * face, *now: the motion then. */
CODE real end_of_guided(guided_stick *w, real *which, moved *now) {
    contacts *k = w->k;
    truth falls = w->way.here;
    k->hard = k->hard | end_pursuit(&w->face[0], &w->way);
    *which = w->which;
    *now = w->way.now;
    truth first = w->still | stays_above(&w->face[1], w->way.time, now);
    truth open = w->here & not(k->hard) & not(falls & first);
    real time = pick(falls, w->way.time, number(INFINITY));
    return any(open) ? first_face(w, time, which, now, open) : time;
}

/* A time for one whole swing: no later one goes farther. */
CODE real whole_swing_of(const damped *d) {
    const double whole = 7; /* in radians */
    return smaller(64 / root_of(d->q), pick(d->swings, whole * d->over_size, number(INFINITY)));
}

/* ---- the contact at a time ---- */

CODE stuck guided_at(const contacts *k, const guided_motion *g, real time, const moved *now) {
    const imp_compliant_problem *p = k->p;
    const damped *d = &g->d;
    real z = now->rest * g->z + now->push * g->v, v = now->rate * g->v - d->q * now->push * g->z;
    real way = z - g->z, area = -((v - g->v) + d->p * way) * d->over_q, drift = g->rest * time;
    real lost = (g->v - v) * (g->v + v) - d->q * way * (g->z + z);
    real square = pick(lost == 0, number(0), lost * d->over_p / 2);
    return (stuck){
        .u = g->rest + p->c * z,
        .delta = p->c * g->rest - z,
        .v_t = p->c * v,
        .v_n = v,
        .p_t = -(drift + p->c * (area + p->drag * way)),
        .p_n = p->c * drift - (area + p->damping * way),
        .loss_t = p->c * p->c * (p->drag * square),
        .loss_n = p->damping * square,
    };
}

/* Its first turn is the greatest. v_n: at the end, NaN where the body comes to rest; after less
 * than half a swing it says whether there was a turn, which rounding may put behind the end. */
CODE void note_guided_turn(contacts *k, const guided_motion *g, real end, real v_n, truth here) {
    const damped *d = &g->d;
    real rate = -(d->p * g->v + d->q * g->z);
    truth sinks = g->v < 0, brief = not(d->swings) | (end * d->size < IMP_PI);
    truth may = here & not(brief & (not(sinks) | (v_n < 0)));
    if (!any(may)) {
        return;
    }
    real sign = pick(sinks, number(-1), number(1));
    real turn = fall_of(d, sign * g->v, sign * rate, may);
    turn = pick(sinks, turn, turn + IMP_PI * d->over_size);
    may = may & ((turn < end) | (sinks & (v_n >= 0)));
    turn = smaller(turn, end);
    real time = pick(may, turn, number(0));
    moved now = moved_at_fall(d, sign * g->v, sign * rate, time);
    const moved back = opposite(&now);
    put_moved(not(sinks), &now, &back); /* half a swing later */
    stuck a = guided_at(k, g, time, &now);
    note_turn_there(k, &a, time, may);
}

/* As ring_down of dashpot_stick.c. */
CODE void guided_ring_down(contacts *k, const guided_motion *g, truth here) {
    const real none = number(0);
    const imp_compliant_problem *p = k->p;
    state *now = &k->now;
    real square = (g->v * g->v + g->d.q * g->z * g->z) * g->d.over_p / 2;
    real loss_t = p->c * p->c * (p->drag * square);
    put(here, &now->loss, now->loss + loss_t);
    put(here, &k->tangential_loss, k->tangential_loss + loss_t);
    put(here, &k->normal_loss, k->normal_loss + p->damping * square);
    put(here, &now->u, g->rest);
    put(here, &now->delta, p->c * g->rest);
    put(here, &now->v_t, none);
    put(here, &now->v_n, none);
    put(here, &k->ending, number(WEDGED));
}

#endif
