/* Subcommands, each in the file of its name. Only this room prints. commands.c finds and lists
 * them, options.h reads their options, print.c has the rest of this
 * page, writers.h the formats of trace and export, bundle.h a config for every rank. */
#ifndef IMP_CMD_CMD_H
#define IMP_CMD_CMD_H

#include "base/json.h"
#include "base/text.h"
#include "cmd/options.h"
#include "solve/sweep.h"

#define COMMAND(name) extern const imp_command imp_command_##name;
#include "cmd/commands.def"

#define IMP_PURPOSE "sweeps over parameters of impact with friction"

/* imp_command_at: the subcommand at an index, or NULL past the last. imp_command_find: the
 * subcommand of this name, or NULL. imp_command_unknown: prints that there is none, and returns the
 * exit code. imp_print_commands: prints a list of all. */
const imp_command *imp_command_at(int index);
const imp_command *imp_command_find(const char *name);
int imp_command_unknown(const char *word);
void imp_print_commands(FILE *to);

/* Print the manual page of a subcommand, and of the program, in roff. */
void imp_print_man(const imp_command *command);
void imp_print_man_of_all(void);

/* Prints version, compiler, flags and libraries of the program. */
void imp_print_version(void);

enum { IMP_EXIT_OK = 0, IMP_EXIT_FAILURE = 1, IMP_EXIT_INPUT = 2, IMP_EXIT_STOPPED = 75 };

/* The exit codes and their meanings; ends with a NULL. */
typedef struct imp_exit_code {
    int code;
    const char *meaning;
} imp_exit_code;
extern const imp_exit_code imp_exit_codes[];

/* Prints imp_last_error as "impactsweep: error: ..." unless `error` is IMP_OK or a stop; returns
 * the exit code. imp_exit_reader: prints the messages of a reader of input in its place, if there
 * was an error in the input, and frees them. */
int imp_exit(imp_err error);
int imp_exit_reader(imp_err error, imp_text *messages);

/* Prints as imp_message does: for any message that quotes what users or files say. */
void imp_say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints "impactsweep: error: ..." on the standard error likewise, and returns IMP_EXIT_INPUT. */
int imp_usage_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Appends the messages of these functions to the text instead of printing them; NULL: prints them
 * again. */
void imp_hold_errors(imp_text *text);

/* Reads THEORY key=value..., n words and at least one, into a sweep without axes, which the caller
 * frees. Prints errors; returns the exit code. */
int imp_read_cell(int n, char **words, imp_sweep *sweep);

/* Replaces the name of a symbolic link by its target, so that writing does not replace the link.
 * Prints errors and returns the exit code; *path is then unchanged. One output per program. */
int imp_follow_link(const char **path);

/* IMP_ERR_IO if something could not be written: "could not write the table: ...". */
imp_err imp_wrote(const char *what, FILE *to);

/* Prints a JSON value and frees its text; returns the exit code. */
int imp_print_json(imp_json *json);

/* Prints on the standard error which cells the guests of a sweep failed at, and why. */
void imp_say_guests(const imp_sweep *sweep);

/* Print the choices made and the values that are on no axis, one per line: "b11  2.5 1/kg
 * (default)". */
void imp_print_choices(const imp_sweep *sweep);
void imp_print_fixed(const imp_sweep *sweep);

/* Prints the hint at the nearest name, and behind `lead` all: "; the map has: angle, friction". */
void imp_print_allowed(imp_text *text, const char *word, const char *lead, const char *const *names,
                       size_t n);

imp_few_words imp_count(int64_t count); /* 1234567 as "1,234,567" */

/* A count with its noun, in the singular for one: "1 cell", "1,234 vertices". */
imp_few_words imp_things(int64_t count, const char *one, const char *several);

imp_few_words imp_duration(double seconds); /* "1:02:03" or "2.5 s" */
imp_few_words imp_moment(double seconds); /* since 1970: 2026-11-26T12:00:00Z; "?" if it is none */

/* A value of a parameter as tables show it, angles in degrees; and its range, "[0, 1)", of angles
 * "[-90 deg, 90 deg]". */
imp_few_words imp_number(const imp_parameter *parameter, double value);
imp_few_words imp_range(const imp_parameter *parameter);

/* Versions of all libraries; "" where memory is out. */
const char *imp_libraries(void);

/* Whether two names are those of one file: by links, by another way to its folder, or before there
 * is such a file. */
bool imp_is_same_file(const char *one, const char *other);

/* Refuses to write to a file that the command reads; what: "is the map itself". Prints the error;
 * returns the exit code. output: NULL for none. */
int imp_refuse_own(const char *command, const char *input, const char *output, const char *what);

/* Guards against a crash inside HDF5, and against a library that ends the process with a foreign
 * exit code, as HDF5 does when memory runs out: the program then removes its unfinished file,
 * prints a message and ends with IMP_EXIT_FAILURE. Other crashes are not changed. Call once, before
 * MPI starts. */
void imp_guard(void);

/* For a subcommand that reads a map of unknown origin, of which a few bytes may make HDF5 ask for
 * any memory or never return: makes a child process with limits, in which this returns true. The
 * parent waits for its end and gets false and its exit code; if a signal ended it, the parent
 * prints a message, and *code stays as it was. True also if no child could be made. Limits: two
 * gigabytes and two bytes for each byte of the files that are named by the words; a minute of the
 * processor and a second for each of their megabytes. */
bool imp_guard_reader(int argc, char **argv, int *code);

#endif
