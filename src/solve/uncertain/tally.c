/* Counts, sums and extremes of the draws of a cell, in the order of the draws. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "num/exponential.h"
#include "solve/uncertain/uncertain_impl.h"

static const double level = 0.95;

/* ---- memory ---- */

static size_t kept_draws(const imp_uncertain_plan *plan) {
    int64_t all = imp_uncertain_draws(plan);
    return (size_t)(plan->sensitivity ? all / imp_uncertain_group(plan) * 2 : all);
}

static bool open_one(imp_draw_tally *t, const imp_uncertain_plan *plan, int of, bool quantiles) {
    size_t replicates = (size_t)plan->replicates;
    t->kind = imp_uncertain_kind(plan, of);
    if (t->kind == IMP_OF_CATEGORY) {
        imp_uncertain_codes(plan, of, &t->n_values);
    }
    size_t quantities = t->kind == IMP_OF_CATEGORY ? IMP_MOST_CODES : 1;
    bool real = t->kind == IMP_OF_REAL, indices = plan->sensitivity && t->kind != IMP_OF_SEQUENCE;
    t->count = calloc(replicates * quantities, sizeof *t->count);
    t->sum = calloc(replicates, sizeof *t->sum);
    t->end = calloc(replicates, sizeof *t->end);
    t->at[0] = calloc(2 * IMP_MAX_UNCERTAIN, sizeof *t->at[0]);
    t->at[1] = t->at[0] ? t->at[0] + IMP_MAX_UNCERTAIN : NULL;
    t->kept = real && quantiles ? malloc((kept_draws(plan) + 1) * sizeof *t->kept) : NULL;
    t->groups = indices ? calloc(replicates * quantities, sizeof *t->groups) : NULL;
    bool firsts = plan->by_replicate && t->kind == IMP_OF_CATEGORY;
    t->first_at = firsts ? calloc(IMP_MOST_CODES, sizeof *t->first_at) : NULL;
    return (t->first_at || !firsts) && t->count && t->sum && t->end && t->at[0] &&
           (t->kept || !(real && quantiles)) && (t->groups || !indices);
}

bool imp_tallies_open(imp_draw_tallies *s, const imp_uncertain_plan *plan, bool quantiles) {
    quantiles = quantiles && plan->n_quantiles > 0;
    *s = (imp_draw_tallies){.plan = plan};
    s->factor = plan->replicates > 1 ? imp_student_quantile(plan->replicates - 1, level) : NAN;
    s->failed = calloc((size_t)plan->replicates, sizeof *s->failed);
    s->room = quantiles ? imp_spread_open(plan, kept_draws(plan)) : NULL;
    bool good = s->failed && (s->room || !quantiles);
    for (int of = 0; of < plan->n_of; of++) {
        good = open_one(&s->of[of], plan, of, quantiles) && good;
    }
    return good;
}

void imp_tallies_close(imp_draw_tallies *s) {
    for (int of = 0; of < IMP_MAX_OF; of++) {
        imp_draw_tally *t = &s->of[of];
        free(t->count);
        free(t->sum);
        free(t->end);
        free(t->at[0]);
        free(t->kept);
        free(t->groups);
        free(t->first_at);
    }
    free(s->failed);
    imp_spread_close(&s->room);
    *s = (imp_draw_tallies){.plan = NULL};
}

static void begin_one(imp_draw_tally *t, const imp_uncertain_plan *plan) {
    size_t replicates = (size_t)plan->replicates;
    size_t quantities = t->kind == IMP_OF_CATEGORY ? IMP_MOST_CODES : 1;
    memset(t->count, 0, replicates * quantities * sizeof *t->count);
    memset(t->sum, 0, replicates * sizeof *t->sum);
    for (int code = 0; code < IMP_MOST_CODES; code++) {
        t->first[code] = -1;
    }
    if (t->groups) {
        memset(t->groups, 0, replicates * quantities * sizeof *t->groups);
    }
    t->square = 0;
    t->begun = false;
    t->least = t->greatest = NAN;
    t->draw[0] = t->draw[1] = -1;
    memset(t->changes, 0, sizeof t->changes);
    memset(t->lines, 0, sizeof t->lines);
    t->n_best[0] = t->n_best[1] = 0;
    t->n_kept = 0;
    t->spread.known = false;
    t->n_distinct = 0;
}

void imp_tallies_begin(imp_draw_tallies *s) {
    memset(s->failed, 0, (size_t)s->plan->replicates * sizeof *s->failed);
    for (int of = 0; of < s->plan->n_of; of++) {
        begin_one(&s->of[of], s->plan);
    }
}

/* ---- adding draws ---- */

/* A batch of draws of one replicate. */
typedef struct batch {
    int replicate, n;
    int64_t number; /* of its first draw in the cell */
    const uint8_t *outcome;
    const double *const *column;
    int group;  /* points that count are the first and the last one of each group */
    bool whole; /* every draw counts, and was solved */
} batch;

static bool counts(const batch *b, int i) {
    int within = i % b->group;
    return within == 0 || within == b->group - 1;
}

static void note_first(imp_draw_tally *t, const batch *b, int code, int i, int n_parameters) {
    for (int k = 0; t->first_at && k < n_parameters; k++) {
        t->first_at[code][k] = b->column[k][i];
    }
}

static void add_category(imp_draw_tally *t, const batch *b, bool outcome, int n_parameters) {
    /* Four counters in turn, because one that is raised again at once waits for itself. */
    int32_t count[4][IMP_MOST_CODES] = {{0}};
    for (int i = 0; i < b->n; i++) {
        int code = outcome ? b->outcome[i] : b->outcome[i] == IMP_SOLVED ? (int)t->given[i] : 0;
        if (b->group > 1 && !counts(b, i)) {
            continue;
        }
        count[i & 3][code]++;
        if (t->first[code] < 0) {
            t->first[code] = b->number + i;
            note_first(t, b, code, i, n_parameters);
        }
    }
    int64_t *all = t->count + b->replicate * IMP_MOST_CODES;
    for (int code = 0; code < IMP_MOST_CODES; code++) {
        all[code] += count[0][code] + count[1][code] + count[2][code] + count[3][code];
    }
}

static void note_extreme(imp_draw_tally *t, const batch *b, int which, int i, const double value,
                         int n_parameters) {
    *(which ? &t->greatest : &t->least) = value;
    t->draw[which] = b->number + i;
    for (int k = 0; k < n_parameters; k++) {
        t->at[which][k] = b->column[k][i];
    }
}

/* The defined values of a batch, one after another, and the draws that have them. */
typedef struct defined {
    const double *value;
    const int *draw; /* NULL: the draws are those of the batch, in order */
    int n;
    double own_value[IMP_BATCH];
    int own_draw[IMP_BATCH];
} defined;

static bool has_nan(const double *value, int n) {
    int64_t any = 0; /* as wide as a double, for the sake of the compiler */
    for (int i = 0; i < n; i++) {
        any |= value[i] != value[i];
    }
    return any != 0;
}

/* Without branches, because whether a value is defined changes from draw to draw. */
static void find_defined(const imp_draw_tally *t, const batch *b, defined *d) {
    d->value = t->given;
    d->draw = NULL;
    d->n = b->n;
    if (b->whole && !has_nan(t->given, b->n)) {
        return;
    }
    int n = 0;
    for (int i = 0; i < b->n; i++) {
        double value = t->given[i];
        d->own_value[n] = value;
        d->own_draw[n] = i;
        n += (b->outcome[i] == IMP_SOLVED) & (value == value) & (b->group == 1 || counts(b, i));
    }
    d->value = d->own_value;
    d->draw = d->own_draw;
    d->n = n;
}

static void note_extremes(imp_draw_tally *t, const batch *b, const defined *d, int n_parameters) {
    double best[2];
    imp_find_ends(d->value, d->n, &best[0], &best[1]);
    const bool better[2] = {!(best[0] >= t->least), !(best[1] <= t->greatest)};
    for (int which = 0; which < 2; which++) {
        int k = 0;
        while (better[which] && d->value[k] != best[which]) {
            k++;
        }
        if (better[which]) {
            note_extreme(t, b, which, d->draw ? d->draw[k] : k, best[which], n_parameters);
        }
    }
}

static void add_real(imp_draw_tally *t, const batch *b, int n_parameters) {
    defined d;
    find_defined(t, b, &d);
    if (d.n == 0) {
        return;
    }
    t->pivot = t->begun ? t->pivot : d.value[0];
    t->begun = true;
    double sum = t->sum[b->replicate], square = t->square;
    for (int k = 0; k < d.n; k++) {
        double off = d.value[k] - t->pivot;
        sum += off;
        square += off * off;
    }
    t->sum[b->replicate] = sum;
    t->square = square;
    t->count[b->replicate] += d.n;
    note_extremes(t, b, &d, n_parameters);
    if (t->kept) {
        memcpy(t->kept + t->n_kept, d.value, (size_t)d.n * sizeof *t->kept);
        t->n_kept += d.n;
    }
}

static void add_sequence(imp_draw_tally *t, const batch *b) {
    for (int i = 0; i < b->n; i++) {
        if (b->outcome[i] != IMP_SOLVED || (b->group > 1 && !counts(b, i))) {
            continue;
        }
        uint64_t sequence = (uint64_t)t->given[i];
        int at = 0;
        while (at < t->n_distinct && t->sequence[at] != sequence) {
            at++;
        }
        if (at == t->n_distinct && at < IMP_MOST_DISTINCT) {
            t->sequence[at] = sequence;
            t->frequency[at] = 0;
            t->n_distinct++;
        }
        if (at < IMP_MOST_DISTINCT) {
            t->frequency[at]++;
        }
    }
}

static void add_one(imp_draw_tallies *s, int of, const batch *b) {
    imp_draw_tally *t = &s->of[of];
    if (t->kind == IMP_OF_CATEGORY) {
        add_category(t, b, s->plan->of[of] == IMP_OF_OUTCOME, s->plan->n_parameters);
    } else if (t->kind == IMP_OF_SEQUENCE) {
        add_sequence(t, b);
    } else {
        add_real(t, b, s->plan->n_parameters);
    }
}

void imp_tallies_add(imp_draw_tallies *s, int replicate, int64_t first, int n,
                     const double *const *value, const uint8_t *outcome,
                     const double *const *column) {
    const imp_uncertain_plan *plan = s->plan;
    batch b = {.replicate = replicate,
               .n = n,
               .number = replicate * imp_uncertain_replicate_draws(plan) + first,
               .outcome = outcome,
               .column = column,
               .group = imp_uncertain_group(plan)};
    int64_t failed = 0;
    for (int i = 0; i < n; i++) {
        failed += outcome[i] != IMP_SOLVED && (b.group == 1 || counts(&b, i));
    }
    s->failed[replicate] += failed;
    b.whole = b.group == 1 && failed == 0;
    for (int of = 0; of < plan->n_of; of++) {
        s->of[of].given = value[of];
        add_one(s, of, &b);
        if (s->of[of].groups) {
            imp_groups_add(plan, &s->of[of], replicate, n, outcome);
        }
    }
}

/* Keeps the extremes of a replicate as starts of a search, and forgets them. */
static void keep_best(imp_draw_tally *t, int n_parameters) {
    for (int which = 0; which < 2; which++) {
        if (t->draw[which] >= 0 && t->n_best[which] < IMP_MOST_STARTS) {
            imp_summit_place *best = &t->best[which][t->n_best[which]++];
            best->value = which ? t->greatest : t->least;
            memcpy(best->t, t->at[which], (size_t)n_parameters * sizeof *best->t);
        }
        t->draw[which] = -1;
    }
    t->least = t->greatest = NAN;
}

void imp_tallies_end_replicate(imp_draw_tallies *s, int replicate) {
    for (int of = 0; of < s->plan->n_of; of++) {
        s->of[of].end[replicate] = s->of[of].n_kept;
        if (imp_uncertain_gives(s->plan)) {
            keep_best(&s->of[of], s->plan->n_parameters);
        }
    }
}

/* ---- results ---- */

/* Draws that count, of a replicate. */
static int64_t drawn(const imp_draw_tallies *s) {
    int64_t n = imp_uncertain_replicate_draws(s->plan);
    int group = imp_uncertain_group(s->plan);
    return group > 1 ? n / group * 2 : n;
}

/* The share, and its standard error, of what was counted; stride: between replicates. */
static double share(const imp_draw_tallies *s, const int64_t *count, int stride, bool error) {
    int replicates = s->plan->replicates;
    double part[IMP_MOST_REPLICATES];
    int64_t all = 0;
    for (int r = 0; r < replicates; r++) {
        all += count[r * stride];
        part[r] = (double)count[r * stride] / (double)drawn(s);
    }
    return error ? imp_standard_error(part, replicates)
                 : (double)all / (double)(replicates * drawn(s));
}

/* 1 - exp(-x), for x > 0. */
static double one_less_exp(double x) {
    return x < 1e-3 ? x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4))) : 1 - imp_exp(-x);
}

static double share_of(const imp_draw_tallies *s, const imp_draw_tally *t, int code, bool error) {
    return share(s, t->count + code, IMP_MOST_CODES, error);
}

static double bound(const imp_draw_tallies *s, const imp_draw_tally *t, int code) {
    double error = share_of(s, t, code, true), of = share_of(s, t, code, false);
    double all = (double)(s->plan->replicates * drawn(s));
    bool agree = error == 0 || of == 0 || of == 1;
    return agree ? one_less_exp(-imp_log(1 - level) / all) : s->factor * error;
}

/* The code of a value of a category. */
static int code_of(const imp_draw_tallies *s, const imp_statistic_source *source, int value) {
    int n;
    return imp_uncertain_codes(s->plan, source->of, &n)[value].code;
}

/* The code of the most probable value, 0 if no draw has one. */
static int top_of(const imp_draw_tallies *s, int of) {
    int n, best = 0;
    double most = 0;
    const imp_mode *codes = imp_uncertain_codes(s->plan, of, &n);
    for (int v = 0; v < n; v++) {
        double part = share_of(s, &s->of[of], codes[v].code, false);
        if (part > most) {
            most = part;
            best = codes[v].code;
        }
    }
    return best;
}

/* A value of a draw, whose number is -1 if there is none. */
static double if_drawn(int64_t draw, double value) {
    return draw < 0 ? (double)NAN : value;
}

static double first_at(const imp_draw_tally *t, int code, int parameter) {
    return t->first[code] < 0 ? NAN : t->first_at[code][parameter];
}

/* The mean of all replicates, or its standard error. */
static double mean_of(const imp_draw_tallies *s, const imp_draw_tally *t, bool error) {
    double mean[IMP_MOST_REPLICATES], sum = 0;
    int64_t n = 0;
    int known = 0;
    for (int r = 0; r < s->plan->replicates; r++) {
        if (t->count[r] > 0) {
            mean[known++] = t->sum[r] / (double)t->count[r];
            sum += t->sum[r];
            n += t->count[r];
        }
    }
    return error ? imp_standard_error(mean, known) : n > 0 ? t->pivot + sum / (double)n : NAN;
}

static double deviation_of(const imp_draw_tallies *s, const imp_draw_tally *t) {
    double sum = 0;
    int64_t n = 0;
    for (int r = 0; r < s->plan->replicates; r++) {
        sum += t->sum[r];
        n += t->count[r];
    }
    double off = sum / (double)n, square = t->square / (double)n - off * off;
    return n > 0 ? sqrt(square > 0 ? square : 0) : NAN;
}

/* What the kept values say, which is found once for each cell. */
static const imp_value_spread *spread_of(imp_draw_tallies *s, const imp_statistic_source *source) {
    imp_draw_tally *t = &s->of[source->of];
    if (!t->spread.known) {
        imp_spread_of(s->room, s->plan, t, s->plan->replicates * drawn(s), &t->spread);
    }
    return &t->spread;
}

/* Index of the value of rank k: the more frequent one, then the lower code, comes first; -1 if
 * there are not as many. */
static int ranked(const imp_draw_tally *t, int k) {
    bool taken[IMP_MOST_DISTINCT] = {false};
    int best = -1;
    for (int rank = 0; rank <= k; rank++) {
        best = -1;
        for (int i = 0; i < t->n_distinct; i++) {
            bool more =
                best < 0 || t->frequency[i] > t->frequency[best] ||
                (t->frequency[i] == t->frequency[best] && t->sequence[i] < t->sequence[best]);
            best = !taken[i] && more ? i : best;
        }
        if (best < 0) {
            return -1;
        }
        taken[best] = true;
    }
    return best;
}

static double ranked_share(const imp_draw_tallies *s, const imp_draw_tally *t, int k) {
    int at = ranked(t, k);
    return at < 0 ? 0 : (double)t->frequency[at] / (double)(s->plan->replicates * drawn(s));
}

/* Value k of a statistic. */
static double value_of(imp_draw_tallies *s, const imp_statistic_source *source, int k) {
    const imp_draw_tally *t = source->of < 0 ? NULL : &s->of[source->of];
    int n = s->plan->n_parameters;
    switch (source->statistic) {
#define STATISTIC(symbol, of, length, name, unit, meaning, value)                                  \
    case IMP_STATISTIC_##symbol:                                                                   \
        return value;
#include "solve/uncertain/statistics.def"
    default:
        return NAN;
    }
}

void imp_tallies_put(imp_draw_tallies *s, const imp_statistic_source *source, int n, double *to) {
    bool kept = source->statistic >= IMP_STATISTIC_QUANTILE &&
                source->statistic <= IMP_STATISTIC_HISTOGRAM; /* as infinite as the draws are */
    for (int k = 0; k < n; k++) {
        double value = value_of(s, source, k);
        to[k] = isinf(value) && !kept ? NAN : value;
    }
}
