/* Modes by which theories agree: no two modes of a theory have one common name, and random cells of
 * all theories with a mode of one common name went through the same phases. */
#include <math.h>
#include <string.h>

#include "models/describe.h"
#include "models/signature.h"
#include "support/batch.h"
#include "support/every.h"
#include "support/suite.h"

enum { CELLS = 60 };

static void distinct(void) {
    int renamed = 0;
    for (int i = 0; imp_theory_at(i); i++) {
        const imp_theory *theory = imp_theory_at(i);
        for (int a = 0; a < theory->n_agreements; a++) {
            const imp_agreement *one = &theory->agreements[a];
            bool known = false;
            for (int m = 0; m < theory->n_modes; m++) {
                known |= strcmp(theory->modes[m].name, one->mode) == 0;
            }
            CHECK(known, "%s has no mode %s", theory->name, one->mode);
            renamed++;
        }
        for (int m = 0; m < theory->n_modes; m++) {
            const char *name = imp_mode_common(theory, &theory->modes[m]);
            for (int k = 0; k < m; k++) {
                CHECK(strcmp(imp_mode_common(theory, &theory->modes[k]), name) != 0,
                      "%s has two modes %s", theory->name, name);
            }
        }
    }
    CHECK(renamed >= 6, "%d names", renamed);
}

/* ---- phases ---- */

/* What a contact does in the cells of a mode, whatever the theory: `stick`, `slip`, `back` for slip
 * against the slip before, and * for slip in either direction. */
static const struct meaning {
    const char *common, *phases;
} meanings[] = {
    {"gross_stick", "stick"},
    {"gross_slip", "slip"},
    {"stick_slip", "stick slip"},
    {"slip_stick", "slip stick"},
    {"slip_stick_slip_reversed", "slip stick back"},
    {"slip_stick_slip_same", "slip stick slip"},
    {"stick_slip_stick_slip", "stick slip stick *"},
    {"slip_from_rest", "slip"},
};

static const struct meaning *meaning_of(const char *common) {
    for (int i = 0; i < SUITE_COUNT(meanings); i++) {
        if (strcmp(meanings[i].common, common) == 0) {
            return &meanings[i];
        }
    }
    return NULL;
}

static bool has_sign(const char *word, size_t length) {
    return word[length - 1] == '+' || word[length - 1] == '-';
}

/* The phases of a sequence in the words of the table. Where only the outer part of a contact slips,
 * its centre sticks. */
static void phases_of(const char *sequence, char *text) {
    char last = 0, slipped = 0;
    *text = 0;
    for (const char *at = sequence; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        char sign = has_sign(at, length) ? at[length - 1] : '+';
        char now = strncmp(at, "slip", 4) == 0 ? sign : 's';
        if (now != last) {
            const char *slip = slipped && slipped != now ? "back" : "slip";
            strcat(text, *text ? " " : "");
            strcat(text, now == 's' ? "stick" : slip);
            slipped = now == 's' ? slipped : now;
        }
        last = now;
        at += length;
    }
}

static bool fits(const char *phases, const struct meaning *meaning) {
    size_t known = strcspn(meaning->phases, "*");
    const char *rest = phases + known;
    return strncmp(phases, meaning->phases, known) == 0 &&
           (meaning->phases[known] ? strcmp(rest, "slip") == 0 || strcmp(rest, "back") == 0
                                   : *rest == 0);
}

/* Cells of each theory by the row of the table. */
static int seen[64][SUITE_COUNT(meanings)];

static void check_cell(const batch *b, int number, size_t i) {
    char found[1000];
    int mode = (int)batch_out(b, "mode")[i];
    for (int m = 0; m < b->theory->n_modes; m++) {
        const imp_mode *one = &b->theory->modes[m];
        const struct meaning *meaning = meaning_of(imp_mode_common(b->theory, one));
        if (one->code == mode && meaning) {
            const char *sequence = batch_sequence(b, i);
            phases_of(sequence, found);
            CHECK(strstr(sequence, "...") || fits(found, meaning), "%s %s: %s instead of %s in %s",
                  b->theory->name, meaning->common, sequence, meaning->phases, batch_text(b, i));
            seen[number][meaning - meanings]++;
        }
    }
}

static int number_of(const imp_theory *theory) {
    int i = 0;
    while (imp_theory_at(i) != theory) {
        i++;
    }
    return i;
}

static void visit(const imp_theory *theory, const char *choices) {
    if (theory->hidden || every_is_slow(theory) || every_needs_petsc(theory, choices)) {
        return;
    }
    batch b = batch_open(theory->name, choices, CELLS);
    random_source source = {7};
    bool has = imp_output_index(b.solver, "mode") >= 0 &&
               imp_output_index(b.solver, "sequence") >= 0 && strcmp(theory->name, "bounce") != 0;
    for (int p = 0; has && p < imp_input_count(b.solver); p++) {
        const imp_parameter *parameter = imp_input_at(b.solver, p);
        bool starts = strcmp(parameter->name, "velocity_ratio") == 0;
        for (size_t i = 0; i < b.n; i++) {
            b.in[p][i] = starts && i % 4 == 0 ? 0 : batch_draw(parameter, &source);
        }
    }
    if (has) {
        batch_solve(&b);
        for (size_t i = 0; i < b.n; i++) {
            if (b.outcome[i] == IMP_SOLVED) {
                check_cell(&b, number_of(theory), i);
            }
        }
    }
    batch_close(&b);
}

/* A name that two theories have is seen in cells of both. */
static void phases(void) {
    every_choice(visit);
    for (int i = 0; imp_theory_at(i); i++) {
        const imp_theory *theory = imp_theory_at(i);
        int sequence = imp_theory_output(theory, "sequence");
        for (int a = 0; sequence >= 0 && !every_is_slow(theory) && a < theory->n_agreements; a++) {
            const struct meaning *meaning = meaning_of(theory->agreements[a].common);
            CHECK(!meaning || seen[i][meaning - meanings] > 20, "%s: few cells of mode %s",
                  theory->name, theory->agreements[a].mode);
        }
    }
}

/* The theory swerve has no sequence: whether the contact slips at its first and last moment. */
static void space(void) {
    static const struct ends {
        const char *common;
        bool first, last;
    } ends[] = {{"gross_stick", false, false},
                {"gross_slip", true, true},
                {"slip_from_rest", false, true},
                {"slip_stick", true, false}};
    enum { N = 2000 };
    batch b = batch_open("swerve", "body=rod3d law=energetic", N);
    random_source source = {9};
    int of_mode[SUITE_COUNT(ends)] = {0};
    for (size_t i = 0; i < N; i++) {
        batch_in(&b, "friction")[i] = random_between(&source, 0, 1.5);
        batch_in(&b, "angle")[i] = random_between(&source, -1.5, 1.5);
        batch_in(&b, "heading")[i] = random_between(&source, -3, 3);
        batch_in(&b, "velocity_ratio")[i] = i % 4 ? random_between(&source, 0, 2) : 0;
    }
    batch_solve(&b);
    for (size_t i = 0; i < N; i++) {
        int mode = (int)batch_out(&b, "mode")[i];
        for (int k = 0; b.outcome[i] == IMP_SOLVED && k < SUITE_COUNT(ends); k++) {
            const imp_mode *one = &b.theory->modes[mode - 1];
            if (strcmp(imp_mode_common(b.theory, one), ends[k].common) == 0) {
                bool first = batch_in(&b, "velocity_ratio")[i] > 0;
                bool last = batch_out(&b, "velocity_ratio_out")[i] > 1e-12;
                CHECK(first == ends[k].first && last == ends[k].last, "%s: %s", ends[k].common,
                      batch_text(&b, i));
                of_mode[k]++;
            }
        }
    }
    for (int k = 0; k < SUITE_COUNT(ends); k++) {
        CHECK(of_mode[k] > 20, "%d cells of %s", of_mode[k], ends[k].common);
    }
    batch_close(&b);
}

SUITE("common names", distinct, phases, space)
