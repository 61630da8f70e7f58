/* The history of one impact in space over the normal impulse. */
#ifndef IMP_MODELS_SWERVE_HISTORY_H
#define IMP_MODELS_SWERVE_HISTORY_H

#include "models/swerve/path.h"

extern const imp_history imp_swerve_history;

/* Records samples evenly spaced in the normal impulse, and every event, of the problem whose result
 * is `known`. speed, impulse: units of its velocities and impulses, m/s and N s. The rows of an
 * unsolved path end where the path does. */
void imp_swerve_record(const imp_swerve_problem *problem, const imp_swerve_result *known,
                       double speed, double impulse, imp_recorder *recorder);

#endif
