/* Manual pages for man(1), from the tables of --help. */
#include <ctype.h>
#include <string.h>

#include "cmd/cmd.h"

/* Prints n characters of a text, escaped for roff. */
static void print_part(const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 && (text[i] == '.' || text[i] == '\'');
        printf("%s", first ? "\\&" : "");
        fputs(text[i] == '\\' ? "\\e" : text[i] == '-' ? "\\-" : "", stdout);
        if (text[i] != '\\' && text[i] != '-') {
            putchar(text[i]);
        }
    }
}

static void print_text(const char *text) {
    print_part(text, strlen(text));
}

/* command: name of a subcommand; "" for the page of the program. */
static void print_head(const char *command, const char *summary) {
    printf(".TH IMPACTSWEEP");
    for (const char *at = command; *at; at++) {
        printf("%s%c", at == command ? "\\-" : "", toupper((unsigned char)*at));
    }
    printf(" 1 \"\" \"impactsweep %s\" \"impactsweep\"\n.SH NAME\nimpactsweep%s%s \\- ",
           IMP_VERSION, *command ? "\\-" : "", command);
    print_text(summary);
    printf("\n.SH SYNOPSIS\n");
}

static void print_call(const imp_command *command) {
    printf("\\fBimpactsweep %s\\fR ", command->name);
    print_text(command->words);
    printf("\n");
}

static void print_item(const char *name, const char *text) {
    printf(".TP\n.B ");
    print_text(name);
    printf("\n");
    print_text(text);
    printf("\n");
}

static void print_exit_codes(void) {
    printf(".SH EXIT STATUS\n");
    for (int i = 0; imp_exit_codes[i].meaning; i++) {
        char code[16];
        snprintf(code, sizeof code, "%d", imp_exit_codes[i].code);
        print_item(code, imp_exit_codes[i].meaning);
    }
}

static void print_switch(const imp_switch *s) {
    printf(".TP\n");
    if (s->letter) {
        printf("\\fB\\-%c\\fR, ", s->letter);
    }
    printf("\\fB\\-\\-");
    print_text(s->name);
    printf("\\fR");
    if (s->argument) {
        printf(" \\fI");
        print_text(s->argument);
        printf("\\fR");
    }
    printf("\n");
    print_text(s->meaning);
    printf("\n");
}

static void print_examples(const char *example) {
    printf(".SH EXAMPLES\n.nf\n");
    for (const char *line = example; *line;) {
        size_t length = strcspn(line, "\n");
        printf("impactsweep ");
        print_part(line, length);
        printf("\n");
        line += length + (line[length] == '\n');
    }
    printf(".fi\n");
}

void imp_print_man(const imp_command *command) {
    print_head(command->name, command->summary);
    print_call(command);
    if (command->details) {
        printf(".SH DESCRIPTION\n");
        print_text(command->details);
        printf("\n");
    }
    if (command->n_switches > 0) {
        printf(".SH OPTIONS\nOptions may be anywhere after the name of the command.\n");
    }
    for (int s = 0; s < command->n_switches; s++) {
        print_switch(&command->switches[s]);
    }
    print_examples(command->example);
    print_exit_codes();
    printf(".SH SEE ALSO\n.BR impactsweep (1)\n");
}

static void print_theories(void) {
    printf(".SH THEORIES\n");
    for (const imp_theory *theory = NULL; (theory = imp_theory_offered(theory)) != NULL;) {
        print_item(theory->name, theory->title);
    }
    printf(".PP\n.B impactsweep models\n.I THEORY\n"
           "prints the parameters, outputs and modes of a theory.\n");
}

void imp_print_man_of_all(void) {
    print_head("", IMP_PURPOSE);
    printf(".nf\n");
    for (int i = 0; imp_command_at(i); i++) {
        print_call(imp_command_at(i));
    }
    printf(".fi\n.SH DESCRIPTION\n"
           "A body strikes a plane with friction; the contact sticks, slips, reverses its slip, or "
           "wedges. The program computes maps of these modes and other results over any grid of "
           "parameters, on one processor or under MPI. A config in YAML describes the sweep; the "
           "map is a file in HDF5 and netCDF\\-4. To continue a stopped run, use\n"
           ".BR \\-\\-resume .\n.SH SUBCOMMANDS\n");
    for (int i = 0; imp_command_at(i); i++) {
        print_item(imp_command_at(i)->name, imp_command_at(i)->summary);
    }
    print_theories();
    print_exit_codes();
    printf(".SH SEE ALSO\n");
    for (int i = 0; imp_command_at(i); i++) {
        printf(".BR impactsweep\\-%s (1)%s\n", imp_command_at(i)->name,
               imp_command_at(i + 1) ? "," : "");
    }
}
