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

/* Cells that take the lanes together; elastic, inelastic: those with restitution 1, and with
 * less. */
typedef struct group {
    const size_t *cell;
    imp_compliant_problem p;
    imp_compliant_account account;
    imp_compliant_memory memory;
    truth elastic, inelastic;
    imp_compliant_result result;
} group;

CODE void load_group(const imp_compliant_block *b, const size_t *cell, bool apart, group *k) {
    k->cell = cell;
    load_problem(b, cell, apart, &k->p, &k->account);
    truth here = take(b->exists, cell, apart) != 0;
    k->inelastic = here & (k->p.restitution < 1);
    k->elastic = here & not(k->inelastic);
}

CODE void solve_elastic(group *groups, int n) {
    linear_contact contacts[IN_TURN];
    for (int i = 0; i < n; i++) {
        begin_contact(&contacts[i], &groups[i].p, &groups[i].memory, groups[i].elastic);
    }
    run_contacts(contacts, n);
    for (int i = 0; i < n; i++) {
        groups[i].result = end_contact(&contacts[i]);
    }
}

CODE void solve_groups(group *groups, int n) {
    bool all_inelastic = true;
    for (int i = 0; i < n; i++) {
        all_inelastic &= any(groups[i].inelastic) && !any(groups[i].elastic);
    }
    if (!all_inelastic) {
        solve_elastic(groups, n);
    }
    for (int i = 0; i < n; i++) {
        group *k = &groups[i];
        if (any(k->inelastic)) {
            imp_compliant_result found = solve_bilinear(&k->p, &k->memory, k->inelastic);
            put_result(not(k->elastic), &k->result, &found);
        }
    }
}

CODE void solve_cells(imp_compliant_block *b, size_t n, const imp_compliant_order *order,
                      bool apart) {
    group groups[IN_TURN];
    for (int i = 0; i < IN_TURN; i++) {
        forget_modes(&groups[i].memory.loading);
        forget_modes(&groups[i].memory.unloading);
    }
    for (size_t at = 0; at < n; at += IN_TURN * IMP_LANES) {
        int count = 0;
        for (size_t i = at; count < IN_TURN && i < n; i += IMP_LANES) {
            load_group(b, &order->cell[i], apart, &groups[count++]);
        }
        solve_groups(groups, count);
        for (int i = 0; i < count; i++) {
            group *k = &groups[i];
            put(not(k->elastic | k->inelastic), &k->result.outcome, number(IMP_OUTSIDE));
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
