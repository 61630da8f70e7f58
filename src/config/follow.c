#include "config/follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/range.h"
#include "num/formula_impl.h"

typedef enum state { UNSEEN, FAILED, RESOLVED } state;

/* The formula of one parameter. The `part` of its steps counts the names in it. */
typedef struct imp_follow {
    imp_draft *draft; /* while the formula is read */
    int parameter;
    imp_place place;
    char text[IMP_FORMULA_TEXT];
    imp_formula formula;
    const imp_parameter *input[IMP_FOLLOW_INPUTS];
    int n_inputs;
    bool read; /* without an error */
    state state;
} imp_follow;

static const char *name_of(const imp_follow *f) {
    return f->draft->parameter[f->parameter]->name;
}

/* The place of a column of the formula. */
static imp_place place_at(const imp_follow *f, int column) {
    imp_place place = f->place;
    place.column += place.kind == IMP_FROM_FILE ? (size_t)(column - 1) : 0;
    return place;
}

/* ---- names ---- */

static void fail(void *context, int column, const char *message) {
    imp_follow *f = context;
    imp_draft_error(f->draft, place_at(f, column), "the formula of '%s': %s", name_of(f), message);
}

/* A parameter of the theory, searched over, uncertain, or neither; NULL: none has the name. */
static const imp_parameter *find_parameter(const imp_draft *draft, const char *name) {
    const imp_search_plan *plan =
        draft->sweep.search ? imp_search_plan_of(draft->sweep.search) : NULL;
    for (int k = 0; plan && k < plan->n_over; k++) {
        if (strcmp(plan->over[k].parameter->name, name) == 0) {
            return plan->over[k].parameter;
        }
    }
    const imp_uncertain_plan *uncertain =
        plan ? NULL : imp_uncertain_plan_of(draft->sweep.uncertain);
    int drawn = imp_uncertain_find(uncertain, name);
    if (drawn >= 0) {
        return uncertain->parameter[drawn].parameter;
    }
    imp_named named = imp_draft_find(draft, name);
    return named.parameter >= 0 ? draft->parameter[named.parameter] : NULL;
}

static void resolve_name(imp_formula_reader *r, imp_operand *operand) {
    imp_follow *f = r->context;
    const imp_parameter *found = find_parameter(f->draft, operand->word);
    int k = 0;
    while (found && k < f->n_inputs && f->input[k] != found) {
        k++;
    }
    if (found && k == IMP_FOLLOW_INPUTS) {
        imp_formula_fail(r, operand->at, "at most %d parameters are allowed", IMP_FOLLOW_INPUTS);
    } else if (found) {
        f->input[k] = found;
        f->n_inputs += k == f->n_inputs;
        imp_formula_push(r, (imp_step){.kind = IMP_STEP_VALUE, .part = k});
    }
    operand->kind = found ? IMP_NUMBER : operand->kind;
}

static void refuse_name(imp_formula_reader *r, const imp_operand *operand) {
    imp_follow *f = r->context;
    const char *names[IMP_MAX_PARAMETERS];
    imp_text where = {0};
    if (r->broken) {
        return;
    }
    r->failed = true;
    if (f->draft->report->unnamed) {
        return;
    }
    for (int p = 0; p < f->draft->n_parameters; p++) {
        names[p] = f->draft->parameter[p]->name;
    }
    imp_text_print(&where, " in the formula of '%s'", name_of(f));
    imp_report_unknown(f->draft->report, place_at(f, (int)(operand->at - r->text) + 1), "parameter",
                       operand->word, imp_text_get(&where), names, (size_t)f->draft->n_parameters);
    imp_text_free(&where);
}

static const imp_formula_names names = {
    .wanted = "a parameter",
    .whole = "formula",
    .fail = fail,
    .resolve = resolve_name,
    .refuse = refuse_name,
};

/* ---- reading ---- */

const char *imp_follow_formula(const char *text) {
    text += strspn(text, " ");
    return *text == '=' ? text + 1 + strspn(text + 1, " ") : NULL;
}

bool imp_follow_read(imp_draft *draft, int parameter, imp_place place, const char *formula) {
    imp_follow *f = calloc(1, sizeof *f);
    draft->follow[parameter] = f;
    if (!f) {
        imp_report_memory(draft->report);
        return false;
    }
    f->draft = draft;
    f->parameter = parameter;
    f->place = place;
    if (snprintf(f->text, sizeof f->text, "%s", formula) >= (int)sizeof f->text) {
        fail(f, 1, "it is too long: at most 255 characters are allowed");
        return false;
    }
    f->read = imp_formula_read(f->text, &names, f, IMP_NUMBER, &f->formula);
    return f->read;
}

void imp_follow_forget(imp_draft *draft, int parameter) {
    free(draft->follow[parameter]);
    draft->follow[parameter] = NULL;
}

void imp_follow_end(imp_draft *draft) {
    for (int p = 0; p < draft->n_parameters; p++) {
        imp_follow_forget(draft, p);
    }
}

imp_place imp_follow_place(const imp_draft *draft, int parameter) {
    return draft->follow[parameter]->place;
}

/* ---- resolving ---- */

/* Where the values of a formula come from. */
typedef struct sources {
    int axis;      /* that of every input that is on one; -1: none is */
    bool several;  /* inputs on several axes, or on a refined one, or without an axis */
    bool searched; /* an input is searched over */
    double value[IMP_FOLLOW_INPUTS]; /* of those that are fixed */
} sources;

static int follower_of(const imp_draft *draft, const char *name) {
    for (int f = 0; f < draft->sweep.n_followers; f++) {
        if (strcmp(draft->sweep.followers[f].parameter->name, name) == 0) {
            return f;
        }
    }
    return -1;
}

/* Whether a parameter is searched over, or drawn: of one that scatters about the value of the cell
 * a formula reads the drawn value. */
static bool is_over(const imp_draft *draft, const char *name) {
    const imp_uncertain_plan *plan =
        draft->sweep.search ? NULL : imp_uncertain_plan_of(draft->sweep.uncertain);
    return imp_draft_find(draft, name).parameter < 0 || imp_uncertain_find(plan, name) >= 0;
}

/* Finds the source of input k; false, and reports an error, if it has no value. */
static bool find_source(const imp_follow *f, int k, sources *s) {
    imp_draft *draft = f->draft;
    const char *name = f->input[k]->name;
    int axis, column, follower = follower_of(draft, name),
                      fixed = imp_sweep_find_fixed(&draft->sweep, name);
    if (is_over(draft, name) || follower >= 0) {
        bool searched = follower < 0 || draft->sweep.followers[follower].searched;
        s->searched |= searched;
        s->several = true;
    } else if (imp_grid_find(&draft->sweep.grid, name, &axis, &column)) {
        s->several |= (s->axis >= 0 && s->axis != axis) || draft->sweep.grid.axes[axis].refined;
        s->axis = axis;
    } else if (fixed >= 0) {
        s->value[k] = draft->sweep.fixed[fixed].value;
    } else if (draft->parameters[imp_draft_find(draft, name).parameter].use == IMP_SWEPT) {
        s->several = true; /* its values come later */
    } else {
        imp_draft_error(draft, f->place, "'%s' follows '%s', which has no value in this sweep",
                        name_of(f), name);
        return false;
    }
    return true;
}

/* Checks a value against the range of the parameter. */
static bool check(const imp_follow *f, const imp_scope *in, double value) {
    size_t before = f->draft->report->total;
    if (isfinite(value)) {
        imp_scope_check_value(f->draft->report, in, f->place, value);
    } else {
        imp_draft_error(f->draft, f->place, "the formula of '%s' has no finite value", name_of(f));
    }
    return f->draft->report->total == before;
}

static void add_fixed(const imp_follow *f, const imp_scope *in, double value) {
    imp_sweep *sweep = &f->draft->sweep;
    imp_fixed *fixed = &sweep->fixed[sweep->n_fixed++];
    *fixed = (imp_fixed){.parameter = in->variants[0], .value = value, .given = true};
    memcpy(fixed->formula, f->text, sizeof fixed->formula);
}

static void make_follower(const imp_follow *f, const imp_scope *in, bool searched,
                          imp_follower *made) {
    made->parameter = in->variants[0];
    made->n_inputs = f->n_inputs;
    made->searched = searched;
    made->formula = f->formula;
    for (int k = 0; k < f->n_inputs; k++) {
        made->input[k] = f->input[k]->name;
    }
}

/* Computes the values of a column, and adds it to its axis. */
static void fill_column(const imp_follow *f, const imp_scope *in, int number, double *values) {
    imp_axis *axis = &f->draft->sweep.grid.axes[number];
    bool good = true;
    for (int64_t i = 0; good && i < axis->size; i++) {
        double value[IMP_MAX_COLUMNS];
        for (int c = 0; c < axis->n_columns; c++) {
            value[c] = axis->columns[c].values[i];
        }
        imp_sweep_follow_axis(&f->draft->sweep, number, value);
        values[i] = value[axis->n_columns];
        good = check(f, in, values[i]);
    }
    imp_column *column = &axis->columns[axis->n_columns++];
    *column = (imp_column){.choice = -1, .values = values};
    snprintf(column->name, sizeof column->name, "%s", name_of(f));
    memcpy(column->formula, f->text, sizeof column->formula);
}

/* Adds a column to the axis on which all inputs are. */
static void add_column(const imp_follow *f, const imp_scope *in, int number) {
    imp_sweep *sweep = &f->draft->sweep;
    imp_axis *axis = &sweep->grid.axes[number];
    if (axis->n_columns == IMP_MAX_COLUMNS) {
        imp_draft_error(f->draft, f->place, "the axis '%s' has %d parameters already", axis->name,
                        axis->n_columns);
        return;
    }
    imp_along *moved = realloc(sweep->along, (size_t)(sweep->n_along + 1) * sizeof *moved);
    sweep->along = moved ? moved : sweep->along;
    double *values = moved ? malloc((size_t)axis->size * sizeof *values) : NULL;
    if (!values) {
        imp_report_memory(f->draft->report);
        return;
    }
    imp_along *along = &moved[sweep->n_along++];
    along->axis = number;
    along->column = axis->n_columns;
    make_follower(f, in, false, &along->follower);
    fill_column(f, in, number, values);
}

/* Adds a follower that is computed in every cell. */
static void add_follower(const imp_follow *f, const imp_scope *in, const sources *s) {
    imp_sweep *sweep = &f->draft->sweep;
    size_t size = (size_t)(sweep->n_followers + 1) * sizeof *sweep->followers;
    imp_follower *moved = realloc(sweep->followers, size);
    if (!moved) {
        imp_report_memory(f->draft->report);
        return;
    }
    sweep->followers = moved;
    int at = sweep->n_followers++;
    while (!s->searched && at > 0 && moved[at - 1].searched) {
        moved[at] = moved[at - 1];
        at--;
    }
    make_follower(f, in, s->searched, &moved[at]);
    add_fixed(f, in, NAN);
}

/* The formula of an input; NULL: it has none. */
static imp_follow *formula_of(const imp_follow *f, int k) {
    int p = imp_draft_find(f->draft, f->input[k]->name).parameter;
    return p >= 0 ? f->draft->follow[p] : NULL;
}

/* Whether a formula leads to the parameter `to`, through others that are not seen yet. */
static bool leads_to(const imp_follow *f, const imp_follow *to, bool *seen) {
    bool leads = false;
    for (int k = 0; k < f->n_inputs && !leads; k++) {
        const imp_follow *next = formula_of(f, k);
        leads = next != NULL && next == to;
        if (next && !leads && !seen[next->parameter]) {
            seen[next->parameter] = true;
            leads = leads_to(next, to, seen);
        }
    }
    return leads;
}

void imp_follow_check(imp_draft *draft) {
    for (int p = 0; p < draft->n_parameters; p++) {
        bool seen[IMP_MAX_PARAMETERS] = {false};
        const imp_follow *f = draft->follow[p];
        if (f && leads_to(f, f, seen)) {
            imp_draft_error(draft, f->place, "'%s' follows itself", name_of(f));
        }
    }
}

bool imp_follow_reads(const imp_draft *draft, const imp_parameter *parameter) {
    bool reads = false;
    for (int p = 0; p < draft->n_parameters && !reads; p++) {
        const imp_follow *f = draft->follow[p];
        reads = f && !f->read;
        for (int k = 0; f && !reads && k < f->n_inputs; k++) {
            reads = f->input[k] == parameter;
        }
    }
    return reads;
}

/* Adds what a formula gives to the sweep, after what it follows. */
static void resolve(imp_draft *draft, imp_scope *in, imp_follow *f) {
    if (f->state != UNSEEN) {
        return;
    }
    f->state = FAILED;
    sources s = {.axis = -1};
    bool good = true;
    for (int k = 0; k < f->n_inputs; k++) {
        imp_follow *next = formula_of(f, k);
        if (next) {
            resolve(draft, in, next);
            good = good && next->state == RESOLVED;
        }
    }
    for (int k = 0; good && k < f->n_inputs; k++) {
        good = find_source(f, k, &s);
    }
    imp_scope_choose(draft, in, f->parameter);
    if (!good || in->n_variants == 0) {
        return;
    }
    f->state = RESOLVED;
    if (s.several) {
        add_follower(f, in, &s);
    } else if (s.axis >= 0) {
        add_column(f, in, s.axis);
    } else {
        double value = imp_formula_value(&f->formula, s.value);
        check(f, in, value);
        add_fixed(f, in, value);
    }
}

void imp_follow_resolve(imp_draft *draft, imp_scope *in) {
    for (int p = 0; p < draft->n_parameters; p++) {
        if (draft->follow[p]) {
            resolve(draft, in, draft->follow[p]);
        }
    }
    if (draft->sweep.uncertain && !draft->sweep.search) {
        imp_uncertain_follow(draft->sweep.uncertain, draft->sweep.followers,
                             draft->sweep.n_followers);
    }
    if (draft->sweep.search) {
        imp_search_follow(draft->sweep.search, draft->sweep.followers, draft->sweep.n_followers);
    }
}
