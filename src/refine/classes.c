/* Classes of the points, and their values under rules for jumps. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "refine/generator_impl.h"

enum { WORDS = 1 + 2 * IMP_MAX_RULES };

/* A value as a rule compares it. All NaN are alike, and so are both zeros. */
static double compared(const imp_rule *rule, double value) {
    if (rule->kind == IMP_RULE_OUTCOME) {
        return 0;
    }
    if (isnan(value)) {
        return NAN;
    }
    switch (rule->kind) {
    case IMP_RULE_LEVEL:
        return value >= rule->number;
    case IMP_RULE_JUMP:
        return 0;
    default:
        return value + 0.0;
    }
}

/* The class of a point, which is added if it is new; IMP_KEY_NONE if memory is out. */
static uint32_t find_class(imp_refinement *r, uint8_t outcome, const double *values) {
    imp_refine_class class = {.outcome = outcome};
    uint32_t words[WORDS] = {outcome};
    for (int i = 0; outcome == IMP_SOLVED && i < r->plan.n_rules; i++) {
        class.value[i] = compared(&r->plan.rules[i], values[i]);
        memcpy(&words[1 + 2 * i], &class.value[i], sizeof class.value[i]);
    }
    uint32_t number = imp_key_set_add(&r->class_keys, words);
    if (number == IMP_KEY_NONE ||
        imp_grow(&r->classes, &r->class_room, (size_t)number + 1, sizeof *r->classes)) {
        return IMP_KEY_NONE;
    }
    r->classes[number] = class;
    return number;
}

imp_err imp_classes_take(imp_refinement *r) {
    for (size_t i = 0; i < r->round_n; i++) {
        size_t point = (size_t)r->round_first + i;
        const double *values = r->values + i * (size_t)r->plan.n_rules;
        r->class_of[point] = find_class(r, r->outcome[i], values);
        if (r->class_of[point] == IMP_KEY_NONE) {
            return imp_out_of_memory();
        }
        double *jumps = r->jumps + point * (size_t)r->n_jumps;
        for (int k = 0; k < r->plan.n_rules && r->n_jumps > 0; k++) {
            if (r->plan.rules[k].kind == IMP_RULE_JUMP) {
                *jumps++ = r->outcome[i] == IMP_SOLVED ? values[k] : NAN;
            }
        }
    }
    return IMP_OK;
}

bool imp_nodes_mixed(const imp_refinement *r, const uint32_t *nodes, int n) {
    for (int i = 1; i < n; i++) {
        if (r->class_of[nodes[i]] != r->class_of[nodes[0]]) {
            return true;
        }
    }
    for (int k = 0; k < r->n_jumps; k++) {
        double least = INFINITY, most = -INFINITY;
        for (int i = 0; i < n; i++) {
            double value = r->jumps[(size_t)nodes[i] * (size_t)r->n_jumps + (size_t)k];
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        if (most - least > r->jump[k]) {
            return true;
        }
    }
    return false;
}

bool imp_nodes_differ(const imp_refinement *r, uint32_t one, uint32_t other) {
    return imp_nodes_mixed(r, (uint32_t[]){one, other}, 2);
}

uint32_t imp_refine_classes(const imp_refinement *refinement) {
    return (uint32_t)refinement->class_keys.n;
}

uint32_t imp_refine_class_of(const imp_refinement *refinement, uint32_t point) {
    return refinement->class_of[point];
}

const imp_refine_class *imp_refine_class_at(const imp_refinement *refinement, uint32_t number) {
    assert(number < refinement->class_keys.n);
    return &refinement->classes[number];
}
