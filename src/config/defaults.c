#include "config/resolve_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/range.h"
#include "config/variables.h"
#include "num/alike.h"

/* A parameter in the signatures whose cells need its default. */
typedef struct need {
    const imp_draft *draft;
    const imp_parameter *parameter; /* as the sweep has it */
    const imp_parameter **variant;  /* as each of the signatures has it, or its case */
    const int **chosen;             /* the choices of each of them */
    int n;
} need;

bool imp_default_sources(const imp_draft *draft, const imp_signature *s, int *source,
                         int rivals[2]) {
    bool given[IMP_MAX_PARAMETERS];
    for (int p = 0; p < s->n_parameters; p++) {
        int of_draft = imp_draft_find(draft, s->parameter[p]->name).parameter;
        given[p] = of_draft >= 0 && draft->parameters[of_draft].use != IMP_UNUSED;
    }
    return imp_signature_sources(s, given, source, rivals);
}

/* Adds a signature if it has the parameter, but neither a value nor a stand-in of it. */
static void add_need(need *of, const imp_signature *signature) {
    const imp_cases *cases = of->draft->sweep.cases;
    const imp_case *one = cases ? imp_cases_chosen(cases, signature->chosen) : NULL;
    bool declared = imp_variable_place(of->draft, of->parameter) != NULL;
    const imp_signature *inner = one && !declared ? &one->signature : signature;
    int source[IMP_MAX_PARAMETERS], p = imp_signature_find(inner, of->parameter->name);
    imp_default_sources(of->draft, inner, source, NULL);
    bool left = p >= 0 && (inner == signature || imp_case_leaves(one, p));
    if (left && source[p] < 0) {
        of->variant[of->n] = inner->parameter[p];
        of->chosen[of->n++] = signature->chosen;
    }
}

static bool same_default(const imp_parameter *a, const imp_parameter *b) {
    return imp_is_same(a->fallback, b->fallback);
}

static bool has_one_default(const need *of) {
    bool one = true;
    for (int i = 1; i < of->n; i++) {
        one = one && same_default(of->variant[0], of->variant[i]);
    }
    return one;
}

/* ---- messages ---- */

/* Whether the default follows from the option of this choice alone. */
static bool follows_from(const need *of, int choice) {
    bool follows = true;
    for (int i = 0; i < of->n; i++) {
        for (int j = 0; j < i; j++) {
            follows = follows && (of->chosen[i][choice] != of->chosen[j][choice] ||
                                  same_default(of->variant[i], of->variant[j]));
        }
    }
    return follows;
}

/* Whether a choice differs between the cells. */
static bool differs(const need *of, int choice) {
    bool found = false;
    for (int i = 1; i < of->n; i++) {
        found = found || of->chosen[i][choice] != of->chosen[0][choice];
    }
    return found;
}

/* Bits of the choices that tell which default a signature has: one if it is enough. */
static unsigned telling_choices(const need *of) {
    const imp_theory *theory = of->draft->sweep.theory;
    unsigned all = 0;
    for (int c = 0; c < theory->n_choices; c++) {
        if (differs(of, c) && follows_from(of, c)) {
            return 1u << c;
        }
        all |= differs(of, c) ? 1u << c : 0;
    }
    return all;
}

/* Whether signature i has the same options of these choices as an earlier one. */
static bool is_told(const need *of, int i, unsigned choices) {
    bool told = false;
    for (int j = 0; j < i && !told; j++) {
        told = true;
        for (int c = 0; c < of->draft->sweep.theory->n_choices; c++) {
            told = told && (!(choices & 1u << c) || of->chosen[i][c] == of->chosen[j][c]);
        }
    }
    return told;
}

/* "body=pendulum", "case=springs body=sphere" */
static void print_options(imp_text *text, const need *of, int i, unsigned choices) {
    const imp_theory *theory = of->draft->sweep.theory;
    const char *gap = "";
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        if (choices & 1u << c) {
            imp_text_print(text, "%s%s=%s", gap, choice->name,
                           choice->options[of->chosen[i][c]]->name);
            gap = " ";
        }
    }
}

/* " for body=sphere and body=capsule": the signatures that have the default of this one. */
static void print_alike(imp_text *text, const need *of, int first, unsigned choices) {
    for (int i = first; i < of->n; i++) {
        if (same_default(of->variant[i], of->variant[first]) && !is_told(of, i, choices)) {
            imp_text_print(text, "%s", i == first ? " for " : " and ");
            print_options(text, of, i, choices);
        }
    }
}

/* "0 m for body=pendulum, 1 m for body=sphere and body=capsule, none for body=matrix" */
static void print_defaults(imp_text *text, const need *of) {
    unsigned choices = telling_choices(of);
    const char *gap = "";
    int without = -1;
    for (int first = of->n - 1; first >= 0; first--) {
        without = isnan(of->variant[first]->fallback) ? first : without;
    }
    for (int first = 0; first < of->n; first++) {
        const imp_parameter *variant = of->variant[first];
        bool printed = isnan(variant->fallback);
        for (int i = 0; i < first; i++) {
            printed = printed || same_default(of->variant[i], variant);
        }
        if (!printed) {
            imp_text_print(text, "%s", gap);
            imp_print_value(text, variant, variant->fallback);
            print_alike(text, of, first, choices);
            gap = ", ";
        }
    }
    if (without >= 0) {
        imp_text_print(text, "%snone", gap);
        print_alike(text, of, without, choices);
    }
}

static void print_stand_ins(imp_text *text, const imp_draft *draft, const char *name) {
    for (int p = 0; p < draft->n_parameters; p++) {
        const imp_parameter *other = draft->parameter[p];
        if (other->stands_for && strcmp(other->stands_for, name) == 0) {
            imp_text_print(text, ", or '%s' in its place (range ", other->name);
            imp_print_ranges(text, &other, 1);
            imp_text_print(text, ")");
        }
    }
}

static void report_missing(const imp_draft *draft, const need *of) {
    bool cases = draft->sweep.cases != NULL;
    imp_text text = {0};
    imp_text_print(&text, "missing parameter '%s' (range ", of->parameter->name);
    imp_print_ranges(&text, of->variant, of->n);
    imp_text_print(&text, has_one_default(of) ? ", no default)" : ")");
    print_stand_ins(&text, draft, of->parameter->name);
    if (!has_one_default(of)) {
        imp_text_print(&text, ": its default is ");
        print_defaults(&text, of);
        imp_text_print(&text, "; give one value under 'fixed', or several %s",
                       cases ? "in the cases or on an axis" : "on an axis");
    }
    imp_draft_error(draft, draft->parameters_place, "%s", imp_text_get(&text));
    imp_text_free(&text);
}

/* ---- all of it ---- */

static void take(imp_draft *draft, const need *of) {
    const imp_place *declared = imp_variable_place(draft, of->parameter);
    if (declared) {
        imp_draft_error(draft, *declared, "the variable '%s' has no value", of->parameter->name);
    } else if (has_one_default(of) && !isnan(of->variant[0]->fallback)) {
        draft->sweep.fixed[draft->sweep.n_fixed++] = (imp_fixed){
            .parameter = of->parameter, .value = of->variant[0]->fallback, .formula = ""};
    } else {
        report_missing(draft, of);
    }
}

void imp_default_resolve(imp_draft *draft, const imp_scope *in) {
    if (in->variants[0]->stands_for) {
        return;
    }
    need of = {.draft = draft, .parameter = in->variants[0]};
    of.variant = malloc((size_t)(in->n + 1) * sizeof(const imp_parameter *));
    of.chosen = malloc((size_t)(in->n + 1) * sizeof(const int *));
    if (of.variant && of.chosen) {
        for (int s = 0; s < in->n; s++) {
            add_need(&of, &in->signatures[s]);
        }
        if (of.n > 0) {
            take(draft, &of);
        }
    } else {
        imp_report_memory(draft->report);
    }
    free(of.variant);
    free(of.chosen);
}
