/* Checks that need the whole config: which parameters and outputs apply, ranges, defaults, missing
 * values. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "config/resolve_impl.h"
#include "config/follow.h"
#include "config/scope.h"
#include "config/units.h"
#include "config/variables.h"
#include "solve/units.h"

static bool is_partial(const imp_draft *draft) {
    return draft->incomplete || draft->searchless;
}

/* Whether every choice is known, and so which parameters apply. A choice that is missing from an
 * incomplete draft may be in the part that was unreadable. */
static bool resolve_choices(imp_draft *draft) {
    const imp_theory *theory = draft->sweep.theory;
    bool known = !draft->report->lost && !(draft->incomplete && draft->sweep.cases);
    for (int c = 0; c < theory->n_choices; c++) {
        imp_slot *slot = &draft->choices[c];
        if (slot->use == IMP_UNUSED && draft->incomplete) {
            known = false;
        } else if (slot->use == IMP_UNUSED && theory->choices[c].fallback >= 0) {
            draft->sweep.chosen[c] = theory->choices[c].fallback;
        } else if (slot->use == IMP_UNUSED) {
            known = false;
            imp_report_missing_choice(draft->report, draft->choices_place, &theory->choices[c],
                                      NULL);
        } else {
            draft->sweep.chosen[c] = slot->use == IMP_SWEPT ? -1 : draft->sweep.chosen[c];
            known = known && slot->valid;
        }
    }
    return known;
}

static void check_cells(imp_draft *draft) {
    int64_t cells = imp_grid_outer_cells(&draft->sweep.grid);
    if (cells < 0 || cells > IMP_MAX_CELLS) {
        imp_draft_error(
            draft, draft->axes_place,
            "too many cells, the product of the sizes of all axes must be at most 2^40");
    }
}

/* Between the ends of a range only whole numbers can be missed; the first one is enough. */
static void check_between(imp_draft *draft, const imp_scope *in, const imp_origin *origin,
                          int64_t size) {
    double *values =
        in->variants[0]->whole && size > 2 ? calloc((size_t)size, sizeof *values) : NULL;
    size_t before = draft->report->n;
    if (values) {
        imp_spaced_values(imp_quantity_si(origin->from), imp_quantity_si(origin->to), size,
                          origin->logarithmic, values);
    }
    for (int64_t i = 1; values && i + 1 < size && draft->report->n == before; i++) {
        imp_scope_check_value(draft->report, in, imp_origin_place(origin, origin->from_mark),
                              values[i]);
    }
    free(values);
}

static void check_column(imp_draft *draft, const imp_scope *in, int p) {
    int axis, column;
    if (!imp_grid_find(&draft->sweep.grid, draft->parameter[p]->name, &axis, &column)) {
        return; /* its axis itself is wrong, which has been reported */
    }
    const imp_origin *origin = &draft->origins[axis][column];
    const imp_axis *a = &draft->sweep.grid.axes[axis];
    if (origin->lay_out) {
        imp_scope_check_value(draft->report, in, imp_origin_place(origin, origin->from_mark),
                              imp_quantity_si(origin->from));
        imp_scope_check_value(draft->report, in, imp_origin_place(origin, origin->to_mark),
                              imp_quantity_si(origin->to));
        check_between(draft, in, origin, a->size);
        return;
    }
    /* All values of a sample have the same place in the config: the first error is enough. */
    size_t before = draft->report->n, most = a->sample ? before + 1 : IMP_MAX_REPORTED;
    for (int64_t i = 0; i < a->size && draft->report->n < most; i++) {
        imp_place place = imp_origin_place(origin, origin->marks[i]);
        double value = a->columns[column].values[i];
        if (a->sample) {
            imp_scope_check_drawn(draft->report, in, place, i, value);
        } else {
            imp_scope_check_value(draft->report, in, place, value);
        }
    }
}

static bool is_given(const imp_slot *slot) {
    return slot->use == IMP_FIXED || slot->use == IMP_SWEPT;
}

/* Index of a parameter of a signature among those of the draft. */
static int draft_index(const imp_draft *draft, const imp_signature *signature, int p) {
    return imp_draft_find(draft, signature->parameter[p]->name).parameter;
}

/* Reports a parameter and a stand-in of it, or two stand-ins, that are both given: once per
 * pair. */
static void check_rivals(imp_draft *draft, const imp_scope *in) {
    bool reported[IMP_MAX_PARAMETERS] = {false};
    for (int s = 0; s < in->n; s++) {
        int source[IMP_MAX_PARAMETERS], rivals[2];
        if (imp_default_sources(draft, &in->signatures[s], source, rivals)) {
            continue;
        }
        int one = draft_index(draft, &in->signatures[s], rivals[0]);
        int other = draft_index(draft, &in->signatures[s], rivals[1]);
        if (!reported[one] && is_given(&draft->parameters[one]) &&
            is_given(&draft->parameters[other])) {
            imp_draft_error(draft, draft->parameters[one].key,
                            "'%s' and '%s' set the same value, give one of them",
                            draft->parameter[one]->name, draft->parameter[other]->name);
        }
        reported[one] = true;
    }
}

static void resolve_parameter(imp_draft *draft, imp_scope *in, int p) {
    const imp_slot *slot = &draft->parameters[p];
    imp_scope_choose(draft, in, p);
    if (in->n_variants == 0) {
        bool of_others = slot->use == IMP_FIXED && draft->sweep.cases; /* cases left out by --set */
        if (is_given(slot) && !of_others && !is_partial(draft)) {
            imp_scope_report_inapplicable(draft, in, p);
        }
        return;
    }
    imp_shared_check(draft, in, p);
    switch (slot->use) {
    case IMP_UNUSED:
        if (!is_partial(draft)) {
            imp_default_resolve(draft, in);
        }
        break;
    case IMP_FIXED:
        if (slot->valid) {
            imp_scope_check_value(draft->report, in, slot->place, slot->value);
            draft->sweep.fixed[draft->sweep.n_fixed++] = (imp_fixed){
                .parameter = in->variants[0], .value = slot->value, .given = true, .formula = ""};
        }
        break;
    case IMP_SWEPT:
        check_column(draft, in, p);
        break;
    case IMP_MEANT:
        break;
    }
}

static void resolve_outputs(imp_draft *draft, const imp_scope *in) {
    imp_sweep *sweep = &draft->sweep;
    for (int o = 0; o < sweep->theory->n_outputs; o++) {
        bool has = false;
        for (int s = 0; s < in->n; s++) {
            has = has || imp_signature_has_output(&in->signatures[s], o);
        }
        if (draft->is_wanted[o] && !has) {
            imp_draft_error(draft, draft->wanted[o], "no cell of this sweep has the output '%s'",
                            sweep->theory->outputs[o].name);
        } else if (has && (draft->all_outputs || draft->is_wanted[o])) {
            sweep->outputs[sweep->n_outputs++] = o;
        }
    }
}

static void fill_axes(imp_draft *draft) {
    for (int a = 0; a < draft->sweep.grid.n_axes; a++) {
        imp_axis *axis = &draft->sweep.grid.axes[a];
        for (int c = 0; c < axis->n_columns; c++) {
            const imp_origin *origin = &draft->origins[a][c];
            if (origin->lay_out) {
                origin->lay_out(draft, axis, origin);
            }
        }
    }
}

/* A parameter that is searched over must apply in every cell, and some cell must admit each end. */
static void resolve_over(imp_draft *draft, imp_scope *in, int k) {
    const imp_search_plan *plan = imp_search_plan_of(draft->sweep.search);
    const imp_over *over = &plan->over[k];
    if (imp_scope_choose_inner(draft, in, plan->theory, over->parameter->name, draft->over[k].key,
                               "searched over")) {
        imp_scope_check_value(draft->report, in, draft->over[k].from, over->from);
        imp_scope_check_value(draft->report, in, draft->over[k].to, over->to);
    }
}

/* Every cell must have the parameters searched over and the searched output. */
static void resolve_search(imp_draft *draft, imp_scope *in) {
    const imp_search_plan *plan = imp_search_plan_of(draft->sweep.search);
    for (int k = 0; k < plan->n_over; k++) {
        resolve_over(draft, in, k);
    }
    for (int s = 0; s < in->n; s++) {
        imp_signature inner = imp_signature_of(plan->theory, in->signatures[s].chosen);
        if (!imp_signature_has_output(&inner, plan->of)) {
            imp_draft_error(
                draft, draft->over[0].of,
                "the search needs the output '%s', which not every cell of this sweep has",
                plan->theory->outputs[plan->of].name);
            return;
        }
    }
}

static imp_place place_of(imp_draft *draft, const char *name) {
    imp_named named = imp_draft_find(draft, name);
    const imp_slot *slot = imp_draft_slot(draft, named);
    if (!slot) {
        return draft->axes_place; /* of a case */
    }
    imp_place missing = named.choice >= 0 ? draft->choices_place : draft->parameters_place;
    return is_given(slot) ? slot->key : missing;
}

/* A refusal of the theory is bad input only if it concerns every cell; otherwise the refused cells
 * have the outcome `outside`. */
static void check_refusals(imp_draft *draft, const imp_scope *in) {
    const imp_sweep *sweep = &draft->sweep;
    const imp_theory *theory =
        sweep->search ? imp_search_plan_of(sweep->search)->theory : sweep->theory;
    const char *first = NULL, *blamed = NULL, *name = NULL;
    for (int s = 0; theory->refuse && s < in->n; s++) {
        imp_signature inner = imp_signature_of(theory, in->signatures[s].chosen);
        double values[IMP_MAX_PARAMETERS];
        imp_sweep_cell_values(sweep, &inner, values);
        imp_instance instance = imp_signature_instance(&inner);
        const char *why = theory->refuse(&instance, values, &name);
        if (!why) {
            return;
        }
        blamed = first ? blamed : name;
        first = first ? first : why;
    }
    if (first) {
        imp_draft_error(draft, place_of(draft, blamed), "'%s': %s", blamed, first);
    }
}

/* Checks that need the values of all parameters. */
static void resolve_whole(imp_draft *draft, imp_scope *in) {
    resolve_outputs(draft, in);
    if (draft->sweep.search) {
        resolve_search(draft, in);
    }
    if (draft->sweep.uncertain && !draft->sweep.search) {
        imp_uncertain_resolve(draft, in);
    }
    imp_shared_check_formulas(draft);
    if (draft->report->total == 0) {
        fill_axes(draft);
        imp_follow_resolve(draft, in);
    }
    if (draft->report->total == 0 && draft->sweep.uncertain) {
        imp_uncertain_check_ranges(draft, in);
    }
    if (draft->report->total == 0) {
        imp_followers_check(draft, in);
    }
    if (draft->report->total == 0) {
        check_refusals(draft, in);
    }
}

/* Where the signatures are unknown, a value can still be one that no option admits. */
static void check_alone(imp_draft *draft) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    imp_scope in = {.variants = variants};
    for (int p = 0; p < draft->n_parameters; p++) {
        const imp_slot *slot = &draft->parameters[p];
        in.n_variants =
            imp_theory_variants(draft->sweep.theory, draft->parameter[p]->name, variants);
        if (in.n_variants > 0 && slot->use == IMP_FIXED && slot->valid) {
            imp_scope_check_value(draft->report, &in, slot->place, slot->value);
        } else if (in.n_variants > 0 && slot->use == IMP_SWEPT) {
            check_column(draft, &in, p);
        }
    }
}

static void resolve_signatures(imp_draft *draft) {
    imp_scope in = {.signatures = NULL, .n = 0, .variants = NULL, .n_variants = 0};
    in.signatures = imp_sweep_signatures(&draft->sweep, &in.n);
    in.variants = malloc((size_t)(in.n + 1) * sizeof(const imp_parameter *));
    if (in.signatures && in.variants) {
        check_rivals(draft, &in);
        for (int p = 0; p < draft->n_parameters; p++) {
            resolve_parameter(draft, &in, p);
        }
        if (!is_partial(draft)) {
            resolve_whole(draft, &in);
            imp_shared_check_units(draft, &in);
            imp_units_check(draft);
            imp_sweep_set_search_units(&draft->sweep);
        }
    } else {
        imp_report_memory(draft->report);
    }
    free(in.variants);
    free(in.signatures);
}

void imp_draft_resolve(imp_draft *draft) {
    check_cells(draft);
    imp_follow_check(draft);
    imp_variables_check(draft);
    bool known = resolve_choices(draft);
    if (known) {
        resolve_signatures(draft);
    } else if (!draft->report->lost) {
        check_alone(draft);
    }
    if (draft->sweep.search && (!known || is_partial(draft))) {
        imp_scope_check_ends(draft->report, imp_search_plan_of(draft->sweep.search), draft->over);
    }
}
