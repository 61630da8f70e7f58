/* Numbers with a unit, where the unit of their parameter depends on a choice (N/m or N/m^1.5) or on
 * another value (N/m^exponent). These may follow later in the input, so each unit that the
 * parameter can have is read, and noted in the report; once the whole input is known, the notes
 * are checked. A number without a unit is in the unit of each cell. */
#ifndef IMP_CONFIG_UNITS_H
#define IMP_CONFIG_UNITS_H

#include "base/number.h"
#include "config/draft.h"
#include "models/units.h"

/* Whose number a note is about, if not of one of the cases, which are counted from 0: the map's
 * own, which --set may replace, or that of an uncertain parameter. */
enum { IMP_NOTE_OF_MAP = -1, IMP_NOTE_OF_DRAWN = -2 };

typedef struct imp_unit_note {
    const char *parameter;
    char unit[IMP_UNIT_TEXT]; /* the unit of the parameter that was meant */
    char text[64];            /* as it was written */
    bool bare;                /* of a column: a unit without a number */
    imp_place place;
    int owner;
} imp_unit_note;

/* Reads a number of a parameter of the theory like imp_read_quantity, in any unit that it can
 * have. */
const char *imp_units_read(imp_report *report, const imp_theory *theory, const imp_parameter *of,
                           imp_place place, const char *text, imp_quantity *quantity);

/* The same of a unit alone, of a column; false: the parameter never has a unit like it. */
bool imp_units_match(imp_report *report, const imp_theory *theory, const imp_parameter *of,
                     imp_place place, const char *unit);

/* Appends the units that a parameter of the theory can have: "N/m or N/m^1.5". */
void imp_units_print(imp_text *text, const imp_theory *theory, const imp_parameter *of);

/* Whether there is one alone. */
bool imp_units_one(const imp_theory *theory, const imp_parameter *of);

/* Gives the notes of the map from number `first` on another owner. */
void imp_units_own(imp_report *report, size_t first, int owner);

/* Drops the map's notes of a parameter, whose value is replaced. */
void imp_units_forget(imp_report *report, const char *parameter);

/* Reports every noted unit that is not the unit of all cells, and drops the notes. */
void imp_units_check(imp_draft *draft);

#endif
