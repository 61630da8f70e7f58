/* Cells of a block in lanes: cell i in the first lane. */
#ifndef IMP_MODELS_COMPLIANT_BLOCK_IMPL_H
#define IMP_MODELS_COMPLIANT_BLOCK_IMPL_H

#include "models/compliant/block.h"

#define LOAD(name) .name = imp_lanes_load(&b->problem.name[i]),
CODE imp_compliant_problem load_problem(const imp_compliant_block *b, size_t i,
                                        imp_account *account) {
    *account = (imp_account){.want_peaks = b->want_peaks};
    return (imp_compliant_problem){
        IMP_COMPLIANT_GIVEN(LOAD).constrained = imp_lanes_load(&b->problem.constrained[i]) != 0,
        .budget = b->budget, .want_turn = b->want_turn, .want_time = b->want_time,
        .account = b->want_account ? account : NULL};
}
#undef LOAD

#define STORE(name) imp_lanes_store(&b->result.name[i], result->name);
CODE void store_result(imp_compliant_block *b, size_t i,
                       const imp_compliant_result *result){IMP_COMPLIANT_FOUND(STORE)}
#undef STORE

#define STORE(name) imp_lanes_store(&b->account.name[i], account->name);
CODE void store_account(imp_compliant_block *b, size_t i, const imp_account *account) {
    IMP_COMPLIANT_SUMS(STORE)
    for (int k = 0; k < IMP_COMPLIANT_SLIPS; k++) {
        imp_lanes_store(&b->account.slip_loss[k][i], account->slip_loss[k]);
    }
}
#undef STORE

CODE void store_cells(imp_compliant_block *b, size_t i, const imp_compliant_result *result,
                      const imp_account *account) {
    store_result(b, i, result);
    if (b->want_account) {
        store_account(b, i, account);
    }
}

#endif
