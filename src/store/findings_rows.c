/* The rows that one refinement adds to the tables of findings. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "refine/regions.h"
#include "store/findings_impl.h"

static double *put_places(const imp_adder *a, const uint32_t *low, const uint32_t *high,
                          double *row) {
    const imp_lattice *lattice = &a->f->sweep->refine.lattice;
    for (int k = 0; k < lattice->n_axes; k++) {
        *row++ = imp_lattice_value(lattice, k, 0.5 * ((double)low[k] + (double)high[k]));
        *row++ = imp_lattice_value(lattice, k, low[k]);
        *row++ = imp_lattice_value(lattice, k, high[k]);
    }
    return row;
}

static void add_shares(const imp_adder *a) {
    for (uint32_t i = 0; i < a->result.n_shares; i++) {
        const imp_share *share = &a->result.shares[i];
        double *row = imp_adder_row(a, IMP_TABLE_SHARES);
#define SHARE(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
}

static void add_vertex(const imp_adder *a, int64_t number, uint32_t left, uint32_t right,
                       const imp_crossing *crossing) {
    double *row = imp_adder_row(a, IMP_TABLE_BOUNDARIES);
#define BOUNDARY(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    put_places(a, crossing->low, crossing->high, row);
}

/* The sides of a line, as of a triangle, hold in values, in which lines are drawn. */
static void add_polylines(const imp_adder *a) {
    bool mirrored = imp_lattice_is_mirrored(&a->f->sweep->refine.lattice);
    for (int64_t b = 0; b < a->result.n_boundaries; b++) {
        const imp_boundary *line = &a->result.boundaries[b];
        uint32_t left = mirrored ? line->right : line->left;
        uint32_t right = mirrored ? line->left : line->right;
        for (int64_t i = 0; i < line->n; i++) {
            add_vertex(a, b, left, right, &a->result.crossings[a->result.path[line->first + i]]);
        }
    }
}

/* With one, three or four axes there are no polylines: each crossing has its own number. */
static void add_crossings(const imp_adder *a) {
    for (int64_t i = 0; i < a->result.n_crossings; i++) {
        const imp_crossing *crossing = &a->result.crossings[i];
        add_vertex(a, i, crossing->class_low, crossing->class_high, crossing);
    }
}

static void add_triangles(const imp_adder *a, size_t first_vertex) {
    bool mirrored = imp_lattice_is_mirrored(&a->f->sweep->refine.lattice);
    for (int64_t i = 0; i < a->result.n_triangles; i++) {
        const imp_triangle *triangle = &a->result.triangles[i];
        uint32_t below = mirrored ? triangle->above : triangle->below;
        uint32_t above = mirrored ? triangle->below : triangle->above;
        double *row = imp_adder_row(a, IMP_TABLE_TRIANGLES);
#define TRIANGLE(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
}

_Static_assert(IMP_JUNCTION_CLASSES == 8, "a row of findings.def for each label of a junction");

static void add_junctions(const imp_adder *a) {
    for (int64_t i = 0; i < a->result.n_junctions; i++) {
        const imp_junction *junction = &a->result.junctions[i];
        double *row = imp_adder_row(a, IMP_TABLE_JUNCTIONS);
        row = put_places(a, junction->low, junction->high, row);
#define JUNCTION(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
}

/* Length of the polylines if every range is scaled to length 1. */
static double length_of(const imp_adder *a) {
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

static void add_summary(const imp_adder *a) {
    imp_refine_statistics s = imp_refine_statistics_of(a->refinement);
    const imp_audit *audit = &a->result.audit;
    double *row = imp_findings_row(a->f, IMP_TABLE_REFINEMENTS);
#define REFINEMENT(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
}

static imp_err add_flat(const imp_adder *a, int64_t first) {
    imp_findings *f = a->f;
    uint32_t *flat = f->flat + a->cell * f->nodes;
    imp_err error = imp_refine_flatten(a->refinement, f->level, flat);
    for (int64_t i = 0; !error && i < f->nodes; i++) {
        flat[i] += (uint32_t)first;
    }
    return error;
}

/* ---- filaments ---- */

static void add_filaments(const imp_adder *a) {
    const imp_lattice *lattice = &a->f->sweep->refine.lattice;
    for (int64_t i = 0; i < a->result.n_filaments; i++) {
        const imp_filament *filament = &a->result.filaments[i];
        double *row = imp_adder_row(a, IMP_TABLE_FILAMENTS);
#define FILAMENT(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        for (int k = 0; k < lattice->n_axes; k++) {
            *row++ = imp_lattice_value(lattice, k, filament->place[0][k]);
            *row++ = imp_lattice_value(lattice, k, filament->place[1][k]);
        }
    }
}

/* ---- regions ---- */

static void add_region_rows(const imp_adder *a, const imp_regions *found) {
    for (uint32_t i = 0; i < found->n; i++) {
        const imp_region *region = &found->regions[i];
        double *row = imp_adder_row(a, IMP_TABLE_REGIONS);
#define REGION(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
        imp_adder_place(a, region, row);
    }
    for (int64_t i = 0; i < found->n_borders; i++) {
        const imp_border *border = &found->borders[i];
        double *row = imp_adder_row(a, IMP_TABLE_BORDERS);
#define BORDER(name, type, meaning, value) *row++ = value;
#include "store/findings.def"
    }
}

static imp_err add_regions(const imp_adder *a, int64_t first) {
    const imp_findings *f = a->f;
    const uint32_t *flat = f->flat + a->cell * f->nodes;
    uint32_t *label = malloc((size_t)f->nodes * sizeof *label);
    imp_regions found = {.n = 0};
    imp_err error = label ? IMP_OK : imp_out_of_memory();
    for (int64_t i = 0; !error && i < f->nodes; i++) {
        label[i] = a->labels[imp_refine_class_of(a->refinement, flat[i] - (uint32_t)first)];
    }
    error =
        error ? error : imp_regions_find(f->sweep->refine.lattice.n_axes, f->level, label, &found);
    if (!error) {
        add_region_rows(a, &found);
        error = imp_events_add(a, label);
    }
    imp_regions_free(&found);
    free(label);
    return error;
}

static imp_err add_all(const imp_adder *a, size_t vertices, int64_t first) {
    add_summary(a);
    add_shares(a);
    (a->f->sweep->refine.lattice.n_axes == 2 ? add_polylines : add_crossings)(a);
    add_triangles(a, vertices);
    add_junctions(a);
    add_filaments(a);
    imp_err error = add_flat(a, first);
    return error ? error : add_regions(a, first);
}

imp_err imp_findings_add(imp_findings *findings, int64_t cell, const imp_refinement *refinement,
                         int64_t first) {
    const imp_sweep *sweep = findings->sweep;
    imp_adder a = {.f = findings,
                   .cell = cell,
                   .refinement = refinement,
                   .several = sweep->grid.n_axes > sweep->refine.lattice.n_axes};
    size_t vertices = findings->tables[IMP_TABLE_BOUNDARIES].n;
    imp_err error = imp_refine_result_of(refinement, &a.result);
    if (error) {
        return error;
    }
    if (imp_adder_labels(&a)) {
        error = add_all(&a, vertices, first);
    }
    free(a.labels);
    imp_refine_result_free(&a.result);
    return findings->failed ? imp_out_of_memory() : error;
}
