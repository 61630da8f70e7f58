/* One rigid impact in units of its own, as a block with a single cell. */
#ifndef TESTS_SUPPORT_IMPULSE_H
#define TESTS_SUPPORT_IMPULSE_H

#include "models/rigid/laws.h"

/* law: IMP_RIGID_LAW_... */
void impulse_solve(int law, const imp_rigid_problem *problem, imp_rigid_path *path,
                   imp_rigid_result *result);

#endif
