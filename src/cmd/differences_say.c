/* What `diff` says: each fact is fetched once, and then written as JSON or printed. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/differences.h"
#include "cmd/value.h"
#include "store/fingerprint.h"

typedef struct facts {
    const imp_differences *all;
    const imp_pair *pair;
    imp_json *json; /* NULL: text */
} facts;

/* ---- where the maps come from ---- */

static void say_origin(const facts *f, const char *name, const char *one, const char *other) {
    if (f->json) {
        imp_json_list(f->json, name);
        imp_json_string(f->json, NULL, *one ? one : NULL);
        imp_json_string(f->json, NULL, *other ? other : NULL);
        imp_json_end_list(f->json);
    } else {
        imp_say(stdout, "%-28s %s | %s\n", name, *one ? one : "-", *other ? other : "-");
    }
}

static void say_attribute(const facts *f, const char *name, const char *word) {
    const char *one = imp_catalog_words(f->pair->catalog[0], name),
               *other = imp_catalog_words(f->pair->catalog[1], name);
    if (strcmp(one, other) != 0) {
        say_origin(f, word, one, other);
    }
}

/* Says the keys of `from` whose values differ in `to`, or, if only_missing, those that it lacks.
 * swapped: `from` is the second map. */
static void say_keys(const facts *f, const char *from, const char *to, bool only_missing) {
    for (const char *line = from; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t key = strcspn(line, "\t\n"), here, there;
        const char *one = imp_fingerprint_value(from, line, key, &here),
                   *other = imp_fingerprint_value(to, line, key, &there);
        bool differs = here != there || (here > 0 && strncmp(one, other, here) != 0);
        if (key > 0 && line[key] == '\t' && (only_missing ? there == 0 : differs)) {
            imp_text name = {0}, a = {0}, b = {0};
            imp_text_append(&name, line, key);
            imp_text_append(&a, only_missing ? other : one, only_missing ? there : here);
            imp_text_append(&b, only_missing ? one : other, only_missing ? here : there);
            say_origin(f, imp_text_get(&name), imp_text_get(&a), imp_text_get(&b));
            imp_text_free(&name);
            imp_text_free(&a);
            imp_text_free(&b);
        }
    }
}

/* Versions, machines, choices and values that differ. */
static void say_origins(const facts *f) {
    static const char *const attributes[][2] = {{"program_version", "version"},
                                                {"source_revision", "revision"},
                                                {"compiler", "compiler"},
                                                {"processor", "processor"},
                                                {"refinement", "refinement"}};
    const char *one = imp_catalog_words(f->pair->catalog[0], "fingerprint"),
               *other = imp_catalog_words(f->pair->catalog[1], "fingerprint");
    imp_json_begin_frame(f->json, "origins", false);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        say_attribute(f, attributes[i][0], attributes[i][1]);
    }
    say_keys(f, one, other, false);
    say_keys(f, other, one, true);
    imp_json_end_frame(f->json, false);
}

/* ---- cells and outputs that both have ---- */

static int64_t cells_of(const facts *f, int side) {
    return imp_catalog_grid(f->pair->catalog[side])->size;
}

static void say_cells(const facts *f) {
    const imp_differences *all = f->all;
    if (f->json) {
        imp_json_list(f->json, "cells_of_each");
        imp_json_whole(f->json, NULL, cells_of(f, 0));
        imp_json_whole(f->json, NULL, cells_of(f, 1));
        imp_json_end_list(f->json);
        imp_json_whole(f->json, "common", f->pair->cells);
        imp_json_whole(f->json, "pending", all->pending);
        imp_json_whole(f->json, "compared", all->compared);
        imp_json_whole(f->json, "different", all->cells);
        return;
    }
    printf("%-28s %s in common, of %s and %s\n", "cells",
           imp_things(f->pair->cells, "cell", "cells").text, imp_count(cells_of(f, 0)).text,
           imp_count(cells_of(f, 1)).text);
    if (all->pending) {
        printf("%-28s %s\n", "not solved yet", imp_things(all->pending, "cell", "cells").text);
    }
}

/* Whether the comparison has an output of this name. */
static bool is_compared(const imp_differences *all, const char *name) {
    for (int i = 0; i < all->n; i++) {
        if (strcmp(all->of[i].variable[0]->name, name) == 0) {
            return true;
        }
    }
    return false;
}

/* Says which outputs one map alone has; returns their number. */
static int say_alone(const facts *f, int side) {
    const imp_catalog *catalog = f->pair->catalog[side];
    int n = 0;
    imp_json_begin_frame(f->json, side == 0 ? "only_in_the_first" : "only_in_the_second", true);
    for (const imp_variable *v = NULL; (v = imp_catalog_next(catalog, v)) != NULL;) {
        if (v->role == IMP_IS_OUTPUT && !is_compared(f->all, v->name)) {
            n++;
            if (f->json) {
                imp_json_string(f->json, NULL, v->name);
            } else {
                imp_say(stdout, "%-28s only in %s\n", v->name, f->pair->path[side]);
            }
        }
    }
    imp_json_end_frame(f->json, true);
    return n;
}

/* ---- one output ---- */

static imp_value_words word_of(const imp_variable *v, double value) {
    return isnan(value) ? (imp_value_words){"undefined"} : imp_shown_value(v, value, 17);
}

/* The commands of the cell in both maps, once if they are equal. */
static void say_commands(const facts *f, int64_t cell) {
    imp_text one = {0}, other = {0};
    bool first = imp_pair_command(f->pair, 0, cell, &one);
    bool second = imp_pair_command(f->pair, 1, cell, &other);
    second = second && strcmp(imp_text_get(&one), imp_text_get(&other)) != 0;
    imp_json_begin_frame(f->json, "commands", true);
    for (int side = 0; side < 2; side++) {
        const char *command = imp_text_get(side == 0 ? &one : &other);
        if (f->json && (side == 0 ? first : second)) {
            imp_json_string(f->json, NULL, command);
        } else if (side == 0 ? first : second) {
            imp_say(stdout, "    %s\n", command);
        }
    }
    imp_json_end_frame(f->json, true);
    imp_text_free(&one);
    imp_text_free(&other);
}

static void say_changes(const facts *f, const imp_difference *d) {
    imp_json_begin_frame(f->json, "changes", true);
    for (int64_t i = 0; i < d->n_changes; i++) {
        imp_value_words from = word_of(d->variable[0], d->from[i]);
        imp_value_words to = word_of(d->variable[1], d->to[i]);
        if (f->json) {
            imp_json_object(f->json, NULL);
            imp_json_string(f->json, "from", from.text);
            imp_json_string(f->json, "to", to.text);
            imp_json_whole(f->json, "count", d->count[i]);
            imp_json_end_object(f->json);
        } else {
            imp_say(stdout, "    %s -> %s: %s\n", from.text, to.text, imp_count(d->count[i]).text);
        }
    }
    imp_json_end_frame(f->json, true);
    if (d->other_changes && !f->json) {
        printf("    others: %" PRId64 "\n", d->other_changes);
    }
}

static void say_largest(const facts *f, const imp_difference *d) {
    if (f->json) {
        imp_json_number(f->json, "largest", d->largest);
        imp_json_number(f->json, "first_value", d->value[0]);
        imp_json_number(f->json, "second_value", d->value[1]);
        if (d->length > 1) {
            imp_json_whole(f->json, "number", d->number + 1);
        }
    } else {
        printf("    at most by %.6g: %s and %s\n", d->largest,
               word_of(d->variable[0], d->value[0]).text,
               word_of(d->variable[1], d->value[1]).text);
    }
    say_commands(f, d->cell);
}

static void print_head(const facts *f, const imp_difference *d) {
    const char *name = d->variable[0]->name;
    if (d->cells == 0) {
        imp_say(stdout, "%-28s equal\n", name);
        return;
    }
    imp_say(stdout, "%-28s differs in %s (%.3g %%)", name,
            imp_things(d->cells, "cell", "cells").text,
            100 * (double)d->cells / (double)f->all->compared);
    if (d->appears) {
        imp_say(stdout, "; in %s only one map has a value",
                imp_things(d->appears, "cell", "cells").text);
    }
    putchar('\n');
}

static void say_output(const facts *f, const imp_difference *d) {
    if (f->json) {
        imp_json_object(f->json, d->variable[0]->name);
        imp_json_whole(f->json, "cells", d->cells);
        imp_json_whole(f->json, "defined_in_one", d->appears);
    } else {
        print_head(f, d);
    }
    if (d->n_changes) {
        say_changes(f, d);
    }
    if (d->largest > 0) {
        say_largest(f, d);
    }
    imp_json_end_frame(f->json, false);
}

static void say_outputs(const facts *f) {
    imp_json_begin_frame(f->json, "outputs", false);
    for (int i = 0; i < f->all->n; i++) {
        say_output(f, &f->all->of[i]);
    }
    imp_json_end_frame(f->json, false);
}

/* ---- all of it ---- */

static void say_verdict(const facts *f, bool equal) {
    if (f->json) {
        imp_json_truth(f->json, "equal", equal);
        return;
    }
    imp_few_words compared = imp_things(f->all->compared, "cell", "cells");
    if (f->all->cells) {
        printf("%-28s %s of %s\n", "different", imp_count(f->all->cells).text, compared.text);
        if (f->all->first >= 0) {
            printf("the first of them:\n");
            say_commands(f, f->all->first);
        }
    } else {
        printf("%-28s all %s that both maps have solved\n",
               equal ? "equal" : "equal where compared", compared.text);
    }
}

bool imp_differences_say(const imp_differences *all, bool common, const char *fields,
                         imp_json *json) {
    const facts f = {.all = all, .pair = all->pair, .json = json};
    imp_json_begin_frame(f.json, NULL, false);
    for (int side = 0; side < 2; side++) {
        if (json) {
            imp_json_string(json, side == 0 ? "first" : "second", all->pair->path[side]);
        } else {
            imp_say(stdout, "%-28s %s\n", side == 0 ? "first" : "second", all->pair->path[side]);
        }
    }
    say_origins(&f);
    say_cells(&f);
    int alone = fields ? 0 : say_alone(&f, 0) + say_alone(&f, 1);
    say_outputs(&f);
    bool same_cells = cells_of(&f, 0) == all->pair->cells && cells_of(&f, 1) == all->pair->cells;
    bool whole = common || (same_cells && alone == 0 && all->pending == 0);
    bool equal = all->cells == 0 && whole;
    say_verdict(&f, equal);
    imp_json_end_frame(f.json, false);
    return equal;
}
