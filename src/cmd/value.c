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

void imp_value_text(const imp_variable *v, double value, int digits, size_t size, char *text) {
    bool angle = strcmp(v->unit, "rad") == 0, bare = strcmp(v->unit, "1") == 0;
    if (!imp_code_text(v, value, size, text)) {
        snprintf(text, size, "%.*g%s%s", digits, angle ? value * IMP_DEGREES_PER_RADIAN : value,
                 bare ? "" : " ",
                 bare    ? ""
                 : angle ? "deg"
                         : v->unit);
    }
}
