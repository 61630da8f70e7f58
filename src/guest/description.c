#include "guest/description.h"

#include <math.h>
#include <string.h>

#include "base/tables.h"
#include "base/text.h"
#include "base/unit.h"
#include "models/signature.h"

typedef struct reader {
    imp_guest_tables *tables;
    imp_text *why;
    bool wrong;
} reader;

/* Notes an error: "parameter 'angle': has no unit". what: "parameter"; name: NULL for the whole. */
static void say(reader *r, const char *what, const char *name, const char *problem) {
    const char *end = r->wrong ? "\n" : "";
    if (name) {
        imp_text_print(r->why, "%s%s '%s' %s", end, what, name, problem);
    } else {
        imp_text_print(r->why, "%s%s %s", end, what, problem);
    }
    r->wrong = true;
}

/* ---- members ---- */

/* A member of an object; NULL where it is missing or of another kind, which is an error: "is no
 * text". A text or a number may be null. */
static const imp_node *member_of(reader *r, const imp_node *object, const char *member,
                                 imp_node_kind kind, const char *problem) {
    const imp_node *node = imp_node_member(object, member);
    bool may_be_null = kind == IMP_NODE_TEXT || kind == IMP_NODE_NUMBER;
    if (!node || (may_be_null && node->kind == IMP_NODE_NULL)) {
        return NULL;
    }
    if (node->kind != kind) {
        say(r, "the member", member, problem);
    }
    return node->kind == kind ? node : NULL;
}

static const char *text_of(reader *r, const imp_node *object, const char *member,
                           const char *otherwise) {
    const imp_node *node = member_of(r, object, member, IMP_NODE_TEXT, "is no text");
    return node ? node->text : otherwise;
}

static double number_of(reader *r, const imp_node *object, const char *member, double otherwise) {
    const imp_node *node = member_of(r, object, member, IMP_NODE_NUMBER, "is no number");
    return node ? node->number : otherwise;
}

static bool truth_of(reader *r, const imp_node *object, const char *member) {
    const imp_node *node =
        member_of(r, object, member, IMP_NODE_TRUTH, "is neither true nor false");
    return node && node->truth;
}

/* The first element of a list; NULL: there is none. */
static const imp_node *list_of(reader *r, const imp_node *object, const char *member) {
    const imp_node *node = member_of(r, object, member, IMP_NODE_LIST, "is no list");
    return node ? node->first : NULL;
}

/* Names that commands, formulas and map files use themselves. */
static bool is_taken(const char *name) {
    static const char *const words[] = {
        "command", "cell_time", "memory_limit", "variables", "outcome",    "run",
        "model",   "case",      "points",       "labels",    "shares",     "boundaries",
        "regions", "borders",   "junctions",    "triangles", "refinements"};
    return strncmp(name, "run_", 4) == 0 || imp_word_number(name, words, IMP_COUNT(words)) >= 0;
}

static bool is_word(const char *name) {
    return imp_is_identifier(name) && strlen(name) <= IMP_GUEST_NAME;
}

/* The name of an object of a list: a word. */
static const char *name_of(reader *r, const imp_node *object, const char *what) {
    const char *name = text_of(r, object, "name", NULL);
    if (!name) {
        say(r, what, NULL, "without a name");
        return "";
    }
    if (!is_word(name)) {
        say(r, what, name, "has no name of letters, digits and _, 63 at most");
    }
    return name;
}

/* ---- parameters ---- */

/* A value inside the range. */
static double example_of(const imp_parameter *p) {
    double finite = isfinite(p->low) ? p->low : isfinite(p->high) ? p->high : 0;
    double step = isfinite(p->low) && isfinite(p->high) ? (p->high - p->low) / 2
                  : isfinite(p->low)                    ? 1
                  : isfinite(p->high)                   ? -1
                                                        : 0;
    double example = isnan(p->fallback) ? finite + step : p->fallback;
    return p->whole ? floor(example) : example;
}

static void check_parameter(reader *r, const imp_parameter *p) {
    imp_measure measure;
    if (!imp_measure_read(p->unit, &measure) || measure.factor != 1 || measure.tens != 0) {
        say(r, "the parameter", p->name,
            "has no SI unit: such as rad, m, kg, N/m, or 1 for a number");
    }
    if (!(p->low <= p->high)) {
        say(r, "the parameter", p->name, "has a range whose low end is above the high one");
    } else if (!isnan(p->fallback) && !imp_parameter_admits(p, p->fallback)) {
        say(r, "the parameter", p->name, "has a default outside its range");
    } else if (!imp_parameter_admits(p, p->example)) {
        say(r, "the parameter", p->name, "has an example outside its range");
    }
    if (is_taken(p->name)) {
        say(r, "the parameter", p->name, "has a name that is used otherwise");
    }
}

static void read_parameters(reader *r, const imp_node *root) {
    imp_guest_tables *t = r->tables;
    const imp_node *one = list_of(r, root, "parameters");
    for (; one && t->n_parameters < IMP_MAX_PARAMETERS; one = one->next) {
        imp_parameter *p = &t->parameters[t->n_parameters++];
        *p = (imp_parameter){.name = name_of(r, one, "a parameter")};
        p->unit = text_of(r, one, "unit", "1");
        p->meaning = text_of(r, one, "meaning", p->name);
        p->low = number_of(r, one, "low", -INFINITY);
        p->high = number_of(r, one, "high", INFINITY);
        p->low_open = truth_of(r, one, "low_open") || isinf(p->low);
        p->high_open = truth_of(r, one, "high_open") || isinf(p->high);
        p->whole = truth_of(r, one, "whole");
        p->fallback = number_of(r, one, "default", NAN);
        p->example = number_of(r, one, "example", example_of(p));
        check_parameter(r, p);
    }
    if (one) {
        say(r, "more than 64 parameters:", NULL, "too many");
    }
}

static const imp_parameter *find_parameter(const imp_guest_tables *t, const char *name) {
    for (int p = 0; p < t->n_parameters; p++) {
        if (strcmp(t->parameters[p].name, name) == 0) {
            return &t->parameters[p];
        }
    }
    return NULL;
}

/* ---- choices ---- */

static void read_option(reader *r, const imp_node *node) {
    imp_guest_tables *t = r->tables;
    int place = t->n_options++;
    imp_option *option = &t->options[place];
    *option = (imp_option){.name = name_of(r, node, "an option")};
    option->meaning = text_of(r, node, "meaning", option->name);
    option->parameters = t->of_options[place];
    const imp_node *one = list_of(r, node, "parameters");
    for (; one && option->n_parameters < IMP_MAX_PARAMETERS; one = one->next) {
        const imp_parameter *p = one->kind == IMP_NODE_TEXT ? find_parameter(t, one->text) : NULL;
        if (p) {
            t->of_options[place][option->n_parameters++] = p;
        } else {
            say(r, "the option", option->name, "lists a parameter that is not described");
        }
    }
    t->option_list[place] = option;
}

static void read_choice(reader *r, const imp_node *node) {
    imp_guest_tables *t = r->tables;
    imp_choice *choice = &t->choices[t->theory.n_choices++];
    const char *fallback = text_of(r, node, "default", NULL);
    *choice = (imp_choice){.name = name_of(r, node, "a choice"), .fallback = -1};
    choice->meaning = text_of(r, node, "meaning", choice->name);
    choice->options = &t->option_list[t->n_options];
    const imp_node *one = list_of(r, node, "options");
    for (; one && t->n_options < IMP_GUEST_OPTIONS; one = one->next) {
        read_option(r, one);
        choice->n_options++;
    }
    choice->fallback = fallback ? imp_choice_option(choice, fallback) : -1;
    if (choice->n_options == 0 || one || (fallback && choice->fallback < 0)) {
        say(r, "the choice", choice->name,
            "has no options, too many of them, or a default that is none of them");
    }
    if (is_taken(choice->name) || find_parameter(t, choice->name)) {
        say(r, "the choice", choice->name, "has a name that is used otherwise");
    }
}

static void read_choices(reader *r, const imp_node *root) {
    const imp_node *one = list_of(r, root, "choices");
    for (; one && r->tables->theory.n_choices < IMP_MAX_CHOICES; one = one->next) {
        read_choice(r, one);
    }
    if (one) {
        say(r, "more than 4 choices:", NULL, "too many");
    }
}

/* Parameters that no option lists apply under every choice. */
static void find_common(imp_guest_tables *t) {
    for (int p = 0; p < t->n_parameters; p++) {
        bool listed = false;
        for (int o = 0; o < t->n_options; o++) {
            for (int k = 0; k < t->options[o].n_parameters; k++) {
                listed |= t->of_options[o][k] == &t->parameters[p];
            }
        }
        if (!listed) {
            t->common[t->theory.n_parameters++] = &t->parameters[p];
        }
    }
}

/* ---- outputs ---- */

/* The codes 1, 2, ... of a category, in the order of the list. */
static void read_codes(reader *r, const imp_node *one, imp_output *output) {
    imp_guest_tables *t = r->tables;
    output->kind = IMP_CATEGORY;
    output->categories = &t->codes[t->n_codes];
    for (; one && output->n_categories < 63 && t->n_codes < IMP_GUEST_CODES; one = one->next) {
        imp_mode *mode = &t->codes[t->n_codes++];
        *mode = (imp_mode){.code = ++output->n_categories, .name = name_of(r, one, "a category")};
        mode->meaning = text_of(r, one, "meaning", mode->name);
    }
    if (one || output->n_categories == 0) {
        say(r, "the output", output->name, "has no categories, or more than 63");
    }
}

/* The modes in which an output is undefined, a list of names. */
static void read_undefined(reader *r, const imp_node *one, imp_output *output) {
    const imp_theory *theory = &r->tables->theory;
    for (; one; one = one->next) {
        int code = 0;
        for (int m = 0; one->kind == IMP_NODE_TEXT && m < theory->n_modes; m++) {
            code = strcmp(theory->modes[m].name, one->text) == 0 ? theory->modes[m].code : code;
        }
        output->undefined_in |= code ? UINT64_C(1) << code : 0;
        if (!code) {
            say(r, "the output", output->name, "is undefined in a mode that is not described");
        }
    }
}

static void check_output(reader *r, const imp_output *output) {
    const imp_guest_tables *t = r->tables;
    imp_measure measure;
    bool listed = output->dimension || output->length;
    if (!imp_measure_read(output->unit, &measure)) {
        say(r, "the output", output->name, "has no SI unit: such as rad, m, N s, or 1");
    }
    if (listed && (!output->dimension || !is_word(output->dimension) || output->length < 1 ||
                   output->length > 1024)) {
        say(r, "the output", output->name,
            "has a dimension without a length of 1 to 1024, or the other way round");
    }
    if (is_taken(output->name) || find_parameter(t, output->name) ||
        imp_theory_choice(&t->theory, output->name) >= 0) {
        say(r, "the output", output->name, "has a name that is used otherwise");
    }
}

static void read_output(reader *r, const imp_node *node) {
    imp_guest_tables *t = r->tables;
    imp_output *output = &t->outputs[t->theory.n_outputs];
    *output = (imp_output){.name = name_of(r, node, "an output")};
    output->unit = text_of(r, node, "unit", "1");
    output->meaning = text_of(r, node, "meaning", output->name);
    output->whole = truth_of(r, node, "whole");
    output->undefined_when = text_of(r, node, "undefined_when", NULL);
    output->dimension = text_of(r, node, "dimension", NULL);
    output->length = (int)number_of(r, node, "length", 0);
    if (imp_node_member(node, "categories")) {
        read_codes(r, list_of(r, node, "categories"), output);
    }
    const char *kind = text_of(r, node, "kind", NULL);
    if (kind && strcmp(kind, "sequence") == 0 && output->kind == IMP_REAL) {
        output->kind = IMP_SEQUENCE;
    } else if (kind) {
        say(r, "the output", output->name, "has a kind that is not 'sequence'");
    }
    bool is_mode = strcmp(output->name, "mode") == 0;
    if (is_mode && output->kind == IMP_CATEGORY && !output->dimension) {
        t->theory.modes = output->categories;
        t->theory.n_modes = output->n_categories;
        output->categories = NULL;
        output->n_categories = 0;
    } else if (is_mode) {
        say(r, "the output", "mode", "has no categories, or a dimension");
    }
    check_output(r, output);
    t->theory.n_outputs++;
}

/* The output `mode` comes first, because others name its categories. */
static void read_outputs(reader *r, const imp_node *root) {
    const imp_node *first = list_of(r, root, "outputs"), *one = first;
    for (; one && r->tables->theory.n_outputs < IMP_MAX_OUTPUTS; one = one->next) {
        read_output(r, one);
    }
    if (one || !first) {
        say(r, "no output,", NULL, "or more than 128");
    }
    int o = 0;
    for (one = first; one && o < r->tables->theory.n_outputs; one = one->next, o++) {
        read_undefined(r, list_of(r, one, "undefined_in"), &r->tables->outputs[o]);
    }
}

/* ---- the whole ---- */

static void check_twice(reader *r) {
    const imp_guest_tables *t = r->tables;
    for (int p = 0; p < t->n_parameters; p++) {
        if (find_parameter(t, t->parameters[p].name) != &t->parameters[p]) {
            say(r, "the parameter", t->parameters[p].name, "is described twice");
        }
    }
    for (int o = 0; o < t->theory.n_outputs; o++) {
        if (imp_theory_output(&t->theory, t->outputs[o].name) != o) {
            say(r, "the output", t->outputs[o].name, "is described twice");
        }
        const char *dimension = t->outputs[o].dimension;
        if (dimension && (find_parameter(t, dimension) || is_taken(dimension) ||
                          imp_theory_output(&t->theory, dimension) >= 0)) {
            say(r, "the dimension", dimension, "has the name of something else");
        }
        for (int k = 0; dimension && k < o; k++) {
            bool same = t->outputs[k].dimension && strcmp(t->outputs[k].dimension, dimension) == 0;
            if (same && t->outputs[k].length != t->outputs[o].length) {
                say(r, "the dimension", dimension, "has two lengths");
            }
        }
    }
}

static void read_head(reader *r, const imp_node *root) {
    static const char *const nothing = "none: the guest states none";
    imp_guest_tables *t = r->tables;
    double batch = number_of(r, root, "batch", IMP_GUEST_BATCH);
    if (number_of(r, root, "impactsweep_guest", 0) != IMP_GUEST_PROTOCOL) {
        say(r, "the member", "impactsweep_guest", "is not 1, the version of the protocol");
    }
    if (!(batch >= 1 && batch <= IMP_GUEST_BATCH)) {
        say(r, "the member", "batch", "is not between 1 and 17408");
        batch = 1;
    }
    t->batch = (int)batch;
    bool few = t->batch < IMP_GUEST_TWICE;
    int twice = few ? 0 : (t->batch + IMP_GUEST_TWICE) / (IMP_GUEST_TWICE + 1);
    t->name = name_of(r, root, "the guest");
    t->version = text_of(r, root, "version", "");
    if (!*t->version || strlen(t->version) > IMP_GUEST_NAME || strpbrk(t->version, "\t\n")) {
        say(r, "the member", "version", "is missing, or not a line of at most 63 characters");
    }
    t->theory = (imp_theory){.name = "guest",
                             .title = text_of(r, root, "title", t->name),
                             .source = text_of(r, root, "source", nothing),
                             .residual = text_of(r, root, "residual", nothing),
                             .symbols = text_of(r, root, "symbols", NULL),
                             .results_version = 1,
                             .parameters = t->common,
                             .choices = t->choices,
                             .outputs = t->outputs,
                             .budget = INT64_MAX,
                             .batch = t->batch - twice};
}

bool imp_guest_describe(const char *json, size_t length, imp_guest_tables *tables, imp_text *why) {
    reader r = {.tables = tables, .why = why};
    size_t at;
    memset(tables, 0, sizeof *tables);
    const char *wrong = imp_tree_read(json, length, &tables->tree, &at);
    if (wrong) {
        imp_text_print(why, "byte %zu of the description: %s", at + 1, wrong);
        return false;
    }
    const imp_node *root = &tables->tree.nodes[0];
    if (root->kind != IMP_NODE_OBJECT) {
        say(&r, "the description", NULL, "is no object");
        return false;
    }
    read_head(&r, root);
    read_parameters(&r, root);
    read_choices(&r, root);
    find_common(tables);
    read_outputs(&r, root);
    check_twice(&r);
    return !r.wrong;
}

void imp_guest_tables_free(imp_guest_tables *tables) {
    imp_tree_free(&tables->tree);
}
