/* Indices of Sobol from groups of Saltelli's design: estimators of Saltelli and others 2010 (first
 * order) and Jansen 1999 (total), the table 2 of the former. */
#include <math.h>

#include "solve/uncertain/uncertain_impl.h"

/* Whether the quantity is defined at every point of the group that begins at i. */
static bool is_whole(const imp_draw_tally *t, const uint8_t *outcome, int i, int group) {
    for (int k = 0; k < group; k++) {
        if (outcome[i + k] != IMP_SOLVED || isnan(t->given[i + k])) {
            return false;
        }
    }
    return true;
}

/* Numbers less a pivot near them, so that squares keep their digits. */
static void add_real(const imp_draw_tally *t, imp_group_sums *sums, int i, int group) {
    double first = t->given[i] - t->pivot, last = t->given[i + group - 1] - t->pivot;
    sums->n++;
    sums->both += first + last;
    sums->squares += first * first + last * last;
    for (int k = 0; k < group - 2; k++) {
        double difference = t->given[i + 1 + k] - t->given[i];
        sums->of[k].difference += difference;
        sums->of[k].square += difference * difference;
        sums->of[k].product += last * difference;
    }
}

/* The indicators of all values at once: only those of the values in the group change. */
static void add_category(const imp_draw_tally *t, imp_group_sums *sums, int i, int group) {
    int first = (int)t->given[i], last = (int)t->given[i + group - 1];
    sums[0].n++; /* of all values; 0 is no value */
    sums[first].both++;
    sums[last].both++;
    for (int k = 0; k < group - 2; k++) {
        int mixed = (int)t->given[i + 1 + k];
        if (mixed != first) {
            sums[first].of[k].difference--;
            sums[mixed].of[k].difference++;
            sums[first].of[k].square++;
            sums[mixed].of[k].square++;
            sums[first].of[k].product -= last == first;
            sums[mixed].of[k].product += last == mixed;
        }
    }
}

void imp_groups_add(const imp_uncertain_plan *plan, imp_draw_tally *t, int replicate, int n,
                    const uint8_t *outcome) {
    int group = imp_uncertain_group(plan);
    bool category = t->kind == IMP_OF_CATEGORY;
    imp_group_sums *sums = t->groups + replicate * (category ? IMP_MOST_CODES : 1);
    for (int i = 0; i < n; i += group) {
        if (!is_whole(t, outcome, i, group)) {
            continue;
        }
        if (category) {
            add_category(t, sums, i, group);
        } else {
            add_real(t, sums, i, group);
        }
    }
}

static void add_sums(imp_group_sums *to, const imp_group_sums *from, int k) {
    to->n += from->n;
    to->both += from->both;
    to->squares += from->squares;
    to->of[k].difference += from->of[k].difference;
    to->of[k].square += from->of[k].square;
    to->of[k].product += from->of[k].product;
}

static double index_of(const imp_group_sums *s, int k, int which) {
    double n = (double)s->n, mean = s->both / (2 * n), square = s->squares / (2 * n);
    double variance = square - mean * mean;
    if (s->n < 2 || !(variance > 1e-24 * square)) {
        return NAN;
    }
    const imp_index_sums *of = &s->of[k];
    double first = of->product / n - mean * (of->difference / n);
    return (which ? of->square / n / 2 : first) / variance;
}

double imp_groups_index(const imp_draw_tallies *s, const imp_draw_tally *t, int value,
                        int parameter, int which, bool error) {
    bool category = t->kind == IMP_OF_CATEGORY;
    int stride = category ? IMP_MOST_CODES : 1, known = 0;
    imp_group_sums all = {0};
    double own[IMP_MOST_REPLICATES];
    for (int r = 0; r < s->plan->replicates; r++) {
        imp_group_sums sums = t->groups[r * stride + value];
        sums.n = t->groups[r * stride].n;
        sums.squares = category ? sums.both : sums.squares;
        double index = index_of(&sums, parameter, which);
        if (!isnan(index)) {
            own[known++] = index;
        }
        add_sums(&all, &sums, parameter);
    }
    return error ? imp_standard_error(own, known) : index_of(&all, parameter, which);
}
