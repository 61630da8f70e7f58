#include "support/starts.h"

batch starts_impact(const imp_bounce_problem *p, const imp_bounce_cell *cell, const char *theory,
                    const char *choices) {
    imp_bounce_problem one = *p;
    imp_bounce_cell start;
    one.budget = 1; /* the pose of the first impact */
    imp_bounce_run(&one, &start);
    int k = 0;
    while (cell->p.body.number[k] != cell->tally.first.number) {
        k++;
    }
    batch b = batch_open(theory, choices, 1);
    batch_set(&b, "restitution", p->restitution);
    batch_set(&b, "friction", p->friction);
    batch_set(&b, "offset_t", start.pose.x[k]);
    batch_set(&b, "offset_n", start.pose.y[k]);
    batch_set(&b, "gyration_radius", p->body.gyration);
    batch_set(&b, "velocity_ratio", p->velocity_t / -p->velocity_n);
    batch_set(&b, "normal_speed", -p->velocity_n);
    batch_set(&b, "mass", 1);
    return b;
}
