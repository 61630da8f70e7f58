#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "models/petsc.h"
#include "store/disk.h"
#include "store/library.h"

static bool is_one_of(const char *word, const char *one, const char *other) {
    return strcmp(word, one) == 0 || strcmp(word, other) == 0;
}

/* Whether the options ask for help. */
static bool wants_help(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_one_of(argv[i], "--help", "-h")) {
            return true;
        }
    }
    return false;
}

/* The exit code of a failure; command: NULL for none. */
static int failure_of(const imp_command *command) {
    return command && command->compares ? IMP_EXIT_INPUT : IMP_EXIT_FAILURE;
}

static int run(int argc, char **argv) {
    const imp_command *command = imp_command_find(argv[0]);
    if (!command) {
        return imp_command_unknown(argv[0]);
    }
    if (wants_help(argc, argv)) {
        imp_print_usage(command, stdout);
        return IMP_EXIT_OK;
    }
    int code = failure_of(command); /* of a reader that a signal ends */
    if (!command->reads_map || imp_guard_reader(argc, argv, &code)) {
        code = command->run(argc, argv);
    }
    imp_err ended = imp_petsc_finish();
    return ended && code == IMP_EXIT_OK ? imp_exit(ended) : code;
}

static int dispatch(int argc, char **argv) {
    if (argc < 2) {
        imp_print_commands(stderr);
        return IMP_EXIT_INPUT;
    }
    if (is_one_of(argv[1], "--help", "-h")) {
        imp_print_commands(stdout);
        return IMP_EXIT_OK;
    }
    if (strcmp(argv[1], "--version") == 0) {
        imp_print_version();
        return IMP_EXIT_OK;
    }
    return run(argc - 1, argv + 1);
}

/* Text that is cut short because memory ran out, and output that could not be written, are failures
 * too. command: the one that ran; NULL: none. */
static int finished(int code, const imp_command *command) {
    imp_err error = imp_memory_check();
    code = error && (code == IMP_EXIT_OK || code == IMP_EXIT_INPUT) ? imp_exit(error) : code;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "impactsweep: error: could not write to the standard output\n");
        bool answers = code == IMP_EXIT_OK || (command && command->compares);
        return answers && !(command && command->makes_map) ? failure_of(command) : code;
    }
    return code;
}

int main(int argc, char **argv) {
    imp_disk_open_standard();
    /* A file that grows past a limit is an error of the write, not the end of the process. */
    signal(SIGXFSZ, SIG_IGN);
    imp_guard();
    imp_err error = imp_h5_start();
    const imp_command *command = argc > 1 ? imp_command_find(argv[1]) : NULL;
    command = command && wants_help(argc - 1, argv + 1) ? NULL : command;
    return finished(error ? imp_exit(error) : dispatch(argc, argv), command);
}
