#include "support/every.h"

#include <stdio.h>
#include <string.h>

#include "models/petsc.h"
#include "models/signature.h"

/* Whether a choice is made, and by an option of this name. */
static bool is_chosen(const imp_theory *theory, const int *chosen, const char *name,
                      const char *option) {
    int c = imp_theory_choice(theory, name);
    return c >= 0 && strcmp(theory->choices[c].options[chosen[c]]->name, option) == 0;
}

/* Whether an option is the default of its choice, or serves in place of the default where there is
 * no PETSc. */
static bool is_usual(const imp_choice *choice, int option) {
    const char *instead = choice->options[choice->fallback]->without_petsc;
    return option == choice->fallback ||
           (instead && strcmp(choice->options[option]->name, instead) == 0);
}

/* Theories whose cells take milliseconds: every option once, the other choices as usual. A beam
 * that is held needs a striker that moves. */
static bool is_wanted_of_slow(const imp_theory *theory, const int *chosen) {
    bool held = is_chosen(theory, chosen, "boundary", "clamped") ||
                is_chosen(theory, chosen, "boundary", "pinned_pinned");
    int others = 0;
    for (int c = 0; c < theory->n_choices; c++) {
        others += !is_usual(&theory->choices[c], chosen[c]);
    }
    return held ? others == 2 && is_chosen(theory, chosen, "striker", "free") : others <= 1;
}

/* All combinations but those with the fault `hang`, whose cells take their whole budget, and
 * long. */
static bool is_wanted(const imp_theory *theory, const int *chosen) {
    if (imp_theory_needs_petsc(theory, chosen) && !imp_petsc_version()) {
        return false;
    }
    if (every_is_slow(theory)) {
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

bool every_is_slow(const imp_theory *theory) {
    bool slow = false;
    for (int c = 0; c < theory->n_choices; c++) {
        for (int o = 0; o < theory->choices[c].n_options; o++) {
            slow |= theory->choices[c].options[o]->without_petsc != NULL;
        }
    }
    return slow;
}

bool every_is_long(const imp_theory *theory) {
    return strcmp(theory->name, "bounce") == 0;
}

bool every_needs_petsc(const imp_theory *theory, const char *choices) {
    int chosen[IMP_MAX_CHOICES] = {0};
    for (int c = 0; c < theory->n_choices; c++) {
        for (int o = 0; o < theory->choices[c].n_options; o++) {
            char word[128];
            snprintf(word, sizeof word, "%s=%s ", theory->choices[c].name,
                     theory->choices[c].options[o]->name);
            chosen[c] = strstr(choices, word) ? o : chosen[c];
        }
    }
    return imp_theory_needs_petsc(theory, chosen);
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
