#include "num/formula.h"

#include <math.h>

#include "num/exponential.h"
#include "num/trigonometry.h"

static double of_one(imp_step_kind kind, double a) {
    switch (kind) {
    case IMP_STEP_NEGATE:
        return -a;
    case IMP_STEP_NOT:
        return 1 - a;
    case IMP_STEP_ABS:
        return fabs(a);
    case IMP_STEP_SQRT:
        return sqrt(a);
    case IMP_STEP_SINE:
        return imp_sine_cosine(a).sine;
    case IMP_STEP_COSINE:
        return imp_sine_cosine(a).cosine;
    case IMP_STEP_TANGENT:
        return imp_sine_cosine(a).sine / imp_sine_cosine(a).cosine;
    case IMP_STEP_EXP:
        return imp_exp(a);
    case IMP_STEP_LOG:
        return imp_log(a);
    default:
        return !isnan(a);
    }
}

/* Kleene's logic: "false and undefined" is false, "true or undefined" is true. */
static double both(double a, double b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

static double compare(imp_step_kind kind, double a, double b) {
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    switch (kind) {
    case IMP_STEP_EQUAL:
        return a == b;
    case IMP_STEP_UNEQUAL:
        return a != b;
    case IMP_STEP_LESS:
        return a < b;
    case IMP_STEP_AT_MOST:
        return a <= b;
    case IMP_STEP_GREATER:
        return a > b;
    default:
        return a >= b;
    }
}

static double of_two(imp_step_kind kind, double a, double b) {
    switch (kind) {
    case IMP_STEP_ADD:
        return a + b;
    case IMP_STEP_SUBTRACT:
        return a - b;
    case IMP_STEP_MULTIPLY:
        return a * b;
    case IMP_STEP_DIVIDE:
        return a / b;
    case IMP_STEP_AND:
        return both(a, b);
    case IMP_STEP_OR:
        return 1 - both(1 - a, 1 - b);
    default:
        return compare(kind, a, b);
    }
}

int imp_step_growth(imp_step_kind kind) {
    return kind <= IMP_STEP_VALUE ? 1 : kind < IMP_STEP_ADD ? 0 : -1;
}

double imp_step_result(const imp_step *step, const double *top, size_t stride) {
    return step->kind == IMP_STEP_NUMBER ? step->number
           : step->kind < IMP_STEP_ADD   ? of_one(step->kind, *top)
                                         : of_two(step->kind, *(top - stride), *top);
}

double imp_formula_value(const imp_formula *formula, const double *value) {
    double stack[IMP_FORMULA_DEPTH + 1] = {NAN};
    double *top = stack;
    for (int s = 0; s < formula->n; s++) {
        const imp_step *step = &formula->steps[s];
        double result =
            step->kind == IMP_STEP_VALUE ? value[step->part] : imp_step_result(step, top, 1);
        top += imp_step_growth(step->kind);
        *top = result;
    }
    return *top;
}
