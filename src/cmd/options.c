#include "cmd/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/number.h"
#include "cmd/cmd.h"

/* ---- values ---- */

const char *imp_take_flag(const char *value, void *field) {
    (void)value;
    *(bool *)field = true;
    return NULL;
}

const char *imp_take_text(const char *value, void *field) {
    *(const char **)field = value;
    return NULL;
}

const char *imp_take_count(const char *value, void *field) {
    int64_t *count = field;
    return imp_read_count(value, count) || *count == 0 ? "is not a whole number above 0" : NULL;
}

/* "90", "90s", "55m", "2h", "1.5h" in seconds; 0 for any other text. */
static double read_duration(const char *text) {
    static const struct {
        char letter;
        double seconds;
    } units[] = {{0, 1}, {'s', 1}, {'m', 60}, {'h', 3600}};
    char *end;
    double value = strtod(text, &end);
    bool whole = end > text && (*end == 0 || end[1] == 0);
    for (size_t u = 0; whole && u < sizeof units / sizeof *units; u++) {
        if (units[u].letter == *end) {
            return value > 0 && isfinite(value) ? value * units[u].seconds : 0;
        }
    }
    return 0;
}

const char *imp_take_time(const char *value, void *field) {
    *(double *)field = read_duration(value);
    return *(double *)field > 0 ? NULL : "is not a time such as 90s, 55m, 2h";
}

const char *imp_take_pause(const char *value, void *field) {
    bool none = strcmp(value, "0") == 0;
    *(double *)field = none ? 0 : read_duration(value);
    return none || *(double *)field > 0 ? NULL : "is not 0 or a time such as 90s, 55m, 2h";
}

const char *imp_take_real(const char *value, void *field) {
    imp_quantity read = {0, IMP_UNIT_NONE};
    bool good = !imp_read_quantity(value, "1", &read) && read.value >= 0;
    *(double *)field = read.value;
    return good ? NULL : "is not a number of 0 or more";
}

const char *imp_take_override(const char *value, void *field) {
    imp_overrides *overrides = field;
    if (overrides->n == IMP_MAX_OVERRIDES) {
        return "is one too many, at most 64 are allowed";
    }
    overrides->words[overrides->n++] = value;
    return NULL;
}

/* ---- words ---- */

/* The option of a long name or of an unambiguous abbreviation; NULL if there is none. */
static const imp_switch *find_long(const imp_command *command, const char *name, size_t length) {
    const imp_switch *found = NULL;
    for (int s = 0; s < command->n_switches; s++) {
        const imp_switch *at = &command->switches[s];
        if (strncmp(at->name, name, length) == 0) {
            if (strlen(at->name) == length) {
                return at;
            }
            if (found) {
                return NULL;
            }
            found = at;
        }
    }
    return length > 0 ? found : NULL;
}

static const imp_switch *find_letter(const imp_command *command, char letter) {
    for (int s = 0; s < command->n_switches; s++) {
        if (letter && command->switches[s].letter == letter) {
            return &command->switches[s];
        }
    }
    return NULL;
}

static int unknown_switch(const imp_command *command, const char *word) {
    const char *names[16];
    size_t n = 0;
    for (int s = 0; s < command->n_switches && n < 16; s++) {
        names[n++] = command->switches[s].name;
    }
    const char *nearest = strncmp(word, "--", 2) == 0 ? imp_nearest(word + 2, names, n) : NULL;
    if (nearest) {
        return imp_usage_error("%s: unknown option '%s' (did you mean '--%s'?)", command->name,
                               word, nearest);
    }
    bool sign = word[1] != '-' && word[2] != 0; /* "-angle < 0" */
    return imp_usage_error("%s: unknown option '%s'; see impactsweep help %s%s", command->name,
                           word, command->name,
                           sign ? "; if it is no option, write -- before it" : "");
}

const imp_switch *imp_switch_of(const imp_command *command, const char *word, const char **value) {
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word + 2, "=") : 1;
    const imp_switch *found =
        is_long ? find_long(command, word + 2, length) : find_letter(command, word[1]);
    const char *rest = word + (is_long ? 2 : 1) + length;
    *value = *rest == 0 ? NULL : rest + (is_long ? 1 : 0);
    return found && *value && !is_long && !found->argument ? NULL : found;
}

/* Reads the option at argv[*at] and its value, which may be the next word. */
static int read_switch(const imp_command *command, int argc, char **argv, int *at, void *request) {
    const char *word = argv[*at], *value;
    const imp_switch *found = imp_switch_of(command, word, &value);
    if (!found) {
        return unknown_switch(command, word);
    }
    if (value && !found->argument) {
        return imp_usage_error("%s: the option --%s takes no value", command->name, found->name);
    }
    if (!value && found->argument) {
        value = *at + 1 < argc ? argv[++*at] : NULL;
        if (!value) {
            return imp_usage_error("%s: the option %s needs a value", command->name,
                                   imp_show(word).text);
        }
    }
    const char *wrong = found->read(value, (char *)request + found->offset);
    return wrong ? imp_usage_error("%s: --%s %s: %s", command->name, found->name,
                                   imp_show(value ? value : "").text, wrong)
                 : IMP_EXIT_OK;
}

static int check_count(const imp_command *command, int n, char **words) {
    if (n < command->fewest) {
        return imp_usage_error("%s: %s; usage: impactsweep %s %s", command->name, command->needed,
                               command->name, command->words);
    }
    if (command->most >= 0 && n > command->most) {
        return imp_usage_error("%s: unexpected '%s'; usage: impactsweep %s %s", command->name,
                               words[command->most + 1], command->name, command->words);
    }
    return IMP_EXIT_OK;
}

int imp_read_switches(const imp_command *command, int argc, char **argv, void *request, int *n) {
    bool ended = false;
    int failed = IMP_EXIT_OK;
    *n = 0;
    for (int at = 1; at < argc; at++) {
        if (ended || argv[at][0] != '-' || argv[at][1] == 0) {
            argv[++*n] = argv[at];
        } else if (strcmp(argv[at], "--") == 0) {
            ended = true;
        } else {
            int code = read_switch(command, argc, argv, &at, request);
            failed = failed ? failed : code;
        }
    }
    /* After an unknown option its value would count as a word. */
    return failed ? failed : check_count(command, *n, argv);
}

void imp_command_text(int argc, char **argv, imp_text *text) {
    imp_text_print(text, "impactsweep");
    for (int i = 0; i < argc; i++) {
        imp_text_print(text, " %s", argv[i]);
    }
}

/* ---- help ---- */

/* Prints words from column `indent` on, and breaks lines before column 88. */
static void print_wrapped(const char *text, int indent, FILE *to) {
    enum { WIDTH = 88 };
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column + length > WIDTH && column > indent) {
            column = indent;
            fprintf(to, "\n%*s", indent, "");
        }
        fprintf(to, "%s%.*s", column > indent ? " " : "", length, text);
        column += length + 1;
        text += length;
        text += strspn(text, " ");
    }
    fputs("\n", to);
}

static void print_switch(const imp_switch *s, FILE *to) {
    enum { INDENT = 29 };
    char letter[8] = "    ", head[64];
    if (s->letter) {
        snprintf(letter, sizeof letter, "-%c, ", s->letter);
    }
    snprintf(head, sizeof head, "  %s--%s%s%s", letter, s->name, s->argument ? " " : "",
             s->argument ? s->argument : "");
    fprintf(to, "%-*s", INDENT, head);
    if (strlen(head) >= (size_t)INDENT) {
        fprintf(to, "\n%*s", INDENT, "");
    }
    print_wrapped(s->meaning, INDENT, to);
}

void imp_print_usage(const imp_command *command, FILE *to) {
    fprintf(to, "usage: impactsweep %s %s\n\n%s\n", command->name, command->words,
            command->summary);
    if (command->details) {
        fputs("\n", to);
        print_wrapped(command->details, 0, to);
    }
    if (command->n_switches > 0) {
        fputs("\noptions, anywhere after the name of the command:\n", to);
    }
    for (int s = 0; s < command->n_switches; s++) {
        print_switch(&command->switches[s], to);
    }
    fputs(strchr(command->example, '\n') ? "\nexamples:\n" : "\nexample:\n", to);
    for (const char *line = command->example; *line;) {
        int length = (int)strcspn(line, "\n");
        fprintf(to, "  impactsweep %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}
