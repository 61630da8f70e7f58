/* A beam that strikes a round striker, or is struck: elastic vibration and Hertz contact in
 * time. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "models/beam/collocation.h"
#include "models/beam/result.h"
#include "models/beam/inputs.h"
#include "models/beam/march.h"
#include "models/beam/petsc/interface.h"
#include "models/signature.h"
#include "models/theory.h"
#include "num/larger.h"

typedef struct workspace {
    imp_beam_mode_cache *cache;
    imp_beam_collocation *collocation; /* of that solver only */
    imp_beam_problem problem;
    imp_beam_units units;
    imp_beam_workspace collision;
} workspace;

static void close_workspace(imp_instance *instance) {
    workspace *gone = instance->work;
    if (gone) {
        imp_beam_mode_cache_destroy(&gone->cache);
        imp_beam_collocation_destroy(&gone->collocation);
        imp_beam_kicks_free(&gone->collision.kicks);
        free(gone);
    }
    instance->work = NULL;
}

static imp_err open_workspace(imp_instance *instance) {
    imp_beam_scheme scheme = (imp_beam_scheme)instance->chosen[IMP_BEAM_SOLVER];
    if (imp_beam_lacks_petsc(instance->chosen)) {
        return imp_fail(IMP_ERR_INPUT, "beam: 'solver': %s", IMP_BEAM_NO_PETSC);
    }
    imp_err error = imp_theory_needs_petsc(instance->theory, instance->chosen)
                        ? imp_beam_by_petsc.start()
                        : IMP_OK;
    if (error) {
        return error;
    }
    workspace *made = calloc(1, sizeof *made);
    instance->work = made;
    bool memory = made && (made->cache = imp_beam_mode_cache_create());
    if (memory && scheme == IMP_BEAM_COLLOCATION) {
        memory = (made->collocation = imp_beam_collocation_create());
    }
    if (!memory) {
        close_workspace(instance);
        return imp_fail(IMP_ERR_MEMORY, "%s: out of memory", instance->theory->name);
    }
    return IMP_OK;
}

static bool is_finite(const imp_beam_result *r) {
    double sum = r->velocity_out + r->impulse + r->impulse_compression + r->compression_time +
                 r->duration + r->rigid_energy + r->vibration_energy + r->dissipated +
                 r->peak_force + r->closeness;
    return isfinite(sum) && r->impulse_compression > 0;
}

/* One solution by natural modes. */
static imp_err collide(workspace *work, imp_beam_scheme scheme, double tolerance, int64_t budget,
                       imp_observer *observer, imp_beam_result *result) {
    const imp_beam_problem *problem = &work->problem;
    return scheme == IMP_BEAM_COLLOCATION
               ? imp_beam_collocate(work->collocation, &work->collision, problem, tolerance, budget,
                                    observer, result)
               : imp_beam_by_petsc.collide(&work->collision, problem, scheme, tolerance, budget,
                                           observer, result);
}

/* The first solution has no observer. Where its errors have been amplified to more than `most`, the
 * collision is solved again with a tolerance so small that a tenth of `most` is left. */
static imp_err collide_surely(workspace *work, imp_beam_scheme scheme, int64_t budget,
                              imp_observer *observer, imp_beam_result *result) {
    const double left = 0.1, finest = 1e-13;
    double tolerance = work->problem.tolerance,
           most = imp_larger(IMP_BEAM_UNCERTAIN, 1e3 * tolerance);
    imp_err error = collide(work, scheme, tolerance, budget, NULL, result);
    bool again =
        !error && result->outcome == IMP_SOLVED && tolerance > finest && result->uncertainty > most;
    int64_t steps = again ? result->steps : 0, spent = again ? result->work : 0;
    if (again) {
        tolerance = imp_larger(finest, tolerance * left * most / result->uncertainty);
    }
    if (!error && (again || observer)) {
        error = collide(work, scheme, tolerance, budget - spent, observer, result);
        result->steps += steps;
        result->work += spent;
    }
    return error;
}

/* A lack of memory is an error of the program, not an outcome of the cell. */
static imp_err solve_cell(workspace *work, const int *chosen, int64_t budget,
                          const imp_beam_case *c, imp_observer *observer, imp_beam_result *result,
                          imp_outcome *outcome) {
    imp_beam_scheme scheme = (imp_beam_scheme)chosen[IMP_BEAM_SOLVER];
    const imp_beam_problem *problem = &work->problem;
    const imp_beam_modes *modes;
    imp_err error = imp_beam_problem_make(c, work->cache, scheme == IMP_BEAM_FULL, &work->problem,
                                          &work->units, &modes, outcome);
    if (error || *outcome != IMP_SOLVED) {
        return error;
    }
    if (scheme == IMP_BEAM_NEWMARK) {
        double rate = work->units.rate;
        imp_beam_newmark(&work->collision, problem, c->time_step * rate, c->window * rate, budget,
                         observer, result);
    } else if (scheme == IMP_BEAM_FULL) {
        error = imp_beam_by_petsc.solve_full(&work->collision, problem, modes, c->position,
                                             c->full_step, budget, observer, result);
    } else {
        error = collide_surely(work, scheme, budget, observer, result);
    }
    bool finite = !error && (result->outcome != IMP_SOLVED || is_finite(result));
    *outcome = error ? IMP_PENDING : finite ? result->outcome : IMP_NOT_FINITE;
    return error;
}

static imp_err solve(const imp_instance *instance, size_t n, const double *const *in,
                     double *const *out, uint8_t *outcome) {
    workspace *w = instance->work;
    int n_values = imp_beam_value_count(instance->chosen);
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < n; i++) {
        double value[IMP_MAX_PARAMETERS];
        imp_gather(in, i, n_values, value);
        imp_beam_case c = imp_beam_read_case(instance->chosen, value);
        imp_beam_result result;
        imp_outcome end = IMP_PENDING;
        error = solve_cell(w, instance->chosen, instance->budget, &c, NULL, &result, &end);
        outcome[i] = (uint8_t)end;
        if (end == IMP_SOLVED) {
            imp_beam_put(&w->problem, &w->units, &result, out, i);
        }
    }
    return error;
}

static imp_err trace(const imp_instance *instance, const double *value, imp_recorder *recorder,
                     imp_outcome *outcome) {
    workspace *w = instance->work;
    imp_beam_case c = imp_beam_read_case(instance->chosen, value);
    imp_beam_result result;
    /* Solved once for the duration, and again for the rows. */
    imp_err error = solve_cell(w, instance->chosen, instance->budget, &c, NULL, &result, outcome);
    if (error || *outcome == IMP_OUTSIDE) {
        return error;
    }
    double duration = *outcome == IMP_SOLVED ? result.duration : INFINITY;
    imp_beam_record record = imp_beam_record_open(&w->problem, &w->units, duration, recorder);
    error =
        solve_cell(w, instance->chosen, instance->budget, &c, &record.observer, &result, outcome);
    if (!error && *outcome == IMP_SOLVED) {
        imp_beam_record_end(&record);
    }
    return error;
}

static const imp_agreement agreements[] = {{"multiple", "several_impacts"}};

const imp_theory imp_theory_beam = {
    .name = "beam",
    .title = "elastic beam against a round striker, Hertz contact",
    .source = "Journal of Applied Mechanics 91 (2024) 011011",
    .symbols = "S: scale of rates, " IMP_BEAM_S_VALUE
               ", in 1/s; E*: 1 / ((1 - poisson_ratio^2) / modulus + "
               "(1 - striker_poisson_ratio^2) / striker_modulus); 8vr, 5dp: methods of PETSc",
    .residual = "energy: initial kinetic energy = rigid + vibration + dissipated at the end",
    .results_version = 6,
    /* Evaluations of the forces, see imp_beam_work: about 1 us each. */
    .budget = 800000,
    IMP_THEORY_TABLES(imp_beam_parameters, imp_beam_choices, imp_beam_outputs, imp_beam_kinds),
    IMP_THEORY_AGREEMENTS(agreements),
    .has_output = imp_beam_has_output,
    .open = open_workspace,
    .close = close_workspace,
    .solve = solve,
    .history = &imp_beam_history,
    .trace = trace,
    .refuse = imp_beam_refuse,
};
