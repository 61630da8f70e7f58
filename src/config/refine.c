#include "config/keys.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "solve/points.h"

enum { BASE, DEPTH, BOUNDARY, ON, BUDGET, AUDIT, LINES, TOLERANCE, N_FIELDS };
enum { OUTPUT, LEVEL, JUMP, N_RULE_FIELDS };

enum { DEFAULT_BUDGET = 10000000, DEFAULT_AUDIT = 1000, MOST_LINES = 10000 };
static const double most_base = 1 << IMP_MOST_BASE_CELLS / 2, most_points = 4e9, most_audit = 1e8;

/* A whole number from `least` to `most`, which may be written as 5e6; otherwise the fallback, and
 * reports an error. */
static int64_t read_whole(imp_draft *draft, const imp_field *field, double least, double most,
                          int64_t fallback) {
    double value = imp_field_number(draft->document, field, "1");
    if (isnan(value)) {
        return fallback;
    }
    if (value != floor(value) || value < least || value > most) {
        imp_document_error(draft->document, field->value,
                           "%s is %.17g, a whole number from %.0f to %.0f is expected", field->name,
                           value, least, most);
        return fallback;
    }
    return (int64_t)value;
}

/* ---- on ---- */

/* The output of this name; -1, and reports an error, if refine cannot use it. */
static int find_output(imp_draft *draft, const yaml_node_t *node, const char *name) {
    const imp_theory *theory = draft->sweep.theory;
    const char *names[IMP_MAX_OUTPUTS + 1];
    int output = imp_theory_output(theory, name), n = theory->n_outputs;
    for (int o = 0; o < n; o++) {
        names[o] = theory->outputs[o].name;
    }
    names[n] = "outcome";
    if (output < 0 && draft->searchless) {
        return -1;
    }
    if (output < 0) {
        imp_report_unknown(draft->report, imp_document_place(draft->document, node), "output", name,
                           "", names, (size_t)n + 1);
    } else if (theory->outputs[output].dimension) {
        imp_document_error(draft->document, node,
                           "'%s' has several values per cell, refine needs an output with one",
                           name);
        return -1;
    }
    return output;
}

static void add_rule(imp_draft *draft, const yaml_node_t *node, imp_rule rule) {
    imp_refine_plan *plan = &draft->sweep.refine;
    for (int i = 0; i < plan->n_rules; i++) {
        const imp_rule *other = &plan->rules[i];
        if (other->kind == rule.kind && other->output == rule.output &&
            other->number == rule.number) {
            imp_document_error(draft->document, node, "this rule is listed twice in 'on'");
            return;
        }
    }
    if (plan->n_rules == IMP_MAX_RULES) {
        imp_document_error(draft->document, node, "one output too many, 'on' has at most %d",
                           IMP_MAX_RULES);
        return;
    }
    draft->refine.rule[plan->n_rules] = imp_document_place(draft->document, node);
    plan->rules[plan->n_rules++] = rule;
}

/* Reads a name alone: a rule for values that differ. */
static void read_name(imp_draft *draft, const yaml_node_t *node) {
    const char *name = imp_document_text(draft->document, node, "on");
    if (name && strcmp(name, "outcome") == 0) {
        add_rule(draft, node, (imp_rule){.kind = IMP_RULE_OUTCOME, .output = -1});
        return;
    }
    int output = name ? find_output(draft, node, name) : -1;
    if (output < 0) {
        return;
    }
    const imp_output *of = &draft->sweep.theory->outputs[output];
    if (of->kind == IMP_REAL && !of->whole) {
        imp_document_error(draft->document, node,
                           "'%s' is a real output, it needs a level or a jump: {output: %s, level: "
                           "NUMBER} or {output: %s, jump: NUMBER}",
                           name, name, name);
        return;
    }
    add_rule(draft, node, (imp_rule){.kind = IMP_RULE_VALUE, .output = output});
}

/* {output: NAME, level: NUMBER} or {output: NAME, jump: NUMBER} */
static void read_rule(imp_draft *draft, const yaml_node_t *node) {
    imp_field field[N_RULE_FIELDS] = {{.name = "output"}, {.name = "level"}, {.name = "jump"}};
    imp_document_fields(draft->document, node, "'on'", field, N_RULE_FIELDS);
    imp_fields_needed(draft->document, node, "in 'on'", &field[OUTPUT], 1);
    if (field[LEVEL].given == field[JUMP].given) {
        imp_document_error(draft->document, node,
                           field[LEVEL].given
                               ? "'level' and 'jump' are two rules, list them one by one"
                               : "missing key 'level' or 'jump' in 'on'");
        return;
    }
    const yaml_node_t *named = field[OUTPUT].value;
    const char *name = imp_field_text(draft->document, &field[OUTPUT]);
    int output = name ? find_output(draft, named, name) : -1;
    const imp_field *number = field[LEVEL].given ? &field[LEVEL] : &field[JUMP];
    if (output < 0 || !number->value) {
        return;
    }
    const imp_output *of = &draft->sweep.theory->outputs[output];
    if (of->kind != IMP_REAL) {
        imp_document_error(draft->document, named, "'%s' has no %s, list its name alone", name,
                           number->name);
        return;
    }
    double value = imp_field_number(draft->document, number, of->unit);
    if (field[JUMP].given && value <= 0) {
        imp_document_error(draft->document, number->value, "jump is %g, it must be above 0", value);
    } else if (!isnan(value)) {
        add_rule(draft, node,
                 (imp_rule){.kind = field[LEVEL].given ? IMP_RULE_LEVEL : IMP_RULE_JUMP,
                            .output = output,
                            .number = value});
    }
}

static void read_one(imp_draft *draft, const yaml_node_t *node) {
    if (node->type == YAML_MAPPING_NODE) {
        read_rule(draft, node);
    } else {
        read_name(draft, node);
    }
}

static void read_on(imp_draft *draft, const yaml_node_t *node) {
    if (node->type != YAML_SEQUENCE_NODE) {
        read_one(draft, node);
        return;
    }
    int n = imp_document_some(draft->document, node, "'on'",
                              "list at least one output (or leave the key out for the mode)");
    for (int i = 0; i < n; i++) {
        read_one(draft, imp_document_item(draft->document, node, i));
    }
}

/* The rule without `on`: the mode differs. */
static void add_mode(imp_draft *draft) {
    const imp_theory *theory = draft->sweep.theory;
    int mode = imp_theory_output(theory, "mode");
    if (mode < 0 && draft->report->unnamed) {
        return;
    }
    if (mode < 0 || theory->outputs[mode].dimension) {
        imp_draft_error(draft, draft->refine.key,
                        "missing key 'on' in 'refine': there is no output 'mode'");
        return;
    }
    draft->refine.rule[0] = draft->refine.key;
    draft->sweep.refine.rules[draft->sweep.refine.n_rules++] =
        (imp_rule){.kind = IMP_RULE_VALUE, .output = mode};
}

/* ---- the mapping ---- */

/* A part of a range; 0, and reports an error, if it is none. */
static double read_part(imp_draft *draft, const imp_field *field) {
    double part = imp_field_number(draft->document, field, "1");
    if (!isnan(part) && !(part > 0 && part < 1)) {
        imp_document_error(draft->document, field->value,
                           "%s is %g, it must be a part of the range: above 0 and below 1",
                           field->name, part);
    }
    return part > 0 && part < 1 ? part : 0;
}

static void read_numbers(imp_draft *draft, const imp_field *field) {
    imp_refine_plan *plan = &draft->sweep.refine;
    for (int f = 0; f < N_FIELDS; f++) {
        if (field[f].value) {
            draft->refine.number[f] = imp_document_place(draft->document, field[f].value);
        }
    }
    /* The base stays a number of cells until the number of axes is known. */
    draft->refine.base_cells = read_whole(draft, &field[BASE], 2, most_base, 0);
    draft->refine.base_given = field[BASE].given;
    plan->depth = (int)read_whole(draft, &field[DEPTH], 1, IMP_MOST_DEPTH, 0);
    draft->refine.depth_given = field[DEPTH].given;
    plan->budget = read_whole(draft, &field[BUDGET], 1, most_points, DEFAULT_BUDGET);
    plan->audit = read_whole(draft, &field[AUDIT], 0, most_audit, DEFAULT_AUDIT);
    plan->filaments = true;
    plan->lines = (int)read_whole(draft, &field[LINES], 0, MOST_LINES, 0);
    plan->boundary = read_part(draft, &field[BOUNDARY]);
    plan->tolerance = read_part(draft, &field[TOLERANCE]);
    if (!field[DEPTH].given && !field[BOUNDARY].given) {
        imp_draft_error(draft, draft->refine.key, "missing key 'depth' or 'boundary' in 'refine'");
    }
}

void imp_refine_read(imp_draft *draft, const yaml_node_t *node) {
    static const char *const names[N_FIELDS] = {"base",   "depth", "boundary", "on",
                                                "budget", "audit", "lines",    "tolerance"};
    imp_field field[N_FIELDS];
    draft->refine.key = imp_document_place(draft->document, node);
    if (!imp_fields_read(draft->document, node, "'refine'", names, field, N_FIELDS)) {
        return;
    }
    read_numbers(draft, field);
    if (field[ON].value) {
        read_on(draft, field[ON].value);
    } else if (!field[ON].given) {
        add_mode(draft);
    }
}

/* ---- axes ---- */

/* The level of a number of cells per axis; -1 if the number is not a power of 2. */
static int level_of(int64_t cells) {
    int level = 0;
    while (INT64_C(1) << level < cells) {
        level++;
    }
    return INT64_C(1) << level == cells ? level : -1;
}

/* Where the number of refined axes is unknown. */
static void check_base(imp_draft *draft) {
    if (draft->refine.base_cells > 0 && level_of(draft->refine.base_cells) < 0) {
        imp_draft_error(draft, draft->refine.number[BASE], "base is %lld, a power of 2 is expected",
                        (long long)draft->refine.base_cells);
    }
}

static void take_base(imp_draft *draft, int n_axes) {
    imp_refine_plan *plan = &draft->sweep.refine;
    int most = IMP_MOST_BASE_CELLS / n_axes, level = level_of(draft->refine.base_cells);
    plan->base = imp_refine_default_base(n_axes);
    if (!draft->refine.base_given) {
        bool shallow = plan->depth > 0 && plan->depth < plan->base;
        plan->base = shallow ? plan->depth : plan->base;
    } else if (draft->refine.base_cells > 0 && (level < 1 || level > most)) {
        imp_draft_error(draft, draft->refine.number[BASE],
                        "base is %lld, with %d refined axes a power of 2 from 2 to %d is expected",
                        (long long)draft->refine.base_cells, n_axes, 1 << most);
    } else if (draft->refine.base_cells > 0) {
        plan->base = level;
    }
}

static void take_depth(imp_draft *draft, int n_axes) {
    imp_refine_plan *plan = &draft->sweep.refine;
    int most =
        imp_lattice_bits(n_axes) < IMP_MOST_DEPTH ? imp_lattice_bits(n_axes) : IMP_MOST_DEPTH;
    if (!draft->refine.depth_given) {
        plan->depth = plan->base;
    } else if (plan->depth > 0 && (plan->depth < plan->base || plan->depth > most)) {
        imp_draft_error(draft, draft->refine.number[DEPTH],
                        "depth is %d, allowed are %d (base is 2^%d) to %d", plan->depth, plan->base,
                        plan->base, most);
        plan->depth = plan->base;
    }
    plan->depth = plan->depth > plan->base ? plan->depth : plan->base;
}

/* A budget that is 0 was not read, which has been reported. */
static void check_budget(imp_draft *draft, int n_axes) {
    const imp_refine_plan *plan = &draft->sweep.refine;
    const imp_place *of = draft->refine.number;
    int64_t least = imp_refine_base_points(plan, n_axes);
    bool known = !draft->refine.base_given || plan->base == level_of(draft->refine.base_cells);
    if (known && plan->budget > 0 && plan->budget < least) {
        imp_draft_error(
            draft, of[of[BUDGET].kind == IMP_FROM_FILE ? BUDGET : BASE],
            "budget is %lld, less than the %lld points of the base, %lld along each of %d axes",
            (long long)plan->budget, (long long)least, (1LL << plan->base) + 1, n_axes);
    }
}

static void check_lines(imp_draft *draft, int n_axes) {
    if (draft->sweep.refine.lines > 0 && n_axes != 2) {
        imp_draft_error(draft, draft->refine.number[LINES],
                        "lines need two refined axes, here are %d", n_axes);
    }
}

static void take_boundary(imp_draft *draft, int n_axes) {
    imp_refine_plan *plan = &draft->sweep.refine;
    double least = imp_refine_least_boundary(n_axes), most = ldexp(1, -plan->base);
    if (plan->boundary > 0 && (plan->boundary < least || plan->boundary > most)) {
        imp_draft_error(draft, draft->refine.number[BOUNDARY],
                        "boundary is %g, with %d refined axes it must be from %.3g to 1/base = %g",
                        plan->boundary, n_axes, least, most);
    }
}

/* Reports a range whose smallest step is lost in the rounding of a double. */
static void check_step(imp_draft *draft, const imp_axis *axis, const imp_origin *origin) {
    const imp_refine_plan *plan = &draft->sweep.refine;
    double from = imp_quantity_si(origin->from), to = imp_quantity_si(origin->to);
    double part = plan->boundary > 0 ? plan->boundary : ldexp(1, -plan->depth);
    double larger = fmax(fabs(from), fabs(to));
    double step =
        origin->logarithmic ? fabs(log(to / from)) * part : fabs(to - from) / larger * part;
    if (step < 4 * DBL_EPSILON) {
        imp_draft_error(draft, imp_origin_place(origin, origin->from_mark),
                        "the smallest steps of '%s' are too small to differ in a double; take a "
                        "smaller depth or a larger boundary",
                        axis->name);
    }
}

static imp_lattice_axis lattice_axis(const imp_origin *origin) {
    bool degrees = origin->from.unit == IMP_UNIT_DEGREE && origin->to.unit == IMP_UNIT_DEGREE;
    return (imp_lattice_axis){
        .from = degrees ? origin->from.value : imp_quantity_si(origin->from),
        .to = degrees ? origin->to.value : imp_quantity_si(origin->to),
        .logarithmic = origin->logarithmic,
        .degrees = degrees,
    };
}

void imp_refine_take_axes(imp_draft *draft) {
    imp_sweep *sweep = &draft->sweep;
    int n = 0;
    if (!draft->refining) {
        return;
    }
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        n += sweep->grid.axes[a].refined;
    }
    if (n < 2 || n > IMP_REFINE_AXES) {
        if (!draft->incomplete && !draft->refine.axis_lost) {
            imp_draft_error(
                draft, draft->axes_place,
                "refine needs two to four axes that are ranges without points, here %s %d",
                n == 1 ? "is" : "are", n);
        }
        check_base(draft);
        return;
    }
    take_base(draft, n);
    check_budget(draft, n);
    take_depth(draft, n);
    take_boundary(draft, n);
    check_lines(draft, n);
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        if (sweep->grid.axes[a].refined) {
            int at = sweep->refine.lattice.n_axes++;
            sweep->refined[at] = a;
            sweep->grid.axes[a].size = (INT64_C(1) << sweep->refine.depth) + 1;
            sweep->refine.lattice.axis[at] = lattice_axis(&draft->origins[a][0]);
            check_step(draft, &sweep->grid.axes[a], &draft->origins[a][0]);
        }
    }
}

void imp_refine_check(imp_draft *draft) {
    const imp_sweep *sweep = &draft->sweep;
    if (draft->report->total == 0 && sweep->refine.tolerance > 0 &&
        imp_sweep_event_axis(sweep) < 0) {
        imp_draft_error(draft, draft->refine.number[TOLERANCE],
                        "tolerance is that of events, which need an axis beside the refined ones: "
                        "a range with points or a list of numbers");
    }
    for (int i = 0; draft->report->total == 0 && i < sweep->refine.n_rules; i++) {
        int output = sweep->refine.rules[i].output;
        const char *name = output < 0 ? NULL : sweep->theory->outputs[output].name;
        if (name && imp_sweep_position(sweep, name) < 0) {
            imp_draft_error(
                draft, draft->refine.rule[i],
                draft->all_outputs
                    ? "no cell of this sweep has the output '%s'"
                    : "refine uses the output '%s', which 'outputs' does not list; add it",
                name);
        }
    }
}
