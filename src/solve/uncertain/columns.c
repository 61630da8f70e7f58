/* Cells of the theory whose parameters are uncertain. */
#include "base/error.h"
#include "base/stop.h"
#include "solve/uncertain/cell_impl.h"

imp_err imp_uncertain_solve_columns(imp_uncertain_work *w, const double *const *in, int n) {
    const imp_uncertain_plan *plan = &w->uncertain->plan;
    const double *asked[IMP_MAX_PARAMETERS];
    double *wanted[IMP_MAX_OUTPUTS] = {NULL};
    for (int p = 0; p < w->n_inputs; p++) {
        int source = w->source[p];
        asked[p] = source >= IMP_DRAWN         ? w->column[source - IMP_DRAWN]
                   : source >= 0 && in[source] ? w->constant[p]
                                               : NULL;
    }
    for (int of = 0; of < plan->n_of; of++) {
        if (plan->of[of] >= 0) {
            wanted[plan->of[of]] = w->result[of];
        }
    }
    if (imp_stop_wanted()) {
        return imp_fail(IMP_ERR_STOPPED, "stopped within a cell");
    }
    return imp_solve(w->solver, (size_t)n, asked, wanted, w->outcome);
}
