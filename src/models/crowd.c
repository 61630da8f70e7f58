#include "models/crowd.h"

typedef struct member {
    char *cell;
    size_t place; /* in the batch */
} member;

typedef struct crowd {
    const imp_crowd_rules *rules;
    member member[IMP_CROWD_CELLS(IMP_CROWD_KINDS)]; /* those in progress first */
    int n, most, lanes;
} crowd;

static crowd open_crowd(const imp_crowd_rules *rules, char *room) {
    int lanes = imp_lane_width();
    crowd c = {.rules = rules, .lanes = lanes, .most = rules->kinds * (lanes - 1) + 1};
    for (int k = 0; k < c.most; k++) {
        c.member[k].cell = room + (size_t)k * rules->size;
    }
    return c;
}

static int wait_of(const crowd *c, int k) {
    return *(const int *)(const void *)(c->member[k].cell + c->rules->wait);
}

/* The kind of step for which most cells wait. */
static int most_wanted(const crowd *c) {
    int count[IMP_CROWD_KINDS + 1] = {0}, wanted = 1;
    for (int k = 0; k < c->n && c->rules->kinds > 1; k++) {
        count[wait_of(c, k)]++;
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
        if (wait_of(c, k) == wanted) {
            waiting[n++] = c->member[k].cell;
        }
    }
    c->rules->go_on(waiting, n);
}

/* Takes the cells that have ended out of the crowd, from the first that may have. */
static void dismiss(crowd *c, int first, double *const *out, uint8_t *outcome) {
    for (int k = c->n - 1; k >= first; k--) {
        if (wait_of(c, k) == 0) {
            member ended = c->member[k];
            outcome[ended.place] = (uint8_t)c->rules->end(ended.cell, out, ended.place);
            c->member[k] = c->member[--c->n];
            c->member[c->n] = ended;
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
        } else if (rules->begin(c.member[c.n].cell, instance, in, i)) {
            c.member[c.n++].place = i++;
            dismiss(&c, c.n - 1, out, outcome);
        } else {
            outcome[i++] = IMP_OUTSIDE;
        }
    }
    return IMP_OK;
}
