/* The exact messages of bad configs. */
#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

#include "config/axis_impl.h"
#include "solve/search/search.h"
#include "support/reading.h"

static void list_theories(imp_text *text) {
    for (int t = 0; imp_theory_at(t); t++) {
        if (!imp_theory_at(t)->hidden) {
            imp_text_print(text, "%s%s", text->length ? ", " : "", imp_theory_at(t)->name);
        }
    }
}

/* Those whose choice `law` has the option `linear`. */
static void list_theories_with_linear(imp_text *text) {
    for (int t = 0; imp_theory_at(t); t++) {
        const imp_theory *theory = imp_theory_at(t);
        int law = theory->hidden ? -1 : imp_theory_choice(theory, "law");
        if (law >= 0 && imp_choice_option(&theory->choices[law], "linear") >= 0) {
            imp_text_print(text, "%s%s", text->length ? ", " : "", theory->name);
        }
    }
}

static void list_options(imp_text *text, const char *name) {
    const imp_theory *theory = imp_theory_find("compliant");
    const imp_choice *choice = &theory->choices[imp_theory_choice(theory, name)];
    for (int o = 0; o < choice->n_options; o++) {
        imp_text_print(text, "%s%s", o ? ", " : "", choice->options[o]->name);
    }
}

static void list_bodies(imp_text *text) {
    list_options(text, "body");
}

static void list_laws(imp_text *text) {
    list_options(text, "law");
}

static void list_outputs(imp_text *text) {
    const imp_theory *theory = imp_theory_find("compliant");
    for (int o = 0; o < theory->n_outputs; o++) {
        imp_text_print(text, "%s%s", o ? ", " : "", theory->outputs[o].name);
    }
}

static void list_parameters(imp_text *text) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(imp_theory_find("compliant"), all);
    for (int p = 0; p < n; p++) {
        imp_text_print(text, "%s%s", p ? ", " : "", all[p]->name);
    }
}

/* "body=sphere, body=rod": every body that has a parameter. */
static void list_bodies_with(imp_text *text, const char *parameter) {
    const imp_theory *theory = imp_theory_find("compliant");
    const imp_choice *bodies = &theory->choices[imp_theory_choice(theory, "body")];
    for (int o = 0; o < bodies->n_options; o++) {
        const imp_option *body = bodies->options[o];
        for (int p = 0; p < body->n_parameters; p++) {
            if (strcmp(body->parameters[p]->name, parameter) == 0) {
                imp_text_print(text, "%sbody=%s", text->length ? ", " : "", body->name);
            }
        }
    }
}

static void list_bodies_with_angle(imp_text *text) {
    list_bodies_with(text, "angle");
}

static void list_bodies_with_velocity(imp_text *text) {
    list_bodies_with(text, "velocity_ratio");
}

static void list_searches(imp_text *text) {
    for (int k = 0; imp_search_kind_at(k); k++) {
        imp_text_print(text, "%s%s", k ? ", " : "", imp_search_kind_at(k)->name);
    }
}

static void list_axis_keys(imp_text *text) {
#define KEY(symbol, name) imp_text_print(text, "%s%s", text->length ? ", " : "", name);
    IMP_AXIS_KEYS(KEY)
#undef KEY
}

/* The expected message, in which lists that grow with the tables are filled in; the caller
 * frees. */
static imp_text expand(const char *expected) {
    static const struct {
        const char *word;
        void (*list)(imp_text *text);
    } lists[] = {{"<theories>", list_theories},
                 {"<theories with linear>", list_theories_with_linear},
                 {"<bodies>", list_bodies},
                 {"<bodies with angle>", list_bodies_with_angle},
                 {"<bodies with velocity_ratio>", list_bodies_with_velocity},
                 {"<laws>", list_laws},
                 {"<searches>", list_searches},
                 {"<keys of an axis>", list_axis_keys},
                 {"<outputs>", list_outputs},
                 {"<parameters>", list_parameters}};
    imp_text text = {0};
    while (*expected) {
        size_t length = 1;
        imp_text list = {0};
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
            if (strncmp(expected, lists[i].word, strlen(lists[i].word)) == 0) {
                lists[i].list(&list);
                length = strlen(lists[i].word);
            }
        }
        imp_text_append(&text, list.length ? imp_text_get(&list) : expected,
                        list.length ? list.length : 1);
        imp_text_free(&list);
        expected += length;
    }
    return text;
}

void expect_messages(const char *name, reading r, const char *pattern) {
    imp_text text = expand(pattern);
    const char *expected = imp_text_get(&text);
    bool same = strcmp(imp_text_get(&r.messages), expected) == 0;
    if (!same) {
        fprintf(stderr, "%s: expected\n%s, but got\n%s\n", name, expected,
                imp_text_get(&r.messages));
    }
    imp_text_free(&text);
    CU_ASSERT(same);
    CU_ASSERT_EQUAL(r.error, IMP_ERR_INPUT);
    CU_ASSERT(reading_is_empty(&r.sweep));
    reading_free(&r);
}
