/* Contacts under the laws of power 1.5 that march together, in lanes: each lane follows a contact,
 * and takes up another one when that has ended. */
#include "models/compliant/block.h"
#include "models/compliant/power_impl.h"
#include "num/lanes/width.h"

/* Cells of blocks. Those that take many steps begin first, so that no lane is left alone with one
 * in the end. */
typedef struct queue {
    imp_compliant_block *blocks;
    size_t n, next;
    bool slow; /* those that take many steps are being begun */
} queue;

typedef struct member {
    contact contact;
    imp_compliant_account account;
    imp_compliant_block *block; /* which holds the cell */
    size_t cell;
    bool busy;
} member;

typedef struct crowd {
    queue queue;
    imp_compliant_power_block block;
    member member[IMP_MOST_LANES]; /* one in each lane of the block */
} crowd;

/* Finds the next cell for a member; returns false if there is none. */
static bool take_next(member *m, queue *q) {
    const double often = 40;
    while (q->slow || q->next < q->n) {
        if (q->next == q->n) {
            q->slow = false;
            q->next = 0;
            continue;
        }
        m->block = &q->blocks[q->next / IMP_COMPLIANT_BLOCK];
        m->cell = q->next++ % IMP_COMPLIANT_BLOCK;
        if (imp_compliant_swings(m->block, m->cell, often) == q->slow) {
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
        if (m->block->exists[m->cell] != 0) {
            m->busy = imp_compliant_power_begin(&problem, c);
        } else {
            c->result = (imp_compliant_result){.outcome = IMP_OUTSIDE};
        }
        if (!m->busy) {
            store(m);
        }
    }
}

/* Goes on with a member after a round, or gives it another cell; returns whether it is busy. */
static bool goes_on(member *m, queue *q) {
    if (m->busy && !imp_compliant_power_go_on(&m->contact)) {
        store(m);
        m->busy = false;
        refill(m, q);
    }
    return m->busy;
}

size_t imp_compliant_power_room(void) {
    return sizeof(crowd);
}

static void solve_together(bool coupled, imp_compliant_block *blocks, size_t n, crowd *all) {
    imp_compliant_power_block *b = &all->block;
    int busy = 0;
    all->queue = (queue){.blocks = blocks, .n = n, .slow = true};
    *b = (imp_compliant_power_block){.coupled = coupled, .width = imp_lane_width()};
    for (int lane = 0; lane < b->width; lane++) {
        member *m = &all->member[lane];
        m->contact.march = (march){.block = b, .lane = lane};
        m->busy = false;
        refill(m, &all->queue);
        busy += m->busy;
    }
    while (busy > 0) {
        imp_compliant_power_round(b);
        busy = 0;
        for (int lane = 0; lane < b->width; lane++) {
            busy += goes_on(&all->member[lane], &all->queue);
        }
    }
}

void imp_compliant_hertz_solve_blocks(imp_compliant_block *block, size_t n, void *room) {
    solve_together(false, block, n, room);
}

void imp_compliant_coupled_solve_blocks(imp_compliant_block *block, size_t n, void *room) {
    solve_together(true, block, n, room);
}

/* ---- one contact ---- */

static imp_compliant_result solve_alone(bool coupled, const imp_compliant_problem *problem) {
    imp_compliant_power_block block = {.coupled = coupled, .width = IMP_LEAST_LANES};
    contact c = {.march = {.block = &block}};
    for (bool busy = imp_compliant_power_begin(problem, &c); busy;
         busy = imp_compliant_power_go_on(&c)) {
        imp_compliant_power_round(&block);
    }
    return c.result;
}

imp_compliant_result imp_compliant_hertz_solve(const imp_compliant_problem *problem,
                                               imp_compliant_memory *memory) {
    (void)memory;
    return solve_alone(false, problem);
}

imp_compliant_result imp_compliant_coupled_solve(const imp_compliant_problem *problem,
                                                 imp_compliant_memory *memory) {
    (void)memory;
    return solve_alone(true, problem);
}
