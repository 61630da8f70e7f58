#include "cmd/writers.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/message.h"
#include "cmd/cmd.h"
#include "cmd/page.h"
#include "store/history_file.h"
#include "store/lock.h"

/* The functions of a format for one subject: as text, for which space may be reserved, or into a
 * file; and how its text begins, by which a file of it is known. */
typedef struct form {
    imp_err (*print)(const void *what, FILE *to);
    int64_t (*room)(const void *what); /* NULL: unknown beforehand */
    imp_err (*store)(const void *what, const imp_partial *partial);
    const char *begins;                   /* the first line, perhaps behind "refinement," */
    const char *has[2];                   /* parts of the first line; */
    const char *ends;                     /* its end, behind names of columns */
    bool (*is_written)(const char *path); /* whether it wrote this binary file */
} form;

static const char of_page[] = "<!doctype html><!-- impactsweep page -->\n",
                  of_shapes[] = "{\"type\":\"FeatureCollection\",\"axes\":[",
                  of_vtk[] = "# vtk DataFile Version 3.0\n";

/* A format without functions for a subject does not write it. The first format is the default
 * without a file name. */
static const struct imp_format {
    const char *name, *text; /* text: what messages call it */
    const char *endings[4];
    form of[IMP_SUBJECTS];
} formats[] = {
    {.name = "CSV",
     .text = "table",
     .endings = {".csv"},
     .of = {[IMP_HISTORY] = {.print = imp_history_print,
                             .room = imp_history_room,
                             .begins = "# impactsweep trace "},
            [IMP_MAP] = {.print = imp_map_print, .ends = ",outcome\n"},
            [IMP_FOUND_CELLS] = {.print = imp_query_print, .ends = ",outcome\n"},
            [IMP_DIFFERING_CELLS] = {.print = imp_diff_print, .ends = ",outcome_2\n"},
            [IMP_BOUNDARY] = {.print = imp_found_print, .begins = "number,left,right,"},
            [IMP_JUNCTION] = {.print = imp_found_print, .has = {",labels,label_1,"}},
            [IMP_FILAMENT] = {.print = imp_found_print, .begins = "label,length,width_first,"},
            [IMP_REGION] = {.print = imp_found_print, .begins = "number,label,area,"},
            [IMP_BORDER] = {.print = imp_found_print, .begins = "one,other,pairs\n"},
            [IMP_EVENT] = {.print = imp_found_print, .begins = "kind,label_1,label_2,"},
            [IMP_POINTS] = {.print = imp_points_print, .has = {",lattice", ",outcome\n"}}}},
    {.name = "GeoJSON",
     .text = "shapes",
     .endings = {".geojson", ".json"},
     .of = {[IMP_BOUNDARY] = {.print = imp_shapes_print, .begins = of_shapes},
            [IMP_JUNCTION] = {.print = imp_shapes_print, .begins = of_shapes}}},
    {.name = "VTK",
     .text = "shapes",
     .endings = {".vtk"},
     .of = {[IMP_BOUNDARY] = {.print = imp_boundary_vtk, .begins = of_vtk},
            [IMP_SURFACE] = {.print = imp_boundary_vtk, .begins = of_vtk}}},
    {.name = "HTML",
     .text = "page",
     .endings = {".html", ".htm"},
     .of = {[IMP_REPORT] = {.print = imp_page_print, .begins = of_page},
            [IMP_EXPLORE] = {.print = imp_page_print, .begins = of_page}}},
    {.name = "HDF5",
     .endings = {".h5", ".nc"},
     .of = {[IMP_HISTORY] = {.store = imp_history_store, .is_written = imp_history_file_is}}},
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* The command that writes a subject, its words in messages, and the table of a refined map that it
 * is, if it is one. */
static const struct {
    const char *command, *written, *group;
} subjects[IMP_SUBJECTS] = {
    [IMP_HISTORY] = {"trace", "a history is written", NULL},
    [IMP_MAP] = {"export", "a table is written", NULL},
    [IMP_FOUND_CELLS] = {"query", "a table is written", NULL},
    [IMP_DIFFERING_CELLS] = {"diff", "a table is written", NULL},
    [IMP_BOUNDARY] = {"export", "boundaries are written", "boundaries"},
    [IMP_JUNCTION] = {"export", "junctions are written", "junctions"},
    [IMP_FILAMENT] = {"export", "filaments are written", "filaments"},
    [IMP_REGION] = {"export", "regions are written", "regions"},
    [IMP_BORDER] = {"export", "borders are written", "borders"},
    [IMP_EVENT] = {"export", "events are written", "events"},
    [IMP_POINTS] = {"export", "points are written", NULL},
    [IMP_SURFACE] = {"export", "a model is written", NULL},
    [IMP_REPORT] = {"report", "a page is written", NULL},
    [IMP_EXPLORE] = {"explore", "a page is written", NULL},
};

typedef struct imp_format format;

/* ---- the choice ---- */

static bool writes(const format *f, imp_subject subject) {
    return f->of[subject].print || f->of[subject].store;
}

/* The format of the ending of a name; NULL for an unknown ending. */
static const format *by_ending(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && i < FORMATS; i++) {
        for (const char *const *ending = formats[i].endings; *ending; ending++) {
            if (strcasecmp(dot, *ending) == 0) {
                return &formats[i];
            }
        }
    }
    return NULL;
}

static const format *by_name(const char *name) {
    for (int i = 0; name && i < FORMATS; i++) {
        if (strcasecmp(formats[i].name, name) == 0) {
            return &formats[i];
        }
    }
    return NULL;
}

static int refuse_format(imp_subject subject, const char *name) {
    imp_text list = {0};
    for (int i = 0; i < FORMATS; i++) {
        if (writes(&formats[i], subject)) {
            imp_text_print(&list, "%s%s", list.length ? ", " : "", formats[i].name);
        }
    }
    int code = imp_usage_error("%s: --format %s: %s as %s", subjects[subject].command,
                               imp_show(name).text, subjects[subject].written, imp_text_get(&list));
    imp_text_free(&list);
    return code;
}

/* If only one format writes the subject, the name may have any ending. */
static const format *only_one(imp_subject subject) {
    const format *found = NULL;
    for (int i = 0; i < FORMATS; i++) {
        if (writes(&formats[i], subject)) {
            if (found) {
                return NULL;
            }
            found = &formats[i];
        }
    }
    return found;
}

static int refuse_ending(imp_subject subject, const char *path) {
    const char *endings[3 * FORMATS];
    int n = 0;
    imp_text list = {0};
    for (int i = 0; i < FORMATS; i++) {
        for (int e = 0; writes(&formats[i], subject) && formats[i].endings[e]; e++) {
            endings[n++] = formats[i].endings[e];
        }
    }
    for (int i = 0; i < n; i++) {
        imp_text_print(&list, "%s%s", i == 0 ? "" : i < n - 1 ? ", " : " or ", endings[i]);
    }
    int code =
        imp_usage_error("%s: %s: %s to a file whose name ends in %s", subjects[subject].command,
                        path, subjects[subject].written, imp_text_get(&list));
    imp_text_free(&list);
    return code;
}

/* ---- existing files ---- */

static bool begins(const char *line, const char *word) {
    return strncmp(line, word, strlen(word)) == 0;
}

/* Whether a line of names of columns, of any theory, has this end. */
static bool ends(const char *line, const char *end) {
    size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz0123456789_, []"), n = strlen(end) - 1;
    return length > n && begins(line + length - n, end);
}

static bool starts_as(const char *path, const form *f) {
    static const char refinement[] = "refinement,";
    char line[4096] = "";
    FILE *file = fopen(path, "r");
    bool read = file && fgets(line, sizeof line, file);
    if (file) {
        fclose(file);
    }
    const char *rest = line + (begins(line, refinement) ? sizeof refinement - 1 : 0);
    bool known = f->begins || f->has[0] || f->ends;
    return read && known && (!f->begins || begins(line, f->begins) || begins(rest, f->begins)) &&
           (!f->has[0] || strstr(line, f->has[0])) && (!f->has[1] || strstr(line, f->has[1])) &&
           (!f->ends || ends(line, f->ends));
}

static bool is_from(imp_subject subject, const char *path) {
    for (int i = 0; i < FORMATS; i++) {
        const form *f = &formats[i].of[subject];
        if (starts_as(path, f) || (f->is_written && f->is_written(path))) {
            return true;
        }
    }
    return false;
}

/* Another export keeps its lock for moments after its file got this name, a run as long as it
 * writes its map. */
static imp_err refuse_busy(const char *path) {
    const double moments = 2;
    double start = imp_seconds_elapsed();
    long process;
    while (imp_lock_is_held(path, &process) && imp_seconds_elapsed() - start < moments) {
        imp_pause(0.01);
    }
    return imp_lock_refuse(path);
}

static imp_err check_existing(const imp_target *target) {
    struct stat status;
    if (stat(target->path, &status) != 0) {
        return IMP_OK;
    }
    imp_err error = refuse_busy(target->path);
    if (error || target->force || status.st_size == 0 || is_from(target->subject, target->path)) {
        return error;
    }
    const char *command = subjects[target->subject].command;
    return imp_fail(IMP_ERR_INPUT, "%s: %s: exists, and %s did not write it; --force replaces it",
                    command, target->path, command);
}

/* ---- texts; pipes and devices, written to directly ---- */

/* The open descriptor of a name such as /dev/stdout or -, or -1. */
static int descriptor_of(const char *path) {
    int number;
    char more;
    if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0) {
        return STDOUT_FILENO;
    }
    if (strcmp(path, "/dev/stderr") == 0) {
        return STDERR_FILENO;
    }
    bool good = sscanf(path, "/dev/fd/%d%c", &number, &more) == 1 ||
                sscanf(path, "/proc/self/fd/%d%c", &number, &more) == 1;
    return good ? number : -1;
}

/* Whether a path is written to directly. A folder counts, and opening it fails. */
static bool is_direct(const char *path) {
    struct stat status;
    return descriptor_of(path) >= 0 || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

static imp_err print(const imp_target *target, const void *what, FILE *to) {
    imp_err error = target->format->of[target->subject].print(what, to);
    const char *text = target->subject == IMP_HISTORY ? "history" : target->format->text;
    return error ? error : imp_wrote(text, to);
}

static imp_err print_directly(const imp_target *target, const void *what) {
    int named = descriptor_of(target->path);
    int descriptor = named >= 0 ? dup(named) : open(target->path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
    FILE *to = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    if (!to) {
        return imp_fail(IMP_ERR_INPUT, "%s: could not open it: %s", target->path, strerror(errno));
    }
    imp_err error = print(target, what, to);
    if (fclose(to) != 0 && !error) {
        error = imp_fail(IMP_ERR_IO, "%s: could not write it: %s", target->path, strerror(errno));
    }
    return error;
}

/* ---- the interface ---- */

const char *imp_subject_group(imp_subject subject) {
    return subjects[subject].group;
}

int imp_target_choose(imp_subject subject, const char *format_name, const char *path, bool force,
                      imp_target *target) {
    const format *named = by_name(format_name), *only = only_one(subject);
    const format *usual = named ? named : only ? only : &formats[0];
    *target = (imp_target){.subject = subject, .format = usual, .path = path, .force = force};
    if (format_name && (!named || !writes(named, subject))) {
        return refuse_format(subject, format_name);
    }
    if (!path) {
        return IMP_EXIT_OK;
    }
    const format *known = named ? named : by_ending(path);
    target->direct = is_direct(path);
    target->format = known ? known : target->direct ? usual : only;
    if (!target->format || !writes(target->format, subject)) {
        return refuse_ending(subject, path);
    }
    if (target->direct) {
        return target->format->of[subject].print
                   ? IMP_EXIT_OK
                   : imp_usage_error("%s: %s: %s is written to a file, not to a pipe or a device",
                                     subjects[subject].command, path, target->format->name);
    }
    signal(SIGPIPE, SIG_IGN); /* a reader of the messages may go away */
    int code = imp_follow_link(&target->path);
    return code ? code : imp_exit(check_existing(target));
}

/* Reserves space first if its size is known, so that a full disk is found at once. */
static imp_err print_to_partial(const imp_target *target, const void *what, imp_partial *partial) {
    const form *f = &target->format->of[target->subject];
    imp_err error = f->room ? imp_partial_reserve(partial, f->room(what)) : IMP_OK;
    FILE *to = error ? NULL : imp_partial_stream(partial);
    return error ? error : to ? print(target, what, to) : imp_out_of_memory();
}

imp_err imp_target_write(const imp_target *target, const void *what) {
    const form *f = &target->format->of[target->subject];
    if (!target->path) {
        return print(target, what, stdout);
    }
    if (target->direct) {
        return print_directly(target, what);
    }
    imp_partial partial;
    imp_err error = imp_partial_create(target->path, &partial);
    if (!error) {
        error = f->store ? f->store(what, &partial) : print_to_partial(target, what, &partial);
    }
    error = error ? error : imp_memory_check(); /* texts may be cut short */
    /* Another process may have made the file meanwhile. */
    error = error ? error : check_existing(target);
    error = error ? error : imp_partial_finish(&partial, true);
    error = error ? error : imp_partial_close(&partial);
    imp_partial_discard(&partial);
    return error;
}
