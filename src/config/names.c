#include "config/names.h"

#include <ctype.h>
#include <string.h>

#include "base/tables.h"
#include "base/text.h"
#include "models/signature.h"

bool imp_is_identifier(const char *name) {
    const char *at = name;
    while (isalpha((unsigned char)*at) || *at == '_' ||
           (at > name && isdigit((unsigned char)*at))) {
        at++;
    }
    return at > name && *at == 0;
}

static bool is_dimension(const imp_theory *theory, const char *name) {
    for (int o = 0; o < theory->n_outputs; o++) {
        if (theory->outputs[o].dimension && strcmp(theory->outputs[o].dimension, name) == 0) {
            return true;
        }
    }
    return false;
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
           is_dimension(theory, name);
}
