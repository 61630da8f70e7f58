#include "cmd/crate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/json.h"
#include "base/tables.h"
#include "cmd/cmd.h"
#include "cmd/contents.h"
#include "store/disk.h"

#define METADATA "ro-crate-metadata.json"

/* The files of a crate. A file that the crate lacks has the name "". */
typedef enum part { MAP, CONFIG, PAGE, PICTURE, TABLES, PARTS = TABLES + IMP_CRATE_TABLES } part;

typedef struct file {
    char name[IMP_CRATE_NAME], id[800]; /* id: the name as an address has it */
    long long size;
    const char *title, *form;
    bool is_input;
} file;

typedef struct crate {
    imp_contents contents;
    imp_crate_tables tables;
    file files[PARTS];
    const char *licence;
    char partial[4096]; /* the folder before it is complete */
    imp_json json;
} crate;

static const char *const endings[][2] = {
    {".png", "image/png"},         {".svg", "image/svg+xml"},     {".pdf", "application/pdf"},
    {".h5", "application/x-hdf5"}, {".yaml", "application/yaml"}, {".csv", "text/csv"},
    {".txt", "text/plain"},        {".html", "text/html"}};

static const char *form_of(const char *name) {
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; i++) {
        if (strcmp(ending, endings[i][0]) == 0) {
            return endings[i][1];
        }
    }
    return "application/octet-stream";
}

/* A relative address: letters, digits and -._~/ stand for themselves. */
static void write_id(const char *name, size_t size, char *id) {
    size_t length = 0;
    for (const unsigned char *c = (const unsigned char *)name; *c && length + 4 < size; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                     (*c >= '0' && *c <= '9') || strchr("-._~/", *c);
        length += (size_t)snprintf(id + length, size - length, plain ? "%c" : "%%%02X", *c);
    }
}

/* The path of a file in the crate, until the next call. */
static char *place(const crate *c, const char *name) {
    static char path[4400];
    snprintf(path, sizeof path, "%s/%s", c->partial, name);
    return path;
}

/* Gives a part of the crate its name, and its size where the file is there. */
static void name_part(crate *c, part p, const char *name, const char *title, bool is_input) {
    file *f = &c->files[p];
    struct stat found;
    snprintf(f->name, sizeof f->name, "%s", name);
    write_id(f->name, sizeof f->id, f->id);
    f->title = title;
    f->form = form_of(f->name);
    f->is_input = is_input;
    f->size = stat(place(c, f->name), &found) == 0 ? (long long)found.st_size : 0;
}

/* ---- the files ---- */

static imp_err copy_bytes(FILE *from, const char *source, FILE *to, const char *copy) {
    char buffer[16384];
    size_t n;
    while ((n = fread(buffer, 1, sizeof buffer, from)) > 0) {
        if (fwrite(buffer, 1, n, to) != n) {
            return imp_disk_error(copy, "write");
        }
    }
    return ferror(from) ? imp_disk_error(source, "read") : IMP_OK;
}

static imp_err copy_file(const char *source, const char *copy) {
    FILE *from = fopen(source, "rb"), *to = NULL;
    imp_err error = from ? IMP_OK : imp_disk_error(source, "open");
    if (!error && !(to = fopen(copy, "wb"))) {
        error = imp_disk_error(copy, "create");
    }
    error = error ? error : copy_bytes(from, source, to, copy);
    if (to && fclose(to) && !error) {
        error = imp_disk_error(copy, "write");
    }
    if (from) {
        fclose(from);
    }
    return error;
}

/* Makes the folders of a file in the crate. */
static imp_err make_folders(const crate *c, const char *name) {
    char path[4400];
    for (const char *slash = name; (slash = strchr(slash, '/')) != NULL; slash++) {
        snprintf(path, sizeof path, "%s/%.*s", c->partial, (int)(slash - name), name);
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            return imp_disk_error(path, "create");
        }
    }
    return IMP_OK;
}

static imp_err write_bytes(const char *path, const char *bytes, size_t length) {
    FILE *to = fopen(path, "wb");
    bool written = to && fwrite(bytes, 1, length, to) == length;
    written = to && fclose(to) == 0 && written;
    return written ? IMP_OK : imp_disk_error(path, "write");
}

static imp_err write_text(const char *path, const imp_text *text) {
    return text->failed ? imp_out_of_memory() : write_bytes(path, imp_text_get(text), text->length);
}

/* The config and its tables; none where the map has no such texts. */
static imp_err write_config(crate *c, const char *name) {
    const imp_crate_tables *tables = &c->tables;
    imp_err error = IMP_OK;
    if (tables->config.length > 0) {
        error = write_text(place(c, name), &tables->config);
        name_part(c, CONFIG, name, "the config of the sweep", true);
    }
    for (int t = 0; !error && t < tables->n; t++) {
        const imp_crate_table *one = &tables->table[t];
        error = make_folders(c, one->name);
        error = error ? error : write_bytes(place(c, one->name), one->text, one->length);
        name_part(c, TABLES + (part)t, one->name, "a table that the config reads", true);
    }
    return error;
}

/* The page, by the command report itself. */
static int write_page(crate *c, const char *map, const char *name) {
    char word[] = "report", option[] = "-o", *copy = strdup(map), *path = strdup(place(c, name));
    char *words[] = {word, copy, option, path, NULL};
    int code = copy && path ? imp_command_report.run(4, words) : IMP_EXIT_FAILURE;
    free(copy);
    free(path);
    name_part(c, PAGE, name, "the map as an interactive page", false);
    return code;
}

/* ---- ro-crate-metadata.json ---- */

static void begin(imp_json *json, const char *id, const char *type) {
    imp_json_object(json, NULL);
    imp_json_string(json, "@id", id);
    imp_json_string(json, "@type", type);
}

static void begin_named(imp_json *json, const char *id, const char *type, const char *name) {
    begin(json, id, type);
    imp_json_string(json, "name", name);
}

static void link_to(imp_json *json, const char *name, const char *id) {
    imp_json_object(json, name);
    imp_json_string(json, "@id", id);
    imp_json_end_object(json);
}

static void link_attribute(crate *c, const char *name, const char *attribute) {
    const char *text = imp_catalog_text(c->contents.catalog, attribute);
    if (text) {
        imp_json_string(&c->json, name, text);
    }
}

/* Links to the parts from `first` to `last` that are inputs, or that are none. */
static void link_parts(crate *c, const char *name, part first, part last, bool inputs) {
    imp_json_list(&c->json, name);
    for (part p = first; p <= last; p++) {
        if (*c->files[p].name && c->files[p].is_input == inputs) {
            link_to(&c->json, NULL, c->files[p].id);
        }
    }
    imp_json_end_list(&c->json);
}

/* The start of the first session of the runs, and the end of the last. */
static void times_of(const crate *c, imp_few_words *start, imp_few_words *end) {
    imp_past_session s;
    *start = *end = (imp_few_words){"?"};
    for (int64_t i = 0; imp_past_session_at(&c->contents, i, &s); i++) {
        *start = i == 0 ? imp_moment(s.start) : *start;
        *end = imp_moment(s.end);
    }
}

static void add_root(crate *c, const char *date) {
    imp_json *j = &c->json;
    begin(j, METADATA, "CreativeWork");
    link_to(j, "conformsTo", "https://w3id.org/ro/crate/1.1");
    link_to(j, "about", "./");
    imp_json_end_object(j);
    begin(j, "./", "Dataset");
    link_to(j, "conformsTo", "https://w3id.org/ro/wfrun/process/0.5");
    link_attribute(c, "name", "title");
    imp_json_string(j, "description",
                    "a map of impact with friction, with the config that made it and what it "
                    "was made by");
    imp_json_string(j, "datePublished", date);
    if (c->licence) {
        link_to(j, "license", c->licence);
    }
    imp_json_list(j, "hasPart");
    for (part p = 0; p < PARTS; p++) {
        if (*c->files[p].name) {
            link_to(j, NULL, c->files[p].id);
        }
    }
    imp_json_end_list(j);
    imp_json_list(j, "mentions");
    link_to(j, NULL, "#run");
    link_to(j, NULL, "#draw");
    imp_json_end_list(j);
    imp_json_end_object(j);
    begin_named(j, "https://w3id.org/ro/wfrun/process/0.5", "CreativeWork", "Process Run Crate");
    imp_json_string(j, "version", "0.5");
    imp_json_end_object(j);
    if (c->licence) {
        begin_named(j, c->licence, "CreativeWork", "licence of the map");
        imp_json_end_object(j);
    }
}

static void add_files(crate *c) {
    imp_json *j = &c->json;
    for (part p = 0; p < PARTS; p++) {
        const file *f = &c->files[p];
        if (*f->name) {
            begin_named(j, f->id, "File", f->name);
            imp_json_string(j, "description", f->title);
            imp_json_string(j, "encodingFormat", f->form);
            char size[32];
            snprintf(size, sizeof size, "%lld", f->size);
            imp_json_string(j, "contentSize", size);
            if (p == MAP) {
                imp_json_string(j, "identifier", c->contents.digest);
            }
            imp_json_end_object(j);
        }
    }
}

/* A program with its version, as the map or this program tells it. */
static void add_program(crate *c, const char *id, bool of_map) {
    imp_json *j = &c->json;
    begin_named(j, id, "SoftwareApplication", "impactsweep");
    imp_json_string(j, "description", "sweeps over parameters of impact with friction");
    if (of_map) {
        link_attribute(c, "softwareVersion", "program_version");
        link_attribute(c, "identifier", "source_revision");
        link_attribute(c, "softwareRequirements", "libraries");
        link_attribute(c, "runtimePlatform", "compiler");
        link_attribute(c, "processorRequirements", "processor");
    } else {
        imp_json_string(j, "softwareVersion", IMP_VERSION);
    }
    imp_json_end_object(j);
}

static void add_actions(crate *c, const char *start, const char *end) {
    imp_json *j = &c->json;
    bool complete = imp_contents_pending(&c->contents) == 0;
    begin_named(j, "#run", "CreateAction", "the run that computed the map");
    link_attribute(c, "description", "command");
    link_to(j, "instrument", "#impactsweep");
    link_parts(c, "object", CONFIG, PARTS - 1, true);
    link_parts(c, "result", MAP, MAP, false);
    if (*start != '?') {
        imp_json_string(j, "startTime", start);
    }
    if (complete && *end != '?') {
        imp_json_string(j, "endTime", end);
    }
    link_to(j, "actionStatus",
            complete ? "http://schema.org/CompletedActionStatus"
                     : "http://schema.org/ActiveActionStatus");
    imp_json_end_object(j);
    begin_named(j, "#draw", "CreateAction", "the page and the picture of the map");
    link_to(j, "instrument", "#impactsweep-of-the-crate");
    link_parts(c, "object", MAP, MAP, false);
    link_parts(c, "result", PAGE, PICTURE, false);
    link_to(j, "actionStatus", "http://schema.org/CompletedActionStatus");
    imp_json_end_object(j);
}

static imp_err write_metadata(crate *c) {
    imp_few_words start, end;
    times_of(c, &start, &end);
    imp_json_object(&c->json, NULL);
    imp_json_string(&c->json, "@context", "https://w3id.org/ro/crate/1.1/context");
    imp_json_list(&c->json, "@graph");
    add_root(c, *end.text != '?' ? end.text : start.text);
    add_files(c);
    add_program(c, "#impactsweep", true);
    add_program(c, "#impactsweep-of-the-crate", false);
    add_actions(c, start.text, end.text);
    imp_json_end_list(&c->json);
    imp_json_end_object(&c->json);
    imp_text_append(&c->json.text, "\n", 1);
    return write_text(place(c, METADATA), &c->json.text);
}

/* ---- all of it ---- */

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The name of the map with another ending. */
static const char *beside(const char *map, const char *ending, char name[256]) {
    const char *last = last_name(map), *dot = strrchr(last, '.');
    size_t stem = dot && dot > last ? (size_t)(dot - last) : strlen(last);
    snprintf(name, 256, "%.*s%s", (int)(stem < 240 ? stem : 240), last, ending);
    return name;
}

static imp_err read_tables(crate *c, const char *map, const char *picture) {
    char name[3][256];
    const char *const own[] = {METADATA, beside(map, ".h5", name[0]), beside(map, ".yaml", name[1]),
                               beside(map, ".html", name[2]),
                               picture ? last_name(picture) : METADATA};
    return imp_crate_tables_read(c->contents.catalog, own, IMP_COUNT(own), &c->tables);
}

static int fill(crate *c, const char *map, const char *picture) {
    char name[256];
    imp_err error = read_tables(c, map, picture);
    error = error ? error : copy_file(map, place(c, beside(map, ".h5", name)));
    name_part(c, MAP, name, "the map, in HDF5 and netCDF-4", false);
    error = error ? error : write_config(c, beside(map, ".yaml", name));
    if (!error && picture) {
        error = copy_file(picture, place(c, last_name(picture)));
        name_part(c, PICTURE, last_name(picture), "a picture of the map", false);
    }
    int code = imp_exit(error);
    code = code ? code : write_page(c, map, beside(map, ".html", name));
    return code ? code : imp_exit(write_metadata(c));
}

/* Removes the folders of a file that are within the crate, unless they have other files. */
static void remove_folders(char *path, size_t whole) {
    for (char *slash; (slash = strrchr(path, '/')) != NULL && slash > path + whole;) {
        *slash = 0;
        rmdir(path);
    }
}

/* Removes what a crate that was not completed has left. */
static void clear(const crate *c) {
    for (part p = 0; p < PARTS; p++) {
        if (*c->files[p].name) {
            unlink(place(c, c->files[p].name));
            remove_folders(place(c, c->files[p].name), strlen(c->partial));
        }
    }
    unlink(place(c, METADATA));
    rmdir(c->partial);
}

static int make(crate *c, const char *map, const char *folder, const char *picture) {
    snprintf(c->partial, sizeof c->partial, "%s.%ld.partial", folder, (long)getpid());
    if (mkdir(c->partial, 0777) != 0) {
        return imp_exit(imp_disk_error(c->partial, "create"));
    }
    int code = fill(c, map, picture);
    if (code == IMP_EXIT_OK && rename(c->partial, folder) != 0) {
        code = imp_exit(imp_disk_error(folder, "create"));
    }
    if (code != IMP_EXIT_OK) {
        clear(c);
    }
    return code;
}

int imp_crate_make(const char *path, const char *folder, const char *picture, const char *licence) {
    struct stat found;
    if (lstat(folder, &found) == 0) {
        return imp_usage_error("export: %s exists; a crate is a new folder", folder);
    }
    crate *c = calloc(1, sizeof *c);
    if (!c) {
        return imp_exit(imp_out_of_memory());
    }
    c->licence = licence;
    imp_err error = imp_contents_open(path, true, &c->contents);
    if (!error && c->contents.is_history) {
        error = imp_fail(IMP_ERR_INPUT, "%s: is a history of one cell, not a map", path);
    }
    int code = error ? imp_exit(error) : make(c, path, folder, picture);
    imp_catalog_close(&c->contents.catalog);
    imp_text_free(&c->json.text);
    imp_crate_tables_free(&c->tables);
    free(c);
    return code;
}
