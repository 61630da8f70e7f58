/* Random cells of every theory under every choice that needs no PETSc, read and solved as
 * `impactsweep cell --json` does: cells NUMBER prints a line for each cell, its words, and after
 * the last tab its JSON or, where the words are refused, the messages, their ends of line as
 * "|". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "solve/cell.h"
#include "support/batch.h"
#include "support/every.h"

static long cells;

/* The words of choices, "name=option ", with a tab after each. */
static void add_choices(const char *choices, imp_text *line) {
    for (const char *at = choices; *at; at++) {
        imp_text_append(line, *at == ' ' ? "\t" : at, 1);
    }
}

/* The words of a cell in one line; stand-ins are left out. */
static void add_cell(const batch *b, random_source *source, imp_text *line) {
    for (int p = 0; p < imp_input_count(b->solver); p++) {
        const imp_parameter *parameter = imp_input_at(b->solver, p);
        if (!parameter->stands_for) {
            imp_text_print(line, "%s=%.17g\t", parameter->name, batch_draw(parameter, source));
        }
    }
}

static void print_json(const imp_sweep *sweep) {
    imp_solved solved = {.outcome = IMP_PENDING};
    imp_json json = {.depth = 0};
    if (imp_cell_solve(sweep, &solved)) {
        exit(EXIT_FAILURE);
    }
    imp_solved_json(&json, sweep->theory, &solved);
    for (const char *at = imp_text_get(&json.text); *at; at++) {
        if (*at != '\n') {
            putchar(*at);
        }
    }
    imp_text_free(&json.text);
    imp_solved_free(&solved);
}

/* Cuts a line into its words as the program does, and prints the cell that they name. */
static void print_cell(char *line) {
    enum { MOST = IMP_MAX_PARAMETERS + IMP_MAX_CHOICES + 1 };
    const char *words[MOST];
    int n = 0;
    for (char *at = strtok(line, "\t"); at && n < MOST; at = strtok(NULL, "\t")) {
        printf("%s\t", at);
        words[n++] = at;
    }
    imp_sweep sweep;
    imp_text messages = {0};
    if (imp_config_words(words[0], words + 1, n - 1, &sweep, &messages)) {
        for (const char *at = imp_text_get(&messages); *at; at++) {
            putchar(*at == '\n' ? '|' : *at);
        }
    } else {
        print_json(&sweep);
    }
    putchar('\n');
    imp_text_free(&messages);
    imp_sweep_free(&sweep);
}

static void print_cells(const imp_theory *theory, const char *choices) {
    if (every_needs_petsc(theory, choices)) {
        return;
    }
    batch b = batch_open(theory->name, choices, 1);
    random_source source = {2026};
    for (long n = 0; n < cells; n++) {
        imp_text line = {0};
        imp_text_print(&line, "%s\t", theory->name);
        add_choices(choices, &line);
        add_cell(&b, &source, &line);
        print_cell(line.bytes);
        imp_text_free(&line);
    }
    batch_close(&b);
}

int main(int argc, char **argv) {
    cells = argc > 1 ? atol(argv[1]) : 100;
    every_choice(print_cells);
    return EXIT_SUCCESS;
}
