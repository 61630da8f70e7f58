#include "config/scope.h"

#include <math.h>
#include <stdio.h>

#include "config/range.h"

static bool any_option_has(const imp_choice *choice, const char *name) {
    for (int o = 0; o < choice->n_options; o++) {
        if (imp_option_parameter(choice->options[o], name)) {
            return true;
        }
    }
    return false;
}

static bool occurs(const imp_scope *in, int choice, int option) {
    for (int s = 0; s < in->n; s++) {
        if (in->signatures[s].chosen[choice] == option) {
            return true;
        }
    }
    return false;
}

void imp_report_missing_choice(imp_report *report, imp_place place, const imp_choice *choice,
                               const char *of_case) {
    imp_text list = {0};
    for (int o = 0; o < choice->n_options; o++) {
        imp_text_print(&list, "%s%s", o > 0 ? ", " : "", choice->options[o]->name);
    }
    imp_report_error(report, place, "missing choice '%s'%s%s%s, allowed: %s", choice->name,
                     of_case ? " of the case '" : "", of_case ? of_case : "", of_case ? "'" : "",
                     imp_text_get(&list));
    imp_text_free(&list);
}

void imp_scope_report_inapplicable(imp_draft *draft, const imp_scope *in, int p) {
    const imp_theory *theory = draft->sweep.theory;
    const char *name = draft->parameter[p]->name;
    imp_text here = {0}, there = {0};
    for (int c = 0; c < theory->n_choices; c++) {
        const imp_choice *choice = &theory->choices[c];
        for (int o = 0; any_option_has(choice, name) && o < choice->n_options; o++) {
            bool has = imp_option_parameter(choice->options[o], name);
            imp_text *list = has ? &there : &here;
            if (has || occurs(in, c, o)) {
                imp_text_print(list, "%s%s=%s", list->length > 0 ? ", " : "", choice->name,
                               choice->options[o]->name);
            }
        }
    }
    imp_draft_error(draft, draft->parameters[p].key, "'%s' does not apply to %s; it applies to %s",
                    name, imp_text_get(&here), imp_text_get(&there));
    imp_text_free(&here);
    imp_text_free(&there);
}

void imp_scope_choose(const imp_draft *draft, imp_scope *in, int p) {
    in->n_variants = 0;
    for (int s = 0; s < in->n; s++) {
        int at = imp_signature_find(&in->signatures[s], draft->parameter[p]->name);
        if (at >= 0) {
            in->variants[in->n_variants++] = in->signatures[s].parameter[at];
        }
    }
}

bool imp_scope_choose_inner(imp_draft *draft, imp_scope *in, const imp_theory *theory,
                            const char *name, imp_place place, const char *what) {
    in->n_variants = 0;
    for (int s = 0; s < in->n; s++) {
        imp_signature inner = imp_signature_of(theory, in->signatures[s].chosen);
        int at = imp_signature_find(&inner, name);
        if (at < 0) {
            imp_draft_error(draft, place, "'%s' is %s, but does not apply in every cell", name,
                            what);
            return false;
        }
        in->variants[in->n_variants++] = inner.parameter[at];
    }
    return in->n_variants > 0;
}

bool imp_scope_admits(const imp_scope *in, double value) {
    for (int v = 0; v < in->n_variants; v++) {
        if (imp_parameter_admits(in->variants[v], value)) {
            return true;
        }
    }
    return false;
}

static void report_outside(imp_report *report, const imp_scope *in, imp_place place, double value,
                           const char *drawn) {
    imp_text text = {0};
    imp_text_print(&text, "'%s' is ", in->variants[0]->name);
    imp_print_value(&text, in->variants[0], value);
    imp_text_print(&text, ", outside its range ");
    imp_print_ranges(&text, in->variants, in->n_variants);
    const char *limits = in->variants[0]->limits;
    imp_report_error(report, place, "%s%s%s%s", imp_text_get(&text), limits ? ": " : "",
                     limits ? limits : "", drawn);
    imp_text_free(&text);
}

void imp_scope_check_value(imp_report *report, const imp_scope *in, imp_place place, double value) {
    if (!imp_scope_admits(in, value)) {
        report_outside(report, in, place, value, "");
    }
}

void imp_scope_check_drawn(imp_report *report, const imp_scope *in, imp_place place, int64_t point,
                           double value) {
    char drawn[160];
    snprintf(
        drawn, sizeof drawn,
        " (drawn for point %lld of the sample, from 0; 'from' and 'to' cut a distribution off)",
        (long long)point);
    if (!imp_scope_admits(in, value)) {
        report_outside(report, in, place, value, drawn);
    }
}

void imp_scope_check_theory(imp_report *report, const imp_theory *theory, const char *name,
                            imp_place place, double value) {
    if (isnan(value) || report->lost) {
        return;
    }
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    imp_scope in = {.variants = variants};
    in.n_variants = imp_theory_variants(theory, name, variants);
    if (in.n_variants > 0) {
        imp_scope_check_value(report, &in, place, value);
    }
}

void imp_scope_check_ends(imp_report *report, const imp_search_plan *plan,
                          const imp_over_places places[IMP_MAX_OVER]) {
    for (int k = 0; k < plan->n_over; k++) {
        const imp_over *over = &plan->over[k];
        if (over->parameter) {
            const char *name = over->parameter->name;
            imp_scope_check_theory(report, plan->theory, name, places[k].from, over->from);
            imp_scope_check_theory(report, plan->theory, name, places[k].to, over->to);
        }
    }
}
