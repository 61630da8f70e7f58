/* Checks of uncertain parameters against the sweep, apart from YAML. */
#include <math.h>

#include "config/range.h"
#include "config/resolve_impl.h"
#include "num/larger.h"

static bool find_variants(imp_draft *draft, imp_scope *in, int k) {
    const imp_uncertain_plan *plan = imp_uncertain_plan_of(draft->sweep.uncertain);
    return imp_scope_choose_inner(draft, in, plan->theory, plan->parameter[k].parameter->name,
                                  draft->uncertain.parameter[k], "uncertain");
}

void imp_uncertain_resolve(imp_draft *draft, imp_scope *in) {
    const imp_uncertain_plan *plan = imp_uncertain_plan_of(draft->sweep.uncertain);
    for (int k = 0; k < plan->n_parameters; k++) {
        find_variants(draft, in, k);
    }
    for (int of = 0; of < plan->n_of; of++) {
        for (int s = 0; s < in->n && plan->of[of] >= 0; s++) {
            imp_signature inner = imp_signature_of(plan->theory, in->signatures[s].chosen);
            if (!imp_signature_has_output(&inner, plan->of[of])) {
                imp_draft_error(draft, draft->uncertain.of[of],
                                "not every cell of this sweep has the output '%s'",
                                plan->theory->outputs[plan->of[of]].name);
                break;
            }
        }
    }
}

/* The values of the cells about which a parameter scatters; false if they follow others. */
static bool find_centres(const imp_draft *draft, const char *name, double centre[2]) {
    int axis, column, fixed = imp_sweep_find_fixed(&draft->sweep, name);
    if (imp_grid_find(&draft->sweep.grid, name, &axis, &column)) {
        const imp_axis *a = &draft->sweep.grid.axes[axis];
        centre[0] = centre[1] = a->columns[column].values[0];
        for (int64_t i = 1; i < a->size; i++) {
            centre[0] = imp_smaller(a->columns[column].values[i], centre[0]);
            centre[1] = imp_larger(a->columns[column].values[i], centre[1]);
        }
        return true;
    }
    centre[0] = centre[1] = fixed >= 0 ? draft->sweep.fixed[fixed].value : NAN;
    return !isnan(centre[0]);
}

static void report_leaving(imp_draft *draft, const imp_scope *in, int k, double value) {
    imp_text ranges = {0}, shown = {0};
    imp_print_ranges(&ranges, in->variants, in->n_variants);
    imp_print_value(&shown, in->variants[0], value);
    imp_draft_error(draft, draft->uncertain.parameter[k],
                    "'%s' can be drawn as %s, outside its range %s; cut the distribution off by "
                    "'truncate: true'",
                    in->variants[0]->name, imp_text_get(&shown), imp_text_get(&ranges));
    imp_text_free(&ranges);
    imp_text_free(&shown);
}

static bool admits_all(const imp_scope *in, double value) {
    bool all = true;
    for (int v = 0; v < in->n_variants; v++) {
        all = all && value >= in->variants[v]->low && value <= in->variants[v]->high;
    }
    return all;
}

static void check_joint(imp_draft *draft, const imp_scope *in, int k) {
    const imp_uncertain_parameter *p = &imp_uncertain_plan_of(draft->sweep.uncertain)->parameter[k];
    for (int64_t row = 0; row < p->rows; row++) {
        if (!imp_scope_admits(in, p->joint[row])) {
            imp_mark mark = draft->uncertain.marks[draft->uncertain.offset[k] + row];
            imp_place place = draft->uncertain.parameter[k];
            place.line = mark.line;
            place.column = mark.column;
            imp_scope_check_value(draft->report, in, place, p->joint[row]);
            return;
        }
    }
}

/* Whether doubles know a part of a distribution within the range of a parameter. */
static bool leaves_something(const imp_distribution *whole, const imp_parameter *range) {
    imp_distribution d = *whole;
    if (d.kind == IMP_UNIFORM) {
        return imp_larger(d.a, range->low) < imp_smaller(d.b, range->high);
    }
    d.low = imp_larger(d.low, range->low);
    d.high = imp_smaller(d.high, range->high);
    imp_truncation cut = imp_distribution_cut(&d);
    return d.low < d.high && cut.from != cut.to;
}

/* Of a distribution that is cut off where the range of its parameter ends. */
static void check_rest(imp_draft *draft, const imp_scope *in, int k) {
    const imp_uncertain_parameter *p = &imp_uncertain_plan_of(draft->sweep.uncertain)->parameter[k];
    imp_text ranges = {0};
    for (int v = 0; v < in->n_variants; v++) {
        if (p->scatter != IMP_REPLACES || leaves_something(&p->distribution, in->variants[v])) {
            return;
        }
    }
    imp_print_ranges(&ranges, in->variants, in->n_variants);
    imp_draft_error(draft, draft->uncertain.parameter[k],
                    "nothing of the distribution of '%s' is within its range %s",
                    p->parameter->name, imp_text_get(&ranges));
    imp_text_free(&ranges);
}

static void check_range(imp_draft *draft, const imp_scope *in, int k) {
    const imp_uncertain_plan *plan = imp_uncertain_plan_of(draft->sweep.uncertain);
    const imp_uncertain_parameter *p = &plan->parameter[k];
    double centre[2] = {0, 0}, end[2];
    if (p->truncate) {
        check_rest(draft, in, k);
        return;
    }
    if (p->scatter != IMP_REPLACES && !find_centres(draft, p->parameter->name, centre)) {
        return;
    }
    imp_uncertain_ends(plan, k, &end[0], &end[1]);
    for (int c = 0; c < 2; c++) {
        for (int e = 0; e < 2; e++) {
            double value = imp_uncertain_value(p, centre[c], end[e]);
            if (!admits_all(in, value)) {
                report_leaving(draft, in, k, value);
                return;
            }
        }
    }
}

/* A stand-in may be left out, and then has no value to scatter about. */
static bool lacks_centre(imp_draft *draft, int k) {
    const imp_uncertain_parameter *p = &imp_uncertain_plan_of(draft->sweep.uncertain)->parameter[k];
    const char *name = p->parameter->name;
    int at = imp_draft_find(draft, name).parameter;
    bool lacks = p->scatter != IMP_REPLACES && p->parameter->stands_for && at >= 0 &&
                 draft->parameters[at].use == IMP_UNUSED;
    if (lacks) {
        imp_draft_error(draft, draft->uncertain.parameter[k],
                        "'%s' scatters about the value of the cell, which has none: fix or sweep "
                        "'%s'",
                        name, name);
    }
    return lacks;
}

void imp_uncertain_check_ranges(imp_draft *draft, imp_scope *in) {
    const imp_uncertain_plan *plan = imp_uncertain_plan_of(draft->sweep.uncertain);
    for (int k = 0; k < plan->n_parameters; k++) {
        if (!find_variants(draft, in, k) || lacks_centre(draft, k)) {
            continue;
        }
        if (plan->parameter[k].joint) {
            check_joint(draft, in, k);
        } else {
            check_range(draft, in, k);
        }
    }
}
