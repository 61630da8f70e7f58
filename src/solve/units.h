/* Units of parameters in the cells of a sweep: they may depend on its choices and fixed values. */
#ifndef IMP_SOLVE_UNITS_H
#define IMP_SOLVE_UNITS_H

#include "models/units.h"
#include "solve/sweep.h"

/* The unit of a parameter, also of one that is searched over, drawn or fixed by a case, in the
 * cells with these options of the sweep's theory. NULL: these cells do not have the parameter. The
 * power stays a name where the cells differ in its value, or where it is not known yet. Returns
 * `text` or a text of the theory. */
const char *imp_sweep_unit_at(const imp_sweep *sweep, const int *chosen, const char *parameter,
                              char text[IMP_UNIT_TEXT]);

/* The unit of a parameter in the whole sweep: "N/m or N/m^1.5" where cells differ in it. */
const char *imp_sweep_parameter_unit(const imp_sweep *sweep, const char *parameter,
                                     char text[IMP_UNIT_TEXT]);

/* A copy of a parameter with that unit, which is kept in `text`. */
imp_parameter imp_sweep_shown_parameter(const imp_sweep *sweep, const imp_parameter *parameter,
                                        char text[IMP_UNIT_TEXT]);

/* Gives the outputs of the search that are places the units of the parameters searched over. */
void imp_sweep_set_search_units(imp_sweep *sweep);

#endif
