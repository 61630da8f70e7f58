#include "config/units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/unit.h"
#include "solve/units.h"

/* The most units of one parameter: powers are multiples of 1/2 up to 8 of either sign. */
enum { MOST = 40, MOST_POWER = 8 };

/* Units that a parameter can have, each once. */
typedef struct units {
    char text[MOST][IMP_UNIT_TEXT];
    int n;
} units;

static void add(units *all, const char *unit) {
    for (int u = 0; u < all->n; u++) {
        if (strcmp(all->text[u], unit) == 0) {
            return;
        }
    }
    if (all->n < MOST) {
        snprintf(all->text[all->n++], IMP_UNIT_TEXT, "%s", unit);
    }
}

/* Adds a unit with every power that a unit can be written with. */
static void add_powers(units *all, const imp_theory *theory, const char *unit) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    char text[IMP_UNIT_TEXT];
    int n = imp_theory_variants(theory, imp_unit_power(unit), variants);
    for (int half = -2 * MOST_POWER; half <= 2 * MOST_POWER; half++) {
        for (int v = 0; v < n; v++) {
            if (imp_parameter_admits(variants[v], half / 2.0)) {
                add(all, imp_unit_with(unit, half / 2.0, text));
            }
        }
    }
}

/* written: units with their powers, otherwise as tables have them. */
static void find_units(units *all, const imp_theory *theory, const imp_parameter *of,
                       bool written) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    int n = imp_theory_variants(theory, of->name, variants);
    all->n = 0;
    add(all, of->unit);
    all->n = written && imp_unit_power(of->unit) ? 0 : all->n;
    for (int v = 0; v < n; v++) {
        if (written && imp_unit_power(variants[v]->unit)) {
            add_powers(all, theory, variants[v]->unit);
        } else {
            add(all, variants[v]->unit);
        }
    }
}

/* ---- notes ---- */

/* Two different units of one number's parameter suffice: at most one of them is right. */
static bool is_noted(const imp_report *report, const char *parameter, const char *unit) {
    for (size_t i = 0; i < report->n_notes; i++) {
        const imp_unit_note *note = &report->notes[i];
        if (note->owner == IMP_NOTE_OF_MAP && strcmp(note->parameter, parameter) == 0 &&
            strcmp(note->unit, unit) == 0) {
            return true;
        }
    }
    return false;
}

static void note(imp_report *report, const char *parameter, const char *unit, imp_place place,
                 const char *text, bool bare) {
    if (is_noted(report, parameter, unit)) {
        return;
    }
    imp_unit_note *notes = realloc(report->notes, (report->n_notes + 1) * sizeof *notes);
    if (!notes) {
        imp_report_memory(report);
        return;
    }
    report->notes = notes;
    imp_unit_note *to = &notes[report->n_notes++];
    *to = (imp_unit_note){
        .parameter = parameter, .place = place, .bare = bare, .owner = IMP_NOTE_OF_MAP};
    snprintf(to->unit, sizeof to->unit, "%s", unit);
    snprintf(to->text, sizeof to->text, "%s", text);
}

void imp_units_own(imp_report *report, size_t first, int owner) {
    for (size_t i = first; i < report->n_notes; i++) {
        report->notes[i].owner = owner;
    }
}

void imp_units_forget(imp_report *report, const char *parameter) {
    size_t kept = 0;
    for (size_t i = 0; i < report->n_notes; i++) {
        const imp_unit_note *one = &report->notes[i];
        if (one->owner != IMP_NOTE_OF_MAP || strcmp(one->parameter, parameter) != 0) {
            report->notes[kept++] = *one;
        }
    }
    report->n_notes = kept;
}

/* ---- reading ---- */

const char *imp_units_read(imp_report *report, const imp_theory *theory, const imp_parameter *of,
                           imp_place place, const char *text, imp_quantity *quantity) {
    const char *wrong = imp_read_quantity(text, "1", quantity);
    if (!wrong || wrong == imp_not_finite) {
        return wrong;
    }
    units all;
    find_units(&all, theory, of, true);
    for (int u = 0; u < all.n; u++) {
        wrong = imp_read_quantity(text, all.text[u], quantity);
        if (!wrong && all.n > 1) {
            note(report, of->name, all.text[u], place, text, false);
        }
        if (!wrong || wrong == imp_too_large) {
            return wrong;
        }
    }
    return wrong;
}

bool imp_units_match(imp_report *report, const imp_theory *theory, const imp_parameter *of,
                     imp_place place, const char *unit) {
    units all;
    imp_measure own, written;
    find_units(&all, theory, of, true);
    bool known = imp_measure_read(unit, &written);
    for (int u = 0; known && u < all.n; u++) {
        if (imp_measure_read(all.text[u], &own) && imp_measure_alike(&own, &written)) {
            if (all.n > 1) {
                note(report, of->name, all.text[u], place, unit, true);
            }
            return true;
        }
    }
    return false;
}

void imp_units_print(imp_text *text, const imp_theory *theory, const imp_parameter *of) {
    units all;
    find_units(&all, theory, of, false);
    for (int u = 0; u < all.n; u++) {
        imp_text_print(text, "%s%s", u ? " or " : "", all.text[u]);
    }
}

bool imp_units_one(const imp_theory *theory, const imp_parameter *of) {
    units all;
    find_units(&all, theory, of, true);
    return all.n == 1;
}

/* ---- checks ---- */

/* Adds the units that the parameter of a note has in its cells; false: a value from which one of
 * them follows is not known, which has been reported. */
static bool find_own(const imp_draft *draft, const imp_signature *signatures, int n,
                     const imp_unit_note *note, units *own) {
    char text[IMP_UNIT_TEXT];
    own->n = 0;
    for (int s = 0; s < n; s++) {
        const int *chosen = signatures[s].chosen;
        bool others = note->owner >= 0 && chosen[0] != note->owner;
        const char *unit =
            others ? NULL : imp_sweep_unit_at(&draft->sweep, chosen, note->parameter, text);
        if (unit) {
            add(own, unit);
        }
        if (unit && imp_unit_power(unit) && draft->report->total > 0) {
            return false;
        }
    }
    return own->n > 0;
}

static void check_note(imp_draft *draft, const imp_signature *signatures, int n,
                       const imp_unit_note *note) {
    units own;
    imp_measure has, meant;
    imp_text list = {0};
    if (!find_own(draft, signatures, n, note, &own)) {
        return;
    }
    bool one = own.n == 1 && !imp_unit_power(own.text[0]);
    for (int u = 0; u < own.n; u++) {
        imp_text_print(&list, "%s%s", u ? " or " : "", own.text[u]);
    }
    imp_measure_read(note->unit, &meant);
    if (!one) {
        imp_draft_error(draft, note->place,
                        "%s: '%s' %s, but cells differ in the unit of %s, which is %s; a number "
                        "without a unit is in that of each cell",
                        note->parameter, imp_show(note->text).text,
                        note->bare ? "is a unit" : "has a unit", note->parameter,
                        imp_text_get(&list));
    } else if (!imp_measure_read(own.text[0], &has) || !imp_measure_alike(&has, &meant)) {
        imp_draft_error(draft, note->place, "%s: '%s' %s; its unit is %s here", note->parameter,
                        imp_show(note->text).text,
                        note->bare ? "is the unit of another quantity" : imp_other_quantity,
                        imp_text_get(&list));
    }
    imp_text_free(&list);
}

void imp_units_check(imp_draft *draft) {
    imp_report *report = draft->report;
    int n = 0;
    imp_signature *signatures = report->n_notes ? imp_sweep_signatures(&draft->sweep, &n) : NULL;
    if (report->n_notes && !signatures) {
        imp_report_memory(report);
    }
    for (size_t i = 0; signatures && i < report->n_notes; i++) {
        check_note(draft, signatures, n, &report->notes[i]);
    }
    free(signatures);
    report->n_notes = 0;
}
