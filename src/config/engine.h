/* Other codes, and what the parameters of their contacts are in ours for a sphere: the law
 * `dashpot` of `compliant` for a spring and a dashpot, `rigid` for a coefficient of restitution.
 * convert.c reads words and writes results; engines.c and rigid_engines.c have the codes, rules.c
 * their formulas as text, traps.c says where a code does something else than its parameters seem
 * to say. */
#ifndef IMP_CONFIG_ENGINE_H
#define IMP_CONFIG_ENGINE_H

#include <string.h>

#include "base/number.h"
#include "config/report.h"
#include "impact.h"

enum { IMP_MAX_ENGINE_INPUTS = 16 };

/* A parameter of a code. fallback: what the code takes, or this table where the code needs a value
 * that nothing here depends on; NaN: needed, or left to the conversion. */
typedef struct imp_engine_input {
    imp_parameter parameter;
    const char *others; /* further names, separated by blanks; capitals do not matter; NULL: none */
    bool null;          /* NULL is a value, the same as none */
    bool back;          /* it has no equivalent in ours, and is given on the way back, too */
} imp_engine_input;

/* What a code's contact is in ours: a theory with a law. */
typedef enum imp_form { IMP_DASHPOT, IMP_NEWTON, IMP_POISSON } imp_form;

/* Which of our parameters come from a value that the code, or this table, has where none was
 * given. */
typedef struct imp_assumed {
    bool stiffness, stiffness_ratio, normal_ratio, tangential_ratio;
} imp_assumed;

/* A contact in our parameters: a spring and a dashpot, or a restitution. */
typedef struct imp_code_contact {
    double mass, stiffness, stiffness_ratio, normal_ratio, tangential_ratio, friction;
    double restitution;
    bool by_elongation;
    imp_assumed assumed;
    bool ratio_given, tangential_given; /* on the way back: stiffness_ratio, tangential_ratio */
    double asked;                       /* restitution that the code was asked for; NaN: none was */
    bool real_scale;                    /* mass and stiffness are given, so that times are known */
} imp_code_contact;

/* The inputs of the code, SI; NaN: not given. */
typedef struct imp_engine_call {
    const struct imp_engine *engine;
    double in[IMP_MAX_ENGINE_INPUTS];
    bool given[IMP_MAX_ENGINE_INPUTS];
    imp_code_contact contact;
    imp_report *report;
    imp_place place; /* for errors */
} imp_engine_call;

/* Reports an error of a call: imp_report_error with its format and arguments. */
#define imp_call_error(call, ...) imp_report_error((call)->report, (call)->place, __VA_ARGS__)

/* How a code makes one coefficient of those of two bodies. */
typedef struct imp_mixing {
    double (*of)(double one, double other);
    double (*other)(double mixed); /* with `mixed` for one body: a coefficient that leaves it */
} imp_mixing;

typedef struct imp_engine {
    const char *name, *title;
    imp_form form;
    const imp_mixing *restitutions, *frictions; /* NULL: the contact has its own coefficient */
    const imp_engine_input *inputs;
    int n_inputs;
    /* Inputs into the contact, and back. Report errors. */
    void (*to)(imp_engine_call *call);
    void (*from)(imp_engine_call *call);
    /* The call in the code's own words. */
    void (*line)(const imp_engine_call *call, size_t size, char *text);
    /* A word of two numbers, which give input `pair_at` and the next one; where both are negative,
     * minus them give input `opposite_at` and the next one. NULL: there is none. */
    const char *pair;
    int pair_at, opposite_at;
    double usual_ratio; /* stiffness_ratio where none is given on the way back; NaN: follows */
} imp_engine;

/* A number in the words of a code: 0 has no sign. */
static inline imp_decimals imp_code_number(double value) {
    return imp_shortest(value + 0.0);
}

/* NULL past the last. */
const imp_engine *imp_engine_at(int index);
const imp_engine *imp_rigid_engine_at(int index); /* those with a restitution */

/* Prints the page of all codes and their rules. */
void imp_print_code_rules(imp_text *page);

/* Whether a code is among those of a list. */
static inline bool imp_code_among(const char *codes, const char *name) {
    return imp_word_among(name, strlen(name), codes);
}

/* Restitution of a normal impact by a damping ratio. */
double imp_dashpot_restitution(double ratio, bool by_elongation);

/* The damping ratio for a restitution above 0, and its inverse for the end by elongation: the e of
 * which ln e / sqrt(pi^2 + ln^2 e) is minus the ratio. */
double imp_dashpot_ratio(double restitution, bool by_elongation);

/* Appends the remarks that apply to a conversion. */
void imp_engine_remark(const imp_engine_call *call, imp_conversion *result);

/* As imp_convert; words have their number in messages if `numbered`. */
imp_err imp_convert_words(const char *code, bool back, size_t n, const char *const *words,
                          bool numbered, imp_conversion *result, imp_text *messages);

#endif
