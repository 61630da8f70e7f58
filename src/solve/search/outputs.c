/* The outputs of a search: places found, and the theory's own outputs at these places. */
#include <stdio.h>
#include <string.h>

#include "solve/search/search_impl.h"

imp_output *imp_search_add(imp_search *s, imp_search_found found, imp_output output) {
    if (s->theory.n_outputs == IMP_MAX_OUTPUTS) {
        return NULL;
    }
    s->found[s->theory.n_outputs] = found;
    s->outputs[s->theory.n_outputs] = output;
    return &s->outputs[s->theory.n_outputs++];
}

void imp_search_add_list(imp_search *s, imp_search_found found, const char *dimension,
                         imp_output output) {
    output.dimension = dimension;
    output.length = s->plan.max_roots;
    imp_search_add(s, found, output);
}

imp_output imp_search_category(const char *name, const char *meaning, const imp_mode *codes,
                               int n) {
    return (imp_output){.name = name,
                        .unit = "1",
                        .meaning = meaning,
                        .kind = IMP_CATEGORY,
                        .categories = codes,
                        .n_categories = n};
}

imp_output imp_search_place(const imp_search *search, int k, const char *name,
                            const char *meaning) {
    return (imp_output){
        .name = name, .unit = search->unit[k], .meaning = meaning, .exact = true, .own_unit = true};
}

const char *imp_search_label(char *text, size_t size, const char *before, const char *name,
                             const char *after) {
    snprintf(text, size, "%s%s%s", before, name, after);
    for (char *at = text; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return text;
}

void imp_search_add_outside(imp_search *s) {
    imp_search_add(s, IMP_FOUND_OUTSIDE,
                   (imp_output){.name = "outside_share",
                                .unit = "1",
                                .meaning =
                                    "part of the samples that is outside the domain: there is "
                                    "nothing to find in this part of the range"});
}

/* A search for roots leaves out the mode, which mode_below and mode_above contain, and outputs that
 * are lists, which would need another dimension. */
void imp_search_add_others(imp_search *s) {
    const imp_theory *inner = s->plan.theory;
    bool roots = s->plan.kind->finds_roots;
    for (int o = 0; o < inner->n_outputs; o++) {
        imp_output output = inner->outputs[o];
        if (roots && (output.dimension || strcmp(output.name, "mode") == 0)) {
            continue;
        }
        output.undefined_in = roots ? 0 : output.undefined_in;
        output.dimension = roots ? "root_number" : output.dimension;
        output.length = roots ? s->plan.max_roots : output.length;
        if (imp_search_add(s, IMP_FOUND_OTHER, output)) {
            s->inner_output[s->theory.n_outputs - 1] = o;
        }
    }
}
