/* One case of a config: its choices, its numbers and its formulas. */
#include <math.h>
#include <string.h>

#include "config/cases_impl.h"
#include "config/keys.h"
#include "config/follow.h"
#include "config/scope.h"
#include "config/units.h"
#include "config/words.h"

const yaml_node_t *imp_case_value(imp_document *document, const yaml_node_t *mapping,
                                  const char *name) {
    IMP_EACH_PAIR(pair, mapping) {
        const yaml_node_t *key = imp_document_node(document, pair->key);
        if (key->type == YAML_SCALAR_NODE &&
            strcmp((const char *)key->data.scalar.value, name) == 0) {
            return imp_document_node(document, pair->value);
        }
    }
    return NULL;
}

imp_place imp_case_word_place(const imp_case_reader *r, int word) {
    return (imp_place){.kind = IMP_FROM_OVERRIDE, .source = r->words[word]};
}

int imp_case_axis_of(const imp_case_reader *r, const char *choice) {
    for (int k = 0; k < r->n_swept; k++) {
        if (strcmp(r->swept[k].name, choice) == 0) {
            return k;
        }
    }
    return -1;
}

/* Whether the key of a case says what its theory is. */
static bool is_of_model(const imp_theory *theory, const char *name) {
    return strcmp(name, "model") == 0 ||
           (imp_is_guest(theory->name) &&
            imp_word_number(name, imp_guest_keys, IMP_GUEST_KEYS) >= 0);
}

static void read_pair(const imp_case_reader *r, const yaml_node_pair_t *pair) {
    const char *name = imp_document_key(r->document, pair);
    if (name && !is_of_model(r->draft->sweep.theory, name)) {
        imp_draft_read_pair(r->draft, pair, name, true, true);
    }
}

/* ---- words of --set ---- */

/* An imp_word_taker: the theory of a case stands in the config. */
static bool refuse_model(imp_draft *draft, imp_place place, const char *key, imp_named named,
                         const char *value) {
    (void)value;
    bool refused = named.choice < 0 && named.parameter < 0 && is_of_model(draft->sweep.theory, key);
    if (refused) {
        imp_draft_error(draft, place, "'%s' of a case is changed in the config", key);
    }
    return refused;
}

/* Takes the words "springs.law=hertz" of a case called springs. */
static void read_words(const imp_case_reader *r, const char *name) {
    size_t length = strlen(name);
    for (int w = 0; w < r->n_words; w++) {
        if (strncmp(r->words[w], name, length) == 0 && r->words[w][length] == '.') {
            imp_word_read(r->draft, imp_case_word_place(r, w), r->words[w] + length + 1,
                          refuse_model);
        }
    }
}

/* ---- choices ---- */

/* The word "law=hertz" of a choice; -1: none. */
static int word_of(const imp_case_reader *r, const char *choice) {
    size_t length = strlen(choice);
    for (int w = 0; w < r->n_words; w++) {
        if (strncmp(r->words[w], choice, length) == 0 && r->words[w][length] == '=') {
            return w;
        }
    }
    return -1;
}

/* Takes an option of all cases where this one makes no choice itself: from --set, or `choose`. */
static void take_choose(const imp_case_reader *r, int choice) {
    imp_draft *draft = r->draft;
    const char *name = draft->sweep.theory->choices[choice].name;
    const yaml_node_t *value = r->choose ? imp_case_value(r->document, r->choose, name) : NULL;
    int word = word_of(r, name);
    if (draft->choices[choice].use != IMP_UNUSED) {
        return;
    }
    if (word >= 0) {
        imp_place place = imp_case_word_place(r, word);
        imp_draft_choose(draft, choice, place, place, r->words[word] + strlen(name) + 1);
        r->taken[word] = true;
    } else if (value) {
        imp_draft_choose(draft, choice, imp_document_place(r->document, value),
                         imp_document_place(r->document, value),
                         imp_document_text(r->document, value, name));
    }
}

/* Whether the case leaves a choice to the axis that carries it. */
static bool leaves_choice(const imp_case_reader *r, int c, const imp_case_axis *axis) {
    int choice = imp_theory_choice(r->draft->sweep.theory, axis->name);
    bool chosen = r->choose && imp_case_value(r->document, r->choose, axis->name);
    bool makes = choice >= 0 && r->draft->choices[choice].use != IMP_UNUSED;
    if (chosen && c == 0) {
        imp_report_error(r->report, axis->place, "'%s' is both chosen and on an axis", axis->name);
    } else if (!chosen && (choice < 0 || makes)) {
        imp_report_error(r->report, axis->place,
                         "'%s' is on an axis, and the case %s %s; an axis belongs to every case",
                         axis->name, r->cases[c].name,
                         makes ? "makes this choice itself" : "does not know this choice");
    }
    return !chosen && choice >= 0 && !makes;
}

/* Makes a choice in all signatures of the case: options of the axis in turn, each for `stride` of
 * them. Returns whether the theory knows all of them. */
static bool sweep_choice(const imp_case_reader *r, const imp_case_axis *axis, int stride,
                         imp_case *made) {
    int choice = imp_theory_choice(r->draft->sweep.theory, axis->name);
    bool all = true;
    for (int o = 0; o < axis->n; o++) {
        const char *text = (const char *)axis->option[o]->data.scalar.value;
        int option = imp_draft_option(r->draft, choice,
                                      imp_document_place(r->document, axis->option[o]), text);
        for (int k = 0; k < r->of_one; k++) {
            if (k / stride % axis->n == o) {
                made[k].signature.chosen[choice] = option;
                made[k].swept[choice] = true;
            }
        }
        all = all && option >= 0;
    }
    return all;
}

/* Makes every choice in the signatures of the case; returns whether all are made. */
static bool make_choices(const imp_case_reader *r, int c, imp_case *made) {
    const imp_theory *theory = r->draft->sweep.theory;
    bool all = true;
    for (int k = r->n_swept - 1, stride = 1; k >= 0; stride *= r->swept[k].n, k--) {
        all =
            leaves_choice(r, c, &r->swept[k]) && sweep_choice(r, &r->swept[k], stride, made) && all;
    }
    for (int k = 0; k < theory->n_choices; k++) {
        const imp_slot *slot = &r->draft->choices[k];
        if (imp_case_axis_of(r, theory->choices[k].name) >= 0) {
            continue;
        }
        take_choose(r, k);
        int option =
            slot->use == IMP_FIXED ? r->draft->sweep.chosen[k] : theory->choices[k].fallback;
        if (slot->use == IMP_UNUSED && option < 0) {
            imp_report_missing_choice(r->report, r->place[c], &theory->choices[k],
                                      r->cases[c].name);
        }
        for (int i = 0; i < r->of_one; i++) {
            made[i].signature.chosen[k] = option;
        }
        all = all && option >= 0;
    }
    return all;
}

/* ---- parameters ---- */

/* Gives a parameter of the signatures that have it a value; NaN: it follows others. */
static void fix(const imp_case_reader *r, imp_case *made, const char *name, double value) {
    for (int k = 0; k < r->of_one; k++) {
        int at = imp_signature_find(&made[k].signature, name);
        if (at >= 0) {
            made[k].fixed[at] = true;
            made[k].value[at] = value;
        }
    }
}

static void report_inapplicable(const imp_case_reader *r, const imp_case *made, int p) {
    imp_text words = {0};
    imp_case_print(made, r->of_one, &words);
    imp_report_error(r->report, r->draft->parameters[p].key,
                     "'%s' does not apply to the case '%s', which is %s",
                     r->draft->parameter[p]->name, made->name, imp_text_get(&words));
    imp_text_free(&words);
}

/* Takes the number of a parameter. What the case does not give comes later, from the map. */
static void take_value(const imp_case_reader *r, imp_case *made, imp_scope *in, int p) {
    imp_draft *draft = r->draft;
    imp_slot *slot = &draft->parameters[p];
    imp_scope_choose(draft, in, p);
    if (slot->use == IMP_FIXED && in->n_variants == 0) {
        report_inapplicable(r, made, p);
    } else if (slot->use == IMP_FIXED && slot->valid) {
        imp_scope_check_value(draft->report, in, slot->place, slot->value);
        draft->sweep.fixed[draft->sweep.n_fixed++] = (imp_fixed){
            .parameter = in->variants[0], .value = slot->value, .given = true, .formula = ""};
        fix(r, made, draft->parameter[p]->name, slot->value);
    } else if (slot->use == IMP_UNUSED && in->n_variants > 0) {
        slot->use = IMP_SWEPT;
    }
}

/* Takes what formulas give: numbers, or followers that the signatures of the case share. */
static void take_formulas(const imp_case_reader *r, imp_case *made) {
    imp_sweep *sweep = &r->draft->sweep;
    char(*formulas)[IMP_FORMULA_TEXT] = calloc((size_t)sweep->n_followers + 1, sizeof *formulas);
    if (!formulas) {
        imp_report_memory(r->report);
        return;
    }
    for (int i = 0; i < sweep->n_fixed; i++) {
        const imp_fixed *fixed = &sweep->fixed[i];
        for (int f = 0; fixed->formula[0] && f < sweep->n_followers; f++) {
            if (strcmp(sweep->followers[f].parameter->name, fixed->parameter->name) == 0) {
                memcpy(formulas[f], fixed->formula, sizeof *formulas);
            }
        }
        if (fixed->formula[0]) {
            fix(r, made, fixed->parameter->name, fixed->value);
        }
    }
    for (int k = 0; k < r->of_one; k++) {
        made[k].followers = sweep->followers;
        made[k].formulas = formulas;
        made[k].n_followers = sweep->n_followers;
    }
    sweep->followers = NULL;
    sweep->n_followers = 0;
}

/* Two parameters of which one stands for the other. */
static void check_rivals(const imp_case_reader *r, int c, const imp_case *made) {
    int source[IMP_MAX_PARAMETERS], rivals[2];
    for (int k = 0; k < r->of_one; k++) {
        const imp_signature *s = &made[k].signature;
        if (!imp_signature_sources(s, made[k].fixed, source, rivals)) {
            imp_report_error(r->report, r->place[c],
                             "'%s' and '%s' set the same value, give one of them in the case '%s'",
                             s->parameter[rivals[0]]->name, s->parameter[rivals[1]]->name,
                             made->name);
            return;
        }
    }
}

static void take_parameters(const imp_case_reader *r, int c, imp_case *made) {
    imp_signature signatures[IMP_MAX_CASES];
    const imp_parameter *variants[IMP_MAX_CASES];
    imp_scope in = {
        .signatures = signatures, .n = r->of_one, .variants = variants, .n_variants = 0};
    for (int k = 0; k < r->of_one; k++) {
        made[k].signature = imp_signature_of(made[k].signature.theory, made[k].signature.chosen);
        signatures[k] = made[k].signature;
    }
    for (int p = 0; p < r->draft->n_parameters; p++) {
        take_value(r, made, &in, p);
    }
    imp_follow_check(r->draft);
    if (r->report->total == 0) {
        imp_follow_resolve(r->draft, &in);
        take_formulas(r, made);
    }
    check_rivals(r, c, made);
}

/* Gives the case all parameters of its theory, but for those that it fixes. */
static void widen(const imp_draft *draft, imp_case *one) {
    one->signature.n_parameters = draft->n_parameters;
    for (int p = 0; p < draft->n_parameters; p++) {
        one->signature.parameter[p] = draft->parameter[p];
        one->fixed[p] = draft->parameters[p].use == IMP_FIXED;
        one->value[p] = NAN;
    }
}

bool imp_case_read(imp_case_reader *r, int c) {
    imp_case *made = &r->made[c * r->of_one];
    imp_draft_begin(r->draft, r->cases[c].signature.theory, r->place[c], r->report);
    r->draft->document = r->document;
    for (int k = 0; k < r->of_one; k++) {
        made[k] = r->cases[c];
    }
    size_t notes = r->report->n_notes;
    IMP_EACH_PAIR(pair, r->body[c]) {
        read_pair(r, pair);
    }
    read_words(r, made->name);
    imp_units_own(r->report, notes, c);
    bool good = make_choices(r, c, made);
    if (good) {
        take_parameters(r, c, made);
    }
    widen(r->draft, &r->cases[c]);
    imp_draft_end(r->draft);
    return good;
}
