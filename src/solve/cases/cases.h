/* Cases are named combinations of a theory, its choices and values of its parameters. Together they
 * are a theory: its only choice `case` has them as options; its outputs and modes are those of all
 * their theories, the same name being the same output or mode. Grid, search, scheduler and map
 * treat it like any theory. */
#ifndef IMP_SOLVE_CASES_CASES_H
#define IMP_SOLVE_CASES_CASES_H

#include "base/text.h"
#include "models/signature.h"

enum { IMP_MAX_CASES = 32, IMP_CASE_NAME = 64 };

/* Raised when outputs that the cases add to those of their theories change. */
enum { IMP_CASES_VERSION = 1 };

typedef struct imp_case {
    char name[IMP_CASE_NAME];
    imp_signature signature; /* the theory with its choices made */
    bool
        fixed[IMP_MAX_PARAMETERS]; /* parameters of the signature to which the case gives a value */
    double value[IMP_MAX_PARAMETERS]; /* SI */
} imp_case;

typedef struct imp_cases imp_cases;

/* Whether the theories of n cases fit together: their symbols mean the same (imp_theory.symbols),
 * and an output that two of them have has one unit and one shape. Otherwise false; *culprit is the
 * case that does not fit to those before it, and the reason is appended to `why`. */
bool imp_cases_fit(const imp_case *cases, int n, int *culprit, imp_text *why);

/* Makes the theory of n cases that fit together, 1 .. IMP_MAX_CASES; they are copied. The caller
 * frees it with imp_cases_free, which accepts NULL. NULL if memory is out. */
imp_cases *imp_cases_make(const imp_case *cases, int n);
void imp_cases_free(imp_cases **cases);

const imp_theory *imp_cases_theory(const imp_cases *cases);
int imp_cases_count(const imp_cases *cases);
const imp_case *imp_cases_at(const imp_cases *cases, int index);

/* Whether a parameter of the case's theory is left to the map: the case fixes neither it nor
 * another parameter that sets the same value. */
bool imp_case_leaves(const imp_case *one, int parameter);

/* Appends the case as words of `impactsweep cell`: "compliant body=rod law=linear damping=0.1". */
void imp_case_print(const imp_case *one, imp_text *text);

#endif
