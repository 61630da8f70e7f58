#include "cmd/bundle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

/* Each file: length of its path, of its text, path, text, each with a final 0. */
typedef struct head {
    uint64_t path, text;
} head;

static const char *record(void *context, const char *path, char **bytes, size_t *length) {
    imp_text *bundle = context;
    const char *problem = imp_file_loader.load(imp_file_loader.context, path, bytes, length);
    if (problem) {
        return problem;
    }
    head sizes = {.path = strlen(path), .text = *length};
    imp_text_append(bundle, &sizes, sizeof sizes);
    imp_text_append(bundle, path, strlen(path) + 1);
    imp_text_append(bundle, *bytes, *length);
    imp_text_append(bundle, "", 1);
    return bundle->failed ? imp_load_no_memory : NULL;
}

/* The next file of a bundle; *at is 0 at first. False: there are no more. */
static bool next_file(const imp_text *bundle, size_t *at, imp_recorded_table *one) {
    head sizes;
    if (*at >= bundle->length) {
        return false;
    }
    memcpy(&sizes, bundle->bytes + *at, sizeof sizes);
    const char *path = bundle->bytes + *at + sizeof sizes;
    *one = (imp_recorded_table){path, path + sizes.path + 1, sizes.path, sizes.text};
    *at += sizeof sizes + sizes.path + sizes.text + 2;
    return true;
}

/* Gives the reader of a config a copy of the text. */
static const char *hand_out(const char *text, size_t n, char **bytes, size_t *length) {
    *length = n;
    *bytes = calloc(n + 1, 1);
    if (*bytes) {
        memcpy(*bytes, text, n);
    }
    return *bytes ? NULL : imp_load_no_memory;
}

static bool is_named(const imp_recorded_table *one, const char *path) {
    return one->path_length == strlen(path) && memcmp(one->path, path, one->path_length) == 0;
}

static const char *replay(void *context, const char *path, char **bytes, size_t *length) {
    imp_recorded_table one;
    for (size_t at = 0; next_file(context, &at, &one);) {
        if (is_named(&one, path)) {
            return hand_out(one.text, one.text_length, bytes, length);
        }
    }
    *bytes = NULL;
    return "the file was not read by rank 0";
}

bool imp_recorded_next(const char **tables, imp_recorded_table *one) {
    const char *path = *tables;
    size_t length = strcspn(path, "\t\n");
    if (path[length] != '\t') {
        return false;
    }
    char *end;
    unsigned long long text = strtoull(path + length + 1, &end, 10);
    if (*end != '\n' || text > strlen(end + 1)) {
        return false;
    }
    *one = (imp_recorded_table){
        .path = path, .path_length = length, .text = end + 1, .text_length = (size_t)text};
    *tables = end + 1 + text;
    *tables += **tables == '\n';
    return true;
}

static const char *replay_recorded(void *context, const char *path, char **bytes, size_t *length) {
    const imp_recorded *from = context;
    const char *rest = from->tables;
    if (strcmp(path, from->config_path) == 0) {
        return hand_out(from->config, strlen(from->config), bytes, length);
    }
    for (imp_recorded_table one; imp_recorded_next(&rest, &one);) {
        if (is_named(&one, path)) {
            return hand_out(one.text, one.text_length, bytes, length);
        }
    }
    *bytes = NULL;
    return "the file is not recorded in the map";
}

imp_loader imp_recorded_reader(imp_recorded *recorded) {
    return (imp_loader){.load = replay_recorded, .context = recorded};
}

void imp_bundle_tables(const imp_text *bundle, imp_text *tables) {
    imp_recorded_table one;
    size_t at = 0;
    next_file(bundle, &at, &one); /* the config */
    while (next_file(bundle, &at, &one)) {
        imp_text_print(tables, "%.*s\t%zu\n", (int)one.path_length, one.path, one.text_length);
        imp_text_append(tables, one.text, one.text_length);
        imp_text_append(tables, "\n", 1);
    }
}

bool imp_bundle_has(const imp_text *bundle, const char *path) {
    bool found = false;
    imp_recorded_table one;
    for (size_t at = 0; !found && next_file(bundle, &at, &one);) {
        found = imp_is_same_file(one.path, path);
    }
    return found;
}

imp_loader imp_bundle_recorder(imp_text *bundle) {
    return (imp_loader){.load = record, .context = bundle};
}

imp_loader imp_bundle_reader(imp_text *bundle) {
    return (imp_loader){.load = replay, .context = bundle};
}

const char *imp_bundle_config(const imp_text *bundle) {
    imp_recorded_table config = {.text = ""};
    size_t at = 0;
    next_file(bundle, &at, &config);
    return config.text;
}
