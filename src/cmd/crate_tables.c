#include "cmd/crate.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "cmd/bundle.h"

/* ---- names in the text of a config ---- */

static bool ends_word(char c, const char *marks) {
    return c == 0 || strchr(" \t\r\n\"'", c) || strchr(marks, c);
}

/* The next place where a config has the name as a word of its own; NULL: none. start: of the whole
 * text. */
static const char *find_word(const char *start, const char *at, const char *name) {
    size_t length = strlen(name);
    for (; (at = strstr(at, name)) != NULL; at++) {
        if (ends_word(at > start ? at[-1] : 0, ":{[,") && ends_word(at[length], "}],#")) {
            return at;
        }
    }
    return NULL;
}

static bool has_word(const imp_text *config, const char *name) {
    return *name && find_word(imp_text_get(config), imp_text_get(config), name);
}

static void replace_word(imp_text *config, const char *name, const char *other) {
    imp_text changed = {0};
    const char *start = imp_text_get(config), *done = start;
    for (const char *at = start; (at = find_word(start, at, name)) != NULL; done = at) {
        imp_text_append(&changed, done, (size_t)(at - done));
        imp_text_print(&changed, "%s", other);
        at += strlen(name);
    }
    imp_text_print(&changed, "%s", done);
    imp_text_free(config);
    *config = changed;
}

/* ---- names in the crate ---- */

/* Appends the parts of a relative path without "." and empty ones. False if it leads outside, or
 * has characters that a name should not have. */
static bool add_path(const char *path, imp_text *name) {
    bool inside = *path != '/';
    for (size_t length; *path; path += length + (path[length] == '/')) {
        length = strcspn(path, "/");
        inside = inside && !(length == 2 && strncmp(path, "..", 2) == 0);
        if (length > 0 && !(length == 1 && *path == '.')) {
            imp_text_print(name, "%s%.*s", name->length > 0 ? "/" : "", (int)length, path);
        }
    }
    for (const char *c = imp_text_get(name); *c; c++) {
        inside = inside && (unsigned char)*c >= ' ';
    }
    return inside && name->length > 0 && name->length < IMP_CRATE_NAME;
}

/* Names of other files of the crate. */
typedef struct own_files {
    const char *const *name;
    int n;
} own_files;

static bool is_taken(const imp_crate_tables *tables, const char *name) {
    bool found = false;
    for (int t = 0; t < tables->n && !found; t++) {
        found = strcmp(tables->table[t].name, name) == 0;
    }
    return found;
}

/* Whether a file may have the name, which has no folder. */
static bool is_plain(const char *name) {
    bool plain = *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
    for (; plain && *name; name++) {
        plain = (unsigned char)*name >= ' ';
    }
    return plain;
}

/* A free name in the folder of tables: "tables/x.csv", "tables/2/x.csv". */
static void make_name(const imp_crate_tables *tables, const char *name, char made[IMP_CRATE_NAME]) {
    const char *slash = strrchr(name, '/'), *last = slash ? slash + 1 : name;
    last = is_plain(last) ? last : "table";
    snprintf(made, IMP_CRATE_NAME, "tables/%.200s", last);
    for (int k = 2; is_taken(tables, made); k++) {
        snprintf(made, IMP_CRATE_NAME, "tables/%d/%.200s", k, last);
    }
}

/* ---- the records ---- */

/* The name that the config has for a table: its path without the folder of the config, or its whole
 * path. */
static const char *own_name(const imp_crate_tables *tables, const char *path, const char *config) {
    const char *slash = strrchr(config, '/');
    size_t folder = slash ? (size_t)(slash - config) + 1 : 0;
    bool whole = *path == '/' && has_word(&tables->config, path);
    return whole || strncmp(path, config, folder) != 0 ? path : path + folder;
}

/* Adds a table that can keep its name, or, if `moved`, one that cannot. */
static imp_err add_table(imp_crate_tables *tables, const imp_recorded_table *one, const char *name,
                         const own_files *own, bool moved) {
    imp_text path = {0};
    imp_crate_table *to = &tables->table[tables->n];
    bool keeps =
        add_path(name, &path) && imp_word_number(imp_text_get(&path), own->name, own->n) < 0;
    bool again = keeps && is_taken(tables, imp_text_get(&path));
    imp_err error = IMP_OK;
    if (keeps != moved && !again && !has_word(&tables->config, name)) {
        error = imp_fail(IMP_ERR_INPUT,
                         "the config of the map does not have the name of its table '%s' in one "
                         "piece, so a crate of it would not run",
                         name);
    } else if (keeps != moved && !again) {
        snprintf(to->name, sizeof to->name, "%s", imp_text_get(&path));
        to->text = one->text;
        to->length = one->text_length;
        if (moved) {
            make_name(tables, name, to->name);
            replace_word(&tables->config, name, to->name);
        }
        tables->n++;
    }
    imp_text_free(&path);
    return error;
}

/* Whether a record before this one is of the same path: a table may be read several times. */
static bool is_repeated(const char *recorded, const imp_recorded_table *one) {
    imp_recorded_table other;
    while (imp_recorded_next(&recorded, &other) && other.path < one->path) {
        if (other.path_length == one->path_length &&
            strncmp(other.path, one->path, one->path_length) == 0) {
            return true;
        }
    }
    return false;
}

static imp_err add_tables(const char *config_path, const own_files *own, bool moved,
                          imp_crate_tables *tables) {
    imp_err error = IMP_OK;
    const char *rest = tables->recorded;
    for (imp_recorded_table one; !error && imp_recorded_next(&rest, &one);) {
        imp_text path = {0};
        imp_text_append(&path, one.path, one.path_length);
        if (tables->n == IMP_CRATE_TABLES) {
            error = imp_fail(IMP_ERR_INPUT, "the map has more than %d tables", IMP_CRATE_TABLES);
        } else if (!is_repeated(tables->recorded, &one)) {
            const char *name = own_name(tables, imp_text_get(&path), config_path);
            error = add_table(tables, &one, name, own, moved);
        }
        imp_text_free(&path);
    }
    return error;
}

imp_err imp_crate_tables_read(const imp_catalog *catalog, const char *const *own, int n,
                              imp_crate_tables *tables) {
    const own_files files = {own, n};
    const char *path = imp_catalog_words(catalog, "config_path");
    *tables = (imp_crate_tables){.recorded = imp_catalog_words(catalog, "tables")};
    imp_text_print(&tables->config, "%s", imp_catalog_words(catalog, "config"));
    /* Names that are kept come first, so that a new one is none of them. */
    imp_err error = add_tables(path, &files, false, tables);
    error = error ? error : add_tables(path, &files, true, tables);
    return error || !tables->config.failed ? error : imp_out_of_memory();
}

void imp_crate_tables_free(imp_crate_tables *tables) {
    imp_text_free(&tables->config);
}
