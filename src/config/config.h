/* Reads a YAML config into an imp_sweep and finds every error in one pass. */
#ifndef IMP_CONFIG_CONFIG_H
#define IMP_CONFIG_CONFIG_H

#include "base/text.h"
#include "solve/sweep.h"

/* Reads a whole file into *bytes (malloc, ended by 0, the caller frees). The config and its tables
 * are read through a loader, so that they can be sent to other ranks or recorded. On failure *bytes
 * is NULL and a reason such as "No such file or directory" is returned. */
typedef struct imp_loader {
    const char *(*load)(void *context, const char *path, char **bytes, size_t *length);
    void *context;
    bool no_guests; /* a config with a guest is refused, not started */
} imp_loader;

/* The loader of files, of at most 64 MiB. */
extern const imp_loader imp_file_loader;

/* The reason of a loader that lacks memory. */
extern const char imp_load_no_memory[];

/* Whether the reason is a failure of the system, not a mistake of the user. */
bool imp_load_failed(const char *reason);

/* Reads the config at `path`, with overrides "key=value" (of --set; n of them; a key is a
 * parameter, a choice, or precision). Paths of tables are relative to the folder of the config.
 * IMP_OK: *sweep is filled, the caller frees it with imp_sweep_free. IMP_ERR_INPUT: every error is
 * a line "file:line:column: error: ..." in *messages, *sweep is empty. IMP_ERR_IO (the system
 * failed to read a file), IMP_ERR_MEMORY: imp_last_error. */
imp_err imp_config_read(const imp_loader *loader, const char *path, const char *const *overrides,
                        int n_overrides, imp_sweep *sweep, imp_text *messages);

/* Reads one cell from "key=value" words, as of the subcommand `cell`: choices and parameters in any
 * order, no axes. Errors are lines "argument N: error: ...". Otherwise as imp_config_read. */
imp_err imp_config_words(const char *theory, const char *const *words, int n_words,
                         imp_sweep *sweep, imp_text *messages);

/* Starts a guest by its name, "guest" or "guest:COMMAND", and words "command=...". The caller ends
 * *owned (imp_owned_end), which must be NULL before, in any case. Errors as of imp_config_words.
 */
imp_err imp_config_guest(const char *name, const char *const *words, int n_words,
                         const imp_theory **theory, imp_owned **owned, imp_text *messages);

#endif
