#include "cmd/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/found.h"
#include "refine/events.h"
#include "store/findings.h"
#include "store/fingerprint.h"
#include "store/names.h"

/* The most refinements that are printed one by one; JSON lists all. */
enum { FEW = 8, FEW_EVENTS = 12 };

/* The tables of a refined map. */
typedef struct tables {
    imp_found of[IMP_N_TABLES];
    imp_labels labels;
} tables;

static imp_err open_tables(const imp_catalog *catalog, tables *t) {
    static const int read[] = {IMP_TABLE_REFINEMENTS, IMP_TABLE_SHARES,    IMP_TABLE_BOUNDARIES,
                               IMP_TABLE_JUNCTIONS,   IMP_TABLE_FILAMENTS, IMP_TABLE_REGIONS,
                               IMP_TABLE_BORDERS,     IMP_TABLE_EVENTS};
    imp_err error = IMP_OK;
    for (size_t i = 0; !error && i < sizeof read / sizeof *read; i++) {
        error = imp_found_read(catalog, imp_table_names[read[i]].group, &t->of[read[i]]);
    }
    imp_labels_read(catalog, &t->labels);
    return error;
}

static void close_tables(tables *t) {
    for (int i = 0; i < IMP_N_TABLES; i++) {
        imp_found_free(&t->of[i]);
    }
    imp_labels_free(&t->labels);
}

/* A value of a table; 0 where the file lacks the column. */
static double value(const imp_found *f, const char *name, int64_t row) {
    const double *column = imp_found_column(f, name);
    return column ? column[row] : 0;
}

/* The refinement of each row of a table; NULL: there is only one. */
static const double *refinements_of(const tables *t, int table) {
    char name[IMP_NAME];
    snprintf(name, sizeof name, "%s_refinement", imp_table_names[table].word);
    return imp_found_column(&t->of[table], name);
}

/* Whether a row belongs to a refinement. */
static bool belongs(const double *refinements, int64_t row, int64_t refinement) {
    return !refinements || refinements[row] == (double)refinement;
}

static int64_t count(const tables *t, int table, int64_t refinement) {
    const double *refinements = refinements_of(t, table);
    int64_t n = 0;
    for (int64_t i = 0; i < t->of[table].n; i++) {
        n += belongs(refinements, i, refinement);
    }
    return n;
}

/* Number of polylines of a refinement; with one, three or four axes, of vertices. */
static int64_t count_lines(const tables *t, int64_t refinement) {
    const imp_found *f = &t->of[IMP_TABLE_BOUNDARIES];
    const double *refinements = refinements_of(t, IMP_TABLE_BOUNDARIES);
    const double *number = imp_found_column(f, "boundary_number");
    int64_t n = 0;
    double last = -1;
    for (int64_t i = 0; number && i < f->n; i++) {
        if (belongs(refinements, i, refinement)) {
            n += number[i] != last;
            last = number[i];
        }
    }
    return n;
}

/* ---- one refinement ---- */

/* A number of a refinement, by its name in the table. */
static int64_t whole(const tables *t, int64_t r, const char *name) {
    return (int64_t)value(&t->of[IMP_TABLE_REFINEMENTS], name, r);
}

static double real(const tables *t, int64_t r, const char *name) {
    return value(&t->of[IMP_TABLE_REFINEMENTS], name, r);
}

/* Says the shares of the labels, in JSON or, if it is NULL, as text. */
static void say_shares(const tables *t, int64_t number, imp_json *json) {
    const imp_found *f = &t->of[IMP_TABLE_SHARES];
    const double *refinements = refinements_of(t, IMP_TABLE_SHARES);
    for (int64_t i = 0; i < f->n; i++) {
        if (!belongs(refinements, i, number)) {
            continue;
        }
        const char *name = imp_label_name(&t->labels, value(f, "share_label", i));
        double share = value(f, "share_area", i), bound = value(f, "share_bound", i);
        double points = value(f, "share_points", i);
        bool thin = value(f, "share_thin", i) > 0;
        if (json) {
            imp_json_object(json, name);
            imp_json_number(json, "share", share);
            imp_json_number(json, "bound", bound);
            imp_json_number(json, "points", points);
            imp_json_truth(json, "thin", thin);
            imp_json_end_object(json);
        } else {
            printf("%-14s %-26s %9.4f %% +- %.2g %%, %s%s\n", "share", name, 100 * share,
                   100 * bound, imp_things((int64_t)points, "point", "points").text,
                   thin ? ", only on a line or at single points" : "");
        }
    }
}

/* Says how many strips are narrower than the smallest cells, and which is the longest. */
static void print_filaments(const tables *t, int64_t number, int64_t n) {
    const imp_found *f = &t->of[IMP_TABLE_FILAMENTS];
    const double *refinements = refinements_of(t, IMP_TABLE_FILAMENTS);
    int64_t longest = -1;
    for (int64_t i = 0; i < f->n; i++) {
        bool longer =
            longest < 0 || value(f, "filament_length", i) > value(f, "filament_length", longest);
        longest = longer && belongs(refinements, i, number) ? i : longest;
    }
    if (longest >= 0) {
        const char *name = imp_label_name(&t->labels, value(f, "filament_label", longest));
        printf("%-14s %s narrower than the smallest cells; the longest, of %s, is %.3g long and "
               "%.3g to %.3g wide\n",
               "filaments", imp_things(n, "strip", "strips").text, name,
               value(f, "filament_length", longest), value(f, "filament_width_first", longest),
               value(f, "filament_width_last", longest));
    }
}

static void print_refinement(const tables *t, int64_t r) {
    int64_t regions = count(t, IMP_TABLE_REGIONS, r);
    int64_t audited = whole(t, r, "refinement_audit_points");
    if (t->of[IMP_TABLE_REFINEMENTS].n > 1) {
        printf("%-14s %lld\n", "refinement", (long long)r);
    }
    printf("%-14s %s in %s%s\n", "points", imp_count(whole(t, r, "refinement_points")).text,
           imp_things(whole(t, r, "refinement_rounds"), "round", "rounds").text,
           whole(t, r, "refinement_within_budget") > 0 ? "" : "; the budget ended the refinement");
    say_shares(t, r, NULL);
    printf("%-14s %s, %s in all, length %.6g where every range has the length 1\n", "boundaries",
           imp_things(count_lines(t, r), "boundary", "boundaries").text,
           imp_things(count(t, IMP_TABLE_BOUNDARIES, r), "vertex", "vertices").text,
           real(t, r, "refinement_boundary_length"));
    printf("%-14s %s\n", "junctions", imp_count(count(t, IMP_TABLE_JUNCTIONS, r)).text);
    print_filaments(t, r, count(t, IMP_TABLE_FILAMENTS, r));
    if (regions > 0) {
        printf(
            "%-14s %s, %s\n", "regions", imp_things(regions, "region", "regions").text,
            imp_things(count(t, IMP_TABLE_BORDERS, r), "pair of neighbours", "pairs of neighbours")
                .text);
    }
    if (audited > 0) {
        printf("%-14s %s of %s wrong: less than %.2g %% of the whole is wrong, with "
               "95 %% confidence\n",
               "audit", imp_count(whole(t, r, "refinement_audit_wrong")).text,
               imp_things(audited, "random point", "random points").text,
               100 * real(t, r, "refinement_audit_bound"));
    }
}

static void add_refinement(const tables *t, int64_t r, imp_json *json) {
    imp_json_object(json, NULL);
    imp_json_whole(json, "points", whole(t, r, "refinement_points"));
    imp_json_whole(json, "rounds", whole(t, r, "refinement_rounds"));
    imp_json_truth(json, "within_budget", whole(t, r, "refinement_within_budget") > 0);
    imp_json_object(json, "shares");
    say_shares(t, r, json);
    imp_json_end_object(json);
    imp_json_whole(json, "boundaries", count_lines(t, r));
    imp_json_whole(json, "vertices", count(t, IMP_TABLE_BOUNDARIES, r));
    imp_json_number(json, "boundary_length", real(t, r, "refinement_boundary_length"));
    imp_json_whole(json, "junctions", count(t, IMP_TABLE_JUNCTIONS, r));
    imp_json_whole(json, "filaments", count(t, IMP_TABLE_FILAMENTS, r));
    imp_json_whole(json, "regions", count(t, IMP_TABLE_REGIONS, r));
    imp_json_whole(json, "borders", count(t, IMP_TABLE_BORDERS, r));
    imp_json_object(json, "audit");
    imp_json_whole(json, "points", whole(t, r, "refinement_audit_points"));
    imp_json_whole(json, "wrong", whole(t, r, "refinement_audit_wrong"));
    imp_json_number(json, "bound", real(t, r, "refinement_audit_bound"));
    imp_json_end_object(json);
    imp_json_end_object(json);
}

/* ---- events ---- */

/* The word of a kind; "?" for a code without one. */
static const char *kind_of(double code) {
    static const char *const words[] = {
#define NAME(kind) #kind,
        IMP_EVENT_KINDS(NAME)
#undef NAME
    };
    int n = (int)(sizeof words / sizeof *words);
    return code >= 1 && code <= n ? words[(int)code - 1] : "?";
}

/* The column of the outer parameter with an ending; name, with room for IMP_NAME, is the parameter.
 */
static const double *outer_column(const imp_found *f, const char *ending, char *name) {
    for (int c = 0; c < f->n_columns; c++) {
        const char *head = imp_found_head(f->variables[c]);
        size_t length = strlen(head), after = strlen(ending);
        if (length > after && strcmp(head + length - after, ending) == 0) {
            snprintf(name, IMP_NAME, "%.*s", (int)(length - after), head);
            return f->values[c];
        }
    }
    return NULL;
}

static void print_event(const tables *t, int64_t i, const char *parameter, double first,
                        double last) {
    const imp_found *f = &t->of[IMP_TABLE_EVENTS];
    double before = value(f, "event_before", i), after = value(f, "event_after", i);
    const char *one = imp_label_name(&t->labels, value(f, "event_label_1", i));
    const char *other = imp_label_name(&t->labels, value(f, "event_label_2", i));
    bool pair = value(f, "event_kind", i) >= IMP_EVENT_MET;
    printf("%-14s %s %.9g to %.9g: ", "event", parameter, first, last);
    if (pair) {
        printf("%s and %s %s", one, other, kind_of(value(f, "event_kind", i)));
    } else {
        printf("%s %s, %.0f region%s before and %.0f after", one,
               kind_of(value(f, "event_kind", i)), before, before == 1 ? "" : "s", after);
    }
    printf(", share %.3g %%\n", 100 * value(f, "event_share", i));
}

static void add_event(const tables *t, int64_t i, double first, double last, imp_json *json) {
    const imp_found *f = &t->of[IMP_TABLE_EVENTS];
    imp_json_object(json, NULL);
    imp_json_whole(json, "refinement", (int64_t)value(f, "event_refinement", i));
    imp_json_string(json, "kind", kind_of(value(f, "event_kind", i)));
    imp_json_string(json, "label_1", imp_label_name(&t->labels, value(f, "event_label_1", i)));
    imp_json_string(json, "label_2", imp_label_name(&t->labels, value(f, "event_label_2", i)));
    imp_json_whole(json, "before", (int64_t)value(f, "event_before", i));
    imp_json_whole(json, "after", (int64_t)value(f, "event_after", i));
    imp_json_number(json, "share", value(f, "event_share", i));
    imp_json_number(json, "first", first);
    imp_json_number(json, "last", last);
    imp_json_end_object(json);
}

/* Says what happens to regions along the outer axis, in JSON or, if it is NULL, as text. */
static void say_events(const tables *t, imp_json *json) {
    const imp_found *f = &t->of[IMP_TABLE_EVENTS];
    char name[IMP_NAME] = "";
    const double *first = outer_column(f, "_first", name), *last = outer_column(f, "_last", name);
    for (int64_t i = 0; first && last && i < f->n; i++) {
        if (json) {
            add_event(t, i, first[i], last[i], json);
        } else if (i < FEW_EVENTS) {
            print_event(t, i, name, first[i], last[i]);
        }
    }
    if (!json && f->n > FEW_EVENTS) {
        printf("%-14s %lld in all; --json and export --events list them\n", "events",
               (long long)f->n);
    }
}

/* ---- settings ---- */

/* The number of a setting of the refinement. */
static double setting_of(const imp_catalog *catalog, const char *key) {
    size_t length;
    const char *plan = imp_catalog_words(catalog, IMP_ATTRIBUTE_REFINEMENT);
    const char *at = imp_fingerprint_value(plan, key, strlen(key), &length);
    return at ? strtod(at, NULL) : 0;
}

static double base(const imp_catalog *catalog) {
    double level = setting_of(catalog, "base");
    return level >= 0 && level < 32 ? (double)(INT64_C(1) << (int)level) : 0;
}

static void say_settings(const imp_catalog *catalog, imp_json *json) {
    static const char *const keys[] = {"depth", "boundary", "budget", "lines", "tolerance"};
    if (json) {
        imp_json_object(json, "refine");
        imp_json_number(json, "base", base(catalog));
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            imp_json_number(json, keys[i], setting_of(catalog, keys[i]));
        }
        imp_json_end_object(json);
        return;
    }
    double boundary = setting_of(catalog, "boundary");
    printf("%-14s base of %.0f cells per axis, cells to 2^-%.0f of the range", "refined",
           base(catalog), setting_of(catalog, "depth"));
    if (boundary > 0) {
        printf(", boundaries to %.3g of it", boundary);
    }
    printf("; islands smaller than the base can be missed\n");
}

/* ---- all of it ---- */

static void print_points(const imp_contents *c) {
    printf("%-14s %s so far; the refinement is not complete\n", "points",
           imp_count(imp_catalog_grid(c->catalog)->size - imp_contents_pending(c)).text);
    if (c->busy) {
        printf("%-14s %s\n", "state", c->writer);
    }
}

static void print_refinements(const tables *t) {
    int64_t n = t->of[IMP_TABLE_REFINEMENTS].n;
    for (int64_t r = 0; r < n && r < FEW; r++) {
        print_refinement(t, r);
    }
    if (n > FEW) {
        printf("%-14s %lld in all; --json lists them\n", "refinements", (long long)n);
    }
}

imp_err imp_info_refined(const imp_contents *c, imp_json *json) {
    tables t = {.labels = {.n = 0}};
    bool ended = imp_catalog_has_grid(c->catalog);
    imp_err error = ended ? open_tables(c->catalog, &t) : IMP_OK;
    say_settings(c->catalog, json);
    if (json) {
        imp_json_list(json, "refinements");
        for (int64_t r = 0; !error && r < t.of[IMP_TABLE_REFINEMENTS].n; r++) {
            add_refinement(&t, r, json);
        }
        imp_json_end_list(json);
        imp_json_list(json, "events");
        say_events(&t, json);
        imp_json_end_list(json);
    } else if (!ended) {
        print_points(c);
    } else if (!error) {
        print_refinements(&t);
        say_events(&t, NULL);
    }
    close_tables(&t);
    return error;
}
