#include "cmd/contents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "store/history_file.h"
#include "store/lock.h"
#include "store/map.h"
#include "store/names.h"

/* Adds the codes to a census; if outcomes are given, only those of cells that are not pending. */
static void count_codes(const double *codes, const double *outcomes, int64_t n,
                        imp_census *counted) {
    for (int64_t i = 0; i < n; i++) {
        if (!outcomes || outcomes[i] != IMP_PENDING) {
            counted->counts[codes[i] >= 0 && codes[i] < 127 ? (int)codes[i] : 127]++;
        }
    }
}

static imp_err count_flags(imp_contents *c) {
    imp_err error = IMP_OK;
    for (const imp_variable *v = NULL; !error && (v = imp_catalog_next(c->catalog, v)) != NULL;) {
        if (imp_catalog_is_flag(c->catalog, v) && c->n_flags < IMP_MAX_OUTPUTS) {
            imp_flag_census *f = &c->flags[c->n_flags++];
            f->variable = v;
            error = imp_catalog_census(c->catalog, v, f->counted.counts);
        }
    }
    return error;
}

int64_t imp_contents_pending(const imp_contents *c) {
    return c->outcomes.counts[IMP_PENDING];
}

/* Counts again, in one pass, outcomes and codes of only the cells that are marked as done, because
 * values reach the file before their marks. */
static imp_err count_marked(imp_contents *c) {
    enum { AT_ONCE = 1 << 16 };
    const imp_variable *grid = imp_catalog_grid(c->catalog);
    double *outcomes = malloc(2 * AT_ONCE * sizeof *outcomes), *codes = outcomes + AT_ONCE;
    imp_err error = outcomes ? IMP_OK : imp_out_of_memory();
    imp_census *counted[IMP_MAX_OUTPUTS + 1] = {&c->modes};
    const imp_variable *variables[IMP_MAX_OUTPUTS + 1] = {c->mode};
    for (int f = 0; f < c->n_flags; f++) {
        counted[f + 1] = &c->flags[f].counted;
        variables[f + 1] = c->flags[f].variable;
    }
    for (int v = 0; v <= c->n_flags; v++) {
        *counted[v] = (imp_census){{0}};
    }
    c->outcomes = (imp_census){{0}};
    for (int64_t first = 0; !error && first < grid->size; first += AT_ONCE) {
        int64_t n = grid->size - first < AT_ONCE ? grid->size - first : AT_ONCE;
        error = imp_catalog_read(c->catalog, grid, first, n, outcomes);
        count_codes(outcomes, NULL, n, &c->outcomes);
        for (int v = 0; !error && v <= c->n_flags; v++) {
            if (variables[v] && variables[v]->kind == IMP_CATEGORY) {
                error = imp_catalog_read(c->catalog, variables[v], first, n, codes);
                count_codes(codes, outcomes, n, counted[v]);
            }
        }
    }
    free(outcomes);
    return error;
}

/* Notes the process that writes the file, if there is one. */
static void note_writer(const char *path, imp_contents *c) {
    c->busy = imp_lock_refuse(path) != IMP_OK;
    if (c->busy) {
        const char *what = strstr(imp_last_error(), ": ");
        snprintf(c->writer, sizeof c->writer, "%s", what ? what + 2 : imp_last_error());
    }
}

/* Counts outcomes, modes and flags of a map. */
static imp_err count_cells(const char *path, imp_contents *c) {
    c->mode = imp_catalog_find(c->catalog, "mode");
    imp_err error =
        imp_catalog_census(c->catalog, imp_catalog_grid(c->catalog), c->outcomes.counts);
    if (!error && c->mode && c->mode->kind == IMP_CATEGORY) {
        error = imp_catalog_census(c->catalog, c->mode, c->modes.counts);
    }
    error = error ? error : count_flags(c);
    if (!error && imp_contents_pending(c) > 0) {
        error = count_marked(c);
        note_writer(path, c);
    }
    return error;
}

imp_err imp_contents_open(const char *path, bool digest, imp_contents *c) {
    *c = (imp_contents){.is_history = imp_history_file_is(path)};
    imp_err error = c->is_history ? imp_catalog_open_history(path, &c->catalog)
                                  : imp_catalog_open(path, &c->catalog);
    if (!error) {
        error = c->is_history ? count_flags(c) : count_cells(path, c);
    }
    if (!error && digest) {
        error = imp_catalog_digest(c->catalog, false, c->digest);
    }
    return error;
}

bool imp_past_session_at(const imp_contents *c, int64_t index, imp_past_session *s) {
    const struct {
        const char *name;
        double *value;
    } fields[] = {
#define FIELD(name, type, file_type, unit, meaning) {#name, &s->name},
        IMP_SESSION_FIELDS(FIELD)
#undef FIELD
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const imp_variable *v = imp_catalog_run(c->catalog, fields[i].name);
        if (!v || index >= IMP_MAX_SESSIONS || index >= v->size ||
            imp_catalog_read(c->catalog, v, index, 1, fields[i].value) != IMP_OK) {
            return false;
        }
    }
    return s->start > 0;
}
