/* The compliant pendulum with linear springs, as somebody writes it for an integrator with events:
 * phases of stick and slip, each ended by the first margin that falls through zero. Lever, mass,
 * stiffness of the normal spring and normal speed are 1. Shared by the peers in C. */
#ifndef IMP_TESTS_BENCH_PEERS_PENDULUM_H
#define IMP_TESTS_BENCH_PEERS_PENDULUM_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { STATES = 3, MARGINS = 3, MOST_PHASES = 12 };
enum { SPEED, NORMAL, TANGENTIAL }; /* states: speed along the path; elongations of the springs */

typedef struct pendulum {
    double sine, cosine, friction, stiffness; /* stiffness: of the tangential spring */
    double reach;                             /* tangential over normal elongation in slip */
    int slip;                                 /* -1, 0 (stick), 1: the phase at hand */
    int left;                                 /* the slip before the stick at hand; 0: none */
    double y[STATES];
} pendulum;

static inline pendulum pendulum_at(double angle, double friction, double stiffness_ratio) {
    pendulum p = {.sine = sin(angle),
                  .cosine = cos(angle),
                  .friction = friction,
                  .stiffness = 1 / stiffness_ratio,
                  .reach = friction * stiffness_ratio};
    p.y[SPEED] = -1 / p.sine;
    p.slip = p.cosine < p.reach * p.sine ? 0 : -1;
    return p;
}

static inline void pendulum_rates(const pendulum *p, const double *y, double *rate) {
    double normal = -y[NORMAL], tangential = -p->stiffness * y[TANGENTIAL];
    double v_n = p->sine * y[SPEED], v_t = p->cosine * y[SPEED];
    tangential = p->slip ? -p->friction * p->slip * normal : tangential;
    rate[SPEED] = p->cosine * tangential + p->sine * normal;
    rate[NORMAL] = v_n;
    rate[TANGENTIAL] = p->slip ? -p->reach * p->slip * v_n : v_t;
}

/* Separation; end of slip, or slip to the right; slip to the left. Positive until they fall through
 * zero. What is zero where a phase begins is watched from a little beyond it. */
static inline void pendulum_margins(const pendulum *p, const double *y, double *margin) {
    const double beyond = 1e-9;
    double v_n = p->sine * y[SPEED], v_t = p->cosine * y[SPEED], indentation = -y[NORMAL];
    margin[0] = v_n > 0 ? indentation : 1;
    if (p->slip) {
        margin[1] = p->slip * v_t + p->reach * v_n + (p->left ? beyond : 0);
        margin[2] = 1;
        return;
    }
    /* From rest both springs shorten and lengthen together: stick ends where they are both
     * relaxed. */
    double open = p->left ? 0 : 1;
    margin[1] = p->reach * indentation - y[TANGENTIAL] + open + (p->left > 0 ? beyond : 0);
    margin[2] = p->reach * indentation + y[TANGENTIAL] + open + (p->left < 0 ? beyond : 0);
}

/* Half a period of stick: a contact that sticks longer wedges. */
static inline double pendulum_horizon(const pendulum *p) {
    double square = p->stiffness * p->cosine * p->cosine + p->sine * p->sine;
    return p->slip || !p->left ? 1000 : acos(-1) / sqrt(square);
}

/* Begins the phase after the margin `which` has fallen to zero. */
static inline void pendulum_turn(pendulum *p, int which) {
    int before = p->slip;
    p->slip = before ? 0 : which == 1 ? 1 : -1;
    p->left = before ? before : 1;
    if (before) { /* where slip ends, the spring is at the edge of the cone */
        p->y[TANGENTIAL] = -before * p->reach * p->y[NORMAL];
    }
}

/* Integrates one phase from p->y, for at most `horizon`; returns the margin that ended it, or
 * -1. */
typedef int pendulum_phase(pendulum *p, double horizon, void *context);

typedef struct pendulum_result {
    const char *mode;
    double restitution;
} pendulum_result;

static inline pendulum_result pendulum_solve(pendulum p, pendulum_phase *phase, void *context) {
    pendulum_result failed = {"failed", NAN};
    for (int k = 0; k < MOST_PHASES; k++) {
        int ended = phase(&p, pendulum_horizon(&p), context);
        if (ended < 0) {
            return p.slip ? failed : (pendulum_result){"wedge", NAN};
        }
        if (ended == 0) {
            const char *mode = k == 0   ? (p.slip ? "gross_slip" : "gross_stick")
                               : k == 2 ? "slip_stick_slip_reversed"
                                        : "other";
            return (pendulum_result){mode, p.sine * p.y[SPEED]};
        }
        pendulum_turn(&p, ended);
    }
    return failed;
}

static inline double seconds_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Cells as lines "angle friction stiffness_ratio". */
typedef struct cells {
    size_t n, room;
    double *angle, *friction, *ratio;
    pendulum_result *result;
} cells;

static inline cells cells_read(const char *path) {
    cells c = {.room = 1 << 20};
    FILE *file = fopen(path, "r");
    double **columns[] = {&c.angle, &c.friction, &c.ratio};
    for (int k = 0; k < 3; k++) {
        *columns[k] = calloc(c.room, sizeof(double));
    }
    c.result = calloc(c.room, sizeof *c.result);
    while (file && c.n < c.room &&
           fscanf(file, "%lf %lf %lf", &c.angle[c.n], &c.friction[c.n], &c.ratio[c.n]) == 3) {
        c.n++;
    }
    if (!file || c.n == 0) {
        fprintf(stderr, "%s: no cells\n", path);
        exit(2);
    }
    fclose(file);
    return c;
}

/* The seconds for all cells, then a line for each. */
static inline void cells_print(const cells *c, double seconds) {
    printf("%.9g\n", seconds);
    for (size_t i = 0; i < c->n; i++) {
        printf("%s %.17g\n", c->result[i].mode, c->result[i].restitution);
    }
}

#endif
