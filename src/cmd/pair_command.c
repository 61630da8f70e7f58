/* The command that solves a cell of a map: its theory, the options of the cell, and what the theory
 * takes with them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/pair.h"
#include "models/signature.h"

/* Appends a blank and a word, quoted for the shell unless it is plain: a map may be hostile. */
static void add_shell_word(const char *word, imp_text *text) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:=+/@%-";
    bool bare = strspn(word, plain) == strlen(word);
    imp_text_print(text, bare ? " " : " '");
    for (; *word; word++) {
        if (*word == '\'') {
            imp_text_print(text, "'\\''");
        } else {
            imp_text_append(text, word, 1);
        }
    }
    imp_text_print(text, bare ? "" : "'");
}

/* ---- names in formulas ---- */

static size_t name_length(const char *text) {
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

/* Goes to the next name in a formula and returns its length; 0 at the end. Numbers, as in 2e3, are
 * passed over. */
static size_t next_name(const char **text) {
    for (size_t length; **text; *text += length > 0 ? length : 1) {
        length = name_length(*text);
        if (length > 0 && !(**text >= '0' && **text <= '9') && **text != '.') {
            return length;
        }
    }
    return 0;
}

static bool is_named(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text, length) == 0;
}

static bool reads(const char *formulas, const char *name) {
    const char *at = formulas;
    for (size_t length; (length = next_name(&at)) > 0; at += length) {
        if (is_named(name, at, length)) {
            return true;
        }
    }
    return false;
}

/* ---- the command ---- */

enum { WORDS = IMP_MAX_PARAMETERS + IMP_MAX_CHOICES };

typedef struct command {
    const imp_catalog *catalog;
    int64_t cell; /* of its grid */
    /* The words of the theory or of a case, "compliant body=rod law=linear", with the options of
     * the cell; ends of words are 0. */
    char *line; /* owned */
    char *word[WORDS];
    int n_words;
    imp_signature signature;
    imp_text given, formulas; /* given: words that are ready */
} command;

/* The value of a variable of the cell. False if it has none. */
static bool value_here(const command *c, const imp_variable *v, double *value) {
    bool along = v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN;
    int axis = along ? imp_catalog_axis(c->catalog, v) : -1;
    int64_t place = axis < 0 ? 0 : imp_catalog_place(c->catalog, c->cell, axis);
    return (along || v->role == IMP_IS_FIXED) &&
           imp_catalog_read(c->catalog, v, place, 1, value) == IMP_OK;
}

/* The unit of a variable that formulas read, to the end of its line; NULL: it is none. */
static const char *unit_declared(const command *c, const char *name) {
    imp_text key = {0};
    imp_text_print(&key, "\nunit of %s\t", name);
    const char *found = strstr(imp_catalog_words(c->catalog, "fingerprint"), imp_text_get(&key));
    found = found ? found + key.length : NULL;
    imp_text_free(&key);
    return found;
}

/* Whether the cell takes the parameter or choice. */
static bool takes(const command *c, const char *name) {
    return imp_signature_find(&c->signature, name) >= 0 ||
           imp_theory_choice(c->signature.theory, name) >= 0;
}

/* The value of a name in a formula that no word of the command gives; NULL: a word does, or it is
 * no parameter of the map. */
static const imp_variable *value_alone(const command *c, const char *text, size_t length) {
    for (const imp_variable *v = NULL; (v = imp_catalog_next(c->catalog, v)) != NULL;) {
        if (is_named(v->name, text, length) && v->kind == IMP_REAL) {
            return takes(c, v->name) || unit_declared(c, v->name) ? NULL : v;
        }
    }
    return NULL;
}

/* A foreign map may have formulas that follow one another without end. */
enum { DEEPEST = 8, LONGEST = 4096 };

/* Appends a formula, with values in the place of parameters that the cell does not take. */
static void add_formula(const command *c, const char *formula, int depth, imp_text *text) {
    const char *at = formula;
    for (size_t length; (length = next_name(&at)) > 0; at += length, formula = at) {
        bool ends = depth == DEEPEST || text->length > LONGEST;
        const imp_variable *v = ends ? NULL : value_alone(c, at, length);
        double value;
        imp_text_append(text, formula, (size_t)(at - formula));
        if (v && v->formula[0]) {
            imp_text_print(text, "(");
            add_formula(c, v->formula, depth + 1, text);
            imp_text_print(text, ")");
        } else if (v && value_here(c, v, &value)) {
            imp_text_print(text, "(%.17g)", value);
        } else {
            imp_text_append(text, at, length);
        }
    }
    imp_text_print(text, "%s", formula);
}

static void add_followed(command *c, const char *name, const char *formula) {
    imp_text word = {0};
    imp_text_print(&word, "%s==", name);
    add_formula(c, formula, 0, &word);
    imp_text_print(&c->formulas, " %s", imp_text_get(&word) + strlen(name));
    add_shell_word(imp_text_get(&word), &c->given);
    imp_text_free(&word);
}

static void add_value(command *c, const imp_variable *v, double value) {
    imp_text word = {0};
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    if (v->formula[0]) {
        add_followed(c, v->name, v->formula);
    } else if (flag) {
        imp_text_print(&word, "%s=%s", v->name, flag);
    } else if (!isnan(value)) {
        imp_text_print(&word, "%s=%.17g", v->name, value);
    }
    if (word.length > 0) {
        add_shell_word(imp_text_get(&word), &c->given);
    }
    imp_text_free(&word);
}

/* ---- the theory and its options ---- */

/* The line of a case in lines "NAME: THEORY key=value ..."; NULL: none. */
static const char *line_of(const char *lines, const char *name) {
    size_t length = strlen(name);
    for (const char *line = lines; *line; line += strcspn(line, "\n")) {
        line += *line == '\n';
        if (strncmp(line, name, length) == 0 && strncmp(line + length, ": ", 2) == 0) {
            return line + length + 2;
        }
    }
    return NULL;
}

/* Appends the name of the theory, or the words of the case of the cell. */
static void add_theory(const command *c, imp_text *line) {
    const imp_variable *v = imp_catalog_find(c->catalog, "case");
    const char *cases = imp_catalog_text(c->catalog, "cases");
    double value;
    if (!cases) {
        imp_text_print(line, "%s", imp_catalog_words(c->catalog, "theory"));
    } else if (v && value_here(c, v, &value) && imp_variable_flag(v, value)) {
        const char *own = line_of(cases, imp_variable_flag(v, value));
        imp_text_append(line, own ? own : "", own ? strcspn(own, "\n") : 0);
    }
}

/* Appends the options of the cell: " body=rod". */
static void add_options(const command *c, const imp_theory *theory, imp_text *line) {
    for (const imp_variable *v = NULL; (v = imp_catalog_next(c->catalog, v)) != NULL;) {
        double value;
        bool choice = v->kind == IMP_CATEGORY && imp_theory_choice(theory, v->name) >= 0 &&
                      value_here(c, v, &value);
        const char *flag = choice ? imp_variable_flag(v, value) : NULL;
        if (flag) {
            imp_text_print(line, " %s=%s", v->name, flag);
        }
    }
}

/* What word w gives, if it is "NAME=..."; its length in *length. */
static const char *name_of(const command *c, int w, size_t *length) {
    *length = strcspn(c->word[w], "=");
    return c->word[w][*length] ? c->word[w] : NULL;
}

static bool is_given(const command *c, const char *name) {
    size_t length;
    bool given = false;
    for (int w = 1; w < c->n_words && !given; w++) {
        given = name_of(c, w, &length) && is_named(name, c->word[w], length);
    }
    return given;
}

/* The option that the words choose, or the default one; -1: none of this program. */
static int option_of(const command *c, const imp_choice *choice) {
    size_t length;
    for (int w = 1; w < c->n_words; w++) {
        if (name_of(c, w, &length) && is_named(choice->name, c->word[w], length)) {
            return imp_choice_option(choice, c->word[w] + length + 1);
        }
    }
    return choice->fallback;
}

/* Reads the words and what the theory takes with them. False if this program cannot solve the cell:
 * it does not know the theory or an option, or the theory is a program that the map does not
 * name. */
static bool read_theory(command *c) {
    imp_text line = {0};
    add_theory(c, &line);
    imp_text name = {0};
    imp_text_append(&name, imp_text_get(&line), strcspn(imp_text_get(&line), " "));
    const imp_theory *theory = imp_theory_find(imp_text_get(&name));
    if (theory) {
        add_options(c, theory, &line);
    }
    c->line = theory ? strdup(imp_text_get(&line)) : NULL;
    imp_text_free(&line);
    imp_text_free(&name);
    char *rest = c->line;
    for (char *word; rest && c->n_words < WORDS && (word = strsep(&rest, " ")) != NULL;) {
        c->word[c->n_words++] = word;
    }
    int chosen[IMP_MAX_CHOICES] = {0};
    bool known = c->line;
    for (int k = 0; known && k < theory->n_choices; k++) {
        chosen[k] = option_of(c, &theory->choices[k]);
        known = chosen[k] >= 0;
    }
    if (known) {
        c->signature = imp_signature_of(theory, chosen);
    }
    return known;
}

/* ---- all words ---- */

/* The words of the theory or case, without what other options of an axis take. */
static void add_words(command *c) {
    size_t length;
    for (int w = 1; w < c->n_words; w++) {
        imp_text name = {0};
        if (name_of(c, w, &length)) {
            imp_text_append(&name, c->word[w], length);
        }
        if (name.length > 0 && takes(c, imp_text_get(&name))) {
            const char *value = c->word[w] + length + 1;
            if (*value == '=') {
                add_followed(c, imp_text_get(&name), value + 1);
            } else {
                add_shell_word(c->word[w], &c->given);
            }
        }
        imp_text_free(&name);
    }
}

/* What the words leave to the map. */
static void add_parameters(command *c) {
    for (const imp_variable *v = NULL; (v = imp_catalog_next(c->catalog, v)) != NULL;) {
        double value;
        if (!is_given(c, v->name) && imp_signature_find(&c->signature, v->name) >= 0 &&
            value_here(c, v, &value)) {
            add_value(c, v, value);
        }
    }
}

/* Whether a list ",tilt:rad,half:m" has the variable. */
static bool is_listed(const imp_text *list, const char *name) {
    imp_text entry = {0};
    imp_text_print(&entry, ",%s:", name);
    bool listed = strstr(imp_text_get(list), imp_text_get(&entry)) != NULL;
    imp_text_free(&entry);
    return listed;
}

/* Adds the variables that the formulas so far read, and appends ",tilt:rad,half:m" to the list.
 * Whether there are any: their own formulas may read others. */
static bool add_variables(command *c, imp_text *list) {
    size_t before = list->length;
    for (const imp_variable *v = NULL; (v = imp_catalog_next(c->catalog, v)) != NULL;) {
        const char *unit = unit_declared(c, v->name);
        double value;
        if (unit && !is_listed(list, v->name) && reads(imp_text_get(&c->formulas), v->name) &&
            value_here(c, v, &value)) {
            imp_text_print(list, ",%s:%.*s", v->name, (int)strcspn(unit, "\n"), unit);
            add_value(c, v, value);
        }
    }
    return list->length > before;
}

static void print(command *c, imp_text *text) {
    imp_text list = {0}, variables = {0};
    add_words(c);
    add_parameters(c);
    while (add_variables(c, &list)) {
    }
    imp_text_print(text, "impactsweep cell");
    add_shell_word(c->word[0], text);
    if (list.length > 0) {
        imp_text_print(&variables, "variables=%s", imp_text_get(&list) + 1);
        add_shell_word(imp_text_get(&variables), text);
    }
    imp_text_print(text, "%s", imp_text_get(&c->given));
    imp_text_free(&list);
    imp_text_free(&variables);
}

bool imp_pair_command(const imp_pair *pair, int side, int64_t cell, imp_text *text) {
    const imp_catalog *catalog = pair->catalog[side];
    command c = {.catalog = catalog, .cell = imp_pair_cell(pair, side, cell)};
    bool known = !imp_catalog_text(catalog, "search") && !imp_catalog_text(catalog, "uncertain") &&
                 read_theory(&c);
    if (known) {
        print(&c, text);
    }
    free(c.line);
    imp_text_free(&c.given);
    imp_text_free(&c.formulas);
    return known;
}
