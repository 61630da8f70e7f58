#include "support/every.h"

#include <stdio.h>
#include <string.h>

#include "models/signature.h"

/* Whether a choice is made, and by an option of this name. */
static bool is_chosen(const imp_theory *theory, const int *chosen, const char *name,
                      const char *option) {
    int c = imp_theory_choice(theory, name);
    return c >= 0 && strcmp(theory->choices[c].options[chosen[c]]->name, option) == 0;
}

/* Theories whose cells take milliseconds: every option once, the other choices at their defaults. A
 * beam that is held needs a striker that moves. */
static bool is_wanted_of_slow(const imp_theory *theory, const int *chosen) {
    bool held = is_chosen(theory, chosen, "boundary", "clamped") ||
                is_chosen(theory, chosen, "boundary", "pinned_pinned");
    int others = 0;
    for (int c = 0; c < theory->n_choices; c++) {
        others += chosen[c] != theory->choices[c].fallback;
    }
    return held ? others == 2 && is_chosen(theory, chosen, "striker", "free") : others <= 1;
}

/* All combinations but those with the fault `hang`, whose cells take their whole budget, and
 * long. */
static bool is_wanted(const imp_theory *theory, const int *chosen) {
    if (theory->needs_petsc) {
        return is_wanted_of_slow(theory, chosen);
    }
    int fault = imp_theory_choice(theory, "fault");
    return fault < 0 || strcmp(theory->choices[fault].options[chosen[fault]]->name, "hang") != 0;
}

static void print_choices(const imp_theory *theory, const int *chosen, size_t size, char *text) {
    text[0] = 0;
    for (int c = 0; c < theory->n_choices; c++) {
        size_t at = strlen(text);
        snprintf(text + at, size - at, "%s=%s ", theory->choices[c].name,
                 theory->choices[c].options[chosen[c]]->name);
    }
}

void every_choice(void (*visit)(const imp_theory *theory, const char *choices)) {
    for (int t = 0; imp_theory_at(t); t++) {
        const imp_theory *theory = imp_theory_at(t);
        int chosen[IMP_MAX_CHOICES] = {0}, c = 0;
        while (c < theory->n_choices || theory->n_choices == 0) {
            char choices[256];
            print_choices(theory, chosen, sizeof choices, choices);
            if (is_wanted(theory, chosen)) {
                visit(theory, choices);
            }
            for (c = 0; c < theory->n_choices; c++) {
                chosen[c] = (chosen[c] + 1) % theory->choices[c].n_options;
                if (chosen[c] != 0) {
                    break;
                }
            }
            if (theory->n_choices == 0) {
                break;
            }
        }
    }
}
