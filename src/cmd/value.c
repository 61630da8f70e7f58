#include "cmd/value.h"

#include <stdio.h>
#include <string.h>

#include "base/constants.h"

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
                 angle ? value * IMP_DEGREES_PER_RADIAN : value, bare ? "" : " ",
                 bare    ? ""
                 : angle ? "deg"
                         : v->unit);
    }
    return words;
}
