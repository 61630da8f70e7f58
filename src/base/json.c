#include "base/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

static void append(imp_json *json, const char *word) {
    imp_text_append(&json->text, word, strlen(word));
}

static void start_line(imp_json *json) {
    if (json->compact) {
        return;
    }
    imp_text_print(&json->text, "\n%*s", 2 * json->depth, "");
}

static void append_character(imp_json *json, char character) {
    static const char special[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = character ? strchr(special, character) : NULL;
    if (found) {
        char escaped[] = {'\\', letters[found - special]};
        imp_text_append(&json->text, escaped, sizeof escaped);
    } else if ((unsigned char)character < 0x20) {
        imp_text_print(&json->text, "\\u%04X", (unsigned)character);
    } else {
        imp_text_append(&json->text, &character, 1);
    }
}

static bool is_utf8(const char *text, size_t n) {
    size_t length = 1;
    for (size_t i = 0; i < n && length > 0; i += length) {
        length = imp_utf8_length(text + i, n - i);
    }
    return length > 0;
}

/* JSON is UTF-8: of any other text, as of a damaged map, it has only what is ASCII. */
static void append_string(imp_json *json, const char *value) {
    bool whole = is_utf8(value, strlen(value));
    append(json, "\"");
    for (const char *at = value; *at; at++) {
        append_character(json, whole || (unsigned char)*at < 0x80 ? *at : '?');
    }
    append(json, "\"");
}

/* What comes before a value: a comma, a line of its own, the name of the member. */
static void start_value(imp_json *json, const char *name) {
    if (json->depth > 0) {
        append(json, json->filled ? "," : "");
        start_line(json);
    }
    json->filled = true;
    if (name) {
        append_string(json, name);
        append(json, json->compact ? ":" : ": ");
    }
}

static void start(imp_json *json, const char *name, const char *bracket) {
    start_value(json, name);
    append(json, bracket);
    json->depth++;
    json->filled = false;
}

static void end(imp_json *json, const char *bracket) {
    json->depth--;
    if (json->filled) {
        start_line(json);
    }
    append(json, bracket);
    json->filled = true;
}

void imp_json_object(imp_json *json, const char *name) {
    start(json, name, "{");
}

void imp_json_list(imp_json *json, const char *name) {
    start(json, name, "[");
}

void imp_json_end_object(imp_json *json) {
    end(json, "}");
}

void imp_json_end_list(imp_json *json) {
    end(json, "]");
}

void imp_json_begin_frame(imp_json *json, const char *name, bool list) {
    if (json) {
        (list ? imp_json_list : imp_json_object)(json, name);
    }
}

void imp_json_end_frame(imp_json *json, bool list) {
    if (json) {
        (list ? imp_json_end_list : imp_json_end_object)(json);
    }
}

/* Readers of compact JSON take a member that is absent for null. */
static void add_null(imp_json *json, const char *name) {
    if (!json->compact || !name) {
        start_value(json, name);
        append(json, "null");
    }
}

void imp_json_string(imp_json *json, const char *name, const char *value) {
    if (value) {
        start_value(json, name);
        append_string(json, value);
    } else {
        add_null(json, name);
    }
}

/* A real keeps a point or an exponent, by which readers tell it from a whole number; the exponent
 * has neither a plus nor leading zeros. */
void imp_json_number(imp_json *json, const char *name, double value) {
    char digits[32];
    if (!isfinite(value)) {
        add_null(json, name);
        return;
    }
    start_value(json, name);
    snprintf(digits, sizeof digits, "%.17g", value);
    char *exponent = strchr(digits, 'e');
    if (exponent) {
        bool negative = exponent[1] == '-';
        *exponent = 0;
        const char *power = exponent + 2 + strspn(exponent + 2, "0");
        imp_text_print(&json->text, "%se%s%s", digits, negative ? "-" : "", power);
    } else {
        append(json, digits);
        append(json, strchr(digits, '.') ? "" : ".0");
    }
}

void imp_json_whole(imp_json *json, const char *name, int64_t value) {
    start_value(json, name);
    imp_text_print(&json->text, "%" PRId64, value);
}

void imp_json_truth(imp_json *json, const char *name, bool value) {
    start_value(json, name);
    append(json, value ? "true" : "false");
}
