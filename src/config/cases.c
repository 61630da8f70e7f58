#include "config/cases_impl.h"

#include <stdlib.h>
#include <string.h>

#include "config/keys.h"

static yaml_node_t *node_of(const imp_case_reader *r, int index) {
    return imp_document_node(r->document, index);
}

const yaml_node_t *imp_cases_find(imp_document *document, const yaml_node_t *axes) {
    if (!axes || axes->type != YAML_SEQUENCE_NODE) {
        return NULL;
    }
    for (int a = 0; a < imp_document_length(axes); a++) {
        const yaml_node_t *axis = imp_document_item(document, axes, a);
        const yaml_node_t *cases =
            axis->type == YAML_MAPPING_NODE ? imp_case_value(document, axis, "cases") : NULL;
        if (cases) {
            return cases;
        }
    }
    return NULL;
}

/* ---- names and theories ---- */

static bool check_name(const imp_case_reader *r, imp_place place, const char *name) {
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

static const imp_theory *read_model(const imp_case_reader *r, imp_place place, const char *name,
                                    const yaml_node_t *body) {
    const yaml_node_t *model = imp_case_value(r->document, body, "model");
    if (!model) {
        imp_report_error(r->report, place,
                         "missing key 'model' in the case '%s', the name of a theory", name);
    }
    const char *text = model ? imp_document_text(r->document, model, "model") : NULL;
    imp_field keys[IMP_GUEST_KEYS] = {{.name = NULL}};
    IMP_EACH_PAIR(pair, body) {
        yaml_node_t *key = node_of(r, pair->key), *value = node_of(r, pair->value);
        const char *word = key->type == YAML_SCALAR_NODE ? (char *)key->data.scalar.value : "";
        int k = imp_word_number(word, imp_guest_keys, IMP_GUEST_KEYS);
        if (k >= 0) {
            keys[k] =
                (imp_field){.name = imp_guest_keys[k], .given = true, .key = key, .value = value};
        }
    }
    return text ? imp_guest_or_theory(r->document, r->loader, model, text, keys, r->owned) : NULL;
}

/* Notes the name and the theory of a case. */
static void begin_case(imp_case_reader *r, const yaml_node_pair_t *pair) {
    const yaml_node_t *body = node_of(r, pair->value);
    imp_place place = imp_document_place(r->document, node_of(r, pair->key));
    const char *name = imp_document_key(r->document, pair);
    bool good = name && check_name(r, place, name) &&
                imp_document_is(r->document, body, YAML_MAPPING_NODE, "a case");
    const imp_theory *theory = good ? read_model(r, place, name, body) : NULL;
    r->unnamed = r->unnamed || !theory;
    if (theory) {
        imp_case *one = &r->cases[r->n];
        memcpy(one->name, name, strlen(name) + 1);
        one->signature.theory = theory;
        r->body[r->n] = body;
        r->place[r->n++] = place;
    }
}

/* ---- choices for all cases ---- */

static bool is_known(const imp_case_reader *r, const char *choice) {
    for (int c = 0; c < r->n; c++) {
        if (imp_theory_choice(r->cases[c].signature.theory, choice) >= 0) {
            return true;
        }
    }
    return false;
}

static bool is_parameter(const imp_case_reader *r, const char *name) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    for (int c = 0; c < r->n; c++) {
        if (imp_theory_variants(r->cases[c].signature.theory, name, variants) > 0) {
            return true;
        }
    }
    return false;
}

static void report_unknown_choice(const imp_case_reader *r, imp_place place, const char *name) {
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
static void check_choose(const imp_case_reader *r) {
    IMP_EACH_PAIR(pair, r->choose) {
        const char *name = imp_document_key(r->document, pair);
        imp_place place = imp_document_place(r->document, node_of(r, pair->key));
        if (!name || r->n == 0) {
            continue;
        }
        if (imp_case_value(r->document, r->choose, name) != node_of(r, pair->value)) {
            imp_report_error(r->report, place, "duplicate key '%s'", name);
        } else if (!is_known(r, name) && is_parameter(r, name)) {
            imp_report_error(r->report, place, "'%s' is a parameter, write it under 'fixed'", name);
        } else if (!is_known(r, name)) {
            report_unknown_choice(r, place, name);
        }
    }
}

/* ---- choices on axes ---- */

/* Notes a choice that an axis {param: body, values: [...]} carries. */
static void note_choice(imp_case_reader *r, const yaml_node_t *name, const yaml_node_t *values) {
    const char *word = (const char *)name->data.scalar.value;
    int n = imp_document_length(values);
    imp_place place = imp_document_place(r->document, name);
    if (r->n_swept == IMP_MAX_CHOICES - 1) {
        imp_report_error(r->report, place, "one choice too many on axes beside cases, at most %d",
                         IMP_MAX_CHOICES - 1);
        r->lost = true;
    } else if (r->n * r->of_one * n > IMP_MAX_CASES) {
        imp_report_error(r->report, place,
                         "too many cases with all options of '%s', at most %d are allowed", word,
                         IMP_MAX_CASES);
        r->lost = true;
    } else if (n > 0) {
        imp_case_axis *axis = &r->swept[r->n_swept++];
        *axis = (imp_case_axis){.name = word, .place = place, .n = n};
        for (int o = 0; o < n; o++) {
            axis->option[o] = imp_document_item(r->document, values, o);
            r->lost = r->lost || axis->option[o]->type != YAML_SCALAR_NODE;
        }
        r->of_one *= n;
    }
}

/* Finds the choices of cases that axes carry. Anything else on the axes is read later. */
static void find_choices(imp_case_reader *r, const yaml_node_t *axes) {
    for (int a = 0; a < imp_document_length(axes); a++) {
        const yaml_node_t *axis = imp_document_item(r->document, axes, a);
        bool is_axis = axis->type == YAML_MAPPING_NODE;
        const yaml_node_t *name = is_axis ? imp_case_value(r->document, axis, "param") : NULL;
        const yaml_node_t *values = is_axis ? imp_case_value(r->document, axis, "values") : NULL;
        if (name && values && name->type == YAML_SCALAR_NODE &&
            values->type == YAML_SEQUENCE_NODE &&
            is_known(r, (const char *)name->data.scalar.value)) {
            note_choice(r, name, values);
        }
    }
}

/* The choice of an axis with its options, as the first case knows them. */
static imp_swept_choice swept_choice(const imp_case_reader *r, int k) {
    const imp_theory *theory = r->cases[0].signature.theory;
    int c = imp_theory_choice(theory, r->swept[k].name);
    imp_swept_choice made = {.choice = &theory->choices[c], .n_options = r->swept[k].n};
    for (int o = 0; o < made.n_options; o++) {
        const char *name = (const char *)r->swept[k].option[o]->data.scalar.value;
        made.option[o] = imp_choice_option(made.choice, name);
    }
    return made;
}

/* ---- words of --set ---- */

/* The length of the name of a case at the start of a word "springs.law=hertz"; 0: none. */
static size_t case_of_word(const char *word) {
    size_t dot = strcspn(word, ".=");
    return word[dot] == '.' ? dot : 0;
}

bool imp_cases_take(const imp_cases *cases, const char *word) {
    char name[IMP_CASE_NAME];
    size_t length = strcspn(word, "=");
    if (case_of_word(word) || length >= sizeof name) {
        return case_of_word(word) > 0;
    }
    memcpy(name, word, length);
    name[length] = 0;
    return imp_cases_know_choice(cases, name) &&
           imp_theory_choice(imp_cases_theory(cases), name) < 0;
}

/* Reports words for cases that there are not. */
static void check_words(const imp_case_reader *r) {
    for (int w = 0; w < r->n_words; w++) {
        imp_text name = {0};
        const char *names[IMP_MAX_CASES];
        bool found = false;
        size_t length = case_of_word(r->words[w]);
        for (int c = 0; c < r->n; c++) {
            names[c] = r->cases[c].name;
            found = found ||
                    (strlen(names[c]) == length && strncmp(names[c], r->words[w], length) == 0);
        }
        if (length && !found) {
            imp_text_append(&name, r->words[w], length);
            imp_report_unknown(r->report, imp_case_word_place(r, w), "case", imp_text_get(&name),
                               "", names, (size_t)r->n);
        }
        imp_text_free(&name);
    }
}

/* Reports choices for all cases that every case makes itself, or that are given twice. */
static void check_taken(const imp_case_reader *r) {
    for (int w = 0; w < r->n_words; w++) {
        size_t length = strcspn(r->words[w], "=");
        if (case_of_word(r->words[w])) {
            continue;
        }
        imp_text name = {0};
        imp_text_append(&name, r->words[w], length);
        bool choice =
            is_known(r, imp_text_get(&name)) && imp_case_axis_of(r, imp_text_get(&name)) < 0;
        for (int other = 0; choice && other < w; other++) {
            if (strncmp(r->words[other], r->words[w], length + 1) == 0) {
                imp_report_error(r->report, imp_case_word_place(r, w), "duplicate key '%s'",
                                 imp_text_get(&name));
                choice = false;
            }
        }
        if (choice && !r->taken[w]) {
            imp_report_error(r->report, imp_case_word_place(r, w),
                             "every case makes the choice '%s' itself; set it in a case: %s.%s",
                             imp_text_get(&name), r->cases[0].name, r->words[w]);
        }
        imp_text_free(&name);
    }
}

/* ---- all of them ---- */

static imp_cases *make(imp_case_reader *r) {
    int culprit = 0, n = r->n * r->of_one;
    imp_text why = {0};
    imp_cases *cases = NULL;
    imp_swept_choice swept[IMP_MAX_CHOICES];
    for (int k = 0; k < r->n_swept; k++) {
        swept[k] = swept_choice(r, k);
    }
    if (imp_cases_fit(r->made, n, &culprit, &why)) {
        cases = imp_cases_make(r->made, n, swept, r->n_swept);
        if (!cases) {
            imp_report_memory(r->report);
        }
    } else {
        imp_report_error(r->report, r->place[culprit / r->of_one], "the case '%s': %s",
                         r->made[culprit].name, imp_text_get(&why));
        r->lost = true;
    }
    imp_text_free(&why);
    return cases;
}

/* The cases with all parameters of their theories, so that the rest of the config can be read where
 * one of them is wrong. */
static imp_cases *stand_in(const imp_case_reader *r) {
    imp_cases *cases = imp_cases_make(r->cases, r->n, NULL, 0);
    if (!cases) {
        imp_report_memory(r->report);
    }
    return cases;
}

/* Reads the cases into r->made, and makes them. */
static imp_cases *read_all(imp_case_reader *r, const yaml_node_t *cases, const yaml_node_t *axes) {
    IMP_EACH_PAIR(pair, cases) {
        begin_case(r, pair);
    }
    if (r->choose && !r->unnamed) {
        check_choose(r);
    }
    if (!r->unnamed) {
        check_words(r);
    }
    if (r->n > 0) {
        find_choices(r, axes);
    }
    for (int c = 0; c < r->n; c++) {
        r->lost = !imp_case_read(r, c) || r->lost;
    }
    r->lost = r->lost || r->unnamed;
    if (r->n > 0 && !r->lost) {
        check_taken(r);
    }
    imp_cases *made = r->n > 0 && !r->lost ? make(r) : NULL;
    return r->n > 0 && r->lost ? stand_in(r) : made;
}

static void end_reader(imp_case_reader *r) {
    for (int c = 0; r->made && c < r->n * r->of_one; c += r->of_one) { /* one case shares them */
        free(r->made[c].followers);
        free(r->made[c].formulas);
    }
    free(r->draft);
    free(r->cases);
    free(r->made);
    free(r->taken);
}

imp_cases *imp_cases_read(imp_document *document, const imp_loader *loader, const yaml_node_t *axes,
                          const yaml_node_t *choose, const imp_words *words, imp_owned **owned) {
    imp_case_reader r = {.document = document,
                         .loader = loader,
                         .owned = owned,
                         .report = document->report,
                         .choose = choose,
                         .words = words->word,
                         .n_words = words->n,
                         .of_one = 1};
    const yaml_node_t *cases = imp_cases_find(document, axes);
    if (!imp_document_is(document, cases, YAML_MAPPING_NODE, "'cases'")) {
        return NULL;
    }
    if (cases->data.mapping.pairs.start == cases->data.mapping.pairs.top) {
        imp_report_error(r.report, imp_document_place(r.document, cases),
                         "'cases' is empty, list at least one");
    }
    r.draft = malloc(sizeof *r.draft);
    r.cases = calloc(IMP_MAX_CASES, sizeof *r.cases);
    r.made = calloc(IMP_MAX_CASES, sizeof *r.made);
    r.taken = calloc((size_t)words->n + 1, sizeof *r.taken);
    imp_cases *made = NULL;
    if (r.draft && r.cases && r.made && r.taken) {
        made = read_all(&r, cases, axes);
    } else {
        imp_report_memory(r.report);
    }
    end_reader(&r);
    r.report->lost = r.lost;
    r.report->unnamed = r.unnamed;
    return made;
}
