/* Steps in the narrowest lanes that hold them. */
#include "models/continuum/series.h"

#define EACH(name) IMP_EACH_WIDTH(name, (imp_continuum_block * block, int n), n, (block, n))
EACH(imp_continuum_ray)
EACH(imp_continuum_stick)
EACH(imp_continuum_over_slipped)
EACH(imp_continuum_over_stuck)
EACH(imp_continuum_onset)
