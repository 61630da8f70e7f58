#include "config/keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "config/axis_impl.h"
#include "config/scope.h"
#include "config/units.h"

enum { OVER, FIND, OF, IN, VALUE, TOLERANCE, MAX_ROOTS, N_FIELDS };
enum { PARAM, FROM, TO, SAMPLES, SPACING, N_OVER_FIELDS };

#define BIT(field) (1u << (field))

/* The keys that a kind of search needs. */
static unsigned needed_by(const imp_search_kind *kind) {
    return BIT(OVER) | BIT(OF) | (kind->needs_set ? BIT(IN) : 0) |
           (kind->needs_value ? BIT(VALUE) : 0);
}

static unsigned allowed_by(const imp_search_kind *kind) {
    return needed_by(kind) | BIT(FIND) | BIT(TOLERANCE) | (kind->finds_roots ? BIT(MAX_ROOTS) : 0) |
           (kind->takes_levels ? BIT(IN) | BIT(VALUE) : 0);
}

enum { DEFAULT_SAMPLES = 128, DEFAULT_ROOTS = 4 }; /* where the kind is unknown */

typedef struct reader {
    imp_document *document;
    imp_report *report;
    const yaml_node_t *node;
    imp_over_places *places;
    bool knows_outputs;
    imp_search_plan plan; /* kind: NULL if unknown, which has been reported */
    imp_field field[N_FIELDS];
} reader;

/* ---- over ---- */

static const imp_parameter *find_parameter(const reader *r, const imp_field *field,
                                           const char *name) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    const char *names[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(r->plan.theory, all);
    for (int p = 0; name && p < n; p++) {
        if (strcmp(all[p]->name, name) == 0) {
            return all[p];
        }
        names[p] = all[p]->name;
    }
    if (name && imp_theory_choice(r->plan.theory, name) >= 0) {
        imp_document_error(r->document, field->value,
                           "'%s' is a choice, a search goes over a parameter", name);
    } else if (name && imp_theory_renamed(r->plan.theory, name)) {
        imp_document_error(r->document, field->value, "'%s' is now called '%s'", name,
                           imp_theory_renamed(r->plan.theory, name));
    } else if (name && !r->report->unnamed) {
        imp_report_unknown(r->report, imp_document_place(r->document, field->value), "parameter",
                           name, "", names, (size_t)n);
    }
    return NULL;
}

static void check_range(const reader *r, const imp_over *over, const imp_field *field,
                        const char *name) {
    if (isnan(over->from) || isnan(over->to)) {
        return;
    }
    if (!(over->from < over->to)) {
        imp_document_error(r->document, field[TO].value,
                           "the range of '%s' is empty, from must be less than to",
                           name ? imp_show(name).text : "over");
    } else if (over->logarithmic && !(over->from > 0)) {
        imp_document_error(r->document, field[SPACING].value,
                           "spacing log needs from and to above 0");
    }
}

/* An end of the range; the unit of an unknown parameter is none. NaN if it is unreadable. */
static double read_end(const reader *r, const imp_parameter *of, const imp_field *field) {
    imp_quantity quantity = {NAN, IMP_UNIT_NONE};
    const char *text =
        of && field->value ? imp_document_number(r->document, field->value, field->name) : NULL;
    if (!of) {
        return imp_field_number(r->document, field, "1");
    }
    const char *wrong =
        text ? imp_units_read(r->report, r->plan.theory, of,
                              imp_document_place(r->document, field->value), text, &quantity)
             : NULL;
    if (wrong) {
        imp_document_error(r->document, field->value, "%s: '%s' %s", field->name,
                           imp_show(text).text, wrong);
    }
    return text && !wrong ? imp_quantity_si(quantity) : NAN;
}

static void read_over(reader *r, const yaml_node_t *node) {
    static const char *const names[N_OVER_FIELDS] = {"param", "from", "to", "samples", "spacing"};
    imp_field field[N_OVER_FIELDS];
    imp_over *over = &r->plan.over[r->plan.n_over];
    if (!imp_fields_read(r->document, node, "'over'", names, field, N_OVER_FIELDS)) {
        return;
    }
    imp_fields_needed(r->document, node, "in 'over'", &field[PARAM], SAMPLES - PARAM);
    const imp_search_kind *kind = r->plan.kind;
    const char *name = imp_field_text(r->document, &field[PARAM]);
    over->parameter = find_parameter(r, &field[PARAM], name);
    over->from = read_end(r, over->parameter, &field[FROM]);
    over->to = read_end(r, over->parameter, &field[TO]);
    over->samples = (int)imp_field_count(r->document, &field[SAMPLES], IMP_MIN_SAMPLES,
                                         kind ? imp_search_most_samples(kind) : IMP_MAX_SAMPLES,
                                         kind ? kind->samples : DEFAULT_SAMPLES);
    over->logarithmic =
        imp_field_choice(r->document, &field[SPACING], "spacing", imp_spacings, 2) == 1;
    check_range(r, over, field, name);
    imp_over_places *places = &r->places[r->plan.n_over];
    places->key = imp_document_place(r->document, field[PARAM].value ? field[PARAM].value : node);
    places->from = imp_document_place(r->document, field[FROM].value ? field[FROM].value : node);
    places->to = imp_document_place(r->document, field[TO].value ? field[TO].value : node);
    r->plan.n_over++;
}

/* Whether a kind can search over n parameters. */
static bool check_number(const reader *r, const yaml_node_t *node, int n) {
    static const char *const numbers[] = {"one", "one or two", "two"};
    const imp_search_kind *kind = r->plan.kind;
    int least = kind ? kind->least_over : 1, most = kind ? kind->most_over : IMP_MAX_OVER;
    if (n < least || n > most) {
        imp_document_error(r->document, node, "'over' has %d parameter%s, %s%s takes %s", n,
                           n == 1 ? "" : "s", kind ? "find: " : "a search", kind ? kind->name : "",
                           numbers[least + most - 2]);
    }
    return n >= least && n <= most;
}

static void read_overs(reader *r) {
    const yaml_node_t *node = r->field[OVER].value;
    bool list = node && node->type == YAML_SEQUENCE_NODE;
    int n = list ? imp_document_length(node) : 1;
    if (!node || !check_number(r, node, n)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        read_over(r, list ? imp_document_item(r->document, node, i) : node);
    }
    const imp_over *over = r->plan.over;
    if (r->plan.n_over == 2 && over[0].parameter && over[0].parameter == over[1].parameter) {
        imp_report_error(r->report, r->places[1].key, "'%s' is searched over twice",
                         over[0].parameter->name);
    }
}

/* ---- find, of, in, value ---- */

enum { MOST_KINDS = 16 };

static void read_find(reader *r) {
    const char *names[MOST_KINDS];
    size_t n = 0;
    const imp_field *field = &r->field[FIND];
    const char *text = imp_field_text(r->document, field);
    imp_text known = {0};
    for (int k = 0; n < MOST_KINDS && imp_search_kind_at(k); k++) {
        names[n++] = imp_search_kind_at(k)->name;
        imp_text_print(&known, "%s%s", k ? ", " : "", names[k]);
        if (text && strcmp(text, names[k]) == 0) {
            r->plan.kind = imp_search_kind_at(k);
        }
    }
    if (!field->given) {
        imp_document_error(r->document, r->node, "missing key 'find' in 'search', allowed: %s",
                           imp_text_get(&known));
    } else if (text && !r->plan.kind) {
        imp_report_unknown(r->report, imp_document_place(r->document, field->value), "search", text,
                           "", names, n);
    }
    imp_text_free(&known);
}

static void check_form(reader *r) {
    char where[64];
    snprintf(where, sizeof where, "for find: %s", r->plan.kind->name);
    imp_fields_check(r->document, r->node, r->field, N_FIELDS, allowed_by(r->plan.kind),
                     needed_by(r->plan.kind), where + strlen("for "), where);
}

/* Whether a kind looks at categories, sequences and counts alike. */
static bool takes_values(const imp_search_kind *kind) {
    return kind && (kind->needs_set || kind->takes_values);
}

static bool read_of(reader *r) {
    const imp_theory *theory = r->plan.theory;
    const char *names[IMP_MAX_OUTPUTS], *text = imp_field_text(r->document, &r->field[OF]);
    size_t n = 0;
    if (!text || !r->knows_outputs) {
        return false;
    }
    imp_place place = imp_document_place(r->document, r->field[OF].value);
    r->plan.of = imp_theory_output(theory, text);
    for (int o = 0; o < theory->n_outputs; o++) {
        names[n++] = theory->outputs[o].name;
    }
    if (r->plan.of < 0) {
        imp_report_unknown(r->report, place, "output", text, "", names, n);
        return false;
    }
    static const char *const kinds[] = {
        [IMP_REAL] = "a real output", [IMP_CATEGORY] = "a category", [IMP_SEQUENCE] = "a sequence"};
    const imp_output *of = &theory->outputs[r->plan.of];
    r->places[0].of = place;
    if (r->plan.kind && r->plan.kind->needs_value && of->kind != IMP_REAL) {
        r->plan.kind = &imp_search_boundary; /* its value is a set of one */
    }
    imp_kind kind = r->plan.kind ? r->plan.kind->looks_at : of->kind;
    bool fits = takes_values(r->plan.kind) ? imp_search_has_values(of) || r->plan.kind->takes_levels
                                           : of->kind == kind;
    if (of->dimension) {
        imp_report_error(r->report, place,
                         "'%s' has several values per cell, a search needs an output with one",
                         text);
    } else if (!fits) {
        imp_report_error(r->report, place, "'%s' is %s; find: %s needs %s%s", text, kinds[of->kind],
                         r->plan.kind->name, kinds[kind],
                         takes_values(r->plan.kind) ? ", a sequence or a count" : "");
    }
    return fits && !of->dimension;
}

static void read_code(reader *r, const yaml_node_t *node) {
    const char *names[64], *text = imp_document_text(r->document, node, "in");
    uint64_t bit = 0;
    int n;
    if (!text) {
        return;
    }
    if (!imp_search_code(r->plan.theory, r->plan.of, text, &bit)) {
        const imp_output *of = &r->plan.theory->outputs[r->plan.of];
        const imp_mode *codes = imp_output_categories(r->plan.theory, of, &n);
        for (int i = 0; i < n; i++) {
            names[i] = codes[i].name;
        }
        imp_report_unknown(r->report, imp_document_place(r->document, node), of->name, text, "",
                           names, (size_t)n);
    }
    r->plan.inside |= bit;
}

/* A sequence or a count. */
static void read_member(reader *r, const yaml_node_t *node) {
    const imp_output *of = &r->plan.theory->outputs[r->plan.of];
    const char *text = imp_document_text(r->document, node, "in");
    imp_set_value member = {NAN, NAN};
    int64_t count = 0;
    if (!text) {
        return;
    }
    bool good = of->kind == IMP_SEQUENCE ? imp_sequence_read(text, &member.value, &member.wide)
                                         : !imp_read_count(text, &count);
    if (of->kind != IMP_SEQUENCE) {
        member.value = (double)count;
    }
    if (!good) {
        imp_document_error(r->document, node, "'%s' is not a %s", imp_show(text).text,
                           of->kind == IMP_SEQUENCE
                               ? "sequence, such as 'slip- stick slip+': phases are stick, slip-, "
                                 "slip+, partial-, partial+"
                               : "whole number");
    } else if (r->plan.n_set == IMP_MAX_SET) {
        imp_document_error(r->document, node, "'in' has one value too many, at most %d",
                           IMP_MAX_SET);
    } else {
        r->plan.set[r->plan.n_set++] = member;
        r->plan.inside = 2;
    }
}

static void read_value(reader *r, const yaml_node_t *node) {
    bool category = r->plan.theory->outputs[r->plan.of].kind == IMP_CATEGORY;
    (category ? read_code : read_member)(r, node);
}

/* `in` of a boundary; `value` of a target that is a category or a sequence. */
static void read_set(reader *r) {
    const imp_field *field = &r->field[r->field[IN].given ? IN : VALUE];
    const yaml_node_t *node = field->value;
    if (node && node->type != YAML_SEQUENCE_NODE) {
        read_value(r, node);
        return;
    }
    int n = node ? imp_document_some(r->document, node, "'in'", "list at least one value") : 0;
    for (int i = 0; i < n; i++) {
        read_value(r, imp_document_item(r->document, node, i));
    }
}

static void read_tolerance(reader *r) {
    const imp_field *field = &r->field[TOLERANCE];
    r->plan.tolerance = r->plan.kind ? r->plan.kind->tolerance : 0;
    const char *text = imp_field_text(r->document, field);
    if (!text) {
        return;
    }
    if (strcmp(text, "limit") == 0) {
        r->plan.tolerance = 0;
        return;
    }
    double tolerance = imp_field_number(r->document, field, "1");
    if (!isnan(tolerance) && !(tolerance > 0 && tolerance < 1)) {
        imp_document_error(
            r->document, field->value,
            "tolerance is %s, it must be a part of the range: above 0 and below 1, or limit",
            imp_show(text).text);
    }
    r->plan.tolerance = tolerance;
}

/* Of a turning point: a real output needs a level; other outputs may have a set. */
static void read_set_or_level(reader *r) {
    const imp_output *of = &r->plan.theory->outputs[r->plan.of];
    const imp_field *in = &r->field[IN], *value = &r->field[VALUE];
    if (imp_search_has_values(of)) {
        if (in->given || value->given) {
            read_set(r);
        }
        return;
    }
    if (in->given) {
        imp_document_error(r->document, in->key,
                           "'in' does not go with '%s', a real output: it has a level, 'value'",
                           of->name);
    } else if (!value->given) {
        imp_document_error(r->document, r->node,
                           "missing key 'value', the level of '%s' that turns", of->name);
    }
    r->plan.value = imp_field_number(r->document, value, of->unit);
}

/* Reads all keys as far as possible, even if the kind is unknown. */
static void read_parts(reader *r) {
    const imp_search_kind *kind = r->plan.kind;
    if (kind) {
        check_form(r);
    }
    read_overs(r);
    bool known = read_of(r);
    kind = r->plan.kind;
    bool category = known && r->plan.theory->outputs[r->plan.of].kind == IMP_CATEGORY;
    if (known && kind && kind->takes_levels) {
        read_set_or_level(r);
    } else if (kind ? known && kind->needs_set : category) {
        read_set(r);
    } else if (known && (!kind || kind->needs_value)) {
        r->plan.value = imp_field_number(r->document, &r->field[VALUE],
                                         r->plan.theory->outputs[r->plan.of].unit);
    }
    read_tolerance(r);
    r->plan.max_roots =
        (int)imp_field_count(r->document, &r->field[MAX_ROOTS], 1, IMP_MAX_ROOTS,
                             kind && kind->finds_roots ? kind->roots : DEFAULT_ROOTS);
}

imp_search *imp_search_read(imp_document *document, const yaml_node_t *node,
                            const imp_theory *theory, const imp_uncertain *uncertain,
                            bool knows_outputs, imp_over_places places[IMP_MAX_OVER]) {
    static const char *const names[N_FIELDS] = {"over",  "find",      "of",       "in",
                                                "value", "tolerance", "max_roots"};
    reader r = {.document = document,
                .report = document->report,
                .node = node,
                .places = places,
                .knows_outputs = knows_outputs,
                .plan = {.theory = theory}};
    size_t before = document->report->total;
    if (!imp_fields_read(document, node, "'search'", names, r.field, N_FIELDS)) {
        return NULL;
    }
    read_find(&r);
    read_parts(&r);
    if (document->report->total > before) {
        imp_scope_check_ends(r.report, &r.plan, places);
        return NULL;
    }
    if (!knows_outputs || r.report->lost) {
        return NULL;
    }
    r.plan.steps = uncertain && imp_uncertain_is_share(uncertain, r.plan.of);
    imp_search *search = imp_search_make(&r.plan);
    if (!search) {
        imp_report_memory(document->report);
    }
    return search;
}
