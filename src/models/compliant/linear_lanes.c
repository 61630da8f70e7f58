/* The linear law for a block of cells. Compiled once for each width; see num/lanes/lanes.h. */
#include "models/compliant/bilinear_stick_impl.h"
#include "models/compliant/block_impl.h"

#define PUT(name) put(here, &result->name, value->name);
CODE void put_result(truth here, imp_compliant_result *result, const imp_compliant_result *value) {
    IMP_COMPLIANT_FOUND(PUT)
}
#undef PUT

/* How many contacts of a lane are solved in turn. */
enum { IN_TURN = 4 };

/* Cells that take the lanes together; `keeps`, `loses`: those with restitution 1, and with less. */
typedef struct crew {
    const size_t *cell;
    imp_compliant_problem p;
    imp_compliant_account account;
    imp_compliant_memory memory;
    truth keeps, loses;
    imp_compliant_result result;
} crew;

CODE void load_crew(const imp_compliant_block *b, const size_t *cell, bool apart, crew *k) {
    k->cell = cell;
    load_problem(b, cell, apart, &k->p, &k->account);
    truth here = take(b->exists, cell, apart) != 0;
    k->loses = here & (k->p.restitution < 1);
    k->keeps = here & not(k->loses);
}

CODE void solve_keeping(crew *crews, int n) {
    linear_contact contacts[IN_TURN];
    for (int i = 0; i < n; i++) {
        begin_contact(&contacts[i], &crews[i].p, &crews[i].memory, crews[i].keeps);
    }
    run_contacts(contacts, n);
    for (int i = 0; i < n; i++) {
        crews[i].result = end_contact(&contacts[i]);
    }
}

CODE void solve_crews(crew *crews, int n) {
    bool all_lose = true;
    for (int i = 0; i < n; i++) {
        all_lose &= any(crews[i].loses) && !any(crews[i].keeps);
    }
    if (!all_lose) {
        solve_keeping(crews, n);
    }
    for (int i = 0; i < n; i++) {
        crew *k = &crews[i];
        if (any(k->loses)) {
            imp_compliant_result found = solve_bilinear(&k->p, &k->memory, k->loses);
            put_result(not(k->keeps), &k->result, &found);
        }
    }
}

CODE void solve_cells(imp_compliant_block *b, size_t n, const imp_compliant_order *order,
                      bool apart) {
    crew crews[IN_TURN];
    for (int i = 0; i < IN_TURN; i++) {
        forget_modes(&crews[i].memory.loading);
        forget_modes(&crews[i].memory.unloading);
    }
    for (size_t at = 0; at < n; at += IN_TURN * IMP_LANES) {
        int count = 0;
        for (size_t i = at; count < IN_TURN && i < n; i += IMP_LANES) {
            load_crew(b, &order->cell[i], apart, &crews[count++]);
        }
        solve_crews(crews, count);
        for (int i = 0; i < count; i++) {
            crew *k = &crews[i];
            put(not(k->keeps | k->loses), &k->result.outcome, number(IMP_OUTSIDE));
            store_cells(b, k->cell, apart, &k->result, &k->account);
        }
    }
}

IMP_IN_LANES(imp_compliant_linear_solve_block,
             (imp_compliant_block * b, size_t n, const imp_compliant_order *order)) {
    if (order->apart) {
        solve_cells(b, n, order, true);
    } else {
        solve_cells(b, n, order, false);
    }
}
