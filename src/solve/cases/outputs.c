/* Outputs and modes of cases: those of all theories, each name once. */
#include <string.h>

#include "models/describe.h"
#include "solve/cases/cases_impl.h"

static bool same_text(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_shape(const imp_output *a, const imp_output *b) {
    return a->kind == b->kind && same_text(a->unit, b->unit) && a->own_unit == b->own_unit &&
           same_text(a->dimension, b->dimension) && a->length == b->length;
}

static void print_shape(const imp_output *output, imp_text *text) {
    static const char *const kinds[] = {
        [IMP_REAL] = "real", [IMP_CATEGORY] = "category", [IMP_SEQUENCE] = "sequence"};
    imp_text_print(text, "%s, unit %s", kinds[output->kind], output->unit);
    if (output->dimension) {
        imp_text_print(text, ", %d values (%s)", output->length, output->dimension);
    }
}

/* Whether a case fits to one before it. Theories of the plane, of space and of beams have one
 * explanation of symbols each; a guest that has none fits to all. */
static bool fits(const imp_case *one, const imp_case *before, imp_text *why) {
    const imp_theory *theory = one->signature.theory, *other = before->signature.theory;
    bool without = strcmp(theory->name, "guest") == 0 && !theory->symbols;
    without = without || (strcmp(other->name, "guest") == 0 && !other->symbols);
    if (!without && !same_text(theory->symbols, other->symbols)) {
        imp_text_print(why,
                       "%s does not go with %s of the case '%s', in which the same names "
                       "mean other things",
                       theory->name, other->name, before->name);
        return false;
    }
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        int k = imp_theory_output(other, output->name);
        if (k >= 0 && !same_shape(output, &other->outputs[k])) {
            imp_text_print(why, "the output '%s' of %s (", output->name, theory->name);
            print_shape(output, why);
            imp_text_print(why, ") is another than that of %s in the case '%s' (", other->name,
                           before->name);
            print_shape(&other->outputs[k], why);
            imp_text_print(why, "), they cannot be in one map");
            return false;
        }
    }
    return true;
}

bool imp_cases_fit(const imp_case *cases, int n, int *culprit, imp_text *why) {
    for (int c = 1; c < n; c++) {
        for (int before = 0; before < c; before++) {
            if (!fits(&cases[c], &cases[before], why)) {
                *culprit = c;
                return false;
            }
        }
    }
    return true;
}

/* The name of a mode of case c: modes of several theories that mean the same have one. */
static const char *name_of(const imp_cases *s, int c, const imp_mode *mode) {
    const imp_theory *theory = s->cases[c].signature.theory;
    return s->theory.n_agreements == 0 ? imp_mode_common(theory, mode) : mode->name;
}

/* The code of a name in a table, to which it is added if it is new. */
static int8_t code_of(imp_mode *table, int *n, const char *name, const char *meaning) {
    for (int i = 0; i < *n; i++) {
        if (strcmp(table[i].name, name) == 0) {
            return (int8_t)table[i].code;
        }
    }
    if (*n == IMP_CASE_CODES - 1) {
        return 0;
    }
    table[*n] = (imp_mode){.code = *n + 1, .name = name, .meaning = meaning};
    return (int8_t)table[(*n)++].code;
}

/* The output of this name of the cases, which is added if it is new; -1 if there is no room. */
static int output_of(imp_cases *s, const imp_output *from) {
    int o = imp_theory_output(&s->theory, from->name);
    if (o >= 0 || s->theory.n_outputs == IMP_MAX_OUTPUTS) {
        return o;
    }
    o = s->theory.n_outputs++;
    s->outputs[o] = *from;
    s->outputs[o].undefined_in = 0;
    if (from->categories) {
        s->outputs[o].categories = s->categories[o];
        s->outputs[o].n_categories = 0;
    }
    return o;
}

static void add_codes(imp_cases *s, int c, int o, const imp_output *from) {
    int n;
    imp_output *output = &s->outputs[o];
    const imp_mode *codes = imp_output_categories(s->cases[c].signature.theory, from, &n);
    imp_mode *table = from->categories ? s->categories[o] : s->modes;
    int *size = from->categories ? &output->n_categories : &s->theory.n_modes;
    for (int i = 0; i < n; i++) {
        s->code[c][o][codes[i].code] =
            code_of(table, size, name_of(s, c, &codes[i]), codes[i].meaning);
    }
}

static void add_theory(imp_cases *s, int c) {
    const imp_theory *theory = s->cases[c].signature.theory;
    for (int o = 0; o < IMP_MAX_OUTPUTS; o++) {
        s->inner[c][o] = -1;
    }
    for (int i = 0; i < theory->n_outputs; i++) {
        int o = output_of(s, &theory->outputs[i]);
        if (o >= 0) {
            s->inner[c][o] = i;
            if (theory->outputs[i].kind == IMP_CATEGORY) {
                add_codes(s, c, o, &theory->outputs[i]);
            }
        }
    }
}

/* Whether an output is undefined in a mode: in that of every theory that has both. */
static bool is_undefined_in(const imp_cases *s, int o, const imp_mode *mode) {
    bool any = false;
    for (int c = 0; c < s->n; c++) {
        const imp_theory *theory = s->cases[c].signature.theory;
        for (int m = 0; s->inner[c][o] >= 0 && m < theory->n_modes; m++) {
            if (strcmp(name_of(s, c, &theory->modes[m]), mode->name) == 0) {
                uint64_t undefined = theory->outputs[s->inner[c][o]].undefined_in;
                if (!(undefined >> theory->modes[m].code & 1)) {
                    return false;
                }
                any = true;
            }
        }
    }
    return any;
}

static void add_tangential_end(imp_cases *s) {
    static const imp_mode codes[] = {
        {IMP_END_SAME, "same_direction", "slides on as it came"},
        {IMP_END_ZERO, "zero", "no tangential velocity but for rounding"},
        {IMP_END_REVERSED, "reversed", "slides back"},
        {IMP_END_WEDGE, "wedge", "does not separate"},
    };
    static const imp_output output = {
        .name = "tangential_end",
        .unit = "1",
        .meaning = "final tangential velocity of the contact point against the initial one",
        .kind = IMP_CATEGORY,
        .undefined_when = "the initial tangential velocity is 0 and the final one is not",
        .categories = codes,
        .n_categories = sizeof codes / sizeof *codes};
    bool any = false;
    s->tangential_end = -1;
    for (int c = 0; c < s->n; c++) {
        any |= imp_case_has_tangential_end(&s->cases[c]);
    }
    if (any && s->theory.n_outputs < IMP_MAX_OUTPUTS) {
        s->tangential_end = s->theory.n_outputs++;
        s->outputs[s->tangential_end] = output;
        for (int c = 0; c < s->n; c++) {
            s->inner[c][s->tangential_end] = -1;
        }
    }
}

/* Modes keep their own names where all cases are of one theory, whose agreements the map then has.
 */
static void add_agreements(imp_cases *s) {
    const imp_theory *first = s->cases[0].signature.theory;
    bool several = false;
    for (int c = 1; c < s->n; c++) {
        several |= s->cases[c].signature.theory != first;
    }
    s->theory.agreements = several ? NULL : first->agreements;
    s->theory.n_agreements = several ? 0 : first->n_agreements;
}

void imp_cases_unite(imp_cases *s) {
    add_agreements(s);
    for (int c = 0; c < s->n; c++) {
        add_theory(s, c);
    }
    for (int o = 0; o < s->theory.n_outputs; o++) {
        for (int m = 0; m < s->theory.n_modes; m++) {
            uint64_t bit = UINT64_C(1) << s->modes[m].code;
            s->outputs[o].undefined_in |= is_undefined_in(s, o, &s->modes[m]) ? bit : 0;
        }
    }
    add_tangential_end(s);
}
