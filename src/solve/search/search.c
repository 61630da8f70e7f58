/* The description of a search as a theory: parameters, choices and outputs. */
#include "solve/search/search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/search/cell.h"

static const imp_mode sides[] = {
    {IMP_SIDE_ENTERS, "enters", "above it the category lies in the set"},
    {IMP_SIDE_LEAVES, "leaves", "below it the category lies in the set"},
    {IMP_SIDE_RISES, "rises", "the output grows beyond the value"},
    {IMP_SIDE_FALLS, "falls", "the output falls below the value"},
};

static const imp_mode flags[] = {
    {1, "complete", "every root that the samples show is there"},
    {2, "more_exist", "more roots were found than are stored"},
    {3, "may_hide_pair", "two roots lie between two samples: there may be others"},
    {4, "more_exist_and_may_hide_pair", "both"},
    {5, "gaps", "some samples were not solved, and are not outside the domain either"},
    {6, "more_exist_and_gaps", "both"},
    {7, "may_hide_pair_and_gaps", "both"},
    {8, "more_exist_and_may_hide_pair_and_gaps", "all three"},
};

static const imp_mode places[] = {
    {IMP_PLACE_INTERIOR, "interior", "a smooth extreme or a kink within one mode"},
    {IMP_PLACE_BOUNDARY, "mode_boundary", "at a change of mode; the value is that on its own side"},
    {IMP_PLACE_END, "end", "at an end of the range"},
};

const char *imp_find_name(imp_find find) {
    static const char *const names[] = {
#define FIND_NAME(symbol, name) #name,
        IMP_FINDS(FIND_NAME)
#undef FIND_NAME
    };
    return names[find];
}

bool imp_search_code(const imp_theory *theory, int output, const char *name, uint64_t *bit) {
    int n;
    const imp_mode *codes = imp_output_categories(theory, &theory->outputs[output], &n);
    for (int i = 0; i < n; i++) {
        if (strcmp(codes[i].name, name) == 0) {
            *bit = UINT64_C(1) << codes[i].code;
            return true;
        }
    }
    return false;
}

const imp_theory *imp_search_theory(const imp_search *search) {
    return &search->theory;
}

const imp_search_plan *imp_search_plan_of(const imp_search *search) {
    return &search->plan;
}

static void print_set(const imp_search_plan *plan, imp_text *text) {
    int n;
    const imp_output *of = &plan->theory->outputs[plan->of];
    const imp_mode *codes = imp_output_categories(plan->theory, of, &n);
    imp_text_print(text, " in");
    for (int i = 0; i < n; i++) {
        if (plan->inside >> codes[i].code & 1) {
            imp_text_print(text, " %s", codes[i].name);
        }
    }
}

static void print_aim(const imp_search_plan *plan, int digits, imp_text *text) {
    imp_text_print(text, "%s of %s", imp_find_name(plan->find),
                   plan->theory->outputs[plan->of].name);
    if (plan->find == IMP_FIND_BOUNDARY) {
        print_set(plan, text);
    } else if (plan->find == IMP_FIND_TARGET) {
        imp_text_print(text, " = %.*g", digits, plan->value);
    }
}

void imp_search_print_title(const imp_search *search, imp_text *text) {
    const imp_search_plan *plan = &search->plan;
    print_aim(plan, 6, text);
    for (int k = 0; k < plan->n_over; k++) {
        const imp_over *over = &plan->over[k];
        bool angle = imp_parameter_is_angle(over->parameter);
        double unit = angle ? 180 / 3.14159265358979323846 : 1;
        imp_text_print(text, "%s %s %.6g to %.6g%s", k ? " and" : " over", over->parameter->name,
                       over->from * unit, over->to * unit, angle ? " deg" : "");
    }
}

void imp_search_print(const imp_search *search, imp_text *text) {
    const imp_search_plan *plan = &search->plan;
    print_aim(plan, 17, text);
    for (int k = 0; k < plan->n_over; k++) {
        const imp_over *over = &plan->over[k];
        imp_text_print(text, ", over %s from %.17g to %.17g (%d samples%s)", over->parameter->name,
                       over->from, over->to, over->samples, over->logarithmic ? ", log" : "");
    }
    imp_text_print(text, ", tolerance %g", plan->tolerance);
    if (plan->find == IMP_FIND_BOUNDARY || plan->find == IMP_FIND_TARGET) {
        imp_text_print(text, ", at most %d", plan->max_roots);
    }
}

/* ---- parameters and choices, without those that are searched over ---- */

static const char *meaning_of(const imp_parameter *parameter) {
    return parameter->stands_for ? parameter->stands_for : parameter->name;
}

bool imp_search_covers(const imp_search_plan *plan, const imp_parameter *parameter) {
    for (int k = 0; k < plan->n_over; k++) {
        if (strcmp(meaning_of(plan->over[k].parameter), meaning_of(parameter)) == 0) {
            return true;
        }
    }
    return false;
}

/* A copy of a list of parameters; NULL when memory is out. */
static const imp_parameter **others(imp_search *s, const imp_parameter *const *list, int n,
                                    int *n_left) {
    const imp_parameter **left = calloc((size_t)n + 1, sizeof *left);
    *n_left = 0;
    for (int i = 0; left && i < n; i++) {
        if (!imp_search_covers(&s->plan, list[i])) {
            left[(*n_left)++] = list[i];
        }
    }
    s->owned[s->n_owned++] = left;
    return left;
}

static bool copy_option(imp_search *s, const imp_option *from, imp_option *to) {
    *to = *from;
    to->parameters = others(s, from->parameters, from->n_parameters, &to->n_parameters);
    return to->parameters;
}

static bool copy_choice(imp_search *s, const imp_choice *from, imp_choice *to) {
    imp_option *options = calloc((size_t)from->n_options, sizeof *options);
    const imp_option **list = calloc((size_t)from->n_options, sizeof *list);
    s->owned[s->n_owned++] = options;
    s->owned[s->n_owned++] = list;
    *to = *from;
    to->options = list;
    bool good = options && list;
    for (int o = 0; good && o < from->n_options; o++) {
        good = copy_option(s, from->options[o], &options[o]);
        list[o] = &options[o];
    }
    return good;
}

static bool copy_choices(imp_search *s) {
    const imp_theory *inner = s->plan.theory;
    size_t most = 4;
    for (int c = 0; c < inner->n_choices; c++) {
        most += 2 + (size_t)inner->choices[c].n_options;
    }
    s->owned = calloc(most, sizeof *s->owned);
    bool good = s->owned;
    if (good) {
        s->theory.parameters =
            others(s, inner->parameters, inner->n_parameters, &s->theory.n_parameters);
        good = s->theory.parameters;
    }
    for (int c = 0; good && c < inner->n_choices; c++) {
        good = copy_choice(s, &inner->choices[c], &s->choices[c]);
    }
    s->theory.choices = s->choices;
    return good;
}

/* ---- outputs ---- */

static imp_output *add_output(imp_search *s, imp_found found, imp_output output) {
    if (s->theory.n_outputs == IMP_MAX_OUTPUTS) {
        return NULL;
    }
    s->found[s->theory.n_outputs] = found;
    s->outputs[s->theory.n_outputs] = output;
    return &s->outputs[s->theory.n_outputs++];
}

/* An output with one value per root. */
static void add_list(imp_search *s, imp_found found, const char *dimension, imp_output output) {
    output.dimension = dimension;
    output.length = s->plan.max_roots;
    add_output(s, found, output);
}

static imp_output category(const char *name, const char *meaning, const imp_mode *codes, int n) {
    return (imp_output){.name = name,
                        .unit = "1",
                        .meaning = meaning,
                        .kind = IMP_CATEGORY,
                        .categories = codes,
                        .n_categories = n};
}

static imp_output place(const imp_parameter *parameter, const char *name, const char *meaning) {
    return (imp_output){
        .name = name, .unit = parameter->unit, .meaning = meaning, .exact = true, .own_unit = true};
}

#define CATEGORY(name, meaning, codes)                                                             \
    category(name, meaning, codes, (int)(sizeof(codes) / sizeof *(codes)))

/* Text of a format with a name in words. */
static const char *label(char *text, size_t size, const char *before, const char *name,
                         const char *after) {
    snprintf(text, size, "%s%s%s", before, name, after);
    for (char *at = text; *at; at++) {
        *at = *at == '_' ? ' ' : *at;
    }
    return text;
}

static void add_roots(imp_search *s) {
    static const char *const number = "root_number";
    const imp_parameter *over = s->plan.over[0].parameter;
    const imp_theory *inner = s->plan.theory;
    bool boundary = s->plan.find == IMP_FIND_BOUNDARY;
    imp_output root = place(over, "root",
                            boundary ? "where the category enters or leaves the set, inside it"
                                     : "where the output takes the value");
    root.label = label(s->label, sizeof s->label, "", over->name,
                       boundary ? " of the boundary" : " of the root");
    add_list(s, IMP_FOUND_ROOT, number, root);
    add_output(s, IMP_FOUND_COUNT,
               (imp_output){.name = "root_count",
                            .unit = "1",
                            .meaning = "roots found, also those beyond the number stored"});
    add_list(s, IMP_FOUND_SIDE, number, CATEGORY("root_side", "which way it goes", sides));
    add_list(s, IMP_FOUND_BRACKET, number,
             place(over, "root_bracket", "width of the bracket around the root"));
    add_output(s, IMP_FOUND_FLAG, CATEGORY("root_flag", "whether roots may be missing", flags));
    add_list(s, IMP_FOUND_BELOW, number,
             category("mode_below", "mode just below the root", inner->modes, inner->n_modes));
    add_list(s, IMP_FOUND_ABOVE, number,
             category("mode_above", "mode just above the root", inner->modes, inner->n_modes));
}

static void add_jumps(imp_search *s) {
    add_list(s, IMP_FOUND_JUMP, "jump_number",
             place(s->plan.over[0].parameter, "jump", "where the output leaps over the value"));
    add_output(s, IMP_FOUND_JUMP_COUNT,
               (imp_output){.name = "jump_count",
                            .unit = "1",
                            .meaning = "leaps found, also those beyond the number stored"});
}

static void add_extreme(imp_search *s) {
    static const imp_found founds[IMP_MAX_OVER] = {IMP_FOUND_AT, IMP_FOUND_AT_SECOND};
    const imp_theory *inner = s->plan.theory;
    imp_output extreme = inner->outputs[s->plan.of];
    bool largest = s->plan.find == IMP_FIND_MAXIMUM;
    extreme.label =
        label(s->label, sizeof s->label, largest ? "largest " : "smallest ", extreme.name, "");
    extreme.name = "extreme";
    extreme.undefined_in = 0;
    extreme.exact = true;
    add_output(s, IMP_FOUND_EXTREME, extreme);
    for (int k = 0; k < s->plan.n_over; k++) {
        snprintf(s->at_name[k], sizeof s->at_name[k], "at_%s", s->plan.over[k].parameter->name);
        imp_output at = place(s->plan.over[k].parameter, s->at_name[k], "where the extreme lies");
        at.label = label(s->at_label[k], sizeof s->at_label[k], "", s->plan.over[k].parameter->name,
                         largest ? " of the maximum" : " of the minimum");
        add_output(s, founds[k], at);
    }
    add_output(s, IMP_FOUND_PLACE, CATEGORY("extreme_place", "what lies there", places));
    add_output(s, IMP_FOUND_BELOW,
               category("mode_below", "mode just below it", inner->modes, inner->n_modes));
    add_output(s, IMP_FOUND_ABOVE,
               category("mode_above", "mode just above it", inner->modes, inner->n_modes));
}

/* What the theory says at the place that was found. One per root, its mode stands in mode_below or
 * mode_above, and lists would need a dimension more. */
static void add_others(imp_search *s) {
    const imp_theory *inner = s->plan.theory;
    bool roots = s->plan.find == IMP_FIND_BOUNDARY || s->plan.find == IMP_FIND_TARGET;
    for (int o = 0; o < inner->n_outputs; o++) {
        imp_output output = inner->outputs[o];
        if (roots && (output.dimension || strcmp(output.name, "mode") == 0)) {
            continue;
        }
        output.undefined_in = roots ? 0 : output.undefined_in;
        output.dimension = roots ? "root_number" : output.dimension;
        output.length = roots ? s->plan.max_roots : output.length;
        if (add_output(s, IMP_FOUND_OTHER, output)) {
            s->inner_output[s->theory.n_outputs - 1] = o;
        }
    }
}

static bool has_output(const imp_theory *self, const int *chosen, int output) {
    const imp_search *s = (const imp_search *)self;
    const imp_theory *inner = s->plan.theory;
    return s->found[output] != IMP_FOUND_OTHER || !inner->has_output ||
           inner->has_output(inner, chosen, s->inner_output[output]);
}

imp_search *imp_search_make(const imp_search_plan *plan) {
    imp_search *s = calloc(1, sizeof *s);
    if (!s) {
        return NULL;
    }
    s->plan = *plan;
    s->theory = *plan->theory;
    s->theory.n_outputs = 0;
    s->theory.outputs = s->outputs;
    s->theory.has_output = has_output;
    s->theory.open = imp_search_cell_open;
    s->theory.close = imp_search_cell_close;
    s->theory.solve = imp_search_cell_solve;
    s->theory.history = NULL;
    s->theory.trace = NULL;
    s->theory.refuse = NULL;
    if (!copy_choices(s)) {
        imp_search_free(&s);
        return NULL;
    }
    if (plan->find == IMP_FIND_BOUNDARY || plan->find == IMP_FIND_TARGET) {
        add_roots(s);
    } else {
        add_extreme(s);
    }
    if (plan->find == IMP_FIND_TARGET) {
        add_jumps(s);
    }
    add_others(s);
    return s;
}

void imp_search_free(imp_search **search) {
    imp_search *s = *search;
    if (!s) {
        return;
    }
    for (int i = 0; i < s->n_owned; i++) {
        free((void *)s->owned[i]);
    }
    free((void *)s->owned);
    free(s);
    *search = NULL;
}
