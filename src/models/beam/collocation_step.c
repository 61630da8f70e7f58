#include <math.h>
#include <string.h>

#include "models/beam/collocation_run.h"
#include "models/beam/sums.h"
#include "num/bracket.h"
#include "num/exponential.h"
#include "num/larger.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS };

void imp_beam_pack(const imp_beam_run *r, const imp_beam_motions *from, double *state) {
    int n = r->course.problem->n;
    memcpy(state, from->place, (size_t)n * sizeof *state);
    memcpy(state + n, from->rate, (size_t)n * sizeof *state);
    state[2 * n] = r->impulse;
    state[2 * n + 1] = r->dissipated;
}

double imp_beam_state_energy(const imp_beam_run *r, const double *state) {
    const imp_beam_problem *p = r->course.problem;
    return imp_beam_rigid_energy(p, state) + imp_beam_vibration_energy(p, state) +
           imp_beam_contact_energy(p, imp_beam_indentation(p, state));
}

/* The motion at a place of the last step, which began at `next` and has ended at `now`. */
static void motion_within(const imp_beam_run *r, const imp_beam_taken *t, double x,
                          imp_beam_motions *at) {
    const imp_beam_tables *tables = r->tables;
    const imp_beam_motions *from = r->next;
    memset(at, 0, sizeof *at);
    if (t->kind == IMP_BEAM_REGULAR) {
        for (int j = 0; j < tables->n; j++) {
            imp_beam_part p = imp_beam_respond_within(r->points, tables->lambda[j],
                                                      tables->damping[j], t->length, x);
            double place = p.place * from->place[j] + p.speed * from->rate[j];
            double rate = p.place_rate * from->place[j] + p.speed_rate * from->rate[j];
            for (int i = 0; i < N; i++) {
                place += r->shape[j] * p.force[i] * t->force[i];
                rate += r->shape[j] * p.force_rate[i] * t->force[i];
            }
            at->place[j] = place;
            at->rate[j] = rate;
        }
        return;
    }
    double integral[TERMS][N], powers[TERMS], moment[TERMS], part = t->length / tables->reach;
    double power = 1, scale = 1;
    imp_beam_edge_integrals(r->points, t->kind == IMP_BEAM_BREAKS, x, integral);
    for (int m = 0; m < TERMS; m++, power *= part * x, scale *= part) {
        powers[m] = power;
        moment[m] = 0;
        for (int i = 0; i < N; i++) {
            moment[m] += scale * integral[m][i] * t->force[i];
        }
    }
    imp_beam_end_edge(tables, r->shape, from, t->length, powers, moment, TERMS, at);
}

/* Sets the state at a place of the last step. */
static void state_within(imp_beam_run *r, double x) {
    const imp_beam_taken *t = &r->last;
    int n = r->course.problem->n;
    double *state = r->course.work->state;
    imp_beam_motions at;
    imp_beam_force_series s = imp_beam_force_series_of(r->points, t->kind, t->force);
    motion_within(r, t, x, &at);
    imp_beam_pack(r, r->next, state);
    double energy = imp_beam_state_energy(r, state);
    imp_beam_pack(r, &at, state);
    /* Losses within a step follow from the energy. */
    state[2 * n] += imp_beam_impulse_to(&s, t->length, x);
    state[2 * n + 1] += energy - imp_beam_state_energy(r, state);
}

static const double *contact_at(const imp_beam_piece *piece, double time) {
    imp_beam_run *r = piece->motion;
    state_within(r, imp_smaller(1, imp_larger(0, (time - r->last.begin) / r->last.length)));
    return imp_beam_course_shown(&r->course, r->course.work->state);
}

/* Shows the last step, before it counts, up to a place that has not been shown. */
static void show_step(imp_beam_run *r, double x) {
    imp_beam_course_show(&r->course, IMP_BEAM_IN_CONTACT, r->last.begin + x * r->last.length, r,
                         contact_at);
}

/* ---- after a step ---- */

/* Part of the approach that is left at a place of the last step. */
static double velocity_within(const imp_beam_run *r, const imp_beam_force_series *s, double x) {
    const imp_beam_problem *p = r->course.problem;
    double length = r->last.length, beam = 0, striker = 0, of_beam = 0, of_striker = 0;
    for (int j = 0; j < p->rigid; j++) {
        beam -= p->shape[j] * r->next->rate[j];
        of_beam += p->shape[j] * p->shape[j];
    }
    for (int j = p->beam; j < p->n; j++) {
        striker -= p->shape[j] * r->next->rate[j];
        of_striker += p->shape[j] * p->shape[j];
    }
    striker -= of_striker * imp_beam_impulse_to(s, length, x);
    if (p->external == 0) {
        return beam + striker - of_beam * imp_beam_impulse_to(s, length, x);
    }
    beam *= imp_exp(-p->external * x * length);
    for (int i = 0; i < N; i++) {
        double at = x * r->points->place[i];
        double fade = imp_exp(-p->external * (x - at) * length);
        beam -= of_beam * fade * imp_beam_force_at(s, at) * x * length * r->points->weight[i];
    }
    return beam + striker;
}

/* The end of compression, if it lies in the last step. */
static void note_compression(imp_beam_run *r) {
    enum { MOST = 60 };
    const imp_beam_problem *p = r->course.problem;
    double before = imp_beam_relative_velocity(p, r->next->rate);
    double after = imp_beam_relative_velocity(p, r->now->rate);
    if (r->course.compressed || !(after <= 0)) {
        return;
    }
    imp_beam_force_series s = imp_beam_force_series_of(r->points, r->last.kind, r->last.force);
    imp_chord c = {.ends = {.low = 0, .high = 1}, .low_value = before, .high_value = after};
    double x = 1, slack = 1e-15 * p->approach;
    for (int i = 0; i < MOST && before > 0; i++) {
        x = imp_bracket_next(&c.ends, imp_chord_next(&c));
        double value = velocity_within(r, &s, x);
        if (fabs(value) <= slack || !imp_bracket_holds(&c.ends, x)) {
            break;
        }
        imp_chord_cut(&c, x, value);
    }
    double time = r->last.begin + x * r->last.length;
    imp_beam_course_end_compression(&r->course, time,
                                    r->impulse + imp_beam_impulse_to(&s, r->last.length, x));
    if (r->course.observer) {
        show_step(r, x);
        state_within(r, x);
        imp_beam_course_show_event(&r->course, IMP_BEAM_IN_CONTACT, IMP_BEAM_GREATEST_COMPRESSION,
                                   time, r->course.work->state);
    }
}

static void note_peak(imp_beam_run *r) {
    double depth = imp_beam_greatest_depth(r);
    if (depth > r->deepest) {
        r->deepest = depth;
        r->course.result->peak_force = imp_beam_force(r->course.problem, depth);
    }
}

/* Losses of a first or last step. */
static double edge_loss(const imp_beam_run *r, imp_beam_manner kind, double length,
                        const double *force) {
    const imp_beam_edge *edge = &r->points->edge[kind];
    const imp_beam_tables *t = r->tables;
    double sum = 0, part = length / t->reach;
    for (int l = 0; l < IMP_BEAM_LOSSES; l++) {
        imp_beam_motions at;
        double powers[TERMS], moment[TERMS], scale = 1, loss;
        int terms = imp_beam_powers(part * edge->loss_place[l], powers);
        imp_beam_sum_moments(edge->loss_integral[l], force, moment);
        for (int m = 0; m < terms; m++, scale *= part) {
            moment[m] *= scale;
        }
        imp_beam_end_edge(t, r->shape, r->now, length, powers, moment, terms, &at);
        imp_beam_sum_power(t, &at, &loss);
        sum += edge->loss_weight[l] * length * loss;
    }
    return sum;
}

/* The tangent of the step: kicks, as many as the contact needs not to be too stiff between them. */
static void add_kicks(imp_beam_run *r, double length, double slope) {
    enum { MOST = 16 };
    double turns = sqrt(slope * length * r->compliance);
    int kicks = turns < MOST ? 1 + (int)turns : MOST;
    for (int k = 0; k < kicks; k++) {
        imp_beam_kicks_add(&r->course.work->kicks, length / kicks, slope / kicks);
    }
}

/* Takes the step whose end is `next`. slope: change of its impulse with the indentation. */
void imp_beam_take(imp_beam_run *r, imp_beam_manner kind, int index, double length, double impulse,
                   double slope) {
    const double *force = r->step.force;
    double loss = 0;
    r->last =
        (imp_beam_taken){.kind = kind, .index = index, .begin = r->course.time, .length = length};
    memcpy(r->last.force, force, sizeof r->last.force);
    if (r->course.problem->damped && kind == IMP_BEAM_REGULAR) {
        imp_beam_sum_loss(r->tables, r->tables->length[index], r->shape, r->now, force, &loss);
    } else if (r->course.problem->damped) {
        loss = edge_loss(r, kind, length, force);
    }
    note_peak(r);
    imp_beam_motions *before = r->now;
    r->now = r->next;
    r->next = before;
    note_compression(r);
    show_step(r, 1);
    r->course.time += length;
    r->depth = r->next_depth;
    r->rate = r->next_rate;
    r->impulse += impulse;
    r->dissipated += loss;
    r->course.result->steps++;
    add_kicks(r, length, slope);
}
