/* What the theory of a sweep or a solver needs as long as they exist, and what ends with them: the
 * guest of a theory that is a program. */
#ifndef IMP_SOLVE_OWNED_H
#define IMP_SOLVE_OWNED_H

#include "base/text.h"

/* The first member of the structure that is owned; a list. */
typedef struct imp_owned {
    struct imp_owned *next;
    /* Everything that two runs of one map must have in common, a line. */
    const char *identity;
    /* Appends lines about failures so far, and forgets them. */
    void (*say)(struct imp_owned *owned, imp_text *text);
    void (*end)(struct imp_owned *owned);
} imp_owned;

/* Ends everything in the list, and empties it. */
void imp_owned_end(imp_owned **all);

#endif
