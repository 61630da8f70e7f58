#include "config/distribution.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "config/range.h"
#include "num/sample.h"

#define BIT(field) (1u << (field))

static const struct {
    int first, second; /* the two numbers that are needed */
    unsigned allowed;
} distributions[IMP_DISTRIBUTIONS] = {
    [IMP_UNIFORM] = {IMP_SPREAD_FROM, IMP_SPREAD_TO, 0},
    [IMP_NORMAL] = {IMP_SPREAD_MEAN, IMP_SPREAD_SD, BIT(IMP_SPREAD_FROM) | BIT(IMP_SPREAD_TO)},
};

void imp_distribution_fields(imp_field field[IMP_SPREAD_FIELDS]) {
    static const char *const names[IMP_SPREAD_FIELDS] = {"distribution", "from", "to", "mean",
                                                         "sd"};
    imp_fields_named(field, names, IMP_SPREAD_FIELDS);
}

static bool read_number(const imp_distribution_reader *r, int number, double *value) {
    const imp_field *field = &r->field[number];
    const yaml_node_t *node = field->value;
    const char *text = node ? imp_document_number(r->document, node, field->name) : NULL;
    imp_quantity quantity;
    if (!text || r->parameter < 0) {
        return false;
    }
    if (r->plain) {
        *value = imp_document_quantity(r->document, node, field->name, "1");
        return !isnan(*value);
    }
    bool good = imp_draft_number(r->draft, r->parameter, imp_document_place(r->document, node),
                                 text, &quantity);
    *value = good ? imp_quantity_si(quantity) : NAN;
    return good;
}

static void check_fields(const imp_distribution_reader *r, int kind) {
    char where[64];
    snprintf(where, sizeof where, "of the distribution %s", imp_distribution_names[kind]);
    imp_fields_check(r->document, r->node, r->field, IMP_SPREAD_FIELDS,
                     distributions[kind].allowed | BIT(IMP_SPREAD_DISTRIBUTION),
                     BIT(distributions[kind].first) | BIT(distributions[kind].second),
                     where + strlen("of "), where);
}

/* The probability below an end of a normal distribution that is cut off. */
static double probability(const imp_distribution *d, double end) {
    return imp_normal_probability((end - d->a) / d->b);
}

static bool check_numbers(const imp_distribution_reader *r, const imp_distribution *d) {
    const char *wrong = NULL;
    int blamed = distributions[d->kind].second;
    if (d->kind == IMP_UNIFORM) {
        wrong = d->b > d->a ? NULL : "'to' must be above 'from'";
    } else if (!(d->b > 0)) {
        wrong = "'sd' must be above 0";
    } else if (!(d->high > d->low)) {
        wrong = "'to' must be above 'from'";
        blamed = r->field[IMP_SPREAD_TO].value ? IMP_SPREAD_TO : IMP_SPREAD_FROM;
    } else if (!(probability(d, d->high) - probability(d, d->low) >= 1e-6)) {
        wrong = "less than a millionth of the normal distribution is between 'from' and 'to'";
        blamed = r->field[IMP_SPREAD_TO].value ? IMP_SPREAD_TO : IMP_SPREAD_FROM;
    }
    if (wrong) {
        imp_document_error(r->document, r->field[blamed].value, "%s", wrong);
    }
    return !wrong;
}

/* An end at which a normal distribution is cut off, if it is given. */
static bool read_end(const imp_distribution_reader *r, int field, double *end) {
    return !r->field[field].given || read_number(r, field, end);
}

static bool read_kind(const imp_distribution_reader *r, imp_distribution_kind kind,
                      imp_distribution *d) {
    *d = (imp_distribution){.kind = kind, .low = -INFINITY, .high = INFINITY};
    check_fields(r, (int)kind);
    bool good = read_number(r, distributions[kind].first, &d->a);
    good = read_number(r, distributions[kind].second, &d->b) && good;
    if (kind == IMP_NORMAL) {
        good = read_end(r, IMP_SPREAD_FROM, &d->low) && good;
        good = read_end(r, IMP_SPREAD_TO, &d->high) && good;
    }
    return good && check_numbers(r, d);
}

bool imp_distribution_read(const imp_distribution_reader *r, imp_distribution *d) {
    const imp_field *name = &r->field[IMP_SPREAD_DISTRIBUTION];
    int kind = r->range ? IMP_UNIFORM
                        : imp_field_choice(r->document, name, "distribution",
                                           imp_distribution_names, IMP_DISTRIBUTIONS);
    return kind >= 0 && read_kind(r, (imp_distribution_kind)kind, d);
}

static void print_number(imp_text *text, const imp_parameter *parameter, double value) {
    if (parameter) {
        imp_print_value(text, parameter, value);
    } else {
        imp_text_print(text, "%.7g", value);
    }
}

void imp_distribution_print(const imp_distribution *d, const imp_parameter *parameter,
                            imp_text *text) {
    bool normal = d->kind == IMP_NORMAL;
    imp_text_print(text, "%s, %s", imp_distribution_names[d->kind], normal ? "mean " : "");
    print_number(text, parameter, d->a);
    imp_text_print(text, normal ? ", standard deviation " : " to ");
    print_number(text, parameter, d->b);
    if (isfinite(d->low)) {
        imp_text_print(text, ", from ");
        print_number(text, parameter, d->low);
    }
    if (isfinite(d->high)) {
        imp_text_print(text, isfinite(d->low) ? " to " : ", to ");
        print_number(text, parameter, d->high);
    }
}
