/* A theory of the library as a guest: kernel_guest [--share] THEORY NAME=OPTION... Its choices are
 * made by the words; it describes the parameters that then apply, without stand-ins, and all
 * outputs. --share: columns stand in the memory that the program shares. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "models/signature.h"
#include "solve/solver.h"

static void put_codes(imp_json *json, const imp_theory *theory, const imp_output *output) {
    int n;
    const imp_mode *codes = imp_output_categories(theory, output, &n);
    imp_json_list(json, "categories");
    for (int c = 0; c < n; c++) {
        if (codes[c].code != c + 1) {
            fprintf(stderr, "the codes of %s have gaps\n", output->name);
            exit(1);
        }
        imp_json_object(json, NULL);
        imp_json_string(json, "name", codes[c].name);
        imp_json_end_object(json);
    }
    imp_json_end_list(json);
}

static void put_output(imp_json *json, const imp_theory *theory, const imp_output *output) {
    imp_json_object(json, NULL);
    imp_json_string(json, "name", output->name);
    imp_json_string(json, "unit", output->unit);
    if (output->kind == IMP_CATEGORY) {
        put_codes(json, theory, output);
    }
    if (output->kind == IMP_SEQUENCE) {
        imp_json_string(json, "kind", "sequence");
    }
    if (output->dimension) {
        imp_json_string(json, "dimension", output->dimension);
        imp_json_whole(json, "length", output->length);
    }
    imp_json_string(json, "undefined_when", "the theory says so");
    imp_json_end_object(json);
}

static void put_parameter(imp_json *json, const imp_parameter *p) {
    imp_json_object(json, NULL);
    imp_json_string(json, "name", p->name);
    imp_json_string(json, "unit", p->unit);
    imp_json_number(json, "low", p->low);
    imp_json_number(json, "high", p->high);
    imp_json_truth(json, "low_open", p->low_open);
    imp_json_truth(json, "high_open", p->high_open);
    imp_json_truth(json, "whole", p->whole);
    imp_json_number(json, "default", p->fallback);
    imp_json_number(json, "example", p->example);
    imp_json_end_object(json);
}

static void describe(const imp_signature *s) {
    imp_json json = {.compact = true};
    imp_json_object(&json, NULL);
    imp_json_whole(&json, "impactsweep_guest", 1);
    imp_json_string(&json, "name", s->theory->name);
    imp_json_string(&json, "version", "1");
    imp_json_list(&json, "parameters");
    for (int p = 0; p < s->n_parameters; p++) {
        if (!s->parameter[p]->stands_for) {
            put_parameter(&json, s->parameter[p]);
        }
    }
    imp_json_end_list(&json);
    imp_json_list(&json, "outputs");
    for (int o = 0; o < s->theory->n_outputs; o++) {
        if (imp_signature_has_output(s, o)) {
            put_output(&json, s->theory, &s->theory->outputs[o]);
        }
    }
    imp_json_end_list(&json);
    imp_json_end_object(&json);
    printf("%s\n", imp_text_get(&json.text));
    fflush(stdout);
    imp_text_free(&json.text);
}

/* Points the columns of n cells into `columns` and `results`; returns how many values come in. */
static size_t set_columns(const imp_signature *s, size_t n, double *columns, double *results,
                          const double **in, double **out) {
    double *at = columns, *next = results;
    for (int p = 0; p < s->n_parameters; p++) {
        if (!s->parameter[p]->stands_for) {
            in[p] = at;
            at += n;
        }
    }
    for (int o = 0; o < s->theory->n_outputs; o++) {
        if (imp_signature_has_output(s, o)) {
            out[o] = next;
            next += n * imp_output_length(&s->theory->outputs[o]);
        }
    }
    return (size_t)(at - columns);
}

/* The memory that the program shares. */
static double *shared_memory(void) {
    struct stat file;
    void *memory = MAP_FAILED;
    if (fstat(3, &file) == 0) {
        memory = mmap(NULL, (size_t)file.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    }
    if (memory == MAP_FAILED) {
        fprintf(stderr, "no memory is shared\n");
        exit(1);
    }
    return memory;
}

/* Answers one request; false at the end of the input. */
static bool answer(imp_solver *solver, bool shares) {
    static double *shared;
    const imp_signature *s = imp_solver_signature(solver);
    double head[3];
    if (fread(head, sizeof *head, 2, stdin) != 2) {
        return false;
    }
    shared = shares && !shared ? shared_memory() : shared;
    size_t n = (size_t)head[1], values = 1;
    double *columns = shared ? shared : calloc(n, sizeof *columns * (size_t)(s->n_parameters + 1));
    const double *in[IMP_MAX_PARAMETERS] = {NULL};
    double *out[IMP_MAX_OUTPUTS] = {NULL};
    for (int o = 0; o < s->theory->n_outputs; o++) {
        values += imp_signature_has_output(s, o) ? imp_output_length(&s->theory->outputs[o]) : 0;
    }
    double *results = calloc(n * values, sizeof *results);
    unsigned char *outcome = calloc(n, 1);
    size_t wanted = set_columns(s, n, columns, results + n, in, out);
    bool good = (shared || fread(columns, sizeof *columns, wanted, stdin) == wanted) &&
                imp_solve(solver, n, in, out, outcome) == IMP_OK;
    for (size_t i = 0; i < n; i++) {
        results[i] = outcome[i];
    }
    head[2] = (double)(n * values);
    if (shared) {
        memcpy(shared + wanted, results, n * values * sizeof *results);
    }
    good = good && fwrite(head, sizeof *head, 3, stdout) == 3 &&
           (shared || fwrite(results, sizeof *results, n * values, stdout) == n * values) &&
           fflush(stdout) == 0;
    free(shared ? NULL : columns);
    free(results);
    free(outcome);
    return good;
}

int main(int argc, char **argv) {
    char choices[1024] = "";
    bool shares = argc > 1 && strcmp(argv[1], "--share") == 0 && write(3, "1", 1) == 1;
    argc -= shares;
    argv += shares;
    for (int w = 2; w < argc; w++) {
        snprintf(choices + strlen(choices), sizeof choices - strlen(choices), "%s ", argv[w]);
    }
    imp_solver *solver;
    if (argc < 2 || imp_open(argv[1], choices, &solver)) {
        fprintf(stderr, "%s\n", imp_last_error());
        return 2;
    }
    describe(imp_solver_signature(solver));
    while (answer(solver, shares)) {
    }
    imp_close(&solver);
    return 0;
}
