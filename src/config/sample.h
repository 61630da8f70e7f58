/* An axis that is a sample: {sample: sobol, points: 256, seed: 1, params: [...]}. */
#ifndef IMP_CONFIG_SAMPLE_H
#define IMP_CONFIG_SAMPLE_H

#include "config/document.h"
#include "config/draft.h"

/* The fields of the axis. */
typedef struct imp_sample_fields {
    const imp_field *sample, *seed, *params;
} imp_sample_fields;

/* Reads the columns of the next axis, which gets `points` values; 0: they were unreadable. Returns
 * whether all columns are known. */
bool imp_sample_read(imp_document *document, imp_draft *draft, const imp_sample_fields *fields,
                     int64_t points);

#endif
