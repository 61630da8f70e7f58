#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "models/petsc.h"
#include "store/provenance.h"

typedef struct command {
    const char *name, *arguments, *summary;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
#define COMMAND(name, arguments, summary) {#name, arguments, summary, imp_command_##name},
#include "cmd/commands.def"
#undef COMMAND
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

static void print_help(FILE *to) {
    fputs("impactsweep: sweeps over parameters of impact with friction\n\nusage:\n", to);
    for (int i = 0; i < N_COMMANDS; i++) {
        fprintf(to, "  impactsweep %s %s\n      %s\n", commands[i].name, commands[i].arguments,
                commands[i].summary);
    }
    fputs("\noptions of run:\n"
          "  -o FILE                the map to write\n"
          "  --resume               go on with FILE, or start it; exits 0 if it is complete\n"
          "  --force                replace FILE\n"
          "  --set key=value        set a parameter, a choice or precision; may be repeated\n"
          "  --chunk CELLS          cells handed out at a time (default: by measured time)\n"
          "  --time-limit TIME      stop in good order after 90s, 55m or 2h; --resume goes on\n"
          "  --part i/n             only the i-th of n parts, into its own file; see join\n"
          "  --compress             compress the map when it is complete\n"
          "  --checkpoint TIME      sync and mark what is done so often (default 10s); 0: mark at\n"
          "                         once without syncing, safe against kills but not power cuts\n"
          "  --progress SECONDS|bar|none\n"
          "  --silence TIME         report a rank that says nothing for so long (default 60s)\n"
          "\nexit codes: 0 done, 1 failure, 2 bad input, 75 stopped early (resume to go on)\n",
          to);
}

static int unknown_command(const char *word) {
    const char *names[N_COMMANDS];
    for (int i = 0; i < N_COMMANDS; i++) {
        names[i] = commands[i].name;
    }
    const char *nearest = imp_nearest(word, names, N_COMMANDS);
    if (nearest) {
        return imp_usage_error("unknown command '%s' (did you mean '%s'?)", word, nearest);
    }
    return imp_usage_error("unknown command '%s'; see impactsweep --help", word);
}

/* What could not be printed is a failure too. */
static int finished(int code) {
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "impactsweep: error: could not write to the standard output\n");
        return code == IMP_EXIT_OK ? IMP_EXIT_FAILURE : code;
    }
    return code;
}

int main(int argc, char **argv) {
    /* A file that grows past a limit is an error of the write, not the end of the process. */
    signal(SIGXFSZ, SIG_IGN);
    const char *word = argc > 1 ? argv[1] : "";
    if (argc < 2) {
        print_help(stderr);
        return IMP_EXIT_INPUT;
    }
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return IMP_EXIT_OK;
    }
    if (strcmp(word, "--version") == 0) {
        printf("impactsweep %s (%s)\n", IMP_VERSION, imp_source_revision());
        return IMP_EXIT_OK;
    }
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i].name, word) == 0) {
            int code = commands[i].run(argc - 1, argv + 1);
            imp_err ended = imp_petsc_finish();
            return finished(ended && code == IMP_EXIT_OK ? imp_exit(ended) : code);
        }
    }
    return unknown_command(word);
}
