/* A theory with its choices made, and the parameters that then apply. */
#ifndef IMP_MODELS_SIGNATURE_H
#define IMP_MODELS_SIGNATURE_H

#include "impact.h"

/* A value type. Order of the parameters: the theory's own, then those of the option of each
 * choice, then variables; it is the order of `in` in imp_theory.solve. */
typedef struct imp_signature {
    const imp_theory *theory;
    int chosen[IMP_MAX_CHOICES];
    const imp_parameter *parameter[IMP_MAX_PARAMETERS];
    int n_parameters;
} imp_signature;

imp_signature imp_signature_of(const imp_theory *theory, const int *chosen);

/* Goes through the theories that are not hidden: the one after `last`, NULL: the first one. */
const imp_theory *imp_theory_offered(const imp_theory *last);

/* The instance that callbacks of the theory take: its own budget, no workspace yet. */
imp_instance imp_signature_instance(const imp_signature *signature);

/* Index of a parameter in the signature, -1 if it does not apply. */
int imp_signature_find(const imp_signature *signature, const char *parameter);

/* The name of the parameter that a value of this one sets: its own, or that of the one it stands
 * for. */
const char *imp_parameter_target(const imp_parameter *parameter);

/* Whether at most one of both is given: they are one parameter, or set one value. */
bool imp_parameters_exclude(const imp_parameter *one, const imp_parameter *other);

/* Whether kernels never see the values of this parameter, only what they are converted to. */
bool imp_parameter_is_replaced(const imp_parameter *parameter);

/* Decides which input each parameter takes its value from: source[p] is p where p is given, a
 * stand-in that is given in its place, or -1 where neither is given (p then takes its default).
 * given[n_parameters]. At most one of a parameter and its stand-ins may be given, but for one that
 * may stand beside it. If two are, the
 * first one counts, both are written to rivals (unless it is NULL), and the result is false. */
bool imp_signature_sources(const imp_signature *signature, const bool *given, int *source,
                           int rivals[2]);

bool imp_signature_has_output(const imp_signature *signature, int output);

/* Index by name in a theory's tables, -1 if there is none. */
int imp_theory_choice(const imp_theory *theory, const char *name);
int imp_theory_output(const imp_theory *theory, const char *name);
int imp_choice_option(const imp_choice *choice, const char *name);

/* The parameter of this name that an option has by itself; NULL: none. */
const imp_parameter *imp_option_parameter(const imp_option *option, const char *name);

/* Whether an option among the chosen ones needs PETSc. */
bool imp_theory_needs_petsc(const imp_theory *theory, const int *chosen);

/* Every parameter name that the theory knows under any choice, each once. Returns the number,
 * at most IMP_MAX_PARAMETERS of them are written. */
int imp_theory_every_parameter(const imp_theory *theory,
                               const imp_parameter *all[IMP_MAX_PARAMETERS]);

/* The first parameter of this name; NULL: the theory knows none. */
const imp_parameter *imp_theory_parameter(const imp_theory *theory, const char *name);

/* The present name of the parameter that the theory once called `old`; NULL if there is none. */
const char *imp_theory_renamed(const imp_theory *theory, const char *old);

/* Reads phases as imp_sequence_text writes them. *code: the sequence with 2 bits for each phase,
 * *wide: with
 * 3 bits; NaN where that form has no such phase, or not as many. False if the text is no
 * sequence. */
bool imp_sequence_read(const char *text, double *code, double *wide);

/* The codes of a category; their number is written to *n. */
const imp_mode *imp_output_categories(const imp_theory *theory, const imp_output *output, int *n);

/* The parameters of this name: the theory's own, and that of each option that has one. They may
 * differ in unit, range and meaning. Returns the number. */
#define IMP_MAX_VARIANTS 64
int imp_theory_variants(const imp_theory *theory, const char *name,
                        const imp_parameter *variants[IMP_MAX_VARIANTS]);

/* Values per cell of an output. */
size_t imp_output_length(const imp_output *output);

bool imp_parameter_admits(const imp_parameter *parameter, double value);
bool imp_parameter_is_angle(const imp_parameter *parameter);

#endif
