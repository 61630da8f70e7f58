#include "config/words.h"

#include <stdlib.h>
#include <string.h>

#include "config/axis_impl.h"
#include "config/keys.h"
#include "config/units.h"

enum { FROM, TO, POINTS, SPACING, MOST_PARTS };

/* An axis that is given new values. */
typedef struct replaced {
    imp_draft *draft;
    imp_place place;
    imp_named named;
    imp_axis *axis;
    imp_origin *origin;
} replaced;

static bool is_axis(const char *value) {
    return value[0] == '[' || strchr(value, ':');
}

static char *trimmed(char *text) {
    text += strspn(text, " ");
    for (size_t n = strlen(text); n > 0 && text[n - 1] == ' '; n--) {
        text[n - 1] = 0;
    }
    return text;
}

/* Cuts a text at a separator; returns the number of parts, of which at most `most` are kept. */
static int cut(char *text, char separator, char **parts, int most) {
    int n = 0;
    for (char *end; text; text = end) {
        end = strchr(text, separator);
        if (end) {
            *end++ = 0;
        }
        if (n < most) {
            parts[n] = trimmed(text);
        }
        n++;
    }
    return n;
}

static bool read_points(const replaced *r, const char *text, int64_t *points) {
    const char *wrong = imp_read_count(text, points);
    if (wrong) {
        imp_draft_error(r->draft, r->place, "points: '%s' %s", imp_show(text).text, wrong);
    } else if (*points < 1 || *points > INT64_C(1) << IMP_MOST_POINTS) {
        imp_draft_error(r->draft, r->place, "points is %lld, an axis has 1 to 2^%d",
                        (long long)*points, IMP_MOST_POINTS);
        return false;
    }
    return !wrong;
}

static bool read_spacing(const replaced *r, const char *text, bool *logarithmic) {
    int word = imp_word_number(text, imp_spacings, 2);
    if (word < 0) {
        imp_report_unknown(r->draft->report, r->place, "spacing", text, "", imp_spacings, 2);
    }
    *logarithmic = word == 1;
    return word >= 0;
}

static bool read_end(const replaced *r, const char *text, imp_quantity *end) {
    return imp_draft_number(r->draft, r->named.parameter, r->place, text, end);
}

/* FROM:TO:POINTS:log; where refinement finds the points FROM:TO or FROM:TO:log. */
static void read_range(const replaced *r, char *text, bool was_logarithmic) {
    char *part[MOST_PARTS];
    imp_origin *origin = r->origin;
    int n = cut(text, ':', part, MOST_PARTS);
    bool spaced = n == POINTS + 1 && imp_word_number(part[POINTS], imp_spacings, 2) >= 0;
    bool refined = r->draft->refining && (n == POINTS || spaced);
    if (r->named.choice >= 0 || (!refined && n != POINTS + 1 && n != SPACING + 1)) {
        imp_draft_error(r->draft, r->place, "%s",
                        r->named.choice >= 0
                            ? "options have no range; list them: [FIRST, SECOND, ...]"
                            : "a range is written FROM:TO:POINTS, or FROM:TO:POINTS:log (or "
                              "linear)");
        return;
    }
    int64_t points = 0;
    int spacing = refined ? POINTS : SPACING;
    origin->logarithmic = was_logarithmic;
    bool good = read_end(r, part[FROM], &origin->from);
    good = read_end(r, part[TO], &origin->to) && good;
    good = (refined || read_points(r, part[POINTS], &points)) && good;
    good = (n == spacing || read_spacing(r, part[spacing], &origin->logarithmic)) && good;
    if (good && refined) {
        imp_range_refine(r->draft, r->axis, origin, r->place, r->place);
    } else if (good) {
        imp_range_take(r->draft, r->axis, origin, points, r->place, r->place);
    }
    origin->lay_out = good ? imp_range_lay_out : NULL;
}

static double read_value(const replaced *r, const char *text) {
    imp_quantity quantity = {0, IMP_UNIT_NONE};
    if (r->named.choice >= 0) {
        return imp_draft_option(r->draft, r->named.choice, r->place, text);
    }
    imp_draft_number(r->draft, r->named.parameter, r->place, text, &quantity);
    return imp_quantity_si(quantity);
}

static void check_repeat(const replaced *r, const double *values, int at, const char *text) {
    for (int i = 0; i < at; i++) {
        if (values[i] == values[at]) {
            imp_draft_error(r->draft, r->place, "'%s' repeats a value of this axis",
                            imp_show(text).text);
            return;
        }
    }
}

static void read_list(const replaced *r, char *text) {
    enum { MOST = 1000 };
    char *part[MOST], *end = strchr(text, ']');
    if (!end || *trimmed(end + 1)) {
        imp_draft_error(r->draft, r->place,
                        "a list is written [FIRST, SECOND, ...], in quotes for the shell");
        return;
    }
    *end = 0;
    int n = cut(text + 1, ',', part, MOST);
    if (n > MOST) {
        imp_draft_error(r->draft, r->place, "a list here has at most %d values", MOST);
        return;
    }
    double *values = calloc((size_t)n, sizeof *values);
    r->origin->marks = calloc((size_t)n, sizeof *r->origin->marks);
    r->axis->columns[0].values = values;
    r->axis->size = n;
    if (!values || !r->origin->marks) {
        imp_report_memory(r->draft->report);
        r->axis->size = 0;
        return;
    }
    for (int i = 0; i < n; i++) {
        size_t before = r->draft->report->total;
        values[i] = read_value(r, part[i]);
        if (r->draft->report->total == before) {
            check_repeat(r, values, i, part[i]);
        }
    }
}

/* Empties the axis and reads its new values. */
static void replace(imp_draft *draft, imp_place place, imp_named named, int at, char *text) {
    replaced r = {.draft = draft,
                  .place = place,
                  .named = named,
                  .axis = &draft->sweep.grid.axes[at],
                  .origin = draft->origins[at]};
    bool was_logarithmic = r.origin->lay_out && r.origin->logarithmic;
    imp_units_forget(draft->report, r.axis->columns[0].name);
    size_t before = draft->report->total;
    free(r.axis->columns[0].values);
    free(r.origin->marks);
    *r.origin = (imp_origin){.file = r.origin->file, .override = place.source};
    r.axis->columns[0].values = NULL;
    r.axis->spacing = NULL;
    r.axis->refined = false;
    r.axis->columns[0].distribution[0] = 0;
    r.axis->size = 0;     /* until its values are read */
    if (r.axis->sample) { /* no longer a sample */
        memcpy(r.axis->name, r.axis->columns[0].name, sizeof r.axis->name);
        r.axis->sample = NULL;
    }
    if (text[0] == '[') {
        read_list(&r, text);
    } else {
        read_range(&r, text, was_logarithmic);
    }
    draft->incomplete = draft->incomplete || draft->report->total > before;
}

/* The slot of a name that may be given a new axis; for any other NULL, and reports an error. */
static imp_slot *find_slot(imp_draft *draft, imp_place place, const char *key, imp_named named) {
    imp_slot *slot = imp_draft_slot(draft, named);
    if (!slot) {
        imp_draft_unknown(draft, place, key, true, true);
    } else if (slot->key.kind == IMP_FROM_OVERRIDE) {
        imp_draft_error(draft, place, "duplicate key '%s'", key);
    } else if (slot->use != IMP_SWEPT) {
        imp_draft_error(draft, place, "'%s' is on no axis of the config, one value is expected",
                        key);
    } else {
        return slot;
    }
    return NULL;
}

static void replace_axis(imp_draft *draft, imp_place place, const char *key, imp_named named,
                         const char *value) {
    imp_slot *slot = find_slot(draft, place, key, named);
    int at = slot ? imp_draft_axis_of(draft, place, key) : -1;
    if (at < 0) {
        return;
    }
    slot->key = place;
    char *text = strdup(value);
    if (text) {
        replace(draft, place, named, at, text);
    } else {
        imp_report_memory(draft->report);
    }
    free(text);
}

bool imp_override_take(imp_draft *draft, imp_place place, const char *key, imp_named named,
                       const char *value) {
    bool axis = is_axis(value), known = named.choice >= 0 || named.parameter >= 0;
    int setting = known ? -1 : imp_word_number(key, imp_setting_names, IMP_N_SETTINGS);
    if (axis) {
        replace_axis(draft, place, key, named, value);
    } else if (setting >= 0) {
        imp_setting_read(draft, setting, place, value);
    }
    return axis || setting >= 0;
}
