#include "cmd/value.h"

#include <stdio.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"
#include "models/signature.h"

bool imp_code_text(const imp_variable *v, double value, size_t size, char *text) {
    const char *flag = v->kind == IMP_CATEGORY ? imp_variable_flag(v, value) : NULL;
    bool sequence = v->kind == IMP_SEQUENCE && value >= 0 && value < 0x1p53;
    if (sequence) {
        imp_sequence_text((uint64_t)value, size, text);
    } else if (flag) {
        snprintf(text, size, "%s", flag);
    }
    return sequence || flag;
}

imp_value_words imp_shown_value(const imp_variable *v, double value, int digits) {
    imp_value_words words;
    bool angle = strcmp(v->unit, "rad") == 0, bare = strcmp(v->unit, "1") == 0;
    if (!imp_code_text(v, value, sizeof words.text, words.text)) {
        snprintf(words.text, sizeof words.text, "%.*g%s%s", digits,
                 (angle ? value * IMP_DEGREES_PER_RADIAN : value) + 0.0 /* no -0 */,
                 bare ? "" : " ",
                 bare    ? ""
                 : angle ? "deg"
                         : v->unit);
    }
    return words;
}

/* ---- angles ---- */

/* The member of a dimension at place k, from 0, in names separated by blanks; its length in
 * *length, 0 if there is none. */
static const char *member_at(const char *members, int64_t k, size_t *length) {
    for (; k > 0 && *members; k--) {
        members += strcspn(members, " ");
        members += *members == ' ';
    }
    *length = strcspn(members, " ");
    return members;
}

static bool is_angle_of(const imp_theory *theory, const char *name) {
    const imp_parameter *variants[IMP_MAX_VARIANTS];
    return imp_theory_variants(theory, name, variants) > 0 && imp_parameter_is_angle(variants[0]);
}

/* Whether a parameter without values of its own is an angle in the theory of the map, or, for a map
 * of cases, in any theory: a name means one thing in all of them. */
static bool is_angle_by_theory(const imp_catalog *catalog, const char *name) {
    const char *own = imp_catalog_words(catalog, "theory");
    bool cases = strcmp(own, "cases") == 0, angle = false;
    const imp_theory *theory;
    for (int i = 0; !angle && (theory = imp_theory_at(i)) != NULL; i++) {
        angle = (cases || strcmp(theory->name, own) == 0) && is_angle_of(theory, name);
    }
    return angle;
}

/* Whether a variable that formulas read is an angle: its unit is in the fingerprint. */
static bool is_angle_declared(const imp_catalog *catalog, const char *name) {
    imp_text line = {0};
    imp_text_print(&line, "\nunit of %s\trad\n", name);
    bool angle = strstr(imp_catalog_words(catalog, "fingerprint"), imp_text_get(&line)) != NULL;
    imp_text_free(&line);
    return angle;
}

static bool is_angle_parameter(const imp_catalog *catalog, const char *name) {
    const imp_variable *v = imp_catalog_find(catalog, name);
    return v ? strcmp(v->unit, "rad") == 0
             : is_angle_by_theory(catalog, name) || is_angle_declared(catalog, name);
}

/* Whether the values of an output are those of parameters, as in "energy_loss_least_at". */
static bool is_of_parameters(const imp_variable *v) {
    size_t length = strlen(v->name);
    return v->role == IMP_IS_OUTPUT && length > 3 && strcmp(v->name + length - 3, "_at") == 0;
}

bool imp_is_angle(const imp_catalog *catalog, const imp_variable *variable, int64_t k) {
    bool listed = is_of_parameters(variable);
    const imp_variable *parameters =
        listed ? imp_catalog_find(catalog, "uncertain_parameter") : NULL;
    if (!parameters || parameters->size < 1) {
        return strcmp(variable->unit, "rad") == 0;
    }
    /* The list has all parameters, or all of them for each value of a category. */
    size_t length;
    imp_text name = {0};
    const char *member = member_at(parameters->members, k % parameters->size, &length);
    imp_text_append(&name, member, length);
    bool angle = name.length > 0 && is_angle_parameter(catalog, imp_text_get(&name));
    imp_text_free(&name);
    return angle;
}
