#include "store/findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "solve/units.h"

const imp_table_name imp_table_names[IMP_N_TABLES] = {
#define NAMES(constant, group, dimension, word) {group, dimension, word},
    IMP_FINDING_TABLES(NAMES)
#undef NAMES
};

#define BOX                                                                                        \
    { "", "_low", "_high" }
const imp_table_places imp_table_places_of[IMP_N_TABLES] = {
    [IMP_TABLE_BOUNDARIES] = {.endings = BOX,
                              .meanings = {"coordinate of the vertex",
                                           "first end of the bracket of the vertex, a node",
                                           "other end of the bracket of the vertex, a node"}},
    [IMP_TABLE_JUNCTIONS] = {.endings = BOX,
                             .meanings = {"middle of the box", "lower end of the box",
                                          "upper end of the box"},
                             .first = true},
    [IMP_TABLE_FILAMENTS] = {.endings = {"_first", "_last"},
                             .meanings = {"middle of the strip at its wider end",
                                          "middle of the strip at its narrower end"}},
    [IMP_TABLE_REGIONS] = {.endings = BOX,
                           .meanings = {"place of a node well inside: of those farthest from other "
                                        "regions and from the edge",
                                        "lower end of the box around the nodes",
                                        "upper end of the box around the nodes"}},
    [IMP_TABLE_EVENTS] = {.endings = {""}, .meanings = {"place of a node well inside"}},
};
#undef BOX

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
static void add_refinement(const imp_sweep *sweep, imp_findings_table *table, const char *word) {
    char name[96];
    snprintf(name, sizeof name, "%s_refinement", word);
    if (sweep->grid.n_axes > sweep->refine.lattice.n_axes) {
        add_column(table, name, IMP_COLUMN_COUNT, "1",
                   "number of the cell of the axes that are not refined, in C order from 0");
    }
}

/* Adds the coordinates of something on an axis: by their endings, at most three. */
static void add_coordinates(const imp_sweep *sweep, imp_findings_table *table, const char *word,
                            int axis, const char *const endings[3], const char *const meanings[3]) {
    const char *parameter = sweep->grid.axes[axis].name;
    for (int e = 0; e < 3 && endings[e]; e++) {
        char name[96], unit[IMP_UNIT_TEXT];
        snprintf(name, sizeof name, "%s_%.60s%s", word, parameter, endings[e]);
        add_column(table, name, IMP_COLUMN_REAL, imp_sweep_parameter_unit(sweep, parameter, unit),
                   meanings[e]);
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

enum { N_OF_TABLES = sizeof of_tables / sizeof *of_tables };

const char *imp_table_column(int table, int k) {
    for (int i = 0; i < N_OF_TABLES; i++) {
        if (of_tables[i].table == table && k-- == 0) {
            return of_tables[i].name;
        }
    }
    return NULL;
}

/* The values of labels. */
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

static void add_places(imp_findings *f, int table) {
    const imp_table_places *places = &imp_table_places_of[table];
    for (int k = 0; k < f->sweep->refine.lattice.n_axes; k++) {
        add_coordinates(f->sweep, &f->tables[table], imp_table_names[table].word,
                        f->sweep->refined[k], places->endings, places->meanings);
    }
}

static void add_columns(imp_findings *f, int table) {
    static const char *const ends[3] = {"_first", "_last"}, *const of_ends[3] = {
                                                                "value before the event",
                                                                "value after the event"};
    const char *word = imp_table_names[table].word;
    imp_findings_table *t = &f->tables[table];
    if (table == IMP_TABLE_LABELS) {
        add_label_columns(f->sweep, t);
    } else if (table != IMP_TABLE_REFINEMENTS) {
        add_refinement(f->sweep, t, word);
    }
    if (imp_table_places_of[table].first) {
        add_places(f, table);
    }
    for (int i = 0; i < N_OF_TABLES; i++) {
        if (of_tables[i].table == table) {
            add_column(t, of_tables[i].name, of_tables[i].type, "1", of_tables[i].meaning);
        }
    }
    if (table == IMP_TABLE_EVENTS && f->event_axis >= 0) {
        add_coordinates(f->sweep, t, word, f->event_axis, ends, of_ends);
    }
    if (!imp_table_places_of[table].first) {
        add_places(f, table);
    }
}

imp_err imp_findings_open(const imp_sweep *sweep, imp_findings *findings) {
    *findings = (imp_findings){.sweep = sweep, .level = imp_sweep_flat_level(sweep), .nodes = 1};
    findings->event_axis = imp_sweep_event_axis(sweep);
    for (int t = 0; t < IMP_N_TABLES; t++) {
        add_columns(findings, t);
    }
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
