/* Cases are named combinations of a theory, its choices and values of its parameters. Together
 * they are a theory: its choice `case` has them as options; its outputs and modes are those of all
 * their theories, the same name being the same output or mode. Modes of several theories have the
 * names by which these agree (imp_theory.agreements). Grid, search, scheduler and map treat it
 * like any theory. A choice that an axis carries beside the cases is another choice of this
 * theory; it is left open in every case, which has one signature for each of its options. */
#ifndef IMP_SOLVE_CASES_CASES_H
#define IMP_SOLVE_CASES_CASES_H

#include "base/text.h"
#include "grid/grid.h"
#include "models/signature.h"
#include "solve/follow.h"

/* IMP_MAX_CASES: of signatures, those of one case with all options of choices on axes. */
enum { IMP_MAX_CASES = 32, IMP_CASE_NAME = 64 };

/* Raised when outputs that the cases add to those of their theories change, or codes of modes. */
enum { IMP_CASES_VERSION = 2 };

typedef struct imp_case {
    char name[IMP_CASE_NAME];
    imp_signature signature;     /* the theory with its choices made */
    bool swept[IMP_MAX_CHOICES]; /* choices that an axis carries */
    bool
        fixed[IMP_MAX_PARAMETERS]; /* parameters of the signature to which the case gives a value */
    double value[IMP_MAX_PARAMETERS]; /* SI; NaN: it follows others */
    imp_follower *followers; /* of fixed parameters without a value, each after those it follows */
    char (*formulas)[IMP_FORMULA_TEXT]; /* their texts */
    int n_followers;
} imp_case;

/* A choice that an axis carries, with the options on it. */
typedef struct imp_swept_choice {
    const imp_choice *choice; /* of any of the theories */
    int option[IMP_MAX_CASES], n_options;
} imp_swept_choice;

typedef struct imp_cases imp_cases;

/* Whether the theories of n cases fit together: their symbols mean the same (imp_theory.symbols),
 * and an output that two of them have has one unit and one shape. Otherwise false; *culprit is the
 * case that does not fit to those before it, and the reason is appended to `why`. */
bool imp_cases_fit(const imp_case *cases, int n, int *culprit, imp_text *why);

/* Makes the theory of n cases that fit together, 1 .. IMP_MAX_CASES; they are copied. swept:
 * choices on axes; the signatures of one case then follow each other, the last choice fastest, and
 * n counts all of them. The caller frees the theory with imp_cases_free, which accepts NULL. NULL
 * if memory is out. */
imp_cases *imp_cases_make(const imp_case *cases, int n, const imp_swept_choice *swept, int n_swept);
void imp_cases_free(imp_cases **cases);

/* The number of names; the case of a name, with the first options of choices on axes. */
const imp_theory *imp_cases_theory(const imp_cases *cases);
int imp_cases_count(const imp_cases *cases);
const imp_case *imp_cases_at(const imp_cases *cases, int index);

/* The case with these choices of the theory of the cases. */
const imp_case *imp_cases_chosen(const imp_cases *cases, const int *chosen);

/* Whether a theory of the cases has the choice. */
bool imp_cases_know_choice(const imp_cases *cases, const char *choice);

/* Whether a parameter of the case's theory is left to the map: the case fixes neither it nor
 * another parameter that sets the same value. */
bool imp_case_leaves(const imp_case *one, int parameter);

/* Appends the case as words of `impactsweep cell`, but for choices on axes: "compliant body=rod
 * law=linear damping=0.1 q2==q1". */
void imp_cases_print(const imp_cases *cases, int index, imp_text *text);

/* The same of n signatures of one case: each parameter that one of them has. */
void imp_case_print(const imp_case *one, int n, imp_text *text);

#endif
