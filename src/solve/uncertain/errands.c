/* What a cell does after its draws: it seeks extremes, or follows lines across the ranges of its
 * parameters. */
#include <math.h>
#include <string.h>

#include "num/sample.h"
#include "solve/uncertain/cell_impl.h"

/* ---- extremes ---- */

/* The search for one extreme of one output. */
typedef struct errand {
    imp_uncertain_work *cell;
    const double *const *in;
    int of;
    imp_err error;
} errand;

/* The value of a parameter at a coordinate of the unit cube, and the other way round. */
static double value_at(const imp_uncertain_work *w, int k, double t) {
    const imp_uncertain_parameter *p = &w->uncertain->plan.parameter[k];
    const imp_distribution *range = &w->draws.here[k];
    double value = imp_uncertain_value(p, w->draws.centre[k], range->a + (range->b - range->a) * t);
    double least = w->draws.least[k], most = w->draws.most[k];
    return !p->truncate ? value : value < least ? least : value > most ? most : value;
}

static double coordinate_of(const imp_uncertain_work *w, int k, double value) {
    double one = value_at(w, k, 0), other = value_at(w, k, 1), t = (value - one) / (other - one);
    return !(t >= 0) ? 0 : t > 1 ? 1 : t;
}

/* imp_compass.measure */
static bool measure(void *context, int n, imp_summit_place *place) {
    errand *e = context;
    imp_uncertain_work *w = e->cell;
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    for (int first = 0; !e->error && first < n; first += IMP_BATCH) {
        int count = n - first < IMP_BATCH ? n - first : IMP_BATCH;
        for (int k = 0; k < plan->n_parameters; k++) {
            for (int i = 0; i < count; i++) {
                w->draws.value[k][i] = value_at(w, k, place[first + i].t[k]);
            }
            w->column[k] = w->draws.value[k];
        }
        e->error = imp_uncertain_solve_columns(w, e->in, count);
        for (int i = 0; !e->error && i < count; i++) {
            place[first + i].value = w->outcome[i] == IMP_SOLVED ? w->result[e->of][i] : NAN;
        }
    }
    return !e->error;
}

/* Seeks the extremes of an output from the best draws of the replicates. */
static imp_err pursue(imp_uncertain_work *w, const double *const *in, int of, int which) {
    imp_draw_tally *t = &w->tallies.of[of];
    errand e = {.cell = w, .in = in, .of = of, .error = IMP_OK};
    imp_compass pursuit = {.measure = measure,
                           .context = &e,
                           .n_axes = w->uncertain->plan.n_parameters,
                           .n_starts = t->n_best[which],
                           .sign = which ? 1 : -1,
                           .place = w->place};
    if (t->n_best[which] == 0) {
        return IMP_OK;
    }
    for (int s = 0; s < pursuit.n_starts; s++) {
        for (int k = 0; k < pursuit.n_axes; k++) {
            pursuit.start[s].t[k] = coordinate_of(w, k, t->best[which][s].t[k]);
        }
    }
    if (!measure(&e, pursuit.n_starts, pursuit.start)) { /* with the rounding of coordinates */
        return e.error;
    }
    imp_summit_place best = imp_pursue(&pursuit);
    t->best[which][0].value = best.value;
    for (int k = 0; k < pursuit.n_axes; k++) {
        t->best[which][0].t[k] = value_at(w, k, best.t[k]);
    }
    return e.error;
}

imp_err imp_uncertain_pursue(imp_uncertain_work *w, const double *const *in) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    imp_err error = IMP_OK;
    for (int of = 0; of < plan->n_of; of++) {
        for (int which = 0; !error && which < 2; which++) {
            error = plan->give[which] ? pursue(w, in, of, which) : IMP_OK;
        }
    }
    return error;
}

/* ---- lines ---- */

enum { LINES = 32, POINTS = 65, TOGETHER = IMP_BATCH / POINTS, HALVINGS = 20 };

/* Lines across one parameter through draws that keep the values of the others. */
typedef struct bundle {
    int parameter, first, n; /* numbers of the draws */
    double base[IMP_MAX_UNCERTAIN][LINES];
} bundle;

/* The value of a parameter at a part of its distribution. */
static double value_along(const imp_uncertain_work *w, int k, double part) {
    const imp_uncertain_parameter *p = &w->uncertain->plan.parameter[k];
    double drawn = imp_distribution_quantile(&w->draws.here[k], &w->draws.here_cut[k], part);
    double value = imp_uncertain_value(p, w->draws.centre[k], drawn);
    double least = w->draws.least[k], most = w->draws.most[k];
    return !p->truncate ? value : value < least ? least : value > most ? most : value;
}

static void fill_lines(imp_uncertain_work *w, const bundle *b) {
    for (int k = 0; k < w->uncertain->plan.n_parameters; k++) {
        double *to = w->draws.value[k];
        for (int i = 0; i < b->n * POINTS; i++) {
            to[i] = k == b->parameter ? value_along(w, k, (i % POINTS + 0.5) / POINTS)
                                      : b->base[k][b->first + i / POINTS];
        }
        w->column[k] = to;
    }
}

/* The code of an output at place i of the bundle; -1: not solved, beside which nothing changes. */
static double code_at(const imp_uncertain_work *w, int of, int i) {
    return w->outcome[i] == IMP_SOLVED ? w->result[of][i] : -1;
}

/* Counts the changes of an output, and returns how many of them are in `found`, at most
 * IMP_MOST_CHANGES. */
static int find_changes(const imp_uncertain_work *w, const bundle *b, int of,
                        imp_line_change *found, int64_t *count) {
    int n = 0;
    for (int i = 1; i < b->n * POINTS; i++) {
        double from = code_at(w, of, i - 1), to = code_at(w, of, i);
        if (i % POINTS == 0 || from < 0 || to < 0 || from == to) {
            continue;
        }
        ++*count;
        if (n < IMP_MOST_CHANGES) {
            found[n++] = (imp_line_change){.line = i / POINTS,
                                           .from = from,
                                           .to = to,
                                           .low = (i % POINTS - 0.5) / POINTS,
                                           .high = (i % POINTS + 0.5) / POINTS};
        }
    }
    return n;
}

/* Halves the brackets of changes until each has two codes side by side; a third code in between is
 * a further change. Adds their number to *count. */
static imp_err narrow(imp_uncertain_work *w, const double *const *in, const bundle *b, int of,
                      imp_line_change *found, int n, int64_t *count) {
    for (int halving = 0; n > 0 && halving < HALVINGS; halving++) {
        for (int k = 0; k < w->uncertain->plan.n_parameters; k++) {
            for (int i = 0; i < n; i++) {
                double middle = (found[i].low + found[i].high) / 2;
                w->draws.value[k][i] = k == b->parameter ? value_along(w, k, middle)
                                                         : b->base[k][b->first + found[i].line];
            }
            w->column[k] = w->draws.value[k];
        }
        imp_err error = imp_uncertain_solve_columns(w, in, n);
        if (error) {
            return error;
        }
        for (int i = 0; i < n; i++) {
            double middle = (found[i].low + found[i].high) / 2, code = code_at(w, of, i);
            bool third = code >= 0 && code != found[i].from && code != found[i].to;
            *count += third;
            if (code == found[i].from) {
                found[i].low = middle;
            } else {
                found[i].high = middle;
                found[i].to = third ? code : found[i].to;
            }
        }
    }
    return IMP_OK;
}

static imp_err count_changes(imp_uncertain_work *w, const double *const *in, const bundle *b) {
    int n[IMP_MAX_OF] = {0}, n_of = w->uncertain->plan.n_of;
    for (int of = 0; of < n_of; of++) {
        bool category = w->tallies.of[of].kind == IMP_OF_CATEGORY;
        bool own = category && w->uncertain->plan.of[of] != IMP_OF_OUTCOME;
        int64_t *count = &w->tallies.of[of].changes[b->parameter];
        n[of] = own ? find_changes(w, b, of, w->found[of], count) : 0;
        w->tallies.of[of].lines[b->parameter] += b->n;
    }
    imp_err error = IMP_OK;
    for (int of = 0; !error && of < n_of; of++) {
        error = narrow(w, in, b, of, w->found[of], n[of], &w->tallies.of[of].changes[b->parameter]);
    }
    return error;
}

/* The draws through which the lines go; returns their number. */
static int choose_draws(imp_uncertain_work *w, bundle *b) {
    int group = imp_uncertain_group(&w->uncertain->plan), most = IMP_BATCH / group * group;
    int64_t all = imp_uncertain_replicate_draws(&w->uncertain->plan);
    int n = all < most ? (int)all : most, lines = n / group < LINES ? n / group : LINES;
    imp_draws_take(&w->draws, 0, 0, n, w->column);
    for (int k = 0; k < w->uncertain->plan.n_parameters; k++) {
        for (int i = 0; i < lines; i++) {
            b->base[k][i] = w->column[k][i * group];
        }
    }
    return lines;
}

imp_err imp_uncertain_cross(imp_uncertain_work *w, const double *const *in) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    bundle b = {.n = 0};
    int lines = choose_draws(w, &b);
    for (int k = 0; k < plan->n_parameters; k++) {
        bool alone = !plan->parameter[k].joint && !plan->parameter[k].correlated;
        for (b.first = 0; alone && b.first < lines; b.first += b.n) {
            b.parameter = k;
            b.n = lines - b.first < TOGETHER ? lines - b.first : TOGETHER;
            fill_lines(w, &b);
            imp_err error = imp_uncertain_solve_columns(w, in, b.n * POINTS);
            error = error ? error : count_changes(w, in, &b);
            if (error) {
                return error;
            }
        }
    }
    return IMP_OK;
}
