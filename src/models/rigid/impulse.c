#include "num/lanes/width.h"
#include "models/rigid/block.h"

IMP_EACH_WIDTH(imp_rigid_solve, (int law, imp_rigid_block *block, size_t n), imp_lane_width(),
               (law, block, n))

imp_rigid_path imp_rigid_path_at(const imp_rigid_block *b, size_t i) {
    imp_rigid_path path = {
        .halt = b->halt[i], .compression = b->compression[i], .work = b->work_c[i]};
    for (int k = 0; k < 2; k++) {
        path.phase_code[k] = (int)b->code[k][i];
        path.phase[k] = (imp_rigid_phase){b->rate_n[k][i], b->rate_t[k][i], b->rate_p_t[k][i]};
    }
    return path;
}

imp_rigid_result imp_rigid_result_at(const imp_rigid_block *b, size_t i) {
    return (imp_rigid_result){
        .outcome = (imp_outcome)b->outcome[i],
        .mode = (imp_rigid_mode)b->mode[i],
        .sequence = (uint64_t)b->sequence[i],
        .p_n = b->p_n[i],
        .p_t = b->p_t[i],
        .v_n = b->out_n[i],
        .v_t = b->out_t[i],
        .compression = b->compression[i],
        .rebound = b->rebound[i],
        .p_t_compression = b->p_t_c[i],
        .work_c = b->work_c[i],
        .work_r = b->work_r[i],
        .work_t = b->work_t[i],
        .change = b->change[i],
    };
}

void imp_rigid_solve_one(int law, const imp_rigid_problem *p, imp_rigid_path *path,
                         imp_rigid_result *result) {
    imp_rigid_block b = {
        .a = {p->a},
        .c = {p->c},
        .determinant = {p->determinant},
        .v_t = {p->v_t},
        .e = {p->e},
        .friction = {p->friction},
        .weight = {{p->weight[0]}, {p->weight[1]}},
        .constrained = {p->constrained},
        .impulse = {1},
        .want_path = true,
    };
    imp_rigid_solve(law, &b, 1);
    *path = imp_rigid_path_at(&b, 0);
    *result = imp_rigid_result_at(&b, 0);
}
