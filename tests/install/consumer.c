/* A program that uses the installed library: it solves one pendulum cell and prints its kinematic
 * restitution and mode. */
#include <impact.h>
#include <stdio.h>

int main(void) {
    imp_solver *solver;
    if (imp_open("compliant", "body=pendulum law=linear", &solver) != IMP_OK) {
        fprintf(stderr, "%s\n", imp_last_error());
        return 1;
    }
    double angle = 0.52359877559829882, friction = 0.3, ratio = 1.21, restitution, mode;
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    uint8_t outcome;
    in[imp_input(solver, "angle")] = &angle;
    in[imp_input(solver, "friction")] = &friction;
    in[imp_input(solver, "stiffness_ratio")] = &ratio;
    out[imp_output_index(solver, "kinematic_restitution")] = &restitution;
    out[imp_output_index(solver, "mode")] = &mode;
    imp_err error = imp_solve(solver, 1, in, out, &outcome);
    if (error == IMP_OK) {
        printf("%.17g %s %s\n", restitution, imp_outcome_name(outcome),
               imp_mode_name(imp_solver_theory(solver), (int)mode));
    }
    imp_close(&solver);
    return error == IMP_OK ? 0 : 1;
}
