/* A guest as a config or a command line calls it: model: guest with command, cell_time and
 * memory_limit. To read a command is to start it. */
#ifndef IMP_CONFIG_GUEST_H
#define IMP_CONFIG_GUEST_H

#include "config/report.h"
#include "guest/guest.h"

enum { IMP_GUEST_COMMAND, IMP_GUEST_TIME, IMP_GUEST_MEMORY, IMP_GUEST_KEYS };
enum { IMP_GUEST_WORDS = 64 }; /* of a command, at most */

/* The names of the keys, in the order of the enumeration. */
extern const char *const imp_guest_keys[IMP_GUEST_KEYS];

/* Whether the name is no theory of the registry but a guest: "guest", or "guest:" and its
 * command. */
bool imp_is_guest(const char *theory);

/* The command behind "guest:"; NULL: there is none. */
const char *imp_guest_command(const char *theory);

/* The keys while they are read; start with {.report, .place, .folder}. */
typedef struct imp_called {
    imp_report *report;
    imp_place place;    /* of the model */
    const char *folder; /* where the command runs */
    imp_place at[IMP_GUEST_KEYS];
    bool given[IMP_GUEST_KEYS];
    char *word[IMP_GUEST_WORDS + 1];
    int n_words;
    double cell_time, memory_limit; /* 0: not given */
    bool wrong;
} imp_called;

/* Reads a key with its text. A command is words with blanks between them; quotation marks, single
 * or double, hold blanks together. */
void imp_called_read(imp_called *called, int key, imp_place place, const char *text);

/* Adds a word to the command, which a list gives word by word. */
void imp_called_word(imp_called *called, imp_place place, const char *word);

/* Whether a word of a command line is one of the keys. */
bool imp_is_guest_word(const char *word);

/* Starts the guest, adds it to *owned (NULL: the guest lives as long as the process, as by
 * imp_guest_keep), and forgets the keys. NULL, and reports errors, if that is not possible. */
const imp_theory *imp_called_start(imp_called *called, imp_owned **owned);

/* The theory of a command line whose n words may call a guest; NULL, and reports errors, if there
 * is none. */
const imp_theory *imp_words_theory(imp_report *report, const char *name, size_t n,
                                   const char *const *words, imp_place (*place)(size_t word),
                                   imp_owned **owned);

#endif
