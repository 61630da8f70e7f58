/* Cells of a block in lanes. cell: the cell of each lane; apart: they do not follow each other. */
#ifndef IMP_MODELS_COMPLIANT_BLOCK_IMPL_H
#define IMP_MODELS_COMPLIANT_BLOCK_IMPL_H

#include "models/compliant/block.h"

CODE real take(const double *column, const size_t *cell, bool apart) {
    if (!apart) {
        return imp_lanes_load(&column[cell[0]]);
    }
    real x = number(0);
    for (int lane = 0; lane < IMP_LANES; lane++) {
        imp_lanes_set(&x, lane, column[cell[lane]]);
    }
    return x;
}

CODE void give(double *column, const size_t *cell, bool apart, real x) {
    if (!apart) {
        imp_lanes_store(&column[cell[0]], x);
        return;
    }
    for (int lane = 0; lane < IMP_LANES; lane++) {
        column[cell[lane]] = imp_lanes_get(x, lane);
    }
}

/* Sets *p, and *account if it is wanted. Member by member: to set a structure as a whole takes
 * longer. */
#define LOAD(name) p->name = take(b->problem.name, cell, apart);
CODE void load_problem(const imp_compliant_block *b, const size_t *cell, bool apart,
                       imp_compliant_problem *p, imp_compliant_account *account) {
    IMP_COMPLIANT_GIVEN(LOAD)
    p->constrained = take(b->problem.constrained, cell, apart) != 0;
    p->budget = b->budget;
    p->want_turn = b->want_turn;
    p->want_time = b->want_time;
    p->observer = NULL;
    p->account = NULL;
    if (b->want_account) {
        *account = (imp_compliant_account){.want_peaks = b->want_peaks};
        p->account = account;
    }
}
#undef LOAD

#define STORE(name) give(b->result.name, cell, apart, result->name);
CODE void store_result(imp_compliant_block *b, const size_t *cell, bool apart,
                       const imp_compliant_result *result){IMP_COMPLIANT_FOUND(STORE)}
#undef STORE

#define STORE(name) give(b->account.name, cell, apart, account->name);
CODE void store_account(imp_compliant_block *b, const size_t *cell, bool apart,
                        const imp_compliant_account *account) {
    IMP_COMPLIANT_SUMS(STORE)
    for (int k = 0; k < IMP_COMPLIANT_SLIPS; k++) {
        give(b->account.slip_loss[k], cell, apart, account->slip_loss[k]);
    }
}
#undef STORE

CODE void store_cells(imp_compliant_block *b, const size_t *cell, bool apart,
                      const imp_compliant_result *result, const imp_compliant_account *account) {
    store_result(b, cell, apart, result);
    if (b->want_account) {
        store_account(b, cell, apart, account);
    }
}

#endif
