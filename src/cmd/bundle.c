#include "cmd/bundle.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/own_files.h"

/* Each file: length of its path, of its text, path, text. */
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
    imp_text_append(bundle, path, strlen(path));
    imp_text_append(bundle, *bytes, *length);
    return bundle->failed ? imp_load_no_memory : NULL;
}

static char *copy(const char *bytes, size_t length) {
    char *made = malloc(length + 1);
    if (made) {
        memcpy(made, bytes, length);
        made[length] = 0;
    }
    return made;
}

static const char *replay(void *context, const char *path, char **bytes, size_t *length) {
    const imp_text *bundle = context;
    *bytes = NULL;
    for (size_t at = 0; at < bundle->length;) {
        head sizes;
        memcpy(&sizes, bundle->bytes + at, sizeof sizes);
        const char *name = bundle->bytes + at + sizeof sizes;
        if (sizes.path == strlen(path) && memcmp(name, path, sizes.path) == 0) {
            *length = sizes.text;
            *bytes = copy(name + sizes.path, sizes.text);
            return *bytes ? NULL : imp_load_no_memory;
        }
        at += sizeof sizes + sizes.path + sizes.text;
    }
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
    imp_recorded_table one;
    *bytes = NULL;
    if (strcmp(path, from->config_path) == 0) {
        *length = strlen(from->config);
        *bytes = copy(from->config, *length);
        return *bytes ? NULL : imp_load_no_memory;
    }
    while (imp_recorded_next(&rest, &one)) {
        if (one.path_length == strlen(path) && strncmp(one.path, path, one.path_length) == 0) {
            *length = one.text_length;
            *bytes = copy(one.text, *length);
            return *bytes ? NULL : imp_load_no_memory;
        }
    }
    return "the file is not recorded in the map";
}

imp_loader imp_recorded_reader(imp_recorded *recorded) {
    return (imp_loader){.load = replay_recorded, .context = recorded};
}

void imp_bundle_tables(const imp_text *bundle, imp_text *tables) {
    bool config = true;
    for (size_t at = 0; at < bundle->length; config = false) {
        head sizes;
        memcpy(&sizes, bundle->bytes + at, sizeof sizes);
        const char *path = bundle->bytes + at + sizeof sizes;
        if (!config) {
            imp_text_print(tables, "%.*s\t%llu\n", (int)sizes.path, path,
                           (unsigned long long)sizes.text);
            imp_text_append(tables, path + sizes.path, sizes.text);
            imp_text_append(tables, "\n", 1);
        }
        at += sizeof sizes + sizes.path + sizes.text;
    }
}

bool imp_bundle_has(const imp_text *bundle, const char *path) {
    bool found = false;
    for (size_t at = 0; at < bundle->length && !found;) {
        head sizes;
        memcpy(&sizes, bundle->bytes + at, sizeof sizes);
        char *name = copy(bundle->bytes + at + sizeof sizes, sizes.path);
        found = name && imp_is_same_file(name, path);
        free(name);
        at += sizeof sizes + sizes.path + sizes.text;
    }
    return found;
}

imp_loader imp_bundle_recorder(imp_text *bundle) {
    return (imp_loader){.load = record, .context = bundle};
}

imp_loader imp_bundle_reader(imp_text *bundle) {
    return (imp_loader){.load = replay, .context = bundle};
}

char *imp_bundle_config(const imp_text *bundle) {
    head sizes = {0, 0};
    if (bundle->length == 0) {
        return copy("", 0);
    }
    memcpy(&sizes, bundle->bytes, sizeof sizes);
    return copy(bundle->bytes + sizeof sizes + sizes.path, sizes.text);
}
