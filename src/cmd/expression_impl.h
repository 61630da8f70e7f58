/* A condition as a formula whose names are columns of a table. */
#ifndef IMP_CMD_EXPRESSION_IMPL_H
#define IMP_CMD_EXPRESSION_IMPL_H

#include "cmd/expression.h"
#include "num/formula_impl.h"

struct imp_expression {
    imp_table table; /* of the variables that the text names */
    /* In a step with a value `part` is that of the table, k the index among the values of an
     * output, and `number` the code that means undefined, NaN if there is none. */
    imp_formula formula;
    double *stack; /* IMP_FORMULA_DEPTH columns of IMP_SELECTION_ROWS */
    int code;      /* exit code of the reader */
};

/* The variables of the map, and the words of categories. */
extern const imp_formula_names imp_expression_names;

#endif
