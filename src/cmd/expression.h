/* A condition on the cells of a map, such as "mode == wedge and energy_loss > 0.5".
 *
 *   condition  = both {"or" both}               both   = negated {"and" negated}
 *   negated    = "not" negated | comparison     comparison = sum [operator sum | "in" "(" word {"," word} ")"]
 *   sum        = product {("+" | "-") product}  product = factor {("*" | "/") factor}
 *   factor     = "-" factor | number ["deg" | "rad"] | name | word | "(" condition ")"
 *              | ("abs" | "sqrt") "(" sum ")" | "defined" "(" name ")"
 *   operator   = "==" | "!=" | "<" | "<=" | ">" | ">="
 *
 * A name is a parameter or an output of the map; a word, quoted where it holds blanks, is the name of a
 * category's code or the text of a sequence. Numbers are in the units of the map; angles take deg.
 * A condition on a value that is not defined is neither true nor false, and so is its negation. */
#ifndef IMP_CMD_EXPRESSION_H
#define IMP_CMD_EXPRESSION_H

#include "cmd/table.h"

typedef struct imp_expression imp_expression;

/* Reads the text for the map of a selection, which must outlive the expression; the owner calls
 * imp_expression_free. Prints what is wrong as expression:1:column; the exit code, with *expression
 * NULL unless it is 0. */
int imp_expression_read(const char *text, const imp_selection *selection,
                        imp_expression **expression);
void imp_expression_free(imp_expression **expression);

/* The truth in n cells, at most IMP_SELECTION_ROWS: 1, 0, or NaN where it is undefined. */
imp_err imp_expression_decide(imp_expression *expression, int64_t first, int64_t n, double *truth);

#endif
