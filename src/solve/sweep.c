#include "solve/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void imp_sweep_free(imp_sweep *sweep) {
    imp_grid_free(&sweep->grid);
    imp_search_free(&sweep->search);
    imp_uncertain_free(&sweep->uncertain);
    imp_cases_free(&sweep->cases);
    imp_owned_end(&sweep->owned);
    free(sweep->figure);
    free(sweep->followers);
    free(sweep->along);
    free(sweep->variables);
    *sweep = (imp_sweep){.theory = NULL};
}

void imp_part_of(int64_t size, int part, int parts, int64_t *first, int64_t *last) {
    int64_t each = size / parts, more = size % parts;
    *first = each * (part - 1) + (part - 1 < more ? part - 1 : more);
    *last = *first + each + (part - 1 < more);
}

imp_err imp_sweep_take_part(imp_sweep *sweep, int part, int parts) {
    imp_axis *axis = &sweep->grid.axes[0];
    int64_t size = sweep->grid.n_axes > 0 ? axis->size : 1, first, last;
    if (axis->refined) {
        return imp_fail(IMP_ERR_INPUT, "the first axis is refined and cannot be divided into "
                                       "parts; allowed: a first axis without refine");
    }
    if (size < parts) {
        return imp_fail(IMP_ERR_INPUT,
                        "part %d of %d: the first axis has only %lld value%s; allowed: at most one "
                        "part per value",
                        part, parts, (long long)size, size == 1 ? "" : "s");
    }
    imp_part_of(size, part, parts, &first, &last);
    for (int c = 0; sweep->grid.n_axes > 0 && c < axis->n_columns; c++) {
        double *values = axis->columns[c].values;
        memmove(values, values + first, (size_t)(last - first) * sizeof *values);
    }
    axis->size = last - first;
    sweep->part = part;
    sweep->parts = parts;
    return IMP_OK;
}

static double value_along(const imp_sweep *sweep, const imp_follower *of, const double *values) {
    double value[IMP_FOLLOW_INPUTS];
    for (int k = 0; k < of->n_inputs; k++) {
        int axis, column;
        bool swept = imp_grid_find(&sweep->grid, of->input[k], &axis, &column);
        value[k] =
            swept ? values[column] : sweep->fixed[imp_sweep_find_fixed(sweep, of->input[k])].value;
    }
    return imp_formula_value(&of->formula, value);
}

void imp_sweep_follow_axis(const imp_sweep *sweep, int axis, double values[IMP_MAX_COLUMNS]) {
    for (int k = 0; k < sweep->n_along; k++) {
        const imp_along *along = &sweep->along[k];
        if (along->axis == axis) {
            values[along->column] = value_along(sweep, &along->follower, values);
        }
    }
}

/* Whether an option of a choice occurs: chosen, or on the axis that carries the choice. */
static bool occurs(const imp_sweep *sweep, int choice, int option) {
    if (sweep->chosen[choice] >= 0) {
        return sweep->chosen[choice] == option;
    }
    int axis, column;
    const char *name = sweep->theory->choices[choice].name;
    if (!imp_grid_find(&sweep->grid, name, &axis, &column)) {
        return false;
    }
    const imp_axis *a = &sweep->grid.axes[axis];
    for (int64_t i = 0; i < a->size; i++) {
        if ((int)a->columns[column].values[i] == option) {
            return true;
        }
    }
    return false;
}

static int combinations(const imp_theory *theory) {
    int all = 1;
    for (int c = 0; c < theory->n_choices; c++) {
        all *= theory->choices[c].n_options;
    }
    return all;
}

bool imp_sweep_next_options(const imp_sweep *sweep, int *code, int chosen[IMP_MAX_CHOICES]) {
    const imp_theory *theory = sweep->theory;
    for (int all = combinations(theory); *code < all;) {
        bool occur = true;
        for (int c = theory->n_choices - 1, rest = (*code)++; c >= 0; c--) {
            chosen[c] = rest % theory->choices[c].n_options;
            rest /= theory->choices[c].n_options;
            occur = occur && occurs(sweep, c, chosen[c]);
        }
        if (occur) {
            return true;
        }
    }
    return false;
}

imp_signature *imp_sweep_signatures(const imp_sweep *sweep, int *n) {
    int code = 0, chosen[IMP_MAX_CHOICES] = {0};
    imp_signature *signatures = malloc((size_t)combinations(sweep->theory) * sizeof *signatures);
    *n = 0;
    while (signatures && imp_sweep_next_options(sweep, &code, chosen)) {
        signatures[(*n)++] = imp_signature_of(sweep->theory, chosen);
    }
    return signatures;
}

int imp_sweep_find_fixed(const imp_sweep *sweep, const char *parameter) {
    for (int i = 0; i < sweep->n_fixed; i++) {
        if (strcmp(sweep->fixed[i].parameter->name, parameter) == 0) {
            return i;
        }
    }
    return -1;
}

int imp_sweep_position(const imp_sweep *sweep, const char *output) {
    for (int o = 0; o < sweep->n_outputs; o++) {
        if (strcmp(sweep->theory->outputs[sweep->outputs[o]].name, output) == 0) {
            return o;
        }
    }
    return -1;
}

int imp_sweep_rule_position(const imp_sweep *sweep, int rule) {
    int output = sweep->refine.rules[rule].output;
    return output < 0 ? -1 : imp_sweep_position(sweep, sweep->theory->outputs[output].name);
}

/* Whether the user fixed or swept a parameter. */
static bool is_given(const imp_sweep *sweep, const char *parameter) {
    int axis, column, fixed = imp_sweep_find_fixed(sweep, parameter);
    return imp_grid_find(&sweep->grid, parameter, &axis, &column) ||
           (fixed >= 0 && sweep->fixed[fixed].given);
}

void imp_sweep_sources(const imp_sweep *sweep, const imp_signature *signature, int *source) {
    bool given[IMP_MAX_PARAMETERS];
    for (int p = 0; p < signature->n_parameters; p++) {
        given[p] = is_given(sweep, signature->parameter[p]->name);
    }
    imp_signature_sources(signature, given, source, NULL);
}

void imp_sweep_cell_values(const imp_sweep *sweep, const imp_signature *signature, double *values) {
    int source[IMP_MAX_PARAMETERS];
    imp_sweep_sources(sweep, signature, source);
    for (int p = 0; p < signature->n_parameters; p++) {
        bool replaced = source[p] >= 0 && source[p] != p;
        int fixed = imp_sweep_find_fixed(sweep, signature->parameter[p]->name);
        values[p] = fixed >= 0 && !replaced ? sweep->fixed[fixed].value : NAN;
    }
}

bool imp_sweep_dimensional(const imp_sweep *sweep) {
    const imp_theory *theory = sweep->theory;
    int n = 0;
    imp_signature *signatures = imp_sweep_signatures(sweep, &n);
    bool all = signatures != NULL;
    for (int i = 0; all && i < n; i++) {
        int source[IMP_MAX_PARAMETERS];
        imp_sweep_sources(sweep, &signatures[i], source);
        for (int u = 0; all && u < theory->n_unit_parameters; u++) {
            int p = imp_signature_find(&signatures[i], theory->unit_parameters[u]);
            all = p < 0 || source[p] >= 0;
        }
    }
    free(signatures);
    return all;
}

const char *imp_sweep_unit(const imp_sweep *sweep, const imp_output *output) {
    bool own = output->own_unit || strcmp(output->unit, "rad") == 0;
    return own || imp_sweep_dimensional(sweep) ? output->unit : "1";
}

bool imp_sweep_single(const imp_sweep *sweep, int output) {
    const imp_output *o = &sweep->theory->outputs[output];
    return sweep->single && o->kind == IMP_REAL && !o->exact;
}

static size_t value_size(const imp_sweep *sweep, int output) {
    switch (sweep->theory->outputs[output].kind) {
    case IMP_CATEGORY:
        return sizeof(int8_t);
    case IMP_SEQUENCE:
        return sizeof(uint64_t);
    default:
        return imp_sweep_single(sweep, output) ? sizeof(float) : sizeof(double);
    }
}

size_t imp_sweep_output_size(const imp_sweep *sweep, int output) {
    return value_size(sweep, output) * imp_output_length(&sweep->theory->outputs[output]);
}

size_t imp_sweep_cell_size(const imp_sweep *sweep) {
    size_t size = sizeof(uint8_t);
    for (int i = 0; i < sweep->n_outputs; i++) {
        size += imp_sweep_output_size(sweep, sweep->outputs[i]);
    }
    return size;
}

size_t imp_sweep_point_size(const imp_sweep *sweep) {
    size_t axes = (size_t)sweep->refine.lattice.n_axes;
    size_t size = imp_sweep_cell_size(sweep) + axes * sizeof(uint32_t);
    size += (size_t)sweep->grid.n_axes > axes ? sizeof(int64_t) : 0;
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        for (int c = 0; c < sweep->grid.axes[a].n_columns; c++) {
            size += sweep->grid.axes[a].columns[c].choice < 0 ? sizeof(double) : sizeof(int8_t);
        }
    }
    return size;
}

void imp_sweep_print_rules(const imp_sweep *sweep, imp_text *text) {
    static const char *const kinds[] = {[IMP_RULE_VALUE] = "",
                                        [IMP_RULE_LEVEL] = " level",
                                        [IMP_RULE_JUMP] = " jump",
                                        [IMP_RULE_OUTCOME] = ""};
    for (int r = 0; r < sweep->refine.n_rules; r++) {
        const imp_rule *rule = &sweep->refine.rules[r];
        const char *name = rule->output < 0 ? "outcome" : sweep->theory->outputs[rule->output].name;
        imp_text_print(text, "%s%s%s", r ? ", " : "", name, kinds[rule->kind]);
        if (rule->kind == IMP_RULE_LEVEL || rule->kind == IMP_RULE_JUMP) {
            imp_text_print(text, " %.17g", rule->number);
        }
    }
}

void imp_sweep_print_refine(const imp_sweep *sweep, imp_text *text) {
    const imp_refine_plan *plan = &sweep->refine;
    imp_text_print(text, "base %d, on ", 1 << plan->base);
    imp_sweep_print_rules(sweep, text);
    for (int a = 0; a < plan->lattice.n_axes; a++) {
        if (plan->lattice.axis[a].degrees) {
            imp_text_print(text, ", %s in degrees", sweep->grid.axes[sweep->refined[a]].name);
        }
    }
}
