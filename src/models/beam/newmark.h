/* The published scheme: modes by Newmark's trapezoidal rule in even steps, the contact force one
 * step late. The scheme creates energy and resolves instants only to a step; it reproduces
 * published digits. */
#ifndef IMP_MODELS_BEAM_NEWMARK_H
#define IMP_MODELS_BEAM_NEWMARK_H

#include "models/beam/result.h"
#include "models/beam/workspace.h"

/* step, window: in units of 1/S. Ends when no contact can follow, or with the window; IMP_BUDGET if
 * contact may still follow then. */
void imp_beam_newmark(imp_beam_workspace *work, const imp_beam_problem *problem, double step,
                      double window, int64_t budget, imp_observer *observer,
                      imp_beam_result *result);

#endif
