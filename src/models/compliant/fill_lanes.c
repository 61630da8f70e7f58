/* Columns of a block in which cells have the same numbers. Compiled once for each width; see
 * num/lanes/lanes.h. */
#include "models/compliant/block.h"
#include "num/lanes/words.h"

IMP_IN_LANES(imp_compliant_fill,
             (const imp_compliant_shared *shared, size_t n_shared, size_t at, size_t end)) {
    for (size_t k = 0; k < n_shared; k++) {
        double *column = shared[k].column, value = shared[k].value;
        size_t i = at;
        for (; i + IMP_LANES <= end; i += IMP_LANES) {
            imp_lanes_store(&column[i], number(value));
        }
        for (; i < end; i++) {
            column[i] = value;
        }
    }
}
