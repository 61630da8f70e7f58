/* The linear law for a block of cells. Compiled once for each width; see num/lanes.h. */
#include "models/compliant/bilinear_stick_impl.h"
#include "models/compliant/block_impl.h"

#define PUT(name) put(here, &result->name, value->name);
CODE void put_result(truth here, imp_compliant_result *result,
                     const imp_compliant_result *value){IMP_COMPLIANT_FOUND(PUT)}
#undef PUT

CODE void solve_lanes(imp_compliant_block *b, const size_t *cell, bool apart,
                      imp_compliant_memory *memory) {
    imp_account account;
    imp_compliant_problem p = load_problem(b, cell, apart, &account);
    imp_compliant_result result = {.outcome = number(0)};
    truth here = take(b->exists, cell, apart) != 0;
    truth keeps = here & not(p.restitution < 1), loses = here & (p.restitution < 1);
    if (any(keeps)) {
        result = solve_linear(&p, memory, keeps);
    }
    if (any(loses)) {
        imp_compliant_result found = solve_bilinear(&p, memory, loses);
        put_result(loses, &result, &found);
    }
    put(not(here), &result.outcome, number(IMP_OUTSIDE));
    store_cells(b, cell, apart, &result, &account);
}

void IMP_OF_THIS_WIDTH(imp_linear_solve_block)(imp_compliant_block *b, size_t n,
                                               const imp_compliant_order *order);
void IMP_OF_THIS_WIDTH(imp_linear_solve_block)(imp_compliant_block *b, size_t n,
                                               const imp_compliant_order *order) {
    imp_compliant_memory memory = {.loading = {.a = number(0)}};
    if (order->apart) {
        for (size_t i = 0; i < n; i += IMP_LANES) {
            solve_lanes(b, &order->cell[i], true, &memory);
        }
        return;
    }
    for (size_t i = 0; i < n; i += IMP_LANES) {
        solve_lanes(b, &order->cell[i], false, &memory);
    }
}
