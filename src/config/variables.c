#include "config/variables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/tables.h"
#include "base/unit.h"
#include "config/follow.h"
#include "config/names.h"
#include "models/signature.h"

static const char key[] = "variables=";

/* ---- names and units ---- */

/* The role of a name in the theory; NULL: it has none. */
static const char *role_of(const imp_theory *theory, const char *name) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    return imp_theory_choice(theory, name) >= 0              ? "a choice"
           : imp_theory_output(theory, name) >= 0            ? "an output"
           : imp_theory_variants(theory, name, variants) > 0 ? "a parameter"
           : imp_theory_renamed(theory, name)                ? "the former name of a parameter"
                                                             : NULL;
}

/* Words of formulas. A function is no value, but a formula that has both cannot be read. */
static bool is_reserved(const char *name) {
    static const char *const words[] = {"and", "or",   "not", "in",  "deg", "rad", "defined",
                                        "abs", "sqrt", "sin", "cos", "tan", "exp", "log"};
    return imp_word_number(name, words, IMP_COUNT(words)) >= 0;
}

static bool check_name(const imp_declared *r, imp_place place, const char *name) {
    const imp_variables *all = r->variables;
    const char *role = role_of(r->theory, name);
    if (!imp_is_identifier(name) || strlen(name) >= IMP_VARIABLE_TEXT || is_reserved(name)) {
        imp_report_error(r->report, place,
                         "'%s' is no name of a variable: a word of letters, digits and _ (at most "
                         "63), other than the words of formulas",
                         imp_show(name).text);
        return false;
    }
    if (role) {
        imp_report_error(r->report, place, "'%s' is %s of %s, a variable needs another name", name,
                         role, r->theory->name);
        return false;
    }
    if (imp_is_dataset(r->theory, name) || imp_is_refined_group(name)) {
        imp_report_error(r->report, place,
                         "maps have a part called '%s', a variable needs another name", name);
        return false;
    }
    for (int v = 0; v < all->n; v++) {
        if (strcmp(all->name[v], name) == 0) {
            imp_report_error(r->report, place, "duplicate key '%s'", name);
            return false;
        }
    }
    return true;
}

/* Reports a wrong unit. The unit for reading values: a quantity's, in SI or not, and none for an
 * unknown one. */
static const char *checked_unit(const imp_declared *r, imp_place place, const char *name,
                                const char *unit) {
    imp_measure measure;
    bool known = *unit && strlen(unit) < IMP_VARIABLE_TEXT && imp_measure_read(unit, &measure);
    if (!known || measure.factor != 1 || measure.tens != 0) {
        imp_report_error(r->report, place,
                         "'%s' is no SI unit for '%s', such as rad, m, kg, N/m, or 1 for a number; "
                         "its values may have other units",
                         imp_show(unit).text, imp_show(name).text);
    }
    return known ? unit : "1";
}

void imp_variables_add(imp_declared *r, imp_place name_place, const char *name,
                       imp_place unit_place, const char *unit) {
    imp_variables *all = r->variables;
    bool good = check_name(r, name_place, name);
    unit = checked_unit(r, unit_place, name, unit);
    if (good && all->n == IMP_MOST_VARIABLES) {
        imp_report_error(r->report, name_place, "one variable too many, at most %d are allowed",
                         IMP_MOST_VARIABLES);
    } else if (good) {
        int v = all->n++;
        r->place[v] = name_place;
        snprintf(all->name[v], sizeof all->name[v], "%s", name);
        snprintf(all->unit[v], sizeof all->unit[v], "%s", unit);
        all->parameter[v] = (imp_parameter){.name = all->name[v],
                                            .unit = all->unit[v],
                                            .meaning = "variable that formulas of the config read",
                                            .low = -INFINITY,
                                            .high = INFINITY,
                                            .low_open = true,
                                            .high_open = true,
                                            .fallback = NAN};
        all->list[v] = &all->parameter[v];
    }
}

/* ---- reading ---- */

bool imp_variables_begin(imp_declared *declared) {
    declared->variables = calloc(1, sizeof *declared->variables);
    if (!declared->variables) {
        imp_report_memory(declared->report);
    }
    return declared->variables;
}

void imp_variables_end(imp_declared *declared) {
    imp_variables *all = declared->variables;
    all->theory = *declared->theory;
    all->theory.variables = all->list;
    all->theory.n_variables = all->n;
    declared->theory = &all->theory;
}

static void add_each(imp_declared *declared, imp_place place, char *list) {
    for (char *name = list, *next; name; name = next) {
        next = strchr(name, ',');
        if (next) {
            *next++ = 0;
        }
        char *unit = strchr(name, ':');
        if (unit) {
            *unit++ = 0;
        }
        imp_variables_add(declared, place, name, place, unit ? unit : "1");
    }
}

bool imp_variables_is_word(const char *word) {
    return strncmp(word, key, sizeof key - 1) == 0;
}

void imp_variables_word(imp_declared *declared, imp_place place, const char *word) {
    if (!imp_variables_is_word(word)) {
        return;
    }
    if (declared->variables) {
        imp_report_error(declared->report, place, "duplicate key 'variables'");
        return;
    }
    char *list = strdup(word + sizeof key - 1);
    if (!list) {
        imp_report_memory(declared->report);
    } else if (imp_variables_begin(declared)) {
        add_each(declared, place, list);
        imp_variables_end(declared);
    }
    free(list);
}

/* ---- in the draft ---- */

void imp_variables_own(imp_draft *draft, const imp_declared *declared) {
    imp_variables *all = declared->variables;
    draft->sweep.variables = all;
    memcpy(draft->declared, declared->place, sizeof draft->declared);
    for (int v = 0; draft->sweep.search && all && v < all->n; v++) {
        if (imp_is_dataset(draft->sweep.theory, all->name[v])) {
            imp_draft_error(draft, draft->declared[v],
                            "'%s' is an output of the search, a variable needs another name",
                            all->name[v]);
        }
    }
}

void imp_variables_check(imp_draft *draft) {
    const imp_variables *all = draft->sweep.variables;
    bool unread = draft->report->unnamed; /* formulas of unknown parameters */
    for (int v = 0; !unread && all && v < all->n; v++) {
        if (!imp_follow_reads(draft, all->list[v])) {
            imp_draft_error(draft, draft->declared[v], "no formula reads the variable '%s'",
                            all->name[v]);
        }
    }
}

const imp_place *imp_variable_place(const imp_draft *draft, const imp_parameter *parameter) {
    const imp_variables *all = draft->sweep.variables;
    for (int v = 0; all && v < all->n; v++) {
        if (all->list[v] == parameter) {
            return &draft->declared[v];
        }
    }
    return NULL;
}
