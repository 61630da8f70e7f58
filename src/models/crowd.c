#include "models/crowd.h"

typedef imp_crowd_cell cell;

typedef struct crowd {
    const imp_crowd_rules *rules;
    cell *cell[IMP_CROWD_CELLS(IMP_CROWD_KINDS)]; /* those in progress first */
    int n, most, lanes;
} crowd;

static crowd open_crowd(const imp_crowd_rules *rules, char *room) {
    int lanes = imp_lane_width();
    crowd c = {.rules = rules, .lanes = lanes, .most = rules->kinds * (lanes - 1) + 1};
    for (int k = 0; k < c.most; k++) {
        c.cell[k] = (cell *)(room + (size_t)k * rules->size);
    }
    return c;
}

/* The kind of step for which most cells wait. */
static int most_wanted(const crowd *c) {
    int count[IMP_CROWD_KINDS + 1] = {0}, wanted = 1;
    for (int k = 0; k < c->n && c->rules->kinds > 1; k++) {
        count[c->cell[k]->wait]++;
    }
    for (int kind = 2; kind <= c->rules->kinds; kind++) {
        wanted = count[kind] > count[wanted] ? kind : wanted;
    }
    return wanted;
}

/* Gives steps to the cells that wait for what most of them wait for. */
static void go_on(const crowd *c) {
    void *waiting[IMP_MOST_LANES];
    int wanted = most_wanted(c), n = 0;
    for (int k = 0; k < c->n && n < c->lanes; k++) {
        if (c->cell[k]->wait == wanted) {
            waiting[n++] = c->cell[k];
        }
    }
    c->rules->go_on(waiting, n);
}

/* Takes the cells that have ended out of the crowd, from the first that may have. */
static void dismiss(crowd *c, int first, double *const *out, uint8_t *outcome) {
    for (int k = c->n - 1; k >= first; k--) {
        cell *ended = c->cell[k];
        if (ended->wait == 0) {
            outcome[ended->place] = (uint8_t)c->rules->end(ended, out, ended->place);
            c->cell[k] = c->cell[--c->n];
            c->cell[c->n] = ended;
        }
    }
}

imp_err imp_crowd_solve(const imp_crowd_rules *rules, void *room, const imp_instance *instance,
                        size_t n, const double *const *in, double *const *out, uint8_t *outcome) {
    crowd c = open_crowd(rules, room);
    for (size_t i = 0; i < n || c.n > 0;) {
        if (i == n || c.n == c.most) {
            go_on(&c);
            dismiss(&c, 0, out, outcome);
        } else if (rules->begin(c.cell[c.n], instance, in, i)) {
            c.cell[c.n++]->place = i++;
            dismiss(&c, c.n - 1, out, outcome);
        } else {
            outcome[i++] = IMP_OUTSIDE;
        }
    }
    return IMP_OK;
}
