#include "config/resolve_impl.h"

#include <string.h>

#include "config/units.h"
#include "config/variables.h"
#include "solve/units.h"

static const char *name_of(const imp_draft *draft, const imp_signature *signature) {
    return imp_cases_at(draft->sweep.cases, signature->chosen[0])->name;
}

/* Whether a signature is the first one of its case: others have other options of an axis, and the
 * same parameters. */
static bool is_first(const imp_scope *in, int s) {
    return s == 0 || in->signatures[s].chosen[0] != in->signatures[s - 1].chosen[0];
}

/* The parameter in the signature of a case; NULL: the case does not have it. */
static const imp_parameter *variant_of(const imp_signature *signature, const char *name) {
    int p = imp_signature_find(signature, name);
    return p >= 0 ? signature->parameter[p] : NULL;
}

/* "'mass' is on an axis, but the cases springs, hertz fix it or do not know it" */
static void check_axis(imp_draft *draft, const imp_scope *in, int p) {
    imp_text lacking = {0};
    const char *name = draft->parameter[p]->name;
    int n = 0;
    for (int s = 0; s < in->n; s++) {
        if (is_first(in, s) && !variant_of(&in->signatures[s], name)) {
            imp_text_print(&lacking, "%s%s", n++ ? ", " : "", name_of(draft, &in->signatures[s]));
        }
    }
    if (n > 0) {
        imp_draft_error(draft, draft->parameters[p].key,
                        "'%s' is on an axis, and the case%s %s %s or %s it; an axis belongs to "
                        "every case, what only some know stands under 'fixed' or in a case",
                        name, n > 1 ? "s" : "", imp_text_get(&lacking), n > 1 ? "fix" : "fixes",
                        n > 1 ? "do not know" : "does not know");
    }
    imp_text_free(&lacking);
}

/* A number has one unit in all cases; where its power differs from cell to cell, it has that of
 * each cell. */
static void check_units(imp_draft *draft, const imp_scope *in, int p) {
    const char *name = draft->parameter[p]->name, *of_first = "", *first = NULL;
    char text[2][IMP_UNIT_TEXT];
    for (int s = 0; s < in->n; s++) {
        const imp_signature *here = &in->signatures[s];
        const char *unit = variant_of(here, name) ? imp_sweep_unit_at(&draft->sweep, here->chosen,
                                                                      name, text[first != NULL])
                                                  : NULL;
        bool open = (unit && imp_unit_power(unit)) || (first && imp_unit_power(first));
        if (first && unit && !open && strcmp(unit, first) != 0) {
            imp_draft_error(draft, draft->parameters[p].key,
                            "'%s' has the unit %s in the case '%s' and %s in '%s', give its value "
                            "in each case",
                            name, first, of_first, unit, name_of(draft, &in->signatures[s]));
            imp_units_forget(draft->report, name);
            return;
        }
        of_first = first || !unit ? of_first : name_of(draft, here);
        first = first ? first : unit;
    }
}

void imp_shared_check_units(imp_draft *draft, const imp_scope *in) {
    for (int p = 0; draft->sweep.cases && p < draft->n_parameters; p++) {
        imp_use use = draft->parameters[p].use;
        if ((use == IMP_SWEPT || use == IMP_FIXED) &&
            !imp_variable_place(draft, draft->parameter[p])) {
            check_units(draft, in, p);
        }
    }
}

void imp_shared_check(imp_draft *draft, const imp_scope *in, int p) {
    if (draft->sweep.cases && draft->parameters[p].use == IMP_SWEPT &&
        !imp_variable_place(draft, draft->parameter[p])) {
        check_axis(draft, in, p);
    }
}

/* Whether a case or the map gives the parameter; what is searched over or drawn the draft lacks. */
static bool has_value(const imp_draft *draft, const imp_case *one, const char *name) {
    int at = imp_signature_find(&one->signature, name), p = imp_draft_find(draft, name).parameter;
    return (at >= 0 && one->fixed[at]) || p < 0 || draft->parameters[p].use == IMP_SWEPT ||
           imp_sweep_find_fixed(&draft->sweep, name) >= 0;
}

void imp_shared_check_formulas(imp_draft *draft) {
    const imp_cases *cases = draft->sweep.cases;
    for (int c = 0; cases && c < imp_cases_count(cases); c++) {
        const imp_case *one = imp_cases_at(cases, c);
        for (int f = 0; f < one->n_followers; f++) {
            const imp_follower *follower = &one->followers[f];
            for (int k = 0; k < follower->n_inputs; k++) {
                if (!has_value(draft, one, follower->input[k])) {
                    imp_draft_error(draft, draft->parameters_place,
                                    "in the case '%s' '%s' follows '%s', which has no value in "
                                    "this sweep",
                                    one->name, follower->parameter->name, follower->input[k]);
                }
            }
        }
    }
}
