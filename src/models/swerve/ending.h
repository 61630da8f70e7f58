/* What a path that is over amounts to. */
#ifndef IMP_MODELS_SWERVE_ENDING_H
#define IMP_MODELS_SWERVE_ENDING_H

#include "models/swerve/path.h"

/* Sets the result of a path that neither slips nor rests any longer. */
void imp_swerve_end(imp_swerve_path *path);

/* Turn of the heading until the halt, or until the end. Looks for the invariant directions. */
double imp_swerve_turn(const imp_swerve_path *path);

#endif
