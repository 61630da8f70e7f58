/* Values and ranges of parameters in messages. */
#ifndef IMP_CONFIG_RANGE_H
#define IMP_CONFIG_RANGE_H

#include "base/text.h"
#include "impact.h"

/* "1.5 kg"; "0.5235988 rad (30 deg)"; "1 (elongation)". */
void imp_print_value(imp_text *text, const imp_parameter *parameter, double value);

/* "[0, 1) kg"; "(0, 1.570796) rad = (0, 90) deg"; different ranges of n >= 1 parameters are joined
 * by "or". */
void imp_print_ranges(imp_text *text, const imp_parameter *const *parameters, int n);

#endif
