/* Shared by the files of the cases: their description as a theory, and what their cells need.
 * Private to this folder. */
#ifndef IMP_SOLVE_CASES_CASES_IMPL_H
#define IMP_SOLVE_CASES_CASES_IMPL_H

#include "base/first.h"
#include "solve/cases/cases.h"

enum { IMP_CASE_CODES = 64 };

/* Codes of tangential_end in files: append only. */
enum { IMP_END_SAME = 1, IMP_END_ZERO, IMP_END_REVERSED, IMP_END_WEDGE };

/* Below this part of the larger of the initial velocities a final tangential velocity is zero but
 * for rounding. */
#define IMP_END_ROUNDING 1e-12

struct imp_cases {
    imp_choice choices[IMP_MAX_CHOICES]; /* callbacks find the cases by the choices of the
                                            theory, which a copy of it with variables has too */
    imp_theory theory;
    imp_case cases[IMP_MAX_CASES];
    int n, of_one; /* signatures; those of one name */
    imp_option option[IMP_MAX_CHOICES][IMP_MAX_CASES];
    const imp_option *options[IMP_MAX_CHOICES][IMP_MAX_CASES];
    const imp_parameter *parameters[IMP_MAX_CASES][IMP_MAX_PARAMETERS]; /* by name */
    imp_parameter wide[IMP_MAX_CASES][IMP_MAX_PARAMETERS]; /* with the ranges of several options */
    imp_text words[IMP_MAX_CASES];
    const char *units[IMP_MAX_PARAMETERS];
    imp_output outputs[IMP_MAX_OUTPUTS];
    imp_mode modes[IMP_CASE_CODES], categories[IMP_MAX_OUTPUTS][IMP_CASE_CODES];
    int inner[IMP_MAX_CASES][IMP_MAX_OUTPUTS]; /* output of the case's theory; -1: it has none */
    int8_t code[IMP_MAX_CASES][IMP_MAX_OUTPUTS][IMP_CASE_CODES]; /* of a code of the theory */
    int tangential_end;                                          /* output; -1: none */
};
IMP_FIRST(struct imp_cases, choices);

static inline const imp_cases *imp_cases_of(const imp_instance *instance) {
    return (const imp_cases *)instance->theory->choices;
}

/* The number of the signature with these choices of the theory of the cases. */
static inline int imp_cases_number(const imp_cases *cases, const int *chosen) {
    int number = 0;
    for (int k = 0; k < cases->theory.n_choices; k++) {
        number = number * cases->choices[k].n_options + chosen[k];
    }
    return number;
}

/* ---- outputs.c ---- */

/* Fills in outputs and modes, which are those of all theories. */
void imp_cases_unite(imp_cases *cases);

/* ---- cell.c: imp_theory.open, close, solve, refuse of the cases ---- */

imp_err imp_cases_cell_open(imp_instance *instance);
void imp_cases_cell_close(imp_instance *instance);
imp_err imp_cases_cell_solve(const imp_instance *instance, size_t n, const double *const *in,
                             double *const *out, uint8_t *outcome);
const char *imp_cases_cell_refuse(const imp_instance *instance, const double *value,
                                  const char **name);

/* ---- tangential.c: the category tangential_end ---- */

/* Whether the cells of a case have it: a planar theory whose initial tangential velocity is
 * known. */
bool imp_case_has_tangential_end(const imp_case *one);

/* Writes the codes of n cells, whose columns are those of the theory; velocity: its output
 * velocity_ratio_out, mode: its own codes. */
void imp_case_tangential_end(const imp_case *one, size_t n, const double *const *in,
                             const double *mode, const double *velocity, double *end);

#endif
