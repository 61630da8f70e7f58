/* What a sweep is, in one line. */
#ifndef IMP_SOLVE_TITLE_H
#define IMP_SOLVE_TITLE_H

#include "solve/sweep.h"

/* Appends the title of a figure: the theory, the choices made, and the values given. */
void imp_sweep_title(const imp_sweep *sweep, imp_text *title);

#endif
