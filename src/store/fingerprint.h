/* What makes two sweeps the same: a text of lines "key<tab>value", and where two differ. */
#ifndef IMP_STORE_FINGERPRINT_H
#define IMP_STORE_FINGERPRINT_H

#include "base/text.h"
#include "solve/sweep.h"

/* Theory, results version, choices, axis values bit by bit, fixed values, outputs, precision. */
void imp_fingerprint(const imp_sweep *sweep, imp_text *text);

/* One line per key that differs, "key: the file has ..., the config ...". Empty: the same. */
void imp_fingerprint_compare(const char *file, const char *config, imp_text *differences);

#endif
