/* The history of one rigid impact over the normal impulse. */
#ifndef IMP_MODELS_RIGID_HISTORY_H
#define IMP_MODELS_RIGID_HISTORY_H

#include "models/impulse.h"

extern const imp_history imp_rigid_history;

/* Records samples evenly spaced in the normal impulse, and every event, of a path that has this
 * result. v_t: scaled tangential velocity at first contact. speed, impulse: units of scaled
 * velocities and impulses, m/s and N s. */
void imp_rigid_record(double v_t, const imp_rigid_path *path, const imp_rigid_result *result,
                      double speed, double impulse, imp_recorder *recorder);

#endif
