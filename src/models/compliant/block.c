#include "models/compliant/block.h"

#include "models/compliant/block_impl.h"

imp_compliant_problem imp_compliant_problem_at(const imp_compliant_block *block, size_t i,
                                               imp_account *account) {
    imp_compliant_problem problem;
    load_problem(block, &i, false, &problem, account);
    return problem;
}

void imp_compliant_store(imp_compliant_block *block, size_t i, const imp_compliant_result *result,
                         const imp_account *account) {
    store_cells(block, &i, false, result, account);
}

void imp_compliant_solve_together(imp_compliant_block *block, size_t n,
                                  imp_compliant_solve_many *by) {
    imp_account account[IMP_COMPLIANT_BLOCK];
    imp_compliant_problem problem[IMP_COMPLIANT_BLOCK];
    const imp_compliant_problem *given[IMP_COMPLIANT_BLOCK] = {NULL};
    imp_compliant_result result[IMP_COMPLIANT_BLOCK];
    size_t cell[IMP_COMPLIANT_BLOCK], count = 0;
    const imp_compliant_result outside = {.outcome = IMP_OUTSIDE};
    for (size_t i = 0; i < n; i++) {
        load_problem(block, &i, false, &problem[count], &account[count]);
        given[count] = &problem[count];
        cell[count] = i;
        count += block->exists[i] != 0;
        store_result(block, &i, false, &outside);
    }
    by(given, count, result);
    for (size_t k = 0; k < count; k++) {
        store_cells(block, &cell[k], false, &result[k], &account[k]);
    }
}
