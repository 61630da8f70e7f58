#include "config/names.h"

#include <string.h>

#include "base/tables.h"
#include "base/text.h"
#include "models/signature.h"

int64_t imp_dimension_length(const imp_theory *theory, const char *name) {
    for (int o = 0; o < theory->n_outputs; o++) {
        const imp_output *output = &theory->outputs[o];
        if (output->dimension && strcmp(output->dimension, name) == 0) {
            return output->length;
        }
    }
    return 0;
}

bool imp_is_refined_group(const char *name) {
    static const char *const names[] = {"points",     "refinements", "labels",    "shares",
                                        "boundaries", "triangles",   "junctions", "regions",
                                        "borders",    "filaments",   "events"};
    return imp_word_number(name, names, IMP_COUNT(names)) >= 0;
}

bool imp_is_dataset(const imp_theory *theory, const char *name) {
    return strcmp(name, "outcome") == 0 || strcmp(name, "run") == 0 ||
           strncmp(name, "run_", 4) == 0 || imp_theory_output(theory, name) >= 0 ||
           imp_dimension_length(theory, name) > 0;
}
