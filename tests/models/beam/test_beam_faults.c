/* PETSc fails in one cell, which gets its outcome; without memory there is an error instead.
 * Nothing is printed, and the next cell is right. The linker puts these functions in the place of
 * PETSc's (--wrap). */
#include <math.h>
#include <petscts.h>
#include <string.h>

#include "models/beam/refine.h"
#include "support/batch.h"
#include "support/suite.h"

PetscErrorCode __real_TSStep(TS ts);
PetscErrorCode __wrap_TSStep(TS ts);
PetscErrorCode __real_TSCreate(MPI_Comm comm, TS *ts);
PetscErrorCode __wrap_TSCreate(MPI_Comm comm, TS *ts);
PetscErrorCode __real_MatAssemblyEnd(Mat matrix, MatAssemblyType type);
PetscErrorCode __wrap_MatAssemblyEnd(Mat matrix, MatAssemblyType type);
bool __real_imp_beam_refine(imp_beam_refinement *refinement, const imp_bracket *bracket,
                            double *lambda, double *shape);
bool __wrap_imp_beam_refine(imp_beam_refinement *refinement, const imp_bracket *bracket,
                            double *lambda, double *shape);

/* The number of calls until the failure; negative: no failure. */
static long until_step = -1, until_create = -1, until_assembly = -1, until_mode = -1;
static PetscErrorCode code = PETSC_ERR_LIB;
static long steps; /* calls of TSStep */

PetscErrorCode __wrap_TSStep(TS ts) {
    PetscFunctionBeginUser;
    steps++;
    PetscCheck(until_step < 0 || until_step-- > 0, PETSC_COMM_SELF, code, "wanted");
    PetscCall(__real_TSStep(ts));
    PetscFunctionReturn(0);
}

PetscErrorCode __wrap_TSCreate(MPI_Comm comm, TS *ts) {
    PetscFunctionBeginUser;
    PetscCheck(until_create < 0 || until_create-- > 0, comm, code, "wanted");
    PetscCall(__real_TSCreate(comm, ts));
    PetscFunctionReturn(0);
}

PetscErrorCode __wrap_MatAssemblyEnd(Mat matrix, MatAssemblyType type) {
    PetscFunctionBeginUser;
    PetscCheck(until_assembly < 0 || until_assembly-- > 0, PETSC_COMM_SELF, code, "wanted");
    PetscCall(__real_MatAssemblyEnd(matrix, type));
    PetscFunctionReturn(0);
}

bool __wrap_imp_beam_refine(imp_beam_refinement *refinement, const imp_bracket *bracket,
                            double *lambda, double *shape) {
    bool goes = until_mode < 0 || until_mode-- > 0;
    return goes && __real_imp_beam_refine(refinement, bracket, lambda, shape);
}

/* Three cells, of which the first fails, because *until reaches 0 in it: with an outcome, or for
 * lack of memory with an error and no outcome (IMP_PENDING). */
static void check_failure(const char *choices, long *until, long calls, PetscErrorCode fails_with,
                          imp_outcome expected) {
    batch good = batch_open("beam", choices, 3), bad = batch_open("beam", choices, 3);
    for (int i = 0; i < 3; i++) {
        batch_in(&good, "position")[i] = batch_in(&bad, "position")[i] = 0.6 + 0.1 * i;
        batch_in(&good, "mode_count")[i] = batch_in(&bad, "mode_count")[i] = 8;
        batch_in(&good, "elements")[i] = batch_in(&bad, "elements")[i] = 16;
    }
    batch_solve(&good);
    *until = calls;
    code = fails_with;
    /* Only the first cell fails: the fault ends before the second one. */
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    for (int p = 0; p < imp_input_count(bad.solver); p++) {
        in[p] = bad.in[p];
    }
    imp_err error = imp_solve(bad.solver, 1, in, bad.out, bad.outcome);
    CHECK(error == (expected == IMP_PENDING ? IMP_ERR_MEMORY : IMP_OK),
          "%s after %ld calls: error %d", choices, calls, error);
    CHECK(bad.outcome[0] == expected, "%s after %ld calls: %s", choices, calls,
          imp_outcome_name(bad.outcome[0]));
    CHECK(error || isnan(batch_out(&bad, "kinematic_restitution")[0]), "%s: an output of no cell",
          choices);
    *until = -1;
    batch_solve(&bad);
    for (int i = 0; i < 3; i++) {
        CHECK(good.outcome[i] == IMP_SOLVED && bad.outcome[i] == IMP_SOLVED, "%s: cell %d", choices,
              i);
        CHECK(batch_same(batch_out(&good, "kinematic_restitution")[i],
                         batch_out(&bad, "kinematic_restitution")[i]),
              "%s: cell %d after a failure", choices, i);
    }
    BATCH_CLOSE(&good, &bad);
}

static void in_a_step(void) {
    static const long calls[] = {0, 1, 30, 75};
    for (int i = 0; i < SUITE_COUNT(calls); i++) {
        check_failure("", &until_step, calls[i], PETSC_ERR_LIB, IMP_LIBRARY_ERROR);
        check_failure("solver=modal_arkimex", &until_step, calls[i], PETSC_ERR_MEM, IMP_PENDING);
    }
    check_failure("solver=full", &until_step, 20, PETSC_ERR_LIB, IMP_LIBRARY_ERROR);
    check_failure("", &until_step, 20, PETSC_ERR_FP, IMP_NOT_FINITE);
    check_failure("", &until_step, 20, PETSC_ERR_NOT_CONVERGED, IMP_NO_CONVERGENCE);
}

static void at_the_beginning(void) {
    check_failure("", &until_create, 0, PETSC_ERR_MEM, IMP_PENDING);
    check_failure("solver=full", &until_create, 0, PETSC_ERR_MEM, IMP_PENDING);
}

/* A failure in the assembly of the unreduced matrices. */
static void in_the_assembly(void) {
    check_failure("solver=full", &until_assembly, 0, PETSC_ERR_MEM, IMP_PENDING);
    check_failure("solver=full", &until_assembly, 1, PETSC_ERR_MEM, IMP_PENDING);
}

/* A mesh whose modes fail is not kept in the cache. */
static void in_the_mesh(void) {
    check_failure("", &until_mode, 0, 0, IMP_NO_CONVERGENCE);
    check_failure("", &until_mode, 5, 0, IMP_NO_CONVERGENCE);
}

/* Cells without an end. The steps that fit into a second were measured for each kind: 10 us, 90 us,
 * 60 us, 1.7 ms. */
static void an_end_within_a_second(void) {
    static const struct {
        const char *choices;
        double elements, modes, damping;
        long most;
    } cells[] = {{"section=circular", 80, 25, 0, 100000},
                 {"section=circular", 256, 200, 0, 11000},
                 {"section=circular", 80, 25, 1e6, 16000},
                 {"section=circular solver=full", 256, 25, 0, 600}};
    for (int i = 0; i < SUITE_COUNT(cells); i++) {
        batch b = batch_open("beam", cells[i].choices, 1);
        BATCH_SET(&b, {"elements", cells[i].elements}, {"mode_count", cells[i].modes},
                  {"internal_damping", cells[i].damping}, {"radius", 1e8});
        if (strstr(cells[i].choices, "full")) {
            batch_set(&b, "full_step", 1e-20);
        }
        steps = 0;
        batch_solve(&b);
        CHECK_CELL(&b, 0, b.outcome[0] == IMP_BUDGET);
        CHECK(steps <= cells[i].most, "%ld steps: %s", steps, batch_text(&b, 0));
        batch_close(&b);
    }
}

static void ignore(imp_recorder *recorder, const double *row, int phase, int event) {
    (void)recorder, (void)row, (void)phase, (void)event;
}

/* A history returns the error too. */
static void in_a_history(void) {
    batch b = batch_open("beam", "", 1);
    double value[IMP_MAX_PARAMETERS];
    imp_recorder recorder = {.samples = 2, .record = ignore};
    imp_outcome outcome = IMP_PENDING;
    for (int p = 0; p < imp_input_count(b.solver); p++) {
        value[p] = imp_input_at(b.solver, p)->example;
    }
    until_step = 5;
    code = PETSC_ERR_MEM;
    CHECK(imp_trace(b.solver, value, &recorder, &outcome) == IMP_ERR_MEMORY, "no error");
    until_step = -1;
    CHECK(imp_trace(b.solver, value, &recorder, &outcome) == IMP_OK && outcome == IMP_SOLVED,
          "the history after it: %s", imp_last_error());
    batch_close(&b);
}

SUITE("beam, faults", an_end_within_a_second, in_a_step, at_the_beginning, in_the_assembly,
      in_the_mesh, in_a_history)
