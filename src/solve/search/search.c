/* The description of a search as a theory: parameters, choices and outputs. */
#include "solve/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "solve/search/search_impl.h"

static const imp_search_kind *const kinds[] = {
#define SEARCH(name) &imp_search_##name,
#include "solve/search/kinds.def"
};

const imp_search_kind *imp_search_kind_at(int index) {
    int n = (int)(sizeof kinds / sizeof *kinds);
    return index >= 0 && index < n ? kinds[index] : NULL;
}

bool imp_search_code(const imp_theory *theory, int output, const char *name, uint64_t *bit) {
    int n;
    const imp_mode *codes = imp_output_categories(theory, &theory->outputs[output], &n);
    for (int i = 0; i < n; i++) {
        if (strcmp(codes[i].name, name) == 0) {
            *bit = UINT64_C(1) << codes[i].code;
            return true;
        }
    }
    return false;
}

const imp_theory *imp_search_theory(const imp_search *search) {
    return &search->theory;
}

const imp_search_plan *imp_search_plan_of(const imp_search *search) {
    return &search->plan;
}

bool imp_search_has_values(const imp_output *output) {
    return output->kind != IMP_REAL || output->whole;
}

static void print_members(const imp_search_plan *plan, imp_text *text) {
    bool sequences = plan->theory->outputs[plan->of].kind == IMP_SEQUENCE;
    for (int i = 0; i < plan->n_set; i++) {
        const imp_set_value *member = &plan->set[i];
        char phases[256] = "";
        if (!sequences) {
            imp_text_print(text, "%s %.17g", i ? "," : "", member->value);
            continue;
        }
        double code = isnan(member->value) ? member->wide : member->value;
        imp_sequence_text((uint64_t)code, sizeof phases, phases);
        imp_text_print(text, "%s %s", i ? "," : "", phases);
    }
}

static void print_set(const imp_search_plan *plan, imp_text *text) {
    int n;
    const imp_output *of = &plan->theory->outputs[plan->of];
    if (of->kind != IMP_CATEGORY) {
        imp_text_print(text, " in");
        print_members(plan, text);
        return;
    }
    const imp_mode *codes = imp_output_categories(plan->theory, of, &n);
    imp_text_print(text, " in");
    for (int i = 0; i < n; i++) {
        if (plan->inside >> codes[i].code & 1) {
            imp_text_print(text, " %s", codes[i].name);
        }
    }
}

static void print_aim(const imp_search_plan *plan, int digits, imp_text *text) {
    imp_text_print(text, "%s of %s", plan->kind->name, plan->theory->outputs[plan->of].name);
    bool values = imp_search_has_values(&plan->theory->outputs[plan->of]);
    if (plan->kind->needs_set || (plan->kind->takes_levels && plan->inside)) {
        print_set(plan, text);
    } else if (plan->kind->needs_value || (plan->kind->takes_levels && !values)) {
        imp_text_print(text, " = %.*g", digits, plan->value);
    }
}

void imp_search_print_title(const imp_search *search, imp_text *text) {
    const imp_search_plan *plan = &search->plan;
    print_aim(plan, 6, text);
    for (int k = 0; k < plan->n_over; k++) {
        const imp_over *over = &plan->over[k];
        bool angle = imp_parameter_is_angle(over->parameter);
        double unit = angle ? IMP_DEGREES_PER_RADIAN : 1;
        imp_text_print(text, "%s %s %.6g to %.6g%s", k ? " and" : " over", over->parameter->name,
                       over->from * unit, over->to * unit, angle ? " deg" : "");
    }
}

void imp_search_print(const imp_search *search, imp_text *text) {
    const imp_search_plan *plan = &search->plan;
    print_aim(plan, 17, text);
    for (int k = 0; k < plan->n_over; k++) {
        const imp_over *over = &plan->over[k];
        imp_text_print(text, ", over %s from %.17g to %.17g (%d samples%s)", over->parameter->name,
                       over->from, over->to, over->samples, over->logarithmic ? ", log" : "");
    }
    if (plan->steps && plan->kind == &imp_search_target) {
        imp_text_print(text, ", steps are roots"); /* they were not in the first maps of shares */
    }
    imp_text_print(text, ", tolerance %g", plan->tolerance);
    if (plan->kind->finds_roots) {
        imp_text_print(text, ", at most %d", plan->max_roots);
    }
}

/* ---- parameters and choices, without those that are searched over ---- */

bool imp_search_covers(const imp_search_plan *plan, const imp_parameter *parameter) {
    for (int k = 0; k < plan->n_over; k++) {
        if (imp_parameters_exclude(plan->over[k].parameter, parameter)) {
            return true;
        }
    }
    return false;
}

static bool leaves_out(const void *context, const imp_parameter *parameter) {
    return imp_search_covers(context, parameter);
}

static bool has_output(const imp_instance *instance, int output) {
    const imp_search *s = (const imp_search *)instance->theory;
    imp_signature inner = imp_signature_of(s->plan.theory, instance->chosen);
    return s->found[output] != IMP_FOUND_OTHER ||
           imp_signature_has_output(&inner, s->inner_output[output]);
}

imp_search *imp_search_make(const imp_search_plan *plan) {
    imp_search *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->plan = *plan;
    if (!imp_reduced_make(&s->lists, &s->theory, plan->theory, leaves_out, &s->plan, NULL)) {
        imp_search_free(&s);
        return NULL;
    }
    s->theory.outputs = s->outputs;
    s->theory.has_output = has_output;
    s->theory.open = imp_search_cell_open;
    s->theory.close = imp_search_cell_close;
    s->theory.solve = imp_search_cell_solve;
    for (int k = 0; k < plan->n_over; k++) {
        imp_search_set_unit(s, k, plan->over[k].parameter->unit);
    }
    plan->kind->add_outputs(s);
    imp_search_add_others(s);
    return s;
}

void imp_search_set_unit(imp_search *search, int k, const char *unit) {
    snprintf(search->unit[k], sizeof search->unit[k], "%s", unit);
}

void imp_search_follow(imp_search *search, const imp_follower *followers, int n) {
    imp_reduced_follow(&search->lists, followers, n);
}

void imp_search_free(imp_search **search) {
    imp_search *s = *search;
    if (!s) {
        return;
    }
    imp_reduced_free(&s->lists);
    free(s);
    *search = NULL;
}
