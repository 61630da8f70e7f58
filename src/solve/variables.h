/* Variables of a config: parameters that only formulas read, such as the angle of a body that is
 * given by its contact point. They are the last inputs of a theory, whose kernels do not know
 * them. */
#ifndef IMP_SOLVE_VARIABLES_H
#define IMP_SOLVE_VARIABLES_H

#include "impact.h"

enum { IMP_MOST_VARIABLES = 8, IMP_VARIABLE_TEXT = 64 };

typedef struct imp_variables {
    imp_theory theory; /* that of the config, with the variables */
    imp_parameter parameter[IMP_MOST_VARIABLES];
    const imp_parameter *list[IMP_MOST_VARIABLES];
    char name[IMP_MOST_VARIABLES][IMP_VARIABLE_TEXT], unit[IMP_MOST_VARIABLES][IMP_VARIABLE_TEXT];
    int n;
} imp_variables;

#endif
