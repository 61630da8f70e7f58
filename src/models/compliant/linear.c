/* The linear law for one cell, which an observer may watch, and for blocks of cells. */
#include "models/compliant/bilinear_stick_impl.h"
#include "models/compliant/block.h"
#include "num/lane_width.h"

imp_compliant_result imp_linear_solve(const imp_compliant_problem *problem,
                                      imp_compliant_memory *memory) {
    return solve_linear(problem, memory, true);
}

imp_compliant_result imp_bilinear_solve(const imp_compliant_problem *problem,
                                        imp_compliant_memory *memory) {
    return solve_bilinear(problem, memory, true);
}

typedef void solve_block(imp_compliant_block *block, size_t n);
solve_block imp_linear_solve_block_2, imp_linear_solve_block_4, imp_linear_solve_block_8;

void imp_linear_solve_block(imp_compliant_block *block, size_t n) {
    IMP_WIDEST(imp_linear_solve_block)(block, n);
}
