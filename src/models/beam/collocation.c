#include "models/beam/collocation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/beam/step.h"
#include "models/beam/sums.h"
#include "num/bracket.h"
#include "num/exponential.h"
#include "num/larger.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS, KEPT = 4 };

typedef enum manner { TOUCH, BREAK, REGULAR } manner; /* the first two number the edges */

struct imp_beam_collocation {
    imp_beam_points points;
    imp_beam_tables *kept[KEPT]; /* the latest first */
    double matrix[IMP_BEAM_LENGTHS][N][N];
};

/* A step that was taken. */
typedef struct taken {
    manner kind;
    int index; /* of its length, if regular */
    double begin, length, force[N];
} taken;

/* A collision under way. */
typedef struct run {
    const imp_beam_problem *problem;
    const imp_beam_points *points;
    imp_beam_tables *tables;
    imp_beam_workspace *work;
    imp_beam_result *result;
    imp_observer *observer;
    double shape[IMP_BEAM_MOST_PLACES];
    double (*matrix)[N][N];       /* of regular steps, by their length */
    bool known[IMP_BEAM_LENGTHS]; /* whether it was summed */
    double answer[TERMS];
    imp_beam_step step;
    imp_beam_account account;
    double edge[N][N]; /* the matrix of a first or last step */
    imp_beam_motions motions[2], *now, *next;
    double time, depth, rate; /* at `now` */
    double next_depth, next_rate;
    double passed[IMP_BEAM_MOST_PLACES]; /* displacements that were taken off; see draw_near */
    double impulse, dissipated;
    double touch; /* when this contact began */
    bool compressed;
    double most_error;                         /* of a step's impulse */
    double length_unit, time_unit, compliance; /* sum of B_j^2 */
    int64_t left;                              /* of the budget */
    bool memory;                               /* ran out */
    taken last;
    double shown[IMP_BEAM_MOST_STATE];
} run;

/* ---- the force within a step ---- */

/* Coefficients of the force's powers: x^n, or the powers of an edge. */
typedef struct series {
    manner kind;
    double c[N];
} series;

static series series_of(const run *r, manner kind, const double *force) {
    static const double factorial[N] = {1, 1, 2, 6, 24, 120, 720, 5040};
    series s = {.kind = kind};
    for (int b = 0; b < N; b++) {
        imp_wide sum = imp_wide_of(0);
        for (int i = 0; i < N; i++) {
            imp_wide c =
                kind == REGULAR ? r->points->basis[i][b] : r->points->edge[kind].coefficient[b][i];
            sum = imp_wide_add_product(sum, c, imp_wide_of(force[i]));
        }
        s.c[b] = kind == REGULAR ? sum.high / factorial[b] : sum.high;
    }
    return s;
}

/* x^1.5, 2.5, ... of an edge, and one more power. */
static double edge_power(double x, int b) {
    static const int twice[N] = {3, 5, 7, 8, 9, 10, 11, 12};
    double root = sqrt(x), power = 1;
    for (int n = 0; n < twice[b]; n++) {
        power *= root;
    }
    return power;
}

static double force_at(const series *s, double x) {
    double sum = 0, distance = s->kind == BREAK ? 1 - x : x;
    for (int b = N - 1; b >= 0; b--) {
        sum = s->kind == REGULAR ? sum * x + s->c[b] : sum + s->c[b] * edge_power(distance, b);
    }
    return sum;
}

/* Integral from 0 to the distance x from where the powers begin. */
static double integral_to(const series *s, double x) {
    double sum = 0;
    for (int b = N - 1; b >= 0; b--) {
        sum = s->kind == REGULAR
                  ? (sum + s->c[b] / (b + 1)) * x
                  : sum + s->c[b] * edge_power(x, b) * x / (imp_beam_exponent[b] + 1);
    }
    return sum;
}

static double impulse_to(const series *s, double length, double x) {
    double part = s->kind == BREAK ? integral_to(s, 1) - integral_to(s, 1 - x) : integral_to(s, x);
    return length * part;
}

/* ---- sums over the state ---- */

static void pack(const run *r, const imp_beam_motions *from, double *state) {
    int n = r->problem->n;
    memcpy(state, from->place, (size_t)n * sizeof *state);
    memcpy(state + n, from->rate, (size_t)n * sizeof *state);
    state[2 * n] = r->impulse;
    state[2 * n + 1] = r->dissipated;
}

/* A state with the displacements since the first touch. */
static const double *shown(run *r, const double *state) {
    int n = r->problem->n;
    memcpy(r->shown, state, (2 * (size_t)n + 2) * sizeof *state);
    for (int j = 0; j < n; j++) {
        r->shown[j] += r->passed[j];
    }
    return r->shown;
}

/* V_rel */
static double relative_velocity(const run *r, const imp_beam_motions *of) {
    const imp_beam_problem *p = r->problem;
    double sum = 0;
    for (int j = 0; j < p->rigid; j++) {
        sum += p->shape[j] * of->rate[j];
    }
    for (int j = p->beam; j < p->n; j++) {
        sum += p->shape[j] * of->rate[j];
    }
    return -sum;
}

static double law(const run *r, double depth) {
    return depth > 0 ? r->problem->stiffness * depth * sqrt(depth) : 0;
}

/* ---- what an observer sees ---- */

/* The motion at a place of the last step, which began at `next` and has ended at `now`. */
static void motion_within(const run *r, const taken *t, double x, imp_beam_motions *at) {
    const imp_beam_tables *tables = r->tables;
    const imp_beam_motions *from = r->next;
    memset(at, 0, sizeof *at);
    if (t->kind == REGULAR) {
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
    imp_beam_edge_integrals(r->points, t->kind == BREAK, x, integral);
    for (int m = 0; m < TERMS; m++, power *= part * x, scale *= part) {
        powers[m] = power;
        moment[m] = 0;
        for (int i = 0; i < N; i++) {
            moment[m] += scale * integral[m][i] * t->force[i];
        }
    }
    imp_beam_end_edge(tables, r->shape, from, t->length, powers, moment, TERMS, at);
}

static double energy_of(const run *r, const double *state) {
    const imp_beam_problem *p = r->problem;
    return imp_beam_rigid_energy(p, state) + imp_beam_vibration_energy(p, state) +
           imp_beam_contact_energy(p, imp_beam_indentation(p, state));
}

static const double *contact_at(const imp_beam_piece *piece, double time) {
    run *r = piece->motion;
    const taken *t = &r->last;
    int n = r->problem->n;
    double *state = r->work->state;
    imp_beam_motions at;
    double x = imp_smaller(1, imp_larger(0, (time - t->begin) / t->length));
    series s = series_of(r, t->kind, t->force);
    motion_within(r, t, x, &at);
    pack(r, r->next, state);
    double energy = energy_of(r, state);
    pack(r, &at, state);
    /* Losses within a step follow from the energy. */
    state[2 * n] += impulse_to(&s, t->length, x);
    state[2 * n + 1] += energy - energy_of(r, state);
    return shown(r, state);
}

/* Shows the last step, before it counts, up to a place that has not been shown. */
static void show_step(run *r, double x) {
    imp_beam_piece piece = {.phase = IMP_BEAM_IN_CONTACT,
                            .end = r->last.begin + x * r->last.length,
                            .motion = r,
                            .at = contact_at};
    if (r->observer) {
        r->observer->see_piece(r->observer, &piece);
    }
}

static void show_event(run *r, double time, int phase, int code) {
    if (r->observer) {
        imp_beam_instant now = {time, r->shown};
        r->observer->see_event(r->observer, code, phase, &now);
    }
}

/* ---- after a step ---- */

/* Part of the approach that is left at a place of the last step. */
static double velocity_within(const run *r, const series *s, double x) {
    const imp_beam_problem *p = r->problem;
    double length = r->last.length, beam = 0, striker = 0, of_beam = 0, of_striker = 0;
    for (int j = 0; j < p->rigid; j++) {
        beam -= p->shape[j] * r->next->rate[j];
        of_beam += p->shape[j] * p->shape[j];
    }
    for (int j = p->beam; j < p->n; j++) {
        striker -= p->shape[j] * r->next->rate[j];
        of_striker += p->shape[j] * p->shape[j];
    }
    striker -= of_striker * impulse_to(s, length, x);
    if (p->external == 0) {
        return beam + striker - of_beam * impulse_to(s, length, x);
    }
    beam *= imp_exp(-p->external * x * length);
    for (int i = 0; i < N; i++) {
        double at = x * r->points->place[i];
        double fade = imp_exp(-p->external * (x - at) * length);
        beam -= of_beam * fade * force_at(s, at) * x * length * r->points->weight[i];
    }
    return beam + striker;
}

/* The end of compression, if it lies in the last step. */
static void note_compression(run *r) {
    enum { MOST = 60 };
    double before = relative_velocity(r, r->next), after = relative_velocity(r, r->now);
    if (r->compressed || !(after <= 0)) {
        return;
    }
    series s = series_of(r, r->last.kind, r->last.force);
    imp_chord c = {.ends = {0, 1}, .low_value = before, .high_value = after};
    double x = 1, slack = 1e-15 * r->problem->approach;
    for (int i = 0; i < MOST && before > 0; i++) {
        x = imp_bracket_next(&c.ends, imp_chord_next(&c));
        double value = velocity_within(r, &s, x);
        if (fabs(value) <= slack || !imp_bracket_holds(&c.ends, x)) {
            break;
        }
        imp_chord_cut(&c, x, value);
    }
    r->compressed = true;
    r->result->compression_time = r->last.begin + x * r->last.length;
    r->result->impulse_compression = r->impulse + impulse_to(&s, r->last.length, x);
    if (r->observer) {
        imp_beam_piece piece = {.motion = r};
        show_step(r, x);
        contact_at(&piece, r->result->compression_time);
        show_event(r, r->result->compression_time, IMP_BEAM_IN_CONTACT,
                   IMP_BEAM_GREATEST_COMPRESSION);
    }
}

/* The greatest force in the last step, where the parabola through three places has its top. */
static void note_peak(run *r) {
    double most = imp_larger(r->account.most, imp_larger(r->depth, r->next_depth));
    if (r->last.kind == REGULAR && law(r, most) < r->result->peak_force) {
        return;
    }
    const double *place =
        r->last.kind == REGULAR ? r->points->place : r->points->edge[r->last.kind].place;
    double x[N + 2], f[N + 2];
    bool turned = r->last.kind == BREAK; /* its places are in descending order */
    x[0] = 0;
    x[N + 1] = 1;
    f[0] = law(r, r->depth);
    f[N + 1] = law(r, r->next_depth);
    for (int i = 0; i < N; i++) {
        int from = turned ? N - 1 - i : i;
        x[i + 1] = place[from];
        f[i + 1] = r->last.force[from];
    }
    int best = 0;
    for (int i = 1; i < N + 2; i++) {
        best = f[i] > f[best] ? i : best;
    }
    double *peak = &r->result->peak_force;
    if (f[best] > *peak && best > 0 && best < N + 1) {
        double a = x[best] - x[best - 1], b = x[best + 1] - x[best];
        series s = series_of(r, r->last.kind, r->last.force);
        double at = x[best], step = imp_smaller(a, b) / 2, middle = f[best];
        for (int i = 0; i < 6; i++) {
            double low = force_at(&s, at - step), high = force_at(&s, at + step);
            double bend = low - 2 * middle + high;
            double move = bend < 0 ? step * (low - high) / (2 * bend) : 0;
            at += imp_larger(-step, imp_smaller(step, move));
            at = imp_larger(x[best - 1], imp_smaller(x[best + 1], at));
            middle = force_at(&s, at);
            step /= 4;
        }
        *peak = imp_larger(*peak, middle);
    }
    *peak = imp_larger(*peak, f[best]);
}

/* Losses of a first or last step. */
static double edge_loss(const run *r, manner kind, double length, const double *force) {
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
static void add_kicks(run *r, double length, double slope) {
    enum { MOST = 16 };
    double turns = sqrt(slope * length * r->compliance);
    int kicks = turns < MOST ? 1 + (int)turns : MOST;
    for (int k = 0; k < kicks; k++) {
        imp_beam_kicks_add(&r->work->kicks, length / kicks, slope / kicks);
    }
}

/* Takes the step whose end is `next`. slope: change of its impulse with the indentation. */
static void take(run *r, manner kind, int index, double length, double impulse, double slope) {
    const double *force = r->step.force;
    double loss = 0;
    r->last = (taken){.kind = kind, .index = index, .begin = r->time, .length = length};
    memcpy(r->last.force, force, sizeof r->last.force);
    if (r->problem->damped && kind == REGULAR) {
        imp_beam_sum_loss(r->tables, r->tables->length[index], r->shape, r->now, force, &loss);
    } else if (r->problem->damped) {
        loss = edge_loss(r, kind, length, force);
    }
    note_peak(r);
    imp_beam_motions *before = r->now;
    r->now = r->next;
    r->next = before;
    note_compression(r);
    show_step(r, 1);
    r->time += length;
    r->depth = r->next_depth;
    r->rate = r->next_rate;
    r->impulse += impulse;
    r->dissipated += loss;
    r->result->steps++;
    add_kicks(r, length, slope);
}

/* ---- first and last steps ---- */

static bool all_positive(const double *value) {
    bool positive = true;
    for (int k = 0; k < N; k++) {
        positive &= value[k] > 0;
    }
    return positive;
}

/* Defect of the force at an end where it is not 0. */
static double edge_defect(const run *r, const imp_beam_edge *edge, double depth) {
    double sum = -law(r, depth);
    for (int i = 0; i < N; i++) {
        sum += edge->far[i] * r->step.force[i];
    }
    return fabs(sum);
}

/* The end of an edge step, and its impulse. */
static double end_edge(run *r, manner kind, double length, const double *power, int terms) {
    double moment[TERMS];
    imp_beam_sum_moments(r->points->edge[kind].whole, r->step.force, moment);
    double impulse = moment[0] * length;
    for (int m = 0; m < TERMS; m++) {
        moment[m] *= power[m];
    }
    imp_beam_end_edge(r->tables, r->shape, r->now, length, power, moment, terms, r->next);
    imp_beam_sum_contact(r->tables, r->shape, r->next, &r->next_depth, &r->next_rate);
    return impulse;
}

/* The equations of an edge step. */
static void set_edge(run *r, const imp_beam_edge *edge, const double *free, const double *power,
                     int terms, double length) {
    imp_beam_sum_edge(edge, free, r->answer, power, terms, length, r->edge, r->step.free);
    r->step.matrix = r->edge;
}

static bool spend(run *r) {
    r->left -= imp_beam_work(r->problem);
    if (r->left < 0) {
        r->result->outcome = IMP_BUDGET;
    }
    return r->left >= 0;
}

enum { MOST_ROUNDS = 60 };

/* The first step of a contact. */
static bool take_first(run *r) {
    enum { MOST_HALVINGS = 60 };
    const imp_beam_edge *edge = &r->points->edge[TOUCH];
    double reach = r->tables->reach, free[TERMS], power[TERMS];
    imp_beam_sum_series(r->tables, r->shape, r->now, free);
    free[0] = 0;
    double length = imp_smaller(reach, r->time_unit / 2), curve = 2 * free[2] / (reach * reach);
    if (curve < 0) {
        length = imp_smaller(length, 0.9 * r->rate / -curve);
    }
    for (int i = 0; i < MOST_HALVINGS && spend(r); i++, length /= 2) {
        int terms = imp_beam_powers(length / reach, power);
        set_edge(r, edge, free, power, terms, length);
        for (int k = 0; k < N; k++) {
            r->step.force[k] = law(r, r->step.free[k]);
        }
        imp_beam_iterate(&r->step, MOST_ROUNDS);
        if (!r->step.converged || !all_positive(r->step.depth)) {
            continue;
        }
        double impulse = end_edge(r, TOUCH, length, power, terms);
        if (r->next_depth > 0 && length * edge_defect(r, edge, r->next_depth) <= r->most_error) {
            double slope = r->problem->stiffness * sqrt(r->next_depth) * length;
            take(r, TOUCH, 0, length, impulse, slope);
            return true;
        }
    }
    r->result->outcome = r->left < 0 ? IMP_BUDGET : IMP_NO_CONVERGENCE;
    return false;
}

/* Indentation and its rate at the end of an edge step. free: series of the motion without force. */
static void end_of(const run *r, const imp_beam_edge *edge, const double *free, const double *power,
                   int terms, double length, double *depth, double *rate) {
    double push[TERMS], moved = 0, speed = 0, pushed = 0, pulled = 0;
    imp_beam_sum_moments(edge->whole, r->step.force, push);
    for (int m = 0; m < terms; m++) { /* four chains, because additions wait for each other */
        double answer = r->answer[m] * power[m];
        moved += power[m] * free[m];
        speed += m * (power[m] * free[m]);
        pushed += answer * push[m];
        pulled += m * answer * (m > 0 ? push[m - 1] : 0);
    }
    *depth = moved - length * pushed;
    *rate = speed / length - pulled;
}

/* Takes the last step if it is good; rate: of the indentation at its end. */
static bool break_off(run *r, double length, double rate) {
    const imp_beam_edge *edge = &r->points->edge[BREAK];
    double power[TERMS];
    bool good = rate < 0 && all_positive(r->step.depth) &&
                length * edge_defect(r, edge, r->depth) <= r->most_error;
    if (good) {
        int terms = imp_beam_powers(length / r->tables->reach, power);
        double impulse = end_edge(r, BREAK, length, power, terms);
        r->next_depth = 0;
        take(r, BREAK, 0, length, impulse, r->problem->stiffness * sqrt(r->depth) * length);
    }
    return good;
}

/* The last step of a contact, about `length` long. False: it would be wrong. */
static bool take_last(run *r, double length) {
    enum { MOST_TRIALS = 16, FEW = 1 };
    const imp_beam_edge *edge = &r->points->edge[BREAK];
    double reach = r->tables->reach, greatest = law(r, r->depth), free[TERMS], power[TERMS];
    imp_beam_sum_series(r->tables, r->shape, r->now, free);
    for (int i = 0; i < N; i++) {
        r->step.force[i] = law(r, r->depth * (1 - edge->place[i]));
    }
    for (int i = 0; i < MOST_TRIALS && spend(r); i++) {
        double depth, rate;
        int terms = imp_beam_powers(length / reach, power);
        set_edge(r, edge, free, power, terms, length);
        imp_beam_iterate(&r->step, i < 4 ? FEW : MOST_ROUNDS);
        end_of(r, edge, free, power, terms, length, &depth, &rate);
        double move = rate < 0 ? -depth / rate : -length / 2;
        move = imp_larger(-length / 2, imp_smaller(length / 2, move));
        /* A move that changes no force by more than the iteration leaves is the last. */
        bool settled = r->step.converged && fabs(move) * greatest <= length * r->step.settled;
        length += move;
        if (settled) {
            return break_off(r, length, rate);
        }
        if (length > 1.5 * reach) {
            return false;
        }
    }
    return false;
}

/* ---- regular steps ---- */

/* Sets the length of a regular step and its matrix; NULL: out of memory. */
static const imp_beam_length *use_length(run *r, int index) {
    const imp_beam_length *length = imp_beam_tables_length(r->tables, r->points, index);
    if (!length) {
        r->memory = false;
    } else if (!r->known[index]) {
        imp_beam_sum_pushed(r->tables, length, r->shape, r->matrix[index]);
        r->known[index] = true;
    }
    return length;
}

/* A first guess of the force: from the last step if it was regular, otherwise that of now. */
static void guess(run *r, int index) {
    int ratio = index - r->last.index + 2;
    if (r->last.kind == REGULAR && ratio >= 0 && ratio < IMP_BEAM_GUESSES) {
        imp_beam_extend(r->points->guess[ratio], r->last.force, r->step.force);
        return;
    }
    double steady = law(r, r->depth);
    for (int k = 0; k < N; k++) {
        double pressed = 0;
        for (int i = 0; i < N; i++) {
            pressed += r->matrix[index][i][k] * steady;
        }
        r->step.force[k] = law(r, r->step.free[k] - pressed);
    }
}

/* The first root of the indentation between the places of a step, as a part of it; 0: none. By the
 * parabola through the places around it and the one before. */
static double first_root(const run *r, double end) {
    double x0 = 0, f0 = r->depth, slope0 = 0, reach = 0;
    for (int k = 0; k <= N; k++) {
        double x = k < N ? r->points->place[k] : 1, f = k < N ? r->step.depth[k] : end;
        double slope = (f - f0) / (x - x0), bend = k > 0 ? (slope - slope0) / (x - x0 + reach) : 0;
        if (f <= 0) {
            double root = x0 - f0 / slope;
            for (int i = 0; i < 3; i++) {
                root = x0 - f0 / (slope + bend * (root - x));
            }
            return root > x0 && root < x ? root : x0 - f0 / slope;
        }
        reach = x - x0;
        slope0 = slope;
        x0 = x;
        f0 = f;
    }
    return 0;
}

/* The polynomial through N + 2 points. */
static double through_points(const double *x, const double *f, double at) {
    double sum = 0;
    for (int p = 0; p < N + 2; p++) {
        double product = f[p];
        for (int q = 0; q < N + 2; q++) {
            product *= q == p ? 1 : (at - x[q]) / (x[p] - x[q]);
        }
        sum += product;
    }
    return sum;
}

/* The first of some places between two at which the polynomial is not positive, 0 if there is none;
 * *least becomes its least value on the way. */
static double seek_zero(const double *x, const double *f, double from, double to, double *least) {
    enum { LOOKS = 32 };
    for (int i = 1; i < LOOKS; i++) {
        double at = from + (to - from) * i / LOOKS, value = through_points(x, f, at);
        *least = imp_smaller(*least, value);
        if (value <= 0) {
            return at;
        }
    }
    return 0;
}

/* Where the indentation is 0 between two places with more, as a part of the step; 0: nowhere. The
 * polynomial through all places is looked at where the parabola through three has its bottom so
 * low that it may be below 0. */
static double hidden_root(run *r, double length) {
    double x[N + 2], f[N + 2];
    const imp_beam_account *a = &r->account;
    double least = imp_smaller(a->least, imp_smaller(r->depth, r->next_depth));
    if (2 * least > imp_larger(a->most, imp_larger(r->depth, r->next_depth))) {
        return 0;
    }
    x[0] = 0;
    f[0] = r->depth;
    for (int k = 0; k < N; k++) {
        x[k + 1] = r->points->place[k];
        f[k + 1] = r->step.depth[k];
    }
    x[N + 1] = 1;
    f[N + 1] = r->next_depth;
    for (int k = 0; k < N + 2; k++) {
        bool falls = k > 0 ? f[k] <= f[k - 1] : r->rate < 0;
        bool rises = k < N + 1 ? f[k] <= f[k + 1] : r->next_rate > 0;
        if (!falls || !rises) {
            continue;
        }
        int before = k > 0 ? k - 1 : 0, after = k < N + 1 ? k + 1 : N + 1;
        double drop = imp_larger(f[before], f[after]) - f[k];
        if (f[k] > drop) {
            continue;
        }
        double lowest = f[k], at = seek_zero(x, f, x[before], x[after], &lowest);
        if (at > 0) {
            return at;
        }
        double width = (x[after] - x[before]) * length / 2;
        double close = imp_beam_closeness(r->problem, 0, lowest, 2 * drop / (width * width));
        r->result->closeness = imp_smaller(r->result->closeness, close);
    }
    return 0;
}

/* The change of the length of a step by its error, in halvings, less than 0 to grow. */
static int halvings(double ratio) {
    /* (.85 over the growth)^-9 for growths 4, 2, 1, 1/2, 1/4. */
    static const double least[] = {1.13e6, 2.21e3, 4.32, 8.43e-3, 1.65e-5};
    for (int i = 0; i < 5; i++) {
        if (ratio >= least[i]) {
            return i - 2;
        }
    }
    return 3;
}

typedef enum verdict { TAKEN, TOO_LONG, BREAKS, FAILED } verdict;

/* Whether a step of this error is taken, and how its length changes. */
static bool is_good(const run *r, double error, int *change) {
    if (error <= r->most_error) {
        *change = halvings(r->most_error / error);
        return true;
    }
    *change = error > r->most_error ? halvings(r->most_error / error) : 3; /* no number: 3 */
    *change = *change < 1 ? 1 : *change;
    return false;
}

/* A regular step. *change: halvings that are proposed; *root: where the contact breaks, in time. */
static verdict try_regular(run *r, int index, int *change, double *root) {
    const imp_beam_length *length = use_length(r, index);
    if (!length || !spend(r)) {
        return FAILED;
    }
    const imp_beam_account *a = &r->account;
    double h = length->step;
    r->step.matrix = r->matrix[index];
    imp_beam_sum_free(r->tables, length, r->shape, r->now, r->step.free);
    guess(r, index);
    imp_beam_iterate(&r->step, MOST_ROUNDS);
    *change = 1;
    if (!r->step.converged) {
        return TOO_LONG;
    }
    imp_beam_sum_account(r->points, &r->step, &r->account);
    if (a->least <= 0) {
        *root = h * first_root(r, 1);
        return BREAKS;
    }
    imp_beam_end_step(r->tables, length, r->shape, r->now, r->step.force, r->next, &r->next_depth,
                      &r->next_rate);
    *root = h * (r->next_depth > 0 ? hidden_root(r, h) : first_root(r, r->next_depth));
    if (*root > 0) {
        return BREAKS;
    }
    double first = a->first - law(r, r->depth), last = a->last - law(r, r->next_depth);
    double error = h * imp_larger(fabs(first), fabs(last));
    if (!is_good(r, error, change)) {
        return TOO_LONG;
    }
    take(r, REGULAR, index, h, h * a->impulse, h * 1.5 * r->problem->stiffness * a->roots);
    return TAKEN;
}

/* The index of the longest step within a time. */
static int index_within(double time) {
    int index = 0;
    for (double step = IMP_BEAM_LONGEST; step > time && index < IMP_BEAM_LENGTHS; step /= 2) {
        index++;
    }
    return index;
}

/* Drag may slow a beam and leave the striker behind it: then contact or touches go on for ever,
 * weaker and weaker. A collision without an end is given up when so much of its energy is lost. */
static void give_up(run *r) {
    const double least = 1e-16;
    double *state = r->work->state;
    pack(r, r->now, state);
    if (energy_of(r, state) < least * r->problem->energy) {
        r->result->outcome = IMP_NO_CONVERGENCE;
    }
}

/* One contact, from `now` to its break. */
static void contact(run *r) {
    const double small = 1e-6;
    double reach = r->tables->reach, root;
    int change;
    r->touch = r->time;
    if (!take_first(r)) {
        return;
    }
    int index = index_within(2 * r->last.length);
    while (r->result->outcome == IMP_SOLVED && r->memory) {
        if (index >= IMP_BEAM_LENGTHS) {
            r->result->outcome = IMP_NO_CONVERGENCE;
            return;
        }
        verdict found = try_regular(r, index, &change, &root);
        if (found == TAKEN || found == TOO_LONG) {
            index += change;
            index = index < 0 ? 0 : index;
            if (r->depth < small * r->length_unit) {
                give_up(r);
            }
        } else if (found == BREAKS) {
            if (root <= reach && take_last(r, root)) {
                break;
            }
            double most = root <= reach
                              ? 0.55 * root
                              : imp_smaller(0.8 * root, imp_larger(0.5 * root, root - 0.7 * reach));
            int shorter = index_within(most);
            index = shorter > index ? shorter : index + 1;
        }
    }
    imp_beam_result_count(r->result, r->touch, r->time);
}

/* ---- flight ---- */

static const double *flight_at(const imp_beam_piece *piece, double time) {
    run *r = piece->motion;
    imp_beam_flight *flight = &r->work->flight;
    int lost = 2 * r->problem->n + 1;
    imp_beam_flight_move(flight, imp_larger(0, time - r->time));
    flight->now[lost] = flight->start[lost] + imp_beam_flight_dissipated(flight);
    return shown(r, flight->now);
}

/* Flight from `now` to the next contact, or *over. */
static void fly(run *r, bool *over) {
    imp_beam_flight *flight = &r->work->flight;
    const imp_beam_problem *p = r->problem;
    size_t size = (size_t)p->n * sizeof(double);
    double after;
    pack(r, r->now, r->work->state);
    imp_beam_flight_start(flight, r->work->state);
    imp_beam_flight_end end = imp_beam_flight_search(flight, &r->left, &r->result->closeness);
    *over = end == IMP_BEAM_OVER;
    if (end == IMP_BEAM_LOST) {
        r->result->outcome = IMP_BUDGET;
    }
    if (end != IMP_BEAM_CONTACT) {
        return;
    }
    double length = flight->time;
    if (r->observer) {
        imp_beam_piece piece = {
            .phase = IMP_BEAM_APART, .end = r->time + length, .motion = r, .at = flight_at};
        r->observer->see_piece(r->observer, &piece);
        imp_beam_flight_move(flight, length);
    }
    r->dissipated += imp_beam_flight_dissipated(flight);
    if (!r->compressed && imp_beam_flight_turns(flight, &after)) {
        r->compressed = true;
        r->result->compression_time = r->time + after;
        r->result->impulse_compression = r->impulse;
    }
    memcpy(r->now->place, flight->now, size);
    memcpy(r->now->rate, flight->now + p->n, size);
    r->time += length;
    imp_beam_kicks_flight(&r->work->kicks, length);
}

/* ---- the collision ---- */

/* Takes what the rigid modes and the striker have moved together off their displacements at a
 * touch: in a long collision the indentation would otherwise be a small difference of large
 * numbers. No force depends on these displacements but by the indentation, which is 0. */
static void draw_near(run *r) {
    const imp_beam_problem *p = r->problem;
    int last =
        p->n > p->beam ? p->beam : 0; /* which has the remaining one: the striker or mode 0 */
    double bent = 0;
    for (int j = p->rigid; j < p->beam; j++) {
        bent += p->shape[j] * r->now->place[j];
    }
    for (int j = 0; j < p->n; j++) {
        if (j < p->rigid || j >= p->beam) {
            double left = j == last ? -bent / p->shape[j] : 0;
            r->passed[j] += r->now->place[j] - left;
            r->now->place[j] = left;
        }
    }
}

static void collide(run *r) {
    const imp_beam_problem *p = r->problem;
    double *state = r->work->state;
    bool over = false;
    while (!over && r->memory && r->result->outcome == IMP_SOLVED) {
        draw_near(r);
        imp_beam_sum_contact(r->tables, r->shape, r->now, &r->depth, &r->rate);
        r->depth = 0;
        pack(r, r->now, state);
        shown(r, state);
        show_event(r, r->time, IMP_BEAM_IN_CONTACT, IMP_BEAM_TOUCH);
        imp_beam_kicks_see(&r->work->kicks, p, state);
        contact(r);
        if (r->memory && r->result->outcome == IMP_SOLVED) {
            pack(r, r->now, state);
            shown(r, state);
            show_event(r, r->time, IMP_BEAM_APART, IMP_BEAM_SEPARATION);
            imp_beam_kicks_see(&r->work->kicks, p, state);
            imp_beam_result_separate(p, r->time, state, r->result);
            fly(r, &over);
        }
        if (r->result->outcome == IMP_SOLVED && !over) {
            give_up(r);
        }
    }
    if (r->result->outcome == IMP_SOLVED && !r->compressed) {
        r->result->outcome = IMP_NO_CONVERGENCE;
    }
}

/* The tables of a problem; NULL: out of memory. */
static imp_beam_tables *find_tables(imp_beam_collocation *c, const imp_beam_problem *problem) {
    int k = 0;
    while (k < KEPT && c->kept[k] && !imp_beam_tables_serve(c->kept[k], problem)) {
        k++;
    }
    imp_beam_tables *found = k < KEPT ? c->kept[k] : NULL;
    if (!found && !(found = imp_beam_tables_create(problem))) {
        return NULL;
    }
    if (k == KEPT) {
        imp_beam_tables_destroy(&c->kept[--k]);
    }
    memmove(c->kept + 1, c->kept, (size_t)k * sizeof *c->kept);
    return c->kept[0] = found;
}

imp_beam_collocation *imp_beam_collocation_create(void) {
    imp_beam_collocation *made = calloc(1, sizeof *made);
    if (made) {
        imp_beam_points_make(&made->points);
    }
    return made;
}

void imp_beam_collocation_destroy(imp_beam_collocation **collocation) {
    for (int k = 0; *collocation && k < KEPT; k++) {
        imp_beam_tables_destroy(&(*collocation)->kept[k]);
    }
    free(*collocation);
    *collocation = NULL;
}

/* Scales of the contact: of a collision in which every mode took part at once. */
static void set_units(run *r, double tolerance) {
    const imp_beam_problem *p = r->problem;
    const double part = 1e-3;
    double sum = 0;
    for (int j = 0; j < p->n; j++) {
        sum += p->shape[j] * p->shape[j];
    }
    double slow = p->stiffness * sum;
    r->time_unit = imp_power(1 / (slow * slow * p->approach), 0.2);
    r->length_unit = p->approach * r->time_unit;
    r->compliance = sum;
    r->step.stiffness = p->stiffness;
    r->step.settled = part * tolerance * law(r, r->length_unit);
    r->most_error = tolerance * p->effective_mass * p->approach;
}

/* Solves once, with steps whose estimate of errors is within a tolerance. */
static imp_err solve(imp_beam_collocation *collocation, imp_beam_workspace *work,
                     const imp_beam_problem *problem, double tolerance, int64_t budget,
                     imp_observer *observer, imp_beam_result *result) {
    size_t size = (size_t)problem->n * sizeof(double);
    run r = {.problem = problem,
             .points = &collocation->points,
             .matrix = collocation->matrix,
             .tables = find_tables(collocation, problem),
             .work = work,
             .result = result,
             .observer = observer,
             .left = budget,
             .memory = true,
             .last = {.kind = BREAK}};
    imp_beam_result_begin(problem, result);
    if (r.tables) {
        r.now = &r.motions[0];
        r.next = &r.motions[1];
        memcpy(r.shape, problem->shape, size);
        memcpy(r.now->rate, problem->speed, size);
        set_units(&r, tolerance);
        imp_beam_sum_answer(r.tables, r.shape, r.answer);
        imp_beam_flight_prepare(&work->flight, problem);
        imp_beam_kicks_clear(&work->kicks);
        collide(&r);
        result->work = budget - r.left;
    }
    if (!r.tables || !r.memory || work->kicks.lost) {
        return imp_fail(IMP_ERR_MEMORY, "beam: out of memory");
    }
    return IMP_OK;
}

imp_err imp_beam_collocate(imp_beam_collocation *collocation, imp_beam_workspace *work,
                           const imp_beam_problem *problem, double tolerance, int64_t budget,
                           imp_observer *observer, imp_beam_result *result) {
    /* The estimate of a step's error is a hundred times the error of the worst steps, and 20,000
     * times that of most. */
    const double safe = 100, most = 1e-2;
    imp_err error = solve(collocation, work, problem, imp_smaller(most, safe * tolerance), budget,
                          observer, result);
    result->tolerance = tolerance;
    if (!error && result->outcome == IMP_SOLVED) {
        result->uncertainty =
            result->residual + imp_beam_uncertainty(&work->kicks, problem, tolerance);
    }
    return error;
}
