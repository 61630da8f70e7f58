/* A wish to stop, of which long work asks. The room that starts the program says how to ask; a
 * library has no stops. */
#ifndef IMP_BASE_STOP_H
#define IMP_BASE_STOP_H

#include <stdbool.h>

/* wanted: called by any work that lasts; NULL: there are no stops. */
void imp_stop_ask(bool (*wanted)(void));

bool imp_stop_wanted(void);

#endif
