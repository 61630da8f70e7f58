/* The subcommands, and the exit codes that they share. */
#include <string.h>

#include "cmd/cmd.h"

static const imp_command *const commands[] = {
#define COMMAND(name) &imp_command_##name,
#include "cmd/commands.def"
};

enum { N_COMMANDS = sizeof commands / sizeof *commands };

const imp_exit_code imp_exit_codes[] = {
    {IMP_EXIT_OK, "done"},
    {IMP_EXIT_FAILURE, "failure"},
    {IMP_EXIT_INPUT, "bad input"},
    {IMP_EXIT_STOPPED, "stopped early (resume to go on)"},
    {0, NULL},
};

const imp_command *imp_command_at(int index) {
    return index < N_COMMANDS ? commands[index] : NULL;
}

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
    imp_few_words hint = imp_hint(word, names, N_COMMANDS);
    return imp_usage_error("unknown command '%s'%s", word,
                           hint.text[0] ? hint.text : "; see impactsweep --help");
}

void imp_print_commands(FILE *to) {
    fputs("impactsweep: " IMP_PURPOSE "\n\nusage:\n", to);
    for (int i = 0; i < N_COMMANDS; i++) {
        fprintf(to, "  impactsweep %s %s\n      %s\n", commands[i]->name, commands[i]->words,
                commands[i]->summary);
    }
    fputs("\nimpactsweep SUBCOMMAND --help prints the options of a subcommand and an example.\n"
          "exit codes:",
          to);
    for (const imp_exit_code *at = imp_exit_codes; at->meaning; at++) {
        fprintf(to, "%s %d %s", at == imp_exit_codes ? "" : ",", at->code, at->meaning);
    }
    fputs("\n", to);
}
