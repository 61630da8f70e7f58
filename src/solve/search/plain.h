/* Boxes of a survey where no more labels meet than it shows. Private to this folder. */
#ifndef IMP_SOLVE_SEARCH_PLAIN_H
#define IMP_SOLVE_SEARCH_PLAIN_H

#include "solve/search/plane.h"

/* As imp_plane_rule.is_plain. */
bool imp_survey_is_plain(imp_plane *plane, const imp_survey *survey, const imp_junction *box,
                         const imp_square *around);

#endif
