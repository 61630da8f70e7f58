/* A theory in words: its values as text, and everything about it as JSON. */
#ifndef IMP_MODELS_DESCRIBE_H
#define IMP_MODELS_DESCRIBE_H

#include "base/json.h"
#include "impact.h"

/* The name of a code among n of them; NULL if there is no such code. */
const char *imp_code_name(const imp_mode *modes, int n, int code);

/* The name of a mode where several theories meet. */
const char *imp_mode_common(const imp_theory *theory, const imp_mode *mode);

/* A value of an output as text, "%.*g" with as many digits as asked for, 0 without a sign;
 * "-" where not finite; names of modes and of other categories; phases of a sequence. */
void imp_output_text(const imp_theory *theory, int output, double value, int digits, size_t size,
                     char *text);

/* Writes the definitions of the parameter of this name, each once, and returns their number:
 * options may give it other ranges, defaults or meanings. */
int imp_models_definitions(const imp_theory *theory, const char *name,
                           const imp_parameter *found[IMP_MAX_PARAMETERS]);

/* Appends the options (of any choice) under which a parameter applies, as this definition has it or
 * in any way; nothing if it always applies. */
void imp_models_applies_to(const imp_theory *theory, const imp_parameter *definition, bool any,
                           imp_text *text);

/* Appends the modes in which an output is undefined. */
void imp_models_undefined_in(const imp_theory *theory, const imp_output *output, imp_text *text);

const char *imp_models_kind(imp_kind kind);

/* A theory as an object; every theory that is not hidden, as a list. */
void imp_models_json(imp_json *json, const char *name, const imp_theory *theory);
void imp_models_json_of_all(imp_json *json, const char *name);

#endif
