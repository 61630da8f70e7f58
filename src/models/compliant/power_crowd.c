/* Contacts under the laws of power 1.5 that march together, in lanes: each lane follows a contact, and takes up another
 * one when that has ended. */
#include "models/compliant/block.h"
#include "models/compliant/power_impl.h"
#include "num/lane_width.h"

/* Cells of blocks. Those that take many steps begin first, so that no lane is left alone with one in the end. */
typedef struct queue {
    imp_compliant_block *blocks;
    size_t n, next;
    bool slow; /* those that take many steps are being begun */
} queue;

typedef struct member {
    contact contact;
    imp_account account;
    imp_compliant_block *block; /* which holds the cell */
    size_t cell;
    bool busy;
} member;

typedef struct crowd {
    imp_power_block block;
    member member[IMP_POWER_LANES]; /* one in each lane */
} crowd;

/* While a free body sticks the faster of its two modes may swing many times until the slower one has swung once. */
static bool is_slow(const imp_compliant_block *b, size_t i) {
    const double many = 20;
    double sum = 1 + b->problem.a[i];
    return b->problem.constrained[i] == 0 && sum * sum > many * many * b->problem.determinant[i];
}

/* Finds the next cell for a member; returns false if there is none. */
static bool take_next(member *m, queue *q) {
    while (q->slow || q->next < q->n) {
        if (q->next == q->n) {
            q->slow = false;
            q->next = 0;
            continue;
        }
        m->block = &q->blocks[q->next / IMP_COMPLIANT_BLOCK];
        m->cell = q->next++ % IMP_COMPLIANT_BLOCK;
        if (is_slow(m->block, m->cell) == q->slow) {
            return true;
        }
    }
    return false;
}

static void store(const member *m) {
    imp_compliant_store(m->block, m->cell, &m->contact.result, &m->account);
}

/* Gives a member the next cell that marches. */
static void refill(member *m, queue *q) {
    contact *c = &m->contact;
    while (!m->busy && take_next(m, q)) {
        imp_compliant_problem problem = imp_compliant_problem_at(m->block, m->cell, &m->account);
        c->result = (imp_compliant_result){.outcome = IMP_OUTSIDE};
        m->busy = m->block->exists[m->cell] != 0 && imp_power_begin(&problem, c);
        if (!m->busy) {
            store(m);
        }
    }
}

/* Goes on with a member after a round. */
static void go_on(member *m, queue *q) {
    if (m->busy && !imp_power_go_on(&m->contact)) {
        store(m);
        m->busy = false;
        refill(m, q);
    }
}

static void solve_together(bool coupled, imp_compliant_block *blocks, size_t n) {
    queue q = {.blocks = blocks, .n = n, .slow = true};
    int width = imp_lane_width(), busy = 0;
    crowd all = {.block = {.coupled = coupled, .width = width}};
    for (int lane = 0; lane < width; lane++) {
        all.member[lane].contact.march = (march){.block = &all.block, .lane = lane};
        refill(&all.member[lane], &q);
        busy += all.member[lane].busy;
    }
    while (busy > 0) {
        imp_power_round(&all.block);
        busy = 0;
        for (int lane = 0; lane < width; lane++) {
            go_on(&all.member[lane], &q);
            busy += all.member[lane].busy;
        }
    }
}

void imp_hertz_solve_blocks(imp_compliant_block *block, size_t n) {
    solve_together(false, block, n);
}

void imp_coupled_solve_blocks(imp_compliant_block *block, size_t n) {
    solve_together(true, block, n);
}

/* ---- one contact ---- */

static imp_compliant_result solve_alone(bool coupled, const imp_compliant_problem *problem) {
    imp_power_block block = {.coupled = coupled, .width = 2};
    contact c = {.march = {.block = &block}};
    for (bool busy = imp_power_begin(problem, &c); busy; busy = imp_power_go_on(&c)) {
        imp_power_round(&block);
    }
    return c.result;
}

imp_compliant_result imp_hertz_solve(const imp_compliant_problem *problem,
                                     imp_compliant_memory *memory) {
    (void)memory;
    return solve_alone(false, problem);
}

imp_compliant_result imp_coupled_solve(const imp_compliant_problem *problem,
                                       imp_compliant_memory *memory) {
    (void)memory;
    return solve_alone(true, problem);
}
