#include "support/impulse.h"

#include "models/rigid/block.h"
#include "num/lanes/gather.h"

void impulse_solve(int law, const imp_rigid_problem *problem, imp_rigid_path *path,
                   imp_rigid_result *result) {
    imp_rigid_block b = {.impulse = {1}, .want_path = true};
    IMP_STORE_COLUMNS(problem, IMP_RIGID_BLOCK, 0, &b.problem);
    imp_rigid_solve(law, &b, 1);
    IMP_LOAD_COLUMNS(&b.path, IMP_RIGID_BLOCK, 0, path);
    IMP_LOAD_COLUMNS(&b.result, IMP_RIGID_BLOCK, 0, result);
}
