#include "config/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_MESSAGE = 8192 };

imp_place imp_file_place(const char *file, size_t line, size_t column) {
    return (imp_place){.kind = IMP_FROM_FILE, .source = file, .line = line, .column = column};
}

void imp_report_memory(imp_report *report) {
    report->failed = true;
    report->total++;
}

static size_t rank_of(const imp_report *report, imp_place place) {
    for (size_t i = 0; i < report->n; i++) {
        imp_place other = report->items[i].place;
        if (other.kind == place.kind && other.source == place.source) {
            return report->items[i].rank;
        }
    }
    return report->n;
}

/* Whether the same is said of the same place: a value that several cases share is read for each. */
static bool is_said(const imp_report *report, imp_place place, bool warning, const char *text) {
    for (size_t i = 0; i < report->n; i++) {
        const imp_reported *said = &report->items[i];
        if (said->place.kind == place.kind && said->place.source == place.source &&
            said->place.line == place.line && said->place.column == place.column &&
            said->warning == warning && strcmp(said->text, text) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether it is new; one that there is no room for counts as new. */
static bool add(imp_report *report, imp_place place, bool warning, const char *format,
                va_list arguments) {
    if (report->n == IMP_MAX_REPORTED) {
        return true;
    }
    char message[LONGEST_MESSAGE];
    imp_message(message, sizeof message, format, arguments);
    if (is_said(report, place, warning, message)) {
        return false;
    }
    char *text = strdup(message);
    if (!text) {
        report->failed = true;
        return true;
    }
    report->items[report->n] = (imp_reported){.place = place,
                                              .rank = rank_of(report, place),
                                              .index = report->n,
                                              .warning = warning,
                                              .text = text};
    report->n++;
    return true;
}

void imp_report_error(imp_report *report, imp_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    report->total += add(report, place, false, format, arguments);
    va_end(arguments);
}

void imp_report_warning(imp_report *report, imp_place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(report, place, true, format, arguments);
    va_end(arguments);
}

const char *imp_report_unknown(imp_report *report, imp_place place, const char *what,
                               const char *word, const char *where, const char *const *names,
                               size_t n) {
    if (report->n == IMP_MAX_REPORTED) {
        report->total++;
        return NULL;
    }
    const char *nearest = imp_nearest(word, names, n);
    if (nearest) {
        imp_report_error(report, place, "unknown %s '%s'%s (did you mean '%s'?)", what,
                         imp_show(word).text, where, nearest);
        return nearest;
    }
    imp_text list = {0};
    for (size_t i = 0; i < n; i++) {
        imp_text_print(&list, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    imp_report_error(report, place, "unknown %s '%s'%s, allowed: %s", what, imp_show(word).text,
                     where, imp_text_get(&list));
    report->failed = report->failed || list.failed;
    imp_text_free(&list);
    return NULL;
}

bool imp_report_if_number(imp_report *report, imp_place place, const char *word) {
    bool number = *word && strspn(word, "+-.0123456789") == strlen(word);
    if (number) {
        imp_report_error(report, place,
                         "'%s' is a number where a name is expected; decimals have a point: 1.21, "
                         "not 1,21",
                         imp_show(word).text);
    }
    return number;
}

static int compare_sizes(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int compare(const void *first, const void *second) {
    const imp_reported *a = first, *b = second;
    int order = compare_sizes(a->rank, b->rank);
    order = order ? order : compare_sizes(a->place.line, b->place.line);
    order = order ? order : compare_sizes(a->place.column, b->place.column);
    return order ? order : compare_sizes(a->index, b->index);
}

/* Appends text as imp_message prints it. */
__attribute__((format(printf, 2, 3))) static void print(imp_text *messages, const char *format,
                                                        ...) {
    char text[LONGEST_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    imp_message(text, sizeof text, format, arguments);
    va_end(arguments);
    imp_text_append(messages, text, strlen(text));
}

static void write_place(imp_place place, imp_text *messages) {
    switch (place.kind) {
    case IMP_FROM_FILE:
        print(messages, "%s:%zu:%zu: ", place.source, place.line, place.column);
        break;
    case IMP_FROM_OVERRIDE:
        print(messages, "--set %s: ", imp_show(place.source).text);
        break;
    case IMP_FROM_ARGUMENT:
        print(messages, "argument %zu: ", place.line);
        break;
    case IMP_FROM_WORDS:
        print(messages, "%s: ", place.source);
        break;
    case IMP_FROM_NOWHERE:
    case IMP_FROM_CALLER:
        break;
    }
}

void imp_report_write(imp_report *report, imp_text *messages) {
    qsort(report->items, report->n, sizeof *report->items, compare);
    for (size_t i = 0; i < report->n; i++) {
        write_place(report->items[i].place, messages);
        bool bare = report->items[i].place.kind == IMP_FROM_CALLER;
        const char *kind = report->items[i].warning ? "warning: " : bare ? "" : "error: ";
        imp_text_print(messages, "%s%s\n", kind, report->items[i].text);
    }
    if (report->total > report->n && report->n > 0) {
        imp_text_print(messages, "%zu more errors are not shown\n", report->total - report->n);
    }
    report->failed = report->failed || messages->failed;
}

void imp_report_free(imp_report *report) {
    for (size_t i = 0; i < report->n; i++) {
        free(report->items[i].text);
    }
    free(report->notes);
    *report = (imp_report){.n = 0};
}
