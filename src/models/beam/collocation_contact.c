#include <math.h>
#include <string.h>

#include "models/beam/collocation_run.h"
#include "models/beam/sums.h"
#include "num/larger.h"

enum { N = IMP_BEAM_POINTS, TERMS = IMP_BEAM_TERMS };

/* ---- first and last steps ---- */

static bool all_positive(const double *value) {
    bool positive = true;
    for (int k = 0; k < N; k++) {
        positive &= value[k] > 0;
    }
    return positive;
}

/* Defect of the force at an end where it is not 0. */
static double edge_defect(const imp_beam_run *r, const imp_beam_edge *edge, double depth) {
    double sum = -imp_beam_force(r->course.problem, depth);
    for (int i = 0; i < N; i++) {
        sum += edge->far[i] * r->step.force[i];
    }
    return fabs(sum);
}

/* The end of an edge step, and its impulse. */
static double end_edge(imp_beam_run *r, imp_beam_manner kind, double length, const double *power,
                       int terms) {
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
static void set_edge(imp_beam_run *r, const imp_beam_edge *edge, const double *free,
                     const double *power, int terms, double length) {
    imp_beam_sum_edge(edge, free, r->answer, power, terms, length, r->edge, r->step.free);
    r->step.matrix = r->edge;
}

static bool spend(imp_beam_run *r) {
    r->left -= imp_beam_work(r->course.problem);
    if (r->left < 0) {
        r->course.result->outcome = IMP_BUDGET;
    }
    return r->left >= 0;
}

enum { MOST_ROUNDS = 60 };

/* The first step of a contact. */
static bool take_first(imp_beam_run *r) {
    enum { MOST_HALVINGS = 60 };
    const imp_beam_edge *edge = &r->points->edge[IMP_BEAM_TOUCHES];
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
            r->step.force[k] = imp_beam_force(r->course.problem, r->step.free[k]);
        }
        imp_beam_iterate(&r->step, MOST_ROUNDS);
        if (!r->step.converged || !all_positive(r->step.depth)) {
            continue;
        }
        double impulse = end_edge(r, IMP_BEAM_TOUCHES, length, power, terms);
        if (r->next_depth > 0 && length * edge_defect(r, edge, r->next_depth) <= r->most_error) {
            double slope = r->course.problem->stiffness * sqrt(r->next_depth) * length;
            imp_beam_take(r, IMP_BEAM_TOUCHES, 0, length, impulse, slope);
            return true;
        }
    }
    r->course.result->outcome = r->left < 0 ? IMP_BUDGET : IMP_NO_CONVERGENCE;
    return false;
}

/* Indentation and its rate at the end of an edge step. free: series of the motion without force. */
static void end_of(const imp_beam_run *r, const imp_beam_edge *edge, const double *free,
                   const double *power, int terms, double length, double *depth, double *rate) {
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
static bool break_off(imp_beam_run *r, double length, double rate) {
    const imp_beam_edge *edge = &r->points->edge[IMP_BEAM_BREAKS];
    double power[TERMS];
    bool good = rate < 0 && all_positive(r->step.depth) &&
                length * edge_defect(r, edge, r->depth) <= r->most_error;
    if (good) {
        int terms = imp_beam_powers(length / r->tables->reach, power);
        double impulse = end_edge(r, IMP_BEAM_BREAKS, length, power, terms);
        r->next_depth = 0;
        imp_beam_take(r, IMP_BEAM_BREAKS, 0, length, impulse,
                      r->course.problem->stiffness * sqrt(r->depth) * length);
    }
    return good;
}

/* The last step of a contact, about `length` long. False: it would be wrong. */
static bool take_last(imp_beam_run *r, double length) {
    enum { MOST_TRIALS = 16, FEW = 1 };
    const imp_beam_edge *edge = &r->points->edge[IMP_BEAM_BREAKS];
    double reach = r->tables->reach, greatest = imp_beam_force(r->course.problem, r->depth),
           free[TERMS], power[TERMS];
    imp_beam_sum_series(r->tables, r->shape, r->now, free);
    for (int i = 0; i < N; i++) {
        r->step.force[i] = imp_beam_force(r->course.problem, r->depth * (1 - edge->place[i]));
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

/* A first guess of the force: from the last step if it was regular, otherwise that of now. */
static void guess(imp_beam_run *r, int index) {
    int ratio = index - r->last.index + 2;
    if (r->last.kind == IMP_BEAM_REGULAR && ratio >= 0 && ratio < IMP_BEAM_GUESSES) {
        imp_beam_extend(r->points->guess[ratio], r->last.force, r->step.force);
        return;
    }
    double steady = imp_beam_force(r->course.problem, r->depth);
    for (int k = 0; k < N; k++) {
        double pressed = 0;
        for (int i = 0; i < N; i++) {
            pressed += r->matrix[index][i][k] * steady;
        }
        r->step.force[k] = imp_beam_force(r->course.problem, r->step.free[k] - pressed);
    }
}

/* The first root of the indentation between the places of a step, as a part of it; 0: none. By the
 * parabola through the places around it and the one before. */
static double first_root(const imp_beam_run *r, double end) {
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
static double hidden_root(imp_beam_run *r, double length) {
    double x[N + 2], f[N + 2];
    const imp_beam_step_sums *a = &r->sums;
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
        double close = imp_beam_closeness(r->course.problem, 0, lowest, 2 * drop / (width * width));
        r->course.result->closeness = imp_smaller(r->course.result->closeness, close);
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
static bool is_good(const imp_beam_run *r, double error, int *change) {
    if (error <= r->most_error) {
        *change = halvings(r->most_error / error);
        return true;
    }
    *change = error > r->most_error ? halvings(r->most_error / error) : 3; /* no number: 3 */
    *change = *change < 1 ? 1 : *change;
    return false;
}

/* A regular step. *change: halvings that are proposed; *root: where the contact breaks, in time. */
static verdict try_regular(imp_beam_run *r, int index, int *change, double *root) {
    const imp_beam_length *length = imp_beam_use_length(r, index);
    if (!length || !spend(r)) {
        return FAILED;
    }
    const imp_beam_step_sums *a = &r->sums;
    double h = length->step;
    r->step.matrix = r->matrix[index];
    imp_beam_sum_free(r->tables, length, r->shape, r->now, r->step.free);
    guess(r, index);
    imp_beam_iterate(&r->step, MOST_ROUNDS);
    *change = 1;
    if (!r->step.converged) {
        return TOO_LONG;
    }
    imp_beam_sum_step(r->points, &r->step, &r->sums);
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
    double first = a->first - imp_beam_force(r->course.problem, r->depth),
           last = a->last - imp_beam_force(r->course.problem, r->next_depth);
    double error = h * imp_larger(fabs(first), fabs(last));
    if (!is_good(r, error, change)) {
        return TOO_LONG;
    }
    imp_beam_take(r, IMP_BEAM_REGULAR, index, h, h * a->impulse,
                  h * 1.5 * r->course.problem->stiffness * a->roots);
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
void imp_beam_give_up(imp_beam_run *r) {
    const double least = 1e-16;
    double *state = r->course.work->state;
    imp_beam_pack(r, r->now, state);
    if (imp_beam_state_energy(r, state) < least * r->course.problem->energy) {
        r->course.result->outcome = IMP_NO_CONVERGENCE;
    }
}

/* One contact, from `now` to its break. */
void imp_beam_touch_and_break(imp_beam_run *r) {
    const double small = 1e-6;
    double reach = r->tables->reach, root;
    int change;
    if (!take_first(r)) {
        return;
    }
    int index = index_within(2 * r->last.length);
    while (r->course.result->outcome == IMP_SOLVED && r->memory) {
        if (index >= IMP_BEAM_LENGTHS) {
            r->course.result->outcome = IMP_NO_CONVERGENCE;
            return;
        }
        verdict found = try_regular(r, index, &change, &root);
        if (found == TAKEN || found == TOO_LONG) {
            index += change;
            index = index < 0 ? 0 : index;
            if (r->depth < small * r->length_unit) {
                imp_beam_give_up(r);
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
}
