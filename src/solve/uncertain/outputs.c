/* The outputs of uncertain parameters: those rows of the statistics that belong to each output that
 * is asked for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/uncertain/uncertain_impl.h"

typedef struct row {
    const char *symbol;
    imp_statistic_of of;
    imp_statistic_length length;
    const char *name;
    bool own_unit;
    const char *meaning;
} row;

static const row rows[IMP_STATISTICS] = {
#define PLAIN false
#define OWN true
#define STATISTIC(symbol, of, length, name, unit, meaning, value)                                  \
    [IMP_STATISTIC_##symbol] = {#symbol, IMP_OF_##of, IMP_LENGTH_##length, name, unit, meaning},
#include "solve/uncertain/statistics.def"
};

enum { VALUES, PAIRS }; /* dimensions of a category */

#define OUTCOME_MODE(code, symbol, name, meaning) {code, #name, meaning},
static const imp_mode outcomes[] = {IMP_OUTCOMES(OUTCOME_MODE)};
enum { SOLVED_FIRST = 1 }; /* no draw is pending */

static const imp_output outcome_output = {.name = "outcome",
                                          .unit = "1",
                                          .kind = IMP_CATEGORY,
                                          .categories = outcomes + SOLVED_FIRST,
                                          .n_categories = IMP_OUTCOME_COUNT - SOLVED_FIRST};

static const imp_output *output_of(const imp_uncertain_plan *plan, int of) {
    return plan->of[of] == IMP_OF_OUTCOME ? &outcome_output : &plan->theory->outputs[plan->of[of]];
}

const char *imp_uncertain_name(const imp_uncertain_plan *plan, int of) {
    return output_of(plan, of)->name;
}

const imp_mode *imp_uncertain_codes(const imp_uncertain_plan *plan, int of, int *n) {
    return imp_output_categories(plan->theory, output_of(plan, of), n);
}

imp_statistic_of imp_uncertain_kind(const imp_uncertain_plan *plan, int of) {
    static const imp_statistic_of kinds[] = {[IMP_REAL] = IMP_OF_REAL,
                                             [IMP_CATEGORY] = IMP_OF_CATEGORY,
                                             [IMP_SEQUENCE] = IMP_OF_SEQUENCE};
    return kinds[output_of(plan, of)->kind];
}

/* Whether the plan asks for the statistics of a row. */
static bool is_asked(const imp_uncertain_plan *plan, imp_statistic statistic, int of) {
    const row *r = &rows[statistic];
    bool index = statistic >= IMP_STATISTIC_FIRST && statistic <= IMP_STATISTIC_TOTAL_ERROR;
    bool quantile = r->length == IMP_LENGTH_QUANTILES || r->length == IMP_LENGTH_BINS;
    bool given = statistic >= IMP_STATISTIC_MINIMUM && statistic <= IMP_STATISTIC_MAXIMUM_AT;
    if (given || (imp_uncertain_gives(plan) && r->of != IMP_OF_CELL)) {
        return given && plan->give[statistic >= IMP_STATISTIC_MAXIMUM];
    }
    if (statistic == IMP_STATISTIC_FIRST_AT || statistic == IMP_STATISTIC_CHANGES) {
        return plan->by_replicate && plan->of[of] != IMP_OF_OUTCOME;
    }
    return (plan->sensitivity || !(index || r->length == IMP_LENGTH_PAIRS)) &&
           (plan->n_quantiles > 0 || !quantile);
}

/* ---- names along dimensions ---- */

static void name_values(imp_uncertain *u, int of) {
    int n;
    const imp_mode *codes = imp_uncertain_codes(&u->plan, of, &n);
    const char *name = imp_uncertain_name(&u->plan, of);
    snprintf(u->dimension[of][VALUES], sizeof u->dimension[of][VALUES], "%s_value", name);
    snprintf(u->dimension[of][PAIRS], sizeof u->dimension[of][PAIRS], "%s_value_parameter", name);
    for (int v = 0; v < n; v++) {
        u->values[of][v] = codes[v].name;
    }
}

/* "wedge:friction" */
static bool name_pairs(imp_uncertain *u, int of) {
    enum { LENGTH = 132 };
    int n, k = 0;
    const imp_mode *codes = imp_uncertain_codes(&u->plan, of, &n);
    size_t pairs = (size_t)n * (size_t)u->plan.n_parameters;
    u->pairs[of] = calloc(pairs + 1, sizeof *u->pairs[of]);
    u->pair_text[of] = calloc(pairs + 1, LENGTH);
    for (int v = 0; u->pairs[of] && u->pair_text[of] && v < n; v++) {
        for (int p = 0; p < u->plan.n_parameters; p++, k++) {
            char *text = u->pair_text[of] + k * LENGTH;
            snprintf(text, LENGTH, "%s:%s", codes[v].name, u->parameters[p]);
            u->pairs[of][k] = text;
        }
    }
    return u->pairs[of] && u->pair_text[of];
}

static bool name_members(imp_uncertain *u) {
    bool good = true;
    for (int p = 0; p < u->plan.n_parameters; p++) {
        u->parameters[p] = u->plan.parameter[p].parameter->name;
    }
    for (int q = 0; q < u->plan.n_quantiles; q++) {
        snprintf(u->quantile_text[q], sizeof u->quantile_text[q], "%.10g", u->plan.quantile[q]);
        u->quantiles[q] = u->quantile_text[q];
    }
    for (int of = 0; of < u->plan.n_of; of++) {
        if (imp_uncertain_kind(&u->plan, of) == IMP_OF_CATEGORY) {
            name_values(u, of);
            good = (!(u->plan.sensitivity || u->plan.by_replicate) || name_pairs(u, of)) && good;
        }
    }
    return good;
}

static void set_dimension(imp_uncertain *u, const row *r, int of, imp_output *output) {
    int n = 0;
    if (r->length == IMP_LENGTH_VALUES || r->length == IMP_LENGTH_PAIRS) {
        imp_uncertain_codes(&u->plan, of, &n);
    }
    const int parameters = u->plan.n_parameters;
    const struct {
        const char *dimension;
        int length;
        const char *const *members;
    } lists[] = {
        [IMP_LENGTH_ONE] = {NULL, 0, NULL},
        [IMP_LENGTH_EACH] = {NULL, 0, NULL},
        [IMP_LENGTH_VALUES] = {u->dimension[of < 0 ? 0 : of][VALUES], n,
                               u->values[of < 0 ? 0 : of]},
        [IMP_LENGTH_FEW] = {"sequence_rank", IMP_FEW, NULL},
        [IMP_LENGTH_BINS] = {"bin", IMP_BINS, NULL},
        [IMP_LENGTH_PARAMETERS] = {"uncertain_parameter", parameters, u->parameters},
        [IMP_LENGTH_QUANTILES] = {"quantile", u->plan.n_quantiles, u->quantiles},
        [IMP_LENGTH_PAIRS] = {u->dimension[of < 0 ? 0 : of][PAIRS], n * parameters,
                              u->pairs[of < 0 ? 0 : of]},
    };
    output->dimension = lists[r->length].dimension;
    output->length = lists[r->length].length;
    output->members = lists[r->length].members;
}

/* ---- outputs ---- */

static const char *spaced(char *text) {
    for (char *at = text; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return text;
}

/* Appends a pattern with the output that it is about in the place of %s, and its end mark. */
static void write_pattern(imp_text *text, const char *pattern, const char *about) {
    for (const char *at; (at = strstr(pattern, "%s")) != NULL; pattern = at + 2) {
        imp_text_append(text, pattern, (size_t)(at - pattern));
        imp_text_append(text, about, strlen(about));
    }
    imp_text_append(text, pattern, strlen(pattern) + 1);
}

/* Writes name, meaning and label of an output into its text; false if memory is out. */
static bool write_texts(imp_text *text, const row *r, const char *about, size_t start[3]) {
    start[0] = text->length;
    write_pattern(text, r->name, about);
    start[1] = text->length;
    write_pattern(text, r->meaning, about);
    start[2] = text->length;
    write_pattern(text, r->name, about);
    return !text->failed;
}

static bool add(imp_uncertain *u, imp_statistic statistic, int of, int value, const char *about) {
    const row *r = &rows[statistic];
    int o = u->theory.n_outputs;
    size_t start[3];
    if (o == IMP_MAX_OUTPUTS || !write_texts(&u->text[o], r, about, start)) {
        return false;
    }
    const imp_output *from = of < 0 ? NULL : output_of(&u->plan, of);
    imp_output *output = &u->outputs[o];
    *output = (imp_output){.name = u->text[o].bytes + start[0],
                           .meaning = u->text[o].bytes + start[1],
                           .label = spaced(u->text[o].bytes + start[2]),
                           .unit = r->own_unit ? from->unit : "1",
                           .own_unit = r->own_unit && from->own_unit};
    set_dimension(u, r, of, output);
    bool number = statistic == IMP_STATISTIC_LEAST_DRAW ||
                  statistic == IMP_STATISTIC_GREATEST_DRAW ||
                  statistic == IMP_STATISTIC_FIRST_DRAW || statistic == IMP_STATISTIC_DISTINCT;
    output->exact = number || statistic == IMP_STATISTIC_FIRST_AT ||
                    r->length == IMP_LENGTH_PARAMETERS || statistic == IMP_STATISTIC_LEAST ||
                    statistic == IMP_STATISTIC_GREATEST || statistic == IMP_STATISTIC_MINIMUM ||
                    statistic == IMP_STATISTIC_MAXIMUM;
    if (statistic == IMP_STATISTIC_TOP) {
        output->kind = IMP_CATEGORY;
        output->categories = of >= 0 ? from->categories : NULL;
        output->n_categories = from->n_categories;
        output->label = NULL;
    } else if (statistic == IMP_STATISTIC_RANKED_TOP || statistic == IMP_STATISTIC_RANKED) {
        output->kind = IMP_SEQUENCE;
        output->label = NULL;
    } else if (number) {
        output->undefined_when = "no draw has the value";
    }
    u->source[o] = (imp_statistic_source){statistic, of, value};
    u->theory.n_outputs++;
    return true;
}

/* share_of_wedge of the mode; share_of_tangential_end_wedge of other categories. */
static bool add_each(imp_uncertain *u, imp_statistic statistic, int of) {
    int n;
    bool good = true, mode = strcmp(imp_uncertain_name(&u->plan, of), "mode") == 0;
    const imp_mode *codes = imp_uncertain_codes(&u->plan, of, &n);
    for (int v = 0; good && v < n; v++) {
        char about[160];
        snprintf(about, sizeof about, "%s%s%s", mode ? "" : imp_uncertain_name(&u->plan, of),
                 mode ? "" : "_", codes[v].name);
        good = add(u, statistic, of, v, about);
    }
    return good;
}

/* The text in the place of %s. The name `outcome` belongs to the outcome of the cell. */
static const char *about_of(const imp_uncertain *u, imp_statistic statistic, int of) {
    bool taken = statistic == IMP_STATISTIC_TOP && u->plan.of[of] == IMP_OF_OUTCOME;
    return of < 0 ? "" : taken ? "most_probable_outcome" : imp_uncertain_name(&u->plan, of);
}

static bool add_of(imp_uncertain *u, imp_statistic_of kind, int of) {
    bool good = true;
    for (int s = 0; good && s < IMP_STATISTICS; s++) {
        if (rows[s].of != kind || !is_asked(&u->plan, (imp_statistic)s, of)) {
            continue;
        }
        good = rows[s].length == IMP_LENGTH_EACH
                   ? add_each(u, (imp_statistic)s, of)
                   : add(u, (imp_statistic)s, of, 0, about_of(u, (imp_statistic)s, of));
    }
    return good;
}

int imp_uncertain_count_outputs(const imp_uncertain_plan *plan) {
    int count = 0;
    for (int of = -1; of < plan->n_of; of++) {
        int n = 0;
        imp_statistic_of kind = of < 0 ? IMP_OF_CELL : imp_uncertain_kind(plan, of);
        if (kind == IMP_OF_CATEGORY) {
            imp_uncertain_codes(plan, of, &n);
        }
        for (int s = 0; s < IMP_STATISTICS; s++) {
            bool asked = rows[s].of == kind && is_asked(plan, (imp_statistic)s, of);
            count += !asked ? 0 : rows[s].length == IMP_LENGTH_EACH ? n : 1;
        }
    }
    return count;
}

bool imp_uncertain_add_outputs(imp_uncertain *u) {
    bool good = name_members(u);
    for (int of = 0; good && of < u->plan.n_of; of++) {
        good = add_of(u, imp_uncertain_kind(&u->plan, of), of);
    }
    return good && add_of(u, IMP_OF_CELL, -1);
}

bool imp_uncertain_is_share(const imp_uncertain *u, int output) {
    imp_statistic statistic = u->source[output].statistic;
    return statistic == IMP_STATISTIC_FAILED || statistic == IMP_STATISTIC_CERTAINTY ||
           statistic == IMP_STATISTIC_SHARE_OF || statistic == IMP_STATISTIC_DEFINED ||
           statistic == IMP_STATISTIC_RANKED_CERTAINTY;
}

void imp_uncertain_free_outputs(imp_uncertain *u) {
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        imp_text_free(&u->text[o]);
    }
    for (int of = 0; of < IMP_MAX_OF; of++) {
        free(u->pairs[of]);
        free(u->pair_text[of]);
    }
}
