/* The command that solves a cell of a map. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/pair.h"
#include "models/signature.h"

/* The place of a common cell on an axis of the grid of map `side`. */
static int64_t place_in_grid(const imp_pair *pair, int side, int64_t cell, int axis) {
    const imp_variable *grid = imp_catalog_grid(pair->catalog[side]);
    int64_t number = imp_pair_cell(pair, side, cell);
    for (int a = grid->rank - 1; a > axis; a--) {
        number /= grid->extents[a];
    }
    return number % grid->extents[axis];
}

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

/* The value of a variable of the cell. False if it has none. */
static bool value_at(const imp_pair *pair, int side, int64_t cell, const imp_variable *v,
                     double *value) {
    bool along = v->role == IMP_IS_AXIS || v->role == IMP_IS_COLUMN;
    int axis = along ? imp_catalog_axis(pair->catalog[side], v) : -1;
    int64_t place = axis < 0 ? 0 : place_in_grid(pair, side, cell, axis);
    return (along || v->role == IMP_IS_FIXED) &&
           imp_catalog_read(pair->catalog[side], v, place, 1, value) == IMP_OK;
}

static void add_value(const imp_variable *v, double value, imp_text *text) {
    imp_text word = {0};
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    if (v->formula[0]) {
        imp_text_print(&word, "%s== %s", v->name, v->formula);
    } else if (flag) {
        imp_text_print(&word, "%s=%s", v->name, flag);
    } else if (!isnan(value)) {
        imp_text_print(&word, "%s=%.17g", v->name, value);
    }
    if (word.length > 0) {
        add_shell_word(imp_text_get(&word), text);
    }
    imp_text_free(&word);
}

/* ---- maps of several theories ---- */

enum { WORDS = IMP_MAX_PARAMETERS + IMP_MAX_CHOICES };

/* The words of a case, "compliant body=rod law=linear", and what its theory takes. */
typedef struct case_words {
    char *line; /* owned; ends of words are 0 */
    char *word[WORDS];
    int n;
    imp_signature signature; /* theory: NULL if this program does not know it */
} case_words;

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

/* The option that the words choose, or the default one. */
static int option_of(const case_words *words, const imp_choice *choice) {
    size_t length = strlen(choice->name);
    for (int w = 1; w < words->n; w++) {
        if (strncmp(words->word[w], choice->name, length) == 0 && words->word[w][length] == '=') {
            return imp_choice_option(choice, words->word[w] + length + 1);
        }
    }
    return choice->fallback;
}

static void read_signature(case_words *words) {
    const imp_theory *theory = words->n > 0 ? imp_theory_find(words->word[0]) : NULL;
    int chosen[IMP_MAX_CHOICES] = {0};
    for (int c = 0; theory && c < theory->n_choices; c++) {
        chosen[c] = option_of(words, &theory->choices[c]);
        theory = chosen[c] < 0 ? NULL : theory;
    }
    words->signature = (imp_signature){.theory = NULL};
    if (theory) {
        words->signature = imp_signature_of(theory, chosen);
    }
}

/* Appends the options of axes that the theory of a case knows: " body=rod". */
static void add_options(const imp_pair *pair, int side, int64_t cell, imp_text *line) {
    const imp_catalog *catalog = pair->catalog[side];
    imp_text name = {0};
    imp_text_append(&name, imp_text_get(line), strcspn(imp_text_get(line), " "));
    const imp_theory *theory = imp_theory_find(imp_text_get(&name));
    for (int i = 0; theory && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        double value;
        bool choice = v->kind == IMP_CATEGORY && imp_theory_choice(theory, v->name) >= 0 &&
                      value_at(pair, side, cell, v, &value);
        const char *flag = choice ? imp_variable_flag(v, value) : NULL;
        if (flag) {
            imp_text_print(line, " %s=%s", v->name, flag);
        }
    }
    imp_text_free(&name);
}

static bool read_case(const imp_pair *pair, int side, int64_t cell, const char *name,
                      case_words *words) {
    imp_text lines = {0}, whole = {0};
    const char *line = imp_catalog_text(pair->catalog[side], "cases", &lines)
                           ? line_of(imp_text_get(&lines), name)
                           : NULL;
    if (line) {
        imp_text_append(&whole, line, strcspn(line, "\n"));
        add_options(pair, side, cell, &whole);
    }
    *words = (case_words){.line = line ? strdup(imp_text_get(&whole)) : NULL};
    char *rest = words->line;
    for (char *word; rest && words->n < WORDS && (word = strsep(&rest, " ")) != NULL;) {
        words->word[words->n++] = word;
    }
    imp_text_free(&lines);
    imp_text_free(&whole);
    read_signature(words);
    return words->line != NULL;
}

/* Whether a word of the case says something of this cell: a parameter may belong to another option
 * of an axis. */
static bool is_meant(const case_words *words, int w) {
    char *end = strchr(words->word[w], '=');
    if (w == 0 || !end || !words->signature.theory) {
        return true;
    }
    *end = 0;
    bool meant = imp_signature_find(&words->signature, words->word[w]) >= 0 ||
                 imp_theory_choice(words->signature.theory, words->word[w]) >= 0;
    *end = '=';
    return meant;
}

/* Whether a parameter of the map is one of the case's theory, and the case leaves it to the map. */
static bool is_left(const case_words *words, const char *name) {
    size_t length = strlen(name);
    for (int w = 1; w < words->n; w++) {
        if (strncmp(words->word[w], name, length) == 0 && words->word[w][length] == '=') {
            return false;
        }
    }
    return words->signature.theory && imp_signature_find(&words->signature, name) >= 0;
}

/* Appends the command of a cell of a map of cases. */
static bool add_case(const imp_pair *pair, int side, int64_t cell, imp_text *text) {
    const imp_catalog *catalog = pair->catalog[side];
    const imp_variable *v = imp_catalog_find(catalog, "case");
    double value;
    case_words words;
    const char *name =
        v && value_at(pair, side, cell, v, &value) ? imp_variable_flag(v, value) : NULL;
    if (!name || !read_case(pair, side, cell, name, &words)) {
        return false;
    }
    imp_text_print(text, "impactsweep cell");
    for (int w = 0; w < words.n; w++) {
        if (is_meant(&words, w)) {
            add_shell_word(words.word[w], text);
        }
    }
    for (int i = 0; i < imp_catalog_count(catalog); i++) {
        v = imp_catalog_at(catalog, i);
        if (is_left(&words, v->name) && value_at(pair, side, cell, v, &value)) {
            add_value(v, value, text);
        }
    }
    free(words.line);
    return true;
}

/* ---- any map ---- */

static bool has_text(const imp_catalog *catalog, const char *name) {
    imp_text text = {0};
    bool has = imp_catalog_text(catalog, name, &text);
    imp_text_free(&text);
    return has;
}

bool imp_pair_command(const imp_pair *pair, int side, int64_t cell, imp_text *text) {
    const imp_catalog *catalog = pair->catalog[side];
    imp_text theory = {0};
    if (has_text(catalog, "search") || has_text(catalog, "uncertain") ||
        !imp_catalog_text(catalog, "theory", &theory)) {
        return false;
    }
    bool cases = has_text(catalog, "cases");
    if (!cases) {
        imp_text_print(text, "impactsweep cell");
        add_shell_word(imp_text_get(&theory), text);
    }
    for (int i = 0; !cases && i < imp_catalog_count(catalog); i++) {
        const imp_variable *v = imp_catalog_at(catalog, i);
        double value;
        if (value_at(pair, side, cell, v, &value)) {
            add_value(v, value, text);
        }
    }
    imp_text_free(&theory);
    return !cases || add_case(pair, side, cell, text);
}
