/* SUNDIALS ARKODE: ERKStep with root finding. Order 5: of higher orders the interpolation in which
 * roots are found is the limit. usage: arkode CELLS TOLERANCE */
#include <arkode/arkode_erkstep.h>
#include <nvector/nvector_serial.h>

#include "pendulum.h"

typedef struct integrator {
    void *ark;
    N_Vector y;
    double tolerance;
} integrator;

static int rates(realtype t, N_Vector y, N_Vector rate, void *data) {
    (void)t;
    pendulum_rates(data, N_VGetArrayPointer(y), N_VGetArrayPointer(rate));
    return 0;
}

static int margins(realtype t, N_Vector y, realtype *margin, void *data) {
    (void)t;
    pendulum_margins(data, N_VGetArrayPointer(y), margin);
    return 0;
}

static int phase(pendulum *p, double horizon, void *context) {
    static int falling[MARGINS] = {-1, -1, -1};
    integrator *with = context;
    double *y = N_VGetArrayPointer(with->y), end;
    int fell[MARGINS], which = -1;
    for (int k = 0; k < STATES; k++) {
        y[k] = p->y[k];
    }
    ERKStepReInit(with->ark, rates, 0, with->y);
    ERKStepSetUserData(with->ark, p);
    ERKStepRootInit(with->ark, MARGINS, margins);
    ERKStepSetRootDirection(with->ark, falling);
    ERKStepSetNoInactiveRootWarn(with->ark);
    ERKStepSStolerances(with->ark, with->tolerance, with->tolerance);
    ERKStepSetInitStep(with->ark, 0.05);
    ERKStepSetStopTime(with->ark, horizon);
    if (ERKStepEvolve(with->ark, horizon, with->y, &end, ARK_NORMAL) == ARK_ROOT_RETURN) {
        ERKStepGetRootInfo(with->ark, fell);
        for (int k = MARGINS - 1; k >= 0; k--) {
            which = fell[k] ? k : which;
        }
    }
    for (int k = 0; k < STATES; k++) {
        p->y[k] = y[k];
    }
    return which;
}

int main(int n, char **words) {
    if (n != 3) {
        return 2;
    }
    cells c = cells_read(words[1]);
    SUNContext context;
    SUNContext_Create(NULL, &context);
    integrator with = {.y = N_VNew_Serial(STATES, context), .tolerance = atof(words[2])};
    pendulum first = pendulum_at(c.angle[0], c.friction[0], c.ratio[0]);
    N_VConst(0, with.y);
    with.ark = ERKStepCreate(rates, 0, with.y, context);
    ERKStepSetUserData(with.ark, &first);
    ERKStepSetOrder(with.ark, 5);
    ERKStepSetMaxNumSteps(with.ark, 100000);
    double start = seconds_now();
    for (size_t i = 0; i < c.n; i++) {
        c.result[i] =
            pendulum_solve(pendulum_at(c.angle[i], c.friction[i], c.ratio[i]), phase, &with);
    }
    cells_print(&c, seconds_now() - start);
    return 0;
}
