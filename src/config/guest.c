#include "config/guest.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "config/draft.h"

const char *const imp_guest_keys[IMP_GUEST_KEYS] = {"command", "cell_time", "memory_limit"};

bool imp_is_guest(const char *theory) {
    return strcmp(theory, "guest") == 0 || imp_guest_command(theory);
}

const char *imp_guest_command(const char *theory) {
    static const char start[] = "guest:";
    return strncmp(theory, start, strlen(start)) == 0 ? theory + strlen(start) : NULL;
}

static int key_of(const char *word) {
    size_t length = strcspn(word, "=");
    for (int k = 0; k < IMP_GUEST_KEYS; k++) {
        if (word[length] == '=' && strlen(imp_guest_keys[k]) == length &&
            strncmp(word, imp_guest_keys[k], length) == 0) {
            return k;
        }
    }
    return -1;
}

bool imp_is_guest_word(const char *word) {
    return key_of(word) >= 0;
}

static void fail(imp_called *c, imp_place place, const char *format, const char *text) {
    imp_report_error(c->report, place, format, imp_show(text).text);
    c->wrong = true;
}

/* ---- the command ---- */

void imp_called_word(imp_called *c, imp_place place, const char *word) {
    c->given[IMP_GUEST_COMMAND] = true;
    if (c->n_words == IMP_GUEST_WORDS) {
        fail(c, place, "the command has a word too many ('%s'), at most 64 are allowed", word);
        return;
    }
    c->word[c->n_words] = strdup(word);
    if (c->word[c->n_words]) {
        c->n_words++;
    } else {
        imp_report_memory(c->report);
        c->wrong = true;
    }
}

/* Appends the next word of the command to `word`; returns what follows it, NULL: a quotation mark
 * is not closed. */
static const char *next_word(const char *at, imp_text *word) {
    char quote = 0;
    for (; *at && (quote || *at != ' '); at++) {
        if (quote ? *at == quote : *at == '"' || *at == '\'') {
            quote = quote ? 0 : *at;
        } else {
            imp_text_append(word, at, 1);
        }
    }
    return quote ? NULL : at;
}

static void split(imp_called *c, imp_place place, const char *text) {
    const char *at = text + strspn(text, " ");
    c->given[IMP_GUEST_COMMAND] = true;
    while (at && *at) {
        imp_text word = {0};
        at = next_word(at, &word);
        if (at) {
            imp_called_word(c, place, imp_text_get(&word));
            at += strspn(at, " ");
        } else {
            fail(c, place, "command: '%s' has a quotation mark that is not closed", text);
        }
        imp_text_free(&word);
    }
    if (c->n_words == 0 && !c->wrong) {
        fail(c, place, "command: '%s' names no program", text);
    }
}

/* ---- limits ---- */

static void read_time(imp_called *c, imp_place place, const char *text) {
    imp_quantity time = {0, IMP_UNIT_NONE};
    const char *wrong = imp_read_quantity(text, "s", &time);
    if (wrong || !(time.value > 0) || time.value > 1e7) {
        fail(c, place, "cell_time: '%s' is no time above 0, such as 10 s", text);
    }
    c->cell_time = time.value;
}

/* "2 GB" */
static void read_memory(imp_called *c, imp_place place, const char *text) {
    static const struct {
        const char *name;
        double bytes;
    } units[] = {{"MB", 1e6}, {"GB", 1e9}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
    imp_quantity number = {0, IMP_UNIT_NONE};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t length = strlen(text), tail = strlen(units[u].name);
        if (length <= tail || strcmp(text + length - tail, units[u].name) != 0) {
            continue;
        }
        imp_text digits = {0};
        length -= tail;
        length -= text[length - 1] == ' ';
        imp_text_append(&digits, text, length);
        if (!imp_read_quantity(imp_text_get(&digits), "1", &number)) {
            c->memory_limit = number.value * units[u].bytes;
        }
        imp_text_free(&digits);
    }
    if (!(c->memory_limit >= 1e6 && c->memory_limit <= 1e15)) {
        fail(c, place, "memory_limit: '%s' is no size of at least 1 MB, such as 2 GB", text);
    }
}

void imp_called_read(imp_called *c, int key, imp_place place, const char *text) {
    static void (*const readers[IMP_GUEST_KEYS])(imp_called *, imp_place,
                                                 const char *) = {split, read_time, read_memory};
    if (c->given[key]) {
        fail(c, place, "duplicate key '%s'", imp_guest_keys[key]);
        return;
    }
    c->given[key] = true;
    c->at[key] = place;
    readers[key](c, place, text);
}

/* ---- start ---- */

/* Each line of the reason becomes an error. */
static void report_failure(const imp_called *c, const char *why) {
    while (*why) {
        imp_text line = {0};
        size_t length = strcspn(why, "\n");
        imp_text_append(&line, why, length);
        imp_report_error(c->report, c->at[IMP_GUEST_COMMAND], "the guest '%s': %s",
                         imp_show(c->word[0]).text, imp_text_get(&line));
        imp_text_free(&line);
        why += length + (why[length] == '\n');
    }
}

const imp_theory *imp_called_start(imp_called *c, imp_owned **owned) {
    const imp_theory *theory = NULL;
    if (!c->given[IMP_GUEST_COMMAND]) {
        imp_report_error(c->report, c->place,
                         "the model 'guest' needs the key 'command', the program to start and its "
                         "arguments");
    } else if (!c->wrong) {
        imp_text why = {0};
        imp_guest_order order = {.process = {c->word, c->folder, c->memory_limit},
                                 .cell_time =
                                     c->cell_time > 0 ? c->cell_time : IMP_GUEST_CELL_TIME};
        imp_err error = owned ? imp_guest_open(&order, &theory, owned, &why)
                              : imp_guest_keep(&order, &theory, &why);
        if (error == IMP_ERR_MEMORY) {
            imp_report_memory(c->report);
        } else if (error) {
            report_failure(c, why.length ? imp_text_get(&why) : "the start was stopped");
        }
        imp_text_free(&why);
    }
    for (int w = 0; w < c->n_words; w++) {
        free(c->word[w]);
    }
    c->n_words = 0;
    return theory;
}

const imp_theory *imp_words_theory(imp_report *report, const char *name, size_t n,
                                   const char *const *words, imp_place (*place)(size_t word),
                                   imp_owned **owned) {
    bool called_by_library = place(0).kind == IMP_FROM_CALLER;
    imp_place whole = {.kind = called_by_library ? IMP_FROM_CALLER : IMP_FROM_NOWHERE};
    if (!imp_is_guest(name)) {
        return imp_draft_theory(report, whole, name);
    }
    const char *command = imp_guest_command(name);
    imp_called called = {.report = report, .folder = ".", .place = whole};
    if (command) {
        imp_called_read(&called, IMP_GUEST_COMMAND, whole, command);
    }
    for (size_t w = 0; w < n; w++) {
        int key = key_of(words[w]);
        if (key >= 0) {
            imp_called_read(&called, key, place(w), strchr(words[w], '=') + 1);
        }
    }
    return imp_called_start(&called, called_by_library && command ? NULL : owned);
}
