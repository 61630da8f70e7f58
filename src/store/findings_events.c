/* Events along an outer axis: between its values, or between values that are as close as the
 * tolerance asks for. An interval with events is halved until it is narrow enough; a half without
 * events is done. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "num/larger.h"
#include "store/findings_impl.h"

/* A value of the outer axis, and the regions there. */
typedef struct outer {
    double value;
    imp_cores cores;
} outer;

static void add_rows(const imp_adder *a, const imp_events *found, double first, double last) {
    int axes = a->f->sweep->refine.lattice.n_axes;
    for (size_t i = 0; i < found->n; i++) {
        const imp_event *event = &found->events[i];
        double *row = imp_adder_row(a, IMP_TABLE_EVENTS), at[3 * IMP_REFINE_AXES];
#define EVENT(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        *row++ = first;
        *row++ = last;
        imp_adder_place(a, &(imp_region){.inside = event->inside}, at);
        for (int k = 0; k < axes; k++) {
            *row++ = at[3 * k];
        }
    }
}

static bool is_whole(const imp_sweep *sweep, const char *parameter) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    return imp_theory_variants(sweep->theory, parameter, variants) > 0 && variants[0]->whole;
}

/* Whether what follows a value of the event axis has values there: some are whole numbers. */
static bool has_followers(const imp_findings *f, double value) {
    const imp_axis *axis = &f->sweep->grid.axes[f->event_axis];
    double values[IMP_MAX_COLUMNS] = {value};
    bool has = true;
    imp_sweep_follow_axis(f->sweep, f->event_axis, values);
    for (int c = 1; c < axis->n_columns; c++) {
        bool fits = !is_whole(f->sweep, axis->columns[c].name) || values[c] == floor(values[c]);
        has = has && fits;
    }
    return has;
}

/* From the least value of the event axis, which a list may have anywhere, to the greatest. */
static double range_of(const imp_axis *axis) {
    const double *values = axis->columns[0].values;
    double least = values[0], greatest = values[0];
    for (int64_t i = 1; i < axis->size; i++) {
        least = imp_smaller(least, values[i]);
        greatest = imp_larger(greatest, values[i]);
    }
    return greatest - least;
}

/* The value in the middle of an interval; NaN: it is narrow enough, or has none. */
static double middle(const imp_findings *f, double first, double last) {
    const imp_axis *axis = &f->sweep->grid.axes[f->event_axis];
    double width = f->sweep->refine.tolerance * range_of(axis);
    double mid = first + (last - first) / 2;
    mid = is_whole(f->sweep, axis->columns[0].name) ? floor(mid) : mid;
    bool between = (first < mid && mid < last) || (last < mid && mid < first);
    bool wanted = f->between.refine && between && fabs(last - first) > width;
    return wanted && has_followers(f, mid) ? mid : (double)NAN;
}

/* The regions of the flat grid of a refinement at a value between those of the axis. */
static imp_err look(const imp_adder *a, outer *at) {
    imp_findings *f = a->f;
    imp_adder here = *a;
    imp_refinement *refinement = NULL;
    uint32_t *label = malloc((size_t)f->nodes * sizeof *label);
    imp_err error = label ? f->between.refine(f->between.context, a->cell, at->value, &refinement)
                          : imp_out_of_memory();
    here.refinement = refinement;
    here.labels = NULL;
    error = error || imp_adder_labels(&here) ? error : imp_out_of_memory();
    error = error ? error : imp_refine_flatten(refinement, f->level, label);
    for (int64_t i = 0; !error && i < f->nodes; i++) {
        label[i] = here.labels[imp_refine_class_of(refinement, label[i])];
    }
    error = error ? error
                  : imp_cores_find(f->sweep->refine.lattice.n_axes, f->level, label, &at->cores);
    free(here.labels);
    free(label);
    imp_refine_close(&refinement);
    return error;
}

static imp_err add_between(const imp_adder *a, const outer *first, const outer *last) {
    imp_events events = {.n = 0};
    outer mid = {.value = middle(a->f, first->value, last->value)};
    imp_err error = imp_events_find(&first->cores, &last->cores, &events);
    if (!error && (events.n == 0 || isnan(mid.value))) {
        add_rows(a, &events, first->value, last->value);
    } else if (!error) {
        error = look(a, &mid);
        error = error ? error : add_between(a, first, &mid);
        error = error ? error : add_between(a, &mid, last);
        imp_regions_free(&mid.cores.of);
    }
    free(events.events);
    return error;
}

imp_err imp_events_add(const imp_adder *a, const uint32_t *label) {
    imp_findings *f = a->f;
    if (f->event_axis < 0) {
        return IMP_OK;
    }
    const imp_axis *axis = &f->sweep->grid.axes[f->event_axis];
    int64_t at = a->cell / f->event_stride % axis->size;
    imp_cores *cores = &f->cores[a->cell];
    imp_err error = imp_cores_find(f->sweep->refine.lattice.n_axes, f->level, label, cores);
    if (!error && at > 0) {
        const double *values = axis->columns[0].values;
        imp_cores *before = cores - f->event_stride;
        const outer first = {values[at - 1], *before}, last = {values[at], *cores};
        error = add_between(a, &first, &last);
        imp_regions_free(&before->of);
    }
    return error;
}
