#include "config/words.h"

#include <string.h>

#include "config/config.h"
#include "config/guest.h"
#include "config/variables.h"

static void read_pair(imp_draft *draft, imp_place place, const char *key, const char *value,
                      imp_word_taker *taker) {
    imp_named named = imp_draft_find(draft, key);
    if (taker && taker(draft, place, key, named, value)) {
        return;
    }
    if (named.choice >= 0) {
        imp_draft_choose(draft, named.choice, place, place, value);
    } else if (named.parameter >= 0) {
        imp_draft_fix(draft, named.parameter, place, place, value);
    } else {
        imp_draft_unknown(draft, place, key, true, true);
    }
}

void imp_word_read(imp_draft *draft, imp_place place, const char *word, imp_word_taker *taker) {
    const char *equals = strchr(word, '=');
    if (!equals || equals == word) {
        imp_report_error(draft->report, place, "'%s' is not of the form key=value",
                         imp_show(word).text);
        return;
    }
    imp_text key = {0};
    imp_text_append(&key, word, (size_t)(equals - word));
    if (key.failed) {
        imp_report_memory(draft->report);
    } else {
        read_pair(draft, place, imp_text_get(&key), equals + 1, taker);
    }
    imp_text_free(&key);
}

static imp_place argument(size_t w) {
    return (imp_place){.kind = IMP_FROM_ARGUMENT, .line = w + 1};
}

imp_err imp_config_guest(const char *name, const char *const *words, int n_words,
                         const imp_theory **theory, imp_owned **owned, imp_text *messages) {
    imp_report report = {.n = 0};
    *theory = imp_words_theory(&report, name, (size_t)n_words, words, argument, owned);
    for (int w = 0; w < n_words; w++) {
        if (!imp_is_guest_word(words[w])) {
            imp_report_error(&report, argument((size_t)w), "'%s' is no key of a guest: command=...",
                             imp_show(words[w]).text);
        }
    }
    return imp_report_finish(&report, messages);
}

/* Reads a name alone: its values come later, like those of an axis. */
static void read_name(imp_draft *draft, imp_place place, const char *name) {
    imp_named named = imp_draft_find(draft, name);
    if (named.choice >= 0) {
        imp_draft_choose(draft, named.choice, place, place, "");
    } else if (named.parameter >= 0) {
        draft->parameters[named.parameter] = (imp_slot){.use = IMP_SWEPT, .key = place};
    } else {
        imp_draft_unknown(draft, place, name, true, true);
    }
}

imp_err imp_words_read(const char *theory_name, size_t n, const char *const *words,
                       imp_place (*place)(size_t word), imp_sweep *sweep, imp_text *messages) {
    bool by_library = place(0).kind == IMP_FROM_CALLER;
    imp_place whole = {.kind = by_library ? IMP_FROM_CALLER : IMP_FROM_NOWHERE};
    imp_report report = {.n = 0};
    imp_owned *owned = NULL;
    const imp_theory *theory = imp_words_theory(&report, theory_name, n, words, place, &owned);
    if (!theory) {
        return imp_report_finish(&report, messages);
    }
    imp_declared declared = {.report = &report, .theory = theory};
    for (size_t w = 0; w < n; w++) {
        imp_variables_word(&declared, place(w), words[w]);
    }
    imp_draft draft;
    imp_draft_begin(&draft, declared.theory, whole, &report);
    imp_variables_own(&draft, &declared);
    draft.sweep.owned = owned;
    for (size_t w = 0; w < n; w++) {
        bool taken = imp_variables_is_word(words[w]) ||
                     (imp_is_guest(theory_name) && imp_is_guest_word(words[w]));
        if (!taken && by_library && !strchr(words[w], '=')) {
            read_name(&draft, place(w), words[w]);
        } else if (!taken) {
            imp_word_read(&draft, place(w), words[w], NULL);
        }
    }
    imp_draft_resolve(&draft);
    return imp_draft_finish(&draft, sweep, messages);
}

imp_err imp_config_words(const char *theory, const char *const *words, int n_words,
                         imp_sweep *sweep, imp_text *messages) {
    *sweep = (imp_sweep){.theory = NULL};
    return imp_words_read(theory, n_words > 0 ? (size_t)n_words : 0, words, argument, sweep,
                          messages);
}
