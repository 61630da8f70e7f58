#include "refine/plan.h"

bool imp_rule_labels(const imp_rule *rule) {
    return rule->kind == IMP_RULE_VALUE || rule->kind == IMP_RULE_LEVEL;
}

int imp_refine_default_base(int n_axes) {
    static const int base[IMP_REFINE_AXES + 1] = {0, 6, 6, 5, 3};
    return base[n_axes];
}

int64_t imp_refine_base_points(const imp_refine_plan *plan, int n_axes) {
    int64_t points = 1;
    for (int a = 0; a < n_axes; a++) {
        points *= (INT64_C(1) << plan->base) + 1;
    }
    return points;
}

double imp_refine_least_boundary(int n_axes) {
    return 1 / (double)(UINT64_C(1) << imp_lattice_bits(n_axes));
}

uint32_t imp_refine_width(const imp_refine_plan *plan) {
    double units = (double)(UINT64_C(1) << imp_lattice_bits(plan->lattice.n_axes));
    uint32_t width = 1;
    while (2.0 * width <= plan->boundary * units && width < UINT32_C(1) << 30) {
        width *= 2;
    }
    return width;
}
