/* The fingerprint of a sweep, a text of lines "key<tab>value": two sweeps with the same fingerprint
 * give the same map. */
#ifndef IMP_STORE_FINGERPRINT_H
#define IMP_STORE_FINGERPRINT_H

#include "base/text.h"
#include "solve/sweep.h"

/* Appends theory, results version, choices, exact values of axes and fixed parameters, outputs and
 * precision. */
void imp_fingerprint(const imp_sweep *sweep, imp_text *text);

/* The value of the key in lines "key<tab>value", and its length; NULL and 0: they lack it. */
const char *imp_fingerprint_value(const char *lines, const char *key, size_t key_length,
                                  size_t *length);

/* Appends one line per key that differs, "key: the file has ..., the config ..."; none if all
 * agree. */
void imp_fingerprint_compare(const char *file, const char *config, imp_text *differences);

#endif
