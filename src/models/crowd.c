#include "models/crowd.h"

typedef struct member {
    void *cell;
    size_t place; /* in the batch */
} member;

typedef struct crowd {
    const imp_crowd_rules *rules;
    member member[IMP_CROWD_CELLS]; /* those in progress first */
    int n, most, lanes;
} crowd;

static crowd open_crowd(const imp_crowd_rules *rules, char *cells) {
    int lanes = imp_lane_width();
    crowd c = {.rules = rules, .lanes = lanes, .most = rules->kinds * (lanes - 1) + 1};
    for (int k = 0; k < c.most; k++) {
        c.member[k].cell = cells + (size_t)k * rules->size;
    }
    return c;
}

/* Gives steps to the cells that wait for what most of them wait for. */
static void go_on(const crowd *c) {
    void *waiting[IMP_CROWD_KINDS + 1][IMP_CROWD_CELLS];
    int count[IMP_CROWD_KINDS + 1] = {0}, wanted = 1;
    for (int k = 0; k < c->n; k++) {
        int wait = c->rules->wait_of(c->member[k].cell);
        waiting[wait][count[wait]++] = c->member[k].cell;
    }
    for (int kind = 2; kind <= c->rules->kinds; kind++) {
        wanted = count[kind] > count[wanted] ? kind : wanted;
    }
    c->rules->go_on(waiting[wanted], count[wanted] < c->lanes ? count[wanted] : c->lanes);
}

/* Takes the cells that have ended out of the crowd, from the first that may have. */
static void dismiss(crowd *c, int first, double *const *out, uint8_t *outcome) {
    for (int k = c->n - 1; k >= first; k--) {
        member m = c->member[k];
        if (c->rules->wait_of(m.cell) == 0) {
            outcome[m.place] = (uint8_t)c->rules->end(m.cell, out, m.place);
            c->member[k] = c->member[--c->n];
            c->member[c->n] = m;
        }
    }
}

imp_err imp_crowd_solve(const imp_crowd_rules *rules, void *cells, const imp_instance *instance,
                        size_t n, const double *const *in, double *const *out, uint8_t *outcome) {
    crowd c = open_crowd(rules, cells);
    for (size_t i = 0; i < n || c.n > 0;) {
        member *free_one = &c.member[c.n];
        if (i == n || c.n == c.most) {
            go_on(&c);
            dismiss(&c, 0, out, outcome);
        } else if (rules->begin(free_one->cell, instance, in, i)) {
            free_one->place = i++;
            c.n++;
            dismiss(&c, c.n - 1, out, outcome);
        } else {
            outcome[i++] = IMP_OUTSIDE;
        }
    }
    return IMP_OK;
}
