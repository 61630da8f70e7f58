#include "store/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/units.h"

static const char *const groups[] = {
#define NAME(group) group,
    IMP_FINDING_GROUPS(NAME)
#undef NAME
};

static const char *const dimensions[IMP_N_TABLES] = {
    [IMP_TABLE_REFINEMENTS] = "refinement", [IMP_TABLE_LABELS] = "label",
    [IMP_TABLE_SHARES] = "share",           [IMP_TABLE_BOUNDARIES] = "vertex",
    [IMP_TABLE_TRIANGLES] = "triangle",     [IMP_TABLE_JUNCTIONS] = "junction",
    [IMP_TABLE_FILAMENTS] = "filament",     [IMP_TABLE_REGIONS] = "region",
    [IMP_TABLE_BORDERS] = "border",         [IMP_TABLE_EVENTS] = "event",
};

bool imp_findings_in_grid(const imp_sweep *sweep, int output) {
    const imp_theory *theory = sweep->theory;
    bool mode = strcmp(theory->outputs[output].name, "mode") == 0;
    for (int r = 0; r < sweep->refine.n_rules; r++) {
        const imp_rule *rule = &sweep->refine.rules[r];
        bool sequence =
            rule->kind == IMP_RULE_VALUE && theory->outputs[rule->output].kind == IMP_SEQUENCE;
        if (imp_rule_labels(rule) && (rule->output == output || (mode && sequence))) {
            return true;
        }
    }
    return false;
}

/* ---- columns ---- */

static void add_column(imp_findings_table *table, const char *name, imp_column_type type,
                       const char *unit, const char *meaning) {
    if (table->n_columns < IMP_FINDINGS_COLUMNS) {
        imp_findings_column *column = &table->columns[table->n_columns++];
        snprintf(column->name, sizeof column->name, "%s", name);
        column->type = type;
        snprintf(column->unit, sizeof column->unit, "%s", unit);
        column->meaning = meaning;
    }
}

/* Adds the number of the refinement, if there are several. */
static void add_refinement(const imp_sweep *sweep, imp_findings_table *table, const char *prefix) {
    char name[96];
    snprintf(name, sizeof name, "%s_refinement", prefix);
    if (sweep->grid.n_axes > sweep->refine.lattice.n_axes) {
        add_column(table, name, IMP_COLUMN_COUNT, "1",
                   "number of the cell of the axes that are not refined, in C order from 0");
    }
}

/* Adds, for each refined axis, the coordinates of places: by their endings, at most three. */
static void add_places(const imp_sweep *sweep, imp_findings_table *table, const char *prefix,
                       const char *const endings[3], const char *const meanings[3]) {
    for (int k = 0; k < sweep->refine.lattice.n_axes; k++) {
        const char *parameter = sweep->grid.axes[sweep->refined[k]].name;
        for (int e = 0; e < 3 && endings[e]; e++) {
            char name[96], unit[IMP_UNIT_TEXT];
            snprintf(name, sizeof name, "%s_%.60s%s", prefix, parameter, endings[e]);
            add_column(table, name, IMP_COLUMN_REAL,
                       imp_sweep_parameter_unit(sweep, parameter, unit), meanings[e]);
        }
    }
}

/* The columns of all tables, table by table. */
static const struct {
    int table;
    const char *name;
    imp_column_type type;
    const char *meaning;
} of_tables[] = {
#define COLUMN(of, title, kind, text)                                                              \
    {.table = IMP_TABLE_##of, .name = title, .type = IMP_COLUMN_##kind, .meaning = text},
#define REFINEMENT(name, type, text, value) COLUMN(REFINEMENTS, "refinement_" #name, type, text)
#define SHARE(name, type, text, value) COLUMN(SHARES, "share_" #name, type, text)
#define BOUNDARY(name, type, text, value) COLUMN(BOUNDARIES, "boundary_" #name, type, text)
#define TRIANGLE(name, type, text, value) COLUMN(TRIANGLES, "triangle_" #name, type, text)
#define JUNCTION(name, type, text, value) COLUMN(JUNCTIONS, "junction_" #name, type, text)
#define FILAMENT(name, type, text, value) COLUMN(FILAMENTS, "filament_" #name, type, text)
#define REGION(name, type, text, value) COLUMN(REGIONS, "region_" #name, type, text)
#define BORDER(name, type, text, value) COLUMN(BORDERS, "border_" #name, type, text)
#define EVENT(name, type, text, value) COLUMN(EVENTS, "event_" #name, type, text)
#include "store/findings.def"
};

static void add_columns(imp_findings *f, int table) {
    for (size_t i = 0; i < sizeof of_tables / sizeof *of_tables; i++) {
        if (of_tables[i].table == table) {
            add_column(&f->tables[table], of_tables[i].name, of_tables[i].type, "1",
                       of_tables[i].meaning);
        }
    }
}

static void add_label_columns(const imp_sweep *sweep, imp_findings_table *t) {
    add_column(t, "label_outcome", IMP_COLUMN_OUTCOME, "1",
               "outcome of the points with this label");
    for (int r = 0; r < sweep->refine.n_rules; r++) {
        const imp_rule *rule = &sweep->refine.rules[r];
        if (!imp_rule_labels(rule)) {
            continue;
        }
        const imp_output *output = &sweep->theory->outputs[rule->output];
        char name[96];
        if (rule->kind == IMP_RULE_VALUE) {
            snprintf(name, sizeof name, "label_%.80s", output->name);
            add_column(t, name, IMP_COLUMN_REAL, "1", output->meaning);
        } else {
            snprintf(name, sizeof name, "label_%.70s_%d", output->name, r + 1);
            add_column(t, name, IMP_COLUMN_REAL, "1",
                       "0: the output is below the level, 1: at the level or above");
        }
    }
}

static void add_event_columns(imp_findings *f) {
    static const char *const place[3] = {""}, *const meaning[3] = {"place of a node well inside"};
    static const char *const endings[2] = {"_first", "_last"}, *const meanings[2] = {
                                                                   "value before the event",
                                                                   "value after the event"};
    imp_findings_table *t = &f->tables[IMP_TABLE_EVENTS];
    add_refinement(f->sweep, t, "event");
    add_columns(f, IMP_TABLE_EVENTS);
    for (int e = 0; f->event_axis >= 0 && e < 2; e++) {
        const char *parameter = f->sweep->grid.axes[f->event_axis].name;
        char name[96], unit[IMP_UNIT_TEXT];
        snprintf(name, sizeof name, "event_%.60s%s", parameter, endings[e]);
        add_column(t, name, IMP_COLUMN_REAL, imp_sweep_parameter_unit(f->sweep, parameter, unit),
                   meanings[e]);
    }
    add_places(f->sweep, t, "event", place, meaning);
}

static void add_all_columns(imp_findings *f) {
    static const char *const of_vertex[3] = {"coordinate of the vertex",
                                             "first end of the bracket of the vertex, a node",
                                             "other end of the bracket of the vertex, a node"};
    static const char *const of_junction[3] = {"middle of the box", "lower end of the box",
                                               "upper end of the box"};
    static const char *const of_region[3] = {
        "place of a node well inside: of those farthest from other regions and from the edge",
        "lower end of the box around the nodes", "upper end of the box around the nodes"};
    static const char *const of_filament[3] = {"middle of the strip at its wider end",
                                               "middle of the strip at its narrower end"};
    static const char *const box[3] = {"", "_low", "_high"}, *const ends[3] = {"_first", "_last"};
    imp_findings_table *t = f->tables;
    add_columns(f, IMP_TABLE_REFINEMENTS);
    add_label_columns(f->sweep, &t[IMP_TABLE_LABELS]);
    add_refinement(f->sweep, &t[IMP_TABLE_SHARES], "share");
    add_columns(f, IMP_TABLE_SHARES);
    add_refinement(f->sweep, &t[IMP_TABLE_BOUNDARIES], "boundary");
    add_columns(f, IMP_TABLE_BOUNDARIES);
    add_places(f->sweep, &t[IMP_TABLE_BOUNDARIES], "boundary", box, of_vertex);
    add_refinement(f->sweep, &t[IMP_TABLE_TRIANGLES], "triangle");
    add_columns(f, IMP_TABLE_TRIANGLES);
    add_refinement(f->sweep, &t[IMP_TABLE_JUNCTIONS], "junction");
    add_places(f->sweep, &t[IMP_TABLE_JUNCTIONS], "junction", box, of_junction);
    add_columns(f, IMP_TABLE_JUNCTIONS);
    add_refinement(f->sweep, &t[IMP_TABLE_FILAMENTS], "filament");
    add_columns(f, IMP_TABLE_FILAMENTS);
    add_places(f->sweep, &t[IMP_TABLE_FILAMENTS], "filament", ends, of_filament);
    add_refinement(f->sweep, &t[IMP_TABLE_REGIONS], "region");
    add_columns(f, IMP_TABLE_REGIONS);
    add_places(f->sweep, &t[IMP_TABLE_REGIONS], "region", box, of_region);
    add_refinement(f->sweep, &t[IMP_TABLE_BORDERS], "border");
    add_columns(f, IMP_TABLE_BORDERS);
    add_event_columns(f);
}

imp_err imp_findings_open(const imp_sweep *sweep, imp_findings *findings) {
    *findings = (imp_findings){.sweep = sweep, .level = imp_sweep_flat_level(sweep), .nodes = 1};
    for (int t = 0; t < IMP_N_TABLES; t++) {
        findings->tables[t].group = groups[t];
        findings->tables[t].dimension = dimensions[t];
    }
    findings->event_axis = imp_sweep_event_axis(sweep);
    add_all_columns(findings);
    for (int k = 0; k < sweep->refine.lattice.n_axes; k++) {
        findings->nodes *= (INT64_C(1) << findings->level) + 1;
    }
    size_t all = (size_t)imp_sweep_outer_cells(sweep) * (size_t)findings->nodes;
    findings->flat = malloc(all * sizeof *findings->flat);
    if (findings->event_axis >= 0) {
        findings->event_stride = imp_sweep_outer_stride(sweep, findings->event_axis);
        findings->cores = calloc((size_t)imp_sweep_outer_cells(sweep), sizeof *findings->cores);
    }
    bool fits = findings->flat && (findings->cores || findings->event_axis < 0);
    return fits ? IMP_OK : imp_out_of_memory();
}

void imp_findings_close(imp_findings *findings) {
    for (int t = 0; t < IMP_N_TABLES; t++) {
        free(findings->tables[t].values);
    }
    imp_text_free(&findings->label_names);
    for (int64_t c = 0; findings->cores && c < imp_sweep_outer_cells(findings->sweep); c++) {
        imp_regions_free(&findings->cores[c].of);
    }
    free(findings->cores);
    free(findings->flat);
    *findings = (imp_findings){.sweep = NULL};
}
