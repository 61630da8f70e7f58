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
