#include "config/draft.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config/figure_impl.h"
#include "config/follow.h"
#include "config/range.h"
#include "config/units.h"

void imp_draft_begin(imp_draft *draft, const imp_theory *theory, imp_place place,
                     imp_report *report) {
    *draft = (imp_draft){.report = report, .sweep.theory = theory};
    draft->n_parameters = imp_theory_every_parameter(theory, draft->parameter);
    draft->all_outputs = true;
    draft->parameters_place = draft->choices_place = draft->axes_place = place;
}

static void free_marks(imp_draft *draft, int axis) {
    for (int c = 0; c < IMP_MAX_COLUMNS; c++) {
        free(draft->origins[axis][c].marks);
        draft->origins[axis][c] = (imp_origin){.file = NULL};
    }
}

static void free_figure(imp_draft *draft) {
    for (int i = 0; draft->figure && i < draft->figure->n; i++) {
        free(draft->figure->items[i].name);
        free(draft->figure->items[i].text);
    }
    free(draft->figure);
    draft->figure = NULL;
}

void imp_draft_end(imp_draft *draft) {
    for (int a = 0; a < IMP_MAX_AXES; a++) {
        free_marks(draft, a);
    }
    for (int p = 0; p < draft->n_paths; p++) {
        free(draft->paths[p]);
    }
    free(draft->uncertain.marks);
    free_figure(draft);
    imp_follow_end(draft);
    imp_sweep_free(&draft->sweep);
}

const imp_theory *imp_draft_theory(imp_report *report, imp_place place, const char *name) {
    enum { MOST = 64 };
    const imp_theory *theory = imp_theory_find(name);
    const char *names[MOST + 1];
    size_t n = 0;
    for (const imp_theory *one = NULL; n < MOST && (one = imp_theory_offered(one)) != NULL;) {
        names[n++] = one->name;
    }
    if (!theory) {
        names[n++] = "guest";
        imp_report_unknown(report, place, "theory", name, "", names, n);
    }
    return theory;
}

imp_named imp_draft_find(const imp_draft *draft, const char *name) {
    imp_named named = {.parameter = -1, .choice = imp_theory_choice(draft->sweep.theory, name)};
    for (int p = 0; named.choice < 0 && p < draft->n_parameters; p++) {
        if (strcmp(draft->parameter[p]->name, name) == 0) {
            named.parameter = p;
        }
    }
    return named;
}

imp_slot *imp_draft_slot(imp_draft *draft, imp_named named) {
    return named.choice >= 0      ? &draft->choices[named.choice]
           : named.parameter >= 0 ? &draft->parameters[named.parameter]
                                  : NULL;
}

void imp_draft_mark_meant(imp_draft *draft, imp_named named) {
    imp_slot *slot = imp_draft_slot(draft, named);
    slot->use = slot->use == IMP_UNUSED ? IMP_MEANT : slot->use;
}

/* Whether the name is a parameter that is searched over, which the theory of the search lacks. */
static bool is_searched(const imp_draft *draft, const char *name) {
    const imp_search_plan *plan =
        draft->sweep.search ? imp_search_plan_of(draft->sweep.search) : NULL;
    const imp_parameter *of = plan ? imp_theory_parameter(plan->theory, name) : NULL;
    return of && imp_search_covers(plan, of);
}

/* The uncertain parameter that sets the value of the one of this name, which the theory of the
 * sweep lacks; NULL: none does. */
static const imp_parameter *uncertain_by(const imp_draft *draft, const char *name) {
    const imp_uncertain_plan *plan = imp_uncertain_plan_of(draft->sweep.uncertain);
    const imp_parameter *of = plan ? imp_theory_parameter(plan->theory, name) : NULL;
    return of ? imp_uncertain_by(plan, of) : NULL;
}

/* Reports a name that stands elsewhere in the config, if it does. */
static bool report_elsewhere(const imp_draft *draft, imp_place place, const char *name) {
    const imp_parameter *by = uncertain_by(draft, name);
    if (by && strcmp(by->name, name) == 0) {
        imp_draft_error(draft, place,
                        "'%s' is uncertain; it can be fixed or swept as well only if it scatters "
                        "about the value of the cell ('about: cell')",
                        name);
        return true;
    }
    if (by) {
        imp_draft_error(draft, place, "the uncertain parameter '%s' sets the value of '%s' too",
                        by->name, name);
        return true;
    }
    if (is_searched(draft, name)) {
        imp_draft_error(draft, place, "'%s' is searched over, it cannot be fixed or swept as well",
                        name);
        return true;
    }
    if (draft->sweep.cases && imp_cases_know_choice(draft->sweep.cases, name)) {
        if (!draft->report->lost) { /* otherwise it may be on its axis */
            imp_draft_error(draft, place,
                            "'%s' is a choice, and cases make their choices themselves or under "
                            "'choose'; several options stand on an axis of their own, {param: "
                            "%s, values: [...]}",
                            name, name);
        }
        return true;
    }
    return false;
}

void imp_draft_unknown(imp_draft *draft, imp_place place, const char *name, bool parameters,
                       bool choices) {
    if (report_elsewhere(draft, place, name)) {
        return;
    }
    const imp_theory *theory = draft->sweep.theory;
    const char *names[IMP_MAX_PARAMETERS + IMP_MAX_CHOICES];
    const char *now = parameters ? imp_theory_renamed(theory, name) : NULL;
    if (now) {
        imp_draft_error(draft, place, "'%s' is now called '%s'", name, now);
        imp_draft_mark_meant(draft, imp_draft_find(draft, now));
        return;
    }
    if (imp_report_if_number(draft->report, place, name) || draft->report->unnamed) {
        return;
    }
    size_t n = 0;
    for (int c = 0; choices && c < theory->n_choices; c++) {
        names[n++] = theory->choices[c].name;
    }
    for (int p = 0; parameters && p < draft->n_parameters; p++) {
        names[n++] = draft->parameter[p]->name;
    }
    const char *what = !choices ? "parameter" : !parameters ? "choice" : "parameter or choice";
    const char *meant = imp_report_unknown(draft->report, place, what, name, "", names, n);
    if (meant) {
        imp_draft_mark_meant(draft, imp_draft_find(draft, meant));
    }
}

/* A value by its name; returns whether the parameter has it. */
static bool read_word(const imp_parameter *of, const char *text, imp_quantity *quantity) {
    for (int i = 0; of->words && of->words[i]; i++) {
        if (strcmp(of->words[i], text) == 0) {
            *quantity = (imp_quantity){i, IMP_UNIT_NONE};
            return true;
        }
    }
    return false;
}

static void report_no_word(imp_draft *draft, const imp_parameter *of, imp_place place,
                           const char *text) {
    imp_text words = {0};
    for (int i = 0; of->words[i]; i++) {
        imp_text_print(&words, "%s%s", i > 0 ? " or " : "", of->words[i]);
    }
    imp_draft_error(draft, place, "%s is '%s', %s is expected", of->name, imp_show(text).text,
                    imp_text_get(&words));
    imp_text_free(&words);
}

/* The unit of an unknown parameter may be any. */
static bool read_of_unknown(imp_draft *draft, imp_place place, const char *text,
                            imp_quantity *quantity) {
    const char *wrong = imp_read_quantity(text, "1", quantity);
    if (wrong == imp_not_finite || wrong == imp_too_large) {
        imp_draft_error(draft, place, "'%s' %s", imp_show(text).text, wrong);
    }
    return false;
}

bool imp_draft_number(imp_draft *draft, int parameter, imp_place place, const char *text,
                      imp_quantity *quantity) {
    assert(parameter < draft->n_parameters);
    if (parameter < 0) {
        return read_of_unknown(draft, place, text, quantity);
    }
    const imp_parameter *of = draft->parameter[parameter];
    const char *wrong =
        read_word(of, text, quantity)
            ? NULL
            : imp_units_read(draft->report, draft->sweep.theory, of, place, text, quantity);
    if (!wrong || (wrong == imp_other_quantity && draft->report->lost)) {
        return !wrong;
    }
    if (of->words) {
        report_no_word(draft, of, place, text);
        return false;
    }
    imp_text more = {0};
    if (wrong == imp_not_finite || wrong == imp_too_large) {
        const imp_parameter *variants[IMP_MAX_VARIANTS];
        int n = imp_theory_variants(draft->sweep.theory, of->name, variants);
        imp_text_print(&more, "; its range is ");
        imp_print_ranges(&more, variants, n);
    } else if (wrong == imp_no_quantity) {
        imp_text_print(&more, " such as ");
        imp_units_print(&more, draft->sweep.theory, of);
    } else if (wrong == imp_other_quantity) {
        imp_text_print(&more, "; its unit is ");
        imp_units_print(&more, draft->sweep.theory, of);
    }
    imp_draft_error(draft, place, "%s: '%s' %s%s", of->name, imp_show(text).text, wrong,
                    imp_text_get(&more));
    imp_text_free(&more);
    return false;
}

/* The theories that have an option of this name: " (theories that take it: swerve,
 * compliant3d)". */
static void print_takers(const char *choice, const char *option, imp_text *text) {
    int found = 0;
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        int c = imp_theory_choice(theory, choice);
        if (c >= 0 && imp_choice_option(&theory->choices[c], option) >= 0) {
            imp_text_print(text, "%s%s",
                           found++ ? ", " : " (theories that take it: ", theory->name);
        }
    }
    imp_text_print(text, found ? ")" : "");
}

int imp_draft_option(imp_draft *draft, int choice, imp_place place, const char *text) {
    const imp_choice *of = &draft->sweep.theory->choices[choice];
    int option = imp_choice_option(of, text);
    if (option >= 0) {
        return option;
    }
    imp_text where = {0};
    imp_text_print(&where, " of '%s'", of->name);
    print_takers(of->name, text, &where);
    const char **names = malloc((size_t)of->n_options * sizeof *names);
    if (!names) {
        imp_report_memory(draft->report);
    } else {
        for (int o = 0; o < of->n_options; o++) {
            names[o] = of->options[o]->name;
        }
        imp_report_unknown(draft->report, place, "option", text, imp_text_get(&where), names,
                           (size_t)of->n_options);
    }
    free(names);
    imp_text_free(&where);
    return -1;
}

imp_place imp_origin_place(const imp_origin *origin, imp_mark mark) {
    return origin->override ? (imp_place){.kind = IMP_FROM_OVERRIDE, .source = origin->override}
                            : imp_file_place(origin->file, mark.line, mark.column);
}

int imp_draft_axis_of(imp_draft *draft, imp_place place, const char *name) {
    int axis, column;
    const imp_grid *grid = &draft->sweep.grid;
    if (!imp_grid_find(grid, name, &axis, &column)) {
        return -2;
    }
    if (grid->axes[axis].n_columns > 1) {
        imp_draft_error(draft, place,
                        "'%s' is one of several columns of the axis '%s' and cannot be set", name,
                        grid->axes[axis].name);
        return -1;
    }
    return axis;
}

/* Removes an axis from the grid; false, and reports an error, if the axis carries more than this
 * name. */
static bool drop_axis(imp_draft *draft, imp_place place, const char *name) {
    imp_grid *grid = &draft->sweep.grid;
    int axis = imp_draft_axis_of(draft, place, name);
    if (axis < 0) {
        return axis == -2;
    }
    free(grid->axes[axis].columns[0].values);
    free(draft->origins[axis][0].marks);
    int after = --grid->n_axes - axis;
    memmove(&grid->axes[axis], &grid->axes[axis + 1], (size_t)after * sizeof *grid->axes);
    memmove(draft->origins[axis], draft->origins[axis + 1], (size_t)after * sizeof *draft->origins);
    grid->axes[grid->n_axes] = (imp_axis){.size = 0};
    memset(draft->origins[grid->n_axes], 0, sizeof *draft->origins);
    return true;
}

/* Whether a slot may be given one value here; otherwise reports the reason. */
static bool may_fix(imp_draft *draft, const imp_slot *slot, const char *name, imp_place key,
                    bool is_choice) {
    if (slot->use == IMP_SWEPT && key.kind == IMP_FROM_OVERRIDE &&
        slot->key.kind == IMP_FROM_FILE) {
        return drop_axis(draft, key, name);
    }
    if (slot->use == IMP_SWEPT && key.kind == IMP_FROM_OVERRIDE) {
        imp_draft_error(draft, key, "duplicate key '%s'", name);
    } else if (slot->use == IMP_SWEPT) {
        imp_draft_error(draft, key, "'%s' is both %s and on an axis", name,
                        is_choice ? "chosen" : "fixed");
    } else if (slot->use == IMP_FIXED && slot->key.kind == key.kind) {
        imp_draft_error(draft, key, "duplicate key '%s'", name);
    } else {
        return true;
    }
    return false;
}

void imp_draft_fix(imp_draft *draft, int parameter, imp_place key, imp_place place,
                   const char *text) {
    assert(parameter >= 0 && parameter < draft->n_parameters);
    imp_slot *slot = &draft->parameters[parameter];
    if (!may_fix(draft, slot, draft->parameter[parameter]->name, key, false)) {
        return;
    }
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    *slot = (imp_slot){.use = IMP_FIXED, .key = key, .place = place};
    imp_units_forget(draft->report, draft->parameter[parameter]->name);
    imp_follow_forget(draft, parameter);
    const char *formula = text ? imp_follow_formula(text) : NULL;
    if (formula) {
        place.column += (size_t)(formula - text);
        imp_follow_read(draft, parameter, place, formula);
        return;
    }
    slot->valid = text && imp_draft_number(draft, parameter, place, text, &quantity);
    slot->value = imp_quantity_si(quantity);
}

void imp_draft_choose(imp_draft *draft, int choice, imp_place key, imp_place place,
                      const char *text) {
    imp_slot *slot = &draft->choices[choice];
    if (!may_fix(draft, slot, draft->sweep.theory->choices[choice].name, key, true)) {
        return;
    }
    *slot = (imp_slot){.use = IMP_FIXED, .key = key, .place = place};
    draft->sweep.chosen[choice] = text ? imp_draft_option(draft, choice, place, text) : -1;
    slot->valid = draft->sweep.chosen[choice] >= 0;
}

imp_axis *imp_draft_next_axis(imp_draft *draft) {
    assert(draft->sweep.grid.n_axes < IMP_MAX_AXES);
    return &draft->sweep.grid.axes[draft->sweep.grid.n_axes];
}

imp_origin *imp_draft_next_origins(imp_draft *draft) {
    assert(draft->sweep.grid.n_axes < IMP_MAX_AXES);
    return draft->origins[draft->sweep.grid.n_axes];
}

static bool may_sweep(imp_draft *draft, const imp_slot *slot, imp_place place, const char *name,
                      const imp_axis *axis) {
    if (slot->use == IMP_SWEPT) {
        imp_draft_error(draft, place, "'%s' is on an axis already", name);
    } else if (slot->use == IMP_FIXED) {
        imp_draft_error(draft, place, "'%s' is both chosen and on an axis", name);
    } else if (axis->n_columns == IMP_MAX_COLUMNS) {
        imp_draft_error(draft, place, "one column too many, at most %d are allowed",
                        IMP_MAX_COLUMNS);
    } else {
        return true;
    }
    return false;
}

bool imp_draft_add_column(imp_draft *draft, imp_place place, const char *name, imp_named *named) {
    imp_axis *axis = imp_draft_next_axis(draft);
    *named = imp_draft_find(draft, name);
    imp_slot *slot = imp_draft_slot(draft, *named);
    if (!slot) {
        imp_draft_unknown(draft, place, name, true, true);
        return false;
    }
    if (!may_sweep(draft, slot, place, name, axis)) {
        return false;
    }
    *slot = (imp_slot){.use = IMP_SWEPT, .key = place};
    imp_column *column = &axis->columns[axis->n_columns];
    *column = (imp_column){.choice = named->choice};
    snprintf(column->name, sizeof column->name, "%s", name);
    imp_draft_next_origins(draft)[axis->n_columns].file = place.source;
    axis->n_columns++;
    return true;
}

bool imp_draft_allocate(imp_draft *draft, int column, int64_t size) {
    assert(size >= 1);
    imp_column *to = &imp_draft_next_axis(draft)->columns[column];
    imp_origin *origin = &imp_draft_next_origins(draft)[column];
    to->values = malloc((size_t)size * sizeof *to->values);
    origin->marks = malloc((size_t)size * sizeof *origin->marks);
    if (!to->values || !origin->marks) {
        imp_report_memory(draft->report);
        return false;
    }
    return true;
}

bool imp_draft_add_numbers(imp_draft *draft, imp_place place, const char *name, int64_t n) {
    imp_axis *axis = imp_draft_next_axis(draft);
    imp_named named;
    if (!imp_draft_add_column(draft, place, name, &named)) {
        return false;
    }
    memcpy(axis->name, axis->columns[0].name, sizeof axis->name);
    axis->size = n;
    bool good = imp_draft_allocate(draft, 0, n);
    for (int64_t i = 0; good && i < n; i++) {
        axis->columns[0].values[i] = (double)i;
        imp_draft_next_origins(draft)->marks[i] =
            (imp_mark){(uint32_t)place.line, (uint32_t)place.column};
    }
    return good;
}

void imp_draft_end_axis(imp_draft *draft, bool complete) {
    draft->refine.axis_lost = draft->refine.axis_lost || !complete;
    imp_grid *grid = &draft->sweep.grid;
    imp_axis *axis = &grid->axes[grid->n_axes];
    for (int c = 0; c < axis->n_columns; c++) {
        if (!complete) {
            free(axis->columns[c].values);
        } else if (axis->columns[c].choice >= 0) {
            draft->choices[axis->columns[c].choice].valid = true;
        }
    }
    if (complete) {
        grid->n_axes++;
        return;
    }
    free_marks(draft, grid->n_axes);
    *axis = (imp_axis){.size = 0};
}

/* Moves the messages into the message of the error. */
static imp_err fail_to_read(imp_text *messages) {
    int length = (int)messages->length - 1; /* without the last end of line */
    imp_err error = imp_fail(IMP_ERR_IO, "%.*s", length, imp_text_get(messages));
    imp_text_free(messages);
    return error;
}

imp_err imp_report_finish(imp_report *report, imp_text *messages) {
    imp_report_write(report, messages);
    imp_err error = report->failed      ? imp_out_of_memory()
                    : report->unread    ? fail_to_read(messages)
                    : report->total > 0 ? imp_fail(IMP_ERR_INPUT, "bad input, see the messages")
                                        : IMP_OK;
    imp_report_free(report);
    return error;
}

imp_err imp_draft_finish(imp_draft *draft, imp_sweep *sweep, imp_text *messages) {
    imp_err error = imp_report_finish(draft->report, messages);
    if (!error) {
        *sweep = draft->sweep;
        draft->sweep = (imp_sweep){.theory = NULL};
    }
    imp_draft_end(draft);
    return error;
}
