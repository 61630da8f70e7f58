#include "solve/evaluator.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/solver.h"

enum { MAX_SOURCES = IMP_MAX_AXES * IMP_MAX_COLUMNS };

/* A column of the grid, filled for the cells at hand. */
typedef struct source {
    int axis, column;
    double *values;
} source;

/* One signature of the sweep: its solver, and the source of each input. */
typedef struct variant {
    imp_solver *solver;
    const double *in[IMP_MAX_PARAMETERS];
} variant;

struct imp_evaluator {
    const imp_sweep *sweep;
    imp_layout layout;
    size_t batch; /* cells that are solved together */
    source *sources;
    int n_sources;
    double *columns;    /* the memory of sources, constants and gathered inputs, a batch each */
    double **constants; /* by fixed value */
    variant *variants;
    int n_variants;
    double *in[IMP_MAX_PARAMETERS]; /* gathered, where variants alternate; else NULL */
    size_t *cell;                   /* the cells that they are gathered from */
    /* Per output of the sweep: the values of a batch, those of one cell together. */
    double *out[IMP_MAX_OUTPUTS], *gathered[IMP_MAX_OUTPUTS], *values;
    size_t length[IMP_MAX_OUTPUTS];
    uint8_t *outcome, *gathered_outcome;
};

/* What the cells of a search compute has a value that they ignore. */
static double constant(const imp_sweep *sweep, const imp_fixed *fixed) {
    for (int f = 0; f < sweep->n_followers; f++) {
        if (sweep->followers[f].searched && sweep->followers[f].parameter == fixed->parameter) {
            return fixed->parameter->example;
        }
    }
    return fixed->value;
}

/* Memory for the columns of sources, constants and gathered inputs. */
static imp_err open_columns(imp_evaluator *e) {
    const imp_grid *grid = &e->sweep->grid;
    size_t n = (size_t)e->sweep->n_fixed + IMP_MAX_PARAMETERS;
    for (int a = 0; a < grid->n_axes; a++) {
        n += (size_t)grid->axes[a].n_columns;
    }
    e->sources = calloc(MAX_SOURCES, sizeof *e->sources);
    e->constants = calloc((size_t)e->sweep->n_fixed + 1, sizeof *e->constants);
    e->columns = calloc(n * e->batch, sizeof *e->columns);
    e->cell = calloc(e->batch, sizeof *e->cell);
    return e->sources && e->constants && e->columns && e->cell ? IMP_OK : imp_out_of_memory();
}

static imp_err open_sources(imp_evaluator *e) {
    const imp_grid *grid = &e->sweep->grid;
    imp_err error = open_columns(e);
    double *at = e->columns;
    for (int a = 0; !error && a < grid->n_axes; a++) {
        for (int c = 0; c < grid->axes[a].n_columns; c++, at += e->batch) {
            e->sources[e->n_sources++] = (source){.axis = a, .column = c, .values = at};
        }
    }
    for (int f = 0; !error && f < e->sweep->n_fixed; f++, at += e->batch) {
        double value = constant(e->sweep, &e->sweep->fixed[f]);
        e->constants[f] = at;
        for (size_t i = 0; i < e->batch; i++) {
            at[i] = value;
        }
    }
    for (int p = 0; !error && p < IMP_MAX_PARAMETERS; p++, at += e->batch) {
        e->in[p] = at;
    }
    return error;
}

static const double *find_source(const imp_evaluator *e, const char *name) {
    for (int s = 0; s < e->n_sources; s++) {
        const source *from = &e->sources[s];
        if (strcmp(e->sweep->grid.axes[from->axis].columns[from->column].name, name) == 0) {
            return from->values;
        }
    }
    int fixed = imp_sweep_find_fixed(e->sweep, name);
    return fixed >= 0 && !isnan(e->constants[fixed][0]) ? e->constants[fixed] : NULL;
}

/* A parameter that is given through its stand-in has no values of its own, even if it has a
 * default. */
static void find_inputs(const imp_evaluator *e, const imp_signature *s, const double **in) {
    int taken_from[IMP_MAX_PARAMETERS];
    imp_sweep_sources(e->sweep, s, taken_from);
    for (int p = 0; p < s->n_parameters; p++) {
        bool replaced = taken_from[p] >= 0 && taken_from[p] != p;
        in[p] = replaced ? NULL : find_source(e, s->parameter[p]->name);
    }
}

/* Lets a solver compute the followers that a search does not. */
static imp_err follow(const imp_sweep *sweep, imp_solver *solver) {
    int n = imp_followers_outside(sweep->followers, sweep->n_followers);
    return n > 0 ? imp_solver_follow(solver, sweep->followers, n) : IMP_OK;
}

static imp_err open_variants(imp_evaluator *e) {
    imp_signature *signatures = imp_sweep_signatures(e->sweep, &e->n_variants);
    e->variants = calloc((size_t)e->n_variants + 1, sizeof *e->variants);
    imp_err error = signatures && e->variants ? IMP_OK : imp_out_of_memory();
    for (int v = 0; !error && v < e->n_variants; v++) {
        error = imp_solver_open(&signatures[v], &e->variants[v].solver);
        if (error) {
            break;
        }
        imp_set_budget(e->variants[v].solver, e->sweep->cell_budget);
        find_inputs(e, &signatures[v], e->variants[v].in);
        error = follow(e->sweep, e->variants[v].solver);
    }
    free(signatures);
    return error;
}

static imp_err open_outputs(imp_evaluator *e) {
    size_t all = 0;
    for (int o = 0; o < e->sweep->n_outputs; o++) {
        e->length[o] = imp_output_length(&e->sweep->theory->outputs[e->sweep->outputs[o]]);
        all += e->length[o] * e->batch;
    }
    e->values = calloc(2 * all + 1, sizeof *e->values);
    e->outcome = calloc(2 * e->batch, sizeof *e->outcome);
    e->gathered_outcome = e->outcome ? e->outcome + e->batch : NULL;
    if (!e->values || !e->outcome) {
        return imp_out_of_memory();
    }
    double *at = e->values;
    for (int o = 0; o < e->sweep->n_outputs; o++) {
        e->out[o] = at;
        e->gathered[o] = at + all;
        at += e->length[o] * e->batch;
    }
    return IMP_OK;
}

imp_err imp_evaluator_open(const imp_sweep *sweep, imp_evaluator **evaluator) {
    imp_evaluator *e = calloc(1, sizeof *e);
    *evaluator = e;
    if (!e) {
        return imp_out_of_memory();
    }
    e->sweep = sweep;
    e->batch = imp_theory_batch(sweep->theory);
    e->layout = imp_layout_of(sweep);
    imp_err error = open_sources(e);
    error = error ? error : open_outputs(e);
    error = error ? error : open_variants(e);
    if (error) {
        imp_evaluator_close(evaluator);
    }
    return error;
}

void imp_evaluator_close(imp_evaluator **evaluator) {
    imp_evaluator *e = *evaluator;
    if (!e) {
        return;
    }
    for (int v = 0; e->variants && v < e->n_variants; v++) {
        imp_close(&e->variants[v].solver);
    }
    free(e->variants);
    free(e->values);
    free(e->outcome);
    free(e->columns);
    free(e->cell);
    free(e->constants);
    free(e->sources);
    free(e);
    *evaluator = NULL;
}

/* Whether cell i of the batch has the choices of the signature. */
static bool belongs(const imp_evaluator *e, const imp_signature *signature, size_t i) {
    for (int s = 0; s < e->n_sources; s++) {
        const source *from = &e->sources[s];
        int choice = e->sweep->grid.axes[from->axis].columns[from->column].choice;
        if (choice >= 0 && (int)from->values[i] != signature->chosen[choice]) {
            return false;
        }
    }
    return true;
}

static imp_err solve_alone(imp_evaluator *e, const variant *v, size_t n) {
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    for (int o = 0; o < e->sweep->n_outputs; o++) {
        out[e->sweep->outputs[o]] = e->out[o];
    }
    return imp_solve(v->solver, n, v->in, out, e->outcome);
}

/* Solves the cells of the batch that belong to one of several variants. */
static imp_err solve_gathered(imp_evaluator *e, const variant *v, size_t n) {
    const imp_signature *signature = imp_solver_signature(v->solver);
    const double *in[IMP_MAX_PARAMETERS];
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    size_t *cell = e->cell, count = 0;
    for (size_t i = 0; i < n; i++) {
        if (belongs(e, signature, i)) {
            cell[count++] = i;
        }
    }
    for (int p = 0; p < signature->n_parameters; p++) {
        for (size_t k = 0; v->in[p] && k < count; k++) {
            e->in[p][k] = v->in[p][cell[k]];
        }
        in[p] = v->in[p] ? e->in[p] : NULL;
    }
    for (int o = 0; o < e->sweep->n_outputs; o++) {
        out[e->sweep->outputs[o]] = e->gathered[o];
    }
    imp_err error = imp_solve(v->solver, count, in, out, e->gathered_outcome);
    for (size_t k = 0; k < count; k++) {
        for (int o = 0; o < e->sweep->n_outputs; o++) {
            memcpy(e->out[o] + cell[k] * e->length[o], e->gathered[o] + k * e->length[o],
                   e->length[o] * sizeof *e->gathered[o]);
        }
        e->outcome[cell[k]] = e->gathered_outcome[k];
    }
    return error;
}

static imp_err solve_batch(imp_evaluator *e, int64_t first, size_t n) {
    for (int s = 0; s < e->n_sources; s++) {
        imp_grid_fill(&e->sweep->grid, e->sources[s].axis, e->sources[s].column, first, n,
                      e->sources[s].values);
    }
    if (e->n_variants == 1) {
        return solve_alone(e, &e->variants[0], n);
    }
    imp_err error = IMP_OK;
    for (int v = 0; !error && v < e->n_variants; v++) {
        error = solve_gathered(e, &e->variants[v], n);
    }
    return error;
}

imp_err imp_evaluate(imp_evaluator *e, int64_t first, size_t n, void *block, size_t room,
                     size_t at) {
    assert(first >= 0 && at + n <= room);
    unsigned char *bytes = block;
    size_t part[IMP_MAX_OUTPUTS + 1] = {0};
    for (int o = 0; o <= e->sweep->n_outputs; o++) {
        part[o] = imp_block_offset(&e->layout, room, o);
    }
    for (size_t done = 0; done < n; done += e->batch) {
        size_t count = n - done < e->batch ? n - done : e->batch;
        imp_err error = solve_batch(e, first + (int64_t)done, count);
        if (error) {
            return error;
        }
        for (int o = 0; o < e->sweep->n_outputs; o++) {
            int output = e->sweep->outputs[o];
            imp_block_put(e->sweep, output, e->out[o], count,
                          bytes + part[o] + (at + done) * e->layout.size[o]);
        }
        memcpy(bytes + part[e->sweep->n_outputs] + at + done, e->outcome, count);
    }
    return IMP_OK;
}
