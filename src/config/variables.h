/* Variables of a user: names that only formulas read, with their units. The key `variables` of a
 * config declares them, {tilt: rad}, or a word of a command line, "variables=tilt:rad,width:m". */
#ifndef IMP_CONFIG_VARIABLES_H
#define IMP_CONFIG_VARIABLES_H

#include "config/draft.h"

/* Variables while they are read. */
typedef struct imp_declared {
    imp_report *report;
    const imp_theory *theory; /* without them; afterwards with them */
    imp_variables *variables; /* NULL: none */
    imp_place place[IMP_MOST_VARIABLES];
} imp_declared;

/* Reads declarations one by one, between a beginning and an end. False, and reports an error, if
 * memory is out. */
bool imp_variables_begin(imp_declared *declared);
void imp_variables_add(imp_declared *declared, imp_place name_place, const char *name,
                       imp_place unit_place, const char *unit);
void imp_variables_end(imp_declared *declared);

/* Reads a word if it declares variables, before those that are given values. */
bool imp_variables_is_word(const char *word);
void imp_variables_word(imp_declared *declared, imp_place place, const char *word);

/* Hands the variables to a draft that has just begun; reports those with names of its outputs. */
void imp_variables_own(imp_draft *draft, const imp_declared *declared);

/* Reports variables that no formula reads. */
void imp_variables_check(imp_draft *draft);

/* The place where a parameter of the draft was declared as a variable; NULL: it is none. */
const imp_place *imp_variable_place(const imp_draft *draft, const imp_parameter *parameter);

#endif
