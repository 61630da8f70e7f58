/* Time of an impact and of a drop of `bounce`, on one core: random drops of rods and blocks over
 * restitutions, up to the first contact that lasts and to rest; the least of several runs. An
 * impact includes the flight before it and all else that a cell takes. */
#include <stdio.h>

#include "bench/measure.h"
#include "models/bounce/state.h"
#include "support/random.h"

enum { DROPS = 2000, RUNS = 5 };

static imp_bounce_problem problems[DROPS];

static void fill(int body, imp_bounce_law law, double restitution) {
    random_source source = {5};
    for (int i = 0; i < DROPS; i++) {
        double size[] = {body == 1 ? 1 : random_between(&source, .2, 1), 1, 1};
        imp_bounce_problem *p = &problems[i];
        *p = (imp_bounce_problem){.law = law,
                                  .restitution = restitution,
                                  .friction = random_between(&source, 0, 1),
                                  .gravity = 1,
                                  .stiffness_ratio = 1.21,
                                  .tilt = random_between(&source, -3, 3),
                                  .drop = random_between(&source, .1, 3),
                                  .velocity_t = random_between(&source, -1, 1),
                                  .spin = random_between(&source, -2, 2),
                                  .count_above = .01,
                                  .budget = 50000};
        imp_bounce_body_of(body, size, &p->body);
    }
}

/* Microseconds of all drops, and their impacts. */
static double run(bool only_settle, double *impacts) {
    double least = INFINITY;
    for (int k = 0; k < RUNS; k++) {
        double start = measure_processor();
        *impacts = 0;
        for (int i = 0; i < DROPS; i++) {
            imp_bounce_cell c;
            problems[i].only_settle = only_settle;
            imp_bounce_run(&problems[i], &c);
            *impacts += (double)c.tally.strikes;
        }
        double taken = (measure_processor() - start) * 1e6;
        least = taken < least ? taken : least;
    }
    return least;
}

int main(void) {
    static const char *const names[] = {[1] = "rod", [2] = "block"};
    static const char *const laws[] = {
        [IMP_BOUNCE_ENERGETIC] = "energetic", [IMP_BOUNCE_COMPLIANT] = "compliant"};
    printf(
        "body  law       restitution | up to settling: impacts a drop, us an impact, us a drop | "
        "to rest: the same\n");
    for (int body = 1; body <= 2; body++) {
        for (imp_bounce_law law = IMP_BOUNCE_ENERGETIC; law <= IMP_BOUNCE_COMPLIANT; law++) {
            for (double e = .1; e < .8; e += .2) {
                double early, all;
                fill(body, law, e);
                double settling = run(true, &early), resting = run(false, &all);
                printf("%-5s %s %.1f | %7.1f %.3f %7.2f | %7.1f %.3f %7.2f\n", names[body],
                       laws[law], e, early / DROPS, settling / early, settling / DROPS, all / DROPS,
                       resting / all, resting / DROPS);
            }
        }
    }
    return 0;
}
