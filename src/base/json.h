/* JSON as text, value by value: two blanks of indentation, reals with 17 digits, which read back to
 * the same bits. Bytes of 0x80 and above become '?' in a string that is not UTF-8. */
#ifndef IMP_BASE_JSON_H
#define IMP_BASE_JSON_H

#include <stdint.h>

#include "base/text.h"

/* Start with {0}; the owner calls imp_text_free on `text`, whose member `failed` says that memory
 * ran out. */
typedef struct imp_json {
    imp_text text;
    int depth;
    bool compact; /* neither lines nor blanks, nor members that are null */
    bool filled;  /* the innermost list or object has a value already */
} imp_json;

/* Each takes the name of the member, or NULL for a value in a list and for the outermost one. */
void imp_json_object(imp_json *json, const char *name);
void imp_json_list(imp_json *json, const char *name);
void imp_json_string(imp_json *json, const char *name, const char *value); /* NULL: null */
void imp_json_number(imp_json *json, const char *name, double value);      /* not finite: null */
void imp_json_whole(imp_json *json, const char *name, int64_t value);
void imp_json_truth(imp_json *json, const char *name, bool value);

/* End the object or list that was begun last. */
void imp_json_end_object(imp_json *json);
void imp_json_end_list(imp_json *json);

/* A list or an object of facts that are said in JSON or, where json is NULL, as text, which has no
 * such frames. */
void imp_json_begin_frame(imp_json *json, const char *name, bool list);
void imp_json_end_frame(imp_json *json, bool list);

#endif
