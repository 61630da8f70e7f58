/* libimpact, all cells in one call. usage: library CELLS */
#include "impact.h"

#include "pendulum.h"

int main(int n, char **words) {
    if (n < 2) {
        return 2;
    }
    cells c = cells_read(words[1]);
    imp_solver *solver;
    if (imp_open("compliant", "body=pendulum law=linear", &solver)) {
        fprintf(stderr, "%s\n", imp_last_error());
        return 1;
    }
    const imp_theory *theory = imp_solver_theory(solver);
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    double *mode = calloc(c.n, sizeof *mode), *restitution = calloc(c.n, sizeof *restitution);
    uint8_t *outcome = calloc(c.n, 1);
    in[imp_input(solver, "angle")] = c.angle;
    in[imp_input(solver, "friction")] = c.friction;
    in[imp_input(solver, "stiffness_ratio")] = c.ratio;
    out[imp_output_index(solver, "mode")] = mode;
    out[imp_output_index(solver, "kinematic_restitution")] = restitution;
    double start = seconds_now();
    imp_err error = imp_solve(solver, c.n, in, out, outcome);
    double seconds = seconds_now() - start;
    for (size_t i = 0; i < c.n; i++) {
        c.result[i] = (pendulum_result){imp_mode_name(theory, (int)mode[i]), restitution[i]};
    }
    cells_print(&c, seconds);
    return error;
}
