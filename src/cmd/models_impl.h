/* Shared by the text (models.c) and the JSON (models_json.c) of `models`. */
#ifndef IMP_CMD_MODELS_IMPL_H
#define IMP_CMD_MODELS_IMPL_H

#include <jansson.h>

#include "base/text.h"
#include "impact.h"

/* Appends the options (of any choice) under which a parameter applies; nothing if it always
 * applies. */
void imp_models_applies_to(const imp_theory *theory, const imp_parameter *parameter,
                           imp_text *text);

/* Appends the modes in which an output is undefined. */
void imp_models_undefined_in(const imp_theory *theory, const imp_output *output, imp_text *text);

const char *imp_models_kind(imp_kind kind);

json_t *imp_models_json(const imp_theory *theory);

#endif
