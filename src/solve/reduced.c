#include "solve/reduced.h"

#include <stdlib.h>
#include <string.h>

#include "models/signature.h"

typedef struct reducer {
    imp_reduced *lists;
    const imp_theory *whole;
    bool (*leaves_out)(const void *context, const imp_parameter *parameter);
    const void *context;
} reducer;

/* The parameter that is left out and may stand beside this one; NULL: there is none. */
static const imp_parameter *beside(const reducer *r, const imp_parameter *parameter) {
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    int n = imp_theory_every_parameter(r->whole, all);
    for (int p = 0; p < n; p++) {
        if (all[p]->beside && strcmp(all[p]->stands_for, parameter->name) == 0 &&
            r->leaves_out(r->context, all[p])) {
            return all[p];
        }
    }
    return NULL;
}

/* Gives a parameter a default if one that is left out may stand for it. False: memory is out. */
static bool make_optional(const reducer *r, const imp_parameter **parameter) {
    const imp_parameter *other = beside(r, *parameter);
    imp_parameter *optional = other ? malloc(sizeof *optional) : NULL;
    if (optional) {
        *optional = **parameter;
        optional->fallback = other->converted(other->example);
        r->lists->owned[r->lists->n_owned++] = optional;
        *parameter = optional;
    }
    return optional || !other;
}

/* A copy of a list of parameters, with room for one more; NULL when memory is out. */
static const imp_parameter **others(const reducer *r, const imp_parameter *const *list, int n,
                                    int *n_left) {
    const imp_parameter **left = calloc((size_t)n + 2, sizeof *left);
    *n_left = 0;
    r->lists->owned[r->lists->n_owned++] = left;
    for (int i = 0; left && i < n; i++) {
        if (!r->leaves_out(r->context, list[i])) {
            left[*n_left] = list[i];
            if (!make_optional(r, &left[(*n_left)++])) {
                return NULL;
            }
        }
    }
    return left;
}

static bool copy_option(const reducer *r, const imp_option *from, imp_option *to) {
    *to = *from;
    to->parameters = others(r, from->parameters, from->n_parameters, &to->n_parameters);
    return to->parameters;
}

static bool copy_choice(const reducer *r, const imp_choice *from, imp_choice *to) {
    imp_option *options = calloc((size_t)from->n_options, sizeof *options);
    const imp_option **list = calloc((size_t)from->n_options, sizeof *list);
    r->lists->owned[r->lists->n_owned++] = options;
    r->lists->owned[r->lists->n_owned++] = list;
    *to = *from;
    to->options = list;
    bool good = options && list;
    for (int o = 0; good && o < from->n_options; o++) {
        good = copy_option(r, from->options[o], &options[o]);
        list[o] = &options[o];
    }
    return good;
}

bool imp_reduced_make(imp_reduced *lists, imp_theory *theory, const imp_theory *whole,
                      bool (*leaves_out)(const void *context, const imp_parameter *parameter),
                      const void *context, const imp_parameter *further) {
    const reducer r = {
        .lists = lists, .whole = whole, .leaves_out = leaves_out, .context = context};
    const imp_parameter *all[IMP_MAX_PARAMETERS];
    size_t most = 2, parameters = (size_t)imp_theory_every_parameter(whole, all);
    for (int c = 0; c < whole->n_choices; c++) {
        most += 2 + (size_t)whole->choices[c].n_options;
    }
    most *= 1 + parameters; /* any of a list may become optional */
    *theory = *whole;
    theory->n_outputs = 0;
    theory->history = NULL;
    theory->trace = NULL;
    theory->refuse = NULL;
    *lists = (imp_reduced){.whole = whole, .owned = calloc(most, sizeof *lists->owned)};
    if (!lists->owned) {
        return false;
    }
    const imp_parameter **own =
        others(&r, whole->parameters, whole->n_parameters, &theory->n_parameters);
    theory->parameters = own;
    theory->variables = others(&r, whole->variables, whole->n_variables, &theory->n_variables);
    bool good = own && theory->variables;
    if (good && further) {
        own[theory->n_parameters++] = further;
    }
    for (int c = 0; good && c < whole->n_choices; c++) {
        good = copy_choice(&r, &whole->choices[c], &lists->choices[c]);
    }
    theory->choices = lists->choices;
    return good;
}

void imp_reduced_free(imp_reduced *lists) {
    for (int i = 0; i < lists->n_owned; i++) {
        free((void *)lists->owned[i]);
    }
    free((void *)lists->owned);
    *lists = (imp_reduced){.n_owned = 0};
}

void imp_reduced_follow(imp_reduced *lists, const imp_follower *followers, int n) {
    int first = imp_followers_outside(followers, n);
    lists->followers = followers + first;
    lists->n_followers = n - first;
}

bool imp_reduced_follows(const imp_reduced *lists, const char *name) {
    return imp_followers_compute(lists->followers, lists->n_followers, name);
}

imp_err imp_reduced_open(const imp_reduced *lists, const int *chosen, imp_solver **solver) {
    imp_signature inner = imp_signature_of(lists->whole, chosen);
    imp_err error = imp_solver_open(&inner, solver);
    return error ? error : imp_solver_follow(*solver, lists->followers, lists->n_followers);
}
