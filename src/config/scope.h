/* The scope of a sweep: the signatures that its choices span, and the variants of one parameter in
 * them. Options may describe a parameter of one name with different ranges. */
#ifndef IMP_CONFIG_SCOPE_H
#define IMP_CONFIG_SCOPE_H

#include "config/draft.h"

/* Borrows both arrays; `variants` has room for n. */
typedef struct imp_scope {
    imp_signature *signatures;
    int n;
    const imp_parameter **variants; /* of the parameter chosen last */
    int n_variants;
} imp_scope;

/* Collects the variants of parameter p of the draft. */
void imp_scope_choose(const imp_draft *draft, imp_scope *in, int p);

/* Collects those of a parameter that the theory of the sweep lacks, as it is `what`: searched over,
 * or uncertain. theory: that below. False, and reports an error, if a cell lacks it. */
bool imp_scope_choose_inner(imp_draft *draft, imp_scope *in, const imp_theory *theory,
                            const char *name, imp_place place, const char *what);

/* Whether some variant admits the value. */
bool imp_scope_admits(const imp_scope *in, double value);

/* Reports a value that no variant admits. If some variants admit it, the cells of the others have
 * the outcome `outside`. */
void imp_scope_check_value(imp_report *report, const imp_scope *in, imp_place place, double value);

/* The same for a value that was drawn for point number `point` of a sample, from 0. */
void imp_scope_check_drawn(imp_report *report, const imp_scope *in, imp_place place, int64_t point,
                           double value);

/* The same for the whole theory, where its choices are not known, if all of its ranges are; NaN
 * stands for a value that could not be read. */
void imp_scope_check_theory(imp_report *report, const imp_theory *theory, const char *name,
                            imp_place place, double value);

/* The same for the ends of the ranges of a search whose cells are not known. */
void imp_scope_check_ends(imp_report *report, const imp_search_plan *plan,
                          const imp_over_places places[IMP_MAX_OVER]);

/* Reports a choice that is not made. of_case: the name of the case; NULL: of the whole config. */
void imp_report_missing_choice(imp_report *report, imp_place place, const imp_choice *choice,
                               const char *of_case);

/* Reports that the given parameter p applies to no option of this sweep, and the options to which
 * it does. */
void imp_scope_report_inapplicable(imp_draft *draft, const imp_scope *in, int p);

#endif
