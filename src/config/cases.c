#include "config/cases.h"

#include <stdlib.h>
#include <string.h>

#include "config/follow.h"
#include "config/guest_read.h"
#include "config/names.h"
#include "config/scope.h"

/* The cases while they are read: those whose names and theories are good. */
typedef struct reader {
    imp_document *document;
    const imp_loader *loader;
    imp_owned **owned;
    imp_report *report;
    const yaml_node_t *choose; /* NULL: none */
    imp_case *cases;
    const yaml_node_t *body[IMP_MAX_CASES]; /* the mapping of each case */
    imp_place place[IMP_MAX_CASES];
    int n;
    bool lost; /* a case is not among them: names that only it knows seem unknown */
} reader;

static imp_place place_of(const reader *r, const yaml_node_t *node) {
    return imp_document_place(r->document, node);
}

static yaml_node_t *node_of(const reader *r, int index) {
    return imp_document_node(r->document, index);
}

/* The value of a key in a mapping, without messages; NULL: none. */
static const yaml_node_t *value_of(imp_document *document, const yaml_node_t *mapping,
                                   const char *name) {
    const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
    for (; pair < mapping->data.mapping.pairs.top; pair++) {
        const yaml_node_t *key = imp_document_node(document, pair->key);
        if (key->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, name) == 0) {
            return imp_document_node(document, pair->value);
        }
    }
    return NULL;
}

const yaml_node_t *imp_cases_find(imp_document *document, const yaml_node_t *axes) {
    if (!axes || axes->type != YAML_SEQUENCE_NODE) {
        return NULL;
    }
    const yaml_node_item_t *item = axes->data.sequence.items.start;
    for (; item < axes->data.sequence.items.top; item++) {
        const yaml_node_t *axis = imp_document_node(document, *item);
        const yaml_node_t *cases =
            axis->type == YAML_MAPPING_NODE ? value_of(document, axis, "cases") : NULL;
        if (cases) {
            return cases;
        }
    }
    return NULL;
}

/* ---- names and theories ---- */

static bool check_name(const reader *r, imp_place place, const char *name) {
    if (!imp_is_identifier(name) || strlen(name) >= IMP_CASE_NAME) {
        imp_report_error(r->report, place,
                         "'%s' is no name of a case: a word of letters, digits and _ (at most 63)",
                         imp_show(name).text);
        return false;
    }
    for (int c = 0; c < r->n; c++) {
        if (strcmp(r->cases[c].name, name) == 0) {
            imp_report_error(r->report, place, "two cases are called '%s'", name);
            return false;
        }
    }
    if (r->n == IMP_MAX_CASES) {
        imp_report_error(r->report, place, "one case too many, at most %d are allowed",
                         IMP_MAX_CASES);
    }
    return r->n < IMP_MAX_CASES;
}

static const imp_theory *read_model(const reader *r, imp_place place, const char *name,
                                    const yaml_node_t *body) {
    const yaml_node_t *model = value_of(r->document, body, "model");
    if (!model) {
        imp_report_error(r->report, place,
                         "missing key 'model' in the case '%s', the name of a theory", name);
    }
    const char *text = model ? imp_document_text(r->document, model, "model") : NULL;
    imp_field keys[IMP_GUEST_KEYS] = {{.name = NULL}};
    const yaml_node_pair_t *pair = body->data.mapping.pairs.start;
    for (; pair < body->data.mapping.pairs.top; pair++) {
        yaml_node_t *key = node_of(r, pair->key), *value = node_of(r, pair->value);
        const char *word = key->type == YAML_SCALAR_NODE ? (char *)key->data.scalar.value : "";
        for (int k = 0; k < IMP_GUEST_KEYS; k++) {
            if (strcmp(word, imp_guest_keys[k]) == 0) {
                keys[k] = (imp_field){imp_guest_keys[k], true, key, value};
            }
        }
    }
    return text ? imp_guest_or_theory(r->document, r->loader, model, text, keys, r->owned) : NULL;
}

/* Whether the key of a case says what its theory is. */
static bool is_of_model(const imp_case *one, const char *name) {
    bool found = strcmp(name, "model") == 0;
    for (int k = 0; k < IMP_GUEST_KEYS && imp_is_guest(one->signature.theory->name); k++) {
        found = found || strcmp(name, imp_guest_keys[k]) == 0;
    }
    return found;
}

/* Notes the name and the theory of a case. */
static void begin_case(reader *r, const yaml_node_pair_t *pair) {
    const yaml_node_t *body = node_of(r, pair->value);
    imp_place place = place_of(r, node_of(r, pair->key));
    const char *name = imp_document_key(r->document, pair);
    bool good = name && check_name(r, place, name) &&
                imp_document_is(r->document, body, YAML_MAPPING_NODE, "a case");
    const imp_theory *theory = good ? read_model(r, place, name, body) : NULL;
    r->lost = r->lost || !theory;
    if (theory) {
        imp_case *one = &r->cases[r->n];
        memcpy(one->name, name, strlen(name) + 1);
        one->signature.theory = theory;
        r->body[r->n] = body;
        r->place[r->n++] = place;
    }
}

/* ---- choices for all cases ---- */

static bool is_known(const reader *r, const char *choice) {
    for (int c = 0; c < r->n; c++) {
        if (imp_theory_choice(r->cases[c].signature.theory, choice) >= 0) {
            return true;
        }
    }
    return false;
}

static bool is_parameter(const reader *r, const char *name) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    for (int c = 0; c < r->n; c++) {
        if (imp_theory_variants(r->cases[c].signature.theory, name, variants) > 0) {
            return true;
        }
    }
    return false;
}

static void report_unknown_choice(const reader *r, imp_place place, const char *name) {
    const char *names[IMP_MAX_CASES * IMP_MAX_CHOICES];
    size_t n = 0;
    for (int c = 0; c < r->n; c++) {
        const imp_theory *theory = r->cases[c].signature.theory;
        for (int k = 0; k < theory->n_choices; k++) {
            bool listed = false;
            for (size_t i = 0; i < n; i++) {
                listed |= strcmp(names[i], theory->choices[k].name) == 0;
            }
            if (!listed) {
                names[n++] = theory->choices[k].name;
            }
        }
    }
    imp_report_unknown(r->report, place, "choice", name, ", which no case has", names, n);
}

/* Checks the names under `choose`. */
static void check_choose(const reader *r) {
    const yaml_node_pair_t *pair = r->choose->data.mapping.pairs.start;
    for (; pair < r->choose->data.mapping.pairs.top; pair++) {
        const char *name = imp_document_key(r->document, pair);
        imp_place place = place_of(r, node_of(r, pair->key));
        if (!name || r->n == 0) {
            continue;
        }
        if (value_of(r->document, r->choose, name) != node_of(r, pair->value)) {
            imp_report_error(r->report, place, "duplicate key '%s'", name);
        } else if (!is_known(r, name) && is_parameter(r, name)) {
            imp_report_error(r->report, place, "'%s' is a parameter, write it under 'fixed'", name);
        } else if (!is_known(r, name)) {
            report_unknown_choice(r, place, name);
        }
    }
}

/* ---- one case ---- */

static void read_pair(const reader *r, int c, imp_draft *draft, const yaml_node_pair_t *pair) {
    const yaml_node_t *value = node_of(r, pair->value);
    const char *name = imp_document_key(r->document, pair);
    if (!name || is_of_model(&r->cases[c], name)) {
        return;
    }
    imp_place key = place_of(r, node_of(r, pair->key));
    imp_named named = imp_draft_find(draft, name);
    if (named.choice >= 0) {
        imp_draft_choose(draft, named.choice, key, place_of(r, value),
                         imp_document_text(r->document, value, name));
    } else if (named.parameter >= 0) {
        const char *text = imp_document_number(r->document, value, name);
        bool formula = text && imp_follow_formula(text);
        if (formula) {
            imp_report_error(r->report, place_of(r, value),
                             "%s: a case gives a number; a formula stands under 'fixed'", name);
        }
        imp_draft_fix(draft, named.parameter, key, place_of(r, value), formula ? NULL : text);
    } else {
        imp_draft_unknown(draft, key, name, true, true);
    }
}

/* Takes an option of `choose` where the case makes no choice itself. */
static void take_choose(const reader *r, imp_draft *draft, int choice) {
    const char *name = draft->sweep.theory->choices[choice].name;
    const yaml_node_t *value = r->choose ? value_of(r->document, r->choose, name) : NULL;
    if (value && draft->choices[choice].use == IMP_UNUSED) {
        imp_draft_choose(draft, choice, place_of(r, value), place_of(r, value),
                         imp_document_text(r->document, value, name));
    }
}

static void report_missing(const reader *r, imp_place place, const char *name,
                           const imp_choice *choice) {
    imp_text list = {0};
    for (int o = 0; o < choice->n_options; o++) {
        imp_text_print(&list, "%s%s", o ? ", " : "", choice->options[o]->name);
    }
    imp_report_error(r->report, place, "missing choice '%s' of the case '%s', allowed: %s",
                     choice->name, name, imp_text_get(&list));
    imp_text_free(&list);
}

/* Whether every choice of the case is made. */
static bool make_choices(const reader *r, int c, imp_draft *draft, int *chosen) {
    const imp_theory *theory = draft->sweep.theory;
    bool all = true;
    for (int k = 0; k < theory->n_choices; k++) {
        take_choose(r, draft, k);
        const imp_slot *slot = &draft->choices[k];
        chosen[k] = slot->use == IMP_FIXED ? draft->sweep.chosen[k] : theory->choices[k].fallback;
        if (slot->use == IMP_UNUSED && chosen[k] < 0) {
            report_missing(r, r->place[c], r->cases[c].name, &theory->choices[k]);
        }
        all = all && chosen[k] >= 0;
    }
    return all;
}

/* Takes the value of a parameter of the draft into the case. */
static void take_value(const reader *r, int c, imp_draft *draft, int p) {
    imp_case *one = &r->cases[c];
    const imp_slot *slot = &draft->parameters[p];
    const char *name = draft->parameter[p]->name;
    int at = imp_signature_find(&one->signature, name);
    if (at < 0) {
        imp_text words = {0};
        imp_case_print(one, &words);
        imp_report_error(r->report, slot->key, "'%s' does not apply to the case '%s', which is %s",
                         name, one->name, imp_text_get(&words));
        imp_text_free(&words);
    } else if (slot->valid) {
        const imp_parameter *variant = one->signature.parameter[at];
        imp_scope in = {&one->signature, 1, &variant, 1};
        imp_scope_check_value(draft, &in, slot->place, slot->value);
        one->fixed[at] = true;
        one->value[at] = slot->value;
    }
}

/* Two parameters of which one stands for the other. */
static void check_rivals(const reader *r, int c) {
    const imp_case *one = &r->cases[c];
    int source[IMP_MAX_PARAMETERS], rivals[2];
    if (!imp_signature_sources(&one->signature, one->fixed, source, rivals)) {
        imp_report_error(r->report, r->place[c],
                         "'%s' and '%s' set the same value, give one of them in the case '%s'",
                         one->signature.parameter[rivals[0]]->name,
                         one->signature.parameter[rivals[1]]->name, one->name);
    }
}

/* Reads the choices and parameters of a case; returns whether all choices are made. */
static bool read_case(const reader *r, int c, imp_draft *draft) {
    imp_case *one = &r->cases[c];
    int chosen[IMP_MAX_CHOICES] = {0};
    imp_draft_begin(draft, one->signature.theory, r->place[c], r->report);
    const yaml_node_pair_t *pair = r->body[c]->data.mapping.pairs.start;
    for (; pair < r->body[c]->data.mapping.pairs.top; pair++) {
        read_pair(r, c, draft, pair);
    }
    bool good = make_choices(r, c, draft, chosen);
    if (good) {
        one->signature = imp_signature_of(one->signature.theory, chosen);
        for (int p = 0; p < draft->n_parameters; p++) {
            if (draft->parameters[p].use == IMP_FIXED) {
                take_value(r, c, draft, p);
            }
        }
        check_rivals(r, c);
    }
    imp_draft_end(draft);
    return good;
}

/* ---- all of them ---- */

static imp_cases *make(const reader *r) {
    int culprit = 0;
    imp_text why = {0};
    imp_cases *cases = NULL;
    if (r->n > 0 && !r->lost && imp_cases_fit(r->cases, r->n, &culprit, &why)) {
        cases = imp_cases_make(r->cases, r->n);
        if (!cases) {
            imp_report_memory(r->report);
        }
    } else if (r->n > 0 && !r->lost) {
        imp_report_error(r->report, r->place[culprit], "the case '%s': %s", r->cases[culprit].name,
                         imp_text_get(&why));
    }
    imp_text_free(&why);
    return cases;
}

imp_cases *imp_cases_read(imp_document *document, const imp_loader *loader,
                          const yaml_node_t *cases, const yaml_node_t *choose, imp_owned **owned) {
    reader r = {.document = document,
                .loader = loader,
                .owned = owned,
                .report = document->report,
                .choose = choose};
    if (!imp_document_is(document, cases, YAML_MAPPING_NODE, "'cases'")) {
        return NULL;
    }
    if (cases->data.mapping.pairs.start == cases->data.mapping.pairs.top) {
        imp_report_error(r.report, place_of(&r, cases), "'cases' is empty, list at least one");
    }
    imp_draft *draft = malloc(sizeof *draft);
    r.cases = calloc(IMP_MAX_CASES, sizeof *r.cases);
    imp_cases *made = NULL;
    if (draft && r.cases) {
        const yaml_node_pair_t *pair = cases->data.mapping.pairs.start;
        for (; pair < cases->data.mapping.pairs.top; pair++) {
            begin_case(&r, pair);
        }
        if (choose && !r.lost) {
            check_choose(&r);
        }
        for (int c = 0; c < r.n; c++) {
            r.lost = !read_case(&r, c, draft) || r.lost;
        }
        made = make(&r);
    } else {
        imp_report_memory(r.report);
    }
    free(draft);
    free(r.cases);
    return made;
}
