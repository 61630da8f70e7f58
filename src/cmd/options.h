/* Subcommands and their options as tables: --help and the reader of options use the same rows. */
#ifndef IMP_CMD_OPTIONS_H
#define IMP_CMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

/* One option. */
typedef struct imp_switch {
    const char *name;     /* after "--" */
    char letter;          /* after "-"; 0: none */
    const char *argument; /* name of the value in --help; NULL: the option has no value */
    const char *meaning;
    /* Reads the value (NULL for an option without one) into the field at `offset` of the command's
     * request. Returns NULL, or the error in the value: "is not ...". */
    const char *(*read)(const char *value, void *field);
    size_t offset;
} imp_switch;

/* Rows of a table of options, whose values are members of the structure `request` of the file. */
#define IMP_SWITCH(title, value, text, reader, member)                                             \
    {                                                                                              \
        .name = (title), .argument = (value), .meaning = (text), .read = (reader),                 \
        .offset = offsetof(request, member)                                                        \
    }
#define IMP_FLAG(title, member, text) IMP_SWITCH(title, NULL, text, imp_take_flag, member)
#define IMP_SWITCH_OUTPUT(text)                                                                    \
    {                                                                                              \
        .name = "output", .letter = 'o', .argument = "FILE", .meaning = (text),                    \
        .read = imp_take_text, .offset = offsetof(request, output)                                 \
    }

#define IMP_SWITCH_SET                                                                             \
    IMP_SWITCH(                                                                                    \
        "set", "key=value",                                                                        \
        "set a parameter, a choice or a setting; for a name on an axis a single VALUE "            \
        "replaces the axis, and FROM:TO:POINTS (also with :log or :linear) or [VALUE, ...] "       \
        "gives it new points; may be repeated",                                                    \
        imp_take_override, overrides)
/* The details of commands whose words are THEORY key=value... */
#define IMP_KEYS_OF_THEORY                                                                         \
    "A key is a choice or a parameter of THEORY; impactsweep models THEORY lists them with "       \
    "units, ranges and defaults. A number without a unit is in the unit of that list; "            \
    "values may bear a unit: 30deg, 19.4mm, 4.7N/mm."
/* Members of imp_command for a file whose table of options is called `switches`. */
#define IMP_SWITCHES .switches = switches, .n_switches = sizeof switches / sizeof *switches

typedef struct imp_command {
    const char *name;
    const char *words; /* after the name, for --help: "FILE [-o F.csv]" */
    const char *summary;
    const char *details; /* more about the words, in sentences; NULL: none */
    const char *example; /* one line per call, without "impactsweep" */
    const imp_switch *switches;
    int n_switches;
    int fewest, most;   /* words besides options; most < 0: any number */
    const char *needed; /* message if there are too few words: "the map is missing" */
    bool reads_map;     /* of unknown origin, so that it runs in a process with limits (guard.c) */
    bool makes_map;     /* its exit code is about the map, even if its remarks cannot be printed */
    bool compares;      /* its exit code 1 says that files differ, and every failure is 2 */
    int (*run)(int argc, char **argv); /* argv[0]: name of the command; returns the exit code */
} imp_command;

/* Readers of common values. Fields: bool, const char *, int64_t, double (seconds),
 * imp_overrides. */
const char *imp_take_flag(const char *value, void *field);
const char *imp_take_text(const char *value, void *field);
const char *imp_take_count(const char *value, void *field);    /* a whole number above 0 */
const char *imp_take_time(const char *value, void *field);     /* 90, 90s, 55m, 2h: above 0 */
const char *imp_take_pause(const char *value, void *field);    /* the same, or 0 */
const char *imp_take_real(const char *value, void *field);     /* a number, at least 0 */
const char *imp_take_override(const char *value, void *field); /* one more of --set */

enum { IMP_MAX_OVERRIDES = 64 };

typedef struct imp_overrides {
    const char *words[IMP_MAX_OVERRIDES];
    int n;
} imp_overrides;

/* The option of a word, or NULL; *value: the value in the same word (--name=value, -nvalue), or
 * NULL. */
const imp_switch *imp_switch_of(const imp_command *command, const char *word, const char **value);

/* Reads options at any place into the request, and moves the other words to argv[1] .. argv[*n].
 * "--" ends the options. Prints every error; returns the exit code. */
int imp_read_switches(const imp_command *command, int argc, char **argv, void *request, int *n);

/* Appends the words of a call as one text. Call before imp_read_switches, which moves words. */
void imp_command_text(int argc, char **argv, imp_text *text);

/* Prints the usage of a subcommand, its options and an example. */
void imp_print_usage(const imp_command *command, FILE *to);

#endif
