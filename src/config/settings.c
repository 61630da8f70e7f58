#include "config/keys.h"

#include "base/number.h"

/* Reads one of two words; true for the second. */
static bool read_word(imp_draft *draft, imp_place place, const char *kind, const char *text,
                      const char *const names[2]) {
    int word = imp_word_number(text, names, 2);
    if (word < 0) {
        imp_report_unknown(draft->report, place, kind, text, "", names, 2);
    }
    return word == 1;
}

static void read_precision(imp_draft *draft, imp_place place, const char *text) {
    static const char *const names[] = {"float32", "float64"};
    draft->sweep.single = !read_word(draft, place, "precision", text, names);
}

static void read_write(imp_draft *draft, imp_place place, const char *text) {
    static const char *const names[] = {"gather", "parallel"};
    draft->sweep.parallel_write = read_word(draft, place, "way to write", text, names);
}

static void read_budget(imp_draft *draft, imp_place place, const char *text) {
    const char *problem = imp_read_count(text, &draft->sweep.cell_budget);
    if (problem) {
        imp_draft_error(draft, place, "cell_budget: '%s' %s", imp_show(text).text, problem);
    } else if (draft->sweep.cell_budget == 0) {
        imp_draft_error(draft, place, "cell_budget is 0, allowed: at least 1");
    }
}

const char *const imp_setting_names[IMP_N_SETTINGS] = {"precision", "write", "cell_budget"};

void imp_setting_read(imp_draft *draft, int setting, imp_place place, const char *text) {
    static void (*const readers[IMP_N_SETTINGS])(imp_draft *, imp_place, const char *) = {
        read_precision, read_write, read_budget};
    imp_slot *slot = &draft->settings[setting];
    if (slot->use == IMP_FIXED && slot->key.kind == place.kind) {
        imp_draft_error(draft, place, "duplicate key '%s'", imp_setting_names[setting]);
        return;
    }
    *slot = (imp_slot){.use = IMP_FIXED, .key = place};
    readers[setting](draft, place, text);
}
