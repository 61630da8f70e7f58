/* A condition on the cells of a map, such as "mode == wedge and energy_loss > 0.5".
 *
 * The grammar is that of num/formula.h. A name is a parameter or an output of the map; a word, in
 * quotation marks if it has blanks, is one word of a category or the text of a sequence. Numbers
 * have the units of the map; an angle may be given in deg. */
#ifndef IMP_CMD_EXPRESSION_H
#define IMP_CMD_EXPRESSION_H

#include "cmd/table.h"

typedef struct imp_expression imp_expression;

/* Reads the text for the map of a selection, which must outlive the expression; call
 * imp_expression_free. Prints errors at expression:1:column; returns the exit code, and sets
 * *expression to NULL unless the code is 0. */
int imp_expression_read(const char *text, const imp_selection *selection,
                        imp_expression **expression);
void imp_expression_free(imp_expression **expression);

/* truth: 1, 0, or NaN (undefined) for each of n cells, at most IMP_SELECTION_ROWS, from cell
 * `first` on. IMP_ERR_IO. */
imp_err imp_expression_decide(imp_expression *expression, int64_t first, int64_t n, double *truth);

#endif
