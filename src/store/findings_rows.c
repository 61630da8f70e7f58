/* The rows that one refinement adds to the tables of findings. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "refine/regions.h"
#include "store/findings.h"

/* A row of zeros; NULL: out of memory. */
static double *add_row(imp_findings_table *table) {
    if (!table->values || table->n == table->room) {
        size_t room = table->room ? table->room + table->room / 2 : 64;
        double *more = realloc(table->values, room * (size_t)table->n_columns * sizeof *more);
        if (!more) {
            return NULL;
        }
        table->values = more;
        table->room = room;
    }
    double *row = table->values + table->n++ * (size_t)table->n_columns;
    memset(row, 0, (size_t)table->n_columns * sizeof *row);
    return row;
}

/* A refinement while its findings are added. */
typedef struct adder {
    imp_findings *f;
    int64_t cell;
    const imp_refinement *refinement;
    imp_refine_result result;
    uint32_t *labels; /* by class */
    bool several;     /* more than one refinement */
} adder;

/* Begins a row, with the number of the refinement if there are several; returns its next column.
 * NULL: out of memory. */
static double *begin_row(const adder *a, int table) {
    double *row = add_row(&a->f->tables[table]);
    if (row && a->several) {
        *row++ = (double)a->cell;
    }
    return row;
}

static double *put_places(const adder *a, const uint32_t *low, const uint32_t *high, double *row) {
    const imp_lattice *lattice = &a->f->sweep->refine.lattice;
    for (int k = 0; k < lattice->n_axes; k++) {
        *row++ = imp_lattice_value(lattice, k, 0.5 * ((double)low[k] + (double)high[k]));
        *row++ = imp_lattice_value(lattice, k, low[k]);
        *row++ = imp_lattice_value(lattice, k, high[k]);
    }
    return row;
}

static void print_value(const imp_sweep *sweep, const imp_rule *rule, double value,
                        imp_text *text) {
    const imp_output *output = &sweep->theory->outputs[rule->output];
    int n = 0;
    const imp_mode *categories =
        output->kind == IMP_CATEGORY ? imp_output_categories(sweep->theory, output, &n) : NULL;
    char sequence[256];
    if (isnan(value)) {
        imp_text_print(text, "no_%s", output->name);
    } else if (rule->kind == IMP_RULE_LEVEL) {
        imp_text_print(text, "%s%s%.9g", output->name, value > 0 ? ">=" : "<", rule->number);
    } else if (output->kind == IMP_SEQUENCE) {
        imp_sequence_text((uint64_t)value, sizeof sequence, sequence);
        for (char *at = sequence; *at; at++) {
            *at = *at == ' ' ? '_' : *at;
        }
        imp_text_print(text, "%s", sequence);
    } else {
        const char *name = NULL;
        for (int i = 0; i < n; i++) {
            name = categories[i].code == value ? categories[i].name : name;
        }
        if (name) {
            imp_text_print(text, "%s", name);
        } else if (n > 0) {
            imp_text_print(text, "none");
        } else {
            imp_text_print(text, "%s=%.17g", output->name, value);
        }
    }
}

static void print_name(const imp_sweep *sweep, const imp_refine_class *c, imp_text *text) {
    const char *separator = "";
    if (c->outcome != IMP_SOLVED) {
        imp_text_print(text, "%s", imp_outcome_name(c->outcome));
    }
    for (int r = 0; c->outcome == IMP_SOLVED && r < sweep->refine.n_rules; r++) {
        if (sweep->refine.rules[r].kind != IMP_RULE_JUMP) {
            imp_text_print(text, "%s", separator);
            print_value(sweep, &sweep->refine.rules[r], c->value[r], text);
            separator = ",";
        }
    }
    imp_text_print(text, c->outcome == IMP_SOLVED && !*separator ? "solved\n" : "\n");
}

static bool same(double a, double b) {
    return a == b || (isnan(a) && isnan(b));
}

/* The number of the label of a class, the same in all refinements; negative: out of memory. */
static int64_t label_of(imp_findings *f, const imp_refine_class *c) {
    imp_findings_table *t = &f->tables[IMP_TABLE_LABELS];
    double row[IMP_MAX_RULES + 1];
    int n = 0;
    row[n++] = c->outcome;
    for (int r = 0; r < f->sweep->refine.n_rules; r++) {
        if (f->sweep->refine.rules[r].kind != IMP_RULE_JUMP) {
            row[n++] = c->outcome == IMP_SOLVED ? c->value[r] : NAN;
        }
    }
    for (size_t i = 0; i < t->n; i++) {
        bool equal = true;
        for (int k = 0; k < n; k++) {
            equal = equal && same(t->values[i * (size_t)n + (size_t)k], row[k]);
        }
        if (equal) {
            return (int64_t)i;
        }
    }
    double *added = add_row(t);
    if (!added) {
        return -1;
    }
    memcpy(added, row, (size_t)n * sizeof *row);
    print_name(f->sweep, c, &f->label_names);
    return f->label_names.failed ? -1 : (int64_t)t->n - 1;
}

static bool find_labels(adder *a) {
    uint32_t n = imp_refine_classes(a->refinement);
    a->labels = malloc(((size_t)n + 1) * sizeof *a->labels);
    bool good = a->labels != NULL;
    for (uint32_t i = 0; good && i < n; i++) {
        int64_t label = label_of(a->f, imp_refine_class_at(a->refinement, i));
        a->labels[i] = (uint32_t)label;
        good = label >= 0;
    }
    return good;
}

static bool add_shares(const adder *a) {
    for (uint32_t i = 0; i < a->result.n_shares; i++) {
        const imp_share *share = &a->result.shares[i];
        double *row = begin_row(a, IMP_TABLE_SHARES);
        if (!row) {
            return false;
        }
#define SHARE(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
    return true;
}

static bool add_vertex(const adder *a, int64_t number, uint32_t left, uint32_t right,
                       const imp_crossing *crossing) {
    double *row = begin_row(a, IMP_TABLE_BOUNDARIES);
    if (row) {
#define BOUNDARY(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        put_places(a, crossing->low, crossing->high, row);
    }
    return row != NULL;
}

static bool add_polylines(const adder *a) {
    bool good = true;
    for (int64_t b = 0; good && b < a->result.n_boundaries; b++) {
        const imp_boundary *line = &a->result.boundaries[b];
        for (int64_t i = 0; good && i < line->n; i++) {
            good = add_vertex(a, b, line->left, line->right,
                              &a->result.crossings[a->result.path[line->first + i]]);
        }
    }
    return good;
}

/* With one, three or four axes there are no polylines: each crossing has its own number. */
static bool add_crossings(const adder *a) {
    bool good = true;
    for (int64_t i = 0; good && i < a->result.n_crossings; i++) {
        const imp_crossing *crossing = &a->result.crossings[i];
        good = add_vertex(a, i, crossing->class_low, crossing->class_high, crossing);
    }
    return good;
}

static bool add_triangles(const adder *a, size_t first_vertex) {
    for (int64_t i = 0; i < a->result.n_triangles; i++) {
        const imp_triangle *triangle = &a->result.triangles[i];
        double *row = begin_row(a, IMP_TABLE_TRIANGLES);
        if (!row) {
            return false;
        }
#define TRIANGLE(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
    return true;
}

_Static_assert(IMP_JUNCTION_CLASSES == 8, "a row of findings.def for each label of a junction");

static bool add_junctions(const adder *a) {
    for (int64_t i = 0; i < a->result.n_junctions; i++) {
        const imp_junction *junction = &a->result.junctions[i];
        double *row = begin_row(a, IMP_TABLE_JUNCTIONS);
        if (!row) {
            return false;
        }
        row = put_places(a, junction->low, junction->high, row);
#define JUNCTION(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
    return true;
}

/* Length of the polylines if every range is scaled to length 1. */
static double length_of(const adder *a) {
    int axes = a->f->sweep->refine.lattice.n_axes;
    double unit = ldexp(1, -imp_lattice_bits(axes)), length = 0;
    for (int64_t b = 0; b < a->result.n_boundaries; b++) {
        const imp_boundary *line = &a->result.boundaries[b];
        for (int64_t i = 1; i < line->n; i++) {
            const uint32_t *path = a->result.path + line->first + i;
            const imp_crossing *from = &a->result.crossings[path[-1]],
                               *to = &a->result.crossings[path[0]];
            double square = 0;
            for (int k = 0; k < axes; k++) {
                double step = 0.5 * unit *
                              ((double)to->low[k] + (double)to->high[k] - (double)from->low[k] -
                               (double)from->high[k]);
                square += step * step;
            }
            length += sqrt(square);
        }
    }
    return length;
}

static bool add_summary(const adder *a) {
    imp_refine_statistics s = imp_refine_statistics_of(a->refinement);
    const imp_audit *audit = &a->result.audit;
    double *row = add_row(&a->f->tables[IMP_TABLE_REFINEMENTS]);
    if (row) {
#define REFINEMENT(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
    return row != NULL;
}

static bool add_flat(const adder *a, int64_t first) {
    imp_findings *f = a->f;
    uint32_t *flat = f->flat + a->cell * f->nodes;
    if (imp_refine_flatten(a->refinement, f->level, flat)) {
        return false;
    }
    for (int64_t i = 0; i < f->nodes; i++) {
        flat[i] += (uint32_t)first;
    }
    return true;
}

/* ---- filaments ---- */

static bool add_filaments(const adder *a) {
    const imp_lattice *lattice = &a->f->sweep->refine.lattice;
    for (int64_t i = 0; i < a->result.n_filaments; i++) {
        const imp_filament *filament = &a->result.filaments[i];
        double *row = begin_row(a, IMP_TABLE_FILAMENTS);
        if (!row) {
            return false;
        }
#define FILAMENT(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        for (int k = 0; k < lattice->n_axes; k++) {
            *row++ = imp_lattice_value(lattice, k, filament->place[0][k]);
            *row++ = imp_lattice_value(lattice, k, filament->place[1][k]);
        }
    }
    return true;
}

/* ---- regions ---- */

/* The place of a region's inner node, and the ends of its box, on each axis. */
static void put_region(const adder *a, const imp_region *region, double *row) {
    const imp_lattice *lattice = &a->f->sweep->refine.lattice;
    int shift = imp_lattice_bits(lattice->n_axes) - a->f->level;
    int64_t side = (INT64_C(1) << a->f->level) + 1, rest = region->inside;
    for (int k = lattice->n_axes - 1; k >= 0; k--) {
        const int64_t at[3] = {rest % side, region->low[k], region->high[k]};
        for (int e = 0; e < 3; e++) {
            row[3 * k + e] = imp_lattice_value(lattice, k, (double)(at[e] << shift));
        }
        rest /= side;
    }
}

static bool add_region_rows(const adder *a, const imp_regions *found) {
    for (uint32_t i = 0; i < found->n; i++) {
        const imp_region *region = &found->regions[i];
        double *row = begin_row(a, IMP_TABLE_REGIONS);
        if (!row) {
            return false;
        }
#define REGION(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        put_region(a, region, row);
    }
    for (int64_t i = 0; i < found->n_borders; i++) {
        const imp_border *border = &found->borders[i];
        double *row = begin_row(a, IMP_TABLE_BORDERS);
        if (!row) {
            return false;
        }
#define BORDER(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
    return true;
}

/* ---- events ---- */

static bool add_event_rows(const adder *a, const imp_events *found) {
    const imp_axis *axis = &a->f->sweep->grid.axes[a->f->event_axis];
    int64_t at = a->cell / a->f->event_stride % axis->size;
    int axes = a->f->sweep->refine.lattice.n_axes;
    for (size_t i = 0; i < found->n; i++) {
        const imp_event *event = &found->events[i];
        double *row = begin_row(a, IMP_TABLE_EVENTS), place[3 * IMP_REFINE_AXES];
        if (!row) {
            return false;
        }
#define EVENT(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        *row++ = axis->columns[0].values[at - 1];
        *row++ = axis->columns[0].values[at];
        put_region(a, &(imp_region){.inside = event->inside}, place);
        for (int k = 0; k < axes; k++) {
            *row++ = place[3 * k];
        }
    }
    return true;
}

/* Compares the regions with those at the value before, and keeps their cores for the next one. */
static bool add_events(const adder *a, const uint32_t *label) {
    imp_findings *f = a->f;
    if (f->event_axis < 0) {
        return true;
    }
    imp_events events = {.n = 0};
    imp_cores *cores = &f->cores[a->cell], *before = cores - f->event_stride;
    bool good = !imp_cores_find(f->sweep->refine.lattice.n_axes, f->level, label, cores);
    if (good && a->cell / f->event_stride % f->sweep->grid.axes[f->event_axis].size > 0) {
        good = !imp_events_find(before, cores, &events) && add_event_rows(a, &events);
        imp_regions_free(&before->of);
    }
    free(events.events);
    return good;
}

static bool add_regions(const adder *a, int64_t first) {
    const imp_findings *f = a->f;
    const uint32_t *flat = f->flat + a->cell * f->nodes;
    uint32_t *label = malloc((size_t)f->nodes * sizeof *label);
    imp_regions found = {.n = 0};
    bool good = label != NULL;
    for (int64_t i = 0; good && i < f->nodes; i++) {
        label[i] = a->labels[imp_refine_class_of(a->refinement, flat[i] - (uint32_t)first)];
    }
    good = good && !imp_regions_find(f->sweep->refine.lattice.n_axes, f->level, label, &found) &&
           add_region_rows(a, &found) && add_events(a, label);
    imp_regions_free(&found);
    free(label);
    return good;
}

imp_err imp_findings_add(imp_findings *findings, int64_t cell, const imp_refinement *refinement,
                         int64_t first) {
    const imp_sweep *sweep = findings->sweep;
    adder a = {.f = findings,
               .cell = cell,
               .refinement = refinement,
               .several = sweep->grid.n_axes > sweep->refine.lattice.n_axes};
    size_t vertices = findings->tables[IMP_TABLE_BOUNDARIES].n;
    imp_err error = imp_refine_result_of(refinement, &a.result);
    if (error) {
        return error;
    }
    bool good = find_labels(&a) && add_summary(&a) && add_shares(&a) &&
                (sweep->refine.lattice.n_axes == 2 ? add_polylines(&a) : add_crossings(&a)) &&
                add_triangles(&a, vertices) && add_junctions(&a) && add_filaments(&a) &&
                add_flat(&a, first) && add_regions(&a, first);
    free(a.labels);
    imp_refine_result_free(&a.result);
    return good ? IMP_OK : imp_fail(IMP_ERR_MEMORY, "out of memory");
}
