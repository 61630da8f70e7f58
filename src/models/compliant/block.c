#include "models/compliant/block.h"

#include "models/compliant/block_impl.h"

bool imp_compliant_swings(const imp_compliant_block *block, size_t i, double often) {
    double sum = 1 + block->problem.a[i];
    return block->problem.constrained[i] == 0 &&
           sum * sum > often * often * block->problem.determinant[i];
}

imp_compliant_problem imp_compliant_problem_at(const imp_compliant_block *block, size_t i,
                                               imp_compliant_account *account) {
    const double often = 500; /* 164 evaluations each: 14 steps */
    imp_compliant_problem problem;
    load_problem(block, &i, false, &problem, account);
    if (imp_compliant_swings(block, i, often)) {
        problem.budget = block->whole_budget;
    }
    return problem;
}

void imp_compliant_store(imp_compliant_block *block, size_t i, const imp_compliant_result *result,
                         const imp_compliant_account *account) {
    store_cells(block, &i, false, result, account);
}
