/* impactsweep help [SUBCOMMAND] [--man] */
#include "cmd/cmd.h"

typedef struct request {
    bool man;
} request;

static const imp_switch switches[] = {
    IMP_FLAG("man", man, "print a manual page instead, for man -l /dev/stdin"),
};

static int help(int argc, char **argv) {
    int n;
    request r = {.man = false};
    int code = imp_read_switches(&imp_command_help, argc, argv, &r, &n);
    if (code != IMP_EXIT_OK) {
        return code;
    }
    const imp_command *command = n > 0 ? imp_command_find(argv[1]) : NULL;
    if (n > 0 && !command) {
        return imp_command_unknown(argv[1]);
    }
    if (command && r.man) {
        imp_print_man(command);
    } else if (command) {
        imp_print_usage(command, stdout);
    } else if (r.man) {
        imp_print_man_of_all();
    } else {
        imp_print_commands(stdout);
    }
    return IMP_EXIT_OK;
}

const imp_command imp_command_help = {
    .name = "help",
    .words = "[SUBCOMMAND] [--man]",
    .summary = "list the subcommands, or print the page of one",
    .example = "help run",
    IMP_SWITCHES,
    .most = 1,
    .run = help,
};
