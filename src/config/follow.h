/* Formulas from which parameters follow: "= q1 + 0.1" in place of a number. */
#ifndef IMP_CONFIG_FOLLOW_H
#define IMP_CONFIG_FOLLOW_H

#include "config/scope.h"

/* The formula in the text of a value, behind "="; NULL: the text is none. */
const char *imp_follow_formula(const char *text);

/* Reads the formula of a fixed parameter, instead of a value; mistakes are reported at their
 * columns. place: of the first character of the formula. */
bool imp_follow_read(imp_draft *draft, int parameter, imp_place place, const char *formula);

/* Forgets the formula of a parameter, which another value has replaced; imp_follow_end: those of
 * all. */
void imp_follow_forget(imp_draft *draft, int parameter);
void imp_follow_end(imp_draft *draft);

/* The place of the formula of a parameter. */
imp_place imp_follow_place(const imp_draft *draft, int parameter);

/* Reports formulas that lead back to their own parameters. */
void imp_follow_check(imp_draft *draft);

/* Whether a formula reads the parameter, or a formula could not be read. */
bool imp_follow_reads(const imp_draft *draft, const imp_parameter *parameter);

/* Adds what follows to the sweep, whose other parameters and axes are complete. */
void imp_follow_resolve(imp_draft *draft, imp_scope *in);

#endif
