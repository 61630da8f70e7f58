/* The outputs of a search: places found, and the theory's own outputs at these places. */
#include <stdio.h>
#include <string.h>

#include "solve/search/search_impl.h"

static const imp_mode flags[] = {
    {1, "complete", "every root that the samples show is stored"},
    {2, "more_exist", "more roots were found than are stored"},
    {3, "may_hide_pair", "two roots are between the same two samples: there may be others"},
    {4, "more_exist_and_may_hide_pair", "more_exist and may_hide_pair"},
    {5, "gaps", "some samples failed: they are neither solved nor outside the domain"},
    {6, "more_exist_and_gaps", "more_exist and gaps"},
    {7, "may_hide_pair_and_gaps", "may_hide_pair and gaps"},
    {8, "more_exist_and_may_hide_pair_and_gaps", "more_exist, may_hide_pair and gaps"},
    {9, "outside", "complete, but some samples are outside the domain: see outside_share"},
    {10, "more_exist_and_outside", "more_exist and outside"},
    {11, "may_hide_pair_and_outside", "may_hide_pair and outside"},
    {12, "more_exist_and_may_hide_pair_and_outside", "more_exist, may_hide_pair and outside"},
    {13, "gaps_and_outside", "gaps and outside"},
    {14, "more_exist_and_gaps_and_outside", "more_exist, gaps and outside"},
    {15, "may_hide_pair_and_gaps_and_outside", "may_hide_pair, gaps and outside"},
    {16, "more_exist_and_may_hide_pair_and_gaps_and_outside",
     "more_exist, may_hide_pair, gaps and outside"},
};

imp_output *imp_search_add(imp_search *s, imp_search_found found, imp_output output) {
    if (s->theory.n_outputs == IMP_MAX_OUTPUTS) {
        return NULL;
    }
    s->found[s->theory.n_outputs] = found;
    s->outputs[s->theory.n_outputs] = output;
    return &s->outputs[s->theory.n_outputs++];
}

void imp_search_add_list(imp_search *s, imp_search_found found, imp_output output) {
    output.dimension = output.dimension ? output.dimension : "root_number";
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

imp_output imp_search_number(const char *name, const char *meaning) {
    return (imp_output){.name = name, .whole = true, .unit = "1", .meaning = meaning};
}

imp_output imp_search_value(const imp_search *s, const char *name, const char *meaning) {
    const imp_output *of = &s->plan.theory->outputs[s->plan.of];
    imp_output value = *of;
    value.name = name;
    value.meaning = meaning;
    value.label = NULL;
    value.undefined_in = 0;
    if (of->kind == IMP_CATEGORY) {
        value.categories = imp_output_categories(s->plan.theory, of, &value.n_categories);
    }
    return value;
}

imp_output imp_search_place(imp_search *s, int k, const char *name, const char *meaning,
                            const char *after) {
    imp_output place = {
        .name = name, .unit = s->unit[k], .meaning = meaning, .exact = true, .own_unit = true};
    if (after) {
        place.label = imp_search_label(s->at_label[k], sizeof s->at_label[k], "",
                                       s->plan.over[k].parameter->name, after);
    }
    return place;
}

imp_output imp_search_at(imp_search *s, int k, const char *meaning, const char *after) {
    snprintf(s->at_name[k], sizeof s->at_name[k], "at_%s", s->plan.over[k].parameter->name);
    return imp_search_place(s, k, s->at_name[k], meaning, after);
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

void imp_search_add_count(imp_search *s, const char *meaning) {
    imp_search_add(s, IMP_FOUND_COUNT, imp_search_number("root_count", meaning));
}

void imp_search_add_flag(imp_search *s) {
    imp_search_add(s, IMP_FOUND_FLAG,
                   imp_search_category("root_flag", "whether roots may be missing", flags,
                                       (int)(sizeof flags / sizeof *flags)));
}

void imp_search_add_modes(imp_search *s, const char *below, const char *above) {
    const imp_theory *inner = s->plan.theory;
    const imp_output modes[] = {
        imp_search_category("mode_below", below, inner->modes, inner->n_modes),
        imp_search_category("mode_above", above, inner->modes, inner->n_modes)};
    for (int k = 0; k < 2; k++) {
        imp_search_found found = k ? IMP_FOUND_ABOVE : IMP_FOUND_BELOW;
        if (s->plan.kind->finds_roots) {
            imp_search_add_list(s, found, modes[k]);
        } else {
            imp_search_add(s, found, modes[k]);
        }
    }
}

void imp_search_add_places(imp_search *s, const char *after) {
    for (int k = 0; k < 2; k++) {
        snprintf(s->width_name[k], sizeof s->width_name[k], "at_%s_bracket",
                 s->plan.over[k].parameter->name);
        imp_search_add_list(
            s, (imp_search_found)(IMP_FOUND_AT + k),
            imp_search_at(s, k, "value of the searched parameter at the place found", after));
        imp_search_add_list(s, (imp_search_found)(IMP_FOUND_WIDTH + k),
                            imp_search_place(s, k, s->width_name[k],
                                             "width of the bracket around the place found", NULL));
    }
}

void imp_search_add_plane(imp_search *s) {
    imp_search_add_flag(s);
    imp_search_add(s, IMP_FOUND_HIDDEN,
                   imp_search_number("hidden",
                                     "number of places where something may be hidden: dust, strips "
                                     "narrower than the search resolves"));
    imp_search_add(s, IMP_FOUND_COST,
                   imp_search_number("search_cells", "cells of the theory that the search solved"));
    imp_search_add_outside(s);
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
