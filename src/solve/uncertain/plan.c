/* What a plan of uncertain parameters says by itself. */
#include <math.h>
#include <string.h>

#include "base/tables.h"
#include "solve/uncertain/uncertain.h"

const char *const imp_design_names[IMP_DESIGNS] = {"sobol", "latin", "random"};

const imp_parameter imp_parameter_replicate =
    IMP_PARAMETER_OF("replicate", "1", "number of the independent randomisation of the draws",
                     .low = 0, .high = 1 << 30, .fallback = NAN, .example = 0, .whole = true);

bool imp_uncertain_gives(const imp_uncertain_plan *plan) {
    return plan->give[0] || plan->give[1];
}

int imp_uncertain_group(const imp_uncertain_plan *plan) {
    return plan->sensitivity ? plan->n_parameters + 2 : 1;
}

int64_t imp_uncertain_replicate_draws(const imp_uncertain_plan *plan) {
    return plan->points * imp_uncertain_group(plan);
}

int64_t imp_uncertain_draws(const imp_uncertain_plan *plan) {
    return imp_uncertain_replicate_draws(plan) * plan->replicates;
}

const imp_parameter *imp_uncertain_by(const imp_uncertain_plan *plan,
                                      const imp_parameter *parameter) {
    for (int k = 0; k < plan->n_parameters; k++) {
        const imp_uncertain_parameter *one = &plan->parameter[k];
        if (one->scatter == IMP_REPLACES && imp_parameters_exclude(one->parameter, parameter)) {
            return one->parameter;
        }
    }
    return NULL;
}

int imp_uncertain_find(const imp_uncertain_plan *plan, const char *name) {
    for (int k = 0; plan && k < plan->n_parameters; k++) {
        if (strcmp(plan->parameter[k].parameter->name, name) == 0) {
            return k;
        }
    }
    return -1;
}
