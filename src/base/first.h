/* Structures whose address is taken for that of their first member, and back. */
#ifndef IMP_BASE_FIRST_H
#define IMP_BASE_FIRST_H

#include <stddef.h>

/* Stands behind a structure of which that is true. */
#define IMP_FIRST(type, member)                                                                    \
    _Static_assert(offsetof(type, member) == 0, "a " #type " is taken for its " #member)

#endif
