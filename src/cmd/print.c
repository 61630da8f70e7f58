#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <yaml.h>

#include "base/constants.h"
#include "base/error.h"
#include "base/message.h"
#include "cmd/build.h"
#include "cmd/cmd.h"
#include "config/config.h"
#include "config/range.h"
#include "models/petsc.h"
#include "models/signature.h"
#include "solve/units.h"
#include "sched/sched.h"
#include "store/map.h"

static imp_text *held; /* takes the place of the standard error; NULL: none */

void imp_hold_errors(imp_text *text) {
    held = text;
}

/* One call for a whole message, so that others do not come between its parts. */
static void print(FILE *to, const char *before, const char *text, const char *behind) {
    if (held && to == stderr) {
        imp_text_print(held, "%s%s%s", before, text, behind);
    } else {
        fprintf(to, "%s%s%s", before, text, behind);
    }
}

int imp_exit(imp_err error) {
    switch (error) {
    case IMP_OK:
        return IMP_EXIT_OK;
    case IMP_ERR_STOPPED:
        return IMP_EXIT_STOPPED;
    default:
        /* An error that follows from a lack of memory would mislead. */
        error = error == IMP_ERR_MEMORY || !imp_memory_check() ? error : IMP_ERR_MEMORY;
        print(stderr, "impactsweep: error: ", imp_last_error(), "\n");
        return error == IMP_ERR_INPUT ? IMP_EXIT_INPUT : IMP_EXIT_FAILURE;
    }
}

int imp_exit_reader(imp_err error, imp_text *messages) {
    if (error == IMP_ERR_INPUT) {
        fputs(imp_text_get(messages), stderr);
    }
    imp_text_free(messages);
    return error == IMP_ERR_INPUT ? IMP_EXIT_INPUT : imp_exit(error);
}

static void say(FILE *to, const char *before, const char *format, va_list values,
                const char *behind) {
    char text[8192];
    imp_message(text, sizeof text, format, values);
    print(to, before, text, behind);
}

void imp_say(FILE *to, const char *format, ...) {
    va_list values;
    va_start(values, format);
    say(to, "", format, values, "");
    va_end(values);
}

int imp_usage_error(const char *format, ...) {
    va_list values;
    va_start(values, format);
    say(stderr, "impactsweep: error: ", format, values, "\n");
    va_end(values);
    return IMP_EXIT_INPUT;
}

int imp_follow_link(const char **path) {
    static char target[PATH_MAX];
    struct stat status;
    if (lstat(*path, &status) != 0 || !S_ISLNK(status.st_mode)) {
        return IMP_EXIT_OK;
    }
    if (!realpath(*path, target)) {
        return imp_usage_error("%s: is a symbolic link that leads nowhere: %s", *path,
                               strerror(errno));
    }
    *path = target;
    return IMP_EXIT_OK;
}

imp_err imp_wrote(const char *what, FILE *to) {
    return ferror(to) ? imp_fail(IMP_ERR_IO, "could not write the %s: %s", what, strerror(errno))
                      : IMP_OK;
}

int imp_print_json(imp_json *json) {
    bool failed = json->text.failed;
    if (!failed) {
        puts(imp_text_get(&json->text));
    }
    imp_text_free(&json->text);
    return failed ? imp_exit(imp_memory_check()) : IMP_EXIT_OK;
}

int imp_read_cell(int n, char **words, imp_sweep *sweep) {
    *sweep = (imp_sweep){.theory = NULL};
    imp_text messages = {0};
    imp_err error =
        imp_config_words(words[0], (const char *const *)words + 1, n - 1, sweep, &messages);
    return imp_exit_reader(error, &messages);
}

void imp_say_guests(const imp_sweep *sweep) {
    imp_text text = {0};
    for (imp_owned *one = sweep->owned; one; one = one->next) {
        one->say(one, &text);
    }
    if (text.length > 0) {
        imp_say(stderr, "%s", imp_text_get(&text));
    }
    imp_text_free(&text);
}

void imp_print_choices(const imp_sweep *sweep) {
    for (int c = 0; c < sweep->theory->n_choices; c++) {
        const imp_choice *choice = &sweep->theory->choices[c];
        if (sweep->chosen[c] >= 0) {
            printf("%-22s %s\n", choice->name, choice->options[sweep->chosen[c]]->name);
        }
    }
}

/* Appends the cases that have a parameter, if not all of them do: " (springs, hertz)". */
static void print_owners(const imp_sweep *sweep, const char *parameter, imp_text *text) {
    int n = 0, all = sweep->cases ? imp_cases_count(sweep->cases) : 0;
    imp_text owners = {0};
    for (int c = 0; c < all; c++) {
        const int chosen[IMP_MAX_CHOICES] = {c};
        imp_signature signature = imp_signature_of(imp_cases_theory(sweep->cases), chosen);
        if (imp_signature_find(&signature, parameter) >= 0) {
            imp_text_print(&owners, "%s%s", n++ ? ", " : "", imp_cases_at(sweep->cases, c)->name);
        }
    }
    if (n > 0 && n < all) {
        imp_text_print(text, " (only %s)", imp_text_get(&owners));
    }
    imp_text_free(&owners);
}

void imp_print_fixed(const imp_sweep *sweep) {
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_fixed *fixed = &sweep->fixed[f];
        imp_text text = {0};
        if (fixed->formula[0]) {
            imp_text_print(&text, "= %s", fixed->formula);
        }
        if (!isnan(fixed->value)) {
            imp_text_print(&text, fixed->formula[0] ? ": " : "");
            char unit[IMP_UNIT_TEXT];
            imp_parameter shown = imp_sweep_shown_parameter(sweep, fixed->parameter, unit);
            imp_print_value(&text, &shown, fixed->value);
        }
        print_owners(sweep, fixed->parameter->name, &text);
        printf("%-22s %s%s\n", fixed->parameter->name, imp_text_get(&text),
               fixed->given ? "" : " (default)");
        imp_text_free(&text);
    }
}

void imp_print_allowed(imp_text *text, const char *word, const char *lead, const char *const *names,
                       size_t n) {
    imp_text_print(text, "%s%s", imp_hint(word, names, n).text, lead);
    for (size_t i = 0; i < n; i++) {
        imp_text_print(text, "%s%s", i ? ", " : "", names[i]);
    }
}

imp_few_words imp_count(int64_t count) {
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%" PRId64, count);
    imp_few_words words;
    char *at = words.text;
    for (int i = 0; i < n; i++) {
        if (i > 0 && digits[i - 1] != '-' && (n - i) % 3 == 0) {
            *at++ = ',';
        }
        *at++ = digits[i];
    }
    *at = 0;
    return words;
}

imp_few_words imp_things(int64_t count, const char *one, const char *several) {
    imp_few_words words;
    snprintf(words.text, sizeof words.text, "%.30s %.48s", imp_count(count).text,
             count == 1 ? one : several);
    return words;
}

imp_few_words imp_duration(double seconds) {
    imp_few_words words;
    if (seconds < 60) {
        snprintf(words.text, sizeof words.text, "%.3g s", seconds);
    } else {
        long whole = lround(seconds);
        snprintf(words.text, sizeof words.text, "%ld:%02ld:%02ld", whole / 3600, whole / 60 % 60,
                 whole % 60);
    }
    return words;
}

imp_few_words imp_moment(double seconds) {
    imp_few_words words = {"?"};
    time_t whole = (time_t)seconds;
    struct tm utc;
    if (isfinite(seconds) && fabs(seconds) < 1e11 && gmtime_r(&whole, &utc)) {
        strftime(words.text, sizeof words.text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    }
    return words;
}

imp_few_words imp_number(const imp_parameter *parameter, double value) {
    imp_few_words words;
    bool angle = imp_parameter_is_angle(parameter) && !isinf(value);
    snprintf(words.text, sizeof words.text, "%.6g%s",
             angle ? value * IMP_DEGREES_PER_RADIAN : value, angle ? " deg" : "");
    return words;
}

imp_few_words imp_range(const imp_parameter *parameter) {
    imp_few_words words;
    snprintf(words.text, sizeof words.text, "%c%.30s, %.30s%c", parameter->low_open ? '(' : '[',
             imp_number(parameter, parameter->low).text,
             imp_number(parameter, parameter->high).text, parameter->high_open ? ')' : ']');
    return words;
}

const char *imp_libraries(void) {
    static imp_text text; /* the same in the whole run */
    if (text.length == 0) {
        const char *petsc = imp_petsc_version();
        imp_ranks_version(&text);
        imp_text_print(&text, ", ");
        imp_store_libraries(&text);
        imp_text_print(&text, ", libyaml %s, %s%s%s", yaml_get_version_string(),
                       petsc ? "PETSc " : "no PETSc", petsc ? petsc : "",
                       petsc ? " (headers)" : "");
    }
    return imp_text_get(&text);
}

void imp_print_version(void) {
    printf("impactsweep %s (%s)\ncompiler   %s\nflags      %s\nlibraries  %s\n", IMP_VERSION,
           imp_source_revision(), IMP_COMPILER, IMP_FLAGS, imp_libraries());
}
