#include "store/fingerprint.h"

#include <math.h>
#include <string.h>

#include "base/sha256.h"
#include "solve/points.h"

static void print_column(const imp_sweep *sweep, const imp_axis *axis, const imp_column *column,
                         imp_text *text) {
    if (axis->refined) {
        imp_text_print(text, "%s\trefined from %.17g to %.17g, %s\n", column->name,
                       column->values[0], column->values[axis->size - 1], axis->spacing);
        return;
    }
    char digest[65];
    imp_sha256_of(column->values, (size_t)axis->size * sizeof *column->values, digest);
    imp_text_print(text, "%s\taxis %s, %lld values", column->name, axis->name,
                   (long long)axis->size);
    if (column->choice >= 0) {
        for (int64_t i = 0; i < axis->size; i++) {
            const imp_choice *choice = &sweep->theory->choices[column->choice];
            imp_text_print(text, "%s%s", i ? ", " : ": ",
                           choice->options[(int)column->values[i]]->name);
        }
    } else {
        imp_text_print(text, " from %.17g to %.17g", column->values[0],
                       column->values[axis->size - 1]);
    }
    imp_text_print(text, " (%.16s)\n", digest);
}

static void print_choices(const imp_sweep *sweep, imp_text *text) {
    const imp_theory *theory = sweep->theory;
    for (int c = 0; c < theory->n_choices; c++) {
        if (sweep->chosen[c] >= 0) {
            imp_text_print(text, "%s\t%s\n", theory->choices[c].name,
                           theory->choices[c].options[sweep->chosen[c]]->name);
        }
    }
}

/* Without the depth: a map may be refined further, see imp_verify. */
static void print_refined_axis(const imp_sweep *sweep, int k, imp_text *text) {
    const imp_lattice_axis *axis = &sweep->refine.lattice.axis[k];
    imp_text_print(text, "%s\trefined, %s from %.17g to %.17g%s\n",
                   sweep->grid.axes[sweep->refined[k]].name, axis->logarithmic ? "log" : "linear",
                   axis->from, axis->to, axis->degrees ? " deg" : "");
}

static void print_refinement(const imp_sweep *sweep, imp_text *text) {
    imp_text_print(text, "base of the refinement\t%lld\nrefined on\t", 1LL << sweep->refine.base);
    imp_sweep_print_rules(sweep, text);
    imp_text_print(text, "\n");
}

static void print_axes(const imp_sweep *sweep, imp_text *text) {
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        const imp_axis *axis = &sweep->grid.axes[a];
        int k = imp_sweep_lattice_axis(sweep, a);
        if (k >= 0) {
            print_refined_axis(sweep, k, text);
            continue;
        }
        if (axis->sample) {
            imp_text_print(text, "%s\t%s, seed %lld\n", axis->name, axis->sample,
                           (long long)axis->seed);
        }
        for (int c = 0; c < axis->n_columns; c++) {
            print_column(sweep, axis, &axis->columns[c], text);
        }
    }
}

static void print_variables(const imp_sweep *sweep, imp_text *text) {
    const imp_variables *all = sweep->variables;
    for (int v = 0; all && v < all->n; v++) {
        imp_text_print(text, "unit of %s\t%s\n", all->name[v], all->unit[v]);
    }
}

static void print_cases(const imp_sweep *sweep, imp_text *text) {
    for (int c = 0; sweep->cases && c < imp_cases_count(sweep->cases); c++) {
        const imp_case *one = imp_cases_at(sweep->cases, c);
        imp_text_print(text, "case %s\t", one->name);
        imp_cases_print(sweep->cases, c, text);
        imp_text_print(text, "; results version %d\n", one->signature.theory->results_version);
    }
}

static void print_guests(const imp_sweep *sweep, imp_text *text) {
    int n = 0;
    for (const imp_owned *one = sweep->owned; one; one = one->next) {
        imp_text_print(text, "guest %d\t%s\n", ++n, one->identity);
    }
}

/* The theories that are made of the theory, and the refinement. */
static void print_made(const imp_sweep *sweep, imp_text *text) {
    if (sweep->search) {
        imp_text_print(text, "search\t");
        imp_search_print(sweep->search, text);
        imp_text_print(text, "\nsearch version\t%d\n", IMP_SEARCH_VERSION);
    }
    if (sweep->uncertain) {
        imp_text_print(text, "uncertain\t");
        imp_uncertain_print(sweep->uncertain, 17, text);
        imp_text_print(text, "\nuncertain version\t%d\n", IMP_UNCERTAIN_VERSION);
    }
    if (sweep->refine.lattice.n_axes > 0) {
        imp_text_print(text, "refine\t");
        imp_sweep_print_refine(sweep, text);
        imp_text_print(text, "\n");
    }
}

static void print_fixed(const imp_sweep *sweep, imp_text *text) {
    for (int f = 0; f < sweep->n_fixed; f++) {
        const imp_fixed *fixed = &sweep->fixed[f];
        if (isnan(fixed->value)) {
            imp_text_print(text, "%s\t= %s\n", fixed->parameter->name, fixed->formula);
        } else {
            imp_text_print(text, "%s\t%.17g\n", fixed->parameter->name, fixed->value);
        }
    }
}

void imp_fingerprint(const imp_sweep *sweep, imp_text *text) {
    const imp_theory *theory = sweep->theory;
    imp_text_print(text, "model\t%s\nresults version\t%d\n", theory->name, theory->results_version);
    print_cases(sweep, text);
    print_guests(sweep, text);
    print_made(sweep, text);
    imp_text_print(text, "order of axes\t");
    for (int a = 0; a < sweep->grid.n_axes; a++) {
        imp_text_print(text, "%s%s", a ? ", " : "", sweep->grid.axes[a].name);
    }
    imp_text_print(text, "\n");
    print_choices(sweep, text);
    print_variables(sweep, text);
    print_axes(sweep, text);
    if (imp_sweep_is_refined(sweep)) {
        print_refinement(sweep, text);
    }
    print_fixed(sweep, text);
    imp_text_print(text, "outputs\t");
    for (int o = 0; o < sweep->n_outputs; o++) {
        imp_text_print(text, "%s%s", o ? ", " : "", theory->outputs[sweep->outputs[o]].name);
    }
    if (sweep->parts > 0) {
        imp_text_print(text, "\npart\t%d of %d", sweep->part, sweep->parts);
    }
    imp_text_print(text, "\ncell_budget\t%lld", (long long)sweep->cell_budget);
    imp_text_print(text, "\nprecision\t%s\n", sweep->single ? "float32" : "float64");
}

const char *imp_fingerprint_value(const char *text, const char *key, size_t key_length,
                                  size_t *length) {
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        if (strncmp(line, key, key_length) == 0 && line[key_length] == '\t') {
            *length = strcspn(line + key_length + 1, "\n");
            return line + key_length + 1;
        }
    }
    *length = 0;
    return NULL;
}

/* Appends a line for each key of `one` whose value differs in `other` or that `other` does not
 * have; with only_missing only the latter. */
static void compare(const char *one, const char *other, bool only_missing, imp_text *differences) {
    const char *nothing = "nothing";
    for (const char *line = one; *line;) {
        size_t end = strcspn(line, "\n"), key = strcspn(line, "\t");
        key = key < end ? key : end;
        const char *mine = line + key + (key < end);
        size_t my_length = end - key - (key < end), length = 0;
        const char *theirs = imp_fingerprint_value(other, line, key, &length);
        bool same = theirs && length == my_length && strncmp(mine, theirs, length) == 0;
        if (only_missing && !theirs) {
            imp_text_print(differences, "  %.*s: the file has %s, the config %.*s\n", (int)key,
                           line, nothing, (int)my_length, mine);
        } else if (!only_missing && !same) {
            imp_text_print(differences, "  %.*s: the file has %.*s, the config %.*s\n", (int)key,
                           line, (int)my_length, mine, theirs ? (int)length : (int)strlen(nothing),
                           theirs ? theirs : nothing);
        }
        line += end + (line[end] == '\n');
    }
}

void imp_fingerprint_compare(const char *file, const char *config, imp_text *differences) {
    compare(file, config, false, differences);
    compare(config, file, true, differences);
}
