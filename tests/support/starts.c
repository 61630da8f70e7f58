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
    BATCH_SET(&b, {"restitution", p->restitution}, {"friction", p->friction},
              {"offset_t", start.pose.x[k]}, {"offset_n", start.pose.y[k]},
              {"gyration_radius", p->body.gyration},
              {"velocity_ratio", p->velocity_t / -p->velocity_n}, {"normal_speed", -p->velocity_n},
              {"mass", 1});
    return b;
}
