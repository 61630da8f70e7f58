/* Reads THEORY key=value... for the commands on one cell. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "config/config.h"

int imp_read_cell(int n, char **words, imp_sweep *sweep) {
    *sweep = (imp_sweep){.theory = NULL};
    imp_text messages = {0};
    imp_err error =
        imp_config_words(words[0], (const char *const *)words + 1, n - 1, sweep, &messages);
    if (error == IMP_ERR_INPUT) {
        fputs(imp_text_get(&messages), stderr);
    }
    imp_text_free(&messages);
    return error == IMP_ERR_INPUT ? IMP_EXIT_INPUT : imp_exit(error);
}

void imp_say_guests(const imp_sweep *sweep) {
    imp_text text = {0};
    for (imp_owned *one = sweep->owned; one; one = one->next) {
        one->say(one, &text);
    }
    if (text.length > 0) {
        imp_say(stderr, "%s", imp_text_get(&text));
    }
    imp_text_free(&text);
}
