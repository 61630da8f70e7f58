/* The six outputs that most maps have. A theory may lack some. */
#ifndef IMP_TESTS_BENCH_COMMON_OUTPUTS_H
#define IMP_TESTS_BENCH_COMMON_OUTPUTS_H

#include <stdbool.h>
#include <string.h>

static inline bool is_common_output(const char *output) {
    static const char *const common[] = {"mode",
                                         "kinematic_restitution",
                                         "kinetic_restitution",
                                         "energetic_restitution",
                                         "velocity_ratio_out",
                                         "energy_loss"};
    bool found = false;
    for (size_t k = 0; k < sizeof common / sizeof *common; k++) {
        found |= strcmp(output, common[k]) == 0;
    }
    return found;
}

#endif
