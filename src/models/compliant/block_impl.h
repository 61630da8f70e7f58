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

#define LOAD(name) .name = take(b->problem.name, cell, apart),
CODE imp_compliant_problem load_problem(const imp_compliant_block *b, const size_t *cell,
                                        bool apart, imp_account *account) {
    *account = (imp_account){.want_peaks = b->want_peaks};
    return (imp_compliant_problem){
        IMP_COMPLIANT_GIVEN(LOAD).constrained = take(b->problem.constrained, cell, apart) != 0,
        .budget = b->budget, .want_turn = b->want_turn, .want_time = b->want_time,
        .account = b->want_account ? account : NULL};
}
#undef LOAD

#define STORE(name) give(b->result.name, cell, apart, result->name);
CODE void store_result(imp_compliant_block *b, const size_t *cell, bool apart,
                       const imp_compliant_result *result){IMP_COMPLIANT_FOUND(STORE)}
#undef STORE

#define STORE(name) give(b->account.name, cell, apart, account->name);
CODE void store_account(imp_compliant_block *b, const size_t *cell, bool apart,
                        const imp_account *account) {
    IMP_COMPLIANT_SUMS(STORE)
    for (int k = 0; k < IMP_COMPLIANT_SLIPS; k++) {
        give(b->account.slip_loss[k], cell, apart, account->slip_loss[k]);
    }
}
#undef STORE

CODE void store_cells(imp_compliant_block *b, const size_t *cell, bool apart,
                      const imp_compliant_result *result, const imp_account *account) {
    store_result(b, cell, apart, result);
    if (b->want_account) {
        store_account(b, cell, apart, account);
    }
}

#endif
