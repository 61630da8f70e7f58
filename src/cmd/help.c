/* impactsweep help [SUBCOMMAND] */
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"

static const imp_command *const commands[] = {
#define COMMAND(name) &imp_command_##name,
#include "cmd/commands.def"
#undef COMMAND
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

const imp_command *imp_command_find(const char *name) {
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

int imp_command_unknown(const char *word) {
    const char *names[N_COMMANDS];
    for (int i = 0; i < N_COMMANDS; i++) {
        names[i] = commands[i]->name;
    }
    const char *nearest = imp_nearest(word, names, N_COMMANDS);
    if (nearest) {
        return imp_usage_error("unknown command '%s' (did you mean '%s'?)", word, nearest);
    }
    return imp_usage_error("unknown command '%s'; see impactsweep --help", word);
}

void imp_print_commands(FILE *to) {
    fputs("impactsweep: sweeps over parameters of impact with friction\n\nusage:\n", to);
    for (int i = 0; i < N_COMMANDS; i++) {
        fprintf(to, "  impactsweep %s %s\n      %s\n", commands[i]->name, commands[i]->words,
                commands[i]->summary);
    }
    fputs("\nimpactsweep SUBCOMMAND --help prints the options of a subcommand and an example.\n"
          "exit codes: 0 done, 1 failure, 2 bad input, 75 stopped early (resume to go on)\n",
          to);
}

static int help(int argc, char **argv) {
    int n;
    int code = imp_read_switches(&imp_command_help, argc, argv, NULL, &n);
    if (code != IMP_EXIT_OK) {
        return code;
    }
    const imp_command *command = n > 0 ? imp_command_find(argv[1]) : NULL;
    if (n > 0 && !command) {
        return imp_command_unknown(argv[1]);
    }
    if (command) {
        imp_print_usage(command, stdout);
    } else {
        imp_print_commands(stdout);
    }
    return IMP_EXIT_OK;
}

const imp_command imp_command_help = {
    .name = "help",
    .words = "[SUBCOMMAND]",
    .summary = "this page, or the options of a subcommand",
    .example = "help run",
    .most = 1,
    .run = help,
};
